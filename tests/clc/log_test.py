#!/usr/bin/env python3
"""What a build says of a wrong source: place, source line and caret, nothing of the prelude, and what to do. [--build FOLDER]

Ends with a line of counts; skipped without clang-22.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

HINT = "came with OpenCL C 2.0"
# a statement, options, what is said of it, what is not
CASES = [
    ('a[0] = nothing;', (), ['wrong.cl:2:8: error: ', '\n    2 | a[0] = nothing;\n      |        ^~~~~~~\n', '1 error generated.'], [HINT, 'no module']),
    ('a[0] = any(a);', (), ["no matching function for call to 'any'", '\n      |        ^~~~~~\n'], []),
    ('a[0] = any(a); a[1] = nothing;', (), ["call to 'any'", "identifier 'nothing'"], []),
    ('a[0] = convert_int_sat(a);', (), ['wrong.cl:2:', ': error: '], []),
    ('a[0] = atomic_fetch_add(a, 1);', (), ["heddle: 'atomic_fetch_add' " + HINT, 'build with -cl-std=CL3.0'], []),
    ('a[0] = atomic_fetch_most(a, 1);', ('-cl-std=CL3.0', ), ['wrong.cl:2:'], [HINT]),
    ('a[0] = work_group_reduce_add(a[1]);', (), ["heddle: 'work_group_reduce_add' " + HINT], []),
    ('a[0] = atomic_mine(a, 1);', (), ['wrong.cl:2:'], [HINT]),
]


def main():
    if shutil.which('clang-22') is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        for statement, options, has, lacks in CASES:
            source = t.path('wrong.cl', 'kernel void k(global int *a) {\n%s\n}\n' % statement)
            p = subprocess.run([t.heddle, 'compile', *options, source, '-o', t.path('x.spv')], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            t.check(p.returncode == 1, f'{statement} {options}: {p.returncode}')
            for word in has:
                t.check(word in p.stderr, f'{statement} {options}: {word!r} is told: {p.stderr}')
            for word in lacks + ['prelude', 'heddle_']:
                t.check(word not in p.stderr, f'{statement} {options}: {word!r} is not: {p.stderr}')
        source = t.path('fine.cl', 'kernel void k(global int *a) { a[0] = any((int4)(a[1])); }\n')
        p = subprocess.run([t.heddle, 'compile', '-Dhd_x=3', source, '-o', t.path('x.spv')], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        t.check(p.returncode == 1 and 'prelude.h:' in p.stderr and ': error: ' in p.stderr, f'an error in the prelude stays: {p.stderr}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
