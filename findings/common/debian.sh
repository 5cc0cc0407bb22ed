# findings/common/debian.sh -- for findings about clang-22: its packages of Debian 12, in a temporary folder.
#
# compile SOURCE MODULE: OpenCL C to SPIR-V. folder.sh has the rest.
# SPDX-License-Identifier: MIT
. "$here/folder.sh"
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
