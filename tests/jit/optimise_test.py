#!/usr/bin/env python3
"""Does HEDDLE_OPTIMISE=0 compile without LLVM's optimisations, with the same results, and apart from the other code in the cache?

Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, subprocess, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
build = os.path.abspath(parser.parse_args().build)
counts = {True: 0, False: 0}
# Each work-item's sum over a row, its logarithm, and what the neighbour wrote before a barrier.
MODULE = '''kernel void k(global const float *a, global float *o) {
  local float s[64];
  int i = get_global_id(0), l = get_local_id(0);
  float sum = 0;
  for (int k = 0; k < 4 + (i & 3); k++)
    if (a[i + k] > 3.0f)
      sum += a[i + k];
  s[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i] = log(1.0f + s[l ^ 1]) + sum;
}
'''


def check(what, good, shown=''):
    counts[good] += 1
    if not good:
        print('%s: not so\n%s' % (what, shown))


with tempfile.TemporaryDirectory() as folder:
    def heddle(optimise, *options):
        done = subprocess.run([build + '/heddle', *options], cwd=folder, capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, HEDDLE_CACHE_DIR=folder + '/kept', HEDDLE_OPTIMISE=optimise))
        return done.stdout + done.stderr

    def run(optimise, *options):
        return heddle(optimise, 'run', 'k.spv', '--global', '64', '--local', '64', '--arg', 'f32[72]=range', '--arg', 'f32[64]=zeros',
                      '--print', '1', *options)

    def kept():
        return sum(len(files) for _, _, files in os.walk(folder + '/kept'))

    with open(folder + '/k.cl', 'w') as file:
        file.write(MODULE)
    text = heddle('1', 'compile', 'k.cl', '-o', 'k.spv')
    if not os.path.exists(folder + '/k.spv'):  # no clang
        print(text, '0 passed, 0 failed, 1 skipped', sep='\n')
        raise SystemExit
    before = kept()
    shown = [(run(o), kept()) for o in ('1', '1', '0', '0')]
    check('all the same', len({text for text, _ in shown}) == 1 and '2.3025851, 9,' in shown[0][0], shown)
    check('code of its own in the cache', before < shown[0][1] == shown[1][1] < shown[2][1] == shown[3][1], (before, shown))
    for width in ('1', '4', '8', '16', '32'):
        for flags in ([], ['--dispatch'], ['--fibers']):
            both = [run(o, '--width', width, *flags) for o in '10']
            check('width %s %s: all the same' % (width, flags), both[0] == both[1], both)
    loads = [run(o, '--dump', 'llvm').count(' alloca ') for o in '10']
    check('variables stay in memory', loads[0] < loads[1], loads)
print('%d passed, %d failed, 0 skipped' % (counts[True], counts[False]))
raise SystemExit(counts[False] != 0)
