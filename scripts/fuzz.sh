#!/bin/bash
# libFuzzer over the targets of fuzz/, each from its kept corpus, with clang and the sanitizers. Fails with the input found.
#   scripts/fuzz.sh [--seconds N] [TARGET…]    targets: resp commands script (all); seconds for each, 600 if not given
set -euo pipefail
. "$(dirname "$0")/common.sh"

seconds=600 targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds)
      [ $# -ge 2 ] || fail "usage: scripts/fuzz.sh [--seconds N] [TARGET…]"
      seconds=$2
      shift
      ;;
    resp | commands | script) targets+=("$1") ;;
    *) fail "usage: scripts/fuzz.sh [--seconds N] [TARGET…]" ;;
  esac
  shift
done
[ ${#targets[@]} -gt 0 ] || targets=(resp commands script)

stage "packages" scripts/deps.sh --with clang
stage "build fuzz" scripts/build.sh fuzz "${targets[@]/%/_fuzz}"
for target in "${targets[@]}"; do
  found=$tree/build/fuzz/found/$target
  mkdir -p "$found" "$tree/build/fuzz/corpus/$target"
  stage "fuzz $target for $seconds s" "build/fuzz/fuzz/${target}_fuzz" -max_total_time="$seconds" -max_len=2000 -timeout=20 \
    -rss_limit_mb=2000 -verbosity=0 -print_final_stats=1 -artifact_prefix="$found/" \
    "$tree/build/fuzz/corpus/$target" "fuzz/corpus/$target"
done
