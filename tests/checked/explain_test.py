#!/usr/bin/env python3
"""The examples that `heddle explain check.…` shows are run: the wrong one gives the finding, the right one does not. [--build FOLDER]

A rule whose example is a whole kernel names the command that runs it. Those without one are listed, with what shows them
instead: a list that may only become shorter. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness

# Defects that need a host program, a shader, or instructions that OpenCL C does not have: the example is an excerpt.
EXCERPTS = set('''abort assume bit-field call coherent derivative descriptor enqueue-full finite freed-array image-ends image-level leak limits
mapped no-save non-uniform-index partition pipe-ends pointer-difference prefetch promise released restore restrict semantics shift
sub-buffers wrap'''.split())


def parts(text):
    """What stands behind the titles of an explanation."""
    found, title = {}, None
    for line in text.split('\n')[1:]:
        if line[:2] == '  ' and line[2:13].strip():
            title = line[2:13].strip()
        if title:
            found.setdefault(title, []).append(line[13:])
    return {title: '\n'.join(lines) for title, lines in found.items()}


def run(t, text):
    """The command that an example's first line names, with that example: its output."""
    command, source = text.split('\n', 1)
    words = shlex.split(command.removeprefix('// heddle '))
    path = t.path('example.cl', source + '\n')
    return t.run(*[path if word == 'FILE.cl' else word for word in words])


def main():
    with harness.Tool() as t:
        names = t.run('explain', '--list', 'check.')[1].split()
        t.check(len(names) > 70, f'{len(names)} rules')
        for name in names:
            shown = parts(t.run('explain', name)[1])
            is_whole = shown['wrong'].startswith('// heddle check FILE.cl ')
            t.check(is_whole == (name.removeprefix('check.') not in EXCERPTS), f'{name}: whole or an excerpt')
            if not is_whole:
                continue
            code, out, err = run(t, shown['wrong'])
            t.check(f'[{name}]' in err + out, f'{name}: the wrong example does not give it, but {code}: {out + err}')
            t.check(re.search(r'^\s*[{}]', shown['wrong'], re.M) and shown['right'] != '', f'{name}: is a kernel')
            if shown['right'].startswith('// heddle check'):
                code, out, err = run(t, shown['right'])
                t.check(f'[{name}]' not in err + out and code in (0, 1), f'{name}: the right example gives it: {out + err}')
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
