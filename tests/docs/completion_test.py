#!/usr/bin/env python3
"""tools/completion.bash, asked as bash asks it: completion_test.py [--build FOLDER].

Ends with a line of counts. Skipped where there is no bash or no heddle.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, 'tools/completion.bash')
ASK = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; printf "%s\\n" "${COMPREPLY[@]}"'


def complete(heddle, words, folder):
    """What is offered for the last word."""
    p = subprocess.run(['bash', '-c', ASK, 'ask', SCRIPT, heddle] + words, cwd=folder, capture_output=True, text=True,
                       env=dict(os.environ, LC_ALL='C.UTF-8'))
    if p.stderr:
        print('bash says:', p.stderr.strip())
    return set(p.stdout.split())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    heddle = os.path.join(os.path.abspath(parser.parse_args().build), 'heddle')
    if not os.access(heddle, os.X_OK) or shutil.which('bash') is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    counts = [0, 0]

    def check(holds, why):
        counts[not holds] += 1
        if not holds:
            print('failed:', why)

    with open(os.path.join(ROOT, 'src/tool/commands.def')) as f:
        commands = set(re.findall(r'^COMMAND\((\w+),', f.read(), re.M))
    with tempfile.TemporaryDirectory() as folder:
        for name in ('a.spv', 'b.spvasm', 'c.cl', 'd.png'):
            open(os.path.join(folder, name), 'w').close()
        os.mkdir(os.path.join(folder, 'sub'))

        def offers(words, want):
            got = complete(heddle, words, folder)
            check(got == set(want), '%s: %s, expected %s' % (words, sorted(got), sorted(want)))

        offers([''], commands | {'--help', '--version'})
        offers(['va'], ['val'])
        offers(['val', ''], ['a.spv', 'b.spvasm', 'sub'])
        offers(['run', ''], ['a.spv', 'b.spvasm', 'c.cl', 'sub'])
        offers(['run', 'c'], ['c.cl'])
        offers(['run', '--engine', ''], ['compiled', 'interpreted'])
        offers(['run', '--width', '1'], ['1', '16'])
        offers(['val', '--env', 'opencl3.0'], ['opencl3.0', 'opencl3.0-embedded'])
        offers(['val', '--env', '=', 'universal1.6'], ['universal1.6'])
        offers(['val', '--env', '='], complete(heddle, ['val', '--env', ''], folder))
        offers(['dis', '--no-'], ['--no-color', '--no-indent', '--no-header'])
        offers(['run', '--glo'], ['--global'])
        for name in sorted(commands):
            shown = complete(heddle, [name, '-'], folder)
            text = subprocess.run([heddle, name, '--help'], capture_output=True, text=True).stdout
            named = set(re.findall(r'(?<![\w\-])--[a-z][a-z\-]*[a-z]', text)) - {'--help'}
            check(named <= shown, '%s: not offered: %s' % (name, sorted(named - shown)))
        empty = os.path.join(folder, 'empty.spvasm')
        open(empty, 'w').write('OpCapability Kernel\n')
        for command, option in (('val', '--env'), ('as', '--target-env')):
            names = complete(heddle, [command, option, ''], folder)
            check(len(names) > 12, '%s %s offers %s' % (command, option, names))
            for name in sorted(names):
                p = subprocess.run([heddle, command, option, name] + (['-o', os.devnull] if command == 'as' else []) +
                                   [empty], capture_output=True)
                check(p.returncode in (0, 1), 'heddle %s %s %s: %s' % (command, option, name, p.stderr.decode()))
    print('%d passed, %d failed, 0 skipped' % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
