#!/bin/sh
# findings/ggml-opencl-softmax.sh -- the shares of ggml's softmax in OpenCL add up to 2 where a sub-group has 16 work-items.
#
# llama-cpp-python 0.3.36 (PyPI; its source holds ggml 0.25.3) on intel-opencl-rt 2026.2.0 (PyPI), whose sub-groups have 16 work-items
# with AVX-512 and 8 with AVX2. The host launches kernel_soft_max in work-groups of 32; the kernel takes maximum and sum with
# sub_group_reduce_…, as if the work-group were one sub-group. It requires a sub-group's size (64) for Adreno alone, though the host
# accepts Intel's devices, whose compilers choose 8, 16 or 32. Rows of up to 8 numbers, which one sub-group computes, are right.
# Seen on 30 November 2026.
#
# Expected: shares that add up to 1. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/intel.sh"
env/bin/pip -q download --disable-pip-version-check --no-deps --no-binary :all: llama-cpp-python==0.3.36
tar xzf llama_cpp_python-0.3.36.tar.gz --wildcards '*/ggml-opencl/kernels/softmax_f32.cl'
mv ./*/vendor/llama.cpp/ggml/src/ggml-opencl/kernels/softmax_f32.cl .
cat >host.py <<'P'
import numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
print('driver', device.driver_version)
kernel = cl.Kernel(cl.Program(context, open('softmax_f32.cl').read()).build('-cl-std=CL3.0'), 'kernel_soft_max')
size = kernel.get_sub_group_info(device, cl.kernel_sub_group_info.MAX_SUB_GROUP_SIZE_FOR_NDRANGE, (32, 1, 1))
print('work-items of a sub-group:', size)
I, U, F = numpy.int32, numpy.uint64, numpy.float32
for n in 8, 64:
    row = (numpy.arange(n) % 7).astype(F)
    source = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=row)
    target = cl.Buffer(context, cl.mem_flags.READ_WRITE, row.nbytes)
    strides = [U(row.nbytes)] * 3
    # One row; no mask and no sinks, which the host says by passing the row in their place.
    kernel.set_args(source, U(0), source, U(0), source, U(0), target, U(0), I(n), *strides, I(1), I(1), U(0), U(0), U(0),
                    *strides, F(1), F(0), F(0), F(0), I(1))
    cl.enqueue_nd_range_kernel(queue, kernel, (min(32, n), 1, 1), (min(32, n), 1, 1))
    cl.enqueue_copy(queue, row, target)
    total = row.sum()
    print('%d numbers: %s' % (n, 'right' if abs(total - 1) < 1e-3 else 'wrong, %s' % (
        'times the sub-groups of a work-group' if abs(total - 32 / size) < 1e-3 else 'the shares add up to %g' % total)))
P
OCL_ICD_VENDORS=$folder/intel.icd PYOPENCL_NO_CACHE=1 python host.py 2>/dev/null | tee seen
expect seen '^8 numbers: right' '^64 numbers: wrong, times the sub-groups of a work-group'
