#!/usr/bin/env python3
"""Suites of others, as published, on several drivers: what their kernels take, and whole programs.

    python3 bench/suites.py [options] --suite NAME=FOLDER [--suite …] heddle=build/libheddle-cl.so pocl=… intel=…

A FOLDER is a copy of the suite's repository outside of this tree; nothing of it is changed but for
what its programs are built into. Suites:

    polybench  PolyBench-ACC, its folder OpenCL
    rodinia    Rodinia, its folder opencl
    shoc       SHOC, its folder src/opencl
    parboil    Parboil, the folders opencl_base of its benchmarks
    boost      Boost.Compute, tests that build many small programs (with Debian's libboost-dev and libboost-test-dev)
    nas        the NAS benchmarks in OpenCL of Seoul National University, its folder NPB3.3-OCL, class A: kernels for processors
    vexcl      VexCL, likewise (and libboost-filesystem-dev, -system-dev, -thread-dev, -chrono-dev)

Programs are built as their makefiles do and run with sizes for a processor (below), once to fill the drivers' disk caches
and then so many rounds, drivers in turns. bench/layer.c, which is preloaded, takes the time of each kernel
from the driver's profiling, all launches of a run together; the time of a program is that of its process on the wall.
Reported are medians over the rounds, and the better peer's time divided by the first driver's: above 1 the first
one is faster. With --cpu both are processor time, for a busy machine. Programs are halved by a hash of their names: one half may be looked at for tuning, the other is only
measured, and the geometric means are given apart. With --cold each run has empty caches: whole programs
with their builds, and kernels with the code generation that their launches wait for.

--write FILE replaces what stands between the two marks of this script in a document.

SPDX-License-Identifier: MIT
"""
import argparse
import array
import json
import math
import os
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ['-O2', '-w', '-DCL_TARGET_OPENCL_VERSION=120', '-DCL_USE_DEPRECATED_OPENCL_1_1_APIS']
MARKS = '<!-- bench/suites.py -->', '<!-- end of bench/suites.py -->'
LEAST_US = 20  # kernels that take less in every driver say what a launch costs, not what code does


class Program:
    """A program of a suite: how it is made and run, in which folder."""

    def __init__(self, suite, name, folder, build, run):
        self.suite, self.name, self.folder, self.build, self.run = suite, name, folder, build, run

    @property
    def full_name(self):
        return f'{self.suite}/{self.name}'

    @property
    def is_tuned(self):
        return zlib.crc32(self.full_name.encode()) & 1 == 0


# ---- suites -------------------------------------------------------------------------------------

def polybench(folder):
    for source in sorted(folder.glob('OpenCL/**/*.cl')):
        at, name = source.parent, source.stem
        main = at / (at.name + '.c') if (at / (at.name + '.c')).exists() else next(at.glob('*.c'))
        build = ['gcc', *FLAGS, '-DRUN_ON_CPU=0', '-DSMALL_DATASET', '-I' + str(folder / 'OpenCL/utilities'),
                 main.name, '-o', 'bench.exe', '-lOpenCL', '-lm']
        yield Program('polybench', name, at, build, ['./bench.exe'])


# Folder, executable and arguments; DATA is a folder with what `rodinia_data` writes.
RODINIA = [
    ('b+tree', 'b+tree.out', 'file DATA/keys command DATA/commands'),
    ('backprop', 'backprop.out', '-n 262144'),
    ('bfs', 'bfs.out', 'DATA/graph -p 0 -d 0'),
    ('cfd', 'euler3d.out', '../../bench-data/mesh -p 0 -d 0'),  # it takes /t… for -t
    ('gaussian', 'gaussian.out', '-s 512 -q'),
    ('hotspot', 'hotspot.out', '512 4 100 DATA/temp_512 DATA/power_512 DATA/out'),
    ('hotspot3D', 'hotspot3D.out', '-n 256 -l 8 -i 50 -f DATA/power_256x8 DATA/temp_256x8 DATA/out'),
    ('lavaMD', 'lavaMD.out', '-boxes1d 10'),
    ('lud', 'lud.out', '-s 1024'),
    ('nn', 'nn.out', 'DATA/files -r 50 -lat 30 -lng 90 -q -t -f DATA -p 0 -d 0'),
    ('nw', 'nw.out', '2048 10 ./nw.cl'),
    ('particlefilter', 'OCL_particlefilter_single.out', '-x 128 -y 128 -z 10 -np 20000'),
    ('particlefilter', 'OCL_particlefilter_double.out', '-x 128 -y 128 -z 10 -np 20000'),
    ('particlefilter', 'OCL_particlefilter_naive.out', '-x 128 -y 128 -z 10 -np 1000'),
    ('pathfinder', 'pathfinder.out', '-c 100000 -r 100 -h 20'),
    ('srad', 'srad.out', '-n 50 -l 0.5 -s 502 458'),
    ('streamcluster', 'streamcluster.out', '10 20 64 8192 8192 1000 none output.txt 1 -p 0 -d 0'),
]
OF_1998 = 'bfs', 'cfd', 'pathfinder', 'streamcluster'  # C++ that later standards refuse


