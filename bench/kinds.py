#!/usr/bin/env python3
"""Run the short kernels of bench/kinds/*.cl on several drivers and compare times and results.

    python3 bench/kinds.py [--cpu] [--cases a,b] heddle=build/libheddle-cl.so pocl=PATH/libpocl.so

What SPIR-V producers make of them is compared with one driver under several names:

    python3 bench/kinds.py --split build/kinds
    tools/kernels-spv.sh build/kinds-spv build/kinds/*.cl
    python3 bench/kinds.py --cpu --il-dir O2=build/kinds-spv/clang22-O2 --il-dir O0=build/kinds-spv/clang22-O0 \
        O2=build/libheddle-cl.so O0=build/libheddle-cl.so

So is one driver with settings of its own for each name, here the forms that the estimate chooses and the others:

    python3 bench/kinds.py --cpu --set chosen=HEDDLE_TRIAL=0 --set other=HEDDLE_TRIAL=2 \
        chosen=build/libheddle-cl.so other=build/libheddle-cl.so

What trials found is kept in Heddle's cache, also for another build: two builds are compared with an empty
HEDDLE_CACHE_DIR, or one's noise decides the other's form.

In checked runs the first work-groups of each show whether anything is told of a correct kernel:

    HEDDLE_CHECK=1 python3 bench/kinds.py --few --rounds 1 --min-time 0 heddle=build/libheddle-cl.so

Needs PyPI's pyopencl and numpy. Each driver has a process of its own; they take turns case by case and
round after round, so that a busy machine hurts all alike. Times are those of
one launch on the wall, in ms (--cpu: processor time of all threads, for a busy machine): the median
over the rounds. The last column is the best peer's time
divided by the first driver's: above 1 the first one is faster. Cases in which sums over
a buffer, plain and with a weight for each place, differ by a ten thousandth of its size are marked.

Each case of a file is a program of its own: what stands behind its line belongs to it alone. The next line says
how the kernel of that name is launched, as Python: global size, local size (None: the driver's choice),
arguments, which the functions below make, and possibly options. The option "unordered" says that work-items may
leave their results anywhere, so that only plain sums are compared.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time
import zlib

import numpy as np

RANDOM = np.random.default_rng(1)
N = 1 << 18


# ---- arguments: a kind and its content ----------------------------------------------------------

def F(n):
    return 'buffer', RANDOM.random(n, dtype=np.float32)


def D(n):
    return 'buffer', RANDOM.random(n)


def H(n):
    return 'buffer', RANDOM.random(n).astype(np.float16)


def I(n, end=1 << 30, dtype=np.int32):
    return 'buffer', RANDOM.integers(0, end, n).astype(dtype)


def O(n, dtype=np.float32):
    return 'buffer', np.zeros(n, dtype)


def S(value, dtype=np.int32):
    return 'value', dtype(value)


def V(*parts):
    """A structure of floats by value."""
    return 'value', np.array(parts, np.float32)


def L(n, dtype=np.float32):
    return 'local', n * np.dtype(dtype).itemsize


def image(width, height, channel='UNORM_INT8'):
    dtype = np.float32 if channel == 'FLOAT' else np.uint8
    texels = RANDOM.random((height, width, 4)) if channel == 'FLOAT' else RANDOM.integers(0, 256, (height, width, 4))
    return channel, texels.astype(dtype)


def target(width, height, channel='UNORM_INT8'):
    return channel, np.zeros((height, width, 4), np.float32 if channel == 'FLOAT' else np.uint8)


def row_starts(rows, most):
    return 'buffer', np.concatenate([[0], np.cumsum(RANDOM.integers(0, most, rows))]).astype(np.int32)


def even_starts(cells, items):
    return 'buffer', np.linspace(0, items, cells + 1).astype(np.int32)


def sorted_rows(rows, most):
    """What rows may hold: numbers that ascend, and begin again now and then."""
    return 'buffer', np.sort(RANDOM.integers(0, rows, (rows, most)), axis=1).astype(np.int32).ravel()


def ascending(n):
    return 'buffer', np.sort(RANDOM.random(n, dtype=np.float32))


def near(n, step):
    """Each one's neighbour, the last one's is itself."""
    return 'buffer', np.clip(np.arange(n) + step, 0, n - 1).astype(np.int32)


def chains(n):
    """Lists of which each place is in one, two long on average: the next place or -1."""
    before = RANDOM.integers(0, np.maximum(np.arange(n), 1))
    return 'buffer', np.where((RANDOM.random(n) < 0.5) & (before < np.arange(n)), before, -1).astype(np.int32)


# ---- cases --------------------------------------------------------------------------------------

def parts():
    """For each case its name, how it is launched, its source."""
    known = set()
    for file in sorted(pathlib.Path(__file__).with_suffix('').glob('*.cl')):
        for part in file.read_text().split('// case ')[1:]:
            name, launch, source = part.split('\n', 2)
            if name in known:
                sys.exit(f'{file}: there is another case {name}')
            known.add(name)
            yield name, launch, source


SOURCES = {name: source for name, _, source in parts()}
LAUNCHES = {name: launch.removeprefix('//') for name, launch, _ in parts()}


def launch_of(name):
    """Sizes, arguments and options, with the same content in each process."""
    global RANDOM
    RANDOM = np.random.default_rng(zlib.crc32(name.encode()))
    items, group, *arguments = eval(f'({LAUNCHES[name]})', globals())
    options = arguments.pop() if isinstance(arguments[-1], str) else '-cl-std=CL1.2'
    return items, group, arguments, options.replace('unordered', '').strip()


def size(x):
    return x if x is None or isinstance(x, tuple) else (x,)


def first_groups(items, group):
    """As much of a launch as a checked run looks at soon: a few work-groups in each dimension."""
    items = size(items)
    return tuple(min(n, max(most // g, 1) * g) for n, most, g in zip(items, (256, 16, 4), size(group) or (1, 1, 1)))


class Prepared:
    """A case in a driver's process, ready to be launched again and again."""

    def __init__(self, cl, context, queue, name, il_dir, few):
        items, group, arguments, options = launch_of(name)
        program = cl.Program(context, (pathlib.Path(il_dir) / f'{name}.spv').read_bytes() if il_dir else SOURCES[name])
        self.kernel = getattr(program.build('' if il_dir else options), name)
        self.memory = [memory_of(cl, context, *argument) for argument in arguments]
        self.kernel.set_args(*(m for m, _ in self.memory))
        items = first_groups(items, group) if few else size(items)
        self.launch = lambda: (cl.enqueue_nd_range_kernel(queue, self.kernel, items, size(group)), queue.finish())
        self.launch()
        self.sums = [sums_of(cl, queue, *m) for m in self.memory if m[1] is not None]

    def measure(self, clock, min_time):
        """Milliseconds of a launch. Launches are timed together: the processor time of threads that
        still run somewhere else is up to date only now and then."""
        start, now, count = clock(), 0, 0
        while count < 3 or (now - start < min_time and count < 2000):
            self.launch()
            now, count = clock(), count + 1
        return (now - start) / count * 1e3


