#!/usr/bin/env python3
"""Counts of instructions, bytes, lines and branches of checked runs: counts_test.py [--build FOLDER].

What is expected is computed here, one work-item after the other. The script calls itself as a host program, too. Ends with
a line of counts.
SPDX-License-Identifier: MIT
"""
import collections, ctypes, ctypes.util, json, os, shutil, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'tool'))
import harness

NO_LOADER = 77
ITEMS, LOCAL = 100, 20
# A branch that some take, a function called from two places, a barrier, a loop that runs as often as the work-item says, a
# switch with two cases in one block, a branch on a specialisation constant, a vector, an atomic, local memory.
MIXED = '''               OpCapability Kernel
               OpCapability Addresses
               OpCapability Int64
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %mixed "mixed" %id %cell
       %file = OpString "mixed.cl"
               OpName %square "square"
               OpName %mixed "mixed"
               OpName %unused "unused"
               OpDecorate %id BuiltIn GlobalInvocationId
               OpDecorate %spec SpecId 5
       %void = OpTypeVoid
       %bool = OpTypeBool
        %u32 = OpTypeInt 32 0
        %u64 = OpTypeInt 64 0
         %v3 = OpTypeVector %u64 3
         %v4 = OpTypeVector %u32 4
        %pid = OpTypePointer Input %v3
         %gp = OpTypePointer CrossWorkgroup %u32
        %gpv = OpTypePointer CrossWorkgroup %v4
         %lp = OpTypePointer Workgroup %u32
         %pp = OpTypePointer Function %u32
         %fn = OpTypeFunction %void %gp %gpv
        %sqf = OpTypeFunction %u32 %u32
         %u0 = OpConstant %u32 0
         %u1 = OpConstant %u32 1
         %u2 = OpConstant %u32 2
         %u3 = OpConstant %u32 3
        %ums = OpConstant %u32 264
       %u100 = OpConstant %u32 100
       %spec = OpSpecConstantFalse %bool
         %id = OpVariable %pid Input
       %cell = OpVariable %lp Workgroup
     %square = OpFunction %u32 None %sqf
          %n = OpFunctionParameter %u32
         %sl = OpLabel
               OpLine %file 20 1
         %sq = OpIMul %u32 %n %n
               OpReturnValue %sq
               OpFunctionEnd
     %unused = OpFunction %u32 None %sqf
          %m = OpFunctionParameter %u32
         %ul = OpLabel
               OpLine %file 30 1
               OpBranchConditional %spec %ua %ub
         %ua = OpLabel
               OpLine %file 31 1
               OpReturnValue %m
         %ub = OpLabel
               OpLine %file 32 1
               OpReturnValue %u1
               OpFunctionEnd
      %mixed = OpFunction %void None %fn
        %out = OpFunctionParameter %gp
         %in = OpFunctionParameter %gpv
      %entry = OpLabel
        %var = OpVariable %pp Function
               OpLine %file 1 1
       %gid3 = OpLoad %v3 %id
        %gid = OpCompositeExtract %u64 %gid3 0
          %g = OpUConvert %u32 %gid
               OpStore %var %g
               OpLine %file 2 1
        %odd = OpBitwiseAnd %u32 %g %u1
         %is = OpINotEqual %bool %odd %u0
               OpBranchConditional %is %then %join
       %then = OpLabel
               OpLine %file 3 1
         %r1 = OpFunctionCall %u32 %square %g
               OpBranch %join
       %join = OpLabel
               OpLine %file 4 1
          %p = OpPhi %u32 %r1 %then %g %entry
         %g3 = OpBitwiseAnd %u32 %g %u3
               OpLine %file 5 1
               OpControlBarrier %u2 %u2 %ums
               OpBranch %head
       %head = OpLabel
               OpLine %file 6 1
          %i = OpPhi %u32 %u0 %join %i2 %body
          %s = OpPhi %u32 %p %join %s2 %body
         %go = OpULessThan %bool %i %g3
               OpBranchConditional %go %body %exit
       %body = OpLabel
               OpLine %file 7 1
         %s2 = OpFunctionCall %u32 %square %s
         %i2 = OpIAdd %u32 %i %u1
               OpBranch %head
       %exit = OpLabel
               OpLine %file 8 1
               OpSwitch %g3 %default 0 %zero 1 %one 2 %zero
       %zero = OpLabel
               OpLine %file 9 1
               OpBranch %end
        %one = OpLabel
               OpLine %file 10 1
               OpBranch %end
    %default = OpLabel
               OpLine %file 11 1
               OpBranch %end
        %end = OpLabel
               OpLine %file 12 1
               OpBranchConditional %spec %taken %store
      %taken = OpLabel
               OpLine %file 13 1
        %old = OpAtomicIAdd %u32 %cell %u1 %u0 %u1
               OpBranch %store
      %store = OpLabel
               OpLine %file 14 1
         %at = OpInBoundsPtrAccessChain %gp %out %gid
        %val = OpLoad %u32 %var
               OpStore %at %val Aligned 4
               OpLine %file 15 1
        %vat = OpInBoundsPtrAccessChain %gpv %in %gid
          %v = OpLoad %v4 %vat Aligned 16
               OpLine %file 16 1
       %last = OpInBoundsPtrAccessChain %gp %out %u100
       %was = OpAtomicIAdd %u32 %last %u1 %u0 %u1
               OpReturn
               OpFunctionEnd
'''


