#!/usr/bin/env python3
"""Small modules that would take the validator long, or much memory, if anything were done over and over; some of many
kernels that would take heddle info and heddle link long, or heddle lower much memory.

  tests/val/scale_test.py [--build build]

Each has a limit of processor time and of memory that is several times what it takes, and a fraction of what it took when it
was found. What well-formed modules take at which size: bench/text.py.
SPDX-License-Identifier: MIT
"""
import argparse, os, resource, subprocess, sys, tempfile

SECONDS = 4 # of processor time
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KERNEL = """OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
"""
SHADER = """OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
"""
TYPES = """%uint = OpTypeInt 32 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%k = OpConstant %uint 7
"""
ENTER = '%f = OpFunction %void None %fn\n%l = OpLabel\n'
LEAVE = 'OpReturn\nOpFunctionEnd\n'


def blocks_in_blocks():
    """A block of a hundred structures, each of which is a hundred, and so on: 10 to the power of 14 ways."""
    return SHADER + 'OpDecorate %s7 Block\n' + TYPES + '%s0 = OpTypeStruct %uint\n' + ''.join(
        f'%s{n} = OpTypeStruct' + f' %s{n - 1}' * 100 + '\n' for n in range(1, 8))


def findings_with_lines():
    """Each instruction is wrong and has a line."""
    return KERNEL + '%s = OpString "a.cl"\n' + TYPES + ENTER + ''.join(
        f'OpLine %s {n} 1\n%x{n} = OpFAdd %uint %k %k\n' for n in range(60000)) + LEAVE


def wide_findings():
    """Each member of one structure is wrong; the finding shows the structure."""
    return SHADER + 'OpDecorate %s Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n' + TYPES + \
        '%s = OpTypeStruct' + ' %uint' * 16000 + '\n%p = OpTypePointer Uniform %s\n%v = OpVariable %p Uniform\n'


def wide_loads():
    """A structure of many members is loaded by each instruction."""
    return KERNEL + TYPES + '%s = OpTypeStruct' + ' %uint' * 16000 + '\n%p = OpTypePointer CrossWorkgroup %s\n' \
        '%u = OpUndef %p\n' + ENTER + ''.join(f'%x{n} = OpLoad %s %u Aligned 4\n' for n in range(200000)) + LEAVE


def deep_loads():
    """An array of arrays, twenty thousand deep, is loaded by each instruction."""
    return KERNEL + TYPES + '%a0 = OpTypeArray %uint %k\n' + ''.join(
        f'%a{n} = OpTypeArray %a{n - 1} %one\n' for n in range(1, 20000)).join(('%one = OpConstant %uint 1\n', '')) + \
        '%p = OpTypePointer CrossWorkgroup %a19999\n%u = OpUndef %p\n' + ENTER + ''.join(
            f'%x{n} = OpLoad %a19999 %u Aligned 4\n' for n in range(200000)) + LEAVE


def cases():
    """Switches of a shader, a thousand cases each."""
    each, out = 1000, [SHADER, TYPES, ENTER]
    for first in range(0, 100000, each):
        out.append(f'OpSelectionMerge %m{first} None\nOpSwitch %k %m{first} ' + ' '.join(
            f'{n} %c{first + n}' for n in range(each)) + '\n' + ''.join(
                f'%c{first + n} = OpLabel\nOpBranch %m{first}\n' for n in range(each)) + f'%m{first} = OpLabel\n')
    return ''.join(out) + LEAVE


def nulls():
    return KERNEL + TYPES + ''.join(f'%n{n} = OpConstantNull %uint\n' for n in range(200000))


def nulls_of_types():
    """Structures without members, and a null of each."""
    return KERNEL + TYPES + ''.join(f'%s{n} = OpTypeStruct\n%n{n} = OpConstantNull %s{n}\n' for n in range(300000))


def structures_of_none():
    return KERNEL + TYPES + ''.join(f'%s{n} = OpTypeStruct\n' for n in range(600000))


def unreachable_blocks():
    return KERNEL + TYPES + ENTER + 'OpReturn\n' + ''.join(
        f'%u{n} = OpLabel\nOpUnreachable\n' for n in range(400000)) + 'OpFunctionEnd\n'


def functions_of_a_block():
    return KERNEL + TYPES + ''.join(
        f'%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\n' + LEAVE for n in range(100000))