def memory_of(cl, context, kind, content):
    """What the kernel is given for an argument, and what was in it if that can be read."""
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    if kind == 'value':
        return content, None
    if kind == 'local':
        return cl.LocalMemory(content), None
    if kind == 'buffer':
        return cl.Buffer(context, flags, hostbuf=content), content
    texel = cl.ImageFormat(cl.channel_order.RGBA, getattr(cl.channel_type, kind))
    return cl.create_image(context, flags, texel, shape=content.shape[1::-1], hostbuf=content), content


def sums_of(cl, queue, memory, content):
    """Sums of what is in it: plain, with a weight for each place, of magnitudes."""
    result = np.empty_like(content)
    region = {'origin': (0, 0), 'region': content.shape[1::-1]} if isinstance(memory, cl.Image) else {}
    cl.enqueue_copy(queue, result, memory, **region)
    result = result.astype(np.float64).ravel()
    weights = (np.arange(len(result)) * 40503 & 0xffff) / 65536
    return [float(np.nansum(x)) for x in (result, result * weights, abs(result))]


def run_driver(clock, min_time, il_dir, few):
    """In a process of its own: for each line, the name of a case, a line of JSON."""
    import pyopencl as cl
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    ready = None
    for name in map(str.strip, sys.stdin):
        try:
            if ready is None or ready[0] != name:
                ready = None # its buffers go first
                ready = name, Prepared(cl, context, queue, name, il_dir, few)
            print(json.dumps([ready[1].measure(clock, min_time), ready[1].sums]), flush=True)
        except cl.Error as error:
            print(f'{name}: {str(error)[:200]}', file=sys.stderr)
            print(json.dumps([None, []]), flush=True)


