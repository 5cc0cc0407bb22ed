#!/usr/bin/env python3
"""Make seeds for `make fuzz T=NAME SEEDS=FOLDER`.

  tests/fuzz/seeds.py FOLDER [--target val] [--heddle build/heddle] [--corpus CORPUS]

val, edit: of a corpus of modules (and of the tests' own, where they assemble). A seed is a byte that chooses (in val the
environment), then the module. debug: commands, requests, modules with debug information; code: program binaries, and compiled
kernels out of a cache; arg: words of the tests' command lines. Each begins with what tests/fuzz/fuzz_NAME.c chooses by.
SPDX-License-Identifier: MIT
"""
import argparse, base64, glob, gzip, hashlib, json, os, re, struct, subprocess, sys, tempfile

ENVIRONMENTS = ['universal1.0', 'universal1.3', 'universal1.6', 'opencl1.2', 'opencl2.2', 'opencl3.0', 'opencl3.1']


def environment(env):
    """The first byte: the nearest environment that the fuzzer has."""
    if env.startswith('opencl'):
        return 128 + (3 if env < 'opencl2' else 4)
    return 0 if env < 'spv1.1' else 1 if env < 'spv1.4' else 2


def write(folder, module, byte):
    seed = bytes([byte]) + module
    with open(os.path.join(folder, hashlib.sha1(seed).hexdigest()), 'wb') as f:
        f.write(seed)


def assembled(a, *patterns):
    for path in sorted(p for pattern in patterns for p in glob.glob(pattern, recursive=True)):
        p = subprocess.run([a.heddle, 'as', path, '-o', '-'], capture_output=True)
        if p.returncode == 0:
            yield p.stdout


def modules(a):
    source = os.path.join(a.corpus, 'val.jsonl.gz')
    if os.path.exists(source):
        for line in gzip.open(source, 'rt'):
            case = json.loads(line)
            write(a.folder, base64.b64decode(case['bin']), environment(case['env']))
    for module in assembled(a, 'src/*/tests/*.spvasm', 'src/ops/*/tests/*.spvasm', 'tests/**/*.spvasm'):
        write(a.folder, module, 128 + ENVIRONMENTS.index('opencl3.1'))


REQUESTS = """initialize {"linesStartAt1": true}
launch {"program": "k.spvasm", "kernel": "k", "global": [4], "stopOnEntry": true}
setBreakpoints {"source": {"path": "script.spvasm"}, "breakpoints": [{"line": 28, "condition": "$gid.x == 1", "hitCondition": "2"}]}
setFunctionBreakpoints {"breakpoints": [{"name": "k"}]}
setInstructionBreakpoints {"breakpoints": [{"instructionReference": "0x90", "offset": 4}]}
setExceptionBreakpoints {"filters": ["defects"]}
configurationDone {}
threads {}
stackTrace {"threadId": 1, "startFrame": 0, "levels": 20}
scopes {"frameId": 1}
variables {"variablesReference": 1, "start": 0, "count": 4}
setVariable {"variablesReference": 1, "name": "x", "value": "5"}
setExpression {"expression": "%sum", "value": "7", "frameId": 1}
evaluate {"expression": "*out", "frameId": 1, "context": "hover"}
disassemble {"memoryReference": "0x90", "instructionOffset": -2, "instructionCount": 8}
readMemory {"memoryReference": "0x1000", "offset": 0, "count": 16}
source {"sourceReference": 1}
loadedSources {}
exceptionInfo {"threadId": 1}
stepIn {"threadId": 1, "granularity": "instruction"}
next {"threadId": 1}
stepOut {"threadId": 1}
pause {"threadId": 1}
continue {"threadId": 1}
terminate {}
disconnect {}"""
COMMANDS = """break k if $gid.x == 1|break script.spvasm:28 item 1|tbreak 28|start|print out[0]@4|print/x *out|print (float)3 + 2 * -1 / 0
set out[1] = 5|set %small = 7|whatis out|x/4x out|display %sum|undisplay 1|info locals|info args|info items|info ids|info globals
info breakpoints|info functions|info line|info defects|item 3|backtrace|frame 0|up|down|list 20|list k|disassemble|condition 1 $lid.x < 2
ignore 1 1|disable 1|enable 1|delete 1|until 30|step 2|next|stepi 3|nexti|gstep|finish|defects off|continue|run|help print|quit"""