def sums_of_sixteen():
    """Constant vectors of sixteen components, each the sum of the one before and the first."""
    return 'OpCapability Vector16\n' + KERNEL + TYPES + '%v = OpTypeVector %uint 16\n%one = OpConstant %uint 1\n' \
        '%s0 = OpSpecConstantComposite %v' + ' %one' * 16 + '\n' + ''.join(
            f'%s{n} = OpSpecConstantOp %v IAdd %s{n - 1} %s0\n' for n in range(1, 100000))


def function_types():
    return KERNEL + TYPES + '%float = OpTypeFloat 32\n' + ''.join(
        f'%t{n} = OpTypeFunction %void ' + ' '.join('%float' if n >> bit & 1 else '%uint' for bit in range(17)) + '\n'
        for n in range(100000))


def kernels(count, between, ends, globals_=''):
    """Kernels that all call the last of those functions in between."""
    return KERNEL + ''.join(f'OpEntryPoint Kernel %e{n} "k{n}"\n' for n in range(count)) + TYPES + globals_ + between + \
        ''.join(f'%e{n} = OpFunction %void None %fn\n%le{n} = OpLabel\n{ends(n)}' + LEAVE for n in range(count))


def kernels_of_functions():
    """Ten thousand kernels that each reach a hundred thousand functions."""
    last = 99999
    return kernels(10000, '%f0 = OpFunction %void None %fn\n%l0 = OpLabel\n' + LEAVE + ''.join(
        f'%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\n%c{n} = OpFunctionCall %void %f{n - 1}\n' + LEAVE
        for n in range(1, last + 1)), lambda n: f'%ce{n} = OpFunctionCall %void %f{last}\n')


def kernels_of_variables():
    """Forty thousand kernels that each have a variable of local memory to themselves."""
    return kernels(40000, '', lambda n: f'%x{n} = OpLoad %uint %v{n}\n', '%p = OpTypePointer Workgroup %uint\n' + ''.join(
        f'%v{n} = OpVariable %p Workgroup\n' for n in range(40000)))


def replaced_parts(first):
    """Each operation replaces a part of the array of ten thousand that the one before made."""
    return KERNEL + TYPES + '%count = OpConstant %uint 10000\n%a = OpTypeArray %uint %count\n' + first + ''.join(
        f'%c{n} = OpSpecConstantOp %a CompositeInsert %k %c{n - 1} {n * 7919 % 10000}\n' for n in range(1, 100000))


def parts_of_composite():
    return replaced_parts('%c0 = OpConstantComposite %a' + ' %k' * 10000 + '\n')


def parts_of_null():
    return replaced_parts('%c0 = OpConstantNull %a\n')


def structures_of_wide_ones():
    """Variables of structures that each hold the same two of many members."""
    return SHADER + TYPES + ''.join(f'%{name} = OpTypeStruct' + ' %uint' * 16000 + '\n' for name in ('wide', 'other')) + ''.join(
        f'%s{n} = OpTypeStruct %wide %other\n%p{n} = OpTypePointer Private %s{n}\n%v{n} = OpVariable %p{n} Private\n'
        for n in range(60000))


def nested_blocks():
    """Blocks of descriptors, each a structure of its own in another, a hundred deep."""
    deep, decorations, types = 100, [], []
    for n in range(30000):
        inner, bottom = f'%s{n - 1}' if n % deep else '%uint', n - n % deep
        decorations.append(f'OpMemberDecorate %s{n} 0 Offset 0\nOpMemberDecorate %s{n} 1 Offset {16 * (n % deep + 1)}\n')
        types.append(f'%s{n} = OpTypeStruct {inner} %uint\n')
        if n % deep == deep - 1:
            decorations.append(f'OpDecorate %s{n} Block\nOpDecorate %v{n} DescriptorSet 0\nOpDecorate %v{n} Binding {bottom}\n')
            types.append(f'%p{n} = OpTypePointer Uniform %s{n}\n%v{n} = OpVariable %p{n} Uniform\n')
    return SHADER + ''.join(decorations) + TYPES + ''.join(types)


def branches():
    """Blocks of nothing but a branch to the next one."""
    return KERNEL + TYPES + ENTER + ''.join(f'OpBranch %b{n}\n%b{n} = OpLabel\n' for n in range(300000)) + LEAVE


def loops_in_each_other(deep=300):
    """Loops of a shader, three hundred deep."""
    out = [SHADER, TYPES, '%bool = OpTypeBool\n%true = OpConstantTrue %bool\n', ENTER]
    for first in range(0, 30000, deep):
        out += [f'OpBranch %h{n}\n%h{n} = OpLabel\nOpLoopMerge %m{n} %c{n} None\nOpBranchConditional %true %i{n} %m{n}\n'
                f'%i{n} = OpLabel\n' for n in range(first, first + deep)]
        out += [f'OpBranch %c{n}\n%c{n} = OpLabel\nOpBranch %h{n}\n%m{n} = OpLabel\n'
                for n in range(first + deep - 1, first - 1, -1)]
    return ''.join(out) + LEAVE


