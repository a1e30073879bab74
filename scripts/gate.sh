#!/bin/bash
# The gate from a fresh machine: packages, build, locale, then `cohsim run`. All arguments go to `cohsim run`; without a
# path among them it runs every bundled scenario. The exit code is the gate's.
set -euo pipefail
. "$(dirname "$0")/common.sh"

stage "packages" scripts/deps.sh
stage "build release" scripts/build.sh release cohsim
use_locale
stage "gate" build/release/cli/cohsim run "$@"
