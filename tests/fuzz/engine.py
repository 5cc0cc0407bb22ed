"""Kernels through both engines of libheddle, in this process: compiled in several ways, and interpreted.

SPDX-License-Identifier: MIT
"""
import ctypes, os, subprocess, tempfile
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p

MASK = (1 << 64) - 1


class Arg(ctypes.Structure):
    _fields_ = [('value', c_void_p), ('size', c_size_t)]


class Launch(ctypes.Structure):
    _fields_ = [('kernel', c_char_p), ('args', POINTER(Arg)), ('arg_count', c_size_t), ('work_dim', c_uint32),
                ('global_offset', c_uint64 * 3), ('global_size', c_uint64 * 3), ('local_size', c_uint64 * 3),
                ('engine', c_int), ('subgroup_size', c_uint32), ('threads', c_uint), ('print', c_void_p),
                ('user', c_void_p)]


class Binding(ctypes.Structure):
    _fields_ = [('set', c_uint32), ('binding', c_uint32), ('element', c_uint32), ('memory', c_void_p), ('size', c_size_t)]


class Dispatch(ctypes.Structure):
    _fields_ = [('shader', c_char_p), ('bindings', POINTER(Binding)), ('binding_count', c_size_t), ('push', c_void_p),
                ('push_size', c_size_t), ('groups', c_uint32 * 3), ('engine', c_int), ('subgroup_size', c_uint32),
                ('threads', c_uint), ('print', c_void_p), ('user', c_void_p)]


def hash64(x):
    x = (x + 0x9e3779b97f4a7c15) & MASK
    x = ((x ^ x >> 30) * 0xbf58476d1ce4e5b9) & MASK
    x = ((x ^ x >> 27) * 0x94d049bb133111eb) & MASK
    return x ^ x >> 31


_random = {}


def random_bytes(size, count, seed):
    """What `heddle run` makes of random:SEED for integers of `size` bytes."""
    key = (size, count, seed)
    if key not in _random:
        if len(_random) > 64:
            _random.clear()
        start, mask = hash64(seed + 1), (1 << 8 * size) - 1
        _random[key] = b''.join((hash64((start + n * 0x9e3779b97f4a7c15) & MASK) & mask).to_bytes(size, 'little')
                                for n in range(count))
    return _random[key]


class Failure(Exception):
    """A module was refused, or a kernel did not run."""


