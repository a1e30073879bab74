#!/bin/bash
# Installs the Debian 12 packages that the tree needs and the machine lacks. Silent when nothing is missing.
#   scripts/deps.sh [--dry-run] [--with clang|valgrind]…
# Needs root, or sudo without a password; without either it prints what it would install and exits 1.
set -euo pipefail

packages=(g++ cmake ninja-build ccache pkg-config git librapidcheck-dev catch2 libfmt-dev liblua5.1-0-dev libcli11-dev
  nlohmann-json3-dev libmd-dev libxxhash-dev libsqlite3-dev libbenchmark-dev locales libxml2-utils python3 redis-server)
dry_run=false

usage() {
  sed -n '2,4s/^# *//p' "$0" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=true ;;
    --with)
      [ $# -ge 2 ] || usage
      shift
      case $1 in
        clang) packages+=(clang libclang-rt-14-dev clang-format clang-tidy xz-utils) ;;
        valgrind) packages+=(valgrind) ;;
        *) usage ;;
      esac
      ;;
    *) usage ;;
  esac
  shift
done

command -v dpkg-query >/dev/null || { echo "deps.sh: not a Debian machine; needed: ${packages[*]}" >&2; exit 1; }

# A package that dpkg has never heard of gets no line at all, so what is missing is what is not listed as installed.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

install=(apt-get install -y --no-install-recommends "${missing[@]}")
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  elif ! $dry_run; then
    echo "deps.sh: missing packages, and no right to install them. As root:" >&2
    echo "apt-get update && ${install[*]}"
    exit 1
  fi
fi
if $dry_run; then
  echo "apt-get update && ${install[*]}"
  exit 0
fi

# Mirrors fail now and then: one more try, from the lists on.
attempt() {
  "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}"
}
{ attempt || { echo "deps.sh: once more" >&2; sleep 5; attempt; }; } >&2
