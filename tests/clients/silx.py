"""silx: its own tests of SIFT, alignment, median filters, projections, codecs, k-means and more.
SPDX-License-Identifier: MIT
"""
import os, subprocess, sys

# The folder of this file holds a module of the client's own name.
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != here]
try:
    import pyopencl, pytest, silx.opencl, silx.opencl.sift  # noqa: F401
except ImportError as e:
    print('no silx (PyPI: silx, pyopencl, mako, scipy, pytest): %s' % e)
    sys.exit(77)

# Convolutions are tested on a picture that scipy would fetch from the network.
command = [sys.executable, '-P' if sys.version_info >= (3, 11) else '-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider',
           '--pyargs', 'silx.opencl' if os.environ.get('CLIENTS_FULL') else 'silx.opencl.test.test_linalg',
           '-k', 'not convolution and not test_1D and not 2D and not 3D']
sys.exit(subprocess.run(command).returncode)