def graph(path, rng):
    nodes, edges = 1 << 18, 6
    with open(path, 'w') as f:
        f.write(f'{nodes}\n' + ''.join(f'{i * edges} {edges}\n' for i in range(nodes)) + f'0\n{nodes * edges}\n')
        f.writelines(f'{rng.randrange(nodes)} 1\n' for _ in range(nodes * edges))


def rodinia_data(to):
    rng = random.Random(1)
    for name, count, least, most in (('temp_512', 512 * 512, 320, 340), ('power_512', 512 * 512, 0, 0.01),
                                     ('temp_256x8', 256 * 256 * 8, 320, 340), ('power_256x8', 256 * 256 * 8, 0, 0.01)):
        with open(to / name, 'w') as f:
            f.writelines(f'{rng.uniform(least, most):.6f}\n' for _ in range(count))
    graph(to / 'graph', rng)
    cells = 4000
    with open(to / 'mesh', 'w') as f:  # of each cell its area, and of its faces the neighbour and the normal
        f.write(f'{cells}\n')
        for i in range(cells):
            faces = (min(max(i + step, 0), cells - 1) + 1 for step in (-1, 1, -200, 200))
            f.write('0.1 ' + ' '.join(f'{to_cell} ' + ' '.join(f'{rng.uniform(-1, 1):.4f}' for _ in range(3)) for to_cell in faces) + '\n')
    (to / 'files').write_text('places\n')
    (to / 'places').write_text(''.join(f'{i:028}{rng.uniform(0, 60):5.1f}{rng.uniform(0, 99):5.1f}{"":10}\n' for i in range(100000)))
    (to / 'keys').write_text('200000\n' + ''.join(f'{i}\n' for i in range(200000)))
    (to / 'commands').write_text('j 6000 3000\nk 10000\n')


def rodinia(folder):
    data = folder / 'bench-data'
    if not data.exists():
        data.mkdir()
        rodinia_data(data)
    for at, exe, args in RODINIA:
        where = folder / 'opencl' / at
        name = exe.removesuffix('.out').removeprefix('OCL_')
        include = '/usr/include'
        build = ['make', f'NV_OPENCL_INC={include}', 'NV_OPENCL_LIB=/usr/lib', f'OPENCL_INC={include}',
                 'OPENCL_LIB=/usr/lib', f'OPENCL_DIR={folder}']
        if at in OF_1998:
            compiler = ' '.join(['g++', '-std=gnu++98', '-fpermissive', *FLAGS[1:]])
            build += ['CC=' + compiler, 'CXX=' + compiler]
        yield Program('rodinia', name, where, build, ['./' + exe, *args.replace('DATA', str(data)).split()])


# Folder below src/opencl, sources, and size (1 to 4, which its passes share).
SHOC = [
    ('level1/bfs', 'BFS', 1), ('level1/fft', 'FFT fftlib', 1), ('level1/gemm', 'GEMM', 1), ('level1/md', 'MD', 1),
    ('level1/md5hash', 'MD5Hash', 1), ('level1/reduction', 'Reduction', 1), ('level1/scan', 'Scan', 1),
    ('level1/sort', 'Sort', 1), ('level1/spmv', 'Spmv', 1), ('level1/triad', 'Triad', 1), ('level2/s3d', 'S3D', 1),
    ('level1/stencil2d', 'Stencil2Dmain OpenCLStencil OpenCLStencilFactory CommonOpenCLStencilFactory', 1),
]


