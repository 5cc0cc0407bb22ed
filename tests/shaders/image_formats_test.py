#!/usr/bin/env python3
"""Every Image Format of SPIR-V, read and written by shaders (tests/shaders/image_formats_*.spvasm, whose images have none):
numbers of texels are computed here from the specifications (Khronos Data Format, "Conversion formulas"; Vulkan, "Fixed-Point
Data Conversions") and compared with what compiled code at several widths and the interpreter leave.
SPDX-License-Identifier: MIT
"""
import argparse, json, math, os, random, struct, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Name: kind, bits of each channel from the lowest one on, kind of shader.
FORMATS = {
    'Rgba32f': ('f', [32] * 4), 'Rgba16f': ('f', [16] * 4), 'R32f': ('f', [32]), 'Rg32f': ('f', [32] * 2), 'Rg16f': ('f', [16] * 2),
    'R16f': ('f', [16]), 'R11fG11fB10f': ('f', [11, 11, 10]), 'Rgb10A2': ('unorm', [10, 10, 10, 2]),
    'Rgba8': ('unorm', [8] * 4), 'Rgba16': ('unorm', [16] * 4), 'Rg16': ('unorm', [16] * 2), 'Rg8': ('unorm', [8] * 2), 'R16': ('unorm', [16]),
    'R8': ('unorm', [8]), 'Rgba8Snorm': ('snorm', [8] * 4), 'Rgba16Snorm': ('snorm', [16] * 4), 'Rg16Snorm': ('snorm', [16] * 2),
    'Rg8Snorm': ('snorm', [8] * 2), 'R16Snorm': ('snorm', [16]), 'R8Snorm': ('snorm', [8]),
    'Rgba32i': ('i', [32] * 4), 'Rgba16i': ('i', [16] * 4), 'Rgba8i': ('i', [8] * 4), 'R32i': ('i', [32]), 'Rg32i': ('i', [32] * 2),
    'Rg16i': ('i', [16] * 2), 'Rg8i': ('i', [8] * 2), 'R16i': ('i', [16]), 'R8i': ('i', [8]),
    'Rgba32ui': ('u', [32] * 4), 'Rgba16ui': ('u', [16] * 4), 'Rgba8ui': ('u', [8] * 4), 'R32ui': ('u', [32]), 'Rgb10a2ui': ('u', [10, 10, 10, 2]),
    'Rg32ui': ('u', [32] * 2), 'Rg16ui': ('u', [16] * 2), 'Rg8ui': ('u', [8] * 2), 'R16ui': ('u', [16]), 'R8ui': ('u', [8])}
TEXELS = 16
REALS = [-2, -1, -0.5, 0, 0.3, 0.5, 1, 3, 1e6, 70000, math.inf, math.nan, 6e-5, 1e-7, 65024, 65023, 0.25, 0.75, 1 / 3, -1 / 3, 64000, 63999,
         1.0078125, 1.015625, 1023, 1024, 5e-8, 1e-8, 2.5e-6, 0.999, 0.001, -math.inf, 65504, 65520, 2.0 ** -14, 2.0 ** -20]
WHOLE = [0, 1, 2, 3, 127, 128, 255, 256, 1023, 1024, 32767, 32768, 65535, 65536, 2147483647, 7]


def single(x):
    return struct.unpack('f', struct.pack('f', x))[0]


def small_float(bits, x):
    """Of 10 or 11 bits, without a sign: the nearest one that is finite."""
    if math.isnan(x): return None
    infinite = 31 << (bits - 5)
    if x <= 0: return 0
    if math.isinf(x): return infinite
    best = min(range(infinite), key=lambda c: (abs(small_number(bits, c) - x), c & 1))
    return best


def small_number(bits, c):
    exponent, fraction = c >> (bits - 5), (c & ((1 << (bits - 5)) - 1)) / (1 << (bits - 5))
    if exponent == 31: return math.nan if fraction else math.inf
    return math.ldexp(fraction, -14) if exponent == 0 else math.ldexp(1 + fraction, exponent - 15)


def half(x):
    try:
        return struct.unpack('H', struct.pack('e', x))[0]
    except OverflowError:
        return 0x7c00 if x > 0 else 0xfc00


def number_of(kind, bits, c):
    """What a channel's bits stand for."""
    signed = c - (1 << bits) if c >> (bits - 1) else c
    if kind == 'unorm': return single(c / ((1 << bits) - 1))
    if kind == 'snorm': return max(single(signed / ((1 << (bits - 1)) - 1)), -1.0)
    if kind == 'i': return signed
    if kind == 'u': return c
    if bits == 32: return struct.unpack('f', struct.pack('I', c))[0]
    return struct.unpack('e', struct.pack('H', c))[0] if bits == 16 else small_number(bits, c)


