#!/bin/sh
# findings/intel-late-rounds.sh -- Intel's CPU runtime lets work-items pass a barrier in a loop that they enter at different rounds.
#
# intel-opencl-rt 2026.2.0 (PyPI), OpenCL C as it is built by default. A loop runs j from a number of 0 to 3, which differs from
# work-item to work-item, to 5; rounds below 4 `continue` in front of the barrier. Every work-item reaches the barrier twice, at
# j = 4 and at j = 5, and nothing races. Half of the numbers are wrong, also where an if stands around the barrier; with -cl-opt-disable
# all are right.
# Seen on 29 November 2026.
#
# Expected: the same numbers. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/intel.sh"
cat >host.py <<'P'
import numpy, pyopencl as cl
SOURCE = '''
kernel void k(global const uint *in, global uint *out)
{
    local uint s[2][32];
    uint i = get_global_id(0), sum = 0;
    for (uint j = in[i]; j < 6; j++) {
        sum = sum * 3 + j;
#ifdef IF
        if (j >= 4) {
            s[j & 1][i] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += s[j & 1][(i + 3) % 32];
        }
#else
        if (j < 4)
            continue;
        s[j & 1][i] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[j & 1][(i + 3) % 32];
#endif
    }
    out[i] = sum;
}'''
starts = [(5 * i * i + i // 3) % 4 for i in range(32)]
want = [0] * 32
for i in range(32):
    for j in range(starts[i], 4):
        want[i] = want[i] * 3 + j
for j in 4, 5:
    put = [n * 3 + j for n in want]
    want = [put[i] + put[(i + 3) % 32] for i in range(32)]
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
print('driver', device.driver_version)
for options in '', '-cl-opt-disable', '-DIF':
    kernel = cl.Kernel(cl.Program(context, SOURCE).build(options), 'k')
    out = numpy.zeros(32, numpy.uint32)
    source = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.array(starts, numpy.uint32))
    target = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=out)
    kernel.set_args(source, target)
    cl.enqueue_nd_range_kernel(queue, kernel, (32,), (32,))
    cl.enqueue_copy(queue, out, target)
    print('options "%s": %s' % (options, 'right' if out.tolist() == want else 'wrong, %d of 32' % sum(a != b for a, b in zip(out.tolist(), want))))
P
OCL_ICD_VENDORS=$folder/intel.icd PYOPENCL_NO_CACHE=1 python host.py 2>/dev/null | tee seen
expect seen '^options "": wrong' '^options "-cl-opt-disable": right' '^options "-DIF": wrong'
