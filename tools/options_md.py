#!/usr/bin/env python3
"""Print docs/options.md, made from the rows of src/base/option.h and from who reads them.

  tools/options_md.py            print it
  tools/options_md.py --write    write docs/options.md
  tools/options_md.py --check    say whether docs/options.md is current

A row that no source file reads is marked: setting it has no effect yet.
SPDX-License-Identifier: MIT
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROWS = os.path.join(ROOT, 'src/base/option.h')
PAGE = os.path.join(ROOT, 'docs/options.md')
HEAD = """\
# Environment variables

Made by `tools/options_md.py --write` from the rows of [src/base/option.h](../src/base/option.h); do not edit. Each
variable is read when its value is needed; there is no configuration file. An invalid number is replaced by the
default, with a warning on standard error. The driver, the command and the library read the same variables.

| variable | value | default | meaning | read in |
| --- | --- | --- | --- | --- |
"""


def rows():
    """(name, type, default, meaning) in the order of the header."""
    text = open(ROWS, encoding='utf-8').read()
    body = text[text.index('#define HD_OPTIONS'):text.index('typedef enum HdOption')]
    body = body.replace('\\\n', ' ')
    found = re.findall(r'O\((\w+), (\w+), ("[^"]*"|\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', body)
    for kind, name, default, meaning in found:
        yield name, kind, default.strip('"'), ''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', meaning))


def readers(name):
    """Rooms whose source files ask for a row, by its enumerator or by its variable's name."""
    wanted = re.compile(r'HD_OPTION_%s\b|getenv\("HEDDLE_%s"\)' % (name, name))
    rooms = {os.path.relpath(path, os.path.join(ROOT, 'src')).split(os.sep)[0]
             for path in glob.glob(os.path.join(ROOT, 'src/**/*.c'), recursive=True)
             if wanted.search(open(path, encoding='utf-8').read())}
    return ', '.join(sorted(rooms)) or '-'


def page():
    lines = ['| `HEDDLE_%s` | %s | %s | %s | %s |' %
             (name, 'text' if kind == 'text' else 'number', '`%s`' % default if default else 'empty', meaning.replace('|', '\\|'), readers(name))
             for name, kind, default, meaning in rows()]
    return HEAD + '\n'.join(lines) + '\n'


def main():
    made = page()
    if '--check' in sys.argv:
        current = os.path.exists(PAGE) and open(PAGE, encoding='utf-8').read() == made
        print('docs/options.md is current' if current else 'docs/options.md is not current: tools/options_md.py --write')
        return 0 if current else 1
    if '--write' in sys.argv:
        with open(PAGE, 'w', encoding='utf-8') as f:
            f.write(made)
    else:
        sys.stdout.write(made)
    return 0


if __name__ == '__main__':
    sys.exit(main())