def bits_of(kind, bits, x):
    """A channel's bits; None: those of some NaN."""
    most, half_most = (1 << bits) - 1, (1 << (bits - 1)) - 1
    if kind in ('unorm', 'snorm'):
        if math.isnan(x): return 0
        low, high = (0, most) if kind == 'unorm' else (-half_most, half_most)
        product = single(max(min(x, 1.0), 0.0 if kind == 'unorm' else -1.0) * high)
        return max(low, min(high, round(product))) & most
    if kind == 'i': return max(-half_most - 1, min(half_most, x)) & most
    if kind == 'u': return min(x, most)
    if math.isnan(x): return None
    if bits == 32: return struct.unpack('I', struct.pack('f', x))[0]
    return half(x) if bits == 16 else small_float(bits, x)


def same(kind, bits, got, wanted):
    if wanted is None: return math.isnan(number_of(kind, bits, got))
    if kind == 'snorm' and wanted == (1 << (bits - 1)) + 1: return got in (wanted, wanted - 1)  # -1 twice; OpenCL asks for the lower one
    return got == wanted


def close(got, wanted):
    got = {'nan': math.nan, 'inf': math.inf, '-inf': -math.inf}.get(got, got)
    return got == wanted or (math.isnan(wanted) and math.isnan(got)) or single(got) == wanted


def texels_of(data, widths):
    """Words of texels as channels."""
    size = sum(widths) // 8
    for t in range(0, len(data), size):
        word, at, channels = int.from_bytes(data[t:t + size], 'little'), 0, []
        for w in widths:
            channels.append(word >> at & ((1 << w) - 1))
            at += w
        yield channels


def values_of(argument):
    """The bytes of what the command prints."""
    kind = argument['type'].split('[')[0]
    code = {'u8': 'B', 'i8': 'b', 'u16': 'H', 'i16': 'h', 'u32': 'I', 'i32': 'i', 'f32': 'f', 'f16': 'e'}[kind]
    values = [{'nan': math.nan, 'inf': math.inf, '-inf': -math.inf}.get(v, v) for v in argument['values']]
    return struct.pack(f'<{len(values)}{code}', *values)


def try_format(build, folder, name, say):
    kind, widths = FORMATS[name]
    shader = kind if kind in 'iu' else 'f'
    chosen = random.Random(name)
    data = bytes(chosen.randrange(256) for _ in range(TEXELS * sum(widths) // 8))
    pool = REALS if shader == 'f' else WHOLE + ([-x - 1 for x in WHOLE] if shader == 'i' else [4294967295])
    given = [chosen.choice(pool) for _ in range(TEXELS * 4)]
    path = os.path.join(folder, 'texels')
    with open(path, 'wb') as f:
        f.write(data)
    given_text = ','.join(repr(single(x)) if shader == 'f' else str(x) for x in given)
    for engine in (['--width', '1'], ['--width', '8'], ['--width', '16', '--dispatch'], ['--engine', 'interpreted']):
        p = subprocess.run([os.path.join(build, 'heddle'), 'run', os.path.join(ROOT, f'tests/shaders/image_formats_{shader}.spvasm'), '--env', 'vulkan1.1', '--groups',
                            '1', '--bind', f'0.0=image1d:{TEXELS}:{name}=@{path}', '--bind', f'0.1=image1d:{TEXELS}=zeros', '--bind', f'0.2=image1d:{TEXELS}={given_text}',
                            '--bind', f'0.3=image1d:{TEXELS}:{name}=zeros', '--json', *engine], capture_output=True, text=True)
        if p.returncode != 0:
            say(False, f'{name}: {" ".join(engine)}: {p.stderr}')
            continue
        arguments = json.loads(p.stdout)['args']
        numbers = arguments[1]['values']
        wanted = [[number_of(kind, w, c) for w, c in zip(widths, channels)] + [0, 0, 0, 1][len(widths):] for channels in texels_of(data, widths)]
        say(all(close(g, w) for g, w in zip(numbers, [x for t in wanted for x in t])), f'{name}: {" ".join(engine)}: reads {numbers}, not {wanted}')
        stored = list(texels_of(values_of(arguments[3]), widths))
        wrong = [(i, c, got, given[i * 4 + c]) for i, channels in enumerate(stored) for c, got in enumerate(channels)
                 if not same(kind, widths[c], got, bits_of(kind, widths[c], single(given[i * 4 + c]) if shader == 'f' else given[i * 4 + c]))]
        say(not wrong, f'{name}: {" ".join(engine)}: texel, channel, bits, number: {wrong}')


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--build', default=os.path.join(ROOT, 'build'))
    build = os.path.abspath(p.parse_args().build)
    counts = [0, 0]

    def say(fine, text):
        counts[0 if fine else 1] += 1
        if not fine:
            print('FAILED', text)

    with tempfile.TemporaryDirectory() as folder:
        for name in FORMATS:
            try_format(build, folder, name, say)
    print('%d passed, %d failed, 0 skipped' % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
