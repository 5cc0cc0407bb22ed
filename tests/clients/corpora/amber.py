#!/usr/bin/env python3
"""Amber scripts with compute pipelines (VK-GL-CTS' and Amber's own), run by Heddle.

  tests/clients/corpora/amber.py --tests FOLDER [--heddle build/heddle] [NAME …]

A script declares shaders (GLSL for glslang, or SPIR-V text, which Heddle assembles itself), buffers, pipelines, launches and what the
buffers hold afterwards. Scripts with other stages are left out.
SPDX-License-Identifier: MIT
"""
import argparse, glob, math, os, re, struct, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from corpus import Verdict, arguments, call, described, heddle, refusal, run_all  # noqa: E402

CODES = {'int8': 'b', 'uint8': 'B', 'int16': 'h', 'uint16': 'H', 'int32': 'i', 'uint32': 'I', 'int64': 'q', 'uint64': 'Q',
         'float16': 'e', 'float': 'f', 'double': 'd'}
STORAGE = {'storage', 'storage_dynamic', 'uniform', 'uniform_dynamic'}


# ---- types: a list of (offset, code), and the size of an element of an array ------------------------------------------------

class Type:
    def __init__(self, parts, size, align, rows=1):
        self.parts, self.size, self.align, self.rows = parts, size, align, rows

    def stride(self, std140):
        return -(-self.size // self.align_of(std140)) * self.align_of(std140)

    def align_of(self, std140):
        return max(self.align, 16) if std140 else self.align


def rounded(n, to):
    return -(-n // to) * to


def basic(word, std140):
    """A scalar, vector or matrix by its name."""
    m = re.fullmatch(r'(?:(vec|mat)(\d)(?:x(\d))?<(\w+)>|(\w+))(\[\])?', word)
    if not m or (m[4] or m[5]) not in CODES:
        raise Verdict('refused' if re.match(r'[RDBA]\d', word) else 'reader', '[images] a format' if re.match(r'[RDBA]\d', word)
                      else 'type ' + word)
    code = CODES[m[4] or m[5]]
    n = struct.calcsize(code)
    if m[1] is None:
        return Type([(0, code)], n, n)
    rows, columns = (int(m[2]), 1) if m[1] == 'vec' else (int(m[3]), int(m[2]))
    align = n * {1: 1, 2: 2, 3: 4, 4: 4}[rows]
    if m[1] == 'vec':
        return Type([(i * n, code) for i in range(rows)], n * rows, align, rows)
    step = max(align, 16) if std140 else align
    return Type([(c * step + i * n, code) for c in range(columns) for i in range(rows)], step * columns, step, rows)


class Script:
    """What a script declares, and the steps that it runs."""

    def __init__(self, text, path):
        self.path = path
        self.shaders, self.structs, self.buffers, self.pipelines, self.steps = {}, {}, {}, {}, []
        self.lines = text.splitlines()
        self.at = 0
        while self.at < len(self.lines):
            words = self.words(self.lines[self.at])
            self.at += 1
            if words:
                self.command(words, self.steps)

    def beside(self, name):
        """A file that the script names: beside it, or in the folder of data that the conformance tests copy."""
        for folder in (os.path.dirname(self.path), os.path.join(os.path.dirname(self.path), '..')):
            if os.path.exists(os.path.join(folder, name)):
                return os.path.join(folder, name)
        raise Verdict('reader', 'a file that is not there')

    @staticmethod
    def words(line):
        return line.split('#', 1)[0].split()

    def until_end(self):
        found = []
        while self.at < len(self.lines) and self.lines[self.at].split('#')[0].strip() != 'END':
            found.append(self.lines[self.at])
            self.at += 1
        self.at += 1
        return found

    def logical(self, words):
        """A command goes on after a line that ends with a backslash."""
        while words and words[-1] == '\\':
            words = words[:-1] + self.words(self.lines[self.at])
            self.at += 1
        return words

    def command(self, words, steps):
        words = self.logical(words)
        name = words[0]
        if name == 'SHADER':
            self.shader(words)
        elif name == 'BUFFER':
            self.buffer(words)
        elif name == 'STRUCT':
            self.struct(words)
        elif name in ('PIPELINE', 'DERIVE_PIPELINE'):
            self.pipeline(words)
        elif name == 'REPEAT':
            inner = []
            while self.at < len(self.lines):
                more = self.words(self.lines[self.at])
                self.at += 1
                if more == ['END']:
                    break
                if more:
                    self.command(more, inner)
            steps.extend(inner * int(words[1]))
        elif name in ('RUN', 'EXPECT', 'COPY'):
            while name == 'EXPECT' and self.at < len(self.lines) and re.match(r'\s*(-?[\d.]|nan|inf)', self.lines[self.at].lower()):
                words += self.words(self.lines[self.at])
                self.at += 1
            steps.append(words)
        elif name in ('IMAGE', 'SAMPLER'):
            self.shaders.setdefault('', name)
            raise Verdict('refused', '[images] ' + name)
        elif name == 'VIRTUAL_FILE':
            self.until_end()
        elif name in ('DEVICE_FEATURE', 'DEVICE_EXTENSION', 'INSTANCE_EXTENSION', 'DEVICE_PROPERTY', 'SET', 'CLEAR', 'CLEAR_COLOR', 'DEBUG'):
            if name == 'DEBUG':
                self.until_end()
        else:
            raise Verdict('reader', 'command ' + name)

    def shader(self, words):
        env = words[words.index('TARGET_ENV') + 1] if 'TARGET_ENV' in words else None
        if 'PASSTHROUGH' in words or words[1] != 'compute':
            raise Verdict('excluded', 'a %s shader' % words[1])
        if 'FILE' in words and words[3] in ('GLSL', 'SPIRV-ASM'):
            with open(self.beside(words[-1])) as f:
                self.shaders[words[2]] = (words[3], env, f.read())
            return
        if 'FILE' in words or 'VIRTUAL_FILE' in words:
            raise Verdict('reader', 'a shader in a file')
        self.shaders[words[2]] = (words[3], env, '\n'.join(self.until_end()) + '\n')

    def struct(self, words):
        parts, at, align = [], 0, 4
        for line in self.until_end():
            w = self.words(line)
            if not w:
                continue
            m = re.match(r'([^\[]+)', w[0])
            count = re.search(r'\[(\d+)\]', ' '.join(w[1:2]))
            if w[0] in self.structs:
                one = self.structs[w[0]]
            else:
                one = basic(m[1], False)
            if 'OFFSET' in w:
                at = int(w[w.index('OFFSET') + 1])
            else:
                at = rounded(at, one.align)
            if 'ROW_MAJOR' in w or 'MATRIX_STRIDE' in w:
                raise Verdict('reader', 'a structure with a matrix')
            step = int(w[w.index('ARRAY_STRIDE') + 1]) if 'ARRAY_STRIDE' in w else rounded(one.size, one.align)
            for i in range(int(count[1]) if count else 1):
                parts += [(at + i * step + o, c) for o, c in one.parts]
            at += step * (int(count[1]) - 1) + one.size if count else one.size
            align = max(align, one.align)
        size = int(words[words.index('STRIDE') + 1]) if 'STRIDE' in words else rounded(at, align)
        self.structs[words[1]] = Type(parts, size, align)

    def buffer(self, words):
        name = words[1]
        if 'FORMAT' in words:
            raise Verdict('refused', '[images] a buffer with a format')
        std140 = 'STD140' in words
        word = words[words.index('DATA_TYPE') + 1]
        kind = self.structs[word.removesuffix('[]')] if word.removesuffix('[]') in self.structs else basic(word, std140)
        count, values = None, None
        if 'SIZE' in words:
            count = int(words[words.index('SIZE') + 1])
        if 'WIDTH' in words:
            count = int(words[words.index('WIDTH') + 1]) * int(words[words.index('HEIGHT') + 1])
        rest = words[words.index(word) + 1:]
        if 'DATA' in rest:
            values = ' '.join(rest[rest.index('DATA') + 1:]).split()
            if values and values[-1] == 'END':
                values.pop()
            else:
                for line in self.until_end():
                    values += self.words(line)
        elif 'FILL' in rest:
            if count is None:
                count = 1
            values = [rest[rest.index('FILL') + 1]] * (count * len(kind.parts))
        elif 'SERIES_FROM' in rest:
            code = kind.parts[0][1]
            start, step = (number(rest[rest.index(w) + 1], code) for w in ('SERIES_FROM', 'INC_BY'))
            values = [start + i * step for i in range(count * len(kind.parts))]
        elif 'FILE' in rest:
            path = self.beside(rest[-1])
            if 'TEXT' not in rest:
                with open(path, 'rb') as f:
                    self.buffers[name] = [kind, kind.stride(std140), bytearray(f.read())]
                return
            with open(path) as f:
                values = [w for line in f for w in self.words(line)]
        else:
            values = []
        stride = kind.stride(std140)
        if count is None:
            count = -(-len(values) // len(kind.parts))
        data = bytearray(count * stride)
        for i, v in enumerate(values[:count * len(kind.parts)]):
            offset, code = kind.parts[i % len(kind.parts)]
            struct.pack_into('<' + code, data, i // len(kind.parts) * stride + offset, number(v, code))
        self.buffers[name] = [kind, stride, data]

    def pipeline(self, words):
        pipe = {'binds': [], 'shader': None, 'entry': 'main', 'specs': [], 'width': None, 'push': None}
        if words[0] == 'PIPELINE':
            name = words[2]
            if words[1] != 'compute':
                raise Verdict('excluded', 'a %s pipeline' % words[1])
        else:
            name = words[1]
            pipe = {k: list(v) if isinstance(v, list) else v for k, v in self.pipelines[words[3]].items()}
        self.pipelines[name] = pipe
        while True:
            w = self.logical(self.words(self.lines[self.at]) if self.at < len(self.lines) else ['END'])
            self.at += 1
            if w == ['END']:
                return
            if not w:
                continue
            if w[0] == 'ATTACH':
                pipe['shader'] = w[1]
                if 'ENTRY_POINT' in w:
                    pipe['entry'] = w[w.index('ENTRY_POINT') + 1]
                for i, word in enumerate(w):
                    if word == 'SPECIALIZE':
                        pipe['specs'].append((w[i + 1], w[i + 3], w[i + 4]))
            elif w[0] == 'SUBGROUP':
                for line in self.until_end():
                    m = re.search(r'REQUIRED_SIZE\s+(\S+)', line)
                    if m:
                        pipe['width'] = m[1]
            elif w[0] == 'BIND' and w[1] in ('BUFFER', 'BUFFER_ARRAY'):
                self.bind(pipe, w)
            elif w[0] == 'BIND':
                raise Verdict('refused', '[images] ' + w[1])
            elif w[0] in ('SHADER_OPTIMIZATION', 'COMPILE_OPTIONS'):
                self.until_end()
            elif w[0] == 'SET':
                raise Verdict('reader', 'arguments of a kernel')
            else:
                raise Verdict('reader', 'in a pipeline: ' + w[0])

    def bind(self, pipe, w):
        how = w[w.index('AS') + 1] if 'AS' in w else ''
        names = w[2:w.index('AS')] if 'AS' in w else w[2:3]
        if how == 'push_constant':
            pipe['push'] = names[0]
            return
        if how not in STORAGE:
            raise Verdict('reader' if 'KERNEL' in w else 'refused', 'arguments of a kernel' if 'KERNEL' in w else '[images] ' + how)
        place = '%s.%s' % (w[w.index('DESCRIPTOR_SET') + 1], w[w.index('BINDING') + 1])
        offsets = {}
        for key in ('OFFSET', 'DESCRIPTOR_OFFSET', 'DESCRIPTOR_RANGE'):
            if key in w:
                offsets[key] = [int(x) for x in w[w.index(key) + 1:w.index(key) + 1 + len(names)]]
        for i, name in enumerate(names):
            begin = sum(offsets[k][i] for k in ('OFFSET', 'DESCRIPTOR_OFFSET') if k in offsets)
            size = offsets['DESCRIPTOR_RANGE'][i] if 'DESCRIPTOR_RANGE' in offsets else None
            pipe['binds'].append((place + ('[%d]' % i if w[1] == 'BUFFER_ARRAY' else ''), name, begin, size))


def number(v, code):
    """A value as it is written for a type: numbers, bits in hexadecimal, nan and inf."""
    if not isinstance(v, str):
        return int(v) if code not in 'efd' else v
    if code in 'efd':
        if v.lower().lstrip('-').startswith('0x'):
            bits = {'e': 'H', 'f': 'I', 'd': 'Q'}[code]
            return struct.unpack('<' + code, struct.pack('<' + bits, int(v, 16)))[0]
        return float(v) if code != 'e' else truncated(float(v))
    size = struct.calcsize(code)
    n = int(float(v)) if re.search(r'\.|^-?\d+e', v) else int(v, 0) if not re.fullmatch(r'-?0\d+', v) else int(v)
    n &= (1 << 8 * size) - 1
    return n - (1 << 8 * size) if code.islower() and n >> 8 * size - 1 else n


def truncated(x):
    """Amber makes halves of its numbers, which are floats, by dropping bits."""
    if not math.isfinite(x):
        return x
    x = struct.unpack('<f', struct.pack('<f', x))[0]
    bits = struct.unpack('<H', struct.pack('<e', x))[0]
    near = struct.unpack('<e', struct.pack('<H', bits))[0]
    return near if abs(near) <= abs(x) else struct.unpack('<e', struct.pack('<H', bits - 1))[0]


# ---- running -------------------------------------------------------------------------------------------------------------------

def module_of(options, shader, folder, name):
    form, env, source = shader
    if form == 'GLSL':
        path, out = os.path.join(folder, name + '.comp'), os.path.join(folder, name + '.spv')
        with open(path, 'w') as f:
            f.write(source)
        target = (env or 'spv1.0').replace('spv', 'spirv')
        status, said = call([options.glslang, '-V', '--target-env', target, '-o', out, path], folder)
        if status != 0:
            raise Verdict('compiler', ' '.join(said.split())[:200])
        return out, []
    if form == 'SPIRV-ASM':
        path = os.path.join(folder, name + '.spvasm')
        with open(path, 'w') as f:
            f.write(source)
        if env is None:    # the conformance tests choose a version in their C++: the first that the module is valid in
            env = next((e for e in ('spv1.0', 'spv1.3', 'spv1.4') if
                        call([options.heddle, 'val', '--env', e.replace('spv', 'universal'), path], folder)[0] == 0), 'spv1.0')
        out = os.path.join(folder, name + '.spv')
        status, said = call([options.heddle, 'as', '--target-env', env, '-o', out, path], folder)
        if status != 0:
            raise Verdict('refused', refusal(said))
        return out, []
    raise Verdict('reader', 'a shader in ' + form)


def run(options, script, words, folder, modules):
    i = 2 if words[1] == 'TIMED_EXECUTION' else 1
    pipe, groups = script.pipelines[words[i]], words[i + 1:i + 4]
    if not pipe['shader']:
        raise Verdict('reader', 'a pipeline without a shader')
    name = pipe['shader']
    if name not in modules:
        modules[name] = module_of(options, script.shaders[name], folder, name)
    module, extra = modules[name]
    extra = extra + (['--width', pipe['width']] if pipe['width'] else [])
    for spec in pipe['specs']:
        extra += ['--spec', '%s=%s' % (spec[0], spec[2])]
    status, said, bindings, push = described(options.heddle, module, folder)
    binds, where = {}, {}
    for place, buffer, begin, size in pipe['binds']:
        key = tuple(int(x) for x in place.split('[')[0].split('.'))
        if key not in bindings:
            continue
        data = script.buffers[buffer][2]
        end = begin + size if size else len(data)
        binds[place], where[place] = bytes(data[begin:end]), (buffer, begin, end)
    pushed = bytes(script.buffers[pipe['push']][2]) if pipe['push'] else b''
    # Ranges that are bound twice are one buffer for the shader, and two for the command: what was written is merged.
    results = heddle(options.heddle, module, folder, groups, binds, pushed, list(binds), extra + options.extra)
    for (place, before), data in zip(binds.items(), results):
        buffer, begin, end = where[place]
        target = script.buffers[buffer][2]
        for k in range(len(data)):
            if data[k] != before[k]:
                target[begin + k] = data[k]


def flat(buffer):
    kind, stride, data = buffer
    return [struct.unpack_from('<' + c, data, i * stride + o)[0] for i in range(len(data) // stride) for o, c in kind.parts]


def expect(script, words):
    buffer = script.buffers[words[1]]
    if words[2] in ('EQ_BUFFER', 'RMSE_BUFFER'):
        a, b = flat(buffer), flat(script.buffers[words[3]])
        if len(a) != len(b):
            raise Verdict('reader', 'buffers of two sizes')
        if words[2] == 'EQ_BUFFER':
            for i, (x, y) in enumerate(zip(a, b)):
                if x != y and not (isinstance(x, float) and math.isnan(x) and math.isnan(y)):
                    raise Verdict('wrong', '%s: value %d is %r, in %s %r' % (words[1], i, x, words[3], y))
            return
        error = math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)) / len(a))
        if not error <= float(words[words.index('TOLERANCE') + 1]):
            raise Verdict('wrong', '%s differs from %s by %g' % (words[1], words[3], error))
        return
    if words[2] != 'IDX':
        raise Verdict('reader', 'expectation ' + words[2])
    at, i, tolerances = int(words[3]), 4, []
    if i < len(words) and words[i] == 'TOLERANCE':
        i += 1
        while words[i] not in ('EQ', 'NE', 'LT', 'LE', 'GT', 'GE'):
            tolerances.append(words[i])
            i += 1
    if words[i] not in ('EQ', 'NE', 'LT', 'LE', 'GT', 'GE'):
        raise Verdict('refused', '[images] expectation ' + words[i])
    kind, stride, data = buffer
    first, within = divmod(at, stride)
    begin = [j for j, (o, c) in enumerate(kind.parts) if o >= within]
    position = first * len(kind.parts) + begin[0]
    for k, text in enumerate(words[i + 1:]):
        offset, code = kind.parts[(position + k) % len(kind.parts)]
        x = struct.unpack_from('<' + code, data, (position + k) // len(kind.parts) * stride + offset)[0]
        y = number(text, code)
        if not holds(words[i], x, y, code, tolerances[k % len(tolerances)] if tolerances else None):
            raise Verdict('wrong', '%s: value %d is %r, expected %s %s' % (words[1], position + k, x, words[i], text))


def holds(word, x, y, code, tolerance):
    if word == 'EQ':
        if isinstance(x, float) and math.isnan(y):
            return math.isnan(x)
        if tolerance is not None:
            t = abs(y) * float(tolerance[:-1]) / 100 if tolerance.endswith('%') else float(tolerance)
            return abs(x - y) <= t or x == y
        if code in 'efd':
            return x == y or abs(x - struct.unpack('<' + code, struct.pack('<' + code, y))[0]) <= 1e-5 * abs(y)
        return x == y
    return {'NE': x != y, 'LT': x < y, 'LE': x <= y, 'GT': x > y, 'GE': x >= y}[word]


def case_of(options, path):
    def case(folder):
        with open(path, encoding='utf-8', errors='replace') as f:
            text = f.read()
        script, modules = Script(text, path), {}
        if not any(s[0] == 'EXPECT' for s in script.steps):
            raise Verdict('reader', 'no expectation')
        for words in script.steps:
            if words[0] == 'RUN':
                run(options, script, words, folder, modules)
            elif words[0] == 'COPY':
                script.buffers[words[3]][2][:] = script.buffers[words[1]][2]
            else:
                expect(script, words)
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tests', required=True)
    parser.add_argument('--glslang', default='glslangValidator')
    parser.add_argument('--extra', action='append', default=[], help='a word more for heddle run')
    options = arguments(parser)
    cases = []
    for path in sorted(glob.glob(os.path.join(options.tests, '**/*.amber'), recursive=True)):
        name = os.path.relpath(path, options.tests)
        with open(path, encoding='utf-8', errors='replace') as f:
            text = f.read()
        if re.search(r'^\s*SHADER\s+compute\b', text, re.M) and (not options.only or any(o in name for o in options.only)):
            cases.append((name, case_of(options, path)))
    return run_all(cases, options, 'Amber scripts')


if __name__ == '__main__':
    sys.exit(main())
