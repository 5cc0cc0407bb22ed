#!/usr/bin/env python3
"""Functions, operators and conversions of OpenCL C on whole vectors of every size, loaded as vectors and by vloadn: compiled at
two or three usual widths, most without LLVM's optimisations (few.py). Where the specification leaves one result, it is the interpreter's.

  tests/fuzz/vectors_test.py [--build build] [--count N] [--seed S] [--forms few|all]

N kernels (default 150) of some 5,000, others each time; --seed takes the same again. --forms all: at every usual
width, with LLVM's optimisations. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, random, shutil, struct, subprocess, sys, tempfile

import few
from engine import Engine, Failure
from first_seed import first_seed
from random_module import Launch

ITEMS, WIDTHS, SIZES = 37, [1, 4, 8, 16, 32], [2, 3, 4, 8, 16]
BYTES = {'char': 1, 'uchar': 1, 'short': 2, 'ushort': 2, 'int': 4, 'uint': 4, 'long': 8, 'ulong': 8, 'half': 2, 'float': 4, 'double': 8}
FLOATS = {'half': ('e', 'short'), 'float': ('f', 'int'), 'double': ('d', 'long')}  # as struct has it, what comparisons give

EXACT = ['fabs(x)', 'floor(x)', 'ceil(x)', 'trunc(x)', 'rint(x)', 'round(x)', 'sign(x)', 'fmax(x, y)', 'fmin(x, y)', 'copysign(x, y)',
         'fdim(x, y)', 'nextafter(x, y)', 'maxmag(x, y)', 'minmag(x, y)', 'fma(x, y, z)', 'step(x, y)', 'x + y', 'x - y', 'x * y', '-x',
         'x < y ? x : z', 'fmax(fmin(x * y + z, x), -y)']
CLOSE = ['x / y', 'sqrt(x)', 'rsqrt(x)', 'exp(x)', 'exp2(x)', 'log(x)', 'log2(x)', 'sin(x)', 'cos(x)', 'tan(x)', 'sinh(x)', 'tanh(x)',
         'asin(x)', 'acos(x)', 'atan(x)', 'cbrt(x)', 'erf(x)', 'lgamma(x)', 'degrees(x)', 'fmod(x, y)', 'pow(x, y)', 'atan2(x, y)',
         'hypot(x, y)', 'remainder(x, y)', 'mad(x, y, z)', 'mix(x, y, z)', 'smoothstep(x, y, z)']
WHOLE = ['popcount(x)', 'clz(x)', 'max(x, y)', 'min(x, y)', 'add_sat(x, y)', 'sub_sat(x, y)', 'hadd(x, y)', 'rhadd(x, y)', 'mul_hi(x, y)',
         'rotate(x, y)', 'mad_hi(x, y, z)', 'mad_sat(x, y, z)', 'bitselect(x, y, z)', 'x + y', 'x - y', 'x * y', 'x / (y & (T)63 | (T)1)',
         'x % (y & (T)63 | (T)1)', 'x & y', 'x | y', 'x ^ y', 'x << y', 'x >> y', '~x', 'x < y ? x : z']


class Kernel:
    def __init__(self, type, size, expression, result=None, is_exact=True):
        self.type, self.size, self.result, self.is_exact = type, size, result or type, is_exact
        self.expression = expression.replace('T', '%s%d' % (type, size))
        self.is_packed = False

    def __str__(self):
        return '%s of %s%d%s' % (self.expression, self.type, self.size, ' by vloadn' if self.is_packed else '')

    def components(self):
        """Of a vector in memory."""
        return 4 if self.size == 3 and not self.is_packed else self.size

    def source(self, name):
        n, vectors = self.size, '' if self.is_packed else str(self.size)
        load = '%s%d {0} = ' % (self.type, n) + ('vload%d(i, p{0}); ' % n if self.is_packed else 'p{0}[i]; ')
        store = 'vstore%d(%s, i, out)' % (n, self.expression) if self.is_packed else 'out[i] = ' + self.expression
        return 'kernel void %s(%sglobal %s%s *restrict out)\n{ size_t i = get_global_id(0); %s%s; }\n' % (
            name, ''.join('global const %s%s *restrict p%s, ' % (self.type, vectors, x) for x in 'xyz'), self.result, vectors,
            ''.join(load.format(x) for x in 'xyz'), store)

    def launch(self, seed):
        values = ITEMS * self.components()
        given = [(BYTES[self.type], values, seed + k) for k in range(3)]
        return Launch([ITEMS], [ITEMS], given + [(BYTES[self.result], values, None)])

    def values(self, data):
        """What is compared: components that exist, all NaNs alike."""
        size = BYTES[self.result]
        parts = [data[k:k + size] for k in range(0, len(data), size)]
        if self.components() != self.size:
            parts = [p for k, p in enumerate(parts) if k % 4 < 3]
        if self.result in FLOATS:
            parts = ['NaN' if x != x else p for p in parts for x in struct.unpack('<' + FLOATS[self.result][0], p)]
        return parts


def every_kernel():
    for t in BYTES:
        comparison = FLOATS[t][1] if t in FLOATS else t.lstrip('u')
        for n in SIZES:
            yield Kernel(t, n, 'x < y', comparison)
            for to in BYTES:
                if to != t:
                    yield Kernel(t, n, 'convert_%s%d%s(x)' % (to, n, '' if to in FLOATS else '_sat'), to)
            if t in FLOATS:
                yield Kernel(t, n, 'isnan(x)', comparison)
                yield from (Kernel(t, n, e) for e in EXACT)
                yield from (Kernel(t, n, e, is_exact=False) for e in CLOSE)
            else:
                yield Kernel(t, n, 'abs_diff(x, y)', 'u' + comparison)
                yield from (Kernel(t, n, e) for e in WHOLE)


def module(o, kernels):
    text = '#pragma OPENCL FP_CONTRACT OFF\n' + ''.join(k.source('k%d' % n) for n, k in enumerate(kernels))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'vectors')
        with open(path + '.cl', 'w') as out:
            out.write(text)
        subprocess.run([os.path.join(o.build, 'heddle'), 'link', path + '.cl', '-o', path + '.spv'], check=True)
        with open(path + '.spv', 'rb') as words:
            return words.read()


def judge(engine, program, name, kernel, seed, widths):
    """None, or what is wrong."""
    launch = kernel.launch(seed)
    try:
        want = kernel.values(engine.run(program, launch, 8, interpreted=True, kernel=name)[3])
        for width in widths:
            got = kernel.values(engine.run(program, launch, width, kernel=name)[3])
            if kernel.is_exact and got != want:
                at = next(k for k in range(len(want)) if want[k] != got[k])
                return 'at width %d component %d is %s, not %s' % (width, at, got[at], want[at])
    except Failure as e:
        return str(e)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=150)
    parser.add_argument('--seed', type=int, default=first_seed(1 << 24))
    parser.add_argument('--forms', choices=['few', 'all'], default='few')
    o = parser.parse_args()
    if not shutil.which(os.environ.get('HEDDLE_CLANG', 'clang-22')):
        print('0 passed, 0 failed, 1 skipped')
        return 0
    choice = random.Random(o.seed)
    print('--seed %d' % o.seed, flush=True)
    kernels = choice.sample(list(every_kernel()), o.count)
    for k in kernels:
        k.is_packed = choice.random() < 0.5
    engine, failed = Engine(o.build), 0
    words = module(o, kernels)
    slow, quick = few.open_quick(engine, words, False), few.open_quick(engine, words, True)
    for n, k in enumerate(kernels):
        is_few, seed = o.forms == 'few', o.seed + n
        widths = few.widths_of(random.Random(seed), WIDTHS) if is_few else few.usual(WIDTHS)
        what = judge(engine, quick if is_few and few.is_quick(seed) else slow, 'k%d' % n, k, seed, widths)
        if what:
            failed += 1
            print('FAILED %s: %s' % (k, what), flush=True)
    print('%d passed, %d failed, 0 skipped' % (len(kernels) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
