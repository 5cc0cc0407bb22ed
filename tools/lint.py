#!/usr/bin/env python3
"""Check what the compiler does not: layers, format, mutable globals, spans of traces, exports, sizes. Also writes docs/map.md (--map).

Ends with `N passed, N failed, N skipped`, one per check.
SPDX-License-Identifier: MIT
"""
import glob, graphlib, hashlib, os, re, shutil, subprocess, sys

import environments
import passes_md
import rules

# Room: what lives there; rooms it may include besides itself. gen = generated tables (with grammar/grammar.h).
ROOMS = {
    'base': ('arena, arrays, strings, hash maps, bit sets, diagnostics, files, options', []),
    'grammar': ('the source of all tables, and the script that turns them into C', ['gen']),
    'module': ('a SPIR-V module in memory: reader, writer, types, constants, control flow', ['base', 'gen']),
    'text': ('assembler, disassembler, instructions as text', ['base', 'gen', 'module']),
    'val': ('the validator: rule engine and environments', ['base', 'gen', 'module', 'text']),
    'ir': ('lane IR, typed SSA of one work-item: its text, verifier and editing functions', ['base']),
    'opt': ('optimisation passes over lane IR, before it is widened', ['base', 'ir']),
    'build': ('translation of a module to lane IR: the engine', ['base', 'gen', 'module', 'ir', 'rt:abi.h', 'rt:rtfn.def', 'rt:pipe.h', 'rt:math/math.h', 'rt:math/convert.h', 'rt:math/half.h', 'rt:math/math.def']),
    'check': ('checked runs: state of memory, findings, reports', ['base']),
    'interp': ('the reference interpreter: engine', ['base', 'gen', 'module', 'text', 'check', 'build:layout.h']),
    'debug': ('the debugger, on top of checked runs: breakpoints, values, the console, the Debug Adapter Protocol',
              ['base', 'gen', 'module', 'text', 'check', 'interp', 'build:layout.h', 'rt:image.h', 'rt:image.def']),
    'ops': ('one folder per instruction family: row, rule, builder, eval, tests',
            ['base', 'gen', 'module', 'text', 'val', 'build', 'ir', 'interp', 'check', 'rt:abi.h', 'rt:math/math.h', 'rt:math/convert.h', 'rt:math/half.h', 'rt:math/math.def', 'rt:rtfn.def', 'rt:image.h', 'rt:image.def', 'rt:pipe.h', 'rt:device.h']),
    'xform': ('transformations of modules: link, repair, resolve built-ins by name', ['base', 'gen', 'module', 'text']),
    'lanes': ('vectorisation, from one work-item to W lanes: shapes, masks, linearisation', ['base', 'ir', 'opt:promote.h']),
    'group': ('barriers: splitting kernels into regions (fibers are in rt)', ['base', 'ir', 'lanes']),
    'rt': ('the runtime that compiled code calls: mathematics, printf, fibers, the work-group loop', ['base', 'gen:srgb.h']),
    'codegen': ('lane IR to LLVM IR to object code; libheddle-llvm.so', ['base', 'gen', 'ir', 'rt:abi.h', 'rt:image.h']),
    'jit': ('a kernel from module to callable code; disk cache; object loader',
            ['base', 'gen', 'module', 'text', 'val', 'build', 'ir', 'opt', 'xform', 'ops', 'lanes', 'group', 'rt', 'codegen:codegen.h', 'codegen:costs.h']),
    'launch': ('arguments, memory, NDRanges on the thread pool', ['base', 'gen', 'module', 'build', 'jit', 'interp', 'check', 'rt']),
    'clang': ('the clang of the wheels, for SPIR-V only, in C++; libheddle-clang.so, by which one clang compiles several sources', []),
    'clc': ('OpenCL C to SPIR-V, by running clang', ['base', 'gen', 'module', 'xform']),
    'lib': ('the public C API of include/heddle', ['base', 'gen', 'module', 'text', 'val', 'xform', 'check', 'clc', 'launch']),
    'cl': ('OpenCL objects and their semantics', ['base', 'gen', 'module', 'text', 'val', 'xform', 'check', 'build:layout.h', 'jit', 'launch', 'clc', 'rt:abi.h', 'rt:image.h', 'rt:image.def', 'rt:pipe.h']),
    'api': ('OpenCL entry points: arguments in, error codes out', ['base', 'cl']),
    'tool': ('the heddle command, a file per subcommand', None),  # all but api
}
# Rooms that the interpreter judges.
COMPILER = ('build', 'ir', 'opt', 'lanes', 'group', 'codegen', 'jit', 'rt')
# Mutable globals that are meant to be: file and name.
GLOBALS = {
    ('src/base/memory.c', 'fail_in'), ('src/base/memory.c', 'has_failed'), ('src/base/memory.c', 'live_blocks'),
    ('src/base/trace.c', 'hd_trace_state'), ('src/base/trace.c', 'trace'),  # a process has one trace
    ('src/jit/debugger.c', '__jit_debug_descriptor'), ('src/jit/debugger.c', 'lock'),  # where gdb looks
    ('src/codegen/guard.c', 'current'),  # LLVM's handler is told nothing but the reason
    ('src/jit/generator.c', 'has_compiled'),  # LLVM, whose globals it is about, is there once in a process
    ('src/clang/serve.c', 'compile'),  # the main that another one takes the place of
    ('src/tool/execute.c', 'is_cancelled'),  # set by the handler of Ctrl-C
    ('src/tool/fault.c', 'has_ended'), ('src/tool/fault.c', 'pages'), ('src/tool/fault.c', 'page_bytes'), ('src/tool/fault.c', 'told'),  # by and for the handlers of faults
    ('src/tool/debug.c', 'is_interrupted'),  # likewise
    ('src/tool/debug.c', 'interrupts'),  # likewise
    ('src/tool/edit.c', 'editor'),  # libedit asks for completion without a word of ours
}
EXPORTS = {'libheddle.so': re.compile(r'heddle_'), 'libheddle-cl.so': re.compile(r'cl|__jit_debug'), 'libheddle-llvm.so': re.compile(r'hd_codegen_entry$'),
           'libheddle-clang.so': re.compile('__libc_start_main$')}
