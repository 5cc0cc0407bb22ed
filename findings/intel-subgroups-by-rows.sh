#!/bin/sh
# findings/intel-subgroups-by-rows.sh -- Intel's CPU runtime ends sub-groups with the rows of a work-group, whatever size is required.
#
# intel-opencl-rt 2026.2.0 (PyPI), OpenCL C with intel_reqd_sub_group_size(8). A work-group of 16 work-items has two sub-groups of
# eight if its first dimension is 16 or 8. With 4 x 4 it has four of four, with 2 x 8 eight of two, though
# get_max_sub_group_size() is eight. OpenCL leaves to the device which work-items a sub-group has. Kernels that number sub-groups by
# get_local_linear_id() / 8, as those of GROMACS 2022.5 do (4 x 4 for Intel), have wrong results there.
# Seen on 1 December 2026.
#
# Expected: the same numbers. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/intel.sh"
cat >host.py <<'P'
import numpy, pyopencl as cl
SOURCE = '''
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out)
{
    if (get_local_linear_id() == get_local_size(0) * get_local_size(1) - 1) {
        out[0] = get_num_sub_groups();
        out[1] = get_sub_group_size();
        out[2] = get_max_sub_group_size();
        out[3] = get_sub_group_id();
    }
}'''
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
print('driver', device.driver_version)
kernel = cl.Kernel(cl.Program(context, SOURCE).build('-cl-std=CL3.0'), 'k')
for size in (16, 1), (8, 2), (4, 4), (2, 8):
    out = numpy.zeros(4, numpy.int32)
    target = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=out)
    kernel.set_args(target)
    cl.enqueue_nd_range_kernel(queue, kernel, size, size)
    cl.enqueue_copy(queue, out, target)
    print('%d x %d: %d sub-groups, the last has %d of at most %d work-items' % (*size, *out[:3]))
P
OCL_ICD_VENDORS=$folder/intel.icd PYOPENCL_NO_CACHE=1 python host.py 2>/dev/null | tee seen
expect seen '^16 x 1: 2 sub-groups, the last has 8 of at most 8' '^8 x 2: 2 sub-groups, the last has 8 of at most 8' \
    '^4 x 4: 4 sub-groups, the last has 4 of at most 8' '^2 x 8: 8 sub-groups, the last has 2 of at most 8'
