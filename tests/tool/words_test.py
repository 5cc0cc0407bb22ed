#!/usr/bin/env python3
"""What people type first: misspelt words, -q of every command, heddle info --json. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import json
import os
import sys

import harness
from exit_test import MODULE

WRONG = MODULE.replace('OpIAdd %u32 %x %c', 'OpFAdd %u32 %x %c')
RUN = ['--global', '1', '--arg', 'u32[1]=1']


def check_words(t, good):
    """A word that is none: one line, with the one that was meant where there is one."""
    for words, said in (
            (['comple', 'x.cl'], "heddle: unknown command 'comple'; did you mean compile?"),
            (['disassemble', 'x.spv'], "heddle: unknown command 'disassemble'; did you mean dis?"),
            (['frobnicate'], "heddle: unknown command 'frobnicate'; heddle --help lists them"),
            (['-v'], "heddle: unknown option '-v'; did you mean --version?"),
            (['spec', good, '-o', 'x.spv'], 'heddle spec: -o needs NAME=VALUE or --freeze, without which constants are listed; '
                                            'heddle spec --help shows the options'),
            (['--hepl'], "heddle: unknown option '--hepl'; did you mean --help?"),
            ([good], f'heddle: {good} is a file, not a command; did you mean heddle run, check or val?'),
            (['val', '--max-error', '3', good], 'heddle val: unknown option --max-error (did you mean --max-errors?); '
                                                'heddle val --help shows the options'),
            (['run', good, '--gobal', '3'], 'heddle run: unknown option --gobal (did you mean --global?); '
                                            'heddle run --help shows the options')):
        code, out, err = t.run(*words)
        t.check((code, out, err) == (2, '', said + '\n'), f'{words}: {code}, {out}, {err}')
    for words in (['help', 'run'], ['--help', 'run'], ['-h', 'run']):
        t.check(t.run(*words) == t.run('run', '--help'), f'{words}: {t.run(*words)}')
    t.check(t.run('help', '-h') == t.run('--help') and t.run('-h')[0] == 0, 'help of no command')


def check_quiet(t, good, wrong):
    """-q and --quiet are known wherever something is said that can be left out."""
    out = t.path('out.spv')
    for words in (['as', good, '-o', out], ['dis', good, '-o', out], ['link', good, '-o', out], ['strip', good, '-o', out],
                  ['lower', good, '-o', out], ['spec', good, 'c=2', '-o', out], ['diff', good, good], ['val', good],
                  ['run', good, *RUN], ['check', good, *RUN]):
        for option in ('-q', '--quiet'):
            done = t.run(*words, option)
            t.check(done == (0, '', ''), f'{words} {option}: {done}')
        t.check(' --quiet ' in t.run(words[0], '--help')[1], f'{words[0]} --help names --quiet')
    done = t.run('val', '-q', good, wrong, t.path('none.spv'))
    t.check(done[0] == 3 and done[2] == f'{wrong}: invalid\n{t.path("none.spv")}: not read\n'
            '3 files: 1 valid (0 with warnings), 1 invalid, 1 not read\n', f'val -q names files: {done}')
    done = t.run('val', '-q', wrong)
    t.check(done == (1, '', f'{wrong}: invalid\n'), f'val -q names a file: {done}')
    done = t.run('val', '-q', '--json', wrong)
    t.check(done[0] == 1 and json.loads(done[1]) and done[2] == '', f'val -q --json: {done}')
    done = t.run('as', '-q', t.path('bad.spvasm', 'OpNoSuch\n'))
    t.check(done[0] == 1 and 'as.opcode' in done[2], f'as -q says what is wrong: {done}')
    done = t.run('check', '-q', good, '--global', '1', '--arg', 'null')
    t.check(done == (1, '', f'{good}: check: 2 errors, 0 notes in 1 launch\n'), f'check -q: {done}')


def check_environments(t, good):
    """Names of environments as SPIRV-Tools has them, and as Heddle has them, wherever one is taken."""
    out = t.path('out.spv')
    for name in ('spv1.4', 'universal1.4', 'opencl2.0embedded', 'opencl2.0-embedded'):
        t.check(t.run('as', good, '--target-env', name, '-o', out) == (0, '', ''), f'as --target-env {name}')
        t.check(t.run('val', out, '--env', name)[0] == 0, f'val --env {name}: {t.run("val", out, "--env", name)}')
        t.check(t.run('run', out, '--env', name, *RUN)[0] == 0, f'run --env {name}')
    for command in ('as', 'val'):
        for name in ('spv1.7', 'spv1', 'spv', 'universal1.40', 'universal2.0', 'opencl2.0--embedded'):
            done = t.run(command, good, '--target-env', name, '-o', out) if command == 'as' else t.run(command, good, '--target-env', name)
            t.check(done[0] == 2 and f'not {name};' in done[2] and 'takes' in done[2], f'{command} {name}: {done}')


def check_colours(t, good, wrong):
    """--color=WHEN as other tools have it, in each command that shows colours."""
    source = t.path('null.cl', 'kernel void k(global int *a) { a[0] = 1; }\n')
    for words, code in ((['val', wrong], 1), (['dis', good], 0), (['diff', good, wrong], 1),
                        (['check', source, '--global', '1', '--arg', 'null'], 1), (['run', wrong, *RUN], 1)):
        for option, coloured in (('--color', True), ('--color=always', True), ('--colour=always', True), ('--color=never', False),
                                 ('--color=auto', False), ('--no-color', False), ('--no-colour', False)):
            done = t.run(*words, option)
            t.check(done[0] == code and ('\033[' in done[1] + done[2]) == coloured, f'{words} {option}: {done}')
        done = t.run(*words, '--color=maybe')
        t.check(done[0] == 2 and done[2].startswith(f'heddle {words[0]}: --color takes auto, always or never, not maybe;'), f'{words}: {done}')


def check_build_options(t):
    """Options of OpenCL C go to its compiler from each command that runs it; -c is taken as from a C compiler."""
    source = t.path('d.cl', '#ifndef N\n#error no N\n#endif\n#ifdef M\n#error M\n#endif\nkernel void k(global uint *a) { a[0] = N; }\n')
    for words in (['run', source, *RUN], ['check', source, *RUN], ['debug', source, *RUN, '--batch', '-ex', 'run'], ['val', source],
                  ['dis', source], ['compile', '-c', source, '-o', t.path('d.spv')]):
        for options in (['-DN=3'], ['-D', 'N=3'], ['-DM', '-UM', '-DN=1', '-cl-std=CL3.0'], ['-DN=1', '-D', 'M', '-U', 'M']):
            t.check(t.run(*words, *options)[0] == 0, f'{words} {options}: {t.run(*words, *options)}')
        t.check(t.run(*words, '-DN', '-DM')[0] == 1, f'{words} -DM')
        done = t.run(*words, '-D')
        t.check(done[0] == 2 and 'a value is missing after -D' in done[2], f'{words} -D: {done}')
    done = t.run('compile', '-x', 'cl', source)
    t.check(done[0] == 1 and 'leave it out' in done[2], f'compile -x cl: {done}')


def check_hints(t, good):
    """What else to do with a file that is no module, and with words that are no rule."""
    for name, said in (('a.comp', 'glslc or glslangValidator compiles it'), ('a.ll', 'llvm-spirv translates it'),
                       ('a.c', 'OpenCL C needs a file name that ends in .cl')):
        done = t.run('run', t.path(name, 'void main() {}\n'), *RUN)
        t.check(done[0] == 1 and said in done[2], f'{name}: {done}')
    done = t.run('val', '-', stdin='kernel void k() {}\n')
    t.check(done[0] == 1 and 'heddle compile - -o -' in done[2], f'OpenCL C from standard input: {done}')
    os.mkdir(t.path('nothing'))
    done = t.run('val', t.path('nothing'))
    t.check(done[0] == 3 and f"{t.path('nothing')}: error: no .spv or .spvasm file is in this folder [file.io]" in done[2], f'a folder: {done}')
    done = t.run('explain', 'barrier')
    t.check(done[0] == 2 and "'barrier' is the beginning of rules: barrier." in done[2], f'a family: {done}')
    for rule, first in (('check.null', 'memory is accessed through a null pointer.'), ('check.index', 'an index leaves its array, but not the memory'),
                        ('check.finite', 'a value is used that is a NaN or infinite, or was computed from one, though the program promised'),
                        ('check.mapped', 'memory is written that the host has mapped.\n  section')):
        done = t.run('explain', rule)
        t.check(done[0] == 0 and f'  says       {first}' in done[1], f'what {rule} is about stands first, and no hint: {done}')
    done = t.run('explain', 'arith.result', 'OpFoo')
    t.check(done[0] == 0 and 'arith.result has no example of OpFoo' in done[2], f'an opcode without an example: {done}')
    for opcode in ('OpIAdd', 'OpIAddCarry'):
        done = t.run('explain', 'arith.result', opcode)
        t.check(done[0] == 0 and done[2] == '' and opcode + ' ' in done[1], f'an opcode with one: {done}')
    for path, why in (('/dev/full', 'No space left on device'), (t.path('none/x'), 'No such file or directory')):
        done = t.run('run', good, *RUN, '--trace', path)
        t.check(done == (3, '', f"heddle run: cannot write '{path}': {why}\n"), f'--trace {path}: {done}')
    done = t.run('run', good, '--global', '1', '--arg', 'u32[1]', '--arg', 'null')
    t.check("kernel 'k' has 1 argument, but 2 --arg were given" in done[2], f'two arguments: {done}')
    done = t.run('debug', good, *RUN, '--batch', '-x', t.path('none'))
    t.check(done[0] == 3 and done[2] == f"heddle debug: cannot read '{t.path('none')}': No such file or directory\n", f'-x: {done}')


def check_types(t):
    """Types by OpenCL C's names; a number of the other kind than the kernel takes is told."""
    source = t.path('t.cl', '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global int *o, int n, float4 v, uint2 w, half h) { o[0] = n + (int)v.y + w.x; }')
    run = ['run', source, '--global', '1', '--arg', 'int[1]']
    for rest, told in ((['int=3', 'float4=1,2,3,4', 'uint2=1,2', 'half=1'], ''), (['i32=3', 'f32x4=1,2,3,4', 'u32x2=1,2', 'f16=1'], ''),
                       (['uint=3', 'bytes[16]=00000000000000400000000000000000', 'int2=1,2', 'f16=1'], ''),
                       (['f32=3', 'f32x4=1', 'u32x2=1', 'f16=1'], "argument 1 'n' of kernel 'k' is an integer: it gets the bits of f32=3 [run.kind]"),
                       (['i32=3', 'i32x4=1', 'u32x2=1', 'f16=1'], "argument 2 'v' of kernel 'k' is a float: it gets the bits of i32x4=1 [run.kind]")):
        code, out, err = t.run(*run, *(word for arg in rest for word in ('--arg', arg)))
        t.check(code == 0 and ('= 6\n' in out and err == '' if not told else told in err), f'{rest}: {code} {out}{err}')
    for arg in ('float5=1', 'floatx4=1', 'integer=1', 'longlong=1'):
        t.check(t.run(*run, '--arg', arg)[0] == 2, f'{arg}: {t.run(*run, "--arg", arg)}')


