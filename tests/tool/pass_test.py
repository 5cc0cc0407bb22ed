#!/usr/bin/env python3
"""What is seen of passes over lane IR: --dump after:PASS, HEDDLE_PASS_LIMIT, HEDDLE_VERIFY, tools/bisect_pass.py;
and which forms of a kernel are compared: --dump forms.

Ends with a line of counts. [--build FOLDER]
SPDX-License-Identifier: MIT
"""
import json
import os
import re
import subprocess
import sys

import harness

sys.path.insert(0, os.path.join(harness.ROOT, 'tools'))
import passes_md
import processor

KERNEL = '''kernel void k(global uint *x) {
  size_t i = get_global_id(0);
  uint s = 0;
  for (uint n = 0; n < 200; n++) s += x[i] / 7 + n * x[i + 1];
  x[i] = s;
}
'''
SOURCE = []


def dump(t, stages, **env):
    os.environ.update(env)
    try:
        return t.run('run', SOURCE[0], 'k', '--dump', stages)
    finally:
        for name in env:
            del os.environ[name]


def check_dump(t):
    for name in ('sroa', 'licm', 'inline', 'widen'):
        code, out, err = dump(t, 'after:' + name)
        heads = re.findall(r'^; after (\w+), pass \d+$', out, re.M)
        t.check(code == 0 and heads and set(heads) == {name}, f'after:{name}: {code} {out[:200]} {err}')
    code, out, _ = dump(t, 'after:licm,lanes')
    t.check(code == 0 and '; after licm' in out and len(out) > len(dump(t, 'lanes')[1]), 'after:licm beside lanes')
    t.check('; after' not in dump(t, 'lanes')[1], 'lanes alone has no pass')
    for name, *_ in passes_md.rows('(?:OWN_)?PASS'):
        t.check(dump(t, 'after:' + name)[0] == 0, f'after:{name} is known')
    t.check(dump(t, 'after:')[0] == 2 and dump(t, 'after:no')[0] == 2 and dump(t, 'licm')[0] == 2, 'what is no pass')


def check_limit(t):
    counts = []
    for limit in ('0', '1', '40', '100000'):
        trace = t.path('trace.json')
        code, out, err = dump(t, 'ir', HEDDLE_PASS_LIMIT=limit, HEDDLE_TRACE=trace)
        runs = [e for e in json.load(open(trace)) if e.get('cat') == 'pass']
        numbered = [e['args']['number'] for e in runs if 'number' in e['args']]
        t.check(code == 0 and numbered == list(range(1, len(numbered) + 1)), f'limit {limit}: {code} {err} {numbered[:9]}')
        t.check({'inline', 'widen'} <= {e['name'] for e in runs}, 'what is required runs')
        counts.append(len(numbered))
    t.check(counts[:3] == [0, 1, 40] and counts[3] > 50, f'so many passes: {counts}')
    t.check('ALLOCA' in dump(t, 'ir', HEDDLE_PASS_LIMIT='0')[1] and 'ALLOCA' not in dump(t, 'ir')[1], 'promotion is left out')
    # the result is the same, whatever is left out
    run = ['run', SOURCE[0], 'k', '--global', '64', '--arg', 'u32[65]=random:3', '--json']
    want = json.loads(t.run(*run)[1])['args']
    for limit in (0, 3, 7, 20, 45, 90):
        os.environ['HEDDLE_PASS_LIMIT'] = str(limit)
        t.check(json.loads(t.run(*run)[1])['args'] == want, f'the same with {limit} passes')
    del os.environ['HEDDLE_PASS_LIMIT']


def check_skip(t):
    """A pass that is left out runs nowhere, and the result is the same; what is required, or no pass, is another matter."""
    run = ['run', SOURCE[0], 'k', '--global', '64', '--arg', 'u32[65]=random:3', '--json']
    want = json.loads(t.run(*run)[1])['args']
    for skip in ('sroa', 'unroll,licm', 'widen'):
        trace = t.path('trace.json')
        code, out, err = dump(t, 'ir', HEDDLE_PASS_SKIP=skip, HEDDLE_TRACE=trace)
        names = {e['name'] for e in json.load(open(trace)) if e.get('cat') == 'pass'}
        t.check(code == 0 and names.isdisjoint(skip.split(',')) == (skip != 'widen'), f'skip {skip}: {code} {err}')
        os.environ['HEDDLE_PASS_SKIP'] = skip
        t.check(json.loads(t.run(*run)[1])['args'] == want, f'the same without {skip}')
    for skip in ('no', ',sroa', 'licm,sro'):
        code, _, err = dump(t, 'ir', HEDDLE_PASS_SKIP=skip)
        t.check(code != 0 and 'HEDDLE_PASS_SKIP' in err and 'is no pass' in err, f'{skip} is no pass: {code} {err}')
    os.environ.pop('HEDDLE_PASS_SKIP', None)


