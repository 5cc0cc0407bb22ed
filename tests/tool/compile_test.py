#!/usr/bin/env python3
"""heddle compile: what it writes, where to, and what it refuses; versions and options that all commands have. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import os
import re
import subprocess
import sys

import harness

SOURCE = '''#ifndef FACTOR
#define FACTOR 2
#endif
kernel void k(global float *x) { x[get_global_id(0)] *= FACTOR; }
'''
TEMPLATE = '''template<class T> T next(T a) { return a + 1; }
kernel void k(global float *x) { x[get_global_id(0)] = next(x[get_global_id(0)]); }
'''
# A table of pointers, objects whose type C does not have: what is repaired on the way from source, in the module that is written.
TABLE = '''constant int a[3] = {1, 2, 3}, b[2] = {5, 6};
constant int *constant t[] = {a + 1, b};
kernel void k(global float *x) { x[get_global_id(0)] += t[get_global_id(0) & 1][0]; }
'''


def check_output(t):
    source = t.path('s.cl', SOURCE)
    t.check(t.run('compile', source) == (0, '', ''), 'nothing is said')
    t.check(runs(t, t.path('s.spv')) == '0, 2, 4, 6', 'FILE.cl becomes FILE.spv')
    t.check(t.run('compile', '-S', source)[0] == 0 and runs(t, t.path('s.spvasm')) == '0, 2, 4, 6', '-S: FILE.spvasm, which runs')
    code, out, _ = t.run('compile', '-S', '-o', '-', source)
    t.check(code == 0 and out.startswith('; SPIR-V\n'), '-o -')
    for options in (['-DFACTOR=3'], ['--cl', '-DFACTOR=3', '--cl', '-cl-std=CL3.0'], ['-D', 'FACTOR=3'],
                    ['-D', 'FACTOR=3', '-cl-std=CL3.0', '-cl-opt-disable'], ['-I', t.folder, '-DFACTOR=3', '-g']):
        t.check(t.run('compile', *options, source, '-o', t.path('o.spv'))[0] == 0 and runs(t, t.path('o.spv')) == '0, 3, 6, 9', options)
    p = subprocess.run([t.heddle, 'compile', '-', '-DFACTOR=4'], input=SOURCE, text=True, capture_output=True, cwd=t.folder)
    t.check(p.returncode == 0 and runs(t, t.path('out.spv')) == '0, 4, 8, 12', f'standard input becomes out.spv: {p}')
    template = t.path('c.clcpp', TEMPLATE)
    t.check(t.run('compile', template)[0] == 0 and runs(t, t.path('c.spv')) == '1, 2, 3, 4', '.clcpp is C++')
    t.check(t.run('compile', t.path('t.cl', TABLE))[0] == 0 and runs(t, t.path('t.spv')) == '2, 6, 4, 8', 'what sources have repaired')


def runs(t, module):
    code, out, err = t.run('run', module, '--global', '4', '--arg', 'f32[4]=range')
    return out.strip().split(' = ')[-1] if code == 0 else err


def check_refused(t):
    def refused(code, said, *args):
        got, out, err = t.run('compile', *args)
        t.check(got == code and said in err and out == '', f'compile {args}: {got}, {err}')

    wrong = t.path('w.cl', 'kernel void k(global int *x) { int }\n')
    refused(1, 'w.cl:1:', wrong)
    t.check(not os.path.exists(t.path('w.spv')), 'nothing is written for what is wrong')
    refused(1, "'-cl-std=CL9' names no version", '-cl-std=CL9', t.path('s.cl'))
    refused(2, 'a file is missing')
    refused(2, 'unknown option --bogus', '--bogus', t.path('s.cl'))
    refused(2, 'a value is missing after -D', t.path('s.cl'), '-D')
    refused(2, 'unexpected argument', t.path('s.cl'), t.path('w.cl'))
    refused(3, 'nowhere.cl', t.path('nowhere.cl'))
    refused(3, '/dev/full', t.path('s.cl'), '-o', '/dev/full')
    refused(3, t.folder, t.path('s.cl'), '-o', t.folder)
    refused(3, t.folder, t.folder)
    refused(3, '/dev/full', t.path('s.cl'), '-S', '-o', '/dev/full')
    refused(3, 'nowhere/o.spv', t.path('s.cl'), '-o', t.path('nowhere/o.spv'))
    for name, said in (('a.comp', 'GLSL'), ('a.hlsl', 'HLSL'), ('a.spvasm', 'heddle as'), ('a.spv', 'heddle dis')):
        refused(2, said, t.path(name, ''))
    code, _, err = t.run('as', t.path('s.cl'))
    t.check(code == 1 and 'heddle compile' in err, f'as of OpenCL C: {err}')


def check_versions(t):
    """The version that a text names stays, unless another is requested."""
    for minor in range(7):
        text = t.path('v.spvasm', f'; SPIR-V\n; Version: 1.{minor}\n; Generator: x; 0\nOpCapability Kernel\n')
        t.check(t.run('as', text, '-o', t.path('v.spv'))[0] == 0, 'assembles')
        t.check(f'; Version: 1.{minor}\n' in t.run('dis', t.path('v.spv'))[1], f'1.{minor} is kept')
        for option in ('--target-env', '--env'):
            t.run('as', text, option, 'spv1.2', '-o', t.path('v.spv'))
            t.check('; Version: 1.2\n' in t.run('dis', t.path('v.spv'))[1], f'{option} is stronger')
    for header, version, told in (('; SPIR-V\r\n; Version: 1.0\r\n', '1.0', ''), (';x\n\n; SPIR-V\n; Generator: x\n ; Version: 1.3 \n', '1.3', ''),
                                  ('; Version: 1.2\n', '1.6', ''), ('OpNop\n; SPIR-V\n; Version: 1.2\n', '1.6', ''),
                                  ('; SPIR-V\n; Version: 1.9\n', '1.6', "<stdin>:2:1: warning: '1.9' is no version of SPIR-V"),
                                  ('; SPIR-V\n; Version: 1.22\n', '1.6', "warning: '1.22' is no version of SPIR-V")):
        code, _, err = t.run('as', '-', '-o', t.path('v.spv'), stdin=header + 'OpCapability Kernel\n')
        made = t.run('dis', t.path('v.spv'))[1]
        t.check(code == 0 and f'; Version: {version}\n' in made and (told in err if told else err == ''), f'{header!r}: {err} {made}')
    done = t.run('as', '-', '-o', t.path('v.spv'), stdin='; SPIR-V\n; Version: 1.2')
    t.check(done == (0, '', '<stdin>: warning: the text has no instruction [as.empty]\n'), f'as of nothing: {done}')
    said = t.run('--version')[1]
    for words in (['-V'], ['version'], ['val', '--version'], ['dis', '-V']):
        t.check(t.run(*words) == (0, said, ''), words)
    t.check(re.match(r'heddle \d+\.\d+\.\d+ \(.*LLVM.*\)\ndevice: .+, \d+ threads?.*\n(git: \S+\n)?$', said), said)
    for words in (['--version', '-q'], ['-V', '--quiet'], ['version', '-q']):
        t.check(t.run(*words) == (0, said.splitlines()[0] + '\n', ''), words)
    bad = t.path('b.spvasm', 'OpCapability Kernel\nOpCapability Linkage\nOpMemoryModel Logical Simple\n' * 2)
    t.check(t.run('val', '-q', bad) == t.run('val', '--quiet', bad), 'val -q')
    t.check(t.run('val', '--max-errors', '1', bad) == t.run('val', '--limit', '1', bad), 'val --max-errors')


with harness.Tool() as t:
    check_output(t)
    check_refused(t)
    check_versions(t)
sys.exit(t.end())