def model(spec):
    """Counts by opcode, by line, by edge (line, number), bytes, of all work-items."""
    opcodes, lines, edges, memory = (collections.Counter() for _ in range(4))

    def ran(line, *names):
        lines[line] += 1
        opcodes.update(names)

    def square():
        ran(20, 'OpIMul', 'OpReturnValue')

    for g in range(ITEMS):
        opcodes['OpVariable'] += 1
        ran(1, 'OpLoad', 'OpCompositeExtract', 'OpUConvert', 'OpStore')
        memory['Input', 'loaded'] += 24
        memory['Function', 'stored'] += 4
        ran(2, 'OpBitwiseAnd', 'OpINotEqual', 'OpBranchConditional')
        edges[2, 1 - g % 2] += 1
        if g % 2:
            ran(3, 'OpFunctionCall square', 'OpBranch')
            square()
        ran(4, 'OpPhi', 'OpBitwiseAnd')
        ran(5, 'OpControlBarrier', 'OpBranch')
        for i in range(g % 4 + 1):
            ran(6, 'OpPhi', 'OpPhi', 'OpULessThan', 'OpBranchConditional')
            edges[6, i == g % 4] += 1
            if i < g % 4:
                ran(7, 'OpFunctionCall square', 'OpIAdd', 'OpBranch')
                square()
        ran(8, 'OpSwitch')
        case = {0: 1, 1: 2, 2: 1, 3: 0}[g % 4]
        edges[8, case] += 1
        ran((11, 9, 10)[case], 'OpBranch')
        ran(12, 'OpBranchConditional')
        edges[12, not spec] += 1
        if spec:
            ran(13, 'OpAtomicIAdd', 'OpBranch')
            memory['Workgroup', 'atomic'] += 4
        ran(14, 'OpInBoundsPtrAccessChain', 'OpLoad', 'OpStore')
        memory['Function', 'loaded'] += 4
        memory['CrossWorkgroup', 'stored'] += 4
        ran(15, 'OpInBoundsPtrAccessChain', 'OpLoad')
        memory['CrossWorkgroup', 'loaded'] += 16
        ran(16, 'OpInBoundsPtrAccessChain', 'OpAtomicIAdd', 'OpReturn')
        memory['CrossWorkgroup', 'atomic'] += 4
    return opcodes, lines, edges, memory


def read_tracefile(path):
    """Of each source: lines, functions {name: (line, count)}, edges {(line, block, edge): count or None}."""
    files, lines, functions, edges, starts = {}, {}, {}, {}, {}
    with open(path, encoding='utf-8') as f:
        for record in f.read().splitlines():
            kind, _, rest = record.partition(':')
            fields = rest.split(',')
            if kind == 'SF':
                source, lines, functions, edges, starts = rest, {}, {}, {}, {}
            elif kind == 'DA':
                lines[int(fields[0])] = int(fields[1])
            elif kind == 'FN':
                starts[fields[1]] = int(fields[0])
            elif kind == 'FNL':  # as lcov 2 writes them
                starts[fields[0]] = int(fields[1])
            elif kind == 'FNA':
                functions[fields[2]] = starts[fields[0]], int(fields[1])
            elif kind == 'FNDA':
                functions[fields[1]] = starts[fields[1]], int(fields[0])
            elif kind == 'BRDA':
                edges[tuple(map(int, fields[:3]))] = None if fields[3] == '-' else int(fields[3])
            elif kind in ('LF', 'FNF', 'BRF'):
                assert int(rest) == len({'LF': lines, 'FNF': functions, 'BRF': edges}[kind]), record
            elif kind in ('LH', 'FNH', 'BRH'):
                counts = {'LH': lines.values(), 'FNH': [f[1] for f in functions.values()], 'BRH': edges.values()}[kind]
                assert int(rest) == sum(bool(c) for c in counts), record
            elif kind == 'end_of_record':
                assert source not in files
                files[source] = lines, functions, edges
            else:
                assert record == 'TN:', record
    return files


