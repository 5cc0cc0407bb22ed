#!/usr/bin/env python3
"""Exit codes of every command: 0 fine, 1 invalid, 2 wrong usage, 3 not read or written. [--build FOLDER]

Each command is run as it should be, and with each thing that can be wrong with its files and options; what is said
goes to standard error and names the file or the option. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import json
import os
import re
import resource
import shlex
import subprocess
import sys

import harness

MODULE = '''OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %c "c"
OpDecorate %c SpecId 3
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%p = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void %p
%c = OpSpecConstant %u32 7
%k = OpFunction %void None %fn
%a = OpFunctionParameter %p
%l = OpLabel
%x = OpLoad %u32 %a Aligned 4
%y = OpIAdd %u32 %x %c
OpStore %a %y Aligned 4
OpReturn
OpFunctionEnd
'''
RUN = ['--global', '1', '--arg', 'u32[1]=1']
# Command: words behind its file, and a file that is no module for it.
TAKES = {
    'as': ['-o', '{out}'], 'dis': [], 'val': [], 'link': ['-o', '{out}'], 'strip': ['-o', '{out}'],
    'lower': ['-o', '{out}'], 'spec': ['c=2', '-o', '{out}'], 'diff': ['{good}'], 'run': RUN, 'check': RUN,
    'debug': RUN + ['--batch', '--command', 'run'], 'info': [],
}
WRITES = {'as', 'link', 'strip', 'lower', 'spec'}
PRINTS = {'dis': [], 'spec': [], 'diff': ['{other}'], 'run': RUN, 'check': RUN, 'info': [],
          'val': ['--json'], 'debug': RUN + ['--batch', '--command', 'run']}


def check_closed(t, good):
    for name in ('as', 'dis', 'val', 'strip', 'lower', 'spec'):
        p = subprocess.run(f'exec {shlex.quote(t.heddle)} {name} - <&-', shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           text=True, cwd=t.folder)
        t.check(p.returncode == 3 and '<stdin>: error: cannot read standard input' in p.stderr, f'{name} <&-: {p.returncode}, {p.stderr}')
    p = subprocess.run(f'exec {shlex.quote(t.heddle)} dis {shlex.quote(good)} >&-', shell=True, stderr=subprocess.PIPE, text=True)
    t.check(p.returncode == 3 and 'standard output' in p.stderr, f'dis >&-: {p.returncode}, {p.stderr}')


def limited(t, *args, stdin=subprocess.DEVNULL):
    """A command that may not have more than 4 GiB of memory; it must end soon."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    return subprocess.run([t.heddle, *args], stdin=stdin, capture_output=True, text=True, timeout=60, preexec_fn=limit)


