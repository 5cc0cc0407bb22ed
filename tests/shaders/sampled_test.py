#!/usr/bin/env python3
"""Samples, gathers and queries of images in shaders against a model of Vulkan's equations. [--build FOLDER] [-v] [NAME …]

The model (tests/shaders/sampling.py) is written from the specification, in Python, without a look at Heddle's own. Each case is a
shader made of a template, run at several widths, through the dispatcher and the interpreter, which must give the same bits;
the model's numbers are met exactly where one texel is taken, and to 2^-16 of the largest texel where several are weighted.
Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import array
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sampling  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tools'))
import served  # noqa: E402
LANES = 16
TEMPLATE = """\
OpCapability Shader
OpCapability Sampled1D
OpCapability SampledCubeArray
OpCapability ImageGatherExtended
OpCapability ImageQuery
{least}
{capability}
{extension}
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize {size}
{mode}
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 0
OpDecorate %C DescriptorSet 0
OpDecorate %C Binding 1
OpDecorate %R DescriptorSet 0
OpDecorate %R Binding 2
OpDecorate %vs ArrayStride 16
OpDecorate %B Block
OpMemberDecorate %B 0 Offset 0
OpDecorate %rs ArrayStride 16
OpDecorate %RB Block
OpMemberDecorate %RB 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %f32 2
%v3 = OpTypeVector %f32 3
%v4 = OpTypeVector %f32 4
%i2 = OpTypeVector %i32 2
%i3 = OpTypeVector %i32 3
{texel}
%vs = OpTypeRuntimeArray %v4
%B = OpTypeStruct %vs
%pB = OpTypePointer StorageBuffer %B
%pv = OpTypePointer StorageBuffer %v4
%rs = OpTypeRuntimeArray %texel
%RB = OpTypeStruct %rs
%pRB = OpTypePointer StorageBuffer %RB
%pr = OpTypePointer StorageBuffer %texel
%pin = OpTypePointer Input %u32
%image = OpTypeImage %{kind} {dim} {depth} {arrayed} 0 1 Unknown
%both = OpTypeSampledImage %image
%pboth = OpTypePointer UniformConstant %both
%id = OpVariable %pin Input
%t = OpVariable %pboth UniformConstant
%C = OpVariable %pB StorageBuffer
%R = OpVariable %pRB StorageBuffer
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%u2 = OpConstant %u32 2
%u4 = OpConstant %u32 4
%zero = OpConstantNull %{kind}
{constants}
%main = OpFunction %void None %fn
%l0 = OpLabel
%n = OpLoad %u32 %id
%first = OpIMul %u32 %n %u4
%second = OpIAdd %u32 %first %u1
%third = OpIAdd %u32 %first %u2
%fourth = OpIAdd %u32 %third %u1
%p0 = OpAccessChain %pv %C %u0 %first
%p1 = OpAccessChain %pv %C %u0 %second
%p2 = OpAccessChain %pv %C %u0 %third
%p3 = OpAccessChain %pv %C %u0 %fourth
%c4 = OpLoad %v4 %p0
%e4 = OpLoad %v4 %p1
%x4 = OpLoad %v4 %p2
%y4 = OpLoad %v4 %p3
%ref = OpCompositeExtract %f32 %e4 0
%lod = OpCompositeExtract %f32 %e4 1
%bias = OpCompositeExtract %f32 %e4 2
%least = OpCompositeExtract %f32 %e4 3
{cut}
%s = OpLoad %both %t
{body}
%pres = OpAccessChain %pr %R %u0 %n
OpStore %pres %out
OpReturn
OpFunctionEnd
"""
DIMS = {'1D': 1, '2D': 2, '3D': 3, 'Cube': 3}


def cut(name, count):
    """The first components of a vector of four."""
    if count == 4:
        return f'%{name} = OpCopyObject %v4 %{name}4'
    if count == 1:
        return f'%{name} = OpCompositeExtract %f32 %{name}4 0'
    return f'%{name} = OpVectorShuffle %v{count} %{name}4 %{name}4 ' + ' '.join(map(str, range(count)))


def ints(name, values, parts):
    """Constants of integers, as a scalar or a vector."""
    lines = [f'%{name}_{i} = OpConstant %i32 {v}' for i, v in enumerate(values)]
    if len(values) == 1:
        return lines + [f'%{name} = OpCopyObject %i32 %{name}_0'], f'%{name}_0'
    refs = ' '.join(f'%{name}_{i}' for i in range(len(values)))
    return lines + [f'%{name} = OpConstantComposite %i{parts} {refs}'], f'%{name}'


def shader(case):
    dims, op = DIMS[case.dim], case.op
    constants, mask, operands = [], [], []
    need = dims + (case.arrayed and op != 'QueryLod') + ('Proj' in op)
    if 'bias' in case.uses:
        mask, operands = mask + ['Bias'], operands + ['%bias']
    if 'lod' in case.uses:
        mask, operands = mask + ['Lod'], operands + ['%lod']
    if 'grad' in case.uses:
        mask, operands = mask + ['Grad'], operands + ['%x', '%y']
    if case.offset:
        lines, ref = ints('offset', case.offset, len(case.offset))
        constants += [line for line in lines if 'CopyObject' not in line]
        mask, operands = mask + ['ConstOffset'], operands + [ref]
    if case.offsets:
        refs = []
        for i, pair in enumerate(case.offsets):
            lines, ref = ints(f'o{i}', pair, 2)
            constants, refs = constants + lines, refs + [ref]
        constants += ['%four = OpTypeArray %i2 %u4', '%offsets = OpConstantComposite %four ' + ' '.join(refs)]
        mask, operands = mask + ['ConstOffsets'], operands + ['%offsets']
    if 'least' in case.uses:
        mask, operands = mask + ['MinLod'], operands + ['%least']
    extra = ''
    if 'Dref' in op:
        extra = '%ref'
    elif op == 'Gather':
        constants.append(f'%component = OpConstant %u32 {case.component}')
        extra = '%component'
    tail = ' '.join(['|'.join(mask)] + operands) if mask else ''
    result = '%v2' if op == 'QueryLod' else f'%{case.kind}' if op.startswith('Sample') and 'Dref' in op else '%texel'
    name = 'OpImageQueryLod' if op == 'QueryLod' else f'OpImage{op}'
    body = [f'%got = {name} {result} %s %c {extra} {tail}'.rstrip()]
    if result == '%v2':
        body.append('%out = OpVectorShuffle %texel %got %got 0 1 0xFFFFFFFF 0xFFFFFFFF')
        body[-1] = '%g0 = OpCompositeExtract %f32 %got 0\n%g1 = OpCompositeExtract %f32 %got 1\n%out = OpCompositeConstruct %texel %g0 %g1 %zero %zero'
    elif result == '%texel':
        body.append('%out = OpCopyObject %texel %got')
    else:
        body.append('%out = OpCompositeConstruct %texel %got %zero %zero %zero')
    derivatives = {'': ('', '', ''),
                   'linear': ('OpCapability ComputeDerivativeGroupLinearKHR', 'OpExtension "SPV_KHR_compute_shader_derivatives"',
                              'OpExecutionMode %main DerivativeGroupLinearKHR'),
                   'square': ('OpCapability ComputeDerivativeGroupQuadsKHR', 'OpExtension "SPV_KHR_compute_shader_derivatives"',
                              'OpExecutionMode %main DerivativeGroupQuadsKHR')}[case.quads]
    text = TEMPLATE.format(least='OpCapability MinLod' if 'least' in case.uses else '', texel='' if case.kind == 'f32' else f'%texel = OpTypeVector %{case.kind} 4', capability=derivatives[0], extension=derivatives[1], mode=derivatives[2],
                           size='4 4 1' if case.quads == 'square' else f'{LANES} 1 1', kind=case.kind, dim=case.dim,
                           depth=int('Dref' in op), arrayed=int(case.arrayed > 0), constants='\n'.join(constants),
                           cut='\n'.join([cut('c', need), cut('x', dims), cut('y', dims)]), body='\n'.join(body))
    return text.replace('%texel', '%v4') if case.kind == 'f32' else text


class Case:
    def __init__(self, name, op, dim='2D', size=(5, 3), sampler='nearest', **more):
        self.name, self.op, self.dim, self.size, self.sampler = name, op, dim, size, sampler
        self.arrayed = self.layers = more.pop('layers', 0)
        self.levels, self.kind, self.quads = more.pop('levels', 1), more.pop('kind', 'f32'), more.pop('quads', '')
        self.uses, self.offset, self.offsets = more.pop('uses', ('lod',)), more.pop('offset', ()), more.pop('offsets', ())
        self.component, self.format = more.pop('component', 0), more.pop('format', 'RGBA:FLOAT')
        self.span, self.lods, self.inputs = more.pop('span', (-1.2, 2.2)), more.pop('lods', (0, 0)), more.pop('inputs', None)
        assert not more, more

    def image(self, rng):
        return sampling.Image(self.dim, self.size, self.layers, self.levels, self.format, self.kind, rng)

    def values(self, rng):
        """Of each lane: coordinate, (reference, level, bias, least), two gradients."""
        if self.inputs:
            return [self.inputs[i % len(self.inputs)] for i in range(LANES)]
        out = []
        dims = DIMS[self.dim]
        for _ in range(LANES):
            c = [rng.uniform(*self.span) for _ in range(4)]
            if self.dim == 'Cube':
                c = [rng.uniform(-1, 1) for _ in range(4)]
            if self.arrayed:
                c[dims] = rng.choice([-2, -0.5, 0, 0.4, 0.5, 0.6, 1, 1.5, 2.5, 7, self.layers - 1])
            if 'Proj' in self.op:
                c[dims] = rng.choice([0.5, 2, -1, 3])
            e = [rng.choice([-1, 0, 1, 2, 3, 50]), rng.uniform(*self.lods), rng.uniform(-1, 1), rng.uniform(0, 2)]
            x, y = ([rng.uniform(-0.7, 0.7) for _ in range(3)] + [0] for _ in range(2))
            out.append(tuple(tuple(sampling.f32(v) for v in part) for part in (c, e, x, y)))
        return out


E, I = 'SampleExplicitLod', 'SampleImplicitLod'
CUBE, EDGES = (4, 4), [((s, t, r, 0), (2, 0, 0, 0), (0,) * 4, (0,) * 4)
                       for s, t, r in [(1, .9, .1), (.9, 1, .2), (.99, -1, -.97), (-1, .98, .99), (.97, .98, -1), (1, 1, 1), (-1, -1, -1),
                                       (.1, -.99, 1), (-.99, .2, 1), (.98, 1, -.3), (-.3, -1, .99), (-.98, .5, -1), (.5, .98, -1),
                                       (1, -.97, .5), (-1, -.5, -.96), (0, 1, 0)]]
CASES = [
    Case('nearest', E), Case('linear', E, sampler='linear'),
    Case('1d', E, '1D', (7,), 'linear,repeat'), Case('1d_array', E, '1D', (7,), 'nearest,mirror', layers=3),
    Case('2d_array', E, sampler='linear,border,colour=white', layers=4), Case('3d', E, '3D', (4, 3, 5), 'linear,mirror-edge'),
    Case('3d_axes', E, '3D', (4, 3, 5), 'linear,u=repeat,v=border,w=mirror,colour=black'),
    Case('cube', E, 'Cube', CUBE, 'linear'), Case('cube_nearest', E, 'Cube', CUBE),
    Case('cube_edges', E, 'Cube', CUBE, 'linear', inputs=EDGES), Case('cube_edges_nearest', E, 'Cube', CUBE, 'repeat', inputs=EDGES),
    Case('cube_single', E, 'Cube', (1, 1), 'linear', inputs=EDGES), Case('cube_array', E, 'Cube', CUBE, 'linear', layers=3),
    *[Case(f'wrap_{w}_{f}', E, sampler=f'{f},{w},colour={c}', span=(-3.3, 4.4))
      for w, c in [('repeat', 'clear'), ('mirror', 'clear'), ('edge', 'clear'), ('border', 'black'), ('mirror-edge', 'white')]
      for f in ('nearest', 'linear')],
    Case('integers', E, sampler='nearest,border,colour=int-white', kind='i32', format='RGBA:SIGNED_INT16'),
    Case('unsigned', E, sampler='nearest,border,colour=int-black', kind='u32', format='RG:UNSIGNED_INT8'),
    Case('one_channel', E, sampler='nearest,border,colour=white', format='R:FLOAT'),
    Case('two_channels', E, sampler='linear,border,colour=clear', format='RG:HALF_FLOAT'),
    Case('bytes', E, sampler='linear,repeat', format='RGBA:UNORM_INT8'),
    Case('swizzled', E, sampler='linear,border,colour=black', format='BGRA:UNORM_INT8'),
    Case('levels', E, size=(16, 8), levels=5, lods=(-2, 6)), Case('levels_mixed', E, size=(16, 8), levels=5, sampler='linear,mip=linear', lods=(-2, 6)),
    Case('level_halves', E, size=(16, 8), levels=4, inputs=[((.3, .6, 0, 0), (0, l, 0, 0), (0,) * 4, (0,) * 4) for l in (.5, 1.5, 2.5, .49, .51, 3.5, 0, 9)]),
    Case('level_range', E, size=(16, 8), levels=5, sampler='mip=linear,lod=0.75:2.5', lods=(-2, 6)),
    Case('mag_min', E, size=(16, 8), levels=3, sampler='mag=linear,min=nearest', lods=(-1, 1)),
    Case('min_mag', E, size=(16, 8), levels=3, sampler='mag=nearest,min=linear', lods=(-1, 1)),
    Case('sampler_bias', E, size=(16, 8), levels=5, sampler='mip=linear,bias=0.75', lods=(-2, 6)),
    Case('bias_limit', E, size=(16, 8), levels=5, sampler='bias=-100', lods=(15, 20)),
    Case('levels_1d', E, '1D', (32,), 'linear,mip=linear,repeat', levels=6, lods=(0, 5)),
    Case('levels_3d', E, '3D', (8, 4, 2), 'linear,mip=linear', levels=4, lods=(0, 3)),
    Case('levels_cube', E, 'Cube', (8, 8), 'linear,mip=linear', levels=4, lods=(0, 3)),
    Case('levels_odd', E, size=(13, 5), levels=4, sampler='linear,mip=linear,mirror', lods=(0, 4)),
    Case('grad', E, size=(16, 8), levels=5, uses=('grad',), sampler='linear,mip=linear'),
    Case('grad_nearest', E, size=(16, 8), levels=5, uses=('grad', 'least')),
    Case('grad_1d', E, '1D', (32,), 'mip=linear', levels=6, uses=('grad',)), Case('grad_3d', E, '3D', (8, 4, 16), 'mip=linear', levels=4, uses=('grad',)),
    Case('grad_cube', E, 'Cube', (16, 16), 'linear,mip=linear', levels=5, uses=('grad',)),
    Case('grad_offset', E, size=(16, 8), levels=5, uses=('grad',), offset=(3, -2), sampler='linear,repeat,mip=linear'),
    Case('offset', E, offset=(2, -1), sampler='linear,mirror'), Case('offset_1d', E, '1D', (7,), 'border,colour=black', offset=(-3,)),
    Case('offset_3d', E, '3D', (4, 3, 5), 'repeat', offset=(1, -2, 3)),
    Case('unnormalised', E, sampler='linear,border,colour=white,unnormalised', span=(-2, 7)),
    Case('least_texel', E, sampler='linear,reduce=min'), Case('greatest_texel', E, size=(16, 8), levels=4, sampler='linear,mip=linear,reduce=max', lods=(0, 3)),
    *[Case(f'compare_{c}', 'SampleDrefExplicitLod', sampler=f'nearest,compare={c}', format='R:FLOAT')
      for c in ('never', 'less', 'equal', 'less-or-equal', 'greater', 'not-equal', 'greater-or-equal', 'always')],
    Case('compare_linear', 'SampleDrefExplicitLod', sampler='linear,compare=less,repeat', format='R:FLOAT'),
    Case('compare_clamped', 'SampleDrefExplicitLod', sampler='compare=equal', format='DEPTH:UNORM_INT16',
         inputs=[((x / 5, y / 3, 0, 0), (r, 0, 0, 0), (0,) * 4, (0,) * 4) for x, y, r in [(.5, .5, 2), (1.5, .5, -1), (2.5, 1.5, 1), (3.5, 2.5, 0)]]),
    Case('compare_border', 'SampleDrefExplicitLod', sampler='compare=greater-or-equal,border,colour=white', format='DEPTH:FLOAT'),
    Case('compare_cube', 'SampleDrefExplicitLod', 'Cube', CUBE, 'linear,compare=less', format='R:FLOAT', inputs=EDGES),
    Case('compare_array', 'SampleDrefExplicitLod', layers=3, sampler='linear,compare=greater', format='R:FLOAT'),
    Case('project', 'SampleProjExplicitLod', sampler='linear,repeat'), Case('project_1d', 'SampleProjExplicitLod', '1D', (7,), 'repeat'),
    Case('project_3d', 'SampleProjExplicitLod', '3D', (4, 3, 5), 'linear,mirror'),
    Case('project_compare', 'SampleProjDrefExplicitLod', sampler='compare=less,repeat', format='R:FLOAT'),
    *[Case(f'gather_{c}', 'Gather', component=c, uses=(), sampler='repeat') for c in range(4)],
    Case('gather_offset', 'Gather', component=1, uses=(), offset=(2, -3), sampler='mirror'),
    Case('gather_offsets', 'Gather', component=2, uses=(), offsets=((0, 0), (-1, 2), (3, 1), (-4, -5)), sampler='border,colour=white'),
    Case('gather_integers', 'Gather', uses=(), component=3, kind='u32', format='RGBA:UNSIGNED_INT32', sampler='border,colour=int-black'),
    Case('gather_array', 'Gather', uses=(), layers=4), Case('gather_cube', 'Gather', 'Cube', CUBE, uses=(), inputs=EDGES),
    Case('gather_cube_array', 'Gather', 'Cube', CUBE, uses=(), layers=2),
    Case('gather_compare', 'DrefGather', uses=(), sampler='compare=less,repeat', format='R:FLOAT'),
    Case('gather_compare_offset', 'DrefGather', uses=(), offset=(1, 1), sampler='compare=greater,edge', format='R:FLOAT'),
]
DERIVED = [
    Case('implicit_linear', I, size=(16, 8), levels=5, uses=(), quads='linear', sampler='linear,mip=linear,repeat'),
    Case('implicit_square', I, size=(16, 8), levels=5, uses=(), quads='square', sampler='linear,mip=linear,repeat'),
    Case('implicit_bias', I, size=(16, 8), levels=5, uses=('bias', 'least'), quads='square', span=(0, 0.3)),
    Case('implicit_3d', I, '3D', (8, 4, 2), 'mip=linear', levels=4, uses=('bias',), quads='square', span=(0, 0.3)),
    Case('implicit_cube', I, 'Cube', (16, 16), 'linear,mip=linear', levels=5, uses=(), quads='linear'),
    Case('implicit_array', I, size=(16, 8), layers=3, levels=5, uses=(), quads='linear', sampler='mip=linear'),
    Case('implicit_project', 'SampleProjImplicitLod', size=(16, 8), levels=5, uses=(), quads='square', sampler='mip=linear', span=(0, 0.3)),
    Case('implicit_compare', 'SampleDrefImplicitLod', size=(16, 8), levels=5, uses=(), quads='square', sampler='compare=less', format='R:FLOAT', span=(0, 0.3)),
    Case('query', 'QueryLod', size=(16, 8), levels=5, uses=(), quads='square', sampler='linear', span=(0, 0.3)),
    Case('query_mixed', 'QueryLod', size=(16, 8), levels=5, uses=(), quads='linear', sampler='mip=linear,bias=0.5,lod=0.25:2', span=(0, 0.3)),
    Case('query_cube', 'QueryLod', 'Cube', (16, 16), uses=(), levels=5, quads='linear', sampler='mip=linear', layers=2),
]
# Of sampled_defects.spvasm: what is wrong, by number; nothing is with FINE.
DEFECTS = ['a linear filter for an image of integers [check.image-sampler]', 'a sampler that does not compare [check.image-sampler]',
           'a sampler that compares, without a reference [check.image-sampler]',
           'a sampler with unnormalised coordinates that does not go with the image or the instruction [check.image-sampler]',
           'a border of another kind of number than the image has [check.image-sampler]', 'access to an image where nothing is bound [check.null]',
           'access with a sampler where nothing is bound [check.null]', 'a coordinate or level that is infinite or no number [check.image-coordinate]',
           'an index that is not NonUniform [check.non-uniform-index]', 'read outside of the image: (2, 0) of 2 x 2 texels [check.image-outside]',
           'a sampler with unnormalised coordinates that does not go with the image or the instruction [check.image-sampler]']
BOUND = ['0.0=image2d:2x2:R:FLOAT=1,2,3,4', '0.1=image2d:2x2:R:SIGNED_INT32=1,2,3,4', '0.2=sampler=linear', '0.3=sampler=compare=less',
         '0.4=sampler=unnormalised', '0.5=sampler=border,colour=white', '0.6=image2d_array:2x2x1:R:FLOAT=1', '0.7=null', '0.8=null',
         '0.9=sampler', '0.10=sampler=compare=less', '0.11[0]=image2d:1x1:R:FLOAT=7', '0.11[1]=image2d:1x1:R:FLOAT=8', '0.12=f32[17]=zeros']
# Words of samplers that say nothing, and what the message names.
NO_SAMPLERS = [('sampler=linaer', "'linaer'"), ('sampler=linear,compare=lesser', "'compare=lesser'"), ('sampler=lod=1', "'lod=1'"),
               ('sampler=u=linear', "'u=linear'"), ('sampler=bias=', "'bias='"), ('sampler=none', "'none'"), ('sampler=colour=nan', "'colour=nan'"),
               ('samplers', "'s'"), ('sampler=lod=0:1x', "'lod=0:1x'")]
SETTINGS = [['--width', '4'], ['--width', '8', '--dispatch'], ['--width', '8'], ['--width', '16'], ['--engine', 'interpreted', '--width', '8'],
            ['--engine', 'interpreted', '--width', '16']]


def bindings(case, image, values):
    numbers = ','.join(repr(float(v)) for lane in values for part in lane for v in part)
    return ['--bind', f'0.0={image.spec()}', '--bind', f'0.0=sampler={case.sampler}', '--bind', f'0.1=f32[{LANES * 16}]={numbers}',
            '--bind', f'0.2={case.kind}[{LANES * 4}]=zeros', '--print', '0.2']


class Test:
    def __init__(self, build, folder, verbose):
        self.heddle, self.folder, self.verbose = os.path.join(build, 'heddle'), folder, verbose
        self.passed = self.failed = 0

    def say(self, fine, name, text):
        self.passed += fine
        self.failed += not fine
        if not fine or self.verbose:
            print(f'{name}: {text}')

    def run(self, path, arguments, env=None):
        done = served.run([self.heddle, 'run', path, '--env', 'universal1.3', '--groups', '1', *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, **(env or {})})
        line = [x for x in done.stdout.splitlines() if x.startswith('bind 0.2')]
        return (line[0].split(' = ')[1] if done.returncode == 0 and line else None), done.stderr

    def check(self, path, constants, env='universal1.3', bound=()):
        words = [word for binding in bound for word in ('--bind', binding)]
        done = served.run([self.heddle, 'check', path, '--env', env, '--groups', '1', *constants, *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def defects(self):
        path = os.path.join(ROOT, 'tests/shaders/sampled_defects.spvasm')
        for number, text in enumerate(DEFECTS):
            code, said = self.check(path, ['--spec', f'0={number}'], bound=BOUND)
            self.say(code == 1 and text in said, f'defect {number}', f'{text}\n  {said}')
            code, said = self.check(path, ['--spec', f'0={number}', '--spec', '1=1'], bound=BOUND)
            self.say(code == 0, f'without defect {number}', said)
        path = os.path.join(ROOT, 'tests/shaders/derivatives_linear.spvasm')
        for broken in (0, 1):
            code, said = self.check(path, ['--spec', f'0={broken}'], bound=['0.0=f32[32]=zeros'])
            self.say(code == broken and (not broken or '[check.derivative]' in said), f'a quad that is broken: {broken}', said)
        path = os.path.join(ROOT, 'tests/shaders/sampled_defects.spvasm')
        for sampler, word in NO_SAMPLERS:
            code, said = self.check(path, [], bound=[b for b in BOUND if not b.startswith('0.2=')] + [f'0.2={sampler}'])
            self.say(code == 2 and f'{word} says nothing of a sampler' in said, sampler, said)

    def library(self, build):
        """Samplers of the library: what each makes of one coordinate."""
        os.environ['HEDDLE_LIBRARY'] = os.path.join(build, 'libheddle.so')
        sys.path.insert(0, os.path.join(ROOT, 'python'))
        import heddle
        program = heddle.Program(heddle.assemble(shader(Case('library', E)), version='1.3'))
        compares = heddle.Program(heddle.assemble(shader(Case('compares', 'SampleDrefExplicitLod')), version='1.3'))
        texels = array.array('f', [v for x in (1, 2, 3, 5) for v in (x, 0, 0, 1)] + [7, 0, 0, 1])
        image = heddle.Image(texels, (2, 2), type=heddle.ChannelType.FLOAT, levels=2)
        A, S = heddle.Address, heddle.ShaderSampler
        edge = (A.CLAMP_TO_EDGE,) * 3
        for sampler, at, level, want in [
                (S(), (1.25, 0.25), 0, 1), (S(address=edge), (1.25, 0.25), 0, 2), (S(magnify_linear=True, address=edge), (0.5, 0.5), 0, 2.75),
                (S(minify_linear=True, address=edge), (0.5, 0.5), 0, 5), (S(address=(A.CLAMP_TO_BORDER, A.REPEAT, A.REPEAT), border=heddle.Border.FLOAT_OPAQUE_WHITE), (-0.25, 0), 0, 1),
                (S(), (0, 0), 1, 7), (S(max_lod=0), (0, 0), 1, 1), (S(lod_bias=1), (0, 0), 0, 7), (S(mixes_levels=True), (0.25, 0.25), 0.5, 4), (S(min_lod=1), (0, 0), 0, 7),
                (S(unnormalized=True, address=edge), (1.5, 1.5), 0, 5), (S(magnify_linear=True, address=edge, reduction=heddle.Reduction.MAX), (0.5, 0.5), 0, 5),
                (heddle.Sampler(normalized=True, addressing=heddle.Addressing.REPEAT), (1.25, 0.75), 0, 3),
                (S(compare=heddle.Compare.LESS), (0.75, 0.25), 0, 1), (S(compare=heddle.Compare.GREATER), (0.75, 0.25), 0, 0)]:
            is_compared = getattr(sampler, 'compare', None) is not None
            numbers = array.array('f', [*at, 0, 0, 1.5, level, 0, 0] + [0] * (16 * LANES - 8))
            out = array.array('f', [0] * 4 * LANES)
            for interpreted in (False, True):
                (compares if is_compared else program).dispatch(None, {(0, 0): (image, sampler), (0, 1): numbers, (0, 2): out}, 1, interpreted=interpreted)
                self.say(out[0] == want, f'library, {sampler} at {at}, {level}', f'{out[0]}, not {want}')
        for wrong in (S(address=(9, 0, 0)), S(border=6), S(reduction=3), S(compare=8)):
            try:
                program.dispatch(None, {(0, 0): (image, wrong), (0, 1): numbers, (0, 2): out}, 1)
                self.say(False, f'library, {wrong}', 'is taken')
            except heddle.BadInput as e:
                self.say('that there is not' in str(e), f'library, {wrong}', str(e))

    def case(self, case):
        rng = random.Random(case.name)
        image, values = case.image(rng), case.values(rng)
        path = os.path.join(self.folder, case.name + '.spvasm')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(shader(case))
        results = []
        for setting in SETTINGS + ([] if case.quads else [['--width', '1']]):
            got, errors = self.run(path, bindings(case, image, values) + setting)
            if got is None:
                self.say(False, case.name, f'{" ".join(setting)}: {errors}')
                return
            results.append((setting, got))
        for setting, got in results[1:]:
            if got != results[0][1]:
                self.say(False, case.name, f'{" ".join(setting)} differs from {" ".join(results[0][0])}:\n  {got}\n  {results[0][1]}')
                return
        got = [float(v) for v in results[0][1].split(', ')]
        wrong = sampling.compare(case, image, values, got)
        self.say(not wrong, case.name, '\n  '.join(wrong) or 'as the model')


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--build', default=os.path.join(ROOT, 'build'))
    p.add_argument('-v', action='store_true')
    p.add_argument('names', nargs='*')
    options = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        test = Test(os.path.abspath(options.build), folder, options.v)
        for case in CASES + DERIVED:
            if not options.names or any(case.name.startswith(n) for n in options.names):
                test.case(case)
        if not options.names:
            test.defects()
            test.library(os.path.abspath(options.build))
    print(f'{test.passed} passed, {test.failed} failed, 0 skipped')
    return 1 if test.failed else 0


if __name__ == '__main__':
    sys.exit(main())
