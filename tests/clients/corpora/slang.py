#!/usr/bin/env python3
"""Slang's compute tests, run by Heddle.

  tests/clients/corpora/slang.py --tests SLANG/tests --slangc PATH [--heddle build/heddle] [NAME …]

A test is a .slang file with lines `//TEST…:COMPARE_COMPUTE…` (run for Vulkan, or without the name of another API), inputs in lines
`//TEST_INPUT:`, and what comes out: FILE.expected.txt, or patterns that FileCheck reads. Where a parameter is bound, slangc's own
reflection says (-reflection-json); the module and the command line of `heddle run` are all that Heddle sees.
SPDX-License-Identifier: MIT
"""
import argparse, glob, json, math, os, re, shlex, struct, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from corpus import Verdict, arguments, call, described, heddle, padded, run_all  # noqa: E402

OTHERS = {'-cpu', '-cuda', '-dx11', '-dx12', '-d3d11', '-d3d12', '-mtl', '-metal', '-wgpu', '-llvm', '-gl', '-cpp'}
SCALARS = {'int8': 'b', 'uint8': 'B', 'int16': 'h', 'uint16': 'H', 'int32': 'i', 'uint32': 'I', 'int64': 'q', 'uint64': 'Q',
           'float16': 'e', 'float32': 'f', 'float64': 'd', 'intptr': 'q', 'uintptr': 'Q'}
NAMES = {'int32': 'int32_t', 'uint32': 'uint32_t', 'int64': 'int64_t', 'uint64': 'uint64_t', 'int8': 'int8_t', 'uint8': 'uint8_t',
         'int16': 'int16_t', 'uint16': 'uint16_t', 'float16': 'half', 'float32': 'float', 'float64': 'double', 'intptr': 'intptr_t',
         'uintptr': 'uintptr_t'}
TOKEN = re.compile(r'\s*(-?(?:0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFuUhHlL]*)|[A-Za-z_]\w*|.)')


class Words:
    """The tokens of a TEST_INPUT line."""

    def __init__(self, text):
        self.all, self.at = [t for t in TOKEN.findall(text.strip()) if t.strip()], 0

    def look(self, word=None, ahead=0):
        now = self.all[self.at + ahead] if self.at + ahead < len(self.all) else ''
        return now == word if word is not None else now

    def take(self, word=None):
        now = self.look()
        if word is not None and now != word:
            raise Verdict('reader', 'TEST_INPUT: another form of input')
        self.at += 1
        return now

    def skip(self, word):
        if self.look(word):
            self.at += 1
            return True
        return False

    def more(self):
        return self.at < len(self.all)


def number(word):
    """A literal as the renderer keeps it: four bytes."""
    if re.fullmatch(r'-?\d+[uU]?|-?0[xX][0-9a-fA-F]+[uU]?', word):
        return int(word.rstrip('uU'), 0) & 0xffffffff
    if word[-1] in 'hH':
        return struct.unpack('<H', struct.pack('<e', float(word[:-1])))[0]
    return struct.unpack('<I', struct.pack('<f', float(word.rstrip('fF'))))[0]


def is_number(word):
    return re.match(r'-?(\d|\.\d)', word) is not None


# ---- values: ('buffer', {options}), ('data', [words]), ('object', value), ('struct', [(name, value)]), ('array', [values]) ----

def data_of(w):
    w.take('[')
    values = []
    while not w.look(']'):
        word = w.take()
        if word == '-':
            word += w.take()
        values.append(number(word) if is_number(word) else ('&', word))
    w.take(']')
    return values


def options_of(w):
    found = {}
    if not w.skip('('):
        return found
    while w.more() and not w.look(')'):
        name = w.take()
        if name == 'random':
            raise Verdict('reader', 'TEST_INPUT: random data')
        if w.skip('='):
            if name == 'data':
                found[name] = data_of(w)
            else:
                found[name] = w.take()
        else:
            found[name] = True
        w.skip(',')
    w.take(')')
    return found


