#!/bin/bash
# The fake beside a real server: fixed cases, generated sequences from three seeds, the script's verdicts.
#   scripts/fidelity.sh [--full] [--server PATH]
# --full: 210 000 sequences and every pair of 2048 versions, and docs/conformance.md written anew (about ten minutes).
set -euo pipefail
. "$(dirname "$0")/common.sh"

server=/usr/bin/redis-server full=false
while [ $# -gt 0 ]; do
  case $1 in
    --full) full=true ;;
    --server)
      [ $# -ge 2 ] || fail "usage: scripts/fidelity.sh [--full] [--server PATH]"
      server=$2
      shift
      ;;
    *) fail "usage: scripts/fidelity.sh [--full] [--server PATH]" ;;
  esac
  shift
done

stage "packages" scripts/deps.sh
stage "build release" scripts/build.sh release cohsim
use_locale
amount=(--sequences 3000 --versions 160)
$full && amount=(--sequences 70000 --versions 2048 --table docs/conformance.md)
stage "fidelity" build/release/cli/cohsim fidelity --server "$server" --from 1 --from 1000001 --from 2000001 "${amount[@]}"