MAX_LINES, MAX_FUNCTION = 900, 100
MAX_COLUMNS = 119  # of documents
EXPLAINED = ('launch', 'opt')  # rooms whose constants have comments


def sources():
    return sorted(glob.glob('src/**/*.[ch]', recursive=True) + glob.glob('include/**/*.h', recursive=True))


def allowed(room, target):
    rules = ROOMS[room][1]
    head, _, rest = target.partition('/')
    if head == room:
        return True
    if rules is None:
        return head not in ('api',)
    head = 'gen' if head == 'grammar' else head
    return head in rules or '%s:%s' % (head, rest) in rules


def check_layers():
    for path in sources():
        room = path.split('/')[1]
        if room not in ROOMS:
            continue
        for number, line in enumerate(open(path), 1):
            m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if m and '/' in m.group(1) and m.group(1).split('/')[0] in list(ROOMS) + ['gen'] and not allowed(room, m.group(1)):
                yield '%s:%d: %s may not include %s' % (path, number, room, m.group(1))


def check_families():
    """Families of instructions form no circle (docs/adr/0050-which-circles-stay.md)."""
    leads_to = {}
    for path in sources():
        own = re.match(r'src/ops/(\w+)/', path)
        if own:
            seen = re.findall(r'^\s*#\s*include\s+"ops/(\w+)/', open(path).read(), re.M)
            leads_to.setdefault(own.group(1), set()).update(seen)
    try:
        graphlib.TopologicalSorter({family: seen - {family} for family, seen in leads_to.items()}).prepare()
    except graphlib.CycleError as e:
        yield 'src/ops: families form a circle: %s' % ' -> '.join(reversed(e.args[1]))


