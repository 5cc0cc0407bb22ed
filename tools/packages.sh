#!/bin/sh
# tools/packages.sh -- install the packages of tools/packages.txt that are missing.
#   tools/packages.sh [-n] LIST…   LIST: build, run, wheel, test; -n: only print what is missing
# SPDX-License-Identifier: MIT
set -eu
here=$(dirname "$0")
only_print=
if [ "${1:-}" = -n ]; then
    only_print=1
    shift
fi
missing=
for list in "$@"; do
    names=$(sed -n "/^\[$list\]/,/^\[/{ s/#.*//; /^\[/d; p; }" "$here/packages.txt")
    [ -n "$names" ] || { echo "packages.sh: packages.txt has no list '$list'" >&2; exit 2; }
    for name in $names; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing="$missing $name"
    done
done
[ -n "$missing" ] || exit 0
if [ -n "$only_print" ]; then
    echo "$missing"
    exit 0
fi
sudo=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "packages.sh: not root, and no sudo; please install:$missing" >&2; exit 1; }
    sudo=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q
# apt-get says how many packages that is, how much is downloaded, and how much room it takes.
# shellcheck disable=SC2086 # a list of words
$sudo apt-get install -q -y --no-install-recommends $missing
