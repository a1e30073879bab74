# Sourced by the other scripts: where the tree is, and stages that say what they do and how long it took.
# shellcheck shell=bash

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$tree" || exit

say() { printf '== %s\n' "$*" >&2; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 2; }

# stage TITLE COMMAND…: runs the command. If it fails, `set -e` ends the script with its exit code, and the stage is named.
# (Nothing may test the command here: bash would switch `set -e` off inside it.)
current_stage=
stage() {
  local title=$1 began=$SECONDS
  shift
  current_stage=$title
  say "$title"
  "$@"
  say "$title: done in $((SECONDS - began)) s"
  current_stage=
}

clean_up() { :; }  # for scripts that have something to put away
at_exit() {
  local code=$?
  clean_up
  if [ "$code" -ne 0 ] && [ -n "$current_stage" ]; then
    say "$current_stage: failed with exit code $code, $SECONDS s after the start"
  fi
}
trap at_exit EXIT

# Scenarios with a system collation need en_US.UTF-8. Where the machine lacks it, it is built below build/ and found
# through LOCPATH; the machine's own locales stay as they are.
use_locale() {
  if locale -a 2>/dev/null | grep -qixE 'en_US\.utf-?8'; then return; fi
  local folder=$tree/build/locale
  if [ ! -e "$folder/en_US.UTF-8/LC_COLLATE" ]; then
    mkdir -p "$folder"
    # Built aside and moved: two scripts may come here at once, and an interrupted one must leave nothing half done.
    local fresh
    fresh=$(mktemp -d "$folder/.fresh.XXXXXX")
    localedef -i en_US -f UTF-8 "$fresh/en_US.UTF-8"
    mv -T "$fresh/en_US.UTF-8" "$folder/en_US.UTF-8" 2>/dev/null || [ -e "$folder/en_US.UTF-8/LC_COLLATE" ]
    rm -rf "$fresh"
  fi
  export LOCPATH=$folder
  say "locale en_US.UTF-8 from $folder"
}
