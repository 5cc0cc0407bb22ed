#!/usr/bin/env python3
"""Images in kernels: every format read and written, every addressing mode and filter in every dimensionality, levels of
detail, samples, queries; in divergent flow, with a partly filled sub-group. What is expected is worked out here, with
floats of 32 bits, from OpenCL C's "Image Addressing and Filtering" and "Conversion Rules".

  tests/rows/images_test.py [--build build] [--only WORD] [--all]

Engines and widths take turns with the cases; with --all every engine runs each at every width.
Ends with `N passed, N failed, N skipped`; a pass is one case in one engine at one width.
SPDX-License-Identifier: MIT
"""
import argparse, concurrent.futures, json, math, os, random, struct, subprocess, sys

ENGINES = [[], ['--engine', 'interpreted'], ['--dispatch']]
WIDTHS = ['1', '4', '8', '16']
ITEMS = 37

SNORM, UNORM, SINT, UINT, FLOAT = 'snorm', 'unorm', 'sint', 'uint', 'float'
TYPES = {'SNORM_INT8': (SNORM, 8), 'SNORM_INT16': (SNORM, 16), 'UNORM_INT8': (UNORM, 8), 'UNORM_INT16': (UNORM, 16),
         'SIGNED_INT8': (SINT, 8), 'SIGNED_INT16': (SINT, 16), 'SIGNED_INT32': (SINT, 32), 'UNSIGNED_INT8': (UINT, 8),
         'UNSIGNED_INT16': (UINT, 16), 'UNSIGNED_INT32': (UINT, 32), 'HALF_FLOAT': (FLOAT, 16), 'FLOAT': (FLOAT, 32)}
PACKED = {'UNORM_SHORT_565': [(11, 5), (5, 6), (0, 5)], 'UNORM_SHORT_555': [(10, 5), (5, 5), (0, 5)],
          'UNORM_INT_101010': [(20, 10), (10, 10), (0, 10)],
          'UNORM_INT_101010_2': [(22, 10), (12, 10), (2, 10), (0, 2)]}
REALS = [t for t in TYPES if TYPES[t][0] in (SNORM, UNORM, FLOAT)]
BYTES = [t for t in TYPES if TYPES[t][1] == 8]
ORDERS = {'R': ('R', list(TYPES)), 'A': ('A', list(TYPES)), 'RG': ('RG', list(TYPES)), 'RA': ('RA', list(TYPES)),
          'RGBA': ('RGBA', list(TYPES) + ['UNORM_INT_101010_2']), 'BGRA': ('BGRA', BYTES), 'ARGB': ('ARGB', BYTES),
          'ABGR': ('ABGR', BYTES), 'INTENSITY': ('I', REALS), 'LUMINANCE': ('L', REALS),
          'RGB': ('RGB', list(PACKED)[:3]), 'RGBx': ('RGBx', list(PACKED)[:3]), 'sRGBA': ('RGBA', ['UNORM_INT8']),
          'sBGRA': ('BGRA', ['UNORM_INT8'])}