def value_of(w, outs):
    word = w.look()
    if is_number(word):
        return 'number', w.take()
    if word == '-':
        w.take()
        return 'number', '-' + w.take()
    if word == '{':
        w.take()
        fields = []
        while not w.look('}'):
            name = None
            if w.look(':', 1):
                name = w.take()
                w.take(':')
            fields.append((name, value_of(w, outs)))
            if not w.skip(','):
                break
        w.take('}')
        return 'struct', fields
    if word == '[':
        w.take()
        values = []
        while not w.look(']'):
            values.append(value_of(w, outs))
            if not w.skip(','):
                break
        w.take(']')
        return 'array', values
    w.take()
    if word == 'out':
        value = value_of(w, outs)
        outs.append(id(value[1]))
        return value
    if word == 'new':
        name = None
        if not w.look('{') and not is_number(w.look()):
            name = w.take()
            while w.look('.') or w.look('<'):
                raise Verdict('reader', 'TEST_INPUT: new of a generic type')
        return 'object', (name, value_of(w, outs))
    if word in ('specialize', 'dynamic'):
        raise Verdict('reader', 'TEST_INPUT: %s' % word)
    if word == 'ubuffer':
        return 'buffer', options_of(w)
    if word == 'uniform':
        return 'data', options_of(w).get('data', [])
    if word == 'cbuffer':
        return 'object', (None, ('data', options_of(w).get('data', [])))
    if re.match(r'(RW)?Texture|Sampler|TextureSampler', word):
        return 'image', (word, options_of(w))
    raise Verdict('reader', 'TEST_INPUT: %s' % word)


def inputs_of(text):
    """[(path, value)], the ids of values that come out, and words for slangc."""
    inputs, outs, words = [], [], []
    for line in text.splitlines():
        m = re.match(r'\s*//\s*TEST_INPUT\s*:(.*)', line)
        if not m:
            continue
        w = Words(m[1])
        first = w.look()
        if first == 'type_conformance':
            w.take()
            words += ['-conformance', ''.join(w.all[w.at:]).rstrip(';')]
            continue
        if first in ('type', 'entryPointSpecializationArg', 'globalSpecializationArg', 'global_type', 'globalExistentialType',
                     'entryPointExistentialType'):
            words += ['-specialize', m[1].split(None, 1)[1].strip()]
            continue
        if first in ('begin_array', 'begin_object', 'end', 'render_targets'):
            raise Verdict('reader', 'TEST_INPUT: %s' % first)
        path = None
        if first == 'set':
            w.take()
            path = path_of(w)
            w.take('=')
            value = value_of(w, outs)
        else:
            value = value_of(w, outs)
        if w.skip(':') or w.skip(','):
            while w.more():
                word = w.take()
                if word == 'out':
                    outs.append(id(value[1]))
                elif word == 'name':
                    w.skip('=')
                    path = path_of(w)
                w.skip(',')
        inputs.append((path, value))
    return inputs, outs, words


def path_of(w):
    path = [w.take()]
    while w.look('.') or w.look('['):
        if w.take() == '.':
            path.append(w.take())
        else:
            path.append(int(w.take()))
            w.take(']')
    return path


# ---- where values go: slangc's reflection ----------------------------------------------------------------------------------

class Place:
    """A type of the reflection and where a value of it lies: an offset in a block of bytes, a slot of a set."""

    def __init__(self, kind, block, offset=0, space=0, slot=0, sub=0, index=None):
        self.type, self.block, self.offset, self.space, self.slot, self.sub, self.index = kind, block, offset, space, slot, sub, index
        self.is_push = False

    def at(self, var):
        here = Place(var['type'], self.block, self.offset, self.space, self.slot, self.sub, self.index)
        for b in var.get('bindings') or ([var['binding']] if 'binding' in var else []):
            if b['kind'] == 'uniform':
                here.offset += b.get('offset', 0)
            elif b['kind'] == 'descriptorTableSlot':
                here.slot += b.get('index', 0)
                here.space += b.get('space', 0)
            elif b['kind'] in ('subElementRegisterSpace', 'registerSpace'):
                here.sub += b.get('index', 0)
            elif b['kind'] == 'pushConstantBuffer':
                here.is_push = True
        return here


