# findings/pypi.sh -- for findings about packages of PyPI: a temporary folder with an environment of its own.
#
# install PACKAGE==VERSION…: its programs are first in PATH afterwards. expect FILE PATTERN…: each must be found there.
# SPDX-License-Identifier: MIT
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .

install() {
    python3 -m venv env
    env/bin/pip -q install --disable-pip-version-check "$@"
    PATH=$folder/env/bin:$PATH
    export PATH
}

expect() {
    file=$1
    shift
    for pattern in "$@"; do
        grep -q -e "$pattern" "$file" || { echo "changed: no line is like: $pattern"; exit 1; }
    done
}