PRODUCT = '''kernel void product(global float *out, global const float *a, global const float *b, int n) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  out[row * n + column] = sum;
}
'''


def check_shared(t):
    """Forms are made of copies: the kernel is translated, and has its calls inlined, once for all that are compared."""
    source, trace = t.path('product.cl', PRODUCT), t.path('forms.json')
    os.environ.update(HEDDLE_TRACE=trace, HEDDLE_CPU='znver4', HEDDLE_SUBGROUP='16')
    code, out, err = t.run('run', source, 'product', '--dump', 'forms')
    for name in ('HEDDLE_TRACE', 'HEDDLE_CPU', 'HEDDLE_SUBGROUP'):
        del os.environ[name]
    names = [e['name'] for e in json.load(open(trace)) if e.get('cat') in ('build', 'pass')]
    forms = re.findall(r'^;   (as written|\d+ rows): [\d.]+ cycles for a row in lanes(, taken)?$', out, re.M)
    t.check(code == 0 and len(forms) >= 3 and sum(taken != '' for _, taken in forms) == 1, f'forms: {code} {out} {err}')
    t.check(names.count('translate, optimise') == 1, 'one translation')
    t.check(names.count('coarsen') == len(forms), f'a copy for each number of rows, and the last one: {names.count("coarsen")}')
    t.check(names.count('widen') == len(forms) + 1, f'each is widened once, and the last one: {names.count("widen")}')


GROUPS = '''kernel void meet(global float *x, local float *l) {
  int i = get_local_id(0) + 5 * get_local_id(1);
  l[i] = x[get_global_id(0) + 20 * get_global_id(1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0) + 20 * get_global_id(1)] = l[24 - i];
}
'''

def spans(t, source, *args, **env):
    """How often a run translated, and widened."""
    trace = t.path('spans.json')
    os.environ.update(env, HEDDLE_TRACE=trace, HEDDLE_CPU='znver4' if processor.has('avx512_vbmi2') else 'x86-64-v3')
    code, out, err = t.run('run', source, 'meet', '--json', *args)
    for name in ('HEDDLE_TRACE', 'HEDDLE_CPU', *env):
        del os.environ[name]
    names = [e['name'] for e in json.load(open(trace)) if e.get('cat') in ('build', 'pass')]
    return code, out, names.count('translate, optimise'), names.count('widen')


def check_drafts(t):
    """A launch that looks at code for several sizes of sub-groups translates once; what depends on the size is its own."""
    source = t.path('groups.cl', GROUPS)
    code, out, translations, wide = spans(t, source, '--global', '20,20', '--local', '5,5',
                                          '--arg', 'f32[400]=range', '--arg', 'local[100]')
    t.check(code == 0 and translations == 1 and wide >= 2, f'drafts share: {code} {translations} {wide} {out[:200]}')


def check_verify(t):
    t.check(dump(t, 'ir,lanes', HEDDLE_VERIFY='1') == dump(t, 'ir,lanes'), 'verification changes nothing')


def bisect(t, *command):
    p = subprocess.run([sys.executable, os.path.join(harness.ROOT, 'tools/bisect_pass.py'), *command], capture_output=True, text=True)
    return p.returncode, p.stdout, p.stderr


def check_bisect(t):
    # "fails" once no division is left: that is what fold does to constant divisors
    code, out, err = bisect(t, 'sh', '-c', f'{t.heddle} run {SOURCE[0]} k --dump ir | grep -q UDIV')
    m = re.fullmatch(r'pass (\d+): fold of k \(HEDDLE_PASS_LIMIT=(\d+) succeeds, (\d+) fails\)\n', out)
    t.check(code == 0 and m and int(m.group(1)) == int(m.group(3)) == int(m.group(2)) + 1, f'fold is guilty: {code} {out} {err}')
    if m:
        t.check('UDIV' in dump(t, 'ir', HEDDLE_PASS_LIMIT=m.group(2))[1] and 'UDIV' not in dump(t, 'ir', HEDDLE_PASS_LIMIT=m.group(3))[1],
                'and the limits are those')
    code, out, err = bisect(t, 'true')
    t.check(code == 1 and 'nothing to find' in err, f'what succeeds: {code} {err}')
    code, out, err = bisect(t, 'false')
    t.check(code == 1 and 'without passes, too' in err, f'what always fails: {code} {err}')
    t.check(bisect(t)[0] == 2, 'without a command')


def main():
    with harness.Tool() as t:
        os.environ['HEDDLE_CACHE'] = '0'
        source = t.path('k.cl', KERNEL)
        SOURCE.append(t.path('k.spv'))
        t.check(t.run('compile', source, '-o', SOURCE[0], '-cl-opt-disable')[0] == 0, 'compiles')
        check_dump(t)
        check_limit(t)
        check_skip(t)
        check_shared(t)
        check_drafts(t)
        check_verify(t)
        check_bisect(t)
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