class Program:
    """The bindings, blocks and results of a test."""

    def __init__(self, reflection, entry, names):
        self.names = names
        self.reflection, self.blocks, self.binds, self.outs, self.named, self.refs = reflection, {}, {}, [], {}, {}
        self.entry = next((e for e in reflection.get('entryPoints', []) if e['name'] == entry), {})

    def put(self, block, offset, data):
        b = self.blocks.setdefault(block, bytearray())
        if len(b) < offset + len(data):
            b.extend(bytes(offset + len(data) - len(b)))
        b[offset:offset + len(data)] = data

    def root(self, name):
        for var in self.reflection.get('parameters', []):
            if var.get('name') == name:
                return Place(None, 'globals').at(var)
        for var in self.entry.get('parameters', []):
            if var.get('name') == name and 'semanticName' not in var:
                place = Place(None, 'entry').at(var)
                # Reflection counts the slots of an entry point from 0; the module names its variables.
                if 'entryPointParams.' + name in self.names:
                    place.space, place.slot = self.names['entryPointParams.' + name]
                return place
        return self.implied(name)

    def implied(self, name):
        """A member of a block whose members are named without it."""
        for var in self.reflection.get('parameters', []):
            kind = var['type']
            if kind.get('kind') in ('constantBuffer', 'parameterBlock'):
                fields = kind.get('elementType', {}).get('fields', [])
                if any(f.get('name') == name for f in fields):
                    return self.member(Place(None, 'globals').at(var), name)
        raise Verdict('reader', 'a name that reflection does not have')

    def inside(self, place):
        """The element of a constant buffer or parameter block."""
        kind = place.type.get('kind')
        if kind not in ('constantBuffer', 'parameterBlock'):
            return place
        var = place.type.get('elementVarLayout') or {'type': place.type['elementType']}
        if kind == 'parameterBlock':
            return Place(None, (place.sub, 0), 0, place.sub, 0, place.sub).at(var)
        return Place(None, 'entry' if place.is_push else (place.space, place.slot), 0, place.space, place.slot, place.sub).at(var)

    def member(self, place, name):
        place = self.inside(place)
        kind = place.type
        if isinstance(name, int):
            if kind.get('kind') not in ('array', 'vector', 'matrix'):
                raise Verdict('reader', 'an index into what is no array')
            stride = kind.get('uniformStride', 0)
            return Place(kind['elementType'], place.block, place.offset + name * stride, place.space, place.slot, place.sub,
                         name if place.index is None else place.index * kind.get('elementCount', 1) + name)
        for var in kind.get('fields', []):
            if var.get('name') == name:
                return place.at(var)
        raise Verdict('reader', 'a member that reflection does not have')

    def key(self, place):
        return '%d.%d' % (place.space, place.slot) + ('[%d]' % place.index if place.index is not None else '')

    def assign(self, place, value, outs, name):
        what, v = value
        kind = place.type.get('kind')
        if what == 'buffer':
            self.buffer(place, v, id(v) in outs, name)
        elif what == 'data':
            here = self.inside(place)
            if any(isinstance(x, tuple) for x in v):
                raise Verdict('reader', 'addresses in uniform data')
            self.put(here.block, here.offset, struct.pack('<%dI' % len(v), *v))
        elif what == 'number':
            self.scalar(self.inside(place), v)
        elif what == 'object':
            if kind not in ('constantBuffer', 'parameterBlock') and v[0] is not None:
                raise Verdict('reader', 'TEST_INPUT: an object of an interface')
            self.assign(self.inside(place), v[1], outs, None)
        elif what == 'struct':
            here = self.inside(place)
            fields = here.type.get('fields')
            for i, (field, x) in enumerate(v):
                if field is None and here.type.get('kind') in ('array', 'vector', 'matrix'):
                    self.assign(self.element(here, i), x, outs, None)
                    continue
                if fields is None:
                    raise Verdict('reader', 'members of what is no structure')
                self.assign(self.member(here, field if field is not None else fields[i]['name']), x, outs, field)
        elif what == 'array':
            for i, x in enumerate(v):
                self.assign(self.element(self.inside(place), i), x, outs, None)
        else:
            self.image(place, v, id(v) in outs)

    def element(self, place, i):
        kind = place.type
        if kind.get('kind') == 'vector':
            size = struct.calcsize(SCALARS[kind['elementType']['scalarType']])
            return Place(kind['elementType'], place.block, place.offset + i * size, place.space, place.slot, place.sub)
        return self.member(place, i)

    def scalar(self, place, text):
        name = place.type.get('scalarType')
        if name == 'bool':
            self.put(place.block, place.offset, struct.pack('<I', number(text)))
            return
        if name not in SCALARS:
            raise Verdict('reader', 'a number for what is no scalar')
        code = SCALARS[name]
        if code in 'efd':
            self.put(place.block, place.offset, struct.pack('<' + code, float(text.rstrip('fFhHuU')) if 'x' not in text else struct.unpack(
                '<' + code, int(text, 16).to_bytes(struct.calcsize(code), 'little'))[0]))
        else:
            n = int(float(text.rstrip('fFuU'))) if '.' in text else int(text.rstrip('uU'), 0)
            self.put(place.block, place.offset, (n & (1 << 8 * struct.calcsize(code)) - 1).to_bytes(struct.calcsize(code), 'little'))

    def buffer(self, place, v, is_out, name):
        words, stride = v.get('data', []), int(v.get('stride', 0))
        refs, flat = {}, []
        for x in words:
            if isinstance(x, tuple):
                if x[1] not in self.named:
                    raise Verdict('reader', 'the address of a buffer that comes later')
                refs[4 * len(flat)] = self.named[x[1]]
                flat += [0, 0]
            else:
                flat.append(x)
        words = flat
        if stride in (1, 2):
            data = b''.join((x & (1 << 8 * stride) - 1).to_bytes(stride, 'little') for x in words)
            data += bytes(-len(data) % 4)
        else:
            data = struct.pack('<%dI' % len(words), *words)
        size = max(len(data), int(v.get('count', 0)) * stride)
        data += bytes(-size % 4 + size - len(data))
        kind = place.type
        if kind.get('kind') == 'pointer' or kind.get('scalarType') == 'uint64':
            # Memory that only an address leads to is bound where the shader has no variable.
            key = '90.%d' % len(self.named)
            self.put(place.block, place.offset, bytes(8))
            self.refs.setdefault(place.block, {})[place.offset] = key
            name = name or key
        elif kind.get('kind') not in ('resource', 'shaderStorageBuffer') or 'texture' in kind.get('baseShape', '').lower():
            if kind.get('kind') == 'vector':
                raise Verdict('refused', '[heap of descriptors] a handle of a buffer')
            if 'texture' in kind.get('baseShape', '').lower():
                raise Verdict('refused', '[images] a buffer of texels')
            raise Verdict('reader', 'a buffer for a %s' % (kind.get('baseShape') or kind.get('kind')))
        else:
            key = self.key(place)
            if name and name + '.elements' in self.names:
                key = '%d.%d' % self.names[name + '.elements']
            if 'counter' in v and name + '.counter' in self.names:
                self.binds['%d.%d' % self.names[name + '.counter']] = struct.pack('<I', int(v['counter']))
        self.binds[key] = (data, refs) if refs else data
        if name:
            self.named[name] = key
        if is_out:
            self.outs.append((key, kind))

    def image(self, place, v, is_out):
        raise Verdict('refused', '[images] %s' % v[0])

    def finish(self, bindings, push):
        """Blocks of bytes become bindings and push constants."""
        for name, data in self.blocks.items():
            block = name
            if block == 'entry':
                continue
            if block == 'globals':
                free = [k for k, (what, n, fixed, element) in bindings.items() if 'uniform' in what and '%d.%d' % k not in self.binds
                        and k not in self.blocks]
                if len(free) != 1:
                    raise Verdict('reader', 'where the uniform values lie')
                block = free[0]
            size = bindings.get(block, (0, 0, 0, 0))[2]
            data = bytes(data) + bytes(max(0, size - len(data)))
            self.binds['%d.%d' % block] = (data, self.refs[name]) if name in self.refs else data
        data = bytes(self.blocks.get('entry', b''))
        if not push and data:
            free = [k for k, b in bindings.items() if 'uniform' in b[0] and '%d.%d' % k not in self.binds]
            if len(free) == 1:
                self.binds['%d.%d' % free[0]] = data + bytes(max(0, bindings[free[0]][2] - len(data)))
                return b''
        data = (data + bytes(push))[:push]
        return (data, self.refs['entry']) if 'entry' in self.refs else data



