"""pyvkfft: Fourier and cosine transforms of many sizes by kernels that VkFFT writes, against numpy and scipy.
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
    from pyvkfft.opencl import VkFFTApp
    from scipy import fft
except ImportError as e:
    print('no pyvkfft (PyPI: pyvkfft, pyopencl, numpy, scipy): %s' % e)
    sys.exit(77)

device = next(d for p in cl.get_platforms() for d in p.get_devices() if d.name.startswith('Heddle'))
context = cl.Context([device])
queue = cl.CommandQueue(context)
random = np.random.default_rng(11)
full = bool(os.environ.get('CLIENTS_FULL'))
checks = 0


def close(got, want, limit):
    global checks
    error = np.max(np.abs(got - want)) / np.max(np.abs(want))
    assert error <= limit, 'off by %g' % error
    checks += 1


def complex_transform(shape, axes, kind, limit):
    a = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(kind)
    x = cl_array.to_device(queue, a)
    app = VkFFTApp(shape, kind, queue, ndim=axes, norm=1)
    app.fft(x)
    close(x.get(), np.fft.fftn(a.astype(np.complex128), axes=range(-axes, 0)), limit)
    app.ifft(x)
    close(x.get(), a, limit)


def real_transform(shape, kind, limit):
    a = random.standard_normal(shape).astype(kind)
    x = cl_array.to_device(queue, a)
    y = cl_array.empty(queue, shape[:-1] + (shape[-1] // 2 + 1,), np.result_type(kind, np.complex64))
    VkFFTApp(shape, kind, queue, ndim=len(shape), r2c=True, inplace=False).fft(x, y)
    close(y.get(), np.fft.rfftn(a.astype(np.float64)), limit)


def cosine_transform(form, kind, limit):
    a = random.standard_normal((3, 60)).astype(kind)
    x = cl_array.to_device(queue, a)
    VkFFTApp(a.shape, kind, queue, ndim=1, dct=form).fft(x)
    close(x.get(), fft.dct(a.astype(np.float64), form), limit)


shapes = [((30,), 1), ((97,), 1), ((64, 48), 2)]   # small primes; a prime; two dimensions
if full:
    shapes += [((8,), 1), ((17,), 1), ((1009,), 1), ((4, 2310), 1), ((4096,), 1), ((6, 141), 1), ((7, 11, 13), 3),
               ((65536,), 1)]
# Single precision is as good as its factors, which are native_sin and native_cos.
for complex_kind, real_kind, limit in ((np.complex64, np.float32, 6e-7), (np.complex128, np.float64, 1e-14)):
    for shape, axes in shapes:
        complex_transform(shape, axes, complex_kind, limit)
    for shape in [(100,), (24, 36)][:2 if full else 1]:
        real_transform(shape, real_kind, limit)
    for form in (1, 2, 3, 4) if full else (2,):
        cosine_transform(form, real_kind, limit)
print('%d right' % checks)
