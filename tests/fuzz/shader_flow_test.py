#!/usr/bin/env python3
"""Random compute shaders (random_shader.py): glslc compiles them, optimised and not; Heddle compiles those for every width, linearised
and dispatched, with functions inlined and called, and interprets them. gcc judges the same text, invocation by invocation; shaders with
operations of sub-groups, the interpreter at the same width.

  tests/fuzz/shader_flow_test.py [--build build] [--kinds tree,barriers,subgroups,both] [--count N] [--seed S] [--forms few|one|all] [--jobs N]
    [--keep DIR]

--count is of shaders of each kind. The seed chooses as in flow_test.py; --forms one: all widths, in one form each, optimised by glslc and
not; --forms all: in all forms. Each run takes new seeds, and prints the first; --seed makes it again. Shaders that are not defined count as skipped. Those with another result
are written to DIR (default: BUILD/shaders), as GLSL, with the commands that show it. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, random, shutil, struct, subprocess, sys, tempfile

import few
from batches import add_options, begin, done, keep, run_all, running
from engine import Engine, Failure, random_bytes
from judge import Judge
from random_shader import C_HEAD, KINDS, PER, SOURCE, SUMS

WIDTHS = [1, 4, 8, 16, 32]
LEVELS = [['-O'], ['-O0']]
TARGETS = ['vulkan1.1', 'vulkan1.2', 'vulkan1.3']
WAYS = [dict(dispatch=d, calls=c) for d in (False, True) for c in (False, True)]
BATCH = 8


def module_of(k, level, folder):
    """The words that glslc makes of a shader; None where its optimiser ends by a signal, as that of 2023.1 does at times."""
    path = os.path.join(folder, 'k%d' % k.number)
    with open(path + '.comp', 'w') as out:
        out.write(k.glsl())
    target = '--target-env=' + TARGETS[k.number % len(TARGETS)]
    made = subprocess.run(['glslc', target, *level, path + '.comp', '-o', path + '.spv'], stdout=subprocess.PIPE)
    if made.returncode < 0 and level == ['-O']:
        return None
    made.check_returncode()
    with open(path + '.spv', 'rb') as f:
        return f.read()


def buffers_of(k):
    return {(0, 0): random_bytes(4, SOURCE, k.number), (0, 1): bytes(4 * (PER * k.total + SUMS))}


def command(k, level, width, quick=False, interpreted=False, dispatch=False, calls=False):
    """What shows a run of FILE, the text that is kept."""
    target = TARGETS[k.number % len(TARGETS)]
    return ('glslc --target-env=%s %s -fshader-stage=compute FILE -o s.spv && %sheddle run s.spv --groups %d --bind 0.0=u32[%d]=random:%d --bind 0.1=u32[%d]=zeros '
            '--push %s --print 0.1 --threads 1 --width %d%s%s%s' % (
                target, level[0], 'HEDDLE_OPTIMISE=0 ' * quick, k.groups, SOURCE, k.number, PER * k.total + SUMS, ','.join('u32=%d' % n for n in k.push), width,
                ' --engine interpreted' * interpreted, ' --dispatch' * dispatch, ' --calls' * calls))


def difference(want, got):
    a, b = (struct.unpack('<%dI' % (len(x) // 4), x) for x in (want, got))
    at = next(n for n, (x, y) in enumerate(zip(a, b)) if x != y)
    return 'element %d: expected %d, got %d (%d differ)' % (at, a[at], b[at], sum(x != y for x, y in zip(a, b)))


def compared(engine, words, k, level, want, forms):
    """[(command, what)] of each run with another result. want: none: what the interpreter says at each width."""
    choice, found, buffers = random.Random('%d%s' % (k.number, level)), [], buffers_of(k)
    quick = forms != 'all' and few.is_quick(k.number)
    program, push = few.open_quick(engine, words, quick), struct.pack('<4I', *k.push)
    widths = few.widths_of(choice, WIDTHS) if forms == 'few' else WIDTHS

    def run(width, expected, **way):
        line = command(k, level, width, quick, **way)
        running(line)
        try:
            got = engine.dispatch(program, buffers, [k.groups, 1, 1], width, push=push, **way)[0, 1]
        except Failure as e:
            return found.append((line, 'refused: %s' % e))
        if expected is not None and got != expected:
            found.append((line, difference(expected, got)))
        return got

    for width in widths:
        first = run(width, want, interpreted=True) if want is None or width == widths[k.number % len(widths)] else None
        for way in WAYS if forms == 'all' else [choice.choice(WAYS)]:
            run(width, want if want is not None else first, **way)
    engine.close(program)
    return found


def judged(made, folder):
    """{number: (right values, why there are none)}"""
    made = [k for k in made if not k.subgroups]
    if not made:
        return {}
    with Judge(C_HEAD + ''.join(k.c() for k in made), ['k%d' % k.number for k in made], folder) as judge:
        return {k.number: judge.run('k%d' % k.number, k.total, k.local, random_bytes(4, SOURCE, k.number), len(buffers_of(k)[0, 1])) for k in made}


def judge_batch(o):
    """The work of a process. A shader that does not end, ends it."""
    made, engine = [KINDS[o.kinds[0]](n) for n in o.numbers], Engine(o.build)
    with tempfile.TemporaryDirectory() as folder:
        wants = judged(made, folder)
        for k in made:
            begin(k.number)
            want, why = wants.get(k.number, (None, None))
            if why:
                done(k.number, why)
                continue
            found = []
            for level in few.levels_of(k.number, LEVELS) if o.forms == 'few' else LEVELS:
                words = module_of(k, level, folder)
                if words is not None:
                    found += compared(engine, words, k, level, want, o.forms)
            right = want and ','.join(map(str, struct.unpack('<%dI' % (len(want) // 4), want)))
            done(k.number, None, found, k.glsl(), right or '')


def complain(o, kind, number, found, text, want):
    keep(o.keep, '%s_%d.comp' % (kind, number), found, text, want and 'What gcc says binding 0.1 is: u32[%d] = %s' % (want.count(',') + 1, want))


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument('--kinds', type=lambda s: s.split(','), default=list(KINDS))
    parser.add_argument('--count', type=int, default=25)
    parser.add_argument('--forms', choices=['few', 'one', 'all'], default='few')
    o = parser.parse_args()
    if o.work:
        return judge_batch(o)
    if shutil.which('glslc') is None:
        print('skipped: needs glslc')
        print('0 passed, 0 failed, %d skipped' % (o.count * len(o.kinds)))
        return 0
    o.keep = o.keep or os.path.join(o.build, 'shaders')
    return run_all(o, __file__, BATCH, ['--forms', o.forms], lambda kind, n: KINDS[kind](n).glsl(), lambda *told: complain(o, *told))


if __name__ == '__main__':
    sys.exit(main())