def as_literal(source):
    """A kernel's source as its makefile makes C++ of it."""
    lines = source.read_text().replace('\r', '').replace('\\', '\\\\').replace('"', '\\"').splitlines()
    return f'extern const char *cl_source_{source.stem};\nconst char *cl_source_{source.stem} =\n' + ''.join(
        f'"{line}\\n"\n' for line in lines) + ';\n'


def shoc(folder):
    common = [str(folder / 'src/common' / f'{n}.cpp') for n in (
        'CTimer', 'ResultDatabase', 'OptionParser', 'Option', 'Timer', 'ProgressBar', 'InvalidArgValue', 'Graph', 'Matrix2DStatics')]
    common += sorted(map(str, (folder / 'src/opencl/common').glob('*.cpp')))
    compiler = ['g++', '-std=gnu++98', '-fpermissive', '-Drestrict=__restrict__', '-DHAVE_GETTIMEOFDAY', *FLAGS]
    compiler += ['-I' + str(folder / f) for f in ('src/common', 'src/opencl/common', 'config')]
    shared = folder / 'bench-common.o'
    if not shared.exists():
        (folder / 'config/config.h').write_text('')  # what its configure writes, of which nothing else matters
        subprocess.run([*compiler, '-r', '-nostdlib', *common, '-o', str(shared)], check=True)
    for at, sources, size in SHOC:
        where = folder / 'src/opencl' / at
        for source in where.glob('*.cl'):
            (where / f'bench_{source.stem}_cl.cpp').write_text(as_literal(source))
        made = sorted(p.name for p in where.glob('bench_*_cl.cpp'))
        build = [*compiler, *(s + '.cpp' for s in sources.split()), *made, str(shared), '-o', 'bench.exe', '-lOpenCL', '-lpthread']
        yield Program('shoc', where.name, where, build, ['./bench.exe', '-s', str(size), '-n', '1'])


# Arguments of each benchmark; DATA is a folder with what `parboil_data` writes.
PARBOIL = [
    ('bfs', '-i DATA/graph -o DATA/out'),
    ('cutcp', '-i DATA/atoms.pqr'),
    ('fft', '-i DATA/signal -- 256 4096'),
    ('histo', '-i DATA/image -- 20'),
    ('imghisto', '-i DATA/words -- 0 1024 1024 256 10'),
    ('lbm', '-o DATA/out -- 20'),
    ('mri-gridding', '-i DATA/samples -- 32'),
    ('mri-q', '-i DATA/scan'),
    ('sad', '-i DATA/frame_0,DATA/frame_1'),
    ('sgemm', '-i DATA/matrix,DATA/matrix,DATA/matrix'),
    ('spmv', '-i DATA/sparse.mtx,DATA/vector'),
    ('stencil', '-i DATA/grid -- 128 128 32 50'),
    ('tpacf', '-i DATA/sky_0,DATA/sky_1,DATA/sky_2,DATA/sky_3 -- -n 3 -p 4096'),
]
# What its library calls of others that are not there.
PARBOIL_STUBS = '''extern "C" void perf_init() {}
void mxpa_scheduler_init() {}
void pin_trace_enable(char *) {}
void pin_trace_disable(char *) {}
'''


