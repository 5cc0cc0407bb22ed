# findings/common/intel.sh -- for findings about Intel's CPU runtime: an environment with it and pyopencl; intel.icd names it.
#
# pypi.sh has the rest.
# SPDX-License-Identifier: MIT
. "$here/pypi.sh"
install intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 pyopencl==2026.1.4 numpy==2.4.6
echo "$folder/env/lib/libintelocl.so" >intel.icd
