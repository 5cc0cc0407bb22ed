"""A compiler for this machine as the judge of kernels: gcc of random_flow.py's, clang of random_natives.py's.

SPDX-License-Identifier: MIT
"""
import ctypes, os, subprocess

WHY = ['fine', 'endless', 'uneven barriers', 'race', 'read before written', 'order']
ORDERS = [0, 1, 3]  # of work-items between barriers: see judge.h
GCC = [os.environ.get('HEDDLE_GCC', 'gcc'), '-O1', '-w', '-fwrapv', '-fno-strict-aliasing']


class Judge:
    """Kernels of one text, compiled by a command; closed by leaving a `with`."""

    def __init__(self, text, names, folder, command=GCC):
        path = os.path.join(folder, 'judge_%d' % os.getpid())
        tail = ''.join('int judge_%s(size_t total, size_t size, const uint *in, uint *out, uint order)\n'
                       '{\n    return judge_launch(%s, total, size, in, out, order);\n}\n' % (n, n) for n in names)
        with open(path + '.c', 'w') as out:
            out.write(text + tail)
        subprocess.run(command[:1] + ['-std=gnu17', '-fPIC', '-shared', '-I', os.path.dirname(os.path.abspath(__file__)), path + '.c', '-o',
                                      path + '.so'] + command[1:], check=True)
        self.lib = ctypes.CDLL(path + '.so')
        os.remove(path + '.so')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        handle, self.lib = self.lib._handle, None
        dlclose = ctypes.CDLL(None).dlclose
        dlclose.argtypes = [ctypes.c_void_p]
        dlclose(handle)

    def run(self, name, total, size, source, out_bytes):
        """(what `out` holds, None), or (None, why the kernel has no result)."""
        f, results = getattr(self.lib, 'judge_' + name), set()
        f.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_uint32]
        for order in ORDERS:
            out = ctypes.create_string_buffer(out_bytes)
            why = f(total, size, source, ctypes.addressof(out), order)
            if why:
                return None, WHY[why]
            results.add(out.raw)
        return (results.pop(), None) if len(results) == 1 else (None, 'order')
