#!/bin/bash
# All tests from a fresh machine: release, then the sanitizers with a short gate. Ends with ctest's closing lines.
#   scripts/test.sh [--quick]    --quick: the release build only
set -euo pipefail
. "$(dirname "$0")/common.sh"

quick=false
for argument in "$@"; do
  case $argument in
    --quick) quick=true ;;
    *) fail "usage: scripts/test.sh [--quick]" ;;
  esac
done

tests() { ctest --preset "$1" --parallel "$(nproc)"; }

stage "packages" scripts/deps.sh
stage "build release" scripts/build.sh release
use_locale
if $quick; then
  say "tests of release"
  tests release
  exit
fi
stage "tests of release" tests release
stage "build sanitizers" scripts/build.sh sanitizers
stage "short gate under the sanitizers" build/sanitizers/cli/cohsim run --seeds 2 --no-progress
# Without a stage around it: nothing may follow ctest's closing lines.
say "tests of sanitizers"
tests sanitizers