def is_judge(path):
    """The interpreter, and what instructions do in it: what the compiler is judged by."""
    return path.split('/')[1] in ('interp', 'check') or re.match(r'src/ops/\w+/\w+_eval\.[ch]$', path)


def symbols(paths, option, letters):
    out = subprocess.run(['nm', option] + paths, capture_output=True, text=True).stdout if paths else ''
    return {line.split()[-1] for line in out.splitlines() if re.search(r'(^|\s)[%s] \S+$' % letters, line)}


def check_judge():
    """It shares nothing with the compiler but the layout of memory that hosts pack, of pipes, the table of image formats, and the queues on the device."""
    shared = ('build/layout.h', 'rt/image.h', 'rt/image.def', 'rt/pipe.h', 'rt/device.h')
    for path in filter(is_judge, sources()):
        for number, line in enumerate(open(path), 1):
            m = re.match(r'\s*#\s*include\s+"((%s)/[^"]+)"' % '|'.join(COMPILER), line)
            if m and m.group(1) not in shared:
                yield '%s:%d: may not include %s' % (path, number, m.group(1))
    objects = glob.glob(os.path.join(os.environ.get('BUILD', 'build'), 'obj', '**', '*.c.o'), recursive=True)
    source = {o: 'src/' + o.split('/obj/', 1)[1][:-2] for o in objects}
    made = symbols([o for o in objects if source[o].split('/')[1] in COMPILER], '--defined-only', 'TDBRVW')
    used = symbols([o for o in objects if is_judge(source[o])], '--undefined-only', 'U')
    for name in sorted(used & made):
        yield 'the interpreter uses %s, which is the compiler\'s' % name


def check_circles():
    """Files do not call each other in a circle, as far as the built objects show; tables of all instructions lead down to
    each family and count as none (docs/adr/0050-which-circles-stay.md)."""
    objects = [o for o in glob.glob(os.path.join(os.environ.get('BUILD', 'build'), 'obj', '**', '*.c.o'), recursive=True)
               if os.path.exists('src/' + o.split('/obj/', 1)[1][:-2])]
    if not objects:
        return None
    defines, needs = {}, {}
    for line in subprocess.run(['nm', '-A'] + objects, capture_output=True, text=True).stdout.splitlines():
        path, symbol = line.split(':', 1)
        name, kind = path.split('/obj/', 1)[1][:-2], symbol.split()[-2]
        if kind == 'U':
            needs.setdefault(name, set()).add(symbol.split()[-1])
        elif kind in 'TDBRVWC':
            defines[symbol.split()[-1]] = name
    calls = {name: {defines[s] for s in symbols if s in defines} - {name} for name, symbols in needs.items() if not name.startswith('ops/index_')}
    try:
        graphlib.TopologicalSorter(calls).prepare()
    except graphlib.CycleError as e:
        return ['src: files call each other in a circle: %s' % ' -> '.join(reversed(e.args[1]))]
    return []


def check_format():
    """What was found formatted is not looked at again before it changes: the formatter takes longer than all else here."""
    tool = shutil.which('clang-format-14') or shutil.which('clang-format')
    if tool is None:
        return None
    files = sources() + [f for place in ('tests', 'examples') for f in glob.glob(place + '/**/*.[ch]', recursive=True)]
    style = open('.clang-format', 'rb').read() + tool.encode()
    digest = {f: hashlib.sha256(style + open(f, 'rb').read()).hexdigest() for f in files}
    kept = os.path.join(os.environ.get('BUILD', 'build'), 'formatted')
    known = set(open(kept).read().split()) if os.path.exists(kept) else set()
    files = [f for f in files if digest[f] not in known]
    out = subprocess.run([tool, '--dry-run', '-ferror-limit=1'] + files, capture_output=True, text=True).stderr if files else ''
    wrong = {line.split(':')[0] for line in out.splitlines() if 'warning:' in line}
    if os.path.isdir(os.path.dirname(kept) or '.'):
        with open(kept, 'w') as f:
            f.write('\n'.join(sorted(d for name, d in digest.items() if name not in wrong)) + '\n')
    return sorted(name + ': not formatted' for name in wrong)


