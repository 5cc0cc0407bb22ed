# findings/common/packages.sh -- for findings about programs of Debian 12: packages in a temporary folder.
#
# unpack PACKAGE=VERSION…: what they install is found first. folder.sh has the rest.
# SPDX-License-Identifier: MIT
. "$here/folder.sh"
llvm=1:22.1.8-1~deb12u1

unpack() {
    apt-get download -q "$@" >/dev/null
    for package in ./*.deb; do dpkg -x "$package" root; done
    PATH=$folder/root/usr/lib/llvm-22/bin:$folder/root/usr/bin:$PATH
    LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-22/lib
    export PATH LD_LIBRARY_PATH
}
