#!/usr/bin/env python3
"""README's examples, run: readme_test.py [--build FOLDER].

Takes the files of examples/readme, of which README shows some (saxpy.cl, flip.comp, sum.c), and runs the
commands behind `$ ` of its sh blocks in a folder of its own. What they print must be what README shows;
a line with … alone stands for any lines, and numbers in measured or addressed lines may differ.

Ends with a line of counts. Skipped where heddle or a compiler for OpenCL C is missing; the example of a shader alone where
glslc is.
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
# Numbers that depend on the machine or on the compiler's version.
VARIES = re.compile(r'^time: |^SPIR-V \d|^functions: |:byte \d|%\d')


def masked(line):
    line = line.rstrip()
    return re.sub(r'\b(0x[0-9a-f]+|\d+(\.\d+)?)\b', '#', line) if VARIES.search(line) else line


def examples(text):
    """(command, lines shown) of the sh blocks with prompts."""
    for block in re.findall(r'^```sh\n(.*?)^```', text, re.S | re.M):
        block = re.sub(r'\\\n *', '', block)  # a command may go on in the next line
        for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
            lines = part.splitlines()
            yield lines[0], lines[1:]


def matches(shown, printed):
    """Do the lines shown match those printed? … stands for any lines."""
    pattern = ''.join('(?:.*\n)*?' if line == '…' else re.escape(masked(line)) + '\n' for line in shown)
    return re.fullmatch(pattern, ''.join(masked(line) + '\n' for line in printed.splitlines())) is not None


def make_files(folder, text, build):
    """Files that the examples read."""
    def write(name, content):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
            f.write(content)

    shown = re.findall(r'^```(?:c|glsl)\n(.*?)^```', text, re.S | re.M)
    for name in sorted(os.listdir(os.path.join(ROOT, 'examples/readme'))):
        with open(os.path.join(ROOT, 'examples/readme', name), encoding='utf-8') as f:
            content = f.read()
        if name in ('saxpy.cl', 'flip.comp', 'sum.c') and content not in shown:
            sys.exit('README shows another ' + name + ' than examples/readme has')
        write(name, content)
    os.symlink(os.path.join(ROOT, 'include'), os.path.join(folder, 'include'))
    os.symlink(build, os.path.join(folder, 'build'))
    subprocess.run(['clang-22', '-target', 'spirv64', '-cl-std=CL3.0', '-O2', '-Xclang', '-finclude-default-header',
                    '-c', 'saxpy.cl', '-o', 'saxpy.spv'], cwd=folder, check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    build = os.path.abspath(parser.parse_args().build)
    heddle = os.path.join(build, 'heddle')
    if not os.access(heddle, os.X_OK) or shutil.which('clang-22') is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with open(os.path.join(ROOT, 'README.md'), encoding='utf-8') as f:
        text = f.read()
    passed = failed = skipped = 0
    has_glslc = shutil.which('glslc') is not None
    with tempfile.TemporaryDirectory() as folder:
        make_files(folder, text, build)
        env = dict(os.environ, PATH=build + ':' + os.environ['PATH'], HEDDLE_CACHE_DIR=os.path.join(folder, 'cache'))
        for command, shown in examples(text):
            if 'flip.' in command and not has_glslc:
                skipped += 1
                continue
            p = subprocess.run(['bash', '-c', command], cwd=folder, env=env, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=120)
            printed = p.stdout.decode('utf-8', 'replace')
            if matches(shown, printed):
                passed += 1
            else:
                failed += 1
                print('failed: %s\n  README shows:\n    %s\n  it prints:\n    %s' %
                      (command, '\n    '.join(shown), '\n    '.join(printed.splitlines())))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