def deep_loops():
    """Thirty thousand loops, each in the one before."""
    return loops_in_each_other(30000)


def parts_of_vectors():
    """Vectors of four, each another one but for a component."""
    return KERNEL + TYPES + '%v4 = OpTypeVector %uint 4\n%x0 = OpSpecConstantComposite %v4 %k %k %k %k\n' + ''.join(
        f'%x{n} = OpSpecConstantOp %v4 CompositeInsert %k %x{n - 1} {n % 4}\n' for n in range(1, 100000))


def vector_operations():
    """Additions of constant vectors, each to the one before."""
    return KERNEL + TYPES + '%v4 = OpTypeVector %uint 4\n%x0 = OpSpecConstantComposite %v4 %k %k %k %k\n' + ''.join(
        f'%x{n} = OpSpecConstantOp %v4 IAdd %x{n - 1} %x0\n' for n in range(1, 100000))


def parts_read():
    """Parts of a composite in which thousands were replaced are read; all have a value."""
    return KERNEL + TYPES + '%s = OpTypeStruct' + ' %uint' * 8000 + '\n%x0 = OpSpecConstantComposite %s' + ' %k' * 8000 + '\n' + \
        ''.join(f'%x{n} = OpSpecConstantOp %s CompositeInsert %k %x{n - 1} {n}\n' for n in range(1, 3900)) + ''.join(
            f'%e{n} = OpSpecConstantOp %uint CompositeExtract %x3899 {n * 7 % 8000}\n' for n in range(60000))


def arrays_of_variable_length():
    """Saves in each other with an array each, and branches between them; then all are restored."""
    count = 40000
    return KERNEL.replace('OpMemoryModel', 'OpCapability Int8\nOpCapability VariableLengthArrayINTEL\n'
                          'OpExtension "SPV_INTEL_variable_length_array"\nOpMemoryModel') + TYPES + \
        '%bool = OpTypeBool\n%u8 = OpTypeInt 8 0\n%p8 = OpTypePointer Function %u8\n%pu = OpTypePointer Function %uint\n' \
        '%true = OpConstantTrue %bool\n' + ENTER + ''.join(
            f'%s{n} = OpSaveMemoryINTEL %p8\n%v{n} = OpVariableLengthArrayINTEL %pu %k\n'
            f'OpBranchConditional %true %x{n} %y{n}\n%x{n} = OpLabel\nOpBranch %y{n}\n%y{n} = OpLabel\n'
            for n in range(count)) + ''.join(f'OpRestoreMemoryINTEL %s{n}\n' for n in reversed(range(count))) + LEAVE


def small_functions():
    """Functions of one block."""
    return KERNEL + TYPES + ''.join(f'%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\n' + LEAVE for n in range(40000))


def structures_of_one():
    return KERNEL + TYPES + ''.join(f'%s{n} = OpTypeStruct %uint\n' for n in range(200000))


def pointed_to():
    """Structures of no member, and a pointer to each."""
    return KERNEL + TYPES + ''.join(
        f'%s{n} = OpTypeStruct\n%p{n} = OpTypePointer CrossWorkgroup %s{n}\n' for n in range(150000))


def groups():
    """Groups of four decorations, each for a hundred variables."""
    each, kinds = 100, ('Restrict', 'Volatile', 'Coherent', 'NonWritable')
    return KERNEL + ''.join(f'OpDecorate %g{g} {kind}\n' for g in range(600) for kind in kinds) + ''.join(
        f'%g{g} = OpDecorationGroup\n' for g in range(600)) + ''.join(
            f'OpGroupDecorate %g{g} ' + ' '.join(f'%v{n}' for n in range(each * g, each * g + each)) + '\n' for g in range(600)) + \
        TYPES + '%p = OpTypePointer CrossWorkgroup %uint\n' + ''.join(
            f'%v{n} = OpVariable %p CrossWorkgroup\n' for n in range(each * 600))


def plain_constants():
    return KERNEL + TYPES + ''.join(f'%c{n} = OpConstant %uint {n}\n' for n in range(300000))