class Engine:
    """Calls libheddle.so of a build."""

    def __init__(self, build):
        os.environ['HEDDLE_CACHE'] = '0'
        self.build, self.words = build, {}
        self.lib = lib = ctypes.CDLL(os.path.abspath(os.path.join(build, 'libheddle.so')))
        for name, result, arguments in [
                ('heddle_report_open', c_void_p, []), ('heddle_report_close', None, [c_void_p]),
                ('heddle_report_text', c_void_p, [c_void_p, c_char_p]), ('heddle_free', None, [c_void_p]),
                ('heddle_assemble', c_int, [c_char_p, c_size_t, c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
                ('heddle_compile', c_int, [c_char_p, c_size_t, c_char_p, c_char_p, c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
                ('heddle_validate', c_int, [c_void_p, c_size_t, c_char_p, c_char_p, c_void_p]),
                ('heddle_program_open', c_int, [c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, POINTER(c_void_p)]),
                ('heddle_program_close', None, [c_void_p]),
                ('heddle_run', c_int, [c_void_p, POINTER(Launch), c_void_p]),
                ('heddle_dispatch_run', c_int, [c_void_p, POINTER(Dispatch), c_void_p])]:
            f = getattr(lib, name)
            f.restype, f.argtypes = result, arguments

    def fail(self, report, what):
        text = self.lib.heddle_report_text(report, what.encode())
        message = ctypes.string_at(text).decode('utf-8', 'replace') if text else what
        self.lib.heddle_free(text)
        raise Failure(message.strip()[:600])

    def assemble(self, text):
        """The words of a module."""
        words, count, r = c_void_p(), c_size_t(), self.lib.heddle_report_open()
        data = text.encode()
        try:
            if self.lib.heddle_assemble(data, len(data), r, byref(words), byref(count)) != 0:
                self.fail(r, 'assemble')
            return ctypes.string_at(words, 4 * count.value)
        finally:
            self.lib.heddle_free(words)
            self.lib.heddle_report_close(r)

    def compiled(self, source, options):
        """The words of a module that the driver would make of a source."""
        words, count, r, data = c_void_p(), c_size_t(), self.lib.heddle_report_open(), source.encode()
        try:
            if self.lib.heddle_compile(data, len(data), None, options.encode(), r, byref(words), byref(count)) != 0:
                self.fail(r, 'compile')
            return ctypes.string_at(words, 4 * count.value)
        finally:
            self.lib.heddle_free(words)
            self.lib.heddle_report_close(r)

    def is_valid(self, words):
        return self.lib.heddle_validate(words, len(words) // 4, None, None, None) == 0

    def open(self, words):
        p, r = c_void_p(), self.lib.heddle_report_open()
        try:
            if self.lib.heddle_program_open(words, len(words) // 4, None, 0, r, byref(p)) != 0:
                self.fail(r, 'open')
            self.words[p.value] = words
            return p
        finally:
            self.lib.heddle_report_close(r)

    def close(self, program):
        del self.words[program.value]
        self.lib.heddle_program_close(program)

    def run(self, program, launch, width, interpreted=False, dispatch=False, fibers=False, calls=False, apart=True, lane_dim=0,
            kernel='k'):
        """Contents of all buffers and images after a run. launch: see random_module.Launch."""
        os.environ['HEDDLE_DISPATCH'] = '1' if dispatch else '0'
        os.environ['HEDDLE_FIBERS'] = '1' if fibers else '0'
        os.environ['HEDDLE_CALLS'] = '1' if calls else '0'
        os.environ['HEDDLE_APART'] = '2' if apart else '0'
        os.environ['HEDDLE_LANE_DIM'] = str(lane_dim)
        os.environ['HEDDLE_JAM'] = str(launch.coarsen) if apart else '1'
        if launch.images:
            return self.run_command(self.words[program.value], launch, width, interpreted)
        buffers = [ctypes.create_string_buffer(random_bytes(size, n, seed) if seed is not None else bytes(size * n),
                                               size * n + 128) for size, n, seed in launch.buffers]
        numbers = [ctypes.c_uint64(n) for n in launch.numbers]
        args = (Arg * (len(buffers) + len(numbers)))(*[Arg((ctypes.addressof(b) + 127) & ~127, 0) for b in buffers],
                                                     *[Arg(ctypes.addressof(n), launch.number_bytes) for n in numbers])
        for b, a, (size, n, seed) in zip(buffers, args, launch.buffers):
            ctypes.memmove(a.value, random_bytes(size, n, seed) if seed is not None else bytes(size * n), size * n)
        l = Launch(kernel=kernel.encode(), args=args, arg_count=len(args), work_dim=len(launch.global_size), engine=int(interpreted),
                   subgroup_size=width, threads=1)
        for i, g in enumerate(launch.global_size):
            l.global_size[i] = g
        for i, w in enumerate(launch.local_size):
            l.local_size[i] = w
        for i, offset in enumerate(launch.offset):
            l.global_offset[i] = offset
        r = self.lib.heddle_report_open()
        try:
            if self.lib.heddle_run(program, byref(l), r) != 0:
                self.fail(r, 'run')
            return [ctypes.string_at(a.value, size * n) for a, (size, n, _) in zip(args, launch.buffers)]
        finally:
            self.lib.heddle_report_close(r)


    def dispatch(self, program, buffers, groups, width, interpreted=False, dispatch=False, calls=False, push=b''):
        """Contents of all buffers after a run of a shader. buffers: bytes, by set and binding. push: its push constants."""
        os.environ['HEDDLE_DISPATCH'] = '1' if dispatch else '0'
        os.environ['HEDDLE_CALLS'] = '1' if calls else '0'
        memory = [ctypes.create_string_buffer(data, len(data) + 128) for data in buffers.values()]
        bound = (Binding * len(buffers))()
        for b, m, (place, data) in zip(bound, memory, buffers.items()):
            b.set, b.binding = place
            b.memory, b.size = (ctypes.addressof(m) + 127) & ~127, len(data)
            ctypes.memmove(b.memory, data, len(data))
        d = Dispatch(bindings=bound, binding_count=len(bound), engine=int(interpreted), subgroup_size=width, threads=1)
        words = ctypes.create_string_buffer(push, max(1, len(push)))
        d.push, d.push_size = ctypes.addressof(words) if push else None, len(push)
        for i, n in enumerate(groups):
            d.groups[i] = n
        r = self.lib.heddle_report_open()
        try:
            if self.lib.heddle_dispatch_run(program, byref(d), r) != 0:
                self.fail(r, 'dispatch')
            return {place: ctypes.string_at(b.memory, b.size) for place, b in zip(buffers, bound)}
        finally:
            self.lib.heddle_report_close(r)

    def run_command(self, words, launch, width, interpreted):
        """The same by the tool, which takes images; how it compiles, the environment says."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'm.spv'), 'wb') as out:
                out.write(words)
            names = [os.path.join(folder, str(k)) for k in range(len(launch.buffers) + len(launch.images))]
            command = [os.path.join(self.build, 'heddle'), 'run', os.path.join(folder, 'm.spv'), 'k', *launch.arguments().split(),
                       '--threads', '1', '--width', str(width), '--engine', 'interpreted' if interpreted else 'compiled', '--no-print']
            for k, name in enumerate(names):
                command += ['--out', '%d=%s' % (k, name)]
            p = subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, errors='replace')
            if p.returncode != 0:
                raise Failure('exit status %d: %s' % (p.returncode, p.stderr.strip()[-600:]))
            return [open(name, 'rb').read() for name in names]


def ways(barriers, calls, dims):
    """How each width is compiled: keywords of Engine.run."""
    return [dict(dispatch=d, fibers=f, calls=c, apart=a, lane_dim=n) for c in ([False, True] if calls else [False])
            for f in ([False, True] if barriers else [False]) for d in (False, True) for a in (True, False)
            for n in ([0] if dims == 1 else [0, 2])]


def compare(engine, module, launch, runs, subgroups, known=None):
    """None, or how the results of a module (text or words) differ: (command, what). runs: (width, way) of each compilation.
    subgroups: results may depend on the width. known: results by width that another form of the module gave; it is added
    to."""
    program, known = None, {} if known is None else known
    try:
        program = engine.open(engine.assemble(module) if isinstance(module, str) else module)
        for width, way in runs:
            of = width if subgroups else 0
            if of not in known:
                known[of] = engine.run(program, launch, width, interpreted=True)
            got = engine.run(program, launch, width, **way)
            if got != known[of]:
                return launch.command(width, **way), difference(launch, known[of], got)
    except Failure as e:
        return 'refused', str(e)
    finally:
        if program is not None:
            engine.close(program)
    return None


def difference(launch, want, got):
    sizes = [size for size, _, _ in launch.buffers] + [1] * len(launch.images)
    for at, (w, g, size) in enumerate(zip(want, got, sizes)):
        for i in range(0, len(w), size):
            if w[i:i + size] != g[i:i + size]:
                return 'arg %d element %d: expected 0x%x, got 0x%x' % (
                    at, i // size, int.from_bytes(w[i:i + size], 'little'), int.from_bytes(g[i:i + size], 'little'))
    return 'nothing'