def check(t, path, *words):
    return t.run('check', path, '--no-print', *words)


def check_mixed(t):
    path, counts, coverage = t.path('mixed.spvasm', MIXED), t.path('mixed.json'), t.path('mixed.info')
    run = ['--global', str(ITEMS), '--local', str(LOCAL), '--arg', 'u32[101]', '--arg', 'u32x4[100]=random:1']
    results = set()
    for spec in (False, True):
        opcodes, lines, edges, memory = model(spec)
        for more in ([], ['--width', '1'], ['--width', '4', '--threads', '3'], ['--width', '32', '--schedule', '7'], ['--repeat', '3']):
            repeats = 3 if '--repeat' in more else 1
            code, out, err = check(t, path, *run, '--spec', f'5={str(spec).lower()}', '--counts', counts, '--coverage', coverage, *more)
            t.check((code, out, err) == (0, '', ''), f'{more}: {out}{err}')
            with open(counts) as f:
                got, = json.load(f)
            what = f'specialised {spec}, {more}: {got}'
            t.check(got['opcodes'] == {k: n * repeats for k, n in opcodes.items()}, what)
            t.check(list(got['opcodes'].items()) == sorted(got['opcodes'].items(), key=lambda x: (-x[1], x[0])), f'sorted: {what}')
            t.check({(k, of): n for k, x in got['bytes'].items() for of, n in x.items() if n} == {k: n * repeats for k, n in memory.items()}, what)
            t.check((got['kernel'], got['launches'], got['work_items'], got['instructions']) ==
                    ('mixed', repeats, ITEMS * repeats, sum(opcodes.values()) * repeats), what)
            (source, (ran, functions, taken)), = read_tracefile(coverage).items()
            t.check(source == os.path.join(os.getcwd(), 'mixed.cl'), source)
            t.check(ran == {k: lines[k] * repeats for k in [*range(1, 17), 20, 30, 31, 32]}, f'lines, {what}: {ran}')
            t.check(functions == {'mixed': (1, ITEMS * repeats), 'square': (20, lines[20] * repeats), 'unused': (30, 0)}, f'{functions}')
            expected = {(line, 0, edge): edges[line, edge] * repeats for line, n in ((2, 2), (6, 2), (8, 3), (12, 2)) for edge in range(n)}
            t.check(taken == {**expected, (30, 0, 0): None, (30, 0, 1): None}, f'edges, {what}: {taken}')
            results.add(json.dumps(got))
    t.check(len(results) == 4, f'counts depend on the specialisation and on the launches only: {results}')


def check_text(t):
    """What people read, and where --json has it."""
    path, run = t.path('mixed.spvasm', MIXED), ['--global', '20', '--arg', 'u32[101]', '--arg', 'u32x4[100]']
    code, out, _ = check(t, path, *run, '--counts', '-')
    rows = [line.split() for line in out.splitlines()]
    t.check(code == 0 and rows[0][:8] == 'kernel mixed: 1 launch, 20 work-items,'.split() + rows[0][6:8], out)
    t.check(['20', 'OpControlBarrier'] in rows and ['CrossWorkgroup', '320', '80', '80'] in rows, out)
    _, out, _ = check(t, path, *run, '--counts', '-', '--json')
    t.check(json.loads(out)['counts'][0]['opcodes']['OpControlBarrier'] == 20, out)
    code, _, err = check(t, path, *run, '--counts', t.path('nowhere') + '/x')
    t.check(code == 3 and 'nowhere/x' in err, err)
    code, _, err = check(t, path, *run, '--coverage', t.path('nowhere') + '/x')
    t.check(code == 3 and 'nowhere/x' in err, err)