def check_sizes():
    for path in sources():
        lines = open(path).read().split('\n')
        if len(lines) > MAX_LINES:
            yield '%s: %d lines (limit %d)' % (path, len(lines), MAX_LINES)
        start = None
        for i, line in enumerate(lines):
            if line == '{':
                start = i
            elif line == '}' and start is not None:
                if i - start > MAX_FUNCTION:
                    yield '%s:%d: a function of %d lines (limit %d)' % (path, start, i - start, MAX_FUNCTION)
                start = None


def check_globals():
    pattern = re.compile(r'^(?:static )?(?!const|typedef|__extension__ typedef|extern|inline|enum|struct [A-Za-z]+;|_Static_assert)[A-Za-z_][\w ]*[ *](\w+)(?:\[[^\]]*\])*(?: =.*)?;')
    for path in sources():
        if path.endswith('.h'):
            continue
        for number, line in enumerate(open(path), 1):
            m = pattern.match(line)
            if m and '(' not in line.split('=')[0] and ' const ' not in line and 'const ' not in line.split('=')[0] and not re.match(r'(return|goto|HD_|static const|_Thread_local)', line):
                if (path, m.group(1)) not in GLOBALS and not re.search(r'(Fn|Job|Sink) \w+;|Fn hd_\w+', line):
                    yield '%s:%d: mutable global %s' % (path, number, m.group(1))


def check_traced():
    """Each entry point of the driver begins with a span of traces."""
    names = set(re.findall(r'^(?:ENTRY|EXTENSION|NEWER)\((\w+)\)', open('src/api/entries.def').read(), re.M))
    for path in sorted(glob.glob('src/api/*.c')):
        text = open(path).read()
        functions = re.findall(r'^CL_API_ENTRY[^;{]*?\bhd_(cl\w+)\([^;{]*\)\n\{\n *(.*)', text, re.M)
        for macro, first in re.findall(r'^#define (\w+)\([^;{]*?CL_API_ENTRY[^;{]*\{ *\\\n *(\S*)', text, re.M):
            functions += [(name, first) for name in re.findall(r'^%s\([^;{]*?\b(cl[A-Z]\w+),' % macro, text, re.M)]
        for name, first in functions:
            names.discard(name)
            if first != 'HD_TRACED;':
                yield '%s: hd_%s does not begin with HD_TRACED' % (path, name)
    for name in sorted(names):
        yield 'src/api/entries.def: no function hd_%s was found in src/api' % name


def check_exports():
    build = os.environ.get('BUILD', 'build')
    for name, pattern in EXPORTS.items():
        path = os.path.join(build, name)
        if not os.path.exists(path):
            continue
        out = subprocess.run(['nm', '-D', '--defined-only', path], capture_output=True, text=True).stdout
        for line in out.splitlines():
            if not pattern.match(line.split()[-1]):
                yield '%s exports %s' % (name, line.split()[-1])


# HEDDLE_CHECK_EXIT asks for the exit status of a process that is ending. LLVM's handler of fatal errors may not return.
ALLOWED_CALLS = {('src/cl/checked.c', '_exit'), ('src/codegen/guard.c', 'setjmp'), ('src/codegen/guard.c', 'longjmp')}


