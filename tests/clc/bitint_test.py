#!/usr/bin/env python3
"""Integers of odd widths that only an option names: they keep their width, unoptimised and in checked runs too. (A file's RUN
line would name them in the source.)

  tests/clc/bitint_test.py --build build
SPDX-License-Identifier: MIT
"""
import os, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tool'))
import harness

SOURCE = '''
kernel void k(global int *o)
{
    T x = o[0];

    x += o[1];
    o[0] = x;
}
'''


def main():
    with harness.Tool() as t:
        file = t.path('named.cl', SOURCE)
        for name in '_BitInt(17)', '_ExtInt(17)':
            for command, options in ('run', ()), ('run', ('--cl', '-cl-opt-disable')), ('check', ()):
                code, out, err = t.run(command, file, 'k', '--cl', '-DT=' + name, *options, '--global', '1', '--arg', 'i32[2]=70000,9001')
                t.check(code == 0 and 'i32[2] = -52071, 9001' in out, f'{name} {command} {options}: {code} {out} {err}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
