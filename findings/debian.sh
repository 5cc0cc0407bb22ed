# findings/debian.sh -- for findings about clang-22: its packages of Debian 12, in a temporary folder.
#
# compile SOURCE MODULE: OpenCL C to SPIR-V. expect FILE PATTERN…: each must be found there.
# SPDX-License-Identifier: MIT
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
clang=1:22.1.8-1~deb12u1
apt-get download -q "clang-22=$clang" "libclang-cpp22=$clang" "libllvm22=$clang" "libclang-common-22-dev=$clang" \
    spirv-tools=2023.1-2 >/dev/null
for package in ./*.deb; do dpkg -x "$package" root; done
PATH=$folder/root/usr/bin:$PATH
LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-22/lib
export PATH LD_LIBRARY_PATH

compile() {
    "$folder/root/usr/lib/llvm-22/bin/clang" --target=spirv64-unknown-unknown -x cl -cl-std=CL3.0 -O1 \
        -Xclang -finclude-default-header -c "$1" -o "$2"
}

expect() {
    file=$1
    shift
    for pattern in "$@"; do
        grep -q -e "$pattern" "$file" || { echo "changed: no line is like: $pattern"; exit 1; }
    done
}

expect_no() {
    if grep -q -e "$2" "$1"; then
        echo "changed: a line is like: $2"
        exit 1
    fi
}