# ---- results -----------------------------------------------------------------------------------------------------------------

def scalar_type(kind):
    """The scalar that the renderer prints by: of scalars, vectors, matrices, and arrays of none."""
    if kind.get('kind') == 'scalar':
        return kind['scalarType']
    if kind.get('kind') in ('vector', 'matrix'):
        return scalar_type(kind['elementType'])
    return None


def printed(data, kind, typed):
    lines = []
    value = kind.get('resultType') or kind.get('elementType') or kind.get('valueType') or {}
    if isinstance(value, str):
        value = {'kind': 'scalar', 'scalarType': {v: k for k, v in NAMES.items()}.get(value, {'int': 'int32', 'uint': 'uint32'}.get(value))}
    name = scalar_type(value) if typed else None
    if name in SCALARS:
        lines.append('type: ' + NAMES[name])
        code = SCALARS[name]
        for (x,) in struct.iter_unpack('<' + code, data[:len(data) // struct.calcsize(code) * struct.calcsize(code)]):
            lines.append(('%f' if code in 'efd' else '%d') % x)
        return lines
    return lines + ['%X' % x for (x,) in struct.iter_unpack('<I', data[:len(data) // 4 * 4])]


def near(a, b):
    try:
        x, y = float(a), float(b)
    except ValueError:
        return a.strip() == b.strip()
    if x == y or (math.isnan(x) and math.isnan(y)):
        return True
    return abs(x - y) <= 1e-4 * max(1, min(abs(x), abs(y)))


def compare(lines, reference):
    expected = reference.rstrip().splitlines()
    if len(lines) < len(expected):
        raise Verdict('wrong', '%d lines instead of %d' % (len(lines), len(expected)))
    is_float = False
    for i, (a, b) in enumerate(zip(lines, expected)):
        if a.startswith('type:') or b.startswith('type:'):
            if a.strip() != b.strip():
                raise Verdict('wrong', 'line %d: %s instead of %s' % (i, a, b))
            is_float = a.split(':')[1].strip() in ('half', 'float', 'double')
        elif not (near(a, b) if is_float else a.strip().upper() == b.strip().upper()):
            raise Verdict('wrong', 'line %d: %s instead of %s; all: %s' % (i, a, b, ' '.join(lines)[:300]))


# ---- cases ---------------------------------------------------------------------------------------------------------------------

def parsed(arguments_of_test):
    """What of the renderer's options concerns slangc, and entry point, groups, typed results."""
    words, entry, groups, typed = [], 'computeMain', (1, 1, 1), False
    given, i = shlex.split(arguments_of_test), 0
    while i < len(given):
        word = given[i]
        i += 1
        if word in ('-compile-arg', '-xslang', '-Xslang'):
            words.append(given[i])
            i += 1
        elif word in ('-Xslang...', '-xslang...'):
            while i < len(given) and given[i] != '-X.':
                words.append(given[i])
                i += 1
            i += 1
        elif word in ('-capability', '-capabilities', '-profile'):
            for x in given[i].split(',') if word != '-profile' else [given[i]]:
                words += ['-profile' if word == '-profile' else '-capability', x]
            i += 1
        elif word in ('-entry',):
            entry = given[i]
            i += 1
        elif word == '-compute-dispatch':
            groups = tuple(int(x) for x in given[i].split(','))
            i += 1
        elif word == '-output-using-type':
            typed = True
        elif word in ('-emit-spirv-via-glsl', '-emit-spirv-directly', '-allow-glsl', '-g0'):
            words.append(word)
        elif word in ('-render-feature', '-render-features', '-source-language', '-nvapi-slot', '-o', '-Xdxc', '-Xnvrtc', '-Xmetal'):
            i += 1
        elif word in ('-gcompute', '-graphics', '-rt', '-mesh', '-task', '-compile-only', '-only-startup'):
            raise Verdict('reader', 'not a dispatch: ' + word)
    return words, entry, groups, typed


def compiled(options, path, index, entry, words, folder):
    """The module and its reflection, made by slangc or taken from the folder of an earlier run."""
    if '-emit-spirv-via-glsl' not in words and '-emit-spirv-directly' not in words:
        words = words + ['-emit-spirv-directly']
    if not any(w.startswith('-O') for w in words):
        words = words + ['-O0']
    if not any(w.startswith('-matrix-layout') for w in words):
        words = words + ['-matrix-layout-row-major']    # the renderer's default, which is not slangc's
    for folder_of_modules in options.include:
        words = words + ['-I', folder_of_modules]
    stem = os.path.join(options.keep or folder, os.path.relpath(path, options.tests).replace('/', '_') + '.%d' % index)
    if not os.path.exists(stem + '.json'):
        if os.path.exists(stem + '.txt'):
            with open(stem + '.txt') as f:
                raise Verdict('compiler', f.read())
        status, said = call([options.slangc, path, '-target', 'spirv', '-entry', entry, '-stage', 'compute', '-o', stem + '.spv',
                             '-reflection-json', stem + '.json', *words], os.path.dirname(path))
        if status != 0 or not os.path.exists(stem + '.spv') or not os.path.exists(stem + '.json'):
            with open(stem + '.txt', 'w') as f:
                f.write(' '.join(said.split())[:200])
            raise Verdict('compiler', ' '.join(said.split())[:200])
    return stem + '.spv', stem + '.json'


def case_of(options, path, index, checks, line):
    def case(folder):
        with open(path, encoding='utf-8', errors='replace') as f:
            text = f.read()
        words, entry, groups, typed = parsed(line)
        inputs, outs, more = inputs_of(text)
        module, reflection = compiled(options, path, index, entry, more + words, folder)
        status, said, bindings, push = described(options.heddle, module, folder)
        names = {m[3]: (int(m[1]), int(m[2])) for m in re.finditer(r'^  binding (\d+)\.(\d+).*, (\S+)$', said, re.M)}
        with open(reflection) as f:
            program = Program(json.loads(re.sub(r'\\(?!["\\/bfnrtu])', r'\\\\', f.read())), entry, names)
        for at, value in inputs:
            if at is None:
                raise Verdict('reader', 'an input without a name')
            place = program.root(at[0])
            for step in at[1:]:
                place = program.member(place, step)
            program.assign(place, value, outs, '.'.join(str(x) for x in at))
        pushed = program.finish(bindings, push)
        for key, (what, count, fixed, element) in bindings.items():
            name = '%d.%d' % key
            if name not in program.binds and not any(b.startswith(name + '[') for b in program.binds) and 'buffer' in what:
                program.binds[name] = bytes(max(fixed, element, 16)) if count == 1 else 'null'
        used = {k: v for k, v in program.binds.items() if k.startswith('90.') or tuple(int(x) for x in k.split('[')[0].split('.')) in bindings}
        sizes = {k: len(v) for k, v in used.items() if isinstance(v, bytes)}
        used = padded(used, bindings)
        outs = [k for k, _ in program.outs if k in used]
        # What depends on the size of a sub-group, or on the order of atomics, is expected as for 32 in step.
        for extra in ([], ['--width', '32']):
            results = dict(zip(outs, heddle(options.heddle, module, folder, groups, used, pushed, outs, extra + options.extra)))
            lines = []
            for key, kind in program.outs:
                lines += printed(results.get(key, program.binds[key])[:sizes.get(key)], kind, typed)
            try:
                judge(options, path, index, checks, lines, folder)
                return
            except Verdict as v:
                if extra or v.kind != 'wrong' or not uses_subgroups(options, module, folder):
                    raise
    return case


def uses_subgroups(options, module, folder):
    return re.search(r'SubgroupSize|SubgroupLocalInvocationId|SubgroupId|OpGroupNonUniform|CooperativeMatrix|OpAtomic',
                     call([options.heddle, 'dis', module], folder)[1]) is not None


def judge(options, path, index, checks, lines, folder):
    prefix = re.search(r'filecheck-buffer\s*=\s*([\w-]+)', checks)
    if prefix:
        out = os.path.join(folder, 'lines')
        with open(out, 'w') as f:
            f.write('\n'.join(lines) + '\n')
        status, said = call([options.filecheck, path, '--check-prefix', prefix[1], '--input-file', out, '--allow-empty',
                             '--dump-input=never'], folder)
        if status != 0:
            raise Verdict('wrong', ' '.join(said.split())[:250] + '; all: ' + ' '.join(lines)[:300])
        return
    for name in (['%s.%d.expected.txt' % (path, index)] if index else []) + [path + '.expected.txt']:
        if os.path.exists(name):
            with open(name, encoding='utf-8', errors='replace') as f:
                compare(lines, f.read())
            return
    raise Verdict('reader', 'no expected file')


def cases_of(options):
    cases = []
    files = glob.glob(os.path.join(options.tests, '**/*.slang'), recursive=True)
    files += glob.glob(os.path.join(options.tests, '**/*.hlsl'), recursive=True)
    for path in sorted(p for p in files if os.path.isfile(p)):
        with open(path, encoding='utf-8', errors='replace') as f:
            text = f.read()
        if re.search(r'^\s*//\s*TEST_IGNORE_FILE', text, re.M):
            continue
        seen = set()
        lines = re.findall(r'^\s*//\s*((?:DISABLE_)?TEST)\b([^:\n]*):(.*)$', text, re.M)
        for index, (word, _, rest) in enumerate(lines):
            m = re.match(r'\s*COMPARE_COMPUTE(?:_EX)?(\([^)]*\))?\s*:?(.*)$', rest)
            if word != 'TEST' or not m:
                continue
            words = m[2].split()
            if OTHERS & set(words) and '-vk' not in words:
                continue
            key = (m[1], tuple(w for w in words if w not in ('-vk', '-slang', '-compute', '-shaderobj')))
            name = os.path.relpath(path, options.tests) + ('.%d' % index if index else '')
            if key in seen or (options.only and not any(o in name for o in options.only)):
                continue
            seen.add(key)
            cases.append((name, case_of(options, path, index, m[1] or '', m[2])))
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tests', required=True)
    parser.add_argument('--slangc', default='slangc')
    parser.add_argument('--filecheck', default='/usr/lib/llvm-22/bin/FileCheck')
    parser.add_argument('--include', action='append', default=[], help="a folder of modules: source/standard-modules, where its neural "
                        "is named slang")
    parser.add_argument('--extra', action='append', default=[], help='a word more for heddle run')
    options = arguments(parser)
    options.tests = os.path.abspath(options.tests)
    return run_all(cases_of(options), options, "Slang's compute tests")


if __name__ == '__main__':
    sys.exit(main())