# The work-group ends where it must not be, in a call; and at a barrier that only some reach.
STOPPED = '''               OpCapability Kernel
               OpCapability Addresses
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %call "call"
               OpEntryPoint Kernel %part "part" %id
               OpName %f "f"
               OpDecorate %id BuiltIn LocalInvocationIndex
       %void = OpTypeVoid
       %bool = OpTypeBool
        %u32 = OpTypeInt 32 0
         %ip = OpTypePointer Input %u32
         %fn = OpTypeFunction %void
         %u2 = OpConstant %u32 2
         %u4 = OpConstant %u32 4
        %ums = OpConstant %u32 264
         %id = OpVariable %ip Input
          %f = OpFunction %void None %fn
         %fl = OpLabel
          %a = OpIAdd %u32 %u2 %u4
               OpUnreachable
               OpFunctionEnd
       %call = OpFunction %void None %fn
         %cl = OpLabel
          %b = OpISub %u32 %u4 %u2
          %r = OpFunctionCall %void %f
          %c = OpIMul %u32 %u4 %u2
               OpReturn
               OpFunctionEnd
       %part = OpFunction %void None %fn
         %pl = OpLabel
          %i = OpLoad %u32 %id
          %l = OpULessThan %bool %i %u4
               OpBranchConditional %l %x %y
          %x = OpLabel
         %xa = OpIAdd %u32 %i %u2
               OpControlBarrier %u2 %u2 %ums
               OpReturn
          %y = OpLabel
         %ya = OpISub %u32 %i %u2
               OpControlBarrier %u2 %u2 %ums
               OpReturn
               OpFunctionEnd
'''


def check_stopped(t):
    """What a work-group did not execute because it ended early is not counted."""
    path, counts, coverage = t.path('stopped.spvasm', STOPPED), t.path('stopped.json'), t.path('stopped.info')
    for kernel, rule, expected in (
            ('call', 'check.unreachable', {'OpISub': 8, 'OpFunctionCall f': 8, 'OpIAdd': 8}),
            ('part', 'check.divergent-barrier', {'OpLoad': 8, 'OpULessThan': 8, 'OpBranchConditional': 8})):
        code, _, err = check(t, path, kernel, '--global', '8', '--local', '8', '--counts', counts, '--coverage', coverage)
        with open(counts) as f:
            got, = json.load(f)
        t.check(code == 1 and rule in err, f'{kernel}: {err}')
        t.check(got['opcodes'] == expected, f'{kernel}: {got}')
    # A module without lines: those of its text are the source.
    (source, (ran, functions, edges)), = read_tracefile(coverage).items()
    number = {text.split('=')[0].strip(): n for n, text in enumerate(STOPPED.splitlines(), 1)}
    t.check(source == os.path.realpath(path), source)
    t.check((ran[number['%l']], ran[number['%xa']], ran[number['%b']]) == (8, 0, 0), f'{ran}')
    t.check(edges == {(number['%l'] + 1, 0, 0): 4, (number['%l'] + 1, 0, 1): 4}, f'{edges}')
    t.check({name: count for name, (_, count) in functions.items()} == {'f': 0, 'call': 0, 'part': 8}, f'{functions}')


def check_binary(t):
    """The source of a module that is no text is written, under the same name each time."""
    module, sources = t.path('part.spv'), []
    t.check(t.run('as', t.path('stopped.spvasm', STOPPED), '-o', module)[0] == 0, 'assembled')
    for name in ('one.info', 'two.info'):
        check(t, module, 'part', '--global', '8', '--coverage', t.path(name))
        (source, (ran, _, _)), = read_tracefile(t.path(name)).items()
        with open(source) as f:
            lines = f.read().splitlines()
        t.check(ran and all('Op' in lines[n - 1] for n in ran), f'{source}: {ran}')
        t.check('OpULessThan' in [lines[n - 1].split()[2] for n, count in ran.items() if count == 8 and '=' in lines[n - 1]], source)
        sources.append(source)
    t.check(len(set(sources)) == 1 and os.path.dirname(sources[0]) == os.path.join(os.path.realpath(t.folder), 'heddle-sources'), f'{sources}')


