#!/bin/bash
# libFuzzer over the targets of fuzz/, each from its kept corpus, with clang and the sanitizers. Fails with the input found.
#   scripts/fuzz.sh [--seconds N] [--keep] [TARGET…]    targets: resp commands script (all); seconds for each, 600 if not given
#   --keep: afterwards the inputs found so far become fuzz/corpus/found.tar.xz, the least that reaches as much
set -euo pipefail
. "$(dirname "$0")/common.sh"

seconds=600 keep=false targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds)
      [ $# -ge 2 ] || fail "usage: scripts/fuzz.sh [--seconds N] [--keep] [TARGET…]"
      seconds=$2
      shift
      ;;
    --keep) keep=true ;;
    resp | commands | script) targets+=("$1") ;;
    *) fail "usage: scripts/fuzz.sh [--seconds N] [--keep] [TARGET…]" ;;
  esac
  shift
done
[ ${#targets[@]} -gt 0 ] || targets=(resp commands script)

stage "packages" scripts/deps.sh --with clang
stage "build clang" scripts/build.sh clang "${targets[@]/%/_fuzz}"
work=$tree/build/fuzz
mkdir -p "$work/corpus"
tar -C "$work/corpus" -xJf fuzz/corpus/found.tar.xz
# The names of commands, options and subcommands that a fuzzer would not guess.
awk -F'|' '/^\| [A-Z]/ { gsub(/[^A-Z0-9 -]/, "", $2); print $2, $5 }' docs/conformance.md | tr ' ' '\n' | sort -u |
  sed -n 's/.\+/"&"/p' >"$work/words.dict"
for target in "${targets[@]}"; do
  mkdir -p "$work/found/$target" "$work/corpus/$target"
  stage "fuzz $target for $seconds s" "build/clang/fuzz/${target}_fuzz" -max_total_time="$seconds" -max_len=2000 -timeout=20 \
    -rss_limit_mb=2000 -verbosity=0 -print_final_stats=1 -dict="$work/words.dict" -artifact_prefix="$work/found/$target/" \
    "$work/corpus/$target" "fuzz/corpus/$target"
done
if $keep; then
  for target in "${targets[@]}"; do
    mkdir -p "$work/kept/$target"
    stage "the least of $target that reaches as much" "build/clang/fuzz/${target}_fuzz" -merge=1 -max_len=2000 -verbosity=0 \
      "$work/kept/$target" "$work/corpus/$target"
  done
  tar -C "$work/kept" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cJf "$work/found.tar.xz" .
  mv "$work/found.tar.xz" fuzz/corpus/found.tar.xz
fi