def f32(x):
    try:
        return struct.unpack('f', struct.pack('f', x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def f16(x):
    try:
        return struct.unpack('e', struct.pack('e', x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


# ---- formats -----------------------------------------------------------------------------------------------------------

def decoded(kind, bits, raw):
    if kind == UNORM:
        return f32(raw / (2 ** bits - 1))
    if kind == SNORM:
        return max(-1.0, f32(raw / (2 ** (bits - 1) - 1)))
    return raw


def linear(c):
    return f32(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)


def rounded(x, low, high):
    return min(max(round(x), low), high) if x == x else 0


def encoded(kind, bits, x):
    if kind == UNORM:
        return rounded(f32(x * (2 ** bits - 1)), 0, 2 ** bits - 1)
    if kind == SNORM:
        return rounded(f32(x * (2 ** (bits - 1) - 1)), -2 ** (bits - 1), 2 ** (bits - 1) - 1)
    if kind == SINT:
        return min(max(x, -2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if kind == UINT:
        return min(x & 0xffffffff, 2 ** bits - 1)
    return f16(x) if bits == 16 else x


def srgb(x):
    x = min(max(x, 0.0), 1.0)
    return f32(12.92 * x if x < 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055)


def texel_of(order, kind, raw):
    """The raw channels of one texel, as numbers, made red to alpha."""
    out = [0, 0, 0, 1]
    for channel, x in zip(ORDERS[order][0], raw):
        if order.startswith('s') and channel != 'A':
            x = linear(x)
        if channel == 'I':
            out = [x] * 4
        elif channel == 'L':
            out[:3] = [x] * 3
        elif channel in 'RGBA':
            out['RGBA'.index(channel)] = x
    return out


def channels_of(order, texel):
    return [texel['RGBA'.index(c)] if c in 'RGBA' else texel[0] for c in ORDERS[order][0]]


HEAD = '''OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability ImageBasic
OpCapability ImageReadWrite
OpCapability ImageMipmap
OpCapability Sampled1D
OpCapability Image1D
OpCapability LiteralSampler
%sub = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %gid Constant
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v3l = OpTypeVector %u64 3
%v2u = OpTypeVector %u32 2
%v3u = OpTypeVector %u32 3
%v4u = OpTypeVector %u32 4
%v2f = OpTypeVector %f32 2
%v3f = OpTypeVector %f32 3
%v4f = OpTypeVector %f32 4
%pin = OpTypePointer Input %v3l
%gid = OpVariable %pin Input
%pu = OpTypePointer CrossWorkgroup %u32
%pf = OpTypePointer CrossWorkgroup %f32
%p4u = OpTypePointer CrossWorkgroup %v4u
%p4f = OpTypePointer CrossWorkgroup %v4f
%p2f = OpTypePointer CrossWorkgroup %v2f
%smp = OpTypeSampler
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%c3 = OpConstant %u32 3
%c5 = OpConstant %u32 5
%c7 = OpConstant %u32 7
%f0 = OpConstant %f32 0
'''
ENTER = '''%l = OpLabel
%ids = OpLoad %v3l %gid
%i64 = OpCompositeExtract %u64 %ids 0
%i = OpUConvert %u32 %i64
'''
# All but every third work-item go there.
PART = '''%third = OpUMod %u32 %i %c3
%goes = OpINotEqual %bool %third %c0
OpSelectionMerge %end None
OpBranchConditional %goes %body %end
%body = OpLabel
'''
LEAVE = '''OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
'''


def goes(i):
    return i % 3 != 0


class Case:
    def __init__(self, what, text, args, check, items=ITEMS):
        self.what, self.text, self.args, self.check = what, text, args, check
        self.items = items


def numbers(values):
    return ','.join(repr(v) if isinstance(v, float) and v == v and abs(v) != math.inf
                    else str(v).replace('nan', 'nan') for v in values)


def format_case(order, type_):
    """Read a 7x6 image texel by texel, and write another one."""
    r = random.Random(order + type_)
    count = len(ORDERS[order][0])
    kind, bits = TYPES.get(type_, (UNORM, 0))
    is_int = kind in (SINT, UINT)
    texels, raws = [], []
    for i in range(42):
        if type_ in PACKED:
            word_bits = 32 if 'INT' in type_ else 16
            word = r.getrandbits(word_bits)
            raws.append(word)
            texels.append(texel_of(order, kind, [f32((word >> s & 2 ** n - 1) / (2 ** n - 1)) for s, n in PACKED[type_]]))
            continue
        if kind == FLOAT:
            raw = [(f16 if bits == 16 else f32)(r.uniform(-4, 4)) for _ in range(count)]
        elif kind in (SINT, SNORM):
            raw = [r.choice([-2 ** (bits - 1), -1, 0, 2 ** (bits - 1) - 1, r.randrange(-2 ** (bits - 1), 2 ** (bits - 1))])
                   for _ in range(count)]
        else:
            raw = [r.choice([0, 1, 2 ** bits - 1, r.getrandbits(bits)]) for _ in range(count)]
        raws += raw
        texels.append(texel_of(order, kind, [decoded(kind, bits, x) for x in raw]))
    if kind == SINT:
        colours = [[r.choice([-2 ** 31, -129, -1, 0, 127, 2 ** 31 - 1, r.randrange(-40000, 40000)]) for _ in range(4)]
                   for _ in range(ITEMS)]
    elif kind == UINT:
        colours = [[r.choice([0, 255, 256, 65536, 2 ** 32 - 1, r.getrandbits(18)]) for _ in range(4)] for _ in range(ITEMS)]
    else:
        colours = [[f32(r.choice([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0, math.nan, r.uniform(-1.1, 1.1)])) for _ in range(4)]
                   for _ in range(ITEMS)]
        if kind == FLOAT or type_ in PACKED:
            colours = [[0.25 if x != x else x for x in c] for c in colours]
    v4, p4, letter = ('%v4u', '%p4u', 'i32' if kind == SINT else 'u32') if is_int else ('%v4f', '%p4f', 'f32')
    text = HEAD + '''%im = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%iw = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
%fn = OpTypeFunction %void %im %iw P4 P4
%k = OpFunction %void None %fn
%a = OpFunctionParameter %im
%w = OpFunctionParameter %iw
%colours = OpFunctionParameter P4
%out = OpFunctionParameter P4
'''.replace('P4', p4) + ENTER + '''%x = OpUMod %u32 %i %c7
%y = OpUDiv %u32 %i %c7
%xy = OpCompositeConstruct %v2u %x %y
%po = OpPtrAccessChain P4 %out %i64
%pc = OpPtrAccessChain P4 %colours %i64
'''.replace('P4', p4) + PART + '''%t = OpImageRead V4 %a %xy
OpStore %po %t Aligned 16
%c = OpLoad V4 %pc Aligned 16
OpImageWrite %w %xy %c
'''.replace('V4', v4) + LEAVE
    args = ['image2d:7x6:%s:%s=%s' % (order, type_, numbers(raws)), 'image2d:7x6:%s:%s=zeros' % (order, type_),
            '%sx4[%d]=%s' % (letter, ITEMS, numbers(x for c in colours for x in c)), '%sx4[%d]=zeros' % (letter, ITEMS)]

    def check(got):
        written = got[1]
        for i in range(ITEMS):
            want = texels[i] if goes(i) else [0] * 4
            if kind == SINT or kind == UINT:
                want = [w & 0xffffffff if kind == UINT else w for w in want]
            yield 'read %d' % i, got[3][4 * i:4 * i + 4], want, 2e-7 if order[0] == 's' else 0
            colour = colours[i]
            if type_ in PACKED:
                word = sum(rounded(f32(x * (2 ** n - 1)), 0, 2 ** n - 1) << s
                           for x, (s, n) in zip(colour, PACKED[type_]))
                yield 'write %d' % i, written[i:i + 1], [word if goes(i) else 0], 0
                continue
            if order[0] == 's':
                colour = [srgb(x) if x == x else 0.0 for x in colour[:3]] + colour[3:]
            want = [encoded(kind, bits, x) if goes(i) else 0 for x in channels_of(order, colour)]
            yield 'write %d' % i, written[count * i:count * (i + 1)], want, 1 if order[0] == 's' else 0

    return Case('format %s %s' % (order, type_), text, args, check)


# ---- sampling ----------------------------------------------------------------------------------------------------------

MODES = ['none', 'edge', 'border', 'repeat', 'mirror']
DIMS = {'1d': (1, False, [11]), '1d_array': (1, True, [6, 4]), '2d': (2, False, [6, 5]),
        '2d_array': (2, True, [5, 4, 3]), '3d': (3, False, [5, 4, 3])}
SPIRV = {'1d': '1D 0 0', '1d_array': '1D 0 1', '2d': '2D 0 0', '2d_array': '2D 0 1', '3d': '3D 0 0'}
BORDER = [0, 0, 0, 0]


def address(mode, i, size):
    if mode == 'edge':
        return min(max(i, 0), size - 1)
    if mode == 'repeat':
        return i + size if i < 0 else i - size if i > size - 1 else i
    if mode == 'mirror':
        return min(max(i, 0), size - 1)
    return i


def locate(mode, normalised, s, size):
    if mode == 'repeat':
        return f32(f32(s - math.floor(s)) * size)
    if mode == 'mirror':
        return f32(abs(f32(s - f32(2 * round(f32(0.5 * s))))) * size)
    return f32(s * size) if normalised else s


def fetch(texels, sizes, at):
    if any(i < 0 or i >= n for i, n in zip(at, sizes)):
        return BORDER
    place = 0
    for i, n in zip(reversed(at), reversed(sizes)):
        place = place * n + i
    return texels[place]


def sampled(texels, sizes, dimensions, arrayed, mode, normalised, is_linear, coordinate):
    layer = []
    if arrayed:
        layer = [min(max(round(coordinate[dimensions]), 0), sizes[dimensions] - 1)]
    u = [locate(mode, normalised, coordinate[d], sizes[d]) for d in range(dimensions)]
    if not is_linear:
        return fetch(texels, sizes, [address(mode, math.floor(x), n) for x, n in zip(u, sizes)] + layer)
    low = [f32(x - 0.5) for x in u]
    weight = [f32(x - math.floor(x)) for x in low]
    out = [0.0] * 4
    for k in range(2 ** dimensions):
        w, at = 1.0, []
        for d in range(dimensions):
            second = k >> d & 1
            w = f32(w * (weight[d] if second else f32(1 - weight[d])))
            at.append(address(mode, math.floor(low[d]) + second, sizes[d]))
        out = [f32(o + f32(w * t)) for o, t in zip(out, fetch(texels, sizes, at + layer))]
    return out


def sample_text(dim, is_float, constant=None):
    dimensions, arrayed, sizes = DIMS[dim]
    width = len(sizes)
    coordinate = ('%v' + str(4 if width == 3 else width) if width > 1 else '%') + \
        (('f' if is_float else 'u') if width > 1 else ('f32' if is_float else 'u32'))
    loads = ''.join('%%n%d = OpConstant %%u64 %d\n' % (d, d) for d in range(4))
    pointer = '%pf' if is_float else '%pu'
    scalar = '%f32' if is_float else '%u32'
    text = HEAD + '%im = OpTypeImage %void ' + SPIRV[dim] + ' 0 0 Unknown ReadOnly\n%si = OpTypeSampledImage %im\n' + loads
    text += '%n4 = OpConstant %u64 4\n'
    if constant:
        text += '%s = OpConstantSampler %smp ' + constant + '\n'
    text += '%fn = OpTypeFunction %void %im ' + ('' if constant else '%smp ') + pointer + ' %p4f\n'
    text += '%k = OpFunction %void None %fn\n%a = OpFunctionParameter %im\n'
    text += '' if constant else '%s = OpFunctionParameter %smp\n'
    text += '%in = OpFunctionParameter ' + pointer + '\n%out = OpFunctionParameter %p4f\n' + ENTER
    text += '%i4 = OpIMul %u64 %i64 %n4\n%po = OpPtrAccessChain %p4f %out %i64\n' + PART
    for d in range(4):
        text += '%%q%d = OpIAdd %%u64 %%i4 %%n%d\n%%r%d = OpPtrAccessChain %s %%in %%q%d\n' % (d, d, d, pointer, d)
        text += '%%x%d = OpLoad %s %%r%d Aligned 4\n' % (d, scalar, d)
    if width == 1:
        text += '%xy = OpCopyObject ' + scalar + ' %x0\n'
    else:
        text += '%xy = OpCompositeConstruct ' + coordinate + ''.join(' %%x%d' % d for d in range(4 if width == 3 else 2)) + '\n'
    text += '%si1 = OpSampledImage %si %a %s\n%t = OpImageSampleExplicitLod %v4f %si1 %xy Lod %f0\n'
    return text + 'OpStore %po %t Aligned 16\n' + LEAVE


def sample_case(dim, mode, normalised, is_linear, constant=False):
    dimensions, arrayed, sizes = DIMS[dim]
    r = random.Random('%s%s%s%s' % (dim, mode, normalised, is_linear))
    count = math.prod(sizes)
    texels = [[float(r.randrange(-64, 64)) for _ in range(4)] for _ in range(count)]
    coordinates = []
    for i in range(ITEMS):
        c = []
        for d in range(4):
            size = sizes[d] if d < dimensions else 1
            far = 0.0 if mode == 'none' and not is_linear else 1.5
            x = r.uniform(-far, 1 + far) if far else r.uniform(0.01, 0.99)
            if mode == 'none' and is_linear:
                x = r.uniform(0.5, size - 0.5) / size
            x = r.choice([x, round(x * 8) / 8]) if mode != 'none' else x
            if d >= dimensions:
                x = r.uniform(-1, 5)
            elif not normalised:
                x *= size
            c.append(f32(x))
        coordinates.append(c)
    words = {'none': 'None', 'edge': 'ClampToEdge', 'border': 'Clamp', 'repeat': 'Repeat', 'mirror': 'RepeatMirrored'}
    fixed = '%s %d %s' % (words[mode], normalised, 'Linear' if is_linear else 'Nearest') if constant else None
    name = ('normalised,' if normalised else '') + mode + (',linear' if is_linear else ',nearest')
    args = ['image%s:%s:RGBA:FLOAT=%s' % (dim, 'x'.join(map(str, sizes)), numbers(x for t in texels for x in t))]
    args += [] if constant else ['sampler=' + name]
    args += ['f32[%d]=%s' % (4 * ITEMS, numbers(x for c in coordinates for x in c)), 'f32x4[%d]=zeros' % ITEMS]

    def check(got):
        for i in range(ITEMS):
            want = [0] * 4
            if goes(i):
                want = sampled(texels, sizes, dimensions, arrayed, mode, normalised, is_linear, coordinates[i])
            yield '%d at %s' % (i, coordinates[i]), got[-1][4 * i:4 * i + 4], want, 1e-6

    what = 'sample %s %s%s' % (dim, name, ' constant' if constant else '')
    return Case(what, sample_text(dim, True, fixed), args, check)


def integer_case(dim, mode):
    """Integer coordinates, of which some lie outside."""
    dimensions, arrayed, sizes = DIMS[dim]
    r = random.Random(dim + mode)
    texels = [[float(r.randrange(99)) for _ in range(4)] for _ in range(math.prod(sizes))]
    coordinates = [[r.randrange(-3, (sizes + [1] * 3)[d] + 3) for d in range(4)] for _ in range(ITEMS)]
    args = ['image%s:%s:RGBA:FLOAT=%s' % (dim, 'x'.join(map(str, sizes)), numbers(x for t in texels for x in t)),
            'sampler=' + mode, 'i32[%d]=%s' % (4 * ITEMS, numbers(x for c in coordinates for x in c)),
            'f32x4[%d]=zeros' % ITEMS]

    def check(got):
        for i in range(ITEMS):
            want = [0] * 4
            if goes(i):
                at = [address(mode, coordinates[i][d], sizes[d]) for d in range(dimensions)]
                if arrayed:
                    at.append(min(max(coordinates[i][dimensions], 0), sizes[dimensions] - 1))
                want = fetch(texels, sizes, at)
            yield '%d at %s' % (i, coordinates[i]), got[-1][4 * i:4 * i + 4], want, 0

    return Case('sample %s %s by integers' % (dim, mode), sample_text(dim, False), args, check)


# ---- levels, samples, depth, queries ----------------------------------------------------------------------------------

def level_case(mixed, gradients):
    """An 8x8 image of four levels, each of one colour; by a level of detail or by gradients."""
    colours, r = [10.0, 20.0, 40.0, 80.0], random.Random(str(mixed) + str(gradients))
    texels = [colours[l] for l in range(4) for _ in range(4 ** (3 - l))]
    lods = [f32(r.choice([-1.0, 0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.25, 3.0, 9.0])) for _ in range(ITEMS)]
    operands = 'Grad %gx %gy' if gradients else 'Lod %lod'
    text = HEAD + '''%im = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%si = OpTypeSampledImage %im
%half = OpConstant %f32 0.5
%eighth = OpConstant %f32 0.125
%mid = OpConstantComposite %v2f %half %half
%fn = OpTypeFunction %void %im %smp %pf %p4f
%k = OpFunction %void None %fn
%a = OpFunctionParameter %im
%s = OpFunctionParameter %smp
%in = OpFunctionParameter %pf
%out = OpFunctionParameter %p4f
''' + ENTER + '''%pl = OpPtrAccessChain %pf %in %i64
%po = OpPtrAccessChain %p4f %out %i64
''' + PART + '''%lod = OpLoad %f32 %pl Aligned 4
%length = OpExtInst %f32 %sub exp2 %lod
%step = OpFMul %f32 %length %eighth
%gx = OpCompositeConstruct %v2f %step %f0
%gy = OpCompositeConstruct %v2f %f0 %f0
%both = OpSampledImage %si %a %s
%t = OpImageSampleExplicitLod %v4f %both %mid ''' + operands + '''
OpStore %po %t Aligned 16
''' + LEAVE
    args = ['image2d:8x8:levels4:R:FLOAT=' + numbers(texels), 'sampler=normalised,edge' + (',mixed' if mixed else ''),
            'f32[%d]=%s' % (ITEMS, numbers(lods)), 'f32x4[%d]=zeros' % ITEMS]

    def check(got):
        for i in range(ITEMS):
            lod = min(max(lods[i], 0.0), 3.0)
            low = math.floor(lod)
            want = colours[0 if lod <= 0.5 else min(3, math.ceil(lod + 0.5) - 1)]
            if mixed:
                w = lod - low
                want = colours[low] if w == 0 else (1 - w) * colours[low] + w * colours[low + 1]
            yield 'lod %r' % lods[i], got[-1][4 * i:4 * i + 1], [want if goes(i) else 0], 1e-5 if gradients else 1e-6

    return Case('levels%s%s' % (' mixed' if mixed else '', ' by gradients' if gradients else ''), text, args, check)


def storage_case():
    """Reads and writes of a level, of samples, of depth, of three dimensions in and out of bounds; queries."""
    text = HEAD + '''%ml = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
%ms = OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly
%md = OpTypeImage %void 2D 1 1 0 0 Unknown ReadWrite
%m3 = OpTypeImage %void 3D 0 0 0 0 Unknown WriteOnly
%mb = OpTypeImage %void Buffer 0 0 0 0 Unknown ReadOnly
%fn = OpTypeFunction %void %ml %ms %md %m3 %mb %p4f %pu
%one = OpConstant %f32 1
%half = OpConstant %f32 0.5
%k = OpFunction %void None %fn
%a = OpFunctionParameter %ml
%b = OpFunctionParameter %ms
%d = OpFunctionParameter %md
%w = OpFunctionParameter %m3
%u = OpFunctionParameter %mb
%out = OpFunctionParameter %p4f
%q = OpFunctionParameter %pu
''' + ENTER + '''%x = OpUMod %u32 %i %c2
%y = OpUDiv %u32 %i %c2
%xy = OpCompositeConstruct %v2u %x %y
%xyz = OpCompositeConstruct %v3u %x %y %c1
%po = OpPtrAccessChain %p4f %out %i64
%f = OpConvertUToF %f32 %i
%colour = OpCompositeConstruct %v4f %f %one %half %f0
%t0 = OpImageRead %v4f %a %xy Lod %c1
OpImageWrite %a %xy %colour Lod %c1
%t1 = OpImageRead %v4f %b %xy Sample %x
%t2 = OpImageRead %f32 %d %xyz
OpImageWrite %d %xyz %f
OpImageWrite %w %xyz %colour
%t3 = OpImageRead %v4f %u %i
%r0 = OpCompositeExtract %f32 %t0 0
%r1 = OpCompositeExtract %f32 %t1 0
%r3 = OpCompositeExtract %f32 %t3 0
%all = OpCompositeConstruct %v4f %r0 %r1 %t2 %r3
OpStore %po %all Aligned 16
%s0 = OpImageQuerySizeLod %v2u %a %c1
%s1 = OpImageQuerySizeLod %v3u %w %c0
%s2 = OpImageQuerySizeLod %v3u %d %c0
%s3 = OpImageQuerySize %u32 %u
%s4 = OpImageQueryLevels %u32 %a
%s5 = OpImageQuerySamples %u32 %b
%s6 = OpImageQueryOrder %u32 %d
%s7 = OpImageQueryFormat %u32 %d
%s8 = OpImageQueryOrder %u32 %b
%s9 = OpImageQueryFormat %u32 %b
%dyn = OpIAdd %u32 %x %c0
%s10 = OpImageQuerySizeLod %v2u %a %dyn
'''
    answers = ['s0', 's0', 's1', 's1', 's1', 's2', 's2', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9', 's10']
    part = [0, 1, 0, 1, 2, 0, 1, 2, None, None, None, None, None, None, None, 1]
    for n, (s, p) in enumerate(zip(answers, part)):
        value = '%' + s
        if p is not None:
            text += '%%e%d = OpCompositeExtract %%u32 %s %d\n' % (n, value, p)
            value = '%%e%d' % n
        text += '%%g%d = OpPtrAccessChain %%pu %%q %%k%d\nOpStore %%g%d %s Aligned 4\n' % (n, n, n, value)
    text += 'OpReturn\nOpFunctionEnd\n'
    text = text.replace('%ml = OpType', ''.join('%%k%d = OpConstant %%u64 %d\n' % (n, n) for n in range(16)) + '%ml = OpType', 1)
    text = text.replace('OpCapability ImageBasic', 'OpCapability ImageBasic\nOpCapability SampledBuffer\nOpCapability ImageBuffer')
    level = [float(v) for v in range(16)] + [100.0 + v for v in range(4)] + [7.0]
    args = ['image2d:4x4:levels3:R:FLOAT=' + numbers(level),
            'image2d:2x2:samples2:R:FLOAT=' + numbers([1.0, 2.0, 3.0, 4.0, 11.0, 12.0, 13.0, 14.0]),
            'image2d_array:2x2x2:DEPTH:FLOAT=' + numbers([float(v) for v in range(8)]),
            'image3d:2x2x3:R:FLOAT=zeros', 'image1d_buffer:9:R:FLOAT=range', 'f32x4[4]=zeros', 'u32[16]=zeros']

    def check(got):
        for i in range(4):
            x = i % 2
            yield 'read %d' % i, got[5][4 * i:4 * i + 4], [100 + i, [1, 2, 3, 4][i] + 10 * x, 4 + i, i], 0
        yield 'level', got[0], level[:16] + [0, 1, 2, 3] + [7], 0
        yield 'depth', got[2], [0, 1, 2, 3, 0, 1, 2, 3], 0
        yield '3d', got[3], [0] * 4 + [0, 1, 2, 3] + [0] * 4, 0
        yield 'queries', got[6][:15], [2, 2, 2, 2, 3, 2, 2, 2, 9, 3, 2, 13, 14, 0, 14], 0

    return Case('storage', text, args, check, 4)


def outside_case():
    """Writes to three dimensions outside of the image go nowhere."""
    text = HEAD + '''%m3 = OpTypeImage %void 3D 0 0 0 0 Unknown WriteOnly
%fn = OpTypeFunction %void %m3
%one = OpConstant %f32 1
%colour = OpConstantComposite %v4f %one %one %one %one
%k = OpFunction %void None %fn
%w = OpFunctionParameter %m3
''' + ENTER + '''%x = OpISub %u32 %i %c5
%xyz = OpCompositeConstruct %v3u %x %c1 %c1
%zyx = OpCompositeConstruct %v3u %c0 %c0 %x
OpImageWrite %w %xyz %colour
OpImageWrite %w %zyx %colour
OpReturn
OpFunctionEnd
'''

    def check(got):
        want = [0] * 12
        want[6] = want[7] = 1           # (0, 1, 1), (1, 1, 1)
        want[0] = want[4] = want[8] = 1  # (0, 0, z)
        yield 'texels', got[0], want, 0

    return Case('3d outside', text, ['image3d:2x2x3:R:FLOAT=zeros'], check)


def half_case():
    """Texels of halfs, written from halfs."""
    text = HEAD.replace('OpCapability Int64', 'OpCapability Int64\nOpCapability Float16') + '''%f16 = OpTypeFloat 16
%v4h = OpTypeVector %f16 4
%p4h = OpTypePointer CrossWorkgroup %v4h
%im = OpTypeImage %void 1D 0 0 0 0 Unknown ReadWrite
%fn = OpTypeFunction %void %im %p4h
%k = OpFunction %void None %fn
%a = OpFunctionParameter %im
%out = OpFunctionParameter %p4h
''' + ENTER + '%po = OpPtrAccessChain %p4h %out %i64\n' + PART + '''%t = OpImageRead %v4h %a %i
OpStore %po %t Aligned 8
%d = OpFAdd %v4h %t %t
OpImageWrite %a %i %d
''' + LEAVE
    raws = [i * 3 % 256 for i in range(4 * ITEMS)]
    args = ['image1d:%d:RGBA:UNORM_INT8=%s' % (ITEMS, numbers(raws)), 'f16x4[%d]=zeros' % ITEMS]

    def check(got):
        for i in range(ITEMS):
            halfs = [f16(f32(x / 255)) for x in raws[4 * i:4 * i + 4]]
            yield 'read %d' % i, got[1][4 * i:4 * i + 4], halfs if goes(i) else [0] * 4, 0
            want = [encoded(UNORM, 8, f16(2 * h)) for h in halfs] if goes(i) else raws[4 * i:4 * i + 4]
            yield 'write %d' % i, got[0][4 * i:4 * i + 4], want, 0

    return Case('half', text, args, check)


# ---- running -----------------------------------------------------------------------------------------------------------

def cases():
    for order in ORDERS:
        for type_ in ORDERS[order][1]:
            yield format_case(order, type_)
    for dim in DIMS:
        for is_linear in (False, True):
            for mode in MODES:
                for normalised in (False, True):
                    if normalised or mode not in ('repeat', 'mirror'):
                        yield sample_case(dim, mode, normalised, is_linear)
        for mode in ('edge', 'border'):
            yield integer_case(dim, mode)
    for mode in MODES:
        yield sample_case('2d', mode, True, True, True)
    for mixed in (False, True):
        for gradients in (False, True):
            yield level_case(mixed, gradients)
    yield storage_case()
    yield outside_case()
    yield half_case()


def same(got, want, tolerance):
    if len(got) != len(want):
        return False
    for g, w in zip(got, want):
        if not (g == w or abs(g - w) <= tolerance * max(1, abs(w)) or (g != g and w != w)):
            return False
    return True


def run(heddle, path, case, engine, width):
    command = [heddle, 'run', path, 'k', '--global', str(case.items), '--width', width, '--json'] + engine
    for a in case.args:
        command += ['--arg', a]
    what = '%s, %s at %s lanes (%s)' % (case.what, ' '.join(engine) or 'compiled', width, path)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return '%s: %s' % (what, (done.stderr or done.stdout).strip()[:400])
    # Numbers are printed as short as they read back.
    rounds = {'f16': lambda v: f16(float(v)), 'f32': lambda v: f32(float(v))}
    got = {a['index']: [rounds.get(a['type'][:3], int)(v) for v in a['values']] for a in json.loads(done.stdout)['args']}
    got = [got.get(i, []) for i in range(len(case.args))]
    for name, g, want, tolerance in case.check(got):
        if not same(g, want, tolerance):
            return '%s: %s: got %s, expected %s' % (what, name, g, want)
    return None


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--build', default='build')
    p.add_argument('--only', default='')
    p.add_argument('--all', action='store_true')
    a = p.parse_args()
    folder = os.path.join(a.build, 'rows')
    os.makedirs(folder, exist_ok=True)
    heddle, jobs, passed, failed = os.path.join(a.build, 'heddle'), [], 0, 0
    for n, case in enumerate(cases()):
        if a.only and a.only not in case.what:
            continue
        path = os.path.join(folder, 'image%d.spvasm' % n)
        with open(path, 'w') as f:
            f.write(case.text)
        for e, engine in enumerate(ENGINES):
            for w, width in enumerate(WIDTHS):
                turn = e == 1 and w == n % 4 or e == 0 and w == (n + 2) % 4 or e == 2 and w == 1 + n % 3 and n % 4 == 0
                if (a.all and (width != '1' or e != 2)) or turn:
                    jobs.append((path, case, engine, width))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for why in pool.map(lambda j: run(heddle, *j), jobs):
            passed += why is None
            failed += why is not None
            if why:
                print('FAILED', why)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
