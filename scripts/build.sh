#!/bin/bash
# Configures and builds: scripts/build.sh PRESET [TARGET…]. Presets: release, debug, sanitizers, clang.
set -euo pipefail
. "$(dirname "$0")/common.sh"

[ $# -ge 1 ] || fail "usage: scripts/build.sh PRESET [TARGET…]"
preset=$1
shift
cmake --preset "$preset" >&2
targets=()
[ $# -eq 0 ] || targets=(--target "$@")
cmake --build --preset "$preset" "${targets[@]}" >&2
