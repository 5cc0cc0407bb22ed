#!/usr/bin/env python3
"""tools/completion.{bash,zsh,fish}, asked as the shells ask: completion_test.py [--build FOLDER].

bash is asked most; zsh and fish are held to what it offers. Ends with a line of counts. Shells that are not there are
skipped.
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


def others(shell, heddle, words):
    """What zsh's functions and fish offer for the last word, without the meanings."""
    script = os.path.join(ROOT, 'tools/completion.' + shell)
    if shell == 'fish':
        code, args = 'source $argv[1]; complete -C "$argv[2..]"', [script, heddle] + words
    else:  # what _describe and compadd are given, as without a line editor nothing completes
        code = ('compdef() {}; _describe() { print -l -- "${(P@)2}" }; compadd() { print -l -- "${(P@)2}" }; '
                '_files() {}; source "$1"; shift; words=("$@"); CURRENT=$#; _heddle')
        args = ['zsh', script, heddle] + words
    flags = ['--no-config'] if shell == 'fish' else ['-f']
    p = subprocess.run([shell, *flags, '-c', code, *args], capture_output=True, text=True,
                       env=dict(os.environ, LC_ALL='C.UTF-8'))
    if p.stderr:
        print(shell, 'says:', p.stderr.strip())
    return {re.split(r'[:\t]', line)[0] for line in p.stdout.splitlines() if line.startswith(words[-1])}


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
        offers(['val', ''], ['a.spv', 'b.spvasm', 'c.cl', 'sub'])
        offers(['help', 'v'], ['val'])
        offers(['link', ''], ['a.spv', 'b.spvasm', 'c.cl', 'sub'])
        offers(['run', ''], ['a.spv', 'b.spvasm', 'c.cl', 'sub'])
        offers(['run', 'c'], ['c.cl'])
        offers(['run', '--engine', ''], ['compiled', 'interpreted'])
        offers(['run', '--width', '1'], ['1', '16'])
        offers(['run', '--lane-dim', ''], ['1', '2', '3'])
        for words in (['run', '--global', ''], ['check', '--schedule', ''], ['lower', '--array-bytes', ''], ['val', '-j', '']):
            offers(words, [])
        offers(['debug', '-x', ''], ['a.spv', 'b.spvasm', 'c.cl', 'd.png', 'sub'])
        offers(['run', '--time', ''], ['a.spv', 'b.spvasm', 'c.cl', 'sub'])
        offers(['explain', 'control.phi-p'], ['control.phi-parent', 'control.phi-pointer'])
        offers(['val', '--env', 'opencl3.0'], ['opencl3.0', 'opencl3.0-embedded'])
        offers(['val', '--env', '=', 'universal1.6'], ['universal1.6'])
        offers(['val', '--env', '='], complete(heddle, ['val', '--env', ''], folder))
        offers(['dis', '--no-'], ['--no-color', '--no-indent', '--no-header'])
        offers(['run', '--glo'], ['--global'])
        for name in sorted(commands):
            shown = complete(heddle, [name, '-'], folder)
            text = subprocess.run([heddle, name, '--help'], capture_output=True, text=True).stdout
            named = set(re.findall(r'-[\w\-]+', ' '.join(re.findall(r'^  (-\S+(?:, -\S+)*)', text, re.M))))
            check(named == shown, '%s: the help has %s, offered are %s' % (name, sorted(named - shown), sorted(shown - named)))
        empty = os.path.join(folder, 'empty.spvasm')
        open(empty, 'w').write('OpCapability Kernel\n')
        for command, option in (('val', '--env'), ('as', '--target-env')):
            names = complete(heddle, [command, option, ''], folder)
            check(len(names) > 12, '%s %s offers %s' % (command, option, names))
            for name in sorted(names):
                p = subprocess.run([heddle, command, option, name] + (['-o', os.devnull] if command == 'as' else []) +
                                   [empty], capture_output=True)
                check(p.returncode in (0, 1), 'heddle %s %s %s: %s' % (command, option, name, p.stderr.decode()))
        skipped = 0
        for shell in ('zsh', 'fish'):
            if shutil.which(shell) is None:
                skipped += 1
                continue
            for words in [['v'], ['help', 'v'], ['val', '--env', ''], ['as', '--target-env', ''], ['run', '--engine', ''], ['run', '--lane-dim', ''],
                          ['explain', 'control.phi-p']] + \
                    [[name, '--'] for name in sorted(commands)]:
                want, got = complete(heddle, words, folder), others(shell, heddle, words)
                check(want - {'--help'} == got - {'--help'}, '%s: %s: offered are %s, not %s' % (shell, words, sorted(got), sorted(want)))
    print('%d passed, %d failed, %d skipped' % (*counts, skipped))
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
