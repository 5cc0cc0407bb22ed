#!/usr/bin/env python3
"""LLVM's offload-test-suite (compute shaders in HLSL), run by Heddle.

  tests/clients/corpora/offload.py --tests SUITE/test [--clang clang-22] [--heddle build/heddle] [NAME …]

A test is one file of several (`#--- name`): HLSL, and YAML that names buffers, what is bound where, and results with their rule. The
lines RUN say how the source is compiled and whether FileCheck reads what comes out. Needs PyYAML.
SPDX-License-Identifier: MIT
"""
import argparse, glob, math, os, re, struct, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from corpus import Verdict, arguments, call, described, heddle, padded, run_all  # noqa: E402

CODES = {'Hex8': 'B', 'Hex16': 'H', 'Hex32': 'I', 'Hex64': 'Q', 'UInt16': 'H', 'UInt32': 'I', 'UInt64': 'Q', 'Int16': 'h',
         'Int32': 'i', 'Int64': 'q', 'Float16': 'H', 'Float32': 'f', 'Depth32': 'f', 'Float64': 'd', 'Bool': 'I'}
BUFFERS = {'StructuredBuffer', 'RWStructuredBuffer', 'ByteAddressBuffer', 'RWByteAddressBuffer', 'ConstantBuffer'}


def parts_of(text):
    """The files that a test consists of, and the lines after the last."""
    parts, name = {'': []}, ''
    for line in text.splitlines():
        m = re.match(r'\s*(?:#|//|;)\s*--- (\S+)', line)
        if m:
            name = '' if m[1] == 'end' else m[1]
            parts.setdefault(name, [])
        else:
            parts[name].append(line)
    return {k: '\n'.join(v) + '\n' for k, v in parts.items()}


def packed(form, values):
    code = CODES[form]
    out = bytearray()
    for v in values:
        if code in 'fd':
            v = float(str(v).strip()) if not isinstance(v, (int, float)) else float(v)
            try:
                out += struct.pack('<' + code, v)
            except OverflowError:
                out += struct.pack('<' + code, math.copysign(math.inf, v))
        else:
            if isinstance(v, str):
                v = int(v, 0)
            size = struct.calcsize(code)
            out += (int(v) & (1 << 8 * size) - 1).to_bytes(size, 'little')
    return bytes(out)


