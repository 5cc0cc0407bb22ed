#!/usr/bin/env python3
"""Modules that clang-22 made elsewhere from sources with tables of addresses: they give what the sources give, with one warning
for each kind of slip. [--build FOLDER]

Ends with a line of counts; skipped without clang-22.
SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '../tool'))
import harness  # noqa: E402

SOURCES = {'tables.cl': ('CL1.2', 'CL2.0', 'CL3.0'), 'tables_generic.cl': ('CL2.0', 'CL3.0', 'CLC++', 'CLC++2021'),
           'address_numbers.cl': ('CL2.0', 'CL3.0', 'CLC++2021')}


def expected(source):
    return re.findall(r'^// CHECK: (arg .*)', open(source).read(), re.M)


def main():
    clang = shutil.which('clang-22')
    if clang is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        for name, languages in SOURCES.items():
            source = os.path.join(HERE, '../../src/clc/tests', name)
            for std, level in [(s, o) for s in languages for o in '012']:
                module = t.path('x.spv')
                subprocess.run([clang, '-target', 'spirv64', '-x', 'cl', '-cl-std=' + std, '-O' + level, '-c', source, '-o', module],
                               check=True)
                args = [a for line in expected(source) for a in ('--arg', line.split()[2])]
                for engine in ('compiled', 'interpreted'):
                    p = subprocess.run([t.heddle, 'run', module, 'k', '--global', '8', *args, '--engine', engine],
                                       capture_output=True, text=True, timeout=120)
                    rules = re.findall(r'\[(\w+\.[\w-]+)\]', p.stderr)
                    t.check(p.returncode == 0 and all(line in p.stdout for line in expected(source)),
                            f'{name} {std} -O{level} {engine}: {p.stdout}{p.stderr}')
                    t.check(all(r.startswith('repair.') for r in rules) and len(rules) == len(set(rules)) and rules,
                            f'{name} {std} -O{level} {engine}: each slip is told once: {rules}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
