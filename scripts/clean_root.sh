#!/bin/bash
# Proves that a fresh Debian 12 is enough: makes one, copies the tree in, and runs a script there. Not part of CI.
#   scripts/clean_root.sh ROOT [SCRIPT [ARGUMENT…]]    SCRIPT defaults to scripts/test.sh
# Needs root and debootstrap. ROOT is a folder outside the tree; it is made if it is not there, and kept for the next
# time. The new root gets this machine's own apt configuration, so it fetches from where this machine fetches.
set -euo pipefail
. "$(dirname "$0")/common.sh"

[ $# -ge 1 ] || fail "usage: scripts/clean_root.sh ROOT [SCRIPT [ARGUMENT…]]"
[ "$(id -u)" -eq 0 ] || fail "needs root"
command -v debootstrap >/dev/null || fail "needs the package debootstrap"
root=$(realpath -m "$1")
shift
[ $# -gt 0 ] || set -- scripts/test.sh
case $root/ in "$tree"/*) fail "the new root must lie outside the tree" ;; esac

# The mirror of the first source of this machine that has the suite.
mirror() {
  cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs: *\([^ ]*\).*/\1/p' | head -n 1 | grep . ||
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm .*/\2/p' | head -n 1 | grep .
}

# Of apt's configuration only what says where and how to fetch: hooks of other programs would fail in the new root.
copy_apt_configuration() {
  rm -f "$root/etc/apt/sources.list"
  if [ -e /etc/apt/sources.list ]; then cp -a /etc/apt/sources.list "$root/etc/apt/"; fi
  cp -a /etc/apt/sources.list.d/. "$root/etc/apt/sources.list.d/"
  cp -a /etc/apt/trusted.gpg.d/. "$root/etc/apt/trusted.gpg.d/"
  cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
  local file
  for file in /etc/apt/apt.conf.d/*; do
    if grep -q '^[^/#]*Acquire::' "$file"; then cp -a "$file" "$root/etc/apt/apt.conf.d/"; fi
  done
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
}

make_root() {
  debootstrap --variant=minbase bookworm "$root" "$(mirror)" >&2
  copy_apt_configuration
  touch "$root/.made"
}

# The tree as it stands, without what was built from it.
copy_tree() {
  rm -rf "$root/cohsim"
  mkdir "$root/cohsim"
  tar -C "$tree" --exclude=./build --exclude=./.git -cf - . | tar -C "$root/cohsim" -xf -
}

[ -e "$root/.made" ] || stage "new root in $root" make_root
stage "copy the tree" copy_tree
mount --bind /proc "$root/proc"
clean_up() { umount "$root/proc"; }
stage "in the new root: $*" chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 \
  bash -c 'cd /cohsim && exec "$@"' clean_root "$@"
