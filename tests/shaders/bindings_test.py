#!/usr/bin/env python3
"""What a shader is given on the command line and by the library: bindings, push constants, sizes. [--build FOLDER]

Each case is a command line for tests/shaders/bindings.spvasm, its exit status, and what it says.
Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse, array, os, struct, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE = os.path.join(ROOT, 'tests/shaders/bindings.spvasm')
Y, U, P = '--bind 0.1=u32[5]=1', '--bind 1.0=f32[2]=4', '--push u32=1,f32=2'
X = '--bind 0.0[0]=u32[1]=7'
ALL = f'{X} {Y} {U} {P}'
HEAP = '--bind heap[1]=u32[8]=range:10 --bind heap[2]=u32[3]=0,5 --bind heap[3]=u32[2]=7 --bind heap[4]=u32[9]=zeros'
CASES = [
    (f'run --groups 1 {ALL}', 0, ['bind 0.0[0]: u32[1] = 7\nbind 0.1: u32[5] = 1, 0, 0, 0, 15\nbind 1.0: f32[2] = 4, 0\n']),
    (f'run --groups 1 {X} {Y} {U} --push u32=1 --push f32=2 --print 0.1', 0, ['bind 0.1: u32[5] = 1, 0, 0, 0, 15\n']),
    (f'run --groups 1 {X} {Y} {U} --push bytes[8]=0300000000000041 --print 0.1', 0, ['= 1, 0, 0, 0, 23\n']),
    (f'run --groups 0 {ALL} --print 0.1', 0, ['= 1, 0, 0, 0, 0\n']),
    (f'run --groups 1 {ALL} --json', 0, ['"set": 0, "binding": 0, "element": 0, "type": "u32[1]"', '"set": 0, "binding": 1']),
    (f'run --groups 1 {ALL} --expect 0.1=1,0,0,0,15', 0, []),
    (f'run --groups 1 {ALL} --expect 0.1=1,0,0,0,16', 1, ["binding 0.1 'Y': element 4 is 15, expected 16 [run.expect]"]),
    (f'run --groups 1 {ALL} --out 0.1=/dev/null', 0, []),
    (f'run --groups 1 {ALL} --repeat 3 --print 0.1', 0, ['= 1, 0, 0, 0, 15\n']),
    (f'check --groups 1 {ALL}', 0, []),
    (f'check --groups 1 {ALL} --schedule 3', 0, []),
    ('run --groups 1', 2, ["shader 'main' uses what is not given (null binds nothing):\n"
                           "  --bind 0.1 'Y': a storage buffer of 16 bytes and elements of 4\n"
                           "  --bind 1.0 'U': a uniform buffer of 8 bytes\n  --push 'P': push constants of 8 bytes [run.binding]"]),
    (f'run --groups 1 {X} {Y} {U} --push u32=1', 2, ["--push 'P': push constants of 8 bytes, but only 4 bytes are given [run.push]"]),
    (f'run --groups 1 {U} {P} --bind 0.1=u32[3]=1', 2, ["--bind 0.1 'Y': a storage buffer of 16 bytes and elements of 4, but only 12 bytes are given [run.binding]"]),
    (f'run --groups 1 {Y} {Y}', 2, ["--bind 0.1 'Y': a storage buffer of 16 bytes and elements of 4, but it is given twice: leave one out [run.binding]"]),
    ('run --groups 1 --bind 0.7=u32[4]=1', 2, ["shader 'main' has nothing to bind at 0.7[0]; it has\n  --bind 0.0[0 … 1] 'xs': a storage buffer of elements of 4 bytes\n"]),
    ('run --groups 1 --bind 0.010=u32[4]=1', 2, ["shader 'main' has nothing to bind at 0.10[0]; it has"]),
    (f'run --groups 1 {X} {U} {P} --bind 00.01=u32[5]=1', 0, ['bind 0.1: u32[5] = 1, 0, 0, 0, 15\n']),
    (f'run --groups 1 {ALL} --print 0.012', 2, ['has nothing to bind at 0.12[0]']),
    ('run --groups 1 --bind 0x0.1=u32[4]=1', 2, ['--bind takes SET.BINDING=…']),
    ('run --groups 1 --bind 0.0[2]=u32[4]=1', 2, ["shader 'main' has nothing to bind at 0.0[2]"]),
    (f'run --groups 1 {U} {P} --bind 0.1=image2d:4x4:RGBA:UNORM_INT8=zeros', 2, ['but what is given is no buffer: TYPE[COUNT]=… or null [run.binding]']),
    (f'run --groups 1 {U} {P} --bind 0.1=sampler=none,nearest', 2, ['what is given is no buffer']),
    (f'run --groups 1 {U} {P} --bind 0.1=u32=4', 2, ['what is given is no buffer']),
    (f'run --groups 1 {U} {P} --bind 0.1=local[4]', 2, ['what is given is no buffer']),
    (f'run --groups 1 {U} {P} --bind 0.1=u33[4]', 2, ['u33[4]']),
    ('run --global 1', 2, ["'main' is a shader, which takes no --global: give the number of workgroups, --groups X[,Y,Z] [run.usage]"]),
    ('run --groups 1 --local 4', 2, ["takes no --local: the module says how large its workgroups are"]),
    ('run --groups 1 --offset 4', 2, ['takes no --offset']),
    ('run --groups 1 --arg u32=4', 2, ['takes no --arg: bind buffers, --bind SET.BINDING=SPEC']),
    ('run --groups 1 --global 1', 2, ['--global is for kernels, --groups for shaders: give one of them']),
    ('run', 2, ['or of workgroups, --groups X[,Y,Z] for a shader']),
    (f'run --groups 4294967295 {ALL}', 2, ["shader 'main': more than 2^32 work-items in dimension 0 [run.groups]"]),
    *[(f'run --engine {engine} --groups 500000000,4294967295,4294967295 {ALL}', 2, ['the dispatch has more than 2^63 workgroups [launch.groups]'])
      for engine in ('compiled', 'interpreted')],
    (f'run --groups 1 {X} {U} {P} --bind 0.1=null', 1, ["shader 'main' accessed binding 0.1 'Y', to which nothing is bound: what it read there is undefined, what it wrote there is lost [launch.unbound]\n  hint: bind a buffer to it; a checked run"]),
    (f'run --groups 0 {X} {U} {P} --bind 0.1=null', 0, []),
    (f'run --groups 1 {X} {U} {P} --bind 0.1=null --engine interpreted', 1, ['at the null address 0x0, in invocation (0, 0, 0) [interp.null]']),
    (f'check --groups 1 {X} {U} {P} --bind 0.1=null', 1, ['[check.null]', 'hint: bind a buffer to each descriptor that is used']),
    (f'run other --groups 1 {ALL}', 2, ["the module has no shader 'other'; it has main [run.kernel]"]),
    ('run --groups 1 --bind 0=u32[4]=1', 2, ['--bind takes SET.BINDING=…, SET.BINDING[INDEX]=… or heap[INDEX]=…, not 0=']),
    (f'run --groups 1 {ALL} --expect 0=1', 2, ["'main' is a shader: name a binding, SET.BINDING, not argument 0 [run.usage]"]),
    (f'run --groups 1 {ALL} --print 0.9', 2, ['has nothing to bind at 0.9[0]']),
    (f'run --groups 1 {ALL} --print 0.0[1]', 2, ["nothing is bound there that could be shown"]),
    (f'run --groups 1 {X} {Y} {U} --push what', 2, ['what']),
    (f'run --groups 1 {X} {Y} {U} --push local[8]', 2, ["'local[8]' is no push constant"]),
    (f'run --groups 1 {ALL} --engine interpreted --print 0.1', 0, ['= 1, 0, 0, 0, 15\n']),
    ('run --dump ir', 0, ['KARG']),
]

# Of other modules in that folder.
FIRST = '--groups 1 --bind 0.0=u32[20]=zeros'
IMAGES = '--bind 0.1=image2d:4x8=zeros --bind 0.2=image2d:8x4:Rgba8=zeros --bind 0.3=u32[32]=range --bind 0.5[0]=image2d_array:8x4x2=zeros --bind 0.6=i32x4[32]=zeros'
DENORMALS = '--env vulkan1.2 --groups 1 --bind 0.0=f32[4]=1e-38,2.5e-39,3,1e-40 --bind 0.1=f32[8]=fill:7 --bind 0.2=f64[4]=1e-310,2,1e-308,4'
OTHERS = [
    ('sizes', 'run --groups 2 --bind 0.0=u32[20]=zeros --spec 0=5000', 2,
     "shader 'main' has a local size of 5000 x 1 x 1; a workgroup may have at most 4096 invocations [run.groups]"),
    ('sizes', 'run --groups 2 --bind 0.0=u32[20]=zeros --spec 0=64 --spec 1=65', 2, 'a local size of 64 x 65 x 1;'),
    ('sizes', 'run --groups 2 --bind 0.0=u32[20]=zeros --spec 0=0', 1, 'a local size must not be 0'),
    ('disordered', 'run --groups 1 --bind 0.0=u32[16]=range', 2,
     "--bind 0.0 'block': a storage buffer of 68 bytes and elements of 4, but only 64 bytes are given [run.binding]"),
    ('entries', 'run --groups 1', 2, 'the module has 2 shaders: name one of first, second [run.kernel]'),
    ('entries', 'check --groups 1', 2, 'the module has 2 shaders: name one of first, second [run.kernel]'),
    ('entries', 'debug --groups 1 --batch', 2, 'the module has 2 shaders: name one of first, second [run.kernel]'),
    ('entries', 'run third --groups 1', 2, "the module has no shader 'third'; it has first, second [run.kernel]"),
    ('entries', 'check second --groups 1 --bind 0.1=u32[4]=range:5', 0, 'bind 0.1: u32[4] = 1084227584, 105, 0, 8'),
    ('entries', 'debug second --groups 1 --bind 0.1=u32[4]=range:5 --batch --command run', 0, 'bind 0.1: u32[4] = 1084227584, 105, 0, 8'),
    ('entries', 'info', 0, 'shader first\n  local size: 64 x 1 x 1\n'),
    ('entries', 'info', 0, 'shader second\n  local size: 1 x 1 x 1\n'),
    ('entries', 'val --env vulkan1.3', 0, ''),
    ('entries', 'run first --groups 1', 2, '--bind 0.0'),
    ('aligned', f'check {FIRST} --bind 0.1=u32[20]=zeros --push u64=&0.0,u64=&0.1', 0, ''),
    ('aligned', f'check {FIRST} --bind 0.1[4]=u32[20]=zeros --push u64=&0.0,u64=&0.1[4] --expect 0.1[4]=', 2, "'' is not a value of type u32"),
    ('aligned', f'check {FIRST} --bind 0.1=u32[12]=zeros --push u64=&0.0,u64=&0.1', 1,
     'write of 20 bytes at 32, which reaches 4 bytes behind the end of binding 0.1 [check.out-of-bounds]'),
    ('aligned', f'check {FIRST} --push u64=&0.0,u64=0x1000', 1, 'write of 20 bytes at 0x1020, where no memory is [check.wild-pointer]'),
    ('aligned', f'check {FIRST} --push u64=&0.0,u64=0', 1, 'write of 20 bytes at the invalid address 0x20 [check.null]'),
    ('aligned', f'run {FIRST} --push u64=&0.0,u64=&0.2', 2, '&0.2[0] is no address: nothing is bound there'),
    ('aligned', f'run {FIRST} --bind 0.3=u32[4]=1 --push u64=&0.0,u64=&0.0', 2, "shader 'main' has nothing to bind at 0.3[0]"),
    ('aligned', 'run --groups 1 --push u32=&0.0', 2, 'an address is written &SET.BINDING or &SET.BINDING+BYTES'),
    ('aligned', 'run --groups 1 --push u64=&0', 2, 'an address is written &SET.BINDING or &SET.BINDING+BYTES'),
    ('aligned', 'run --groups 1 --push u64=&0.0+', 2, 'an address is written &SET.BINDING or &SET.BINDING+BYTES'),
    ('aligned', 'info', 0, 'a: offset 0, an address of B\n'),
    ('addresses', 'run --groups 0 --bind 0.1=u32[10]=zeros --bind 1.0=u64[2]=1,&0.1+8 --push u64=&1.0,u64=0,u64=0 --json', 0,
     '"values": [1, "&0.1+8"]'),
    ('heap', 'run --groups 1 --bind heap[4096]=u32[1]', 2, "shader 'main' has no descriptor heap[4096]; it has\n"
     "  --bind heap[0 … 4095] 'heap': a heap of descriptors [run.binding]"),
    ('heap', 'run --groups 1 --bind samplers[0]=u32[1]', 2, "has no descriptor samplers[0]"),
    ('heap', 'run --groups 1 --bind heap[1]=u32[1] --bind heap[1]=u32[1]', 2, 'a heap of descriptors, but [1] of it is given twice: leave one out [run.binding]'),
    ('heap', 'run --groups 1 --bind heap[1=u32[1]', 2, '--bind takes SET.BINDING=…, SET.BINDING[INDEX]=… or heap[INDEX]=…'),
    ('heap', f'run --groups 2 {HEAP} --expect heap[4]=17,25,19,27,21,29,23,31,364 --no-print', 0, ''),
    ('heap', f'run --groups 2 {HEAP} --print heap[4] --json', 0, '"heap": "resources", "element": 4, "type": "u32[9]"'),
    ('heap', f"run --groups 2 {HEAP.replace('--bind heap[3]=u32[2]=7', '')} --no-print", 1,
     "shader 'main' accessed descriptor 3 of the heap of resources, to which no buffer is bound"),
    *[('heap_images', f'run --groups 1 --spec 0={first} --bind heap[1]=image2d:2x2:R32ui=range --bind heap[2]=image1d_buffer:4:R32ui=range '
       '--bind heap[4]=u32[8]=zeros --no-print', status, text)
      for first, status, text in ((4092, 0, ''), (4093, 1, "shader 'main' accessed the heap of resources where it has no descriptor"))],
    ('heap', 'info', 0, '  heap of 4096 resources, heap\n'),
    *[('images', f'run --env vulkan1.1 --groups 1 {IMAGES} {line}', status, text) for line, status, text in (
        ('--bind 0.4=f32[32]=range', 2, "uses what is not given (null binds nothing):\n  --bind 0.0 'src': a storage image, 2D, Rgba8 [run.binding]"),
        ('--bind 0.4=f32[1]=0 --bind 0.0=image2d:8x4:RGBA:FLOAT=zeros', 2, "but not image2d:8x4:RGBA:FLOAT=zeros: its format is not the one that the shader declares [run.binding]"),
        ('--bind 0.4=f32[1]=0 --bind 0.0=image3d:8x4x2=zeros', 2, 'its number of dimensions is another one'),
        ('--bind 0.4=f32[1]=0 --bind 0.0=image2d_array:8x4x2=zeros', 2, 'it is an array'),
        ('--bind 0.4=f32[1]=0 --bind 0.0=image2d:8x4:samples2=zeros', 2, 'it has several samples'),
        ('--bind 0.4=f32[1]=0 --bind 0.0=u32[8]=zeros', 2, "'src': a storage image, 2D, Rgba8, but not u32[8]=zeros: what is given is no image"),
        ('--bind 0.4=f32[1]=0 --bind 0.0=sampler=edge', 2, 'what is given is no image'),
        ('--bind 0.4=f32[1]=0 --bind 0.0=image2d:8x4:Rgba9=zeros', 2, 'an image is written imageDIM:SIZES:ORDER:TYPE='),
        ('--bind 0.0=image2d:8x4=zeros --bind 0.0=image2d:8x4=zeros', 2, "'src': a storage image, 2D, Rgba8, but it is given twice"),
        ('--bind 0.0=null --bind 0.4=u32[8]=range', 2, "'floats': a uniform texel buffer, but not u32[8]=range: its texels are integers"),
        ('--bind 0.0=null --bind 0.4=f64[8]=range', 2, 'its format is not known: give image1d_buffer:COUNT:ORDER:TYPE='),
        ('--bind 0.0=null --bind 0.4=image1d_buffer:8:Rgba8=zeros --expect 0.1=0 --no-print', 0, ''),
        ('--bind 0.0=null --bind 0.4=f32x4[8]=range --expect 0.1=1 --no-print', 1, "binding 0.1 'dst': element 0 is 0, expected 1"))],
    ('fetched', 'run --env vulkan1.1 --groups 1 --bind 0.6=sampler=edge', 2, "'depth': a combined image and sampler, 2D; its image is missing: image…=…"),
    ('fetched', 'run --env vulkan1.1 --groups 1 --bind 0.6=image2d:2x2:R:FLOAT=zeros', 2, '2D; its sampler is missing: sampler=WORD,…'),
    ('image_defects', 'info', 0, "  binding 0.3[3]: storage image, 2D, R32ui, read and written, several\n  binding 0.4: storage image, 2D, R32ui, read and written, plain\n"
     '  binding 0.5: storage image, cube, R32ui, read and written, faces\n  binding 0.6: uniform texel buffer, fetched\n'
     '  binding 0.7: storage image, 2D, multisampled, R32ui, read and written, samples\n'),
    ('bindings', 'run --groups 1 --bind heap[1]=u32[1]', 2, "has no descriptor heap[1]; it has"),
    *[('denormals', f'run keeps {DENORMALS} --engine {engine}', 0, 'f32[8] = 5e-39, 1.25e-39, 1.5, 5e-41, 1e-38, 2.5e-39, 3, 1e-40\nbind 0.2: f64[4] = 5e-311, 1, 5e-309, 2')
      for engine in ('compiled', 'interpreted')],
    ('denormals', f'run both {DENORMALS}', 3, '"both" flushes denormals and rounds towards zero: one of the two is supported [layout.mode]'),
    ('truncated_apart', 'run main --env universal1.3 --groups 1 --bind 0.0=f32[1]=zeros', 3,
     '"main" rounds a constant towards zero that other entry points round to nearest [layout.mode]'),
    ('truncated_apart', 'run nearest --env universal1.3 --groups 1 --bind 0.0=f32[1]=zeros', 0, 'bind 0.0: f32[1] = 0.33333334'),
    ('denormals', f'check apart {DENORMALS}', 3, '"apart" flushes denormals of 32 bits but not of 64, or the reverse: both are flushed here, or neither is [layout.mode]'),
    ('denormals', f'run halfs {DENORMALS}', 3, '"halfs" flushes denormals of 16 bits, which is not supported [layout.mode]'),
    ('device_index', 'run --env vulkan1.2 --groups 1 --bind 0.0=u32[5]', 1, '[vulkan.layout-straddle]'),
    ('device_index', 'run --env vulkan1.2 --ext relaxedBlockLayout,scalarBlock,maintenance9 --groups 1 --bind 0.0=u32[4]', 1,
     "'scalarBlock' is no extension of vulkan1.2 [env.ext]"),
]


# What each mode of unbound_access.spvasm accesses, with index k.
UNBOUND = [(1, 0, "0.2 'C'"), (2, 0, "0.2 'C'"), (3, 2, "0.0[2] 'many'"), (3, 0, None), (4, 0, "0.0["), (5, 4, "0.0[2] 'many'"),
           (5, 0, None), (6, 1, "0.0[1] 'many'"), (7, 3, None), (8, 0, "0."), (9, 0, "0."), (10, 0, "0.4[0] 'us'"), (11, 3, "0.0[3] 'many'"),
           (12, 3, "0.0[3] 'many'"), (12, 0, None), (13, 3, None), (14, 0, "0.3 'D'")]
OTHERS += [('unbound_access', f'run --env vulkan1.1 --groups 4 --bind 0.0[0]=u32[400]=range --bind 0.1=u32[16]=zeros --bind 0.2=null --bind 0.3=null --width {width} '
            f'--push u32={mode},u32={k} --no-print {more}', 1 if place else 0, f"shader 'main' accessed binding {place}" if place else '')
           for mode, k, place in UNBOUND for width, more in ((1, ''), (4, ''), (8, '--dispatch'), (16, ''), (32, '--threads 2'))]
# What each mode of unbound_images.spvasm accesses, with index k.
PAST = [(1, 3, None), (1, 4, "0.0 'many' beyond its 4"), (2, 5, "0.0 'many'"), (3, 4, "0.0 'many'"), (4, 3, None), (4, 4, "0.0 'many'"),
        (5, 2, None), (5, 3, "0.2 'pairs' beyond its 3"), (6, 1, None), (6, 2, "0.4 'smps'"), (7, 2, "0.3 'pics'"), (8, 4095, None),
        (8, 4096, "0.5 'texels' beyond its 4096"), (9, 4, "0.0 'many'"), (10, 4, "0.0 'many'"), (11, 4, None), (12, 4, None), (13, 4, None),
        (13, 5, "0.0 'many'"), (14, 0, "0.0 'many'"), (15, 9, "0.2 'pairs'")]
OTHERS += [('unbound_images', f'run --env vulkan1.1 --groups 4 --bind 0.0[1]=image2d:16x4=range --bind 0.1=u32[16]=zeros --width {width} '
            f'--push u32={mode},u32={k} --no-print {more}', 1 if place else 0, f"shader 'main' accessed binding {place}" if place else '')
           for mode, k, place in PAST for width, more in ((1, ''), (8, '--dispatch'), (16, '--threads 2'))]


def command_lines(build, say):
    heddle = os.path.join(build, 'heddle')
    for line, status, texts in CASES:
        name, *rest = line.split()
        words = [heddle, name, MODULE, *rest]
        p = subprocess.run(words, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        out = (p.stdout + p.stderr).decode('utf-8', 'replace')
        fine = p.returncode == status and all(t in out for t in texts)
        say(fine, f'{line}: exit status {p.returncode}, not {status}, or one of {texts} is not in\n{out}')


    for module, line, status, text in OTHERS:
        name, *rest = line.split()
        words = [heddle, name, os.path.join(ROOT, 'tests/shaders', module + '.spvasm'), *rest]
        p = subprocess.run(words, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        out = (p.stdout + p.stderr).decode('utf-8', 'replace')
        say(p.returncode == status and text in out, f'{module}: {line}: exit status {p.returncode}\n{out}')


def refused(heddle, call):
    try:
        call()
    except heddle.BadInput as e:
        return str(e)
    return ''


def library(build, say):
    os.environ['HEDDLE_LIBRARY'] = os.path.join(build, 'libheddle.so')
    sys.path.insert(0, os.path.join(ROOT, 'python'))
    import heddle
    with open(MODULE, encoding='utf-8') as f:
        program = heddle.Program(heddle.assemble(f.read(), version='1.5'))
    x, y, u = array.array('I', [7]), array.array('I', [1, 0, 0, 0, 0]), array.array('f', [4, 0])
    push = struct.pack('If', 1, 2)
    given = {(0, 0, 0): x, (0, 1): y, (1, 0): u}
    say(program.kernels == ['main'], f'the names are {program.kernels}')
    for interpreted in (False, True):
        y[4] = 0
        program.dispatch(None, given, 1, push=push, interpreted=interpreted)
        say(y.tolist() == [1, 0, 0, 0, 15], f'a run of the library leaves {y}')
    for what, bindings, constants, text in (
            ('missing', {(0, 0, 0): x, (1, 0): u}, push, "binding 0.1[0] 'Y' of shader 'main', a storage buffer of 16 bytes at least: nothing is given"),
            ('short', {**given, (0, 1): array.array('I', [1, 2])}, push, 'less memory is given'),
            ('odd', {**given, (0, 1): memoryview(bytearray(64))[1:41]}, push, "'Y' of shader 'main', a storage buffer of 16 bytes at least: the memory is not aligned to its largest number"),
            ('unknown', {**given, (3, 1): x}, push, "shader 'main' has nothing to bind at 3.1[0]"),
            ('push', given, b'1234', 'push constants of shader \'main\', 8 bytes at least: less memory is given'),
            ('no push', given, b'', 'push constants of shader \'main\', 8 bytes at least: nothing is given')):
        told = refused(heddle, lambda: program.dispatch('main', bindings, 1, push=constants))
        say(text in told, f'{what}: {told}')
    told = refused(heddle, lambda: program.run('main', [], 1))
    say('use heddle_dispatch_run' in told, f'as a kernel: {told}')
    checker = heddle.Checker()
    checker.dispatch(program, 'main', {**given, (0, 1): array.array('I', [1, 0, 0, 0])}, 1, push=push)
    found = [(d.rule, d.variable) for d in checker.defects]
    say(found == [('check.out-of-bounds', 'y[0]')], f'a checked run finds {found}')
    checker = heddle.Checker()
    checker.dispatch(program, 'main', given, 1, push=push)
    say([d.rule for d in checker.defects] == ['check.race-same-value'],
        f'a checked run finds {checker.defects}')


def addresses(say):
    import heddle
    with open(os.path.join(ROOT, 'tests/shaders/addresses.spvasm'), encoding='utf-8') as f:
        program = heddle.Program(heddle.assemble(f.read(), version='1.5'))
    out, nodes, words = array.array('I', [0] * 10), array.array('Q', [5, 0, 7, 0]), array.array('I', range(8))
    push = struct.pack('QQQ', heddle.address(nodes), *[heddle.address(words)] * 2)
    for run in (program.dispatch, lambda *args, **more: checker.dispatch(program, *args, **more)):
        checker = heddle.Checker()
        checker.memory(nodes, 'nodes')
        checker.memory(words)
        nodes[1], nodes[3] = heddle.address(nodes) + 16, 0
        nodes[0] = 5
        run(None, {(0, 1): out}, 1, push=push)
        say(out.tolist() == [10012, 20112, 30212, 40312, 2, 3, 4, 5, 1, 8], f'addresses of the library lead to {out}')
        say(nodes[3] == heddle.address(nodes), f'the list ends with {nodes[3]:#x}')
        say(checker.defects == [], f'a checked run finds {checker.defects}')
    checker.forget(nodes)
    checker.dispatch(program, None, {(0, 1): out}, 1, push=push)
    say('check.released' in [d.rule for d in checker.defects], f'of forgotten memory a checked run finds {checker.defects}')
def heap(say):
    """Descriptors of a heap by the library."""
    import heddle
    with open(os.path.join(ROOT, 'tests/shaders/heap.spvasm'), encoding='utf-8') as f:
        program = heddle.Program(heddle.assemble(f.read()))
    out = array.array('I', [0] * 9)
    given = {('heap', 1): array.array('I', range(10, 18)), ('heap', 2): array.array('I', [0, 5, 0]),
             ('heap', 3): array.array('I', [7, 0]), ('heap', 4): out}
    for interpreted in (False, True):
        out[8] = 0
        program.dispatch(None, given, 2, interpreted=interpreted)
        say(out.tolist() == [17, 25, 19, 27, 21, 29, 23, 31, 364], f'with a heap the library leaves {out}')
    told = refused(heddle, lambda: program.dispatch(None, {**given, ('heap', 4096): out}, 1))
    say("shader 'main' has no descriptor 4096 in a heap of resources" in told, told)
    told = refused(heddle, lambda: program.dispatch(None, {('samplers', 0): out}, 1))
    say("shader 'main' has no descriptor 0 in a heap of samplers" in told, told)
    checker = heddle.Checker()
    checker.dispatch(program, None, {**given, ('heap', 4): array.array('I', [0] * 8)}, 2)
    found = [(d.rule, d.memory) for d in checker.defects]
    say(found == [('check.out-of-bounds', 'heap[4], 32 bytes')], f'a checked run with a heap finds {found}')


def images(say):
    """Images and texel buffers by the library."""
    import heddle
    with open(os.path.join(ROOT, 'tests/shaders/images.spvasm'), encoding='utf-8') as f:
        program = heddle.Program(heddle.assemble(f.read(), version='1.3'))
    kinds, order, type_ = heddle.BindingKind, heddle.ChannelOrder, heddle.ChannelType
    say([(b.kind, b.elements, b.is_readonly, b.is_writeonly) for b in program.bindings()] ==
        [(kinds.STORAGE_IMAGE, 0, True, False), (kinds.STORAGE_IMAGE, 0, False, True), (kinds.STORAGE_IMAGE, 0, False, True),
         (kinds.STORAGE_TEXEL_BUFFER, 0, False, False), (kinds.UNIFORM_TEXEL_BUFFER, 0, True, False),
         (kinds.STORAGE_IMAGE, 2, False, False), (kinds.STORAGE_BUFFER, 0, False, False)], f'bindings are {program.bindings()}')
    out = array.array('i', [0] * 128)

    def given():
        layers = [heddle.Image(array.array('I', [0] * 64), (8, 4), order.R, type_.UNSIGNED_INT32, layers=2) for _ in range(2)]
        return {(0, 0): heddle.Image(bytearray(range(128)), (8, 4)), (0, 1): heddle.Image(array.array('f', [0] * 128), (4, 8), type=type_.FLOAT),
                (0, 2): heddle.Image(bytearray(128), (8, 4), order.BGRA), (0, 3): heddle.Image(array.array('I', range(32)), (32,), order.R, type_.UNSIGNED_INT32),
                (0, 4): heddle.Image(array.array('f', range(32)), (32,), order.R, type_.FLOAT), (0, 5, 0): layers[0], (0, 5, 1): layers[1], (0, 6): out}
    for interpreted in (False, True):
        all_ = given()
        program.dispatch(None, all_, 1, interpreted=interpreted)
        say(list(all_[0, 1].memory[:8]) == [0, 1, 2, 3, 32, 33, 34, 35], f'an image of the library holds {all_[0, 1].memory}')
        say(all_[0, 2].memory[:5] == bytes([2, 1, 0, 3, 6]), f'BGRA holds {all_[0, 2].memory}')
        say(list(all_[0, 3].memory) == list(range(0, 64, 2)), f'a texel buffer holds {all_[0, 3].memory}')
        say(list(all_[0, 5, 1].memory[40:44]) == [8, 9, 10, 11], f'a layer holds {all_[0, 5, 1].memory}')
        say(out.tolist()[:8] == [32, 32, 4, 8, 8, 4, 1, 2], f'sizes are {out}')
    for what, place, value, text in (
            ('format', (0, 0), heddle.Image(bytearray(128), (8, 4), order.BGRA), "binding 0.0[0] 'src' of shader 'main', a storage image, 2D, Rgba8: its format is not the one that the shader declares"),
            ('dimensions', (0, 1), heddle.Image(array.array('f', [0] * 64), (4, 2, 2), type=type_.FLOAT), 'its number of dimensions is another one'),
            ('sampler', (0, 1), heddle.Sampler(), "'dst' of shader 'main', a storage image, 2D, Rgba32f: nothing is given"),
            ('buffer', (0, 1), array.array('f', [0]), 'its memory must be a heddle_image, a heddle_sampler'),
            ('kind', (0, 2), heddle.Image(bytearray(128), (8, 4), type=type_.UNSIGNED_INT8), 'its texels are integers')):
        told = refused(heddle, lambda: program.dispatch(None, {**given(), place: value}, 1))
        say(text in told, f'{what}: {told}')
    checker = heddle.Checker()
    checker.dispatch(program, None, given(), 1)
    say(checker.defects == [], f'a checked run with images finds {checker.defects}')


def heap_images(say):
    """Images in a heap of descriptors by the library."""
    import heddle
    with open(os.path.join(ROOT, 'tests/shaders/heap_images.spvasm'), encoding='utf-8') as f:
        program = heddle.Program(heddle.assemble(f.read()))
    order, type_, out = heddle.ChannelOrder.R, heddle.ChannelType.UNSIGNED_INT32, array.array('I', [0] * 8)
    for interpreted in (False, True):
        plane, line = array.array('I', range(10, 14)), array.array('I', range(4))
        program.dispatch(None, {('heap', 1): heddle.Image(plane, (2, 2), order, type_), ('heap', 2): heddle.Image(line, (4,), order, type_), ('heap', 4): out},
                         1, interpreted=interpreted)
        say((plane.tolist(), line.tolist(), out.tolist()) == ([11, 12, 13, 14], [2, 3, 4, 5], [10, 11, 12, 13, 2, 2, 4, 0]), f'a heap with images leaves {plane} {line} {out}')


def beyond(say):
    """Indexes that leave arrays of images are told, and the other invocations have their values."""
    import heddle
    texels = {'B': heddle.ChannelType.UNORM_INT8, 'I': heddle.ChannelType.UNSIGNED_INT32, 'f': heddle.ChannelType.FLOAT}
    with open(os.path.join(ROOT, 'tests/launch/beyond_images.spvasm'), encoding='utf-8') as f:
        program = heddle.Program(heddle.assemble(f.read(), version='1.5'))

    def image(memory, *size):
        order = heddle.ChannelOrder.RGBA if memory.typecode == 'B' else heddle.ChannelOrder.R
        return heddle.Image(memory, size, order, texels[memory.typecode])

    for width in (1, 4, 16):
        out, cells, stored = array.array('f', [0] * 16), array.array('I', [10]), array.array('f', [9])
        given = {(0, 0): array.array('I', [0, 1, 4096, 4294967295]), (0, 1): out}
        for i in range(2):
            given[1, 0, i] = image(array.array('B', [(255, 51)[i]] * 4), 1, 1)
            given[1, 1, i] = image((array.array('I', [0]), cells)[i], 1, 1)
            given[1, 2, i] = image(array.array('f', ([0, 1], [2, 4])[i]), 2, 1)
            given[1, 3, i] = heddle.Sampler(True, heddle.Addressing.CLAMP_TO_EDGE, i == 1)
            given[1, 4, i] = image(array.array('f', [100 * (i + 1)]), 1, 1), heddle.Sampler(True, heddle.Addressing.CLAMP_TO_EDGE)
            given[1, 5, i] = image(array.array('f', ([0, 1], [5, 6])[i]), 2)
            given[1, 6, i] = image((array.array('f', [9]), stored)[i], 1)
        told = refused(heddle, lambda: program.dispatch(None, given, 1, subgroup_size=width))
        say('beyond its 2 descriptors' in told, f'beyond images at {width} lanes: {told}')
        say([round(x, 3) for x in out[:8]] == [2, 3, 103, 4, 0.4, 14.4, 203.4, 7.4] and cells[0] == 11 and round(stored[0], 3) == 0.4,
            f'the other invocations at {width} lanes have {out}, {cells}, {stored}')


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--build', default=os.path.join(ROOT, 'build'))
    build = os.path.abspath(p.parse_args().build)
    counts = [0, 0]

    def say(fine, text):
        counts[0 if fine else 1] += 1
        if not fine:
            print('FAILED', text)

    command_lines(build, say)
    library(build, say)
    addresses(say)
    heap(say)
    images(say)
    heap_images(say)
    beyond(say)
    print('%d passed, %d failed, 0 skipped' % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
