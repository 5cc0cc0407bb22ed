# findings/common/packages.sh -- for findings about LLVM's programs: the version of Debian 12's packages.
#
# folder.sh has the rest.
# SPDX-License-Identifier: MIT
. "$here/folder.sh"
llvm=1:22.1.8-1~deb12u1