def check_endless(t):
    """What has no end is not read for ever: not at all when it begins with what no module begins with."""
    fifo = t.path('fifo')
    os.mkfifo(fifo)
    line = '; a comment, and nothing else\n'.encode()
    for name, extra in TAKES.items():
        more = [w.format(out=t.path('out.spv'), good=t.path('good.spv'), other=t.path('other.spvasm')) for w in extra]
        said = 'a zero byte' if name == 'as' else '0x00000000, which is not'
        p = limited(t, name, '/dev/zero', *more)
        t.check(p.returncode == (3 if name == 'diff' else 1) and '/dev/zero:' in p.stderr and said in p.stderr, f'{name} /dev/zero: {p}')
        # A writer that stays and says no more.
        with open(fifo, 'rb+', buffering=0) as writer:
            writer.write(b'\0' * 64)
            p = limited(t, name, fifo, *more)
        t.check(p.returncode == (3 if name == 'diff' else 1) and said in p.stderr, f'{name} of a FIFO that stays open: {p}')
    for name, begin in (('as', line), ('val', line), ('dis', b'\3\2\x23\7' * 8)):
        writer = subprocess.Popen([sys.executable, '-c', f'import os\nwhile 1: os.write(1, {begin!r} * 4096)'], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        p = limited(t, name, '-', stdin=writer.stdout)
        writer.stdout.close()
        writer.wait()
        t.check(p.returncode == 3 and 'cannot read standard input: it is larger than 1 GiB' in p.stderr, f'{name} of an endless stream: {p}')
    with open(t.path('sparse.spv'), 'wb') as f:
        f.write(b'\3\2\x23\7')
        f.truncate(1 << 40)
    p = limited(t, 'val', t.path('sparse.spv'))
    t.check(p.returncode == 3 and 'larger than 8 GiB' in p.stderr, f'a large file: {p}')
    # The files that debug information and values name.
    named = t.path('named.spvasm', MODULE.replace('OpName', '%f = OpString "/dev/zero"\nOpName').replace('%x = ', 'OpLine %f 1 1\n%x = '))
    p = limited(t, 'check', named, '--global', '1', '--arg', 'null')
    t.check(p.returncode == 1 and '/dev/zero:1' in p.stderr + p.stdout, f'a source that has no end: {p}')
    p = limited(t, 'debug', named, *RUN, '--batch', '--command', 'list', '--command', 'run')
    t.check(p.returncode == 0, f'a source that has no end, in the debugger: {p}')
    p = limited(t, 'run', t.path('good.spv'), '--global', '1', '--arg', 'u32[1]=@/dev/zero')
    t.check(p.returncode == 2 and "'/dev/zero' has at least 5 bytes, but the argument has 4" in p.stderr, f'an argument that has no end: {p}')


def check_encodings(t):
    """Text that is not in UTF-8, or is no text: what to do is said."""
    text = '; SPIR-V\n' + MODULE
    for what, content, code, said in (
            ('a byte order mark', text.encode('utf-8-sig'), 1, 'begins with a byte order mark'),
            ('UTF-16', text.encode('utf-16'), 1, 'save it as UTF-8'), ('UTF-16, little', text.encode('utf-16-le'), 1, 'save it as UTF-8'),
            ('UTF-16, big', text.encode('utf-16-be'), 1, 'save it as UTF-8'), ('UTF-32', text.encode('utf-32'), 1, 'save it as UTF-8'),
            ('a zero byte at the end', text.encode() + b'\0', 0, ''),
            ('a zero byte', text.encode() + b'\0' + b' ' * 65536, 1, 'a zero byte'),
            ('a zero byte at the end of what is read at once', (text + ' ' * 65536).encode()[:65535] + b'\0OpNop\n', 1, 'a zero byte')):
        for ending in ('spvasm', 'txt'):
            path = t.path(f'encoded.{ending}')
            with open(path, 'wb') as f:
                f.write(content)
            for name in ('as', 'dis', 'val', 'info'):
                got, _, err = t.run(name, path, *(['-o', t.path('out.spv')] if name == 'as' else []))
                t.check(got == code and (said in err or what == 'a zero byte' and '.txt' in path), f'{name} of {what}: {got}, {err}')
    # Findings are shown with lines, whatever ends the text.
    got, _, err = t.run('val', t.path('ended.spvasm', 'OpCapability Kernel\n\0'))
    t.check(got == 1 and 'layout.memory-model' in err, f'val of text that ends in a zero byte: {got}, {err}')


def check_json(t, good):
    """--json is JSON, whatever happens."""
    for code, words in ((0, ['val', good]), (3, ['val', t.path('nowhere.spv')]), (3, ['val', '']), (3, ['val', good, t.path('nowhere.spv')]),
                        (1, ['val', t.path('wrong.spvasm')]), (1, ['val', t.path('empty.spv')]),
                        (0, ['run', good, *RUN]), (0, ['check', good, *RUN]), (1, ['check', good, '--global', '1', '--arg', 'null']),
                        (3, ['run', t.path('nowhere.spv'), *RUN]), (3, ['check', t.path('nowhere.spv'), *RUN]),
                        (1, ['run', t.path('wrong.spvasm'), *RUN]), (2, ['check', good, '--global', '1']),
                        (2, ['run', good, 'nokernel', *RUN]), (1, ['run', good, *RUN, '--expect', '0=9']),
                        (2, ['run', good, *RUN, '--expect', '5=1']), (3, ['run', good, *RUN, '--out', '0=' + t.folder])):
        for form in ('--json',) if words[0] == 'run' else ('--json', '--sarif'):
            got, out, err = t.run(*words, form)
            try:
                json.loads(out)
            except ValueError as wrong:
                t.check(False, f'{words} {form}: {wrong}: {out[:300]}')
            t.check(got == code, f'{words} {form}: exit {got} instead of {code}: {err}')
    # Of a command line that is wrong by itself, nothing is in the document: there is none.
    for name in ('val', 'run', 'check'):
        for words in ((good, '--nonsense'), (good, '--env', 'opencl9'), ('-', '-', '-'), *(((),) if name != 'val' else ())):
            for form in ('--json', '--sarif')[:1 if name == 'run' else 2]:
                code, out, err = t.run(name, form, *words)
                t.check(code == 2 and out == '' and err.startswith(f'heddle {name}: '), f'{name} {form} {words}: {code}, {out}, {err}')
    for form in ('--json', '--sarif'):
        code, out, err = t.run('val', form, '--device', 'no such device', good)
        t.check(code == 3 and ('no such device' in err or 'ICD' in err), f'val {form} --device: {code}, {err}')
        try:
            t.check('"device.' in json.dumps(json.loads(out)), f'val {form} --device: {out}')
        except ValueError as wrong:
            t.check(False, f'val {form} --device: {wrong}: {out}')
    code, out, err = t.run('lower', '--device', 'no such device', good)
    t.check(code == 3 and ('no such device' in err or 'ICD' in err), f'lower --device: {code}, {err}')
    code, out, err = t.run('check', good, *RUN, '--sarif', '--expect', '0=9', '--out', '0=' + t.path('found'))
    t.check(code == 1 and 'run.expect' in err and os.path.getsize(t.path('found')) == 4, f'--sarif leaves the rest as it is: {code}, {err}')


def check_environment(t, good):
    """Variables with what has no meaning, and compilers that are none, are named with what is wrong."""
    source = t.path('k.cl', 'kernel void k(global int *a) { *a = 1; }')
    for variable, value, code, said in (
            ('HEDDLE_CHECK', 'yes', 0, 'HEDDLE_CHECK=yes is invalid; using 0'), ('HEDDLE_THREADS', '-1', 0, 'HEDDLE_THREADS=-1 is invalid; using 0'),
            ('HEDDLE_SUBGROUP', '5', 0, '(1, 4, 8, 16, 32)'), ('HEDDLE_LANE_DIM', '9', 0, 'HEDDLE_LANE_DIM=9 is invalid; using 0'),
            ('HEDDLE_CHEKC', '1', 0, 'HEDDLE_CHEKC is not a variable of Heddle; did you mean HEDDLE_CHECK?'),
            ('HEDDLE_LIBRARY', '1', 0, ''), ('HEDDLE_CPU', 'z80', 0, 'HEDDLE_CPU=z80'), ('HEDDLE_CACHE', '', 0, ''), ('HEDDLE_CACHE_MB', '0x10', 0, ''),
            ('HEDDLE_CLANG', t.path('nowhere'), 3, 'nowhere is not a program'), ('HEDDLE_CLANG', '', 3, 'HEDDLE_CLANG is empty'),
            ('HEDDLE_CLANG', '/bin/false', 1, 'false ended with exit code 1'), ('TMPDIR', '/nowhere/x', 3, 'in /nowhere/x: No such')):
        env = dict(os.environ, **{'HEDDLE_CACHE': '0', 'HEDDLE_CLANG': '/bin/true', variable: value})
        p = subprocess.run([t.heddle, 'run', source if code else good, *RUN], capture_output=True, text=True, env=env)
        t.check(p.returncode == code, f'{variable}={value}: exit {p.returncode} instead of {code}: {p.stderr}')
        t.check(said in p.stderr if said else p.stderr == '', f'{variable}={value}: {p.stderr}')
    p = subprocess.run([t.heddle, 'info'], capture_output=True, text=True, env=dict(os.environ, HEDDLE_THREAD='2', HEDDLE_CACHE_MB='7'))
    t.check('HEDDLE_THREAD=2: set, but there is no such variable' in p.stdout and 'HEDDLE_CACHE_MB=7 ' in p.stdout, p.stdout)


def main():
    with harness.Tool() as t:
        good = t.path('good.spvasm', MODULE)
        other = t.path('other.spvasm', MODULE.replace('OpIAdd', 'OpISub'))
        locked = t.path('locked.spvasm', MODULE)
        empty = t.path('empty.spv', '')
        text = t.path('wrong.spvasm', 'OpCapability Kernel\nOpNonsense\n')
        binary = t.path('wrong.spv')
        with open(binary, 'wb') as f:
            f.write(b'\3\2\x23\7' + b'\1\0\0\0' * 7 + b'\1\0\0\0\0')
        os.chmod(locked, 0)
        t.run('as', good, '-o', t.path('good.spv'))
        names = {'out': t.path('out.spv'), 'good': good, 'other': other}

        def words(command, extra):
            return [w.format(**names) for w in extra]

        def expect(what, code, said, *args, stdin=None):
            got, out, err = t.run(*args, stdin=stdin)
            t.check(got == code, f'{" ".join(args)}: {what}: exit {got} instead of {code}: {out[:200]}{err[:400]}')
            if said is not None:
                t.check(said in err, f'{" ".join(args)}: {what}: does not say {said}: {err[:400]}')

        with open(os.path.join(harness.ROOT, 'src/tool/commands.def')) as f:
            commands = re.findall(r'^COMMAND\((\w+),', f.read(), re.M)
        t.check(set(commands) == set(TAKES) | {'explain', 'compile', 'exec'}, 'every command is in the table, or has a test of its own (NAME_test.py)')
        for name, extra in TAKES.items():
            more = words(name, extra)
            expect('as it should be', 0, None, name, good if name == 'as' else t.path('good.spv'), *more)
            expect('from standard input', 0, None, name, '-', *more, stdin=MODULE)
            expect('a file that is not there', 3, 'nowhere/x.spv', name, t.path('nowhere/x.spv'), *more)
            if name != 'val':  # for which it is all the modules in it
                expect('a folder', 3, t.folder, name, t.folder, *more)
            if os.geteuid() != 0:
                expect('a file that must not be read', 3, locked, name, locked, *more)
            bad = 3 if name == 'diff' else 1  # for which 1 says that there are differences
            expect('text that is wrong', bad, 'wrong.spvasm:2:1', name, text, *more)
            if name != 'as':
                expect('an empty file', bad, 'empty.spv', name, empty, *more)
                expect('a broken module', bad, 'wrong.spv', name, binary, *more)
            expect('an option that there is not', 2, '--nonsense', name, good, '--nonsense', *more)
            expect('an option that is misspelt', 2, 'did you mean --help?' if name == 'info' else 'did you mean', name,
                   good, *{'as': ['--preserve-numeric-id'], 'dis': ['--raw-ids'], 'val': ['--envv'], 'link': ['--create-libary'],
                           'strip': ['--nams'], 'lower': ['--ext2'], 'spec': ['--freez'], 'diff': ['--quite'],
                           'info': ['--hlp'], 'run': ['--glbal'], 'check': ['--shedule'], 'debug': ['--btch']}[name])
            if name not in ('info', 'link', 'diff'):
                expect('a value that is missing', 2, None, name, good,
                       {'dis': '-o', 'val': '--env', 'run': '--arg', 'check': '--arg', 'debug': '-x'}.get(name, '-o'))
        for name, kind in (('as', '--target-env'), ('val', '--env'), ('lower', '--env')):
            expect('an environment that there is not', 2, 'opencl9.9', name, good, kind, 'opencl9.9')
        for name in ('link', 'run', 'check', 'debug'):
            expect('no file', 2, None, name)
        expect('one file', 2, None, 'diff', good)
        for name in ('as', 'dis', 'strip', 'lower', 'info', 'diff'):
            expect('too many files', 2, None, name, good, good, good)

        for name in sorted(WRITES):
            more = [w for w in words(name, TAKES[name]) if w not in ('-o', names['out'])]
            expect('a full disk', 3, '/dev/full', name, good, *more, '-o', '/dev/full')
            expect('a folder that is not there', 3, 'nowhere', name, good, *more, '-o', t.path('nowhere/o.spv'))
            expect('a folder as a file', 3, t.folder, name, good, *more, '-o', t.folder)
            with open('/dev/full', 'w') as full:
                p = subprocess.run([t.heddle, name, good, *more, '-o', '-'], stdout=full, stderr=subprocess.PIPE, text=True)
            t.check(p.returncode == 3 and p.stderr, f'{name} -o - >/dev/full: {p.returncode}, {p.stderr}')
        for name in sorted(PRINTS):
            for args in (words(name, PRINTS[name]), ['--help']):
                with open('/dev/full', 'w') as full:
                    p = subprocess.run([t.heddle, name, good, *args], stdout=full, stderr=subprocess.PIPE,
                                       stdin=subprocess.DEVNULL, text=True)
                t.check(p.returncode == 3 and p.stderr, f'{name} {args} >/dev/full: {p.returncode}, {p.stderr}')
        expect('a full disk', 3, '/dev/full', 'run', good, *RUN, '--out', '0=/dev/full')
        expect('a full disk', 3, '/dev/full', 'run', good, '--dump', 'ir', '-o', '/dev/full')
        expect('a full disk', 3, '/dev/full', 'check', good, '--global', '1', '--arg', 'null', '--report', '/dev/full')
        expect('a picture that cannot be written', 3, 'nowhere', 'run', good, *RUN, '--image', '0=1x1:rgba8:' + t.path('nowhere/x.png'))
        expect('a script that is not there', 3, 'nowhere', 'debug', good, *RUN, '-x', t.path('nowhere/x'), '--batch')
        expect('a buffer from a file that is not there', 3, 'nowhere', 'run', good, '--global', '1', '--arg', 'u32[1]=@' + t.path('nowhere/x'))
        expect('a buffer that is too large', 3, 'not enough memory for so many', 'run', good, '--global', '1', '--arg', 'u32[999999999999999]')

        # Values of options that are none, and options that say two things.
        for said, words in (('-j takes a number from 0 to', ['val', '-j', '99999', good]), ("--env takes universal1.0 … universal1.6, vulkan1.0, vulkan1.1, vulkan1.1spv1.4, vulkan1.2, vulkan1.3, vulkan1.4, opencl1.2, opencl2.0, opencl2.1, opencl2.2, opencl3.0 or opencl3.1, the latter also with -embedded, not ''", ['val', '--env', '', good]),
                            ('--json and --sarif exclude each other', ['val', '--json', '--sarif', good]), ('--json and --sarif exclude each other', ['check', good, *RUN, '--json', '--sarif']),
                            ('--env and --device exclude each other', ['val', '--env', 'opencl3.0', '--device', 'x', good]),
                            ('--env and --device exclude each other', ['lower', '--env', 'opencl3.0', '--device', 'x', good]),
                            ('--local takes sizes of at least 1', ['run', good, *RUN, '--local', '0']),
                            ('argument 5 is not a buffer', ['run', good, *RUN, '--print', '5']),
                            ('argument 5 is not a buffer', ['run', good, *RUN, '--expect', '5=1']),
                            ('argument 9 is not a buffer', ['run', good, *RUN, '--out', '9=' + t.path('nine')]),
                            ('--dump takes forms, ir, lanes, llvm, asm or after:PASS', ['run', good, *RUN, '--dump', 'ir,sam']),
                            ('--dump takes forms, ir, lanes, llvm, asm or after:PASS', ['run', good, *RUN, '--dump', 'after:sam']),
                            ('--width takes 1, 4, 8, 16 or 32', ['run', good, *RUN, '--width', '2']),
                            ('--width takes 1, 4, 8, 16 or 32', ['run', good, *RUN, '--width', '64']),
                            ('not opencl9; ', ['run', good, *RUN, '--env', 'opencl9']),
                            ("'x1,2': unexpected text after a value", ['run', good, '--global', '1', '--arg', 'u32[3]=0,0x0x1,2']),
                            ('unknown option --glob (did you mean --global?);', ['run', good, '--glob', '1']),
                            ('unknown option -o;', ['val', '-o', 'x', good]),  # one letter is near to any other
                            ('only one file can be standard input', ['val', '-', good, '-']), ('only one file can be standard input', ['link', '-', '-']),
                            ('only one file can be standard input', ['diff', '-', '-']),
                            ('--tolerance takes a number of at least 0', ['run', good, *RUN, '--tolerance', 'nan']),
                            ('--tolerance takes a number of at least 0', ['run', good, *RUN, '--tolerance', '-1']),
                            ('--dump needs -o FILE beside --json', ['run', good, *RUN, '--json', '--dump', 'ir']),
                            ('--dump needs -o FILE beside --json', ['run', good, *RUN, '--json', '--dump', 'ir', '-o', '-']),
                            ('the number of work-items is missing', ['run', good, '--json', '--dump', 'ir', '-o', t.path('ir')]),
                            ('-o is where --dump writes', ['run', good, *RUN, '-o', t.path('ir')]),
                            ('an image is written WxH:FORMAT:FILE', ['run', good, *RUN, '--image', '0=1x1:rgba8']),
                            ('needs 16 bytes, the argument has 4', ['run', good, *RUN, '--image', '0=2x2:rgba8:' + t.path('x.png')]),
                            ("'zz' is not a value of type u32", ['run', good, *RUN, '--expect', '0=zz']),
                            ('did you mean link?', ['help', 'lnik'])):
            expect('a value that is none', 2, said, *words)
            t.check(t.run(*words)[1] == '', f'{words}: nothing is shown before it is said')
        t.check(t.run('help', 'as')[:2] == t.run('as', '--help')[:2], 'help COMMAND')
        # Help and refusals name environments as --env takes them.
        for name in ('val', 'lower'):
            shown = ' '.join(t.run(name, '--help')[1].split('--env')[1].split('--ext')[0].split())
            for text in (shown, ' '.join(t.run(name, '--env', '3.0', good)[2].split())):
                named = re.findall(r'[a-z]*\d\.\d(?:spv\d\.\d)?', text.replace('not 3.0', ''))
                wanted = {'opencl' + v for v in ('1.2', '2.0', '2.1', '2.2', '3.0', '3.1')}
                t.check(wanted <= set(named), f'{name} names all environments: {text}')
                for env in named:
                    t.check(t.run(name, '--env', env, '-o' if name == 'lower' else '--quiet', *([names['out']] if name == 'lower' else []), good)[0] in (0, 1),
                            f'{name} takes --env {env}')
                    if 'embedded' in text and env.startswith('opencl'):
                        t.check(t.run(name, '--env', env + '-embedded', *(['-o', names['out']] if name == 'lower' else []), good)[0] in (0, 1), f'{name} takes {env}-embedded')
        # Nothing at all is no module, wherever it comes from.
        for name in ('dis', 'val', 'strip', 'lower', 'spec', 'info'):
            expect('empty standard input', 1, '<stdin>', name, '-', stdin='')
        check_closed(t, good)
        check_json(t, good)
        check_endless(t)
        check_encodings(t)

        expect('a module as text', 1, 'heddle dis', 'as', t.path('good.spv'))
        expect('an argument of no form', 2, 'pipe or queue', 'run', good, '--global', '1', '--arg', 'nothing')
        none = t.path('none.spvasm', 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n'
                      'OpMemoryModel Physical64 OpenCL\n')
        expect('no argument', 2, '0: a pointer to a buffer', 'run', good, '--global', '1')
        two = t.path('two.spvasm', MODULE.replace('"k"\n', '"k"\nOpEntryPoint Kernel %k "other"\n', 1))
        expect('a kernel that there is not', 2, "no kernel 'x'; it has k, other", 'run', two, 'x', *RUN)
        expect('no kernel said', 2, 'name one of k, other', 'run', two, *RUN)
        os.mkdir(t.path('bare'))
        expect('a folder without modules', 3, 'no .spv or .spvasm file', 'val', t.path('bare'))
        for name in ('dis', 'val', 'run', 'info'):
            more = RUN if name == 'run' else []
            expect('OpenCL C by another name', 1, 'OpenCL C needs a file name that ends in .cl', name,
                   t.path('source.spv', 'kernel void k(global int *a) { *a = 1; }'), *more)
            with open(t.path('noise'), 'wb') as f:
                f.write(b'\xb5\1\2\3' * 16)
            expect('neither text nor module', 1, '0x030201b5', name, t.path('noise'), *more)
        check_environment(t, good)
        expect('a module without kernels', 2, 'the module has no kernel', 'run', none, '--global', '1')

        expect('a rule', 0, None, 'explain', 'atomic.value')
        expect('a rule as findings show it', 0, None, 'explain', '[atomic.value]')
        expect('a rule that there is not', 2, 'did you mean atomic.value?', 'explain', 'atomic.valu')
        expect('no rule', 2, None, 'explain')
        expect('differences', 1, None, 'diff', good, other)
        expect('a comparison that fails', 1, 'run.expect', 'run', good, *RUN, '--expect', '0=9')
        expect('a defect', 1, 'check.', 'check', good, '--global', '1', '--arg', 'null')
        expect('a symbol that nobody defines', 1, None, 'spec', good, 'nobody=1', '-o', names['out'])
        expect('a command that there is not', 2, 'did you mean link?', 'lnik')
        expect('no command', 2, 'usage:')
        expect('help', 0, None, '--help')
        expect('the version', 0, None, '--version')
        t.check(not os.path.exists(t.path('nowhere')), 'nothing was made')
        os.chmod(locked, 0o600)
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
