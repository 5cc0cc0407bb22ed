"""A model of Vulkan's image lookups, from the specification's equations. For tests/shaders/sampled_test.py.

Spec: Vulkan, "Texel Input Operations", "Normalized Texel Coordinate Operations", "Unnormalized Texel Coordinate Operations",
"Image Sample Operations". Coordinates are computed in single precision, as Heddle says it does (docs/adr/0048); weights in double.
A texel beyond an edge of a cube is the one whose centre is nearest in space.
SPDX-License-Identifier: MIT
"""
import itertools
import math
import struct

FLT_MAX = 3.4028234663852886e38
MOST_BIAS = 16.0


def f32(x):
    try:
        return struct.unpack('f', struct.pack('f', x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


class Sampler:
    def __init__(self, text):
        self.wrap, self.mag, self.min, self.mip = ['edge'] * 3, 'nearest', 'nearest', 'nearest'
        self.colour, self.compare, self.lod, self.bias, self.reduce, self.unnormalised = 'clear', None, (0.0, FLT_MAX), 0.0, 'average', False
        for word in text.split(','):
            key, _, value = word.partition('=')
            if key in ('repeat', 'mirror', 'edge', 'border', 'mirror-edge'):
                self.wrap = [key] * 3
            elif key in 'uvw':
                self.wrap['uvw'.index(key)] = value
            elif key in ('nearest', 'linear'):
                self.mag = self.min = key
            elif key == 'lod':
                self.lod = tuple(float(v) for v in value.split(':'))
            elif key == 'bias':
                self.bias = float(value)
            elif key == 'unnormalised':
                self.unnormalised = True
            else:
                setattr(self, key, value)

    def border(self, component):
        name = self.colour.replace('int-', '')
        return {'clear': 0, 'black': int(component == 3), 'white': 1}[name]


CHANNELS = {'R': 'R', 'RG': 'RG', 'RGBA': 'RGBA', 'BGRA': 'BGRA', 'DEPTH': 'R'}
RANGES = {'FLOAT': (0, 9), 'HALF_FLOAT': (0, 9), 'UNORM_INT8': (0, 255), 'UNORM_INT16': (0, 65535), 'SIGNED_INT16': (-99, 99),
          'UNSIGNED_INT8': (0, 255), 'UNSIGNED_INT32': (0, 9999)}


class Image:
    def __init__(self, dim, size, layers, levels, texels, kind, rng):
        self.dim, self.size, self.layers, self.levels, self.kind = dim, tuple(size), layers, levels, kind
        self.order, self.type = texels.split(':')
        self.faces = 6 if dim == 'Cube' else 1
        self.slices = self.faces * max(layers, 1)
        low, high = RANGES[self.type]
        self.numbers, self.stored = [], []   # per level: [layer][z][y][x] of channels
        for level in range(levels):
            w, h, d = self.extent(level)
            self.stored.append([[[[[rng.randint(low, high) for _ in CHANNELS[self.order]] for _ in range(w)] for _ in range(h)]
                                 for _ in range(d)] for _ in range(self.slices)])
            self.numbers += [v for s in self.stored[-1] for z in s for y in z for x in y for v in x]

    def extent(self, level):
        return [max(1, v >> level) for v in (self.size + (1, 1))[:3]]

    def spec(self):
        dim = {'1D': '1d', '2D': '2d', '3D': '3d', 'Cube': 'cube'}[self.dim] + ('_array' if self.layers else '')
        sizes = 'x'.join(map(str, self.size + ((self.layers,) if self.layers else ())))
        levels = f':levels{self.levels}' if self.levels > 1 else ''
        return f'image{dim}:{sizes}{levels}:{self.order}:{self.type}=' + ','.join(map(str, self.numbers))

    def texel(self, level, layer, at):
        """Red to alpha, after conversion to RGBA."""
        x, y, z = at
        return self.expand([self.convert(v) for v in self.stored[level][layer][z][y][x]])

    def convert(self, v):
        most = {'UNORM_INT8': 255, 'UNORM_INT16': 65535}.get(self.type)
        return f32(v / most) if most else v

    def expand(self, stored):
        out = [0, 0, 0, 1]
        for channel, v in zip(CHANNELS[self.order], stored):
            out['RGBA'.index(channel)] = v
        return out

    def border(self, sampler):
        return self.expand([sampler.border('RGBA'.index(c)) for c in CHANNELS[self.order]])


# ---- cubes

TABLE = [lambda x, y, z: (-z, -y, x), lambda x, y, z: (z, -y, -x), lambda x, y, z: (x, z, y), lambda x, y, z: (x, -z, -y),
         lambda x, y, z: (x, -y, z), lambda x, y, z: (-x, -y, -z)]


def face_of(r):
    x, y, z = map(abs, r)
    if z >= x and z >= y:
        return 4 + (r[2] < 0)
    return 2 + (r[1] < 0) if y >= x else 0 + (r[0] < 0)


def on_face(r):
    face = face_of(r)
    s, t, m = TABLE[face](*r)
    return face, f32(f32(0.5 * f32(s / m)) + 0.5), f32(f32(0.5 * f32(t / m)) + 0.5)


def centre(face, size, i, j):
    """Where a texel's centre lies in space, also one beside the face in its plane."""
    s, t = (2 * i + 1) / size - 1, (2 * j + 1) / size - 1
    # The tables' inverse: each face's matrix is its own transposed one.
    rows = [TABLE[face](*unit) for unit in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return [row[0] * s + row[1] * t + row[2] for row in rows]


def neighbour(face, size, i, j):
    at = centre(face, size, i, j)
    return min(((f, x, y) for f in range(6) for x in range(size) for y in range(size)),
               key=lambda k: sum((a - b) ** 2 for a, b in zip(at, centre(k[0], size, k[1], k[2]))))


# ---- levels

def levels(image, sampler, slopes, lod, bias, least):
    """λ', λ, d"""
    raw = lod
    if slopes is not None:
        sizes = image.extent(0)
        rho = max(math.sqrt(sum((v * n) ** 2 for v, n in zip(s, sizes))) for s in slopes)
        raw = math.log2(rho) if rho > 0 else -math.inf
    raw += max(-MOST_BIAS, min(MOST_BIAS, sampler.bias + bias))
    low = max(sampler.lod[0], least)
    lam = sampler.lod[1] if raw > sampler.lod[1] else max(raw, low)
    if sampler.unnormalised:
        lam = 0.0
    d = min(max(lam, 0.0), image.levels - 1.0)
    if sampler.mip == 'nearest' or image.kind != 'f32':
        d = math.ceil(d + 0.5) - 1
    return raw, lam, d


def face_slopes(r, slopes):
    face = face_of(r)
    s, t, m = TABLE[face](*r)
    out = []
    for slope in slopes:
        ds, dt, dm = TABLE[face](*slope)
        out.append((0.5 * (m * ds - s * dm) / m ** 2, 0.5 * (m * dt - t * dm) / m ** 2, 0.0))
    return out


# ---- texels

def wrap(mode, i, size):
    def mirror(n):
        return n if n >= 0 else -(1 + n)
    return {'repeat': lambda: i % size, 'mirror': lambda: (size - 1) - mirror((i % (2 * size)) - size),
            'edge': lambda: min(max(i, 0), size - 1), 'border': lambda: min(max(i, -1), size),
            'mirror-edge': lambda: min(max(mirror(i), 0), size - 1)}[mode]()


def fetch(image, sampler, level, layer, face, at, dims, is_linear):
    """The texel at indexes; None: a cube's corner."""
    size = image.extent(level)
    if image.dim == 'Cube':
        if not is_linear:
            at = [min(max(i, 0), size[0] - 1) for i in at]
        out = [not 0 <= i < size[0] for i in at[:2]]
        if all(out):
            return None
        x, y = at[:2]
        if any(out):
            face, x, y = neighbour(face, size[0], x, y)
        return image.texel(level, layer * 6 + face, (x, y, 0))
    place = [wrap(sampler.wrap[d], at[d], size[d]) for d in range(dims)]
    if any(not 0 <= i < n for i, n in zip(place, size)):
        return image.border(sampler)
    return image.texel(level, layer, (place + [0, 0])[:3])


COMPARE = {'never': lambda a, b: False, 'less': lambda a, b: a < b, 'equal': lambda a, b: a == b, 'less-or-equal': lambda a, b: a <= b,
           'greater': lambda a, b: a > b, 'not-equal': lambda a, b: a != b, 'greater-or-equal': lambda a, b: a >= b, 'always': lambda a, b: True}


class Lookup:
    """One lane's: which texels, and what is made of them."""

    def __init__(self, case, image, coordinate, offset, reference):
        self.image, self.sampler, self.offset, self.reference = image, Sampler(case.sampler), offset, reference
        self.dims = {'1D': 1, '2D': 2, '3D': 3, 'Cube': 2}[image.dim]
        self.face, count = 0, {'1D': 1, '2D': 2, '3D': 3, 'Cube': 3}[image.dim]
        self.at = list(coordinate[:count])
        a = round(coordinate[count]) if case.layers and case.op != 'QueryLod' else 0   # ties to even
        self.layer = min(max(a, 0), max(case.layers, 1) - 1)
        if image.dim == 'Cube':
            self.face, *self.at = on_face(self.at)

    def adjust(self, texel):
        if texel is None or self.reference is None:
            return texel
        r = min(max(self.reference, 0.0), 1.0) if self.image.type.startswith('UNORM') else self.reference
        return [float(COMPARE[self.sampler.compare](r, texel[0])), 0, 0, 0]

    def corners(self, level, is_linear, offset):
        """(texel, weight) of each, the first coordinate fastest."""
        size, low, part = self.image.extent(level), [], []
        for d in range(self.dims):
            u = self.at[d] if self.sampler.unnormalised else f32(self.at[d] * size[d])
            u = f32(u + (offset[d] if offset else 0))
            u = f32(u - 0.5) if is_linear else u
            low.append(math.floor(u))
            part.append(u - math.floor(u))
        out = []
        for step in itertools.product((0, 1), repeat=self.dims if is_linear else 0):
            step = step[::-1]
            at = [i + s for i, s in zip(low, step)] if is_linear else low
            weight = math.prod(p if s else 1 - p for p, s in zip(part, step)) if is_linear else 1.0
            out.append((self.adjust(fetch(self.image, self.sampler, level, self.layer, self.face, at, self.dims, is_linear)), weight))
        return out

    def level(self, level, is_linear):
        texels = self.corners(level, is_linear, self.offset)
        lost = sum(w for t, w in texels if t is None)
        whole = [(t, w + (lost / 3 if lost or any(x is None for x, _ in texels) else 0)) for t, w in texels if t is not None]
        return combine(self.sampler, whole)


def combine(sampler, parts):
    parts = [(t, w) for t, w in parts if w != 0]
    if len(parts) == 1:
        return parts[0][0]
    if sampler.reduce != 'average':
        return [{'min': min, 'max': max}[sampler.reduce](t[c] for t, _ in parts) for c in range(4)]
    return [sum(t[c] * w for t, w in parts) for c in range(4)]


def gather(case, u):
    if case.offsets:
        return [u.corners(0, True, pair)[0][0][case.component] for pair in case.offsets]
    c = u.corners(0, True, u.offset)
    known = [t[case.component] for t, _ in c if t is not None]
    return [sum(known) / 3 if c[i][0] is None else c[i][0][case.component] for i in (2, 3, 1, 0)]


def coordinate_of(case, lane):
    c = list(lane[0])
    dims = {'1D': 1, '2D': 2, '3D': 3, 'Cube': 3}[case.dim]
    return [f32(v / c[dims]) for v in c] if 'Proj' in case.op else c


def slopes_of(case, values, n):
    if 'grad' in case.uses:
        return [values[n][2][:3], values[n][3][:3]]
    if 'Implicit' not in case.op and case.op != 'QueryLod':
        return None
    quad = n & ~3
    row, column = quad | (n & 2), quad | (n & 1)

    def differ(a, b):
        return [f32(x - y) for x, y in zip(coordinate_of(case, values[a])[:3], coordinate_of(case, values[b])[:3])]
    return [differ(row | 1, row), differ(column | 2, column)]


def expected(case, image, values, n):
    coordinate, reference = coordinate_of(case, values[n]), values[n][1][0] if 'Dref' in case.op else None
    if reference is not None and 'Proj' in case.op:
        reference = f32(reference / values[n][0][{'1D': 1, '2D': 2, '3D': 3}[case.dim]])
    u = Lookup(case, image, coordinate, case.offset, reference)
    if 'Gather' in case.op:
        return gather(case, u)
    slopes = slopes_of(case, values, n)
    dims = {'1D': 1, '2D': 2, '3D': 3, 'Cube': 3}[case.dim]
    if slopes is not None:
        slopes = [list(s[:dims]) + [0] * (3 - dims) for s in slopes]
        if case.dim == 'Cube':
            slopes = face_slopes(coordinate[:3], slopes)
    e = values[n][1]
    raw, lam, d = levels(image, u.sampler, slopes, e[1] if 'lod' in case.uses else 0.0, e[2] if 'bias' in case.uses else 0.0,
                         e[3] if 'least' in case.uses else 0.0)
    if case.op == 'QueryLod':
        return [d, raw, 0, 0]
    is_linear = (u.sampler.min if lam > 0 else u.sampler.mag) == 'linear' and image.kind == 'f32'
    level, delta = math.floor(d), d - math.floor(d)
    out = u.level(level, is_linear)
    if delta > 0:
        out = combine(u.sampler, [(out, 1 - delta), (u.level(level + 1, is_linear), delta)])
    return out[:1] + [0, 0, 0] if 'Dref' in case.op else out


def place_of(case, n):
    """The lane that an invocation of four by four is: those of a quad are side by side."""
    if case.quads != 'square':
        return n
    x, y = n % 4, n // 4
    return 4 * (y // 2 * 2 + x // 2) + 2 * (y % 2) + x % 2


def compare(case, image, values, got):
    """What differs, in words. Invocation n reads the n-th values and writes the n-th result."""
    lanes = len(values)
    order = [place_of(case, n) for n in range(lanes)]
    by_lane = [None] * lanes
    for n in range(lanes):
        by_lane[order[n]] = values[n]
    is_weighted = 'linear' in case.sampler or case.op == 'QueryLod' or 'cube' in case.name
    most = max([abs(v) for v in image.numbers] + [1]) if image.type in ('FLOAT', 'HALF_FLOAT') else 1
    near = most * 2.0 ** -16 if is_weighted else 0
    wrong = []
    for n in range(lanes):
        want = expected(case, image, by_lane, order[n])
        have = got[4 * n:4 * n + 4]
        if any(not (a == b or abs(a - b) <= near) for a, b in zip(want, have)):
            wrong.append(f'invocation {n}: {have}, not {want}')
    return wrong
