"""Random accesses to images: samples at coordinates that numbers of two give exactly, texels that work-items own.

SPDX-License-Identifier: MIT
"""
from random_values import f, i

INTS = [kind + str(bits) for kind in ('SIGNED_INT', 'UNSIGNED_INT') for bits in (8, 16, 32)]
REALS = ['UNORM_INT8', 'UNORM_INT16', 'SNORM_INT8', 'SNORM_INT16', 'HALF_FLOAT', 'FLOAT']
# What is read: as SPIR-V and as `heddle run` say it, components of a coordinate, its sizes.
READ = [('1D 0 0', '1d:16', 1, [16]), ('2D 0 0', '2d:8x4', 2, [8, 4]), ('3D 0 0', '3d:8x4x2', 4, [8, 4, 2]),
        ('1D 0 1', '1d_array:16x2', 2, [16, 2]), ('2D 0 1', '2d_array:8x4x2', 4, [8, 4, 2])]
COLUMNS = 16  # of images that are written


class Image:
    """channel: the type of a channel. t: that of a texel as kernels have it."""

    def __init__(self, dim, shape, lanes, sizes, access, channel):
        self.dim, self.lanes, self.sizes, self.access, self.channel = dim, lanes, sizes, access, channel
        self.t = i(32, 4) if channel in INTS else f(32, 4)
        self.shape = shape

    def argument(self, seed):
        return 'image%s:RGBA:%s=random:%d' % (self.shape, self.channel, seed)


class Images:
    """To be mixed into a module."""

    def make_images(self):
        """Types of parameters."""
        r = self.r
        rows = max(self.room(self.items) // COLUMNS, 1)
        for access in r.choice([['ReadOnly'], ['ReadOnly', 'WriteOnly'], ['ReadOnly', 'ReadWrite'], ['ReadWrite']]):
            channel, read = r.choice(INTS + REALS), r.choice(READ)
            if access != 'ReadOnly':
                read = ('2D 0 0', '2d:%dx%d' % (COLUMNS, rows), 2, [COLUMNS, rows])
            self.images.append(Image(*read, access, channel))
        return [self.image_type(image) for image in self.images]

    def image_type(self, image):
        void, dim = self.declare('void', 'OpTypeVoid'), image.dim.split()
        return self.declare('image_%s_%s' % ('_'.join(dim), image.access), 'OpTypeImage %s %s %s %s 0 0 Unknown %s' % (
            void, dim[0], *dim[1:], image.access))

    def coordinate(self, pool, image, bits):
        """Integers near the image; `bits` of them, from a little below 0 on."""
        t = self.type(i(32))
        parts = [self.op(t, 'OpISub', self.op(t, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), (1 << bits) - 1)),
                         self.const(i(32), (1 << bits) // 4)) for _ in range(image.lanes)]
        return self.vector_of(i(32, image.lanes), parts)

    def vector_of(self, t, parts):
        return parts[0] if t[2] == 1 else self.op(self.type(t), 'OpCompositeConstruct', *parts)

    def sample(self, pool, image):
        """The nearest texel, or what lies around."""
        r, t, n = self.r, image.t, image.lanes
        mode, normalised = r.choice([('ClampToEdge', 0), ('Clamp', 0), ('ClampToEdge', 1), ('Clamp', 1), ('Repeat', 1),
                                     ('RepeatMirrored', 1)])
        key = 'sampler_%s_%d' % (mode, normalised)
        kind = self.declare('sampler', 'OpTypeSampler')
        if key not in self.constants:
            self.constants[key] = '%' + key
            self.decls.append('%%%s = OpConstantSampler %s %s %d Nearest' % (key, kind, mode, normalised))
        both = self.declare('sampled_' + self.image_type(image)[1:], 'OpTypeSampledImage ' + self.image_type(image))
        if normalised or r.random() < 0.5:
            at = self.op(self.type(f(32, n)), 'OpConvertSToF', self.coordinate(pool, image, 7))
            at = self.op(self.type(f(32, n)), 'OpFMul', at, self.same(f(32, n), '0.015625' if normalised else '0.25'))
        else:
            at = self.coordinate(pool, image, 5)
        si = self.op(both, 'OpSampledImage', image.base, self.constants[key])
        v = self.op(self.type(t), 'OpImageSampleExplicitLod', si, at, 'Lod', self.const(f(32), '0'))
        return self.keep(pool, t, v)

    def fetch_texel(self, pool, image):
        """Without a sampler: inside."""
        parts = [self.op(self.type(i(32)), 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), size - 1))
                 for size in image.sizes]
        parts += [self.const(i(32), 0)] * (image.lanes - len(parts))
        at = self.vector_of(i(32, image.lanes), parts)
        return self.keep(pool, image.t, self.op(self.type(image.t), 'OpImageRead', image.base, at))

    def own_texel(self):
        gid, t = self.op(self.type(i(32)), 'OpUConvert', self.gid), self.type(i(32))
        column = self.op(t, 'OpUMod', gid, self.const(i(32), COLUMNS))
        return self.vector_of(i(32, 2), [column, self.op(t, 'OpUDiv', gid, self.const(i(32), COLUMNS))])

    def image_access(self, pool):
        r, image = self.r, self.r.choice(self.images)
        if image.access == 'ReadOnly':
            return r.choice([self.sample, self.sample, self.fetch_texel])(pool, image)
        at = self.own_texel()
        if image.access == 'ReadWrite' and r.random() < 0.5:
            # What the work-item has written is seen behind a fence.
            self.emit('OpMemoryBarrier %s %s' % (self.const(i(32), 4), self.const(i(32), 0x808)))
            return self.keep(pool, image.t, self.op(self.type(image.t), 'OpImageRead', image.base, at))
        self.emit('OpImageWrite %s %s %s' % (image.base, at, self.plain(image.t, self.pick(pool, image.t))))