def parboil_texts(to, rng):
    graph(to / 'graph', rng)
    (to / 'atoms.pqr').write_text(''.join(
        f'ATOM {i} C RES 1 {rng.uniform(0, 60):.3f} {rng.uniform(0, 60):.3f} {rng.uniform(0, 60):.3f} {rng.uniform(-1, 1):.3f} 1.0\n'
        .replace('ATOM', 'ATOM  ') for i in range(20000)))
    side, rows, entries = 512, 16384, 12
    (to / 'matrix').write_text(f'{side} {side} ' + ' '.join(f'{rng.random():.6f}' for _ in range(side * side)) + '\n')
    with open(to / 'sparse.mtx', 'w') as f:
        f.write(f'%%MatrixMarket matrix coordinate real general\n{rows} {rows} {rows * entries}\n')
        for row in range(1, rows + 1):
            f.writelines(f'{row} {column} {rng.random():.4f}\n' for column in sorted(rng.sample(range(1, rows + 1), entries)))
    for i in range(4):
        (to / f'sky_{i}').write_text(''.join(f'{rng.uniform(0, 360):.5f} {rng.uniform(-90, 90):.5f}\n' for _ in range(4096)))
    (to / 'samples').write_text(
        'aquisition.numsamples=200000\naquisition.kmax=32 32 32\naquisition.matrixSize=64 64 64\n'
        'reconstruction.matrixSize=64 64 64\ngridding.matrixSize=64 64 64\ngridding.oversampling=1.5\n'
        'kernel.width=4\nkernel.useLUT=1\n')


def parboil_data(to):
    rng = random.Random(1)

    def binary(name, kind, count, value, head=()):
        (to / name).write_bytes(b''.join(array.array(k, [v]).tobytes() for k, v in head) +
                                array.array(kind, (value() for _ in range(count))).tobytes())

    parboil_texts(to, rng)
    binary('signal', 'f', 2 * 256 * 4096, rng.random)
    binary('grid', 'f', 128 * 128 * 32, rng.random)
    binary('vector', 'f', 16384, rng.random)
    binary('image', 'I', 996 * 512, lambda: min(int(abs(rng.gauss(0, 0.2)) * 4096 * 256), 256 * 4096 - 1),
           [('I', 996), ('I', 512), ('I', 256), ('I', 4096)])
    binary('words', 'H', 1024 * 1024, lambda: rng.randrange(1 << 16))
    binary('samples.data', 'f', 6 * 200000, lambda: rng.uniform(-0.9, 0.9))
    binary('scan', 'f', 5 * 2048 + 3 * 32768, rng.random, [('i', 2048), ('i', 32768)])
    for i in range(2):
        binary(f'frame_{i}', 'h', 352 * 288, lambda: rng.randrange(256), [('H', 352), ('H', 288)])


def parboil(folder):
    data = folder / 'bench-data'
    if not data.exists():
        data.mkdir()
        parboil_data(data)
    flags = [*FLAGS, '-DMXPA_RUNTIME_PERF_MONITOR', f'-I{folder}/common/include']  # without a library that counts events
    shared = data / 'common.o'
    if not shared.exists():
        (data / 'stubs.c').write_text(PARBOIL_STUBS)
        library = [folder / 'common/src/parboil_opencl.c', folder / 'common/src/args.c', data / 'stubs.c']
        subprocess.run(['g++', '-fpermissive', '-x', 'c++', *flags, '-r', '-nostdlib', *filter(pathlib.Path.exists, library),
                        '-o', str(shared)], check=True)
    for name, args in PARBOIL:
        where = folder / 'benchmarks' / name
        convert = where / 'common_src/convert-dataset'
        sources = [*sorted((where / 'src/opencl_base').glob('*.c*')), convert / 'convert_dataset.c', convert / 'mmio.c']
        made = [f'{"gcc -std=gnu89" if p.suffix == ".c" else "g++ -fpermissive"} {" ".join(flags)} -I{convert} -c {p} -o bench-{i}.o'
                for i, p in enumerate(sources) if p.suffix != '.cl' and p.exists()]
        link = f'g++ bench-*.o {shared} -o bench.exe -lOpenCL -lm'
        yield Program('parboil', name, where, ['sh', '-c', ' && '.join(['rm -f bench-*.o', *made, link])],
                      ['./bench.exe', *args.replace('DATA', str(data)).split()])


def with_boost(suite, folder, tests, includes, libraries):
    flags = ['-O1', '-w', '-std=c++14', '-DCL_TARGET_OPENCL_VERSION=120', '-DCL_HPP_TARGET_OPENCL_VERSION=120',
             '-DCL_HPP_MINIMUM_OPENCL_VERSION=120', '-DBOOST_TEST_DYN_LINK', '-DBOOST_ALL_DYN_LINK',
             '-DBOOST_BIND_GLOBAL_PLACEHOLDERS', *includes]
    for source in tests:
        name = source.stem.removeprefix('test_')
        yield Program(suite, name, folder, ['g++', *flags, str(source), '-o', 'bench-' + name, '-lOpenCL',
                                            '-lboost_unit_test_framework', *libraries], ['./bench-' + name])