def check_forbidden():
    """Below tool/ and beside clang: nothing that ends the process or prints unasked."""
    pattern = re.compile(r'(?<![\w.])(exit|abort|_exit|printf|puts|perror|setjmp|longjmp)\s*\(')
    for path in sources():
        if path.startswith(('src/tool/', 'src/clang/')):  # what runs in processes of Heddle's own
            continue
        text = re.sub(r'/\*.*?\*/', lambda m: re.sub(r'[^\n]', ' ', m.group(0)), open(path).read(), flags=re.S)
        text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
        for number, line in enumerate(text.split('\n'), 1):
            m = pattern.search(line)
            if m and '#define' not in line and 'HD_RTFN' not in line and (path, m.group(1)) not in ALLOWED_CALLS:
                yield '%s:%d: calls %s' % (path, number, m.group(1))


def check_headers():
    for path in sources():
        head = open(path).read(6000)
        if 'SPDX-License-Identifier: MIT' not in head or not head.startswith('/*'):
            yield '%s: does not open with what it holds and an SPDX line' % path


def constants(path):
    """Numbers with names: (line, name, whether a comment on the line or directly above says what it is)."""
    lines = open(path).read().split('\n')
    for i, line in enumerate(lines):
        m = re.match(r'\s*#\s*define (\w+)\s+(?=.*\d)|(?:static )?const (?:unsigned|int|long|float|double|size_t|u?int\d+_t) (\w+) =', line)
        if m and not re.search(r'[A-Za-z_]\w*\(', line[m.end():].split('/*')[0].replace('UINT64_C(', '').replace('UINT32_C(', '')):
            yield i + 1, m.group(1) or m.group(2), '/*' in line or lines[i - 1].rstrip().endswith('*/')


def check_constants():
    """What decides how kernels are compiled and launched: each number says what it is and its unit."""
    for path in sources():
        if path.split('/')[1] in EXPLAINED:
            for number, name, is_explained in constants(path):
                if not is_explained:
                    yield '%s:%d: %s has no comment' % (path, number, name)


def check_documents():
    """Lines of documents fit a window beside another one; rows of tables cannot be broken."""
    for path in sorted(glob.glob('*.md') + [f for place in ('docs', 'examples', 'python', 'tests') for f in glob.glob(place + '/**/*.md', recursive=True)]):
        for number, line in enumerate(open(path, encoding='utf-8'), 1):
            if len(line.rstrip('\n')) > MAX_COLUMNS and not line.startswith('|'):
                yield '%s:%d: %d columns (limit %d)' % (path, number, len(line.rstrip('\n')), MAX_COLUMNS)


def check_pages():
    """Pages that are made from data are as the data is."""
    if not environments.current():
        yield 'docs/environments.md: not current, run tools/environments.py --write'
    if not passes_md.current():
        yield 'docs/passes.md: not current, run tools/passes_md.py --write'


def room_map():
    out = ['# The rooms', '', 'Generated by `tools/lint.py --map` from the table by which lint checks includes; do not edit. [where.md](where.md)',
           'lists the files for each feature.', '',
           '| room (src/…) | contents | may include |', '| --- | --- | --- |']
    for room, (what, rules) in ROOMS.items():
        may = 'all but api' if rules is None else ', '.join(r.replace(':', '/') for r in rules) or '–'
        out.append('| %s | %s | %s |' % (room, what, may))
    return '\n'.join(out) + '\n'


def check_map():
    if open('docs/map.md').read() != room_map():
        yield 'docs/map.md is not what tools/lint.py --map writes'


def main():
    if '--map' in sys.argv:
        with open('docs/map.md', 'w') as page:
            page.write(room_map())
        return 0
    passed = failed = skipped = 0
    for check in (check_layers, check_families, check_circles, check_judge, check_format, check_sizes, check_globals, check_traced, check_exports, check_forbidden, check_headers, check_constants, check_documents, check_map, check_pages):
        found = check()
        if found is None:
            skipped += 1
            continue
        found = list(found)
        failed += bool(found)
        passed += not found
        for line in found:
            print('%s: error: %s' % (check.__name__[6:], line))
    known, untested = rules.collect(), rules.untested()
    print('rules: %d of %d rule ids have no test (tools/rules.py --untested)' % (len(untested), len(known)))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