def split(folder):
    """Each case's source in a file of its own, for tools/kernels-spv.sh."""
    os.makedirs(folder, exist_ok=True)
    for name, text in SOURCES.items():
        (pathlib.Path(folder) / f'{name}.cl').write_text(text)


def settings_of(name, options):
    """Environment variables that a driver has apart from the others'."""
    return dict(s.split('=', 2)[1:] for s in options.set if s.startswith(name + '='))


class Driver:
    """A driver's process, and what it has measured of the case at hand."""

    def __init__(self, name, library, options):
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, __file__, '--in-driver', '--min-time', str(options.min_time)] + ['--cpu'] * options.cpu +
            ['--few'] * options.few +
            [arg for d in options.il_dir if d.startswith(name + '=') for arg in ('--il-dir', d.split('=', 1)[1])],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(library), PYOPENCL_NO_CACHE='1', **settings_of(name, options)))

    def measure(self, case):
        try:
            self.process.stdin.write(case + '\n')
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            sys.exit(f'{self.name}: ended at {case} with {self.process.wait()}')


def differ(a, b, is_ordered):
    return any(abs(x[k] - y[k]) > 1e-4 * max(1, x[2]) for x, y in zip(a, b) for k in range(1 + is_ordered))


def run_case(name, drivers, rounds):
    """The median of each driver's rounds, or None, and whether results differ from the first one's."""
    found = [[d.measure(name) for d in drivers] for _ in range(rounds)]
    columns = list(zip(*found))
    times = [statistics.median(t for t, _ in c) if c[0][0] is not None else None for c in columns]
    told = [c[0][1] for c in columns if c[0][0] is not None]
    return times, any(differ(told[0], sums, 'unordered' not in LAUNCHES[name]) for sums in told[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('drivers', nargs='*', metavar='NAME=LIBRARY')
    parser.add_argument('--cases', default='')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--min-time', type=float, default=0.05, help='seconds for each case, driver and round')
    parser.add_argument('--cpu', action='store_true', help='processor time of all threads instead of time on the wall')
    parser.add_argument('--il-dir', action='append', default=[], metavar='NAME=DIR',
                        help="take a driver's programs from the SPIR-V modules in DIR")
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VARIABLE=VALUE',
                        help="an environment variable of a driver's process")
    parser.add_argument('--few', action='store_true', help='launch the first work-groups alone, for checked runs')
    parser.add_argument('--split', metavar='DIR', help="write the cases' sources there, and end")
    parser.add_argument('--in-driver', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.in_driver:
        return run_driver(time.process_time if options.cpu else time.perf_counter, options.min_time,
                          ''.join(options.il_dir), options.few)
    if options.split:
        return split(options.split)
    wanted = set(filter(None, options.cases.split(',')))
    drivers = [Driver(*d.split('=', 1), options) for d in options.drivers]
    print(f'{"case":16}' + ''.join(f'{d.name:>10}' for d in drivers) + f'{"ratio":>8}')
    ratios = []
    for name in LAUNCHES:
        if wanted and name not in wanted:
            continue
        times, is_different = run_case(name, drivers, options.rounds)
        line = f'{name:16}' + ''.join(f'{t:10.3f}' if t is not None else f'{"-":>10}' for t in times)
        peers = [t for t in times[1:] if t is not None]
        if times[0] is not None and peers:
            ratios.append(min(peers) / times[0])
            line += f'{ratios[-1]:8.2f}'
        print(line + ('  results differ' if is_different else ''), flush=True)
    if ratios:
        print(f'geometric mean of {len(ratios)}: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}')


if __name__ == '__main__':
    main()
