#!/bin/bash
# clang-format 14 over the C++ files named, or all of them: scripts/format.sh [--check] [FILE…]
# --check changes nothing and says which files differ. For information only: it exits 0 either way, until the tree has
# been formatted once; only a machine without clang-format gets another exit code (77: skipped).
set -euo pipefail
. "$(dirname "$0")/common.sh"

check=false
if [ "${1:-}" = --check ]; then
  check=true
  shift
fi
formatter=$(command -v clang-format-14 || command -v clang-format || true)
[ -n "$formatter" ] || { say "clang-format is not here (scripts/deps.sh --with clang): skipped"; exit 77; }
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
  mapfile -t files < <(find . -path ./build -prune -o \( -name '*.cpp' -o -name '*.h' \) -print | LC_ALL=C sort)
fi
if ! $check; then
  "$formatter" -i "${files[@]}"
  exit
fi
differing=0
for file in "${files[@]}"; do
  "$formatter" --dry-run --Werror "$file" 2>/dev/null || { echo "$file"; differing=$((differing + 1)); }
done
say "$differing of ${#files[@]} files differ from clang-format's look"