class Buffer:
    """A buffer of the YAML: one block of bytes for each element of an array of resources."""

    def __init__(self, y):
        self.form, self.channels, self.stride = y['Format'], y.get('Channels', 1), y.get('Stride', 0)
        self.count, self.y, self.counters = y.get('ArraySize', 1), y, None
        if 'FillSize' in y and y['FillSize']:
            one = packed(self.form, [y.get('FillValue', 0)])
            data = (one * (y['FillSize'] // len(one) + 1))[:y['FillSize']]
            self.data = [data] * self.count
        elif self.count == 1:
            self.data = [packed(self.form, y.get('Data', []))]
        else:
            self.data = [packed(self.form, d) for d in y.get('Data', [])]

    def values(self, i=0):
        code = CODES[self.form]
        size = struct.calcsize(code)
        return [x for (x,) in struct.iter_unpack('<' + code, self.data[i][:len(self.data[i]) // size * size])]


def loaded(text):
    try:
        import yaml
    except ImportError:
        sys.exit('PyYAML is missing')

    class Loader(yaml.SafeLoader):
        """Numbers as LLVM reads them: `1e3`, `0x1p-3`, `nan` and `-inf` too; no octal ones, no words for true."""

    Loader.yaml_implicit_resolvers = {}
    result = yaml.load(re.sub(r',\s*,', ',', text.expandtabs()), Loader)

    def convert(v, key=None):
        if isinstance(v, dict):
            return {k: convert(x, k) for k, x in v.items()}
        if isinstance(v, list):
            return [convert(x) for x in v]
        if key in ('Name', 'Result', 'Actual', 'Expected', 'Entry') or not isinstance(v, str):
            return v
        if re.fullmatch(r'[-+]?\d+', v):
            return int(v)
        if re.fullmatch(r'[-+]?0[xX][0-9a-fA-F]+', v):
            return int(v, 16)
        low = v.lower().lstrip('.')
        if re.fullmatch(r'[-+]?\.?(nan|inf|infinity)', v.lower()):
            return float(v.lower().replace('.', ''))
        if re.fullmatch(r'[-+]?0x[0-9a-f.]+p[-+]?\d+', low):
            return float.fromhex(v)
        if re.fullmatch(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?f?', v):
            return float(v.rstrip('f'))
        return {'true': True, 'false': False}.get(low, v) if low in ('true', 'false') else v
    return convert(result)



# ---- results ---------------------------------------------------------------------------------------------------------------

def half(bits):
    return struct.unpack('<e', struct.pack('<H', bits))[0]


def ordered(form, x):
    """The number of a float among all, for distances in units of the last place."""
    if form == 'Float16':
        n = x
        return -(n & 0x7fff) if n & 0x8000 else n
    code, size = ('f', 'I') if form != 'Float64' else ('d', 'Q')
    n = struct.unpack('<' + size, struct.pack('<' + code, x))[0]
    top = 1 << 8 * struct.calcsize(size) - 1
    return -(n & top - 1) if n & top else n


def agree(rule, form, a, b):
    if rule['Rule'] == 'BufferExact':
        code = CODES[form]
        return struct.pack('<' + code, a) == struct.pack('<' + code, b)
    x, y = (half(a), half(b)) if form == 'Float16' else (a, b)
    if x == y or (math.isnan(x) and math.isnan(y)):
        return True
    if math.isnan(x) or math.isnan(y):
        return False
    least = {'Float16': 0, 'Float32': 2.0 ** -126, 'Depth32': 2.0 ** -126, 'Float64': 2.0 ** -1022}[form]
    if rule.get('DenormMode', 'Any') == 'Any' and abs(y) < least and x == 0:
        return True
    if rule['Rule'] == 'BufferFloatEpsilon':
        return abs(x - y) < float(rule['Epsilon'])
    zero = float(rule.get('ZeroTolerance', 0))
    if zero > 0 and (abs(x) <= zero or abs(y) <= zero):
        return abs(x - y) <= zero
    return abs(ordered(form, a) - ordered(form, b)) <= int(rule['ULPT'])


def judge(results, buffers):
    for rule in results:
        if rule['Rule'] not in ('BufferExact', 'BufferFloatULP', 'BufferFloatEpsilon'):
            raise Verdict('reader', 'rule ' + rule['Rule'])
        actual, expected = buffers[rule['Actual']], buffers[rule['Expected']]
        for k in range(max(actual.count, expected.count)):
            if rule['Rule'] == 'BufferExact' and actual.data[k] == expected.data[k]:
                continue
            a, b = actual.values(k), expected.values(k)
            if len(a) != len(b):
                raise Verdict('wrong', '%s: %d values instead of %d' % (rule['Result'], len(a), len(b)))
            for i, (x, y) in enumerate(zip(a, b)):
                if not agree(rule, actual.form, x, y):
                    raise Verdict('wrong', '%s: element %d is %s, expected %s; %s' % (rule['Result'], i, x, y, rule))


def shown(y, buffers):
    """The YAML as the suite's program writes it after the run, as far as FileCheck's patterns look at it."""
    lines = ['---', 'Buffers:']
    for b in buffers.values():
        lines += ['  - Name:            ' + b.y['Name'], '    Format:          ' + b.form]
        if b.channels != 1:
            lines.append('    Channels:        %d' % b.channels)
        if b.stride:
            lines.append('    Stride:          %d' % b.stride)
        if b.count != 1:
            lines.append('    ArraySize:       %d' % b.count)
        if b.counters:
            lines.append('    Counter:         %d' % b.counters[0] if b.count == 1 else
                         '    Counters:        [ %s ]' % ', '.join(str(c) for c in b.counters))
        for i in range(b.count):
            texts = []
            for x in b.values(i):
                if CODES[b.form] in 'fd':
                    texts.append('%g' % x)
                elif b.form.startswith('Hex') or b.form == 'Float16':
                    texts.append('0x%X' % x)
                else:
                    texts.append('%d' % x)
            out, line = [], '    Data:            [ ' if b.count == 1 else '      - [ '
            for j, t in enumerate(texts):
                if len(line) > 70:      # as LLVM breaks lines: after the column
                    out.append(line.rstrip())
                    line = ' ' * 21
                line += t + (', ' if j + 1 < len(texts) else ' ]')
            lines += (['    Data:'] if b.count != 1 and i == 0 else []) + out + [line]
        if 'OutputProps' in b.y:
            lines += ['    OutputProps:'] + ['      %-16s %s' % (k + ':', v) for k, v in b.y['OutputProps'].items()]
    return '\n'.join(lines) + '\n...\n'


# ---- cases -------------------------------------------------------------------------------------------------------------------

def holds(condition, features):
    """A condition of lit: names, !, &&, ||, parentheses."""
    words = re.findall(r'&&|\|\||!|\(|\)|[^\s&|!()]+', condition)
    text = ' '.join({'&&': 'and', '||': 'or', '!': 'not', '(': '(', ')': ')'}.get(w, str(w in features or w == '*' or w == 'true'))
                    for w in words)
    return bool(eval(text))     # only the words True, False, and, or, not and parentheses


def features_of(options):
    return {'Clang', 'Vulkan', 'Linux', 'Half', 'Double', 'Int16', 'Int64', 'Int64GroupSharedAtomics', 'VulkanInt64BufferAtomics',
            'VK_KHR_shader_maximal_reconvergence', 'WaveSize_32', *('SM_6_%d' % i for i in range(10))}


def compiled(options, folder, command):
    """The words of a line `%dxc_target …`, and the module."""
    # What stands in `%if NAME %{ … %}` is for that driver only.
    command = re.sub(r'%if (\S+) %\{(.*?)%\}(?:\s*%else %\{(.*?)%\})?', lambda m: m[2] if m[1] in ('Vulkan', 'Clang') else m[3] or '',
                     command)
    words = command.replace('%t/', folder + '/').replace('%t.o', folder + '/t.o').replace('%t', folder + '/t').split()
    target = os.path.join(folder, 't.o')
    if '-Fo' in words:
        target = words[words.index('-Fo') + 1]
    entry = ['-E', 'main'] if '-E' not in words else []
    status, said = call([options.clang, '--driver-mode=dxc', '-spirv', '-fspv-target-env=vulkan1.3', *entry, *words,
                         *(['-Xclang', '-resource-dir', '-Xclang', options.resources] if options.resources else [])], folder)
    if status != 0 or not os.path.exists(target):
        m = re.search(r'error: (.*)', said)
        raise Verdict('compiler', m[1][:150] if m else ' '.join(said.split())[:150])
    return target


def bound(y, buffers, bindings):
    binds, where = {}, {}
    for number, one in enumerate(y.get('DescriptorSets') or []):
        for r in one.get('Resources', []):
            place = r.get('VulkanBinding')
            if place is None:
                raise Verdict('excluded', 'a resource without a binding for Vulkan')
            if r['Kind'] not in BUFFERS:
                if r['Kind'] == 'AccelerationStructure':
                    raise Verdict('refused', '[ray tracing]')
                raise Verdict('refused', '[images] ' + r['Kind'])
            b = buffers[r['Name']]
            for i in range(b.count):
                key = '%d.%d' % (number, place['Binding']) + ('[%d]' % i if b.count > 1 else '')
                binds[key] = b.data[i]
                where[key] = (b, i)
            if r.get('HasCounter') or 'CounterBinding' in place:
                key = '%d.%d' % (number, place.get('CounterBinding', place['Binding'] + 1))
                for i in range(b.count):
                    one = key + ('[%d]' % i if b.count > 1 else '')
                    binds[one], where[one] = bytes(4), (b, -1 - i)
                b.counters = [0] * b.count
    return binds, where


def case_of(options, path):
    def case(folder):
        with open(path, encoding='utf-8') as f:
            text = f.read()
        features = features_of(options)
        xfail = None
        for word, condition in re.findall(r'^\s*(?:#|//)\s*(XFAIL|UNSUPPORTED|REQUIRES):\s*(.*)$', text, re.M):
            try:
                state = [holds(c, features) for c in condition.split(',')]
            except (SyntaxError, NameError):
                raise Verdict('reader', 'condition ' + condition)
            if word == 'UNSUPPORTED' and any(state):
                raise Verdict('excluded', condition)
            if word == 'REQUIRES' and not all(state):
                raise Verdict('excluded', condition)
            if word == 'XFAIL' and any(state):
                xfail = condition
        try:
            run_one(options, path, text, folder)
        except Verdict as v:
            if xfail and v.kind in ('wrong', 'refused', 'crash'):
                raise Verdict(v.kind, v.reason + ' (the suite expects a failure: %s)' % xfail)
            raise
    return case


def run_one(options, path, text, folder):
    parts = parts_of(text)
    for name, part in parts.items():
        if name:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), 'w') as f:
                f.write(part)
    runs = [re.sub(r'\s+', ' ', r) for r in re.findall(r'^\s*(?:#|//)\s*RUN:\s*(.*)$', re.sub(r'\\\n\s*(#|//)\s*RUN:', ' ', text), re.M)]
    compiles = [m[1] for m in (re.search(r'%dxc_target(?:_lib)? (.*)', r) for r in runs) if m]
    offloads = [r for r in runs if '%offloader' in r]
    if any(re.search(r'-T (?!cs_)', c) for c in compiles):
        raise Verdict('excluded', 'other stages')
    if len(compiles) != 1 or len(offloads) != 1:
        raise Verdict('reader', '%d compilations, %d launches' % (len(compiles), len(offloads)))
    if 'not %offloader' in offloads[0] or not compiles:
        raise Verdict('excluded', "a test of the suite's own program")
    y = loaded(parts[re.search(r'%t/(\S+\.yaml)', offloads[0])[1]])
    stages = {s['Stage'] for s in y['Shaders']}
    if stages != {'Compute'}:
        raise Verdict('excluded', 'stages ' + ', '.join(sorted(stages)))
    module = compiled(options, folder, compiles[0])
    if options.keep:
        with open(module, 'rb') as f, open(os.path.join(options.keep, os.path.relpath(path, options.tests).replace('/', '_') + '.spv'),
                                           'wb') as g:
            g.write(f.read())
    shader = y['Shaders'][0]
    buffers = {b['Name']: Buffer(b) for b in y.get('Buffers') or []}
    status, said, bindings, push = described(options.heddle, module, folder)
    binds, where = bound(y, buffers, bindings)
    pushed = bytearray(push)
    for block in y.get('PushConstants') or []:
        for v in block['Values']:
            data = packed(v['Format'], v['Data'])
            pushed[v['Offset']:v['Offset'] + len(data)] = data
    extra = []
    for c in shader.get('SpecializationConstants') or []:
        extra += ['--spec', '%d=%s' % (c['ConstantID'], c['Value'])]
    groups = (y.get('DispatchParameters') or {}).get('DispatchGroupCount') or shader.get('DispatchSize') or [1, 1, 1]
    used = {k: v for k, v in binds.items() if tuple(int(x) for x in k.split('[')[0].split('.')) in bindings}
    outs = [k for k in used if k in where]
    used = padded(used, bindings)
    for key, data in zip(outs, heddle(options.heddle, module, folder, groups, used, pushed, outs, extra + options.extra)):
        b, i = where[key]
        if i < 0:
            b.counters[-1 - i] = struct.unpack('<I', data)[0]
            continue
        b.data = [data[:len(d)] if i == j else d for j, d in enumerate(b.data)]
    judge(y.get('Results') or [], buffers)
    if 'FileCheck' in offloads[0]:
        out = os.path.join(folder, 'shown')
        with open(out, 'w') as f:
            f.write(shown(y, buffers))
        prefix = re.findall(r'--?check-prefix(?:es)?[= ](\S+)', offloads[0])
        status, said = call([options.filecheck, path, '--input-file', out, '--dump-input=never', *('--check-prefixes=' + p for p in prefix)],
                            folder)
        if status != 0:
            raise Verdict('wrong', ' '.join(said.split())[:400])
    elif not y.get('Results'):
        raise Verdict('reader', 'no result to compare')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tests', required=True)
    parser.add_argument('--clang', default='clang-22')
    parser.add_argument('--resources', help="clang's resource folder with the headers of HLSL, which Debian's package lacks")
    parser.add_argument('--filecheck', default='/usr/lib/llvm-22/bin/FileCheck')
    parser.add_argument('--extra', action='append', default=[], help='a word more for heddle run')
    options = arguments(parser)
    options.tests = os.path.abspath(options.tests)
    files = sorted(glob.glob(os.path.join(options.tests, '**/*.test'), recursive=True) +
                   glob.glob(os.path.join(options.tests, '**/*.yaml'), recursive=True))
    cases = [(os.path.relpath(p, options.tests), case_of(options, p)) for p in files
             if not options.only or any(o in p for o in options.only)]
    return run_all(cases, options, "LLVM's offload tests")


if __name__ == '__main__':
    sys.exit(main())
