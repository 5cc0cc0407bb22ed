"""dpnp, a NumPy of SYCL kernels: SPIR-V from Intel's compiler, unified shared memory, another ICD loader; against numpy.

With CLIENTS_FULL=1 also most of dpnp's own tests (some 50,000; 25 minutes on two processors), where PyPI's pytest and
scipy are installed.
SPDX-License-Identifier: MIT
"""
import os, subprocess, sys

# The folder of this file holds a module of the client's own name.
sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != os.path.dirname(os.path.abspath(__file__))]
libraries = os.path.join(sys.prefix, 'lib')
if libraries not in os.environ.get('LD_LIBRARY_PATH', '').split(':'):
    # The packages' libraries find each other by the path that the process starts with.
    os.environ['LD_LIBRARY_PATH'] = libraries + ':' + os.environ.get('LD_LIBRARY_PATH', '')
    os.environ['ONEAPI_DEVICE_SELECTOR'] = 'opencl:*'
    os.environ['OCL_ICD_VENDORS'] = '/nonexistent'  # the name of a folder for the loader that they bring
    os.execv(sys.executable, [sys.executable, os.path.abspath(__file__)])
try:
    import dpctl
    import dpnp as dp
    import numpy as np
except ImportError as e:
    print('no dpnp (PyPI: dpctl, dpnp): %s' % e)
    sys.exit(77)

devices = dpctl.get_devices()
assert len(devices) == 1 and devices[0].name.startswith('Heddle'), devices
random = np.random.default_rng(3)
checks = 0


def same(got, want, limit=1e-5):
    global checks
    got, want = dp.asnumpy(got).astype(np.float64), np.asarray(want, np.float64)
    assert got.shape == want.shape, (got.shape, want.shape)
    error = np.max(np.abs(got - want) / np.maximum(1, np.abs(want)))
    assert error <= limit, 'off by %g' % error
    checks += 1


a, b = random.uniform(0.5, 4, 3001).astype(np.float32), random.uniform(-3, 3, 3001).astype(np.float32)
x, y = dp.array(a), dp.array(b)
same(x + 2 * y, a + 2 * b)
same(dp.sqrt(x) * dp.exp(y), np.sqrt(a) * np.exp(b))
same(dp.where(y > 0, x, y), np.where(b > 0, a, b))
same(x.sum(), a.sum(dtype=np.float64))
same(y.max(), b.max())
same(dp.cumsum(x), np.cumsum(a, dtype=np.float64), 1e-4)
same(dp.sort(y), np.sort(b))
same(dp.argsort(y), np.argsort(b))
same(x[::3] - y[1::3][:len(a[::3])] if len(b[1::3]) >= len(a[::3]) else x[::3][:len(b[1::3])] - y[1::3],
     a[::3][:len(b[1::3])] - b[1::3][:len(a[::3])])
i = random.integers(-1000, 1000, 777).astype(np.int32)
same(dp.array(i) // 7, i // 7)
same(dp.array(i) & 255, i & 255)
same(dp.unique(dp.array(i)), np.unique(i))
m, n = random.uniform(-1, 1, (33, 47)), random.uniform(-1, 1, (47, 21))
same(dp.array(m) @ dp.array(n), m @ n, 1e-12)
same(dp.array(m).T.copy(), m.T)
same(dp.array(m).mean(axis=0), m.mean(axis=0), 1e-12)
same(dp.linalg.norm(dp.array(m)), np.linalg.norm(m), 1e-12)
print('%d right' % checks)

# Those of dpnp's own files that test how it computes. A failure is worth a look: some compare sums of random numbers
# with a limit that cancellation exceeds now and then (test_product).
OWN = '''absolute amin_amax arraycreation arraymanipulation arraypad binary_ufuncs bitwise copy counting fft fill functional
histogram indexing linalg logic manipulation mathematical memory nanfunctions ndarray outer product random random_state search
sort special statistics strides sum sycl_queue umath usm_type window'''
if os.environ.get('CLIENTS_FULL'):
    tests = os.path.join(os.path.dirname(dp.__file__), 'tests', 'test_%s.py')
    sys.exit(subprocess.call([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider'] + [tests % t for t in OWN.split()]))