def long_phis():
    """Each value has thirty thousand predecessors."""
    case = range(30000)
    return KERNEL + TYPES + ENTER + 'OpSwitch %k %end ' + ' '.join(f'{n} %c{n}' for n in case) + '\n' + ''.join(
        f'%c{n} = OpLabel\nOpBranch %end\n' for n in case) + '%end = OpLabel\n' + ''.join(
            f'%x{n} = OpPhi %uint %k %l ' + ' '.join(f'%k %c{n}' for n in case) + '\n' for n in range(60)) + LEAVE


def kernels_with_modes():
    return KERNEL + ''.join(f'OpEntryPoint Kernel %f{n} "k{n}"\n' for n in range(100000)) + ''.join(
        f'OpExecutionMode %f{n} LocalSize 8 1 1\n' for n in range(100000)) + TYPES + ''.join(
            f'%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\n' + LEAVE for n in range(100000))


def mistakes():
    """Each instruction is wrong, and nobody reads what is said."""
    return KERNEL + TYPES + ENTER + ''.join(f'%x{n} = OpFAdd %uint %k %k\n' for n in range(100000)) + LEAVE


def missing_in_interfaces():
    """Kernels that each use ten thousand variables that they do not list."""
    return KERNEL + ''.join(f'OpEntryPoint Kernel %e{n} "k{n}"\n' for n in range(1000)) + TYPES + \
        '%p = OpTypePointer CrossWorkgroup %uint\n' + ''.join(
            f'%v{n} = OpVariable %p CrossWorkgroup\n' for n in range(10000)) + '%f = OpFunction %void None %fn\n%l = OpLabel\n' + \
        ''.join(f'%x{n} = OpLoad %uint %v{n} Aligned 4\n' for n in range(10000)) + LEAVE + ''.join(
            f'%e{n} = OpFunction %void None %fn\n%le{n} = OpLabel\n%c{n} = OpFunctionCall %void %f\n' + LEAVE
            for n in range(1000))


def compute(entries, decorations, types, code):
    """A compute shader for Vulkan."""
    return 'OpCapability Shader\nOpMemoryModel Logical GLSL450\n' + entries + decorations + TYPES + types + \
        '%main = OpFunction %void None %fn\n%l = OpLabel\n' + code + LEAVE


MAIN = 'OpEntryPoint GLCompute %main "main"\nOpExecutionMode %main LocalSize 1 1 1\n'
BOUND = 'OpDecorate %s Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n'


def members_of_deep_arrays():
    """A block of ten thousand members, each an array twenty thousand deep."""
    return compute(MAIN, BOUND + ''.join(f'OpDecorate %a{n} ArrayStride 4\n' for n in range(20000)) + ''.join(
        f'OpMemberDecorate %s {n} Offset {4 * n}\n' for n in range(10000)), '%one = OpConstant %uint 1\n%a0 = OpTypeArray %uint %one\n' +
        ''.join(f'%a{n} = OpTypeArray %a{n - 1} %one\n' for n in range(1, 20000)) + '%s = OpTypeStruct' + ' %a19999' * 10000 +
        '\n%p = OpTypePointer Uniform %s\n%v = OpVariable %p Uniform\n', '')


def members_backwards():
    """A block whose members are laid out from the last to the first."""
    return compute(MAIN, BOUND + ''.join(f'OpMemberDecorate %s {n} Offset {4 * (16000 - n)}\n' for n in range(16000)),
                   '%s = OpTypeStruct' + ' %uint' * 16000 + '\n%p = OpTypePointer Uniform %s\n%v = OpVariable %p Uniform\n', '')


def entry_points():
    """A function that is an entry point twenty thousand times, with as many modes."""
    return compute(''.join(f'OpEntryPoint GLCompute %main "main{n}"\n' for n in range(20000)) +
                   'OpExecutionMode %main LocalSize 1 1 1\n' * 20000, '', '', '')


def uses_of_builtins():
    """A block of eight thousand built-ins is used a hundred thousand times."""
    return compute('OpEntryPoint Vertex %main "main" %v\n', 'OpDecorate %s Block\n' + ''.join(
        f'OpMemberDecorate %s {n} BuiltIn PointSize\n' for n in range(8000)), '%float = OpTypeFloat 32\n%s = OpTypeStruct' + ' %float' * 8000 +
        '\n%p = OpTypePointer Output %s\n%q = OpTypePointer Output %float\n%v = OpVariable %p Output\n',
        ''.join(f'%c{n} = OpAccessChain %q %v %k\n' for n in range(100000)))


