#!/bin/sh
# tools/root.sh SUITE FOLDER [test] -- build Heddle in a clean root of Debian (bookworm, trixie, sid) and run a few tests there.
#
# The root is made with debootstrap (as root) unless FOLDER has one. `make run` installs what it needs, builds, and runs the example;
# then come tests of some families; with `test`, all of `make test` but the sanitizers. What is committed is built. The root stays;
# remove it with rm -r --one-file-system.
#
# SPDX-License-Identifier: MIT
set -eu
suite=$1 root=$2
cd "$(dirname "$0")/.."
[ -e "$root/bin/sh" ] || debootstrap --variant=minbase --include=make,python3,ca-certificates "$suite" "$root" http://deb.debian.org/debian
# LLVM 22 of Debian 12 is in its security archive.
case $suite in
    sid) ;;
    *) echo "deb http://deb.debian.org/debian-security $suite-security main" > "$root/etc/apt/sources.list.d/security.list" ;;
esac
cp /etc/resolv.conf "$root/etc/resolv.conf"
[ -e "$root/src/.git" ] || git clone -q . "$root/src"
git -C "$root/src" fetch -q "$PWD" HEAD
git -C "$root/src" checkout -q --detach FETCH_HEAD
for place in proc dev/pts dev/shm; do
    mountpoint -q "$root/$place" || mount --bind "/$place" "$root/$place"
done
trap 'umount "$root/proc" "$root/dev/pts" "$root/dev/shm"' EXIT
chroot "$root" sh -euc 'cd /src
    make run JOBS='"${JOBS:-$(nproc)}"'
    build/heddle --version
    if [ '"${3:-few}"' = test ]; then
        make test JOBS='"${JOBS:-$(nproc)}"'
    else
        tools/check.py --heddle build/heddle src/ops/arith/tests src/ops/memory/tests src/ops/subgroup/tests src/codegen/tests
    fi'
