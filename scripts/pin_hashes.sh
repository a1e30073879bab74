#!/usr/bin/env bash
# Pins the trace hashes of all bundled scenarios anew. The commit that follows says why they changed.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release >/dev/null
cmake --build --preset release --target properties_test
COHSIM_PIN=1 build/release/properties/properties_test "every bundled scenario has the trace hashes that are pinned"
git --no-pager diff --stat -- properties/pinned_hashes.txt
