"""pyFAI: its own tests of OpenCL code: integration, sorts, scans and reductions of work-groups, peaks.
SPDX-License-Identifier: MIT
"""
import os, subprocess, sys

# The folder of this file holds a module that could be taken for the client's own.
sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != os.path.dirname(os.path.abspath(__file__))]
try:
    import pyFAI.opencl, pyopencl, pytest  # noqa: F401
except ImportError as e:
    print('no pyFAI (PyPI: pyFAI, pyopencl, mako, pytest): %s' % e)
    sys.exit(77)

tests = 'pyFAI.opencl' if os.environ.get('CLIENTS_FULL') else 'pyFAI.opencl.test.test_collective'
sys.exit(subprocess.run([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--pyargs', tests]).returncode)
