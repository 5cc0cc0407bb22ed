#!/usr/bin/env python3
"""docs/checking-in-ci.md works as printed: its hook, its job's commands, its diff for git. [--build FOLDER]

The YAML is read, if there is a reader for it, and each command in it that is Heddle's is run on a valid and on an invalid
module. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness
from exit_test import MODULE

DOC = os.path.join(harness.ROOT, 'docs/checking-in-ci.md')


def blocks(language):
    with open(DOC, encoding='utf-8') as f:
        return re.findall(r'^```%s\n(.*?)^```' % language, f.read(), re.M | re.S)


def shell(t, command):
    path = os.path.dirname(t.heddle) + os.pathsep + os.environ['PATH']
    p = subprocess.run(command, shell=True, cwd=t.folder, capture_output=True, text=True, env=dict(os.environ, PATH=path))
    return p.returncode, p.stdout, p.stderr


def check_hook(t, text, good, bad):
    """pre-commit appends the files that match."""
    entry, files = re.search(r'entry: (.*)', text).group(1), re.search(r'files: (.*)', text).group(1)
    t.check(re.search(files, good) and re.search(files, 'x/y.spv') and not re.search(files, 'a.spv.txt'), 'which files')
    code, out, err = shell(t, f'{entry} {good}')
    t.check(code == 0, f'a valid module: {code} {out} {err}')
    code, out, err = shell(t, f'{entry} {good} {bad}')
    t.check(code == 1 and bad in err and '[arith.result]' in err, f'an invalid module is named: {code} {err}')


def check_job(t, text):
    runs = re.findall(r'- run: (heddle .*)', text)
    t.check(len(runs) == 1 and 'security-events: write' in text and 'if: always()' in text, 'a job that may upload')
    code, _, err = shell(t, runs[0])
    with open(t.path(re.search(r'sarif_file: (.*)', text).group(1))) as f:
        log = json.load(f)
    found = [r['ruleId'] for r in log['runs'][0]['results']]
    t.check(code == 1 and found == ['arith.result'] and log['version'] == '2.1.0', f'the findings as SARIF: {code} {found} {err}')


def check_git(t, text):
    git = 'git -c user.name=a -c user.email=a@b'
    code, out, err = shell(t, f'git init -q . && {text} heddle as kernels/good.spvasm -o m.spv && git add m.spv .gitattributes && '
                           f'{git} commit -qm m && heddle spec m.spv c=5 -o m.spv && git diff m.spv')
    t.check(code == 0 and re.search(r'^-.*OpSpecConstant %\w+ 7', out, re.M) and re.search(r'^\+.*OpSpecConstant %\w+ 5', out, re.M),
            f'git diff: {code} {out} {err}')


def check_counts(t, shown, text):
    """The table has the printed numbers; the same kernel counts the same."""
    shutil.copy(os.path.join(harness.ROOT, 'examples/readme/saxpy.cl'), t.folder)
    command, _, table = shown.removeprefix('$ ').partition('\n')
    code, out, err = shell(t, command)
    if 'source.' in err:  # there is no compiler
        t.skipped += 1
        return
    rows = [line for line in table.splitlines() if line.endswith(('work-items, 72 instructions', 'OpStore', 'fma', '0'))]
    t.check(code == 0 and len(rows) == 5 and all(row in out.splitlines() for row in rows), f'{command}: {out}{err}')
    make, _, compare = text.partition('\n')
    code, out, err = shell(t, f'{make} && mv new.json old.json && {make} && {compare}')
    t.check((code, out) == (0, ''), f'counts that are compared: {code} {out} {err}')


def main():
    with harness.Tool() as t:
        t.path('kernels/good.spvasm', MODULE)
        t.path('kernels/bad.spvasm', MODULE.replace('OpIAdd', 'OpFAdd'))
        yaml = blocks('yaml')
        with open(DOC, encoding='utf-8') as f:
            page = f.read()
        t.check(len(yaml) == 2, 'two pieces of YAML')
        try:
            import yaml as reader
            t.check(all(isinstance(reader.safe_load(text), dict) for text in yaml), 'they are YAML')
        except ImportError:
            t.skipped += 1
        check_hook(t, yaml[0], 'kernels/good.spvasm', 'kernels/bad.spvasm')
        check_job(t, yaml[1])
        check_counts(t, re.search(r'\n```\n(\$ heddle check .*?)```', page, re.S).group(1), [text for text in blocks('sh') if '--counts' in text][0])
        if shutil.which('git'):
            check_git(t, blocks('sh')[0])
        else:
            t.skipped += 1
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
