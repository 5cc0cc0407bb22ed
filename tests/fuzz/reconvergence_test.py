#!/usr/bin/env python3
"""Where invocations come together: random shaders with MaximallyReconvergesKHR (random_reconvergence.py), whose operations of
sub-groups tell who takes part, at every width, linearised and dispatched, with functions inlined and called, and interpreted.

  tests/fuzz/reconvergence_test.py [--build build] [--count N] [--seed S] [--forms one|all] [--jobs N] [--keep DIR]

Each width is compiled in one of its forms, which the seed chooses; --forms all: in all. Each run takes new seeds, and prints the first; --seed makes it again. Shaders that leave something else than the model says are
written to DIR (default: BUILD/reconvergence). Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, random, shutil, struct, subprocess, sys, tempfile

from batches import add_options, begin, done, keep, run_all, running
from engine import Engine, Failure
from random_reconvergence import MODE, ROOM, Shader

INTERPRETED = dict(interpreted=True)
WAYS = [dict(dispatch=d, calls=c) for d in (False, True) for c in (False, True)]
WIDTHS = [1, 4, 8, 16, 32]


def assembly(shader, folder):
    path = os.path.join(folder, 's.comp')
    with open(path, 'w') as out:
        out.write(shader.glsl())
    text = subprocess.run(['glslc', '--target-env=vulkan1.2', '-O0', '-S', path, '-o', '-'], stdout=subprocess.PIPE, text=True, check=True).stdout
    text = text.replace('          %1 = OpExtInstImport', MODE[0] + '          %1 = OpExtInstImport', 1)
    return text.replace('               OpSource', MODE[1] + '               OpSource', 1)


def command(width, interpreted=False, dispatch=False, calls=False):
    return 'heddle run FILE --groups 1 --bind 0.0=u32[65536]=zeros --push u32=1 --width %d%s%s%s' % (
        width, ' --engine interpreted' * interpreted, ' --dispatch' * dispatch, ' --calls' * calls)


def difference(want, got):
    at = next(i for i, (a, b) in enumerate(zip(want, got)) if a != b)
    return 'invocation %d, value %d: expected %#x, got %#x' % (at // ROOM, at % ROOM, want[at], got[at])


def compared(engine, program, shader, forms):
    """[(command, what)] of each run that leaves something else."""
    choice, found = random.Random(shader.number), []
    for width in WIDTHS:
        want = shader.left(width)
        for way in [INTERPRETED, *(WAYS if forms == 'all' else [choice.choice(WAYS)])]:
            running(command(width, **way))
            try:
                bytes_ = engine.dispatch(program, {(0, 0): bytes(4 * len(want))}, [1, 1, 1], width, push=struct.pack('<I', 1), **way)[0, 0]
            except Failure as e:
                found.append((command(width, **way), 'refused: %s' % e))
                continue
            got = list(struct.unpack('<%dI' % len(want), bytes_))
            if got != want:
                found.append((command(width, **way), difference(want, got)))
    return found


def judge_batch(o):
    engine = Engine(o.build)
    with tempfile.TemporaryDirectory() as folder:
        for number in o.numbers:
            begin(number)
            shader = Shader(number)
            text = assembly(shader, folder)
            program = engine.open(engine.assemble(text))
            found = compared(engine, program, shader, o.forms)
            engine.close(program)
            done(number, None, found, text)


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument('--kinds', type=lambda s: s.split(','), default=['reconvergence'])
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--forms', choices=['one', 'all'], default='one')
    o = parser.parse_args()
    if o.work:
        return judge_batch(o)
    if shutil.which('glslc') is None:
        print('skipped: needs glslc')
        print('0 passed, 0 failed, %d skipped' % o.count)
        return 0
    o.keep = o.keep or os.path.join(o.build, 'reconvergence')
    return run_all(o, __file__, 4, ['--forms', o.forms], lambda kind, n: Shader(n).glsl(),
                   lambda kind, number, found, text, want: keep(o.keep, 's%d.spvasm' % number, found, text, ''))


if __name__ == '__main__':
    sys.exit(main())
