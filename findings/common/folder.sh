# findings/common/folder.sh -- for all findings: a temporary folder, and what is expected of what was seen.
#
# expect FILE PATTERN…: each must be found there; expect_no FILE PATTERN: it must not. unpack PACKAGE=VERSION…: packages of
# Debian, whose programs and libraries are found first.
# SPDX-License-Identifier: MIT
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .

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

unpack() {
    apt-get download -q "$@" >/dev/null
    for package in ./*.deb; do dpkg -x "$package" root; done
    PATH=$folder/root/usr/lib/llvm-22/bin:$folder/root/usr/bin:$PATH
    LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-22/lib
    export PATH LD_LIBRARY_PATH
}