def boost(folder):
    tests = [folder / 'test' / f'test_{t}.cpp' for t in ('nth_element', 'insertion_sort', 'count')]
    return with_boost('boost', folder, tests, [f'-I{folder}/include'], [])


def vexcl(folder):
    tests = [folder / 'tests' / f'{t}.cpp' for t in ('scan_by_key', 'reduce_by_key')]
    return with_boost('vexcl', folder, tests, [f'-I{folder}', '-DVEXCL_BACKEND_OPENCL', '-DBOOST_TEST_MAIN',
                                               '-DBOOST_PROTO_MAX_ARITY=20', '-DFUSION_MAX_VECTOR_SIZE=20'],
                      ['-l' + b for b in ('boost_filesystem', 'boost_system', 'boost_thread', 'boost_chrono', 'pthread')])


def nas(folder):
    where = folder / 'NPB3.3-OCL'
    for name in ('bt', 'cg', 'ep', 'ft', 'is', 'lu', 'mg', 'sp'):
        make = f'mkdir -p bin && rm -f {name.upper()}/*.o bin/{name}.A.x && make {name} CLASS=A CFLAGS="-O3 -w" CLINKFLAGS=-O3'
        yield Program('nas', name, where, ['sh', '-c', make], [f'bin/{name}.A.x', name.upper()])


SUITES = {'nas': nas, 'polybench': polybench, 'rodinia': rodinia, 'shoc': shoc, 'parboil': parboil, 'boost': boost, 'vexcl': vexcl}


# ---- measuring ----------------------------------------------------------------------------------

