#!/bin/sh
# tools/aarch64.sh FOLDER -- Heddle for AArch64, and what runs it here: FOLDER/heddle.sh is the
# command under qemu-user.
# tools/aarch64.sh FOLDER wheel -- the wheels for it, in FOLDER/wheels/wheel, of clang's and LLVM's static libraries
# (some 250 MB are fetched; g++-aarch64-linux-gnu compiles).
#
# Debian's libraries for that machine (LLVM, C, C++) are fetched by name into FOLDER/root; nothing is
# installed. The system's sources and keys are used.
#
# SPDX-License-Identifier: MIT
set -eu

folder=$(mkdir -p "$1" && cd "$1" && pwd)
what=${2:-}
root=$folder/root
libraries=$root/usr/lib/aarch64-linux-gnu
cd "$(dirname "$0")/.."

fetch() { # PACKAGE…
    packages=$*
    apt=$folder/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/state"
    : >"$apt/status"
    set -- -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$apt/state" \
        -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
        -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
    apt-get "$@" update
    # shellcheck disable=SC2086 # a list of words
    apt-get "$@" install -y --download-only --no-install-recommends $packages
    for package in "$apt"/cache/archives/*.deb; do
        dpkg -x "$package" "$root"
    done
}

if [ "$what" = wheel ]; then
    [ -e "$root/usr/lib/llvm-22/lib/libclangCodeGen.a" ] && [ -e "$libraries/libzstd.a" ] && [ -e "$libraries/libcjson.so" ] ||
        fetch llvm-22-dev libclang-22-dev zlib1g-dev libzstd-dev libcjson-dev libc6
    # This machine's llvm-config, which names the same libraries, with the other's folders.
    printf '#!/bin/sh\nllvm-config-22 "$@" | sed "s|/usr/lib/llvm-22|%s/usr/lib/llvm-22|g"\n' "$root" >"$folder/llvm-config"
    chmod +x "$folder/llvm-config"
    # Of the fetched libraries those alone: the C library is the cross compiler's.
    mkdir -p "$folder/lib"
    for name in libz.a libzstd.a libz.so.1 libzstd.so.1 libcjson.so.1; do
        ln -sf "$(find "$root/lib" "$libraries" -name $name | head -n 1)" "$folder/lib/"
    done
    exec make --no-print-directory CC="${CROSS_CC:-aarch64-linux-gnu-gcc}" CXX="${CROSS_CXX:-aarch64-linux-gnu-g++}" \
        BUILD="$folder/wheels" LLVM=static LLVM_CONFIG="$folder/llvm-config" LDFLAGS="-L$folder/lib -static-libgcc" \
        CJSON_LIBS="-l:libcjson.so.1" CJSON_SO="$folder/lib/libcjson.so.1" BINUTILS=aarch64-linux-gnu- -j"${JOBS:-$(nproc)}" wheels
fi

[ -e "$libraries/libLLVM.so.22.1" ] && [ -e "$libraries/libcjson.so.1" ] ||
    fetch libllvm22 libcjson1 libc6 libstdc++6 libgcc-s1
make --no-print-directory CC="${CROSS_CC:-aarch64-linux-gnu-gcc}" BUILD="$folder/build" \
    LLVM_LIBS="-L$libraries -l:libLLVM.so.22.1 -Wl,--allow-shlib-undefined" \
    CJSON_LIBS="-L$libraries -l:libcjson.so.1" -j"${JOBS:-$(nproc)}" \
    "$folder/build/heddle" "$folder/build/libheddle-llvm.so" "$folder/build/libheddle-cl.so"
printf '#!/bin/sh\nexec qemu-aarch64 -L "%s" "%s/build/heddle" "$@"\n' "$root" "$folder" >"$folder/heddle.sh"
chmod +x "$folder/heddle.sh"
