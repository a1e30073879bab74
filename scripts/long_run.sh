#!/bin/bash
# The long run: every bundled scenario over many seeds, once, and the page that tells of it, docs/long_run.md.
#   scripts/long_run.sh [--seeds N] [--to FILE]      20000 seeds unless told otherwise
# A guarantee must hold, a hazard be violated, and the page says in how many seeds. A random scenario runs all of them. A
# scripted one has few interleavings: it runs 200 seeds, then ten times as many, and stops once a trace hash has repeated,
# since another seed would then most likely show nothing new.
set -euo pipefail
. "$(dirname "$0")/common.sh"

seeds=20000 page=docs/long_run.md
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "usage: scripts/long_run.sh [--seeds N] [--to FILE]"
  case $1 in
    --seeds) seeds=$2 ;;
    --to) page=$2 ;;
    *) fail "usage: scripts/long_run.sh [--seeds N] [--to FILE]" ;;
  esac
  shift 2
done
case $seeds in ''|*[!0-9]*|0*) fail "--seeds wants a whole number above 0, not '$seeds'" ;; esac

cmake --preset release >/dev/null
stage "build" cmake --build --preset release --target cohsim >/dev/null
use_locale
work=$(mktemp -d)
clean_up() { rm -rf "$work"; }

# row FILE: runs it and appends its lines of the table to $work/rows. Sets `failed` if a verdict is not as expected.
failed=0
row() {
  local file=$1 first=$seeds code=0 n
  ! grep -q '^ *steps *=' "$file" || first=$((seeds < 200 ? seeds : 200))
  for ((n = first; ; n = n * 10 < seeds ? n * 10 : seeds)); do
    code=0
    build/release/cli/cohsim run "$file" --seeds "$n" --no-progress --report json="$work/run.json" >"$work/out" || code=$?
    [ "$code" -le 1 ] || { cat "$work/out"; fail "$file: exit code $code"; }
    if [ "$code" -eq 1 ]; then
      cat "$work/out"
      failed=1
    fi
    if [ "$n" -ge "$seeds" ] || [ "$code" -eq 1 ] || python3 scripts/tree/long_run.py repeats "$work/run.json"; then break; fi
  done
  python3 scripts/tree/long_run.py rows "$work/run.json" >>"$work/rows"
}

total=0
: >"$work/rows"
for file in scenarios/guarantees/*.lua scenarios/hazards/*.lua; do
  say "$file"
  row "$file"
  total=$((total + 1))
done
python3 scripts/tree/long_run.py page "$seeds" <"$work/rows" >"$work/page"
mv "$work/page" "$page"
say "$total files, $page written"
[ "$failed" -eq 0 ]
