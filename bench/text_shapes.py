"""The modules that bench/text.py measures: functions repeated up to a size, and modules that have very much of one thing.

SPDX-License-Identifier: MIT
"""
import re

HEAD = '''OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
%1 = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
'''
TYPES = '''%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%ptr = OpTypePointer CrossWorkgroup %float
%void = OpTypeVoid
%bool = OpTypeBool
%fn = OpTypeFunction %void %ptr %uint
%fn0 = OpTypeFunction %void
%c1 = OpConstant %float 1.5
%true = OpConstantTrue %bool
'''
BODY = '''%f{n} = OpFunction %void None %fn
%p{n} = OpFunctionParameter %ptr
%n{n} = OpFunctionParameter %uint
%l{n} = OpLabel
%a{n} = OpInBoundsPtrAccessChain %ptr %p{n} %n{n}
%v{n} = OpLoad %float %a{n} Aligned 4
%m{n} = OpFMul %float %v{n} %c1
%s{n} = OpExtInst %float %1 sqrt %m{n}
OpStore %a{n} %s{n} Aligned 4
OpReturn
OpFunctionEnd
'''
EMPTY = '%f = OpFunction %void None %fn0\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n'


def small_functions(size):
    return HEAD + TYPES + ''.join(BODY.format(n=n) for n in range(max(1, size // 172)))


def many_blocks(count):
    """One function, a chain of diamonds."""
    out = [HEAD, TYPES, '%f = OpFunction %void None %fn0\n%b0 = OpLabel\n']
    for n in range(0, count - 3, 3):
        out.append(f'OpBranchConditional %true %b{n + 1} %b{n + 2}\n%b{n + 1} = OpLabel\n'
                   f'OpBranch %b{n + 3}\n%b{n + 2} = OpLabel\nOpBranch %b{n + 3}\n'
                   f'%b{n + 3} = OpLabel\n%i{n} = OpIAdd %uint %k %k\n')
    return ''.join(out).replace('%true = ', '%k = OpConstant %uint 7\n%true = ') + \
        'OpReturn\nOpFunctionEnd\n'


def chain(count, terminator):
    """Blocks of nothing but what leads to the next one."""
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%b0 = OpLabel\n' + \
        ''.join(f'{terminator} %b{n}\n%b{n} = OpLabel\n' for n in range(1, count)) + \
        'OpReturn\nOpFunctionEnd\n'


def branches(count):
    return chain(count, 'OpBranch')


def small_switches(count):
    return chain(count, 'OpSwitch %k')


def reversed_blocks(count):
    """A chain of blocks in an order that has each one's predecessor far away: the first, then the
    odd ones, then the even ones behind what dominates them."""
    order = [0] + [n for n in range(2, count, 2)]
    out = [HEAD, TYPES, '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n']
    for n in order:
        out.append(f'%b{n} = OpLabel\n%i{n} = OpIAdd %uint %k %k\n' +
                   (f'OpBranchConditional %true %b{n + 2} %b{count - 1 - n}\n' if n + 2 < count
                    else 'OpReturn\n'))
    for n in reversed(range(1, count, 2)):
        out.append(f'%b{n} = OpLabel\nOpBranch %b{n - 2}\n' if n > 1 else
                   f'%b{n} = OpLabel\nOpReturn\n')
    return ''.join(out) + 'OpFunctionEnd\n'


def debug_information(count):
    """Scopes, variables and lines of OpenCL.DebugInfo.100, as many as there are instructions."""
    debug = '%d = OpExtInstImport "OpenCL.DebugInfo.100"\n'
    out = [HEAD.replace('OpMemoryModel', debug + 'OpMemoryModel'), '%s = OpString "a.cl"\n',
           '%i = OpString "int"\n', ''.join(f'%n{n} = OpString "v{n}"\n' for n in range(count // 4)),
           TYPES, '%k = OpConstant %uint 7\n%c32 = OpConstant %uint 32\n',
           '%src = OpExtInst %void %d DebugSource %s\n',
           '%cu = OpExtInst %void %d DebugCompilationUnit 65536 4 %src OpenCL_C\n',
           '%ti = OpExtInst %void %d DebugTypeBasic %i %c32 Signed\n',
           '%ex = OpExtInst %void %d DebugExpression\n',
           '%tf = OpExtInst %void %d DebugTypeFunction FlagIsPublic %void\n',
           '%df = OpExtInst %void %d DebugFunction %i %tf %src 1 1 %cu %i FlagIsPublic 1 %f\n']
    for n in range(count // 4):
        parent = f'%lb{n - 1}' if n % 64 else '%df'
        out.append(f'%lb{n} = OpExtInst %void %d DebugLexicalBlock %src {n + 1} 1 {parent}\n'
                   f'%lv{n} = OpExtInst %void %d DebugLocalVariable %n{n} %ti %src {n + 1} 1 %lb{n} '
                   'FlagIsLocal\n')
    out.append('%f = OpFunction %void None %fn0\n%l = OpLabel\n')
    for n in range(count // 4):
        out.append(f'%sc{n} = OpExtInst %void %d DebugScope %lb{n}\nOpLine %s {n + 1} 3\n'
                   f'%x{n} = OpIAdd %uint %k %k\n'
                   f'%dv{n} = OpExtInst %void %d DebugValue %lv{n} %x{n} %ex\n')
    return ''.join(out) + 'OpReturn\nOpFunctionEnd\n'


def nested_loops(count):
    """Loops inside loops, each with a phi."""
    out = [HEAD, TYPES, '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%e = OpLabel\n',
           'OpBranch %h0\n']
    for n in range(count):
        out.append(f'%h{n} = OpLabel\n%x{n} = OpPhi %uint %k {"%e" if n == 0 else f"%h{n - 1}"} '
                   f'%x{n} %t{n}\nOpBranchConditional %true %h{n + 1} %t{n}\n')
    out.append(f'%h{count} = OpLabel\nOpBranch %t{count - 1}\n')
    for n in range(count - 1, -1, -1):
        out.append(f'%t{n} = OpLabel\nOpBranchConditional %true %h{n} '
                   f'{"%out" if n == 0 else f"%t{n - 1}"}\n')
    return ''.join(out) + '%out = OpLabel\nOpReturn\nOpFunctionEnd\n'


def constants(count):
    return HEAD + TYPES + ''.join(f'%k{n} = OpConstant %uint {n}\n' for n in range(count)) + EMPTY


def own_names(count):
    """Each constant has a name that has nothing in common with the others'."""
    return HEAD + TYPES + ''.join(f'%k{n * 2654435761 % 2**32:08x}_of = OpConstant %uint {n}\n'
                                  for n in range(count)) + EMPTY


def composites(count):
    return HEAD + TYPES + '%v4 = OpTypeVector %uint 4\n' + ''.join(
        f'%k{n} = OpConstant %uint {n}\n%q{n} = OpConstantComposite %v4 %k{n} %k{n} %k{n} %k{n}\n'
        for n in range(count)) + EMPTY


def names(count):
    return HEAD + ''.join(f'OpName %k{n} "a_name_of_some_length_{n}"\n' for n in range(count)) + \
        TYPES + ''.join(f'%k{n} = OpConstant %uint {n}\n' for n in range(count)) + EMPTY


def same_names(count):
    return HEAD + ''.join(f'OpName %k{n} "same"\n' for n in range(count)) + \
        TYPES + ''.join(f'%k{n} = OpConstant %uint {n}\n' for n in range(count)) + EMPTY


def decorations(count):
    return HEAD + ''.join(f'OpDecorate %k{n} SpecId {n}\n' for n in range(count)) + \
        TYPES + ''.join(f'%k{n} = OpSpecConstant %uint {n}\n' for n in range(count)) + EMPTY


def entry_points(count):
    return HEAD + ''.join(f'OpEntryPoint Kernel %e{n} "kernel_{n}"\n' for n in range(count)) + \
        ''.join(f'OpExecutionMode %e{n} ContractionOff\n' for n in range(count)) + TYPES + \
        ''.join(f'%e{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\nOpReturn\nOpFunctionEnd\n'
                for n in range(count))


def types(count):
    return HEAD + TYPES + '%s0 = OpTypeStruct %uint\n' + ''.join(
        f'%s{n} = OpTypeStruct %float %s{n - 1}\n%p{n} = OpTypePointer Function %s{n}\n'
        for n in range(1, min(count, 200))) + ''.join(
        f'%s{n} = OpTypeStruct %float %s{n % 190} %uint\n%p{n} = OpTypePointer Function %s{n}\n'
        for n in range(200, count)) + EMPTY


def calls(count):
    """A chain of functions, each of which calls the one before."""
    out = [HEAD, TYPES]
    for n in range(count):
        call = f'%r{n} = OpFunctionCall %void %f{n - 1}\n' if n else ''
        out.append(f'%f{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\n{call}'
                   'OpReturn\nOpFunctionEnd\n')
    return ''.join(out)


def globals_of(count):
    """Variables that every one of a hundred entry points lists."""
    lists = ' '.join(f'%g{n}' for n in range(min(count, 60000)))
    return 'V1.4' + HEAD + ''.join(f'OpEntryPoint Kernel %e{n} "k{n}" {lists}\n' for n in range(20)) \
        + TYPES + '%gp = OpTypePointer CrossWorkgroup %uint\n' + ''.join(
        f'%g{n} = OpVariable %gp CrossWorkgroup\n' for n in range(min(count, 60000))) + ''.join(
        f'%e{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\nOpReturn\nOpFunctionEnd\n'
        for n in range(20))


def switch(count):
    cases = min(count, 30000)
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%b = OpLabel\n' \
        'OpSwitch %k %d ' + ' '.join(f'{n} %case{n}' for n in range(cases)) + '\n' + \
        ''.join(f'%case{n} = OpLabel\nOpBranch %d\n' for n in range(cases)) + \
        '%d = OpLabel\nOpReturn\nOpFunctionEnd\n'


def strings(count):
    """Short ones, and one of half a megabyte in pieces."""
    piece = 'x' * 60000
    return HEAD + ''.join(f'%s{n} = OpString "file_{n}.cl"\n' for n in range(count)) + \
        f'OpSource OpenCL_C 300000 %s0 "{piece}"\n' + f'OpSourceContinued "{piece}"\n' * 8 + \
        TYPES + EMPTY


def lines(count):
    return HEAD + '%s = OpString "a.cl"\n' + TYPES + '%k = OpConstant %uint 7\n' \
        '%f = OpFunction %void None %fn0\n%l = OpLabel\n' + ''.join(
            f'OpLine %s {n} 3\n%i{n} = OpIAdd %uint %k %k\n' for n in range(count)) + \
        'OpReturn\nOpFunctionEnd\n'


def deep_types(count):
    """Pointers to pointers, as deep as there are, and structures in structures, 250 deep."""
    return HEAD + TYPES + '%p0 = OpTypePointer Function %uint\n%s0 = OpTypeStruct %uint\n' + ''.join(
        f'%p{n} = OpTypePointer Function %p{n - 1}\n'
        f'%s{n} = OpTypeStruct %s{n - 1 if n % 250 else 0} %p{n}\n' for n in range(1, count)) + EMPTY


def phis(count):
    """Blocks that all go to one, which has a phi of all of them for each ten."""
    n = 4000
    values = ' '.join(f'%k %w{i}' for i in range(n))
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%b = OpLabel\n' \
        'OpSwitch %k %w0 ' + ' '.join(f'{i} %w{i}' for i in range(1, n)) + '\n' + \
        ''.join(f'%w{i} = OpLabel\nOpBranch %d\n' for i in range(n)) + '%d = OpLabel\n' + \
        ''.join(f'%x{i} = OpPhi %uint {values}\n' for i in range(count // n)) + \
        'OpReturn\nOpFunctionEnd\n'


def member_decorations(count):
    """Structures of many members, each with a decoration and a name."""
    each, out, kinds = 10000, [HEAD], []
    for k in range(count // each):
        out += [f'OpMemberName %s{k} {n} "member_{n}"\n' for n in range(each)]
        kinds.append(f'%s{k} = OpTypeStruct' + ' %uint' * each + '\n')
    for k in range(count // each):
        out += [f'OpMemberDecorate %s{k} {n} Volatile\n' for n in range(each)]
    return ''.join(out) + TYPES + ''.join(kinds) + EMPTY


def groups(count):
    return HEAD + 'OpDecorate %g Restrict\n%g = OpDecorationGroup\n' + ''.join(
        'OpGroupDecorate %g ' + ' '.join(f'%v{k + n}' for n in range(10000)) + '\n'
        for k in range(0, count, 10000)) + TYPES + '%gp = OpTypePointer CrossWorkgroup %uint\n' + \
        ''.join(f'%v{n} = OpVariable %gp CrossWorkgroup\n' for n in range(count)) + EMPTY


def parameters(count):
    """Functions of two hundred parameters that call each other."""
    k, out = 200, [HEAD, TYPES, '%many = OpTypeFunction %void' + ' %uint' * 200 + '\n']
    for n in range(count // k):
        names = [f'%p{n}_{i}' for i in range(k)]
        call = f'%r{n} = OpFunctionCall %void %f{n - 1} {" ".join(names)}\n' if n else ''
        out.append(f'%f{n} = OpFunction %void None %many\n' +
                   ''.join(f'{p} = OpFunctionParameter %uint\n' for p in names) +
                   f'%l{n} = OpLabel\n{call}OpReturn\nOpFunctionEnd\n')
    return ''.join(out)


def used_names(count):
    """Names that have nothing in common, each used twice, far from where it is."""
    name = [f'%{n * 2654435761 % 2**32:08x}_of' for n in range(count)]
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%l = OpLabel\n' + \
        ''.join(f'{name[n]} = OpIAdd %uint {name[n * 7919 % n] if n else "%k"} '
                f'{name[n // 2] if n else "%k"}\n' for n in range(count)) + \
        'OpReturn\nOpFunctionEnd\n'


def chain_of_constants(count):
    return HEAD + TYPES + '%k0 = OpSpecConstant %uint 7\n' + ''.join(
        f'%k{n} = OpSpecConstantOp %uint IAdd %k{n - 1} %k0\n' for n in range(1, count)) + EMPTY


def vector_sums(count):
    return 'OpCapability Vector16\n' + HEAD + TYPES + '%v16 = OpTypeVector %uint 16\n' + ''.join(
        f'%e{n} = OpConstant %uint {n}\n' for n in range(16)) + '%k0 = OpSpecConstantComposite %v16 ' + \
        ' '.join(f'%e{n}' for n in range(16)) + '\n' + ''.join(
            f'%k{n} = OpSpecConstantOp %v16 IAdd %k{n - 1} %k0\n' for n in range(1, count)) + EMPTY


def wide_constants(count):
    each = 10000
    return HEAD + TYPES + f'%n = OpConstant %uint {each}\n%arr = OpTypeArray %uint %n\n' + ''.join(
        f'%q{k} = OpConstantComposite %arr' + ' %n' * each + '\n' for k in range(count // each)) + EMPTY


def shader(body):
    """A module of graphics."""
    return 'OpCapability Shader\nOpCapability Linkage\n%1 = OpExtInstImport "GLSL.std.450"\n' \
        'OpMemoryModel Logical GLSL450\n' + body


def values(kind, declare, value):
    """Constants of another type than 32-bit integers."""
    head = HEAD.replace('OpCapability Int64\n', ''.join(
        f'OpCapability {name}\n' for name in ('Int64', 'Float64', 'Float16')))
    return lambda count: head + TYPES + declare + ''.join(
        f'%k{n} = OpConstant %{kind} {value(n)}\n' for n in range(count)) + EMPTY


def selections(count):
    """Structured selections in each other, a thousand deep, one such after the other."""
    deep, out = 1000, [TYPES.replace('CrossWorkgroup', 'Private'),
                       '%f = OpFunction %void None %fn0\n%b = OpLabel\n']
    for first in range(0, count, deep):
        for n in range(first, first + deep):
            out.append(f'OpSelectionMerge %m{n} None\nOpBranchConditional %true %i{n} %m{n}\n'
                       f'%i{n} = OpLabel\n')
        out += [f'OpBranch %m{n}\n%m{n} = OpLabel\n'
                for n in range(first + deep - 1, first - 1, -1)]
    return shader(''.join(out) + 'OpReturn\nOpFunctionEnd\n')


def breaks(count):
    """Loops a thousand times as wide as deep: each selection in them leaves the loop or goes on."""
    deep, out = 500, [TYPES.replace('CrossWorkgroup', 'Private'),
                      '%f = OpFunction %void None %fn0\n%b = OpLabel\n']
    for first in range(0, count, deep):
        out.append(f'OpBranch %h{first}\n%h{first} = OpLabel\nOpLoopMerge %o{first} %c{first} None\n'
                   f'OpBranch %s{first}\n')
        for n in range(first, first + deep):
            inner = f'%s{n + 1}' if n + 1 < first + deep else f'%c{first}'
            out.append(f'%s{n} = OpLabel\nOpSelectionMerge %m{n} None\n'
                       f'OpBranchConditional %true %o{first} {inner}\n')
        out += [f'%m{n} = OpLabel\nOpBranch {f"%m{n - 1}" if n > first else f"%c{first}"}\n'
                for n in range(first + deep - 1, first - 1, -1)]
        out.append(f'%c{first} = OpLabel\nOpBranch %h{first}\n%o{first} = OpLabel\n')
    return shader(''.join(out) + 'OpReturn\nOpFunctionEnd\n')


def blocks_of_members(count):
    """Structures of ten thousand members, each where its Offset says."""
    each, out = 10000, []
    for k in range(count // each):
        out.append(f'OpDecorate %s{k} Block\nOpDecorate %v{k} DescriptorSet 0\n'
                   f'OpDecorate %v{k} Binding {k}\n')
        out += [f'OpMemberDecorate %s{k} {n} Offset {n * 4}\n' for n in range(each)]
    out.append(TYPES.replace('CrossWorkgroup', 'Private'))
    for k in range(count // each):
        out.append(f'%s{k} = OpTypeStruct' + ' %uint' * each + f'\n%p{k} = OpTypePointer Uniform '
                   f'%s{k}\n%v{k} = OpVariable %p{k} Uniform\n')
    return shader(''.join(out) + EMPTY)


def source_text(count):
    """OpenCL C of so many bytes, with what needs a backslash."""
    line = '    kernel void f(global float *a) { printf(\\"hello\\\\n\\"); a[get_global_id(0)] += 1; }\n'
    piece = line * 700
    return HEAD + f'%s = OpString "a.cl"\nOpSource OpenCL_C 300000 %s "{piece}"\n' + \
        f'OpSourceContinued "{piece}"\n' * (count // len(piece)) + TYPES + EMPTY


def imports(count):
    return HEAD.replace('OpMemoryModel', ''.join(
        f'%x{n} = OpExtInstImport "OpenCL.std"\n' for n in range(count)) + 'OpMemoryModel') + \
        TYPES + EMPTY


def arrays(count):
    return HEAD + TYPES + ''.join(
        f'%k{n} = OpConstant %uint {n + 1}\n%a{n} = OpTypeArray %float %k{n}\n'
        f'%p{n} = OpTypePointer CrossWorkgroup %a{n}\n' for n in range(count)) + EMPTY


def interfaces(count):
    """Entry points that list a hundred variables each."""
    listed = ' '.join(f'%g{n}' for n in range(100))
    return 'V1.4' + HEAD + ''.join(
        f'OpEntryPoint Kernel %e{n} "k{n}" {listed}\n' for n in range(count)) + TYPES + \
        '%gp = OpTypePointer CrossWorkgroup %uint\n' + ''.join(
        f'%g{n} = OpVariable %gp CrossWorkgroup\n' for n in range(100)) + ''.join(
        f'%e{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\nOpReturn\nOpFunctionEnd\n'
        for n in range(count))


def shader_debug(count):
    """Scopes, lines and variables of NonSemantic.Shader.DebugInfo.100."""
    debug = 'OpExtension "SPV_KHR_non_semantic_info"\n' \
        '%d = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"\n%1 ='
    out = [HEAD.replace('%1 =', debug), '%s = OpString "a.cl"\n%i = OpString "int"\n',
           ''.join(f'%n{n} = OpString "v{n}"\n' for n in range(count // 4)), TYPES,
           ''.join(f'%u{n} = OpConstant %uint {n}\n' for n in range(2000)),
           '%src = OpExtInst %void %d DebugSource %s\n',
           '%cu = OpExtInst %void %d DebugCompilationUnit %u1 %u4 %src %u6\n',
           '%ti = OpExtInst %void %d DebugTypeBasic %i %u32 %u4 %u0\n',
           '%ex = OpExtInst %void %d DebugExpression\n',
           '%tf = OpExtInst %void %d DebugTypeFunction %u3 %void\n',
           '%df = OpExtInst %void %d DebugFunction %i %tf %src %u1 %u1 %cu %i %u3 %u1\n']
    for n in range(count // 4):
        parent, line = f'%lb{n - 1}' if n % 64 else '%df', f'%u{n % 1999 + 1}'
        out.append(f'%lb{n} = OpExtInst %void %d DebugLexicalBlock %src {line} %u1 {parent}\n'
                   f'%lv{n} = OpExtInst %void %d DebugLocalVariable %n{n} %ti %src {line} %u1 '
                   f'%lb{n} %u4\n')
    out.append('%f = OpFunction %void None %fn0\n%l = OpLabel\n'
               '%fd = OpExtInst %void %d DebugFunctionDefinition %df %f\n')
    for n in range(count // 4):
        line = f'%u{n % 1999 + 1}'
        out.append(f'%sc{n} = OpExtInst %void %d DebugScope %lb{n}\n'
                   f'%li{n} = OpExtInst %void %d DebugLine %src {line} {line} %u1 %u3\n'
                   f'%x{n} = OpIAdd %uint %u7 %u7\n'
                   f'%dv{n} = OpExtInst %void %d DebugValue %lv{n} %x{n} %ex\n')
    return ''.join(out) + 'OpReturn\nOpFunctionEnd\n'


def reached(count):
    """A tenth as many kernels as functions, each of which reaches all functions."""
    kernels = count // 10
    out = [HEAD, ''.join(f'OpEntryPoint Kernel %e{n} "k{n}"\n' for n in range(kernels)), TYPES]
    for n in range(count):
        call = f'%r{n} = OpFunctionCall %void %f{n - 1}\n' if n else ''
        out.append(f'%f{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\n{call}'
                   'OpReturn\nOpFunctionEnd\n')
    return ''.join(out) + ''.join(
        f'%e{n} = OpFunction %void None %fn0\n%el{n} = OpLabel\n'
        f'%er{n} = OpFunctionCall %void %f{count - 1}\nOpReturn\nOpFunctionEnd\n'
        for n in range(kernels))


def one_decorated(count):
    """One variable that is decorated and named again and again."""
    return HEAD + 'OpName %v "again"\n' * count + 'OpDecorate %v Volatile\n' * count + TYPES + \
        '%gp = OpTypePointer CrossWorkgroup %uint\n%v = OpVariable %gp CrossWorkgroup\n' + EMPTY


def forward_pointers(count):
    """Structures that point to the next one, announced."""
    return HEAD + TYPES + ''.join(f'OpTypeForwardPointer %p{n} CrossWorkgroup\n' for n in range(count)) + ''.join(
        f'%s{n} = OpTypeStruct %uint %p{(n + 1) % count}\n' for n in range(count)) + ''.join(
        f'%p{n} = OpTypePointer CrossWorkgroup %s{n}\n' for n in range(count)) + EMPTY


def many_calls(count):
    """Functions that each call the hundred before."""
    out = [HEAD, TYPES]
    for n in range(count // 100):
        out.append(f'%f{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\n' + ''.join(
            f'%r{n}_{k} = OpFunctionCall %void %f{n - k - 1}\n' for k in range(min(n, 100))) +
            'OpReturn\nOpFunctionEnd\n')
    return ''.join(out)


def modes(count):
    """Execution modes of few kernels."""
    kernels = 100
    return HEAD + ''.join(f'OpEntryPoint Kernel %e{n} "k{n}"\n' for n in range(kernels)) + ''.join(
        f'OpExecutionMode %e{n % kernels} VecTypeHint {2 + n % 3}\n' if n < kernels else
        f'OpExecutionMode %e{n % kernels} ContractionOff\n' for n in range(count)) + TYPES + ''.join(
        f'%e{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\nOpReturn\nOpFunctionEnd\n'
        for n in range(kernels))


def unreached(count):
    """Blocks that nothing leads to but each other."""
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%l = OpLabel\n' \
        'OpReturn\n' + ''.join(f'%b{n} = OpLabel\n%i{n} = OpIAdd %uint %k %k\n'
                               f'OpBranch %b{(n * 7919 + 1) % count}\n' for n in range(count)) + \
        'OpFunctionEnd\n'


def ladders(count):
    """Two chains of blocks with rungs both ways: no loop has one entry."""
    out = [HEAD, TYPES, '%f = OpFunction %void None %fn0\n%l = OpLabel\n'
           'OpBranchConditional %true %a0 %b0\n']
    for n in range(count // 2):
        down, up = (f'%a{n + 1}', f'%b{n + 1}') if n + 1 < count // 2 else ('%out', '%out')
        out.append(f'%a{n} = OpLabel\nOpBranchConditional %true {down} %b{n}\n'
                   f'%b{n} = OpLabel\nOpBranchConditional %true {up} %a{n}\n')
    return ''.join(out) + '%out = OpLabel\nOpReturn\nOpFunctionEnd\n'


def rings(count):
    """Phis of one loop, each of which the next one takes."""
    each, out = 200, [HEAD, TYPES, '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%e = OpLabel\n']
    for first in range(0, count, each):
        before = '%e' if first == 0 else f'%o{first - each}'
        out.append(f'OpBranch %h{first}\n%h{first} = OpLabel\n' + ''.join(
            f'%x{n} = OpPhi %uint %k {before} %x{first + (n + 1 - first) % each} %h{first}\n'
            for n in range(first, first + each)) +
            f'OpBranchConditional %true %h{first} %o{first}\n%o{first} = OpLabel\n')
    return ''.join(out) + 'OpReturn\nOpFunctionEnd\n'


def extracts(count):
    """Values that are taken apart and put together, each from the one before."""
    return HEAD + TYPES + '%v4 = OpTypeVector %uint 4\n%k = OpConstantNull %v4\n' \
        '%f = OpFunction %void None %fn0\n%l = OpLabel\n%x0 = OpCopyObject %v4 %k\n' + ''.join(
            f'%e{n} = OpCompositeExtract %uint %x{n - 1} {n % 4}\n'
            f'%x{n} = OpCompositeInsert %v4 %e{n} %x{n - 1} 1\n' for n in range(1, count)) + \
        'OpReturn\nOpFunctionEnd\n'


def deep_chains(count):
    """Access chains into arrays of arrays, fifty deep."""
    deep, out = 50, [HEAD, TYPES, '%k = OpConstant %uint 2\n%a0 = OpTypeArray %uint %k\n']
    out += [f'%a{n} = OpTypeArray %a{n - 1} %k\n' for n in range(1, deep)]
    return ''.join(out) + f'%ap = OpTypePointer CrossWorkgroup %a{deep - 1}\n' \
        '%up = OpTypePointer CrossWorkgroup %uint\n%fp = OpTypeFunction %void %ap\n' \
        '%one = OpConstant %uint 1\n%f = OpFunction %void None %fp\n%p = OpFunctionParameter %ap\n' \
        '%l = OpLabel\n' + ''.join(f'%at{n} = OpInBoundsAccessChain %up %p' + ' %one' * deep + '\n'
                                   for n in range(count)) + 'OpReturn\nOpFunctionEnd\n'


def cases(count):
    """Structured switches of a thousand cases, each of which breaks."""
    each, out = 1000, [TYPES.replace('CrossWorkgroup', 'Private'), '%k = OpConstant %uint 7\n'
                       '%f = OpFunction %void None %fn0\n%b = OpLabel\n']
    for first in range(0, count, each):
        out.append(f'OpSelectionMerge %m{first} None\nOpSwitch %k %m{first} ' + ' '.join(
            f'{n} %case{first + n}' for n in range(each)) + '\n' + ''.join(
            f'%case{first + n} = OpLabel\nOpBranch %m{first}\n' for n in range(each)) +
            f'%m{first} = OpLabel\n')
    return shader(''.join(out) + 'OpReturn\nOpFunctionEnd\n')


def function_types(count):
    kinds = ['%uint', '%float', '%ptr', '%bool']
    return HEAD + TYPES + ''.join(
        f'%t{n} = OpTypeFunction %void ' + ' '.join(kinds[n >> 2 * k & 3] for k in range(10)) + '\n'
        for n in range(count)) + EMPTY


def nulls(count):
    return HEAD + TYPES + ''.join(f'%n{n} = OpConstantNull %{("uint", "float", "ptr")[n % 3]}\n'
                                  for n in range(count)) + EMPTY


def members(words):
    """Structures of so many members."""
    return lambda count: HEAD + TYPES + ''.join(f'%s{n} = OpTypeStruct' + ' %uint' * words + '\n'
                                                for n in range(count)) + EMPTY


def loads(words):
    """Structures in structures, loaded and stored."""
    return lambda count: HEAD + TYPES + '%s = OpTypeStruct' + ' %uint' * words + \
        '\n%t = OpTypeStruct %s %s\n%pt = OpTypePointer CrossWorkgroup %t\n' \
        '%ft = OpTypeFunction %void %pt\n%f = OpFunction %void None %ft\n' \
        '%p = OpFunctionParameter %pt\n%l = OpLabel\n' + ''.join(
            f'%x{n} = OpLoad %t %p Aligned 4\nOpStore %p %x{n} Aligned 4\n' for n in range(count)) + \
        'OpReturn\nOpFunctionEnd\n'


def bindings(count):
    return shader(''.join(f'OpDecorate %v{n} DescriptorSet {n % 4}\nOpDecorate %v{n} Binding {n // 4}\n'
                          for n in range(count)) +
                  'OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0\n' +
                  TYPES.replace('CrossWorkgroup', 'Private') +
                  '%s = OpTypeStruct %uint\n%sp = OpTypePointer Uniform %s\n' +
                  ''.join(f'%v{n} = OpVariable %sp Uniform\n' for n in range(count)) + EMPTY)


def nested_switches(count):
    """Four hundred deep, one such after the other."""
    deep, out = 400, [TYPES.replace('CrossWorkgroup', 'Private'), '%k = OpConstant %uint 7\n'
                      '%f = OpFunction %void None %fn0\n%b = OpLabel\n']
    for first in range(0, count, deep):
        out += [f'OpSelectionMerge %m{n} None\nOpSwitch %k %m{n} 1 %i{n}\n%i{n} = OpLabel\n'
                for n in range(first, first + deep)]
        out += [f'OpBranch %m{n}\n%m{n} = OpLabel\n' for n in range(first + deep - 1, first - 1, -1)]
    return shader(''.join(out) + 'OpReturn\nOpFunctionEnd\n')


def nested_loops_of_shaders(count):
    """Three hundred deep, one such after the other."""
    deep, out = 300, [TYPES.replace('CrossWorkgroup', 'Private'), '%f = OpFunction %void None %fn0\n%b = OpLabel\n']
    for first in range(0, count, deep):
        out += [f'OpBranch %h{n}\n%h{n} = OpLabel\nOpLoopMerge %m{n} %cc{n} None\nOpBranchConditional %true %i{n} %m{n}\n'
                f'%i{n} = OpLabel\n' for n in range(first, first + deep)]
        out += [f'OpBranch %cc{n}\n%cc{n} = OpLabel\nOpBranch %h{n}\n%m{n} = OpLabel\n'
                for n in range(first + deep - 1, first - 1, -1)]
    return shader(''.join(out) + 'OpReturn\nOpFunctionEnd\n')


def returns(count):
    """Selections a thousand deep, of which each returns or goes on."""
    deep, out = 1000, [TYPES.replace('CrossWorkgroup', 'Private'), '%f = OpFunction %void None %fn0\n%b = OpLabel\n']
    for first in range(0, count, deep):
        out += [f'OpSelectionMerge %m{n} None\nOpBranchConditional %true %i{n} %j{n}\n%j{n} = OpLabel\nOpReturn\n'
                f'%i{n} = OpLabel\n' for n in range(first, first + deep)]
        out += [f'OpBranch %m{n}\n%m{n} = OpLabel\n' for n in range(first + deep - 1, first - 1, -1)]
    return shader(''.join(out) + 'OpReturn\nOpFunctionEnd\n')


def replaced(words, declare):
    """Constant composites of so many parts, each another one but for a part."""
    return lambda count: HEAD + TYPES + declare + '%k = OpConstant %uint 3\n%x0 = OpSpecConstantComposite %s' + \
        ' %k' * words + '\n' + ''.join(f'%x{n} = OpSpecConstantOp %s CompositeInsert %k %x{n - 1} {n % words}\n'
                                       for n in range(1, count)) + EMPTY


def read_parts(count):
    """Parts of a composite in which thousands have been replaced."""
    return replaced(8000, '%s = OpTypeStruct' + ' %uint' * 8000 + '\n')(3900).replace(EMPTY, '') + ''.join(
        f'%e{n} = OpSpecConstantOp %uint CompositeExtract %x3899 {n * 7 % 8000}\n' for n in range(count)) + EMPTY


def variable_arrays(count):
    """Saves of the stack in each other, an array of variable length and a branch after each; then all are restored."""
    head = HEAD.replace('%1 =', 'OpCapability Int8\nOpCapability VariableLengthArrayINTEL\n'
                        'OpExtension "SPV_INTEL_variable_length_array"\n%1 =')
    return head + TYPES + '%k = OpConstant %uint 7\n%u8 = OpTypeInt 8 0\n%p8 = OpTypePointer Function %u8\n' \
        '%pu = OpTypePointer Function %uint\n%f = OpFunction %void None %fn0\n%l = OpLabel\n' + ''.join(
            f'%s{n} = OpSaveMemoryINTEL %p8\n%v{n} = OpVariableLengthArrayINTEL %pu %k\n'
            f'OpBranchConditional %true %x{n} %y{n}\n%x{n} = OpLabel\nOpBranch %y{n}\n%y{n} = OpLabel\n'
            for n in range(count)) + ''.join(f'OpRestoreMemoryINTEL %s{n}\n' for n in reversed(range(count))) + \
        'OpReturn\nOpFunctionEnd\n'


def opaque_types(count):
    return HEAD + TYPES + ''.join(f'%o{n} = OpTypeOpaque "o{n:05d}"\n' for n in range(count)) + EMPTY


def pointed_to(count):
    """Structures of no member, and a pointer to each."""
    return HEAD + TYPES + ''.join(f'%s{n} = OpTypeStruct\n%p{n} = OpTypePointer Function %s{n}\n'
                                  for n in range(count)) + EMPTY


def nulls_of_types(count):
    """A null of each of many structures."""
    return HEAD + TYPES + ''.join(f'%s{n} = OpTypeStruct %uint %float\n%z{n} = OpConstantNull %s{n}\n'
                                  for n in range(count)) + EMPTY


def repeated_capabilities(count):
    return 'OpCapability Int8\n' * count + HEAD + TYPES + EMPTY


def doubled(count):
    """Structures of two of the one before, sixty deep, and a constant of each: two to the power of 60 parts."""
    deep, out = 60, [HEAD, TYPES, '%k = OpConstant %uint 7\n']
    for first in range(0, count, deep):
        inner, part = '%uint', '%k'
        for n in range(first, min(first + deep, count)):
            out.append(f'%s{n} = OpTypeStruct {inner} {inner}\n%q{n} = OpConstantComposite %s{n} {part} {part}\n')
            inner, part = f'%s{n}', f'%q{n}'
    return ''.join(out) + EMPTY


def small_groups(count):
    """Groups of four decorations, each for a hundred variables."""
    each, kinds = 100, ('Restrict', 'Volatile', 'Coherent', 'NonWritable')
    groups = range(0, count, each)
    return HEAD + ''.join(''.join(f'OpDecorate %g{g} {kind}\n' for kind in kinds) + f'%g{g} = OpDecorationGroup\n' for g in groups) + \
        ''.join(f'OpGroupDecorate %g{g} ' + ' '.join(f'%v{n}' for n in range(g, g + each)) + '\n' for g in groups) + TYPES + \
        '%gp = OpTypePointer CrossWorkgroup %uint\n' + ''.join(
            f'%v{n} = OpVariable %gp CrossWorkgroup\n' for n in range(count)) + EMPTY


def long_switches(count):
    """Switches over 64-bit numbers, a thousand cases each, which go to ten blocks."""
    each, out = 1000, [HEAD, TYPES, '%ulong = OpTypeInt 64 0\n%k = OpConstant %ulong 7\n'
                       '%f = OpFunction %void None %fn0\n%b = OpLabel\n']
    for first in range(0, count, each):
        out.append(f'OpSwitch %k %d{first} ' + ' '.join(
            f'{(first + n) * 11400714819323198485 % 2**64} %c{first}_{n % 10}' for n in range(each)) + '\n' + ''.join(
                f'%c{first}_{n} = OpLabel\nOpBranch %d{first}\n' for n in range(10)) + f'%d{first} = OpLabel\n')
    return ''.join(out) + 'OpReturn\nOpFunctionEnd\n'


def meshes(count):
    """Blocks of which each may go on to all others: so many edges."""
    n = int(count ** 0.5)
    cases = ' '.join(f'{i} %b{i}' for i in range(1, n))
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%f = OpFunction %void None %fn0\n%l = OpLabel\nOpBranch %b0\n' + ''.join(
        f'%b{i} = OpLabel\nOpSwitch %k %b0 {cases}\n' for i in range(n)) + 'OpFunctionEnd\n'


def printed(count):
    """Calls of printf with a hundred arguments each."""
    text, values = '%d ' * 100, ' %k' * 100
    chars = ' '.join(f'%c{ord(c)}' for c in text) + ' %c0'
    return HEAD.replace('OpCapability Int64', 'OpCapability Int64\nOpCapability Int8') + TYPES + \
        '%uchar = OpTypeInt 8 0\n%k = OpConstant %uint 7\n%z = OpConstant %uint 0\n' + ''.join(
            f'%c{c} = OpConstant %uchar {c}\n' for c in sorted({ord(c) for c in text} | {0})) + \
        f'%len = OpConstant %uint {len(text) + 1}\n%arr = OpTypeArray %uchar %len\n' \
        '%parr = OpTypePointer UniformConstant %arr\n%pc = OpTypePointer UniformConstant %uchar\n' \
        f'%ini = OpConstantComposite %arr {chars}\n%fmt = OpVariable %parr UniformConstant %ini\n' \
        '%f = OpFunction %void None %fn0\n%l = OpLabel\n%p = OpInBoundsAccessChain %pc %fmt %z\n' + ''.join(
            f'%r{n} = OpExtInst %uint %1 printf %p{values}\n' for n in range(count // 100)) + 'OpReturn\nOpFunctionEnd\n'


def local_variables(count):
    """Variables of one function, each with an initializer, a store and a load."""
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%pu = OpTypePointer Function %uint\n' \
        '%f = OpFunction %void None %fn0\n%l = OpLabel\n' + ''.join(
            f'%v{n} = OpVariable %pu Function %k\n' for n in range(count)) + ''.join(
            f'%x{n} = OpLoad %uint %v{n}\nOpStore %v{(n * 7919 + 1) % count} %x{n}\n' for n in range(count)) + \
        'OpReturn\nOpFunctionEnd\n'


def imported(count):
    """Functions that are imported, each called once, and as many that are exported."""
    return HEAD + ''.join(f'OpDecorate %i{n} LinkageAttributes "imported_function_{n}" Import\n'
                          f'OpDecorate %e{n} LinkageAttributes "exported_function_{n}" Export\n' for n in range(count)) + TYPES + \
        ''.join(f'%i{n} = OpFunction %void None %fn0\nOpFunctionEnd\n' for n in range(count)) + ''.join(
            f'%e{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\n%r{n} = OpFunctionCall %void %i{n}\nOpReturn\nOpFunctionEnd\n'
            for n in range(count))


def spec_lengths(count):
    """Arrays of arrays whose lengths are operations on a specialization constant, ten deep."""
    out = [HEAD, 'OpDecorate %n0 SpecId 0\n', TYPES, '%one = OpConstant %uint 1\n%n0 = OpSpecConstant %uint 4\n']
    for n in range(1, count):
        inner = f'%a{n - 1}' if n % 10 != 1 else '%float'
        out.append(f'%n{n} = OpSpecConstantOp %uint IAdd %n0 %one\n%a{n} = OpTypeArray {inner} %n{n}\n')
    return ''.join(out) + EMPTY


def constructs(count):
    """Structures of a thousand members, made of values and taken apart: so many operands."""
    each = 1000
    return HEAD + TYPES + '%k = OpConstant %uint 7\n%s = OpTypeStruct' + ' %uint' * each + \
        '\n%f = OpFunction %void None %fn0\n%l = OpLabel\n%x0 = OpCopyObject %uint %k\n' + ''.join(
            f'%s{n} = OpCompositeConstruct %s' + f' %x{n - 1}' * each + f'\n%x{n} = OpCompositeExtract %uint %s{n} {n % each}\n'
            for n in range(1, count // each)) + 'OpReturn\nOpFunctionEnd\n'


def pointer_chains(count):
    """Pointers, each computed from the one before, through which is loaded."""
    return HEAD + TYPES + '%f = OpFunction %void None %fn\n%p0 = OpFunctionParameter %ptr\n' \
        '%n = OpFunctionParameter %uint\n%l = OpLabel\n' + ''.join(
            f'%p{n} = OpInBoundsPtrAccessChain %ptr %p{n - 1} %n\n%v{n} = OpLoad %float %p{n} Aligned 4\n'
            for n in range(1, count)) + 'OpReturn\nOpFunctionEnd\n'


def wide_functions(count):
    """Functions of two hundred parameters, and a call of each with as many constants."""
    each, out = 200, [HEAD, TYPES, '%k = OpConstant %uint 7\n', '%many = OpTypeFunction %void' + ' %uint' * 200 + '\n']
    for n in range(0, count, each):
        out.append(f'%f{n} = OpFunction %void None %many\n' + ''.join(
            f'%p{i} = OpFunctionParameter %uint\n' for i in range(n, n + each)) + f'%l{n} = OpLabel\nOpReturn\nOpFunctionEnd\n'
            f'%x{n} = OpFunction %void None %fn0\n%lc{n} = OpLabel\n%r{n} = OpFunctionCall %void %f{n}' + ' %k' * each +
            '\nOpReturn\nOpFunctionEnd\n')
    return ''.join(out)


def rings_of_calls(count):
    """Functions that call the next one and the one seven on, the last ones the first."""
    return HEAD + TYPES + ''.join(
        f'%f{n} = OpFunction %void None %fn0\n%l{n} = OpLabel\n%r{n} = OpFunctionCall %void %f{(n + 1) % count}\n'
        f'%s{n} = OpFunctionCall %void %f{(n + 7) % count}\nOpReturn\nOpFunctionEnd\n' for n in range(count))


def alias_lists(count):
    """Scopes of which accesses say that they alias nothing, in lists of ten."""
    out = [HEAD.replace('%1 =', 'OpCapability MemoryAccessAliasingINTEL\nOpExtension "SPV_INTEL_memory_access_aliasing"\n%1 ='),
           '%d = OpAliasDomainDeclINTEL\n']
    out += [f'%s{n} = OpAliasScopeDeclINTEL %d\n' for n in range(count)]
    out += [f'%i{n} = OpAliasScopeListDeclINTEL ' + ' '.join(f'%s{n + k}' for k in range(10)) + '\n' for n in range(0, count, 10)]
    out += [TYPES, '%f = OpFunction %void None %fn\n%p = OpFunctionParameter %ptr\n%n = OpFunctionParameter %uint\n%l = OpLabel\n']
    out += [f'%v{n} = OpLoad %float %p Aligned|NoAliasINTELMask 4 %i{n // 10 * 10}\n' for n in range(count)]
    return ''.join(out) + 'OpReturn\nOpFunctionEnd\n'


def long_texts(count):
    """Names, strings and notes on processing of a thousand bytes."""
    text = 'abcdefghij' * 100
    return HEAD + ''.join(f'%s{n} = OpString "{text}{n}"\n' for n in range(count)) + ''.join(
        f'OpName %k{n} "{text}{n}"\n' for n in range(count)) + f'OpModuleProcessed "{text}"\n' * count + TYPES + ''.join(
            f'%k{n} = OpConstant %uint {n}\n' for n in range(count)) + EMPTY


SHAPES = {
    '40,000 blocks': (many_blocks, 40000), '400,000 blocks': (many_blocks, 400000),
    '400,000 reversed blocks': (reversed_blocks, 400000),
    '100,000 branches': (branches, 100000), '100,000 small switches': (small_switches, 100000),
    'debug information': (debug_information, 400000),
    '20,000 nested loops': (nested_loops, 20000),
    '100,000 constants': (constants, 100000), '1,000,000 constants': (constants, 1000000),
    '100,000 own names': (own_names, 100000), '1,000,000 own names': (own_names, 1000000),
    'functions with names': (small_functions, 4000000),
    '100,000 composites': (composites, 100000), '100,000 names': (names, 100000),
    '100,000 same names': (same_names, 100000), '100,000 decorations': (decorations, 100000),
    '100,000 entry points': (entry_points, 100000), '100,000 structures': (types, 100000),
    '100,000 calls': (calls, 100000), '20 lists of 60,000': (globals_of, 60000),
    'a switch of 16,000': (switch, 16000),
    '100,000 strings': (strings, 100000), '100,000 lines': (lines, 100000),
    '100,000 types deep': (deep_types, 50000), 'phis of 4,000': (phis, 400000),
    '100,000 members': (member_decorations, 100000), 'a group of 100,000': (groups, 100000),
    '100,000 parameters': (parameters, 100000), '100,000 used names': (used_names, 100000),
    'a chain of constants': (chain_of_constants, 100000),
    'sums of 16 constants': (vector_sums, 60000),
    'constants of 10,000': (wide_constants, 1000000),
    '100,000 floats': (values('float', '', lambda n: f'{(n + 1) * 0.37:.9g}'), 100000),
    '100,000 doubles': (values('double', '%double = OpTypeFloat 64\n', lambda n: (n + 1) * 0.37 / 3),
                        100000),
    '100,000 halfs': (values('half', '%half = OpTypeFloat 16\n', lambda n: 1 + n % 1000 / 1024),
                      100000),
    '100,000 longs': (values('ulong', '%ulong = OpTypeInt 64 0\n',
                             lambda n: n * 11400714819323198485 % 2**64), 100000),
    '50,000 arrays': (arrays, 50000), '100,000 imports': (imports, 100000),
    '20,000 selections': (selections, 20000), '20,000 breaks': (breaks, 20000),
    '100,000 offsets': (blocks_of_members, 100000), 'source of 10 MB': (source_text, 10000000),
    '10,000 interfaces': (interfaces, 10000), 'debug of shaders': (shader_debug, 200000),
    '2,000 kernels of 20,000': (reached, 20000),
    'one of 100,000': (one_decorated, 100000), '100,000 forward': (forward_pointers, 100000),
    '200,000 calls of many': (many_calls, 200000), '100,000 modes': (modes, 100000),
    '100,000 unreached': (unreached, 100000), 'a ladder of 100,000': (ladders, 100000),
    '100,000 phis in rings': (rings, 100000), '100,000 extracts': (extracts, 100000),
    'chains 50 deep': (deep_chains, 20000), '60,000 cases': (cases, 60000),
    '50,000 function types': (function_types, 50000), '100,000 nulls': (nulls, 100000),
    '100,000 of one member': (members(1), 100000), '100,000 of no member': (members(0), 100000),
    'loads of structures': (loads(2), 100000), 'loads of 16,000 members': (loads(16000), 100000),
    '15,000 loops of shaders': (nested_loops_of_shaders, 15000), '20,000 returns': (returns, 20000),
    '100,000 vectors replaced': (replaced(4, '%s = OpTypeVector %uint 4\n'), 100000),
    '100,000 parts replaced': (replaced(1000, '%s = OpTypeStruct' + ' %uint' * 1000 + '\n'), 100000),
    '60,000 parts read': (read_parts, 60000),
    '20,000 variable arrays': (variable_arrays, 20000), '300,000 opaque types': (opaque_types, 300000),
    '200,000 pointed to': (pointed_to, 200000), '100,000 nulls of types': (nulls_of_types, 100000),
    '100,000 capabilities': (repeated_capabilities, 100000), '60,000 bindings': (bindings, 60000), '20,000 nested switches': (nested_switches, 20000),
    '60,000 doubled': (doubled, 60000), '60,000 in groups': (small_groups, 60000), '200,000 long cases': (long_switches, 200000),
    'a mesh of 500,000': (meshes, 500000), '500,000 printed': (printed, 500000), '50,000 local': (local_variables, 50000),
    '20,000 imported': (imported, 20000), '50,000 spec lengths': (spec_lengths, 50000), 'constructs of 1,000': (constructs, 500000),
    '50,000 pointers': (pointer_chains, 50000), '100,000 arguments': (wide_functions, 100000),
    'rings of 40,000 calls': (rings_of_calls, 40000), '50,000 alias scopes': (alias_lists, 50000),
    'texts of 1,000': (long_texts, 1000),
}

# Their text is measured as it is; of the others what the disassembler makes of them.
AS_WRITTEN = ('100,000 own names', '1,000,000 own names', 'functions with names',
              '100,000 used names')

# ---- real modules, repeated ---------------------------------------------------------------------

# What belongs to the ids of functions and is repeated with them.
ABOUT = re.compile(r'\s*Op(Name|MemberName|Decorate\w*|EntryPoint|ExecutionMode\w*)\s(?:[A-Z]\w+ )?'
                   r'%(\d+)')
ID = re.compile(r'%(\d+)')


def repeated(text, size, base_size):
    """The text with its functions repeated until the module has about `size` bytes."""
    lines = text.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if ' OpFunction ' in line), len(lines))
    own = {int(m.group(1)) for line in lines[first:] if (m := re.match(r'\s*%(\d+) = ', line))}
    bound = max((int(n) for n in ID.findall(text)), default=0) + 1
    sections = [('head', []), ('about', [])]
    for line in lines[:first]:
        m = ABOUT.match(line)
        kind = 'about' if m and int(m.group(2)) in own else 'head'
        if sections[-1][0] != kind:
            sections.append((kind, []))
        sections[-1][1].append(line)
    sections.append(('about', lines[first:]))
    copies = max(1, round(size / base_size))
    out = []
    for kind, part in sections:
        if kind == 'head':
            out.extend(part)
            continue
        words = ID.split(''.join(part))
        out.append(''.join(part))
        for k in range(1, copies):
            shift = k * bound
            copy = [w if i % 2 == 0 else f'%{int(w) + shift}' if int(w) in own else f'%{w}'
                    for i, w in enumerate(words)]
            text = ''.join(copy)
            if 'OpEntryPoint' in text or 'LinkageAttributes' in text:
                text = re.sub(r'(OpEntryPoint \w+ %\d+ "[^"]*|LinkageAttributes "[^"]*)', rf'\1_{k}',
                              text)
            out.append(text)
    return ''.join(out)