def check_warnings(t):
    """Warnings of a compiler are left out, what a kernel prints is not."""
    source = t.path('w.cl', '#warning old\nkernel void k(global int *a) { a[0] = 3; printf("%d\\n", a[0]); }\n')
    run = ['run', source, '--global', '1', '--arg', 'i32[1]']
    t.check('warning' in t.run(*run)[2], 'a warning is told')
    t.check(t.run(*run, '-q') == (0, '3\n', ''), f'run -q: {t.run(*run, "-q")}')
    t.check(t.run('compile', '-q', source, '-o', t.path('w.spv')) == (0, '', ''), 'compile -q')


def check_info(t, good):
    """heddle info --json: the facts of the text."""
    code, out, err = t.run('info', '--json', good)
    found = json.loads(out)
    t.check(code == 0 and err == '' and found['spirv'] == '1.6' and found['valid'], f'info --json: {found}')
    t.check(found['capabilities'] == ['Kernel', 'Addresses'] and found['addressing_model'] == 'Physical64', 'capabilities')
    t.check(found['entry_points'] == [{'name': 'k', 'model': 'Kernel'}], 'entry points')
    t.check(found['specialisation_constants'] == [{'id': 3, 'name': 'c', 'bytes': 4, 'default_bits': '0x7', 'default': 7}], 'constants')
    kernel = found['kernels'][0]
    t.check(kernel['name'] == 'k' and kernel['kind'] == 'kernel' and kernel['local_bytes'] == 0 and
            [(a['kind'], a['bytes']) for a in kernel['arguments']] == [('global', 8)], f'kernels: {kernel}')
    shader = json.loads(t.run('info', '--json', os.path.join(harness.ROOT, 'tests/shaders/bindings.spvasm'))[1])['kernels'][0]
    t.check(shader['kind'] == 'shader' and {r['kind'] for r in shader['resources']} == {"push constants", "storage buffer", "uniform buffer"} and
            all(m['offset'] % 4 == 0 for r in shader['resources'] for m in r['members']), f'shaders: {shader}')
    library = t.path('library.spvasm', 'OpCapability Kernel\nOpCapability Linkage\nOpCapability Addresses\n'
                     'OpMemoryModel Physical64 OpenCL\nOpDecorate %f LinkageAttributes "f" Export\n%void = OpTypeVoid\n'
                     '%t = OpTypeFunction %void\n%f = OpFunction %void None %t\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n')
    t.check(json.loads(t.run('info', '--json', library)[1])['linkage'] == [{'name': 'f', 'kind': 'Export'}], 'linkage')
    device = json.loads(t.run('info', '--json')[1])
    t.check(device['version'] == t.run('--version')[1].split()[1] and device['threads'] > 0 and
            'cl_khr_fp16' in device['extensions'] and device['llvm'] in t.run('-V')[1] and device['git'] in t.run('-V')[1], f'the device: {device}')
    code, out, err = t.run('info', '--json', t.path('bad.spv', 'not a module'))
    t.check(code == 1 and [e['rule'] for e in json.loads(out)['errors']] == ['as.syntax'] and 'error' in err, f'a file that is no module: {out}')
    narrow = t.path('narrow.spvasm', MODULE.replace('Physical64', 'Physical32'))
    t.check('it does not run on Heddle: ' in t.run('info', narrow)[1], f'a module that does not run: {t.run("info", narrow)}')
    code, out, err = t.run('info', '--json', t.path('none.spv'))
    t.check(code == 3 and json.loads(out)['errors'][0]['rule'] == 'file.io' and 'none.spv' in err, f'a file that is not there: {out}')


def main():
    with harness.Tool() as t:
        good, wrong = t.path('good.spvasm', MODULE), t.path('wrong.spvasm', WRONG)
        check_words(t, good)
        check_quiet(t, good, wrong)
        check_environments(t, good)
        check_colours(t, good, wrong)
        check_build_options(t)
        check_hints(t, good)
        check_types(t)
        check_warnings(t)
        check_info(t, good)
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
