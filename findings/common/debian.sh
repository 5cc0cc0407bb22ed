# findings/common/debian.sh -- for findings about clang-22: its packages of Debian 12, in a temporary folder.
#
# compile SOURCE MODULE: OpenCL C to SPIR-V. packages.sh has the rest.
# SPDX-License-Identifier: MIT
. "$here/packages.sh"
unpack "clang-22=$llvm" "libclang-cpp22=$llvm" "libllvm22=$llvm" "libclang-common-22-dev=$llvm" spirv-tools=2023.1-2

compile() {
    clang --target=spirv64-unknown-unknown -x cl -cl-std=CL3.0 -O1 -Xclang -finclude-default-header -c "$1" -o "$2"
}
