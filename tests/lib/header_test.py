#!/usr/bin/env python3
"""The public header and the libraries: header_test.py [--build FOLDER].

What libheddle.so exports is what the header declares, and the driver exports nothing but what an ICD must; LLVM is in neither;
each declaration is described; the structures that Python's package has are laid out as C's. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
counts = [0, 0, 0]


def check(holds, why):
    counts[not holds] += 1
    if not holds:
        print('failed:', why)


def exported(library):
    out = subprocess.run(['nm', '-D', '--defined-only', library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split('@')[0] for line in out.splitlines() if line.split()[-2] in 'TBDRWV'}


def needed(library):
    out = subprocess.run(['readelf', '-d', library], capture_output=True, text=True, check=True).stdout
    return re.findall(r'NEEDED.*\[(.*?)\]', out)


def described(text):
    """Names of functions and types without a comment in front of them or of the group they stand in."""
    bare = []
    blocks = re.split(r'\n\s*\n', text)
    for block in blocks:
        declared = re.findall(r'^(?:HEDDLE_API [^;(]*?(heddle_\w+)\(|typedef (?:struct|enum) (heddle_\w+))', block, re.M)
        comments = block.count('/*')
        names = {a or b for a, b in declared}
        if names and comments == 0:
            bare += sorted(names)
    for match in re.finditer(r'^HEDDLE_API', text, re.M):  # a comment ends right before each function
        before = text[:match.start()].rstrip()
        if not before.endswith('*/') and 'heddle_report_json' not in text[match.start():match.start() + 90]:
            bare.append(text[match.start():match.start() + 80].split('\n')[0])
    return bare


def layouts(folder):
    """Sizes and offsets by C of the structures that the Python package has too."""
    sys.path.insert(0, os.path.join(ROOT, 'python'))
    sys.dont_write_bytecode = True
    from heddle import _native as native
    same = {'Finding': 'heddle_finding', 'ValidateOptions': 'heddle_validate_options', 'Module': 'heddle_module',
            'Specialization': 'heddle_specialization', 'Header': 'heddle_header', 'Instruction': 'heddle_instruction',
            'Operand': 'heddle_operand', 'Function': 'heddle_function', 'EntryPoint': 'heddle_entry_point',
            'ProgramOptions': 'heddle_program_options', 'Arg': 'heddle_arg', 'Image': 'heddle_image', 'Sampler': 'heddle_sampler', 'Launch': 'heddle_launch',
            'CheckOptions': 'heddle_check_options', 'Place': 'heddle_place', 'WorkItem': 'heddle_work_item', 'Defect': 'heddle_defect',
            'KernelCounts': 'heddle_kernel_counts', 'OpcodeCount': 'heddle_opcode_count', 'InstructionCount': 'heddle_instruction_count',
            'MemoryCount': 'heddle_memory_count', 'LineCount': 'heddle_line_count', 'ObservedLaunch': 'heddle_observed_launch', 'ObservedGroup': 'heddle_observed_group',
            'ObservedInstruction': 'heddle_observed_instruction', 'Access': 'heddle_access', 'Observer': 'heddle_observer',
            'BranchCount': 'heddle_branch_count'}
    lines, want = [], []
    for name, struct in same.items():
        python = getattr(native, name)
        lines.append(f'printf("%zu\\n", sizeof({struct}));')
        want.append((f'sizeof {struct}', ctypes.sizeof(python)))
        for field in python._fields_:
            lines.append(f'printf("%zu\\n", offsetof({struct}, {field[0]}));')
            want.append((f'{struct}.{field[0]}', getattr(python, field[0]).offset))
    source, program = os.path.join(folder, 'a.c'), os.path.join(folder, 'a')
    with open(source, 'w') as f:
        f.write('#include <heddle/heddle.h>\n#include <stdio.h>\nint main(void)\n{\n' + '\n'.join(lines) + '\n}\n')
    cc = shutil.which('cc') or shutil.which('gcc') or shutil.which('clang-22')
    for standard in ('c99', 'c11'):
        p = subprocess.run([cc, '-std=' + standard, '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-I', os.path.join(ROOT, 'include'),
                            source, '-o', program], capture_output=True, text=True)
        check(p.returncode == 0, f'{standard}: {p.stderr}')
    got = [int(x) for x in subprocess.run([program], capture_output=True, text=True).stdout.split()]
    check(len(got) == len(want), 'all are printed')
    for (what, size), c in zip(want, got):
        check(size == c, f'{what} is {c}, in Python {size}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    build = os.path.abspath(parser.parse_args().build)
    with open(os.path.join(ROOT, 'include/heddle/heddle.h')) as f:
        header = f.read()
    declared = set(re.findall(r'^HEDDLE_API[^;]*?\b(heddle_\w+)\(', header, re.M))
    check(len(declared) > 30, 'functions are found')
    library, driver = os.path.join(build, 'libheddle.so'), os.path.join(build, 'libheddle-cl.so')
    symbols = exported(library)
    check(symbols - {'__asan_extra_spill_area'} == declared, f'exported and not declared: {symbols - declared}; missing: {declared - symbols}')
    symbols = exported(driver)
    debugger = {'__jit_debug_descriptor', '__jit_debug_register_code'}  # what gdb looks for
    check(all(s.startswith('cl') for s in symbols - debugger) and 'clIcdGetPlatformIDsKHR' in symbols, f'the driver exports {symbols}')
    for path in (library, driver):
        check(not any('LLVM' in n or 'clang' in n for n in needed(path)), f'{path} needs {needed(path)}')
    bare = described(header)
    check(not bare, f'not described: {bare}')
    with tempfile.TemporaryDirectory() as folder:
        layouts(folder)
    print('%d passed, %d failed, %d skipped' % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
