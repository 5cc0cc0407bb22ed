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

USE = '''int any(int4 v);
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
LIBRARY = '''int any(int4 v) { return v.x + v.y; }
uint convert_uint(ushort x) { return x + 9; }
int clamp(int x) { return 7 + (int)rint(1.5f) + x; }
float mix(float a) { return 2 * a; }
int dot(int x) { return x * 8; }
'''
EXPECTED = '3,65544,65538,13,22,24'  # all(-v) is 1 as v.w is 65535


def main():
    if shutil.which(os.environ.get('HEDDLE_CLANG', 'clang-22')) is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        use, library, linked = t.path('use.cl', USE), t.path('library.cl', LIBRARY), t.path('linked.spv')
        for options in [], ['-cl-opt-disable'], ['-g'], ['-cl-std=CL3.0', '-cl-kernel-arg-info']:
            modules = []
            for source in use, library:
                modules.append(source.replace('.cl', '.spv'))
                p = subprocess.run([t.heddle, 'compile', *options, source, '-o', modules[-1]], capture_output=True, text=True)
                t.check(p.returncode == 0 and p.stderr == '', f'{options} {source}: {p.stderr}')
            text = subprocess.run([t.heddle, 'dis', modules[0]], capture_output=True, text=True).stdout
            for name in 'any', 'convert_uint', 'clamp', 'mix', 'dot':
                t.check(f'LinkageAttributes "{name}" Import' in text, f'{options}: {name} is imported: {text}')
            t.check('.own' not in text, f'{options}: by this name: {text}')
            p = subprocess.run([t.heddle, 'link', *modules, '-o', linked], capture_output=True, text=True)
            t.check(p.returncode == 0, f'{options}: linked: {p.stderr}')
            p = subprocess.run([t.heddle, 'run', linked, 'k', '--global', '1', '--arg', 'i32[6]=0,0,0,4,0,0', '--arg', 'u16[1]=65535', '--expect',
                                '0=' + EXPECTED], capture_output=True, text=True)
            t.check(p.returncode == 0, f'{options}: {p.stdout} {p.stderr}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
