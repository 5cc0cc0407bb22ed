#!/usr/bin/env python3
"""Modules of clang-15 and llvm-spirv-15 compute what Heddle's own compilation of the same source does, at every level of
optimisation: hints about loops, dimensions that are not there, memmove. [--build FOLDER]

Ends with a line of counts; skipped without the two.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

LEVELS = ['-O0', '-O1', '-O2']

DIMENSIONS = '''
kernel void k(global int *o, int d)
{
    int n = 0;

    o[n++] = get_global_size(d);
    o[n++] = get_local_size(d);
    o[n++] = get_num_groups(d);
    o[n++] = get_global_id(d);
    o[n++] = get_local_id(d);
    o[n++] = get_group_id(d);
    o[n++] = get_global_offset(d);
    o[n++] = get_global_size(3) + 2 * get_local_size(4) + 4 * get_num_groups(5) + 8 * get_global_id(6) + 16 * get_local_id(7)
             + 32 * get_group_id(3) + 64 * get_global_offset(100000) + 128 * get_global_size(0xffffffffu);
    for (int i = 1; i < 6; i++)
        o[n++] = get_global_size(i);
}
'''

# Loops with exits in odd places; each has a hint.
LOOPS = ['''__attribute__((opencl_unroll_hint)) for (int i = 0; i < n; i++) s += i ^ 3;''',
         '''__attribute__((opencl_unroll_hint(4))) for (int i = 0; i < n; i++) s += i ^ 3;''',
         '''__attribute__((opencl_unroll_hint(1)))
            for (int i = 0; i < n; i++) { if (i == 3) continue; if (s > 20) break; s += i ^ 3; }''',
         '''__attribute__((opencl_unroll_hint(2))) do { s += i; i++; } while (i < n);''',
         '''__attribute__((opencl_unroll_hint(1)))
            while (1) { if (i >= n) { o[get_global_id(0)] = s; return; } s += i; i++; }''',
         '''__attribute__((opencl_unroll_hint(3)))
            for (;;) { if (i >= n) break; i++; switch (i & 3) { case 1: s++; break; case 2: s += 2; continue; case 3: goto out; }
                       s += i; }
            out: s += 100;''',
         '''__attribute__((opencl_unroll_hint(2))) while (i < n) { s += i; i++;
            __attribute__((opencl_unroll_hint(1))) for (int j = 0; j < i; j++) { if (s & 64) break; s += j ^ i; } }''']
LOOP = 'kernel void k(global int *o, int n)\n{\n    int s = get_global_id(0), i = 0;\n    %s\n    o[get_global_id(0)] = s;\n}\n'

MEMMOVE = '''
typedef struct { int a[10]; } S;

void part(S *p) { __builtin_memmove(&p->a[1], &p->a[0], 20); }

kernel void k(global int *o, int n)
{
    int i = get_global_id(0);
    S b;

    for (int j = 0; j < 10; j++)
        b.a[j] = i * j + 1;
    for (int r = 0; r < n; r++) {
        if (r & 1)
            __builtin_memmove(&b.a[1], &b.a[0], 20);
        else
            __builtin_memmove(&b.a[0], &b.a[3], 12);
        part(&b);
        __builtin_memset(&b.a[9], 0, 4);
        __builtin_memcpy(&b.a[7], &b.a[2], 8);
    }
    o[i] = b.a[i % 10] + 3 * b.a[8] + 5 * b.a[2];
}
'''


def main():
    if shutil.which('clang-15') is None or shutil.which('llvm-spirv-15') is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        def module(source, level):
            """What the two make of a source; None: they give up on it."""
            code, path = t.path('k.bc'), t.path('k.spv')
            subprocess.run(['clang-15', '-target', 'spir64', '-x', 'cl', '-cl-std=CL1.2', '-Xclang', '-finclude-default-header',
                            level, '-emit-llvm', '-c', source, '-o', code], check=True, stderr=subprocess.DEVNULL)
            p = subprocess.run(['llvm-spirv-15', '--spirv-max-version=1.4', code, '-o', path], capture_output=True)
            return path if p.returncode == 0 else None

        def same(name, source, *arguments):
            file = t.path(name + '.cl', source)
            code, expected, err = t.run('run', file, 'k', *arguments)
            t.check(code == 0 and 'arg 0' in expected, f'{name}: {code} {err}')
            for level in LEVELS:
                path = module(file, level)
                if path is None:
                    t.skipped += 1
                    continue
                for engine in ['compiled', 'interpreted']:
                    code, out, err = t.run('run', path, 'k', '--engine', engine, *arguments)
                    t.check(code == 0 and out == expected, f'{name} {level} {engine}: {code} {out} is not {expected} {err[:500]}')

        for d in [0, 1, 2, 3, 5, 1000, -1]:
            same(f'dimension-{d}', DIMENSIONS, '--global', '4,3', '--offset', '1,2', '--local', '1', '--arg', 'i32[13]=zeros',
                 '--arg', f'i32={d}')
        for i, loop in enumerate(LOOPS):
            same(f'loop-{i}', LOOP % loop, '--global', '5', '--arg', 'i32[5]', '--arg', 'i32=9')
        same('memmove', MEMMOVE, '--global', '6', '--arg', 'i32[6]', '--arg', 'i32=5')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