def used():
    """Seconds of processor time of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_once(program, driver, layer, limit, is_cpu, is_cold):
    """Nanoseconds of each kernel, and seconds of the process; None where it fails."""
    with tempfile.NamedTemporaryFile() as told, tempfile.TemporaryDirectory() as caches:
        env = {**os.environ, 'OCL_ICD_VENDORS': driver, 'LD_PRELOAD': str(layer), 'BENCH_LAYER': told.name}
        if is_cpu:
            env['BENCH_LAYER_CPU'] = '1'
        if is_cold:
            env.update({v: caches for v in ('HOME', 'XDG_CACHE_HOME', 'HEDDLE_CACHE_DIR', 'POCL_CACHE_DIR')})
        start = used() if is_cpu else time.perf_counter()
        try:
            done = subprocess.run(program.run, cwd=program.folder, env=env, timeout=limit,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            return f'over {limit} s'
        took = (used() if is_cpu else time.perf_counter()) - start
        rows = [line.split() for line in pathlib.Path(told.name).read_text().splitlines()]
    if done.returncode != 0 or not rows:
        return (done.stdout[-300:].decode(errors='replace').strip().splitlines() or [f'status {done.returncode}'])[-1]
    return {r[0]: int(r[2]) for r in rows}, took


def median_of(runs):
    kernels = {k: statistics.median(r[0][k] for r in runs) for k in runs[0][0] if all(k in r[0] for r in runs)}
    return kernels, statistics.median(r[1] for r in runs)


def measure(program, drivers, layer, options):
    done = subprocess.run(program.build, cwd=program.folder, capture_output=True, text=True)
    if done.returncode != 0:
        print(f'{program.full_name}: not built: {(done.stderr.strip().splitlines() or ["?"])[-1]}', flush=True)
        return None
    runs = {name: [] for name in drivers}
    for turn in range(options.rounds + 1):
        for name, driver in drivers.items():
            got = run_once(program, driver, layer, options.limit, options.cpu, options.cold)
            if isinstance(got, str):
                if turn == 0:
                    print(f'{program.full_name}: {name}: {got}', flush=True)
                continue
            if turn > 0:
                runs[name].append(got)
    return {name: median_of(r) for name, r in runs.items() if r}


def rows_of(program, got, first):
    """(name, times by driver) of each kernel that the first driver and another one ran."""
    for kernel in got[first][0]:
        times = {d: g[0][kernel] for d, g in got.items() if kernel in g[0]}
        if len(times) > 1:
            yield f'{program.full_name} {kernel}', times


def ratio(times, first):
    return min(t for d, t in times.items() if d != first) / max(times[first], 1e-9)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float('nan')


# ---- reporting ----------------------------------------------------------------------------------

def report(results, drivers, options):
    first = next(iter(drivers))
    lines = []
    for tuned in (True, False):
        half = [(p, g) for p, g in results if p.is_tuned == tuned and first in g]
        rows = [r for p, g in half for r in rows_of(p, g, first)]
        short = [r for r in rows if max(r[1].values()) < LEAST_US * 1000]
        rows = sorted((r for r in rows if r not in short), key=lambda r: ratio(r[1], first))
        whole = [ratio({d: v[1] for d, v in g.items()}, first) if len(g) > 1 else None for _, g in half]
        whole = [w for w in whole if w is not None]
        lines += textwrap.wrap(f'**{"Looked at" if tuned else "Only measured"}**: {len(half)} programs, {len(rows)} kernels: kernel time '
                  f'**{mean([ratio(r[1], first) for r in rows]):.2f}** times the better peer, whole programs '
                  f'{mean(whole):.2f}; below 0.8: {sum(ratio(r[1], first) < 0.8 for r in rows)} kernels.', 110) + ['']
        lines += ['| kernel | ' + ' | '.join(drivers) + ' | best peer / ' + first + ' |',
                  '| --- |' + ' --: |' * (len(drivers) + 1)]
        for name, times in rows if options.all else rows[:12]:
            cells = [f'{times[d] / 1e6:.2f}' if d in times else '–' for d in drivers]
            lines.append(f'| {name} | ' + ' | '.join(cells) + f' | {ratio(times, first):.2f} |')
        lines.append('')
    return '\n'.join(lines)


def write(path, text):
    page = pathlib.Path(path).read_text()
    begin, end = page.index(MARKS[0]) + len(MARKS[0]), page.index(MARKS[1])
    pathlib.Path(path).write_text(page[:begin] + '\n' + text + page[end:])


def read_command():
    parser = argparse.ArgumentParser(description='Run suites of others on several OpenCL drivers.')
    parser.add_argument('drivers', nargs='+', metavar='NAME=DRIVER')
    parser.add_argument('--suite', action='append', required=True, metavar='NAME=FOLDER', help=', '.join(SUITES))
    parser.add_argument('--programs', default='', help='a regular expression; others are left out')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--cpu', action='store_true', help='processor time of all threads, for a busy machine')
    parser.add_argument('--cold', action='store_true', help='empty caches for each run')
    parser.add_argument('--limit', type=float, default=60, help='seconds of a run')
    parser.add_argument('--all', action='store_true', help='show all kernels instead of the twelve slowest of each half')
    parser.add_argument('--json', help='save all medians')
    parser.add_argument('--write', help='the document to put the report into')
    return parser.parse_args()


def main():
    options = read_command()
    drivers = {name: str(pathlib.Path(at).resolve()) for name, at in (d.split('=', 1) for d in options.drivers)}
    results = []
    with tempfile.TemporaryDirectory() as folder:
        layer = pathlib.Path(folder) / 'layer.so'
        subprocess.run(['cc', '-O2', '-shared', '-fPIC', str(HERE / 'layer.c'), '-o', str(layer), '-ldl'], check=True)
        for suite, at in (s.split('=', 1) for s in options.suite):
            for program in SUITES[suite](pathlib.Path(at).resolve()):
                if not re.search(options.programs, program.full_name):
                    continue
                got = measure(program, drivers, layer, options)
                if got:
                    results.append((program, got))
                    first = next(iter(drivers))
                    print(program.full_name, ' '.join(f'{d} {sum(g[0].values()) / 1e6:.2f} ms,' for d, g in got.items()),
                          'tuned' if program.is_tuned else 'measured only', flush=True)
    text = report(results, drivers, options)
    print(text)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({p.full_name: g for p, g in results}, indent=1))
    if options.write:
        write(options.write, text)
    return 0 if results else 1


if __name__ == '__main__':
    sys.exit(main())
