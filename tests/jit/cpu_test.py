#!/usr/bin/env python3
"""Is code chosen for the processor that HEDDLE_CPU names, and kept apart in the cache?

Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools'))
import processor

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
build = os.path.abspath(parser.parse_args().build)
if shutil.which('clang-22') is None or os.uname().machine != 'x86_64':
    print('0 passed, 0 failed, 1 skipped')
    raise SystemExit
folder = tempfile.mkdtemp()
counts = {True: 0, False: 0}
SOURCE = '''kernel void copy(global const float *from, global float *to) {
  int i = get_global_id(0);
  vstore8(vload8(i, from), i, to);
}
'''


def check(what, good, shown=''):
    counts[good] += 1
    if not good:
        print('%s: not so\n%s' % (what, shown))


def run(cpu, *options, apart='1'):
    done = subprocess.run([build + '/heddle', 'run', 'k.cl', '--width', '16', *options], cwd=folder, capture_output=True,
                          text=True, timeout=300, env=dict(os.environ, HEDDLE_CACHE_DIR=folder + '/kept', HEDDLE_CPU=cpu,
                                   HEDDLE_APART=apart))
    return done.stdout + done.stderr


def whole_loads(cpu):
    """Offsets of the wide loads without a mask, in the order of the code."""
    loads = re.findall(r'\tvmov[a-z0-9]+\t(-?\d*)\((?!%rsp)[^)]*\), %zmm\d+$', run(cpu, '--dump', 'asm'), re.M)
    return [int(at or 0) for at in loads[:16]]


STREAMS = {  # whether it stores past the caches what it does not read
    'kernel void k(global const float *a, global float *b) { int i = get_global_id(0); b[i] = a[i] * 2.0f; }': True,
    'kernel void k(global const float *a, global float *b) { int i = get_global_id(0); b[i] += a[i]; }': False,
    'kernel void k(global float *a, global float *b) { int i = get_global_id(0); b[i] = a[i]; a[i] = 0.0f; }': True,
    'kernel void k(global int *a, global int *b) { int i = get_global_id(0); b[i] = i; atomic_inc(a); }': True,
    'kernel void k(global int *a, global int *b) { int i = get_global_id(0); b[i] = i; barrier(3); b[i ^ 1] = i; }': False,
    'kernel void k(global int *b, int n) { for (int i = get_global_id(0); i < n; i += get_global_size(0)) b[i] = 7; }': False}


def streams(source, cpu):
    with open(folder + '/k.cl', 'w') as file:
        file.write(source)
    return '\tvmovnt' in run(cpu, '--dump', 'asm', apart='2')


def kept():
    return sum(len(files) for _, _, files in os.walk(folder + '/kept'))


def lanes(source, cpu):
    """How many lanes the code has that is made of a source."""
    with open(folder + '/k.cl', 'w') as file:
        file.write(source)
    return re.findall(r'^kernel .* width (\d+)', run(cpu, '--dump', 'lanes'), re.M)


# Gathers and little else: Zen 4 loads one number after the other as soon as sixteen.
CHAINS = '''kernel void chains(global const uint *probe, global const int *heads, global const int *next,
                   global const uint *keys, global const int *payload, global int *out) {
  int i = get_global_id(0), sum = 0;
  uint key = probe[i];
  for (int node = heads[(key * 2654435761u) >> 20]; node >= 0; node = next[node])
    if (keys[node] == key)
      sum += payload[node];
  out[i] = sum;
}
'''
check('Zen 4: lists item by item', lanes(CHAINS, 'znver4') == ['1'], lanes(CHAINS, 'znver4'))
check('a Xeon: lists in lanes', lanes(CHAINS, 'icelake-server') != ['1'], lanes(CHAINS, 'icelake-server'))
# Sixteen bytes behind an index of each lane's own: four gathers, or a load of each lane, which it is on both where they
# are not taken apart.
POINTS = '''kernel void points(global const float4 *a, global const int *x, global float%s *o) {
  int i = get_global_id(0);
  o[i] = %s;
}
'''


def gathers(size, value):
    with open(folder + '/k.cl', 'w') as file:
        file.write(POINTS % (size, value))
    return [run(cpu, '--dump', 'asm').count('gather') for cpu in ('znver4', 'znver5', 'icelake-server')]


found = gathers('', 'dot(a[x[i]], a[x[i]])')
check('Zen 4 and 5: sixteen bytes of each lane without gathers', found[:2] == [0, 0] and found[2] >= 4, found)
found = gathers('4', 'a[x[i]] * 2.f')
check('sixteen bytes of each lane as they are', found == [0, 0, 0], found)
# Rows of doubles: one load of each lane for two neighbours, not a gather for each.
ROWS = '''kernel void rows(global const double *a, global double *o) {
  int i = get_global_id(0);
  double sum = 0;
  for (int k = 0; k < 30; k++)
    sum += a[i * 30 + k];
  o[i] = sum;
}
'''
check('Zen 4: rows in lanes', lanes(ROWS, 'znver4') != ['1'], lanes(ROWS, 'znver4'))
# Rows that are gone along once: sixteen that are a power of two apart evict each other, eight do not.
PREFIXES = '''kernel void prefixes(global const float *a, global float *o, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++)
    o[i * n + k] = sum += a[i * n + k];
}
'''
found = [lanes(PREFIXES, cpu) for cpu in ('znver4', 'znver5', 'icelake-server')]
check('Zen 4 and 5: eight rows at a time', found == [['8'], ['8'], ['16']], found)
# Sixteen additions to local memory at addresses out of registers are taken for one another's there.
COUNTS = '''kernel void counts(global const uchar *from, global uint *to) {
  local uint h[256];
  int t = get_local_id(0);
  h[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&h[from[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  to[t] = h[t];
}
'''
ADDITION = r'\t(?:inc|add)l\t.*\(%r'
with open(folder + '/k.cl', 'w') as file:
    file.write(COUNTS)
additions = [len(re.findall(ADDITION, run(cpu, '--dump', 'asm'))) for cpu in ('znver4', 'znver5', 'icelake-server')]
check('Zen 4: additions to local memory in a loop', additions[0] < 8 and min(additions[1:]) >= 16, additions)
# Code for a processor that has more than this one is made, and not run.
other = 'znver4' if not processor.has('avx512') else 'sapphirerapids' if not processor.has('avx512_fp16') else None
with open(folder + '/k.cl', 'w') as file:
    file.write(SOURCE)
if other is not None:
    found = run(other, '--global', '16', '--arg', 'f32[128]=range', '--arg', 'f32[128]=zeros')
    check('another processor: said, not run', '[launch.processor]' in found and 'lacks AVX' in found, found)
    check('another processor: looked at', '\tvmov' in run(other, '--dump', 'asm'))
    check('another processor: interpreted', 'error' not in
          run(other, '--global', '16', '--arg', 'f32[128]=range', '--arg', 'f32[128]=zeros', '--engine', 'interpreted'))
with open(folder + '/k.cl', 'w') as file:
    file.write(SOURCE)
# Zen 4's memory wants to be read upwards: 64 floats for each fence, and between them no other order.
zen = whole_loads('znver4')
check('Zen 4: blocks of 256 bytes upwards', len(zen) >= 8 and max(zen[:4]) < min(zen[4:8]), zen)
check('a Xeon: one load', 'fence syncscope' not in run('icelake-server', '--dump', 'llvm'))
for source, is_stream in STREAMS.items():
    check('Zen 4: %s%s' % ('' if is_stream else 'not ', source), streams(source, 'znver4') == is_stream)
    check('Zen 5: %s%s' % ('' if is_stream else 'not ', source), streams(source, 'znver5') == is_stream)
    check('a Xeon: ' + source, not streams(source, 'icelake-server'))
with open(folder + '/k.cl', 'w') as file:
    file.write(SOURCE)
if all(map(processor.has, ('avx512_vnni', 'avx512_bitalg', 'avx512_vbmi2'))):
    # Sub-groups that are cut need code that the dumps above have not left in the cache.
    arguments = ['--global', '44', '--arg', 'f32[352]=range', '--arg', 'f32[352]=zeros', '--print', '1']
    shown = [(run(cpu, *arguments), kept()) for cpu in ('znver4', 'znver4', 'icelake-server', 'icelake-server')]
    check('all the same', len({text for text, _ in shown}) == 1 and '350, 351' in shown[0][0], shown)
    check('one more for another processor', shown[0][1] == shown[1][1] < shown[2][1] == shown[3][1], shown)
shutil.rmtree(folder)
print('%d passed, %d failed, 0 skipped' % (counts[True], counts[False]))
raise SystemExit(counts[False] != 0)