SOURCE = '''int twice(int x)
{
    if (x > 2)
        return 2 * x;
    return x;
}
kernel void k(global int *out)
{
    int i = get_global_id(0), sum = 0;

    for (int n = 0; n < i; n++)
        sum += twice(n);
    out[i] = i & 1 && i > BY ? sum : twice(i);
}
kernel void never(global int *out)
{
    out[0] = 1;
}
kernel void again(global int *out)
{
    out[get_global_id(0)] += 1;
}
'''


def source_lines(items, by):
    """How often lines of SOURCE ran for so many work-items."""
    lines = collections.Counter()
    for i in range(items):
        calls = [*range(i)] + ([] if i & 1 and i > by else [i])
        lines.update({3: len(calls), 4: sum(x > 2 for x in calls), 5: sum(x <= 2 for x in calls), 9: 1, 11: i + 1, 12: i, 13: 1})
    return lines


def is_source_covered(got, items, by):
    ran, functions, _ = got
    lines = source_lines(items, by)
    return {n: ran.get(n) for n in lines} == lines and ran[17] == 0 and functions['twice'][1] == lines[3] and \
        functions['k'][1] == items and functions['never'][1] == 0


def check_source(t):
    path, coverage = t.path('k.cl', SOURCE), t.path('k.info')
    code, _, err = check(t, path, 'k', '--global', '10', '--arg', 'i32[10]', '--coverage', coverage, '-DBY=5')
    if 'no compiler' in err or 'source.compiler' in err:
        t.skipped += 1
        return
    (source, got), = read_tracefile(coverage).items()
    t.check(code == 0 and source == os.path.realpath(path) and is_source_covered(got, 10, 5), f'{source}: {got} {err}')
    check_lcov(t, coverage, len(got[0]), sum(n > 0 for n in got[0].values()))


def check_lcov(t, coverage, count, hit):
    """lcov reads it, adds two up, and makes pages of it without a warning."""
    if shutil.which('lcov') is None or shutil.which('genhtml') is None:
        t.skipped += 1
        return
    both = t.path('both.info')
    version = subprocess.run(['lcov', '--version'], capture_output=True, text=True).stdout
    branches = ['--rc', 'lcov_branch_coverage=1'] if 'version 1.' in version else ['--branch-coverage']
    done = subprocess.run(['lcov', *branches, '-a', coverage, '-a', coverage, '-o', both], capture_output=True, text=True)
    t.check(done.returncode == 0, f'lcov: {done}')
    one, two = read_tracefile(coverage), read_tracefile(both)
    t.check({s: {n: 2 * c for n, c in x[0].items()} for s, x in one.items()} == {s: x[0] for s, x in two.items()}, f'{two}')
    t.check({s: {n: c and 2 * c for n, c in x[2].items()} for s, x in one.items()} == {s: x[2] for s, x in two.items()}, f'{two}')
    done = subprocess.run(['genhtml', '--branch-coverage', coverage, '-o', t.path('pages')], capture_output=True, text=True)
    t.check(done.returncode == 0 and done.stderr == '' and 'WARNING' not in done.stdout and f'({hit} of {count} lines)' in done.stdout,
            f'genhtml: {done}')


def host(values):
    """Build SOURCE once for each value of BY, and run k (or KERNELS) of each on ten work-items, alone if ALONE is set."""
    try:
        cl = ctypes.CDLL(ctypes.util.find_library('OpenCL') or 'libOpenCL.so.1')
    except OSError:
        return NO_LOADER
    for name in ('clCreateContext', 'clCreateCommandQueue', 'clCreateProgramWithSource', 'clCreateKernel', 'clCreateBuffer'):
        getattr(cl, name).restype = ctypes.c_void_p
    platform, device, code, flags = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_uint64
    assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
    assert cl.clGetDeviceIDs(platform, flags(0xFFFFFFFF), 1, ctypes.byref(device), None) == 0
    context = ctypes.c_void_p(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(code)))
    queue = ctypes.c_void_p(cl.clCreateCommandQueue(context, device, flags(0), ctypes.byref(code)))
    text, size, one = ctypes.c_char_p(SOURCE.encode()), ctypes.c_size_t(10), ctypes.c_size_t(1)
    local = ctypes.byref(one) if 'ALONE' in os.environ else None
    for by in values:
        program = ctypes.c_void_p(cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None, ctypes.byref(code)))
        assert cl.clBuildProgram(program, 1, ctypes.byref(device), f'-DBY={by}'.encode(), None, None) == 0
        buffer = ctypes.c_void_p(cl.clCreateBuffer(context, flags(1), ctypes.c_size_t(40), None, ctypes.byref(code)))
        for name in os.environ.get('KERNELS', 'k').split():
            kernel = ctypes.c_void_p(cl.clCreateKernel(program, name.encode(), ctypes.byref(code)))
            assert cl.clSetKernelArg(kernel, 0, ctypes.c_size_t(8), ctypes.byref(buffer)) == 0
            assert cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(size), local, 0, None, None) == 0
            assert cl.clFinish(queue) == 0
    return 0


