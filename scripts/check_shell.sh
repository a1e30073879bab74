#!/bin/bash
# Every shell script of the tree through shellcheck; exit code 77 (skipped) where that is not installed.
set -euo pipefail
. "$(dirname "$0")/common.sh"

command -v shellcheck >/dev/null || { say "shellcheck is not here: skipped"; exit 77; }
mapfile -t scripts < <(find . -path ./build -prune -o -path ./.git -prune -o -name '*.sh' -print | LC_ALL=C sort)
shellcheck -x -P SCRIPTDIR "${scripts[@]}" .ci/run
