#!/usr/bin/env python3
"""Functions with names of built-ins that one program declares and another defines. [--build FOLDER]

Ends with a line of counts; skipped without clang-22.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

MANY = '#define MANY __attribute__((overloadable))\n'
USE = MANY + '''int any(int4 v);
uint convert_uint(ushort x)
    __attribute__((pure));
int clamp(int x);
extern float mix(float a);
int dot(int
        x);
kernel void k(global int *o, global const ushort *u)
{
    int4 v = (int4)(1, 2, 4, u[0]);

    o[0] = any(v);
    o[1] = convert_uint(u[0]);
    o[2] = convert_int(u[0]) + all(-v) + max(v.x, v.y); /* built-ins */
    o[3] = clamp(o[3]);
    o[4] = (int)mix(o[4] + clamp(2));
    o[5] = dot(3);
}
'''
LIBRARY = MANY + '''int any(int4 v) { return v.x + v.y; }
uint convert_uint(ushort x) { return x + 9; }
int clamp(int x) { return 7 + (int)rint(1.5f) + x; }
float mix(float a) { return 2 * a; }
int dot(int x) { return x * 8; }
'''
# Overloads of built-ins, whose names in modules are those of built-ins. Where one has the types of a built-in, each
# program that declares it means the library's, and one that does not means the built-in.
USE_MANY = MANY + '''float MANY dot(float8 a, float8 b);
int MANY any(float8 v);
int4 MANY
    convert_int4(float2 x);
int2 convert_int2(float2 x) MANY;
struct pair { int a, b; };
int MANY abs(struct pair p);
int MANY mine(float2 x);
int beside(float2 x);
kernel void k(global int *o, global const float *f)
{
    float8 v = (float8)(1, 2, 3, 4, 5, 6, 7, f[0]);
    struct pair p = {3, 4};

    o[0] = (int)dot(v, v);
    o[1] = (int)dot(v.lo, v.lo);
    o[2] = any(v) + any(convert_int4(v.lo) - 9);
    o[3] = convert_int4(v.lo.lo).w + beside(v.lo.lo);
    o[4] = convert_int2(v.lo.lo).x + convert_int2_rte((double2)(f[0])).y;
    o[5] = abs(p) + abs(-5) + mine(v.lo.lo) + convert_int_sat(3e9f);
}
'''
LIBRARY_MANY = MANY + '''float MANY dot(float8 a, float8 b) { return dot(a.lo, b.lo) + dot(a.hi, b.hi) + 1000; }
int MANY any(float8 v) { return (int)(v.s7 + v.s0); }
int4 MANY convert_int4(float2 x) { return (int4)((int)x.x, (int)x.y, 5, 60); }
int2 MANY convert_int2(float2 x) { return (int2)(70); }
struct pair { int a, b; };
int MANY abs(struct pair p) { return p.a * p.b; }
int MANY mine(float2 x) { return (int)x.y * 100; }
'''
# A program that declares nothing of these.
BESIDE = '''int beside(float2 x) { return convert_int2(x).x + any((int4)(-1)); }
'''
EXPECTED_MANY = '1204,30,10,62,78,-2147483432'
EXPECTED = '3,65544,65538,13,22,24'  # all(-v) is 1 as v.w is 65535


OPTIONS = [], ['-cl-opt-disable'], ['-g'], ['-cl-std=CL3.0', '-cl-kernel-arg-info']


def compiled(t, options, name, source):
    """The module's path, and what it imports and exports."""
    path, module = t.path(name + '.cl', source), t.path(name + '.spv')
    p = subprocess.run([t.heddle, 'compile', *options, path, '-o', module], capture_output=True, text=True)
    t.check(p.returncode == 0 and p.stderr == '', f'{options} {name}: {p.stderr}')
    text = subprocess.run([t.heddle, 'dis', module], capture_output=True, text=True).stdout
    text = '\n'.join(line for line in text.split('\n') if 'LinkageAttributes' in line or 'OpName' in line)
    t.check('own.' not in text, f'{options} {name}: under the names of the source: {text}')
    return module, text


def linked_runs(t, options, modules, args, expected):
    linked = t.path('linked.spv')
    p = subprocess.run([t.heddle, 'link', *modules, '-o', linked], capture_output=True, text=True)
    t.check(p.returncode == 0, f'{options}: linked: {p.stderr}')
    p = subprocess.run([t.heddle, 'run', linked, 'k', '--global', '1', *args, '--expect', '0=' + expected], capture_output=True, text=True)
    t.check(p.returncode == 0, f'{options}: {p.stdout} {p.stderr}')


def functions(t):
    for options in OPTIONS:
        use, text = compiled(t, options, 'use', USE)
        for name in 'any', 'convert_uint', 'clamp', 'mix', 'dot':
            t.check(f'LinkageAttributes "{name}" Import' in text, f'{options}: {name} is imported: {text}')
        library, _ = compiled(t, options, 'library', LIBRARY)
        linked_runs(t, options, [use, library], ['--arg', 'i32[6]=0,0,0,4,0,0', '--arg', 'u16[1]=65535'], EXPECTED)


def overloads(t):
    for options in *OPTIONS, ['-cl-std=CLC++', '-DMANY=']:
        is_cxx = '-DMANY=' in options
        use, text = compiled(t, options, 'use', USE_MANY.replace(MANY, '') if is_cxx else USE_MANY)
        library, exports = compiled(t, options, 'library', LIBRARY_MANY.replace(MANY, '') if is_cxx else LIBRARY_MANY)
        for name in '_Z3dotDv8_fS_', '_Z3anyDv8_f', '_Z12convert_int4Dv2_f', '_Z12convert_int2Dv2_f', '_Z3abs4pair', '_Z4mineDv2_f':
            t.check(f'LinkageAttributes "{name}" Import' in text, f'{options}: {name} is imported: {text}')
            t.check(f'LinkageAttributes "{name}" Export' in exports, f'{options}: {name} is exported: {exports}')
        beside, _ = compiled(t, options, 'beside', BESIDE)
        linked_runs(t, options, [use, library, beside], ['--arg', 'i32[6]=zeros', '--arg', 'f32[1]=8'], EXPECTED_MANY)


def main():
    if shutil.which(os.environ.get('HEDDLE_CLANG', 'clang-22')) is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        functions(t)
        overloads(t)
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
