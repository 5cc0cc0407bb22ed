"""pyopencl: arrays, element-wise kernels, reductions, scans, sorting, random numbers and programs, against numpy.
SPDX-License-Identifier: MIT
"""
import os, sys

# The folder of this file holds a module of the client's own name.
sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != os.path.dirname(os.path.abspath(__file__))]
os.environ.setdefault('PYOPENCL_NO_CACHE', '1')
try:
    import numpy as np
    import pyopencl as cl
    import pyopencl.array as cl_array
    from pyopencl.algorithm import RadixSort
    from pyopencl.clrandom import PhiloxGenerator
    from pyopencl.elementwise import ElementwiseKernel
    from pyopencl.reduction import ReductionKernel
    from pyopencl.scan import ExclusiveScanKernel, InclusiveScanKernel
except ImportError as e:
    print('no pyopencl (PyPI: pyopencl, numpy, mako): %s' % e)
    sys.exit(77)

device = next(d for p in cl.get_platforms() for d in p.get_devices() if d.name.startswith('Heddle'))
context = cl.Context([device])
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
random = np.random.default_rng(7)


def close(got, want, limit):
    error = np.max(np.abs(np.asarray(got, np.float64) - want) / np.maximum(1, np.abs(want)))
    assert error <= limit, 'off by %g' % error


def arrays():
    for kind, limit in ((np.float32, 1e-6), (np.float64, 1e-14), (np.int32, 0), (np.int64, 0)):
        a, b = (random.integers(1, 1000, 5003).astype(kind) for _ in range(2))
        x, y = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
        close((2 * x + y * x - 3).get(), 2 * a + b * a - 3, limit)
        close((x / y).get(), a / b, 1e-6 if kind == np.float32 else 1e-14)
        assert cl_array.max(x).get() == a.max() and cl_array.min(x).get() == a.min()
        close(cl_array.sum(x).get(), a.sum(), limit)
        close(cl_array.dot(x, y).get(), a.astype(np.float64) @ b.astype(np.float64), limit)
        assert (x[5:400].get() == a[5:400]).all()
        assert (cl_array.take(x, cl_array.to_device(queue, np.arange(4999, 0, -7, dtype=np.int32))).get()
                == a[4999:0:-7]).all()
        assert ((x > y).get().astype(bool) == (a > b)).all()


def complex_numbers():
    a = (random.standard_normal(1000) + 1j * random.standard_normal(1000)).astype(np.complex64)
    x = cl_array.to_device(queue, a)
    close(abs(x).get(), np.abs(a), 1e-6)
    assert np.abs((x * x.conj() + x).get() - (a * a.conj() + a)).max() < 1e-5


def kernels():
    a = random.standard_normal(4097).astype(np.float32)
    x, y = cl_array.to_device(queue, a), cl_array.empty(queue, a.shape, a.dtype)
    ElementwiseKernel(context, 'float *x, float *y, float f', 'y[i] = sin(x[i]) * f + exp(x[i])', 'both')(x, y, np.float32(3))
    close(y.get(), np.sin(a.astype(np.float64)) * 3 + np.exp(a.astype(np.float64)), 1e-6)
    norm = ReductionKernel(context, np.float64, neutral='0', reduce_expr='a + b', map_expr='(double)x[i] * x[i]',
                           arguments='__global const float *x')
    close(norm(x).get(), (a.astype(np.float64) ** 2).sum(), 1e-12)


def scans():
    a = random.integers(-50, 50, 100003).astype(np.int32)
    x = cl_array.to_device(queue, a.copy())
    InclusiveScanKernel(context, np.int32, 'a + b', neutral='0')(x)
    assert (x.get() == np.cumsum(a, dtype=np.int32)).all()
    x = cl_array.to_device(queue, a.copy())
    ExclusiveScanKernel(context, np.int32, 'a > b ? a : b', neutral='-100')(x)
    assert (x.get() == np.concatenate(([-100], np.maximum.accumulate(a)[:-1]))).all()


def sorting():
    a = random.integers(0, 2 ** 20, 20011).astype(np.uint32)
    sort = RadixSort(context, 'unsigned *keys', key_expr='keys[i]', sort_arg_names=['keys'])
    (got,), _ = sort(cl_array.to_device(queue, a), key_bits=20)
    assert (got.get() == np.sort(a)).all()


def random_numbers():
    got = PhiloxGenerator(context, seed=5).uniform(queue, (100000,), np.float32).get()
    assert 0 <= got.min() and got.max() <= 1 and abs(got.mean() - 0.5) < 0.01 and len(np.unique(got)) > 90000


def programs():
    source = '''
        #define TILE 8
        __kernel void transpose(__global const float *in, __global float *out, int n, __local float *tile)
        {
            int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * TILE, gy = get_group_id(1) * TILE;
            tile[y * (TILE + 1) + x] = in[(gy + y) * n + gx + x];
            barrier(CLK_LOCAL_MEM_FENCE);
            out[(gx + y) * n + gy + x] = tile[x * (TILE + 1) + y];
        }'''
    program = cl.Program(context, source).build(['-cl-kernel-arg-info'])
    kernel = program.transpose
    names = [kernel.get_arg_info(i, cl.kernel_arg_info.NAME) for i in range(4)]
    types = [kernel.get_arg_info(i, cl.kernel_arg_info.TYPE_NAME) for i in range(4)]
    assert names == ['in', 'out', 'n', 'tile'] and types == ['float*', 'float*', 'int', 'float*'], (names, types)
    a = random.standard_normal((64, 64)).astype(np.float32)
    x, y = cl_array.to_device(queue, a), cl_array.empty(queue, a.shape, a.dtype)
    event = kernel(queue, a.shape, (8, 8), x.data, y.data, np.int32(64), cl.LocalMemory(4 * 8 * 9))
    event.wait()
    assert (y.get() == a.T).all() and event.profile.end >= event.profile.start
    try:
        cl.Program(context, '__kernel void f(__global int *a) { a[0] = nothing; }').build()
    except cl.RuntimeError as e:
        assert 'nothing' in str(e)
    else:
        assert False, 'a wrong program was built'
    # A binary gives the same kernel.
    again = cl.Program(context, [device], program.get_info(cl.program_info.BINARIES)).build()
    y.fill(0)
    again.transpose(queue, a.shape, (8, 8), x.data, y.data, np.int32(64), cl.LocalMemory(4 * 8 * 9))
    assert (y.get() == a.T).all()


for test in (arrays, complex_numbers, kernels, scans, sorting, random_numbers, programs):
    print(test.__name__, flush=True)
    test()
