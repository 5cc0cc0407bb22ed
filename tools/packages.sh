#!/bin/sh
# tools/packages.sh -- install the packages of tools/packages.txt that are missing.
# SPDX-License-Identifier: MIT
set -eu
here=$(dirname "$0")
missing=
for name in $(sed 's/#.*//' "$here/packages.txt"); do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing="$missing $name"
done
[ -n "$missing" ] || exit 0
sudo=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "packages.sh: not root, and no sudo; please install:$missing" >&2; exit 1; }
    sudo=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q
# shellcheck disable=SC2086 # a list of words
$sudo apt-get install -q -y --no-install-recommends $missing