# What makes it, the exit code and the command.
IN_TIME = [(blocks_in_blocks, 0, 'val'), (findings_with_lines, 1, 'val'), (wide_findings, 1, 'val'), (wide_loads, 0, 'val'),
           (deep_loads, 0, 'val'), (kernels_of_functions, 0, 'info'), (kernels_of_functions, 0, 'link'),
           (kernels_of_variables, 0, 'info'), (deep_loops, 0, 'info'), (missing_in_interfaces, 1, 'val'),
           (structures_of_wide_ones, 0, 'val'), (kernels_with_modes, 0, 'info'), (parts_read, 0, 'val in OpenCL'),
           (arrays_of_variable_length, 0, 'val'), (long_phis, 0, 'info'), (members_of_deep_arrays, 0, 'val'),
           (members_of_deep_arrays, 1, 'val for Vulkan'), (members_backwards, 0, 'val for Vulkan'),
           (entry_points, 1, 'val for Vulkan'), (uses_of_builtins, 1, 'val for Vulkan')]
OPTIONS = {'val': ['--env', 'universal1.6'], 'val in OpenCL': ['--env', 'opencl3.0'],
           'val for Vulkan': ['--env', 'vulkan1.4'], 'info': [], 'link': ['-o', '/dev/null']}
# What makes it, and how many times its size memory may be beyond it.
IN_ROOM = [(cases, 3), (nulls, 2), (function_types, 2), (parts_of_composite, 3), (parts_of_null, 3), (mistakes, 2),
           (nested_blocks, 3), (branches, 3), (loops_in_each_other, 3), (parts_of_vectors, 3),
           (vector_operations, 3), (structures_of_one, 3), (pointed_to, 3), (groups, 3),
           (nulls_of_types, 3), (structures_of_none, 3), (unreachable_blocks, 3), (functions_of_a_block, 3), (sums_of_sixteen, 3)]
# What makes it, the command, and how many times its files the whole process may take.
TOOLS_IN_ROOM = [(plain_constants, 'link', 6.3), (plain_constants, 'diff', 4.5), (branches, 'link', 5), (branches, 'diff', 5.3),
                 (small_functions, 'info', 14), (plain_constants, 'lower', 9),
                 (structures_of_one, 'info', 13), (mistakes, 'info', 9)]


def exit_code(command):
    """None where the time was over."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit).returncode
    return code if code >= 0 else None


def whole(command):
    """The most memory of a process. A small one starts it, since what starts it counts until then."""
    script = 'import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n' \
        'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
    return int(subprocess.run([sys.executable, '-c', script, *command], capture_output=True, check=True).stdout) * 1024


def peak(library, call, path):
    """The most memory of a process that has read the file and makes the call of the library."""
    script = os.path.join(ROOT, 'bench/text.py')
    out = subprocess.run([sys.executable, script, '--peak', library, call, path], check=True, capture_output=True)
    return int(out.stdout.split()[0])


def beyond(library, path):
    """Memory of a validation beyond that of reading, in sizes of the file: the least of three, as pages that the system hands out
    ahead make a difference of a tenth."""
    return min(peak(library, 'validate', path) - peak(library, 'none', path) for _ in range(3)) / os.path.getsize(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    build = parser.parse_args().build
    heddle, library = os.path.join(build, 'heddle'), os.path.abspath(os.path.join(build, 'libheddle.so'))
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        text, module = os.path.join(folder, 'm.spvasm'), os.path.join(folder, 'm.spv')

        def assemble(make):
            with open(text, 'w') as f:
                f.write(make())
            subprocess.run([heddle, 'as', text, '-o', module], check=True)

        for make, wanted, tool in IN_TIME:
            assemble(make)
            code = exit_code([heddle, tool.split()[0], *OPTIONS[tool], module])
            if code != wanted:
                failures.append(f'{make.__name__}: {tool} exits with {code}, not {wanted}')
        for make, most in IN_ROOM:
            assemble(make)
            used = beyond(library, module)
            if used > most:
                failures.append(f'{make.__name__}: {used:.1f} times the module')
        for make, tool, most in TOOLS_IN_ROOM:
            assemble(make)
            files = [module, module] if tool == 'diff' else [module]
            options = {'link': ['--create-library', '-o', '/dev/null'], 'lower': ['-o', '/dev/null']}.get(tool, [])
            used = whole([heddle, tool, *options, *files]) / sum(map(os.path.getsize, files))
            if used > most:
                failures.append(f'{make.__name__}: {tool} takes {used:.1f} times its files')
    for failure in failures:
        print(failure, file=sys.stderr)
    count = len(IN_TIME) + len(IN_ROOM) + len(TOOLS_IN_ROOM)
    print('%d passed, %d failed, 0 skipped' % (count - len(failures), len(failures)))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