def debugging(a):
    steps = COMMANDS.replace('\n', '|').split('|')
    write(a.folder, '\n'.join(steps).encode(), 0)
    for step in steps:
        write(a.folder, ('start\nstepi\nstepi\nstepi\nstepi\n%s\n' % step).encode(), 0)
    requests = [json.dumps({'seq': i, 'type': 'request', 'command': line.split()[0], 'arguments': json.loads(line.split(None, 1)[1])})
                for i, line in enumerate(REQUESTS.splitlines())]
    write(a.folder, '\n'.join(requests).encode(), 1)
    for request in requests[7:]:
        write(a.folder, '\n'.join(requests[:2] + requests[6:7] + [request]).encode(), 1)
    for module in assembled(a, 'src/ops/debug/tests/*.spvasm', 'tests/checked/*.spvasm', 'tests/debug/*.spvasm'):
        for args in range(4):
            write(a.folder, module, 2 + 3 * args)
    for module in assembled(a, 'tests/shaders/*.spvasm'):
        for args in range(4, 8):
            write(a.folder, module, 2 + 3 * args)


def code(a):
    for module in list(assembled(a, 'src/ops/arith/tests/*.spvasm'))[:20]:
        for kind in 1, 2, 4:
            write(a.folder, struct.pack('<8sIIIIQ', b'HDLBIN1', kind, 4, len(module) // 4, 0, 0) + b'-g\0\0' + module, 0)
    with tempfile.TemporaryDirectory() as cache:
        for path in sorted(glob.glob('src/ops/*/tests/*.spvasm'))[::20]:
            run = re.search(r'^; RUN: heddle (run %s [^|>&\n]*)$', open(path).read(), re.M)
            if run:
                subprocess.run([a.heddle] + run[1].replace('%s', path).split(), capture_output=True, env=dict(os.environ, HEDDLE_CACHE_DIR=cache))
        for path in glob.glob(cache + '/*.entry'):
            entry = open(path, 'rb').read()
            if b'\x7fELF' in entry:
                write(a.folder, entry[entry.index(b'\x7fELF'):], 1)


def arguments(a):
    words = set()
    for path in glob.glob('src/ops/*/tests/*.spvasm') + glob.glob('tests/**/*.spvasm', recursive=True):
        for line in open(path):
            if line.startswith(';') and '--' in line:
                words.add('\n'.join(line[1:].split()))
                words |= set(re.findall(r'--(?:arg|expect|image|out|spec)[ =](?:\d+=)?(\S+)', line))
    for word in sorted(words):
        kind = 1 if word.startswith(('image', 'sampler')) else 2 if word.startswith('pipe:') else 3 if '\n' in word else 0
        write(a.folder, b'\0' + word.encode(), kind)
    for text in '%d %5.3f %s\n', '%v4hlf %v2hd', '%-+ #08.3lx%c%p%%', '%zu %a %e %g':
        for choice in range(0, 180, 7):
            write(a.folder, bytes([choice]) + text.encode(), 4)
    for text in '_Z12get_group_idj', '_Z23convert_uchar16_sat_rteDv16_f', '_Z3madDv4_fS_S_', '_Z6vload4mPU3AS1Kf', '_Z4sqrtd':
        write(a.folder, b'\0' + text.encode(), 5)
    for text in '0::/a/b/c\n', '3:cpu,cpuacct:/docker/x\n2:memory:/y\n0::/\n':
        write(a.folder, b'\0' + text.encode(), 6)


TARGETS = {'val': modules, 'edit': modules, 'debug': debugging, 'code': code, 'arg': arguments}


def main():
    a = argparse.ArgumentParser()
    a.add_argument('folder')
    a.add_argument('--target', choices=sorted(TARGETS), default='val')
    a.add_argument('--heddle', default='build/heddle')
    a.add_argument('--corpus', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../shared/corpus'))
    a = a.parse_args()
    os.makedirs(a.folder, exist_ok=True)
    TARGETS[a.target](a)
    print(len(os.listdir(a.folder)), 'seeds in', a.folder)


if __name__ == '__main__':
    sys.exit(main())
