#!/bin/bash
# Results may not depend on the compiler, the optimisation level, the sanitizers or the number of jobs: builds release,
# sanitizers and clang, and compares what `cohsim run` prints.
#   scripts/same_everywhere.sh [--seeds N] [--few N]    seeds for the optimised builds, and for the sanitizers
set -euo pipefail
. "$(dirname "$0")/common.sh"

seeds=20 few=2
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "usage: scripts/same_everywhere.sh [--seeds N] [--few N]"
  case $1 in
    --seeds) seeds=$2 ;;
    --few) few=$2 ;;
    *) fail "usage: scripts/same_everywhere.sh [--seeds N] [--few N]" ;;
  esac
  shift 2
done

results=$tree/build/same_everywhere
rm -rf "$results"
mkdir -p "$results"

# run PRESET SEEDS JOBS: keeps stdout and the exit code. A red gate may be compared too; one that did not run may not.
run() {
  local file=$results/$1-$2-seeds-$3-jobs code=0 leaks=1
  # What glibc keeps of LOCPATH is a leak to clang; the sanitizers build looks for ours.
  [ "$1" != clang ] || leaks=0
  ASAN_OPTIONS=detect_leaks=$leaks "build/$1/cli/cohsim" run --seeds "$2" --jobs "$3" --no-progress >"$file" || code=$?
  if [ "$code" -gt 1 ]; then
    say "$1 with $2 seeds and $3 jobs: exit code $code"
    return "$code"
  fi
  [ -s "$file" ] || { say "$1 with $2 seeds and $3 jobs printed nothing"; return 3; }
  echo "exit code $code" >>"$file"
}

# same A B: fails with the difference.
same() { diff -u --label "$1" --label "$2" "$results/$1" "$results/$2"; }

stage "packages" scripts/deps.sh --with clang
use_locale
for preset in release sanitizers clang; do
  stage "build $preset" scripts/build.sh "$preset" cohsim
done
for jobs in 1 2; do
  stage "release, $seeds seeds, $jobs jobs" run release "$seeds" "$jobs"
  stage "clang, $seeds seeds, $jobs jobs" run clang "$seeds" "$jobs"
  stage "sanitizers, $few seeds, $jobs jobs" run sanitizers "$few" "$jobs"
done
stage "release, $few seeds, 1 job" run release "$few" 1

different=0
same "release-$seeds-seeds-1-jobs" "release-$seeds-seeds-2-jobs" || different=1
same "release-$seeds-seeds-1-jobs" "clang-$seeds-seeds-1-jobs" || different=1
same "release-$seeds-seeds-1-jobs" "clang-$seeds-seeds-2-jobs" || different=1
same "release-$few-seeds-1-jobs" "sanitizers-$few-seeds-1-jobs" || different=1
same "release-$few-seeds-1-jobs" "sanitizers-$few-seeds-2-jobs" || different=1
[ "$different" -eq 0 ] || { say "results differ between builds or jobs"; exit 1; }
say "same results from release, sanitizers and clang, with 1 and 2 jobs"
