#!/bin/sh
# tools/aarch64.sh FOLDER -- Heddle for AArch64, and what runs it here: FOLDER/heddle.sh is the
# command under qemu-user.
#
# Debian's libraries for that machine (LLVM, C, C++) are fetched by name into FOLDER/root; nothing is
# installed. The system's sources and keys are used.
#
# SPDX-License-Identifier: MIT
set -eu

folder=$(mkdir -p "$1" && cd "$1" && pwd)
root=$folder/root
libraries=$root/usr/lib/aarch64-linux-gnu
cd "$(dirname "$0")/.."

fetch() {
    apt=$folder/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/state"
    : >"$apt/status"
    set -- -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$apt/state" \
        -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
        -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
    apt-get "$@" update
    apt-get "$@" install -y --download-only --no-install-recommends libllvm22 libcjson1 libc6 libstdc++6 libgcc-s1
    for package in "$apt"/cache/archives/*.deb; do
        dpkg -x "$package" "$root"
    done
}

[ -e "$libraries/libLLVM.so.22.1" ] && [ -e "$libraries/libcjson.so.1" ] || fetch
make --no-print-directory CC="${CROSS_CC:-aarch64-linux-gnu-gcc}" BUILD="$folder/build" \
    LLVM_LIBS="-L$libraries -l:libLLVM.so.22.1 -Wl,--allow-shlib-undefined" \
    CJSON_LIBS="-L$libraries -l:libcjson.so.1" -j"${JOBS:-$(nproc)}" \
    "$folder/build/heddle" "$folder/build/libheddle-llvm.so" "$folder/build/libheddle-cl.so"
printf '#!/bin/sh\nexec qemu-aarch64 -L "%s" "%s/build/heddle" "$@"\n' "$root" "$folder" >"$folder/heddle.sh"
chmod +x "$folder/heddle.sh"