def check_host(t):
    """Whole programs: several kernels of several programs in one file, several processes in one pattern."""
    run = [sys.executable, os.path.abspath(__file__), '--host']
    counts, coverage = t.path('host.json'), t.path('host.info')
    code, _, err = t.run('exec', '--counts', counts, '--coverage', coverage, *run, '5', '3', '5')
    if code == NO_LOADER:
        t.skipped += 1
        return
    (source, got), = read_tracefile(coverage).items()
    lines = source_lines(10, 5) + source_lines(10, 3) + source_lines(10, 5)
    t.check(code == 0 and {n: got[0].get(n) for n in lines} == lines and got[1]['k'][1] == 30, f'{code} {got} {err}')
    with open(source) as f:
        t.check(f.read().rstrip() == SOURCE.rstrip(), source)
    with open(counts) as f:
        got = json.load(f)
    t.check([(k['kernel'], k['launches'], k['work_items']) for k in got] == [('k', 2, 20), ('k', 1, 10)], f'{got}')
    check_lcov(t, coverage, len(read_tracefile(coverage)[source][0]), sum(n > 0 for n in read_tracefile(coverage)[source][0].values()))
    os.mkdir(t.path('parts'))
    for by in '34':
        t.run('exec', '--coverage', t.path('parts/%p.info'), *run, by)
    parts = [name for name in os.listdir(t.path('parts')) if name.endswith('.info')]
    t.check(len(parts) == 2 and all(name[:-5].isdigit() for name in parts), f'{parts}')
    found = [read_tracefile(t.path('parts/' + name)) for name in parts]
    t.check(found[0].keys() == found[1].keys(), 'equal sources have one name')


def check_options(t):
    """Options of a build that its user adds; the first and the last work-group only."""
    counts, coverage = t.path('some.json'), t.path('some.info')
    run = [sys.executable, os.path.abspath(__file__), '--host']
    code, _, err = t.run('exec', '--build-options', '-DBY=2 -DMORE', '--coverage', coverage, *run, '5')
    if code == NO_LOADER:
        t.skipped += 1
        return
    (_, got), = read_tracefile(coverage).items()
    t.check(code == 0 and is_source_covered(got, 10, 2), f'{got} {err}')
    code, _, err = t.run('exec', '--build-options', '-no-such', *run, '5')
    t.check(code == 1 and 'AssertionError' in err, f'options that there are not: {err}')
    # What the groups between do not write is nothing that the next kernel reads uninitialised.
    os.environ.update(KERNELS='k again', ALONE='1')
    for words, items, found in (([], 10, False), (['--quick'], 2, False), (['--quick', '--schedule', '3'], 2, False)):
        code, _, err = t.run('exec', *words, '--counts', counts, *run, '5')
        with open(counts) as f:
            t.check(code == 0 and [k['work_items'] for k in json.load(f)] == [items] * 2 and '0 errors' in err, f'{words}: {err}')
    del os.environ['KERNELS'], os.environ['ALONE']
    path = t.path('mixed.spvasm', MIXED)
    code, _, err = check(t, path, '--quick', '--global', '100', '--local', '20', '--arg', 'u32[101]', '--arg', 'u32x4[60]', '--counts', counts)
    with open(counts) as f:
        t.check(json.load(f)[0]['work_items'] == 40 and code == 1 and '(80, 0, 0)' in err and '(60, 0, 0)' not in err, err)


def main():
    if sys.argv[1:2] == ['--host']:
        return host(sys.argv[2:])
    with harness.Tool() as t:
        for part in (check_mixed, check_text, check_stopped, check_binary, check_source, check_host, check_options):
            part(t)
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
