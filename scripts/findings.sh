#!/usr/bin/env bash
# Writes docs/findings.md from the hazard scenarios. Run it when a hazard, its counterpart or its trace has changed.
#   scripts/findings.sh                    builds, and writes the page
#   scripts/findings.sh --check [COHSIM]   compares instead: exit code 2 where the page is stale, 77 where this machine
#                                          lacks the locale that a hazard runs under
set -euo pipefail
. "$(dirname "$0")/common.sh"

page=docs/findings.md
cohsim=build/release/cli/cohsim
check=false
if [ "${1:-}" = --check ]; then
  check=true
  cohsim=${2:-$cohsim}
elif [ $# -ne 0 ]; then
  fail "usage: scripts/findings.sh [--check [COHSIM]]"
else
  cmake --preset release >/dev/null
  cmake --build --preset release --target cohsim >/dev/null
  use_locale
fi

work=$(mktemp -d)
clean_up() { rm -rf "$work"; }
made=$work/findings.md complaint=$work/complaint
code=0
COHSIM_SCENARIOS=scenarios "$cohsim" explain --findings >"$made" 2>"$complaint" || code=$?
if [ $code -ne 0 ]; then
  cat "$complaint" >&2
  if $check && grep -q "this machine has no locale" "$complaint"; then exit 77; fi
  exit "$code"
fi
if $check; then
  cmp -s "$page" "$made" && exit 0
  diff -u "$page" "$made" | head -40 || true
  fail "$page is stale: run scripts/findings.sh"
else
  cp "$made" "$page.new"  # beside its place, so that the renaming is one step
  mv "$page.new" "$page"
fi
