#!/usr/bin/env python3
"""The Python package in python/, with the library of a build: python_test.py [--build FOLDER]; or the package that is installed,
with its own library: python_test.py --installed.

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import array
import contextlib
import ctypes
import glob
import importlib.util
import io
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEXT = '''OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "add"
OpName %k "add"
OpDecorate %seven SpecId 3
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%ptr = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void %ptr
%seven = OpSpecConstant %u32 7
%k = OpFunction %void None %fn
%p = OpFunctionParameter %ptr
%entry = OpLabel
%old = OpLoad %u32 %p Aligned 4
%new = OpIAdd %u32 %old %seven
OpStore %p %new Aligned 4
OpReturn
OpFunctionEnd
'''
WRONG = TEXT.replace('OpIAdd', 'OpFAdd')
USES = '''OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" {which}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
'''


class PackageTest(unittest.TestCase):
    def setUp(self):
        self.module = heddle.assemble(TEXT, version='1.2')

    def test_text(self):
        self.assertEqual(self.module[:8], struct.pack('<II', 0x07230203, 0x00010200))
        text = heddle.disassemble(self.module, header=False)
        self.assertIn('OpIAdd', text)
        self.assertNotIn('; SPIR-V', text)
        self.assertEqual(heddle.assemble(text, version='1.2'), self.module)
        self.assertIn('OpIAdd', heddle.disassemble(self.module[::-1][::-1], raw_ids=True))
        with self.assertRaises(heddle.BadInput) as raised:
            heddle.assemble('OpCapability Kernel\n  OpNonsense\n')
        self.assertEqual((raised.exception.findings[0].line, raised.exception.findings[0].rule),
                         (2, 'as.opcode'))

    def test_validate(self):
        self.assertEqual(heddle.validate(self.module, env='opencl3.0'), [])
        wrong = heddle.assemble(WRONG, version='1.2')
        findings = heddle.validate(wrong, threads=2)
        self.assertEqual([f.rule for f in findings], ['arith.result'])
        self.assertEqual(findings[0].severity, heddle.Severity.ERROR)
        self.assertIn('OpFAdd', findings[0].instruction)
        seen = []
        heddle.validate(wrong, callback=seen.append)
        self.assertEqual(seen, findings)
        with self.assertRaises(ZeroDivisionError):
            heddle.validate(wrong, callback=lambda f: 1 / 0)
        with self.assertRaises(heddle.BadInput):
            heddle.check(wrong)
        heddle.check(self.module)
        with self.assertRaises(heddle.BadInput):
            heddle.validate(self.module, env='opencl9.9')
        with self.assertRaises(heddle.BadInput):
            heddle.validate(self.module[:-1])

    def test_link(self):
        imported = heddle.assemble(USES.format(which='Import') + 'OpFunctionEnd\n')
        exported = heddle.assemble(USES.format(which='Export') +
                                   '%l = OpLabel\nOpReturn\nOpFunctionEnd\n')
        linked = heddle.Module(heddle.link([imported, exported], library=True))
        self.assertEqual([f.block_count for f in linked.functions], [1])
        with self.assertRaises(heddle.BadInput) as raised:
            heddle.link([imported])
        self.assertEqual(raised.exception.findings[0].rule, 'link.undefined')
        with self.assertRaises(heddle.BadInput) as raised:
            heddle.link([])
        self.assertEqual(raised.exception.findings[0].rule, 'link.empty')

    def test_strip_and_specialize(self):
        self.assertNotIn('OpName', heddle.disassemble(heddle.strip(self.module)))
        self.assertEqual(heddle.strip(self.module, names=False, debug=False, nonsemantic=False),
                         self.module)
        nine = heddle.specialize(self.module, {3: struct.pack('<I', 9), 77: b'\0\0\0\0'})
        self.assertIn('OpSpecConstant %uint 9', heddle.disassemble(nine))
        data = heddle.assemble('OpCapability Kernel\nOpCapability ConstantDataKHR\nOpExtension "SPV_KHR_constant_data"\n'
                               'OpMemoryModel Physical64 OpenCL\nOpDecorate %d SpecId 1\n%u = OpTypeInt 32 0\n'
                               '%n = OpConstant %u 3\n%a = OpTypeArray %u %n\n%d = OpSpecConstantDataKHR %a 1 2 3\n')
        text = heddle.disassemble(heddle.specialize(data, {1: struct.pack('<3I', 7, 0, 9)}))
        self.assertIn('7 0 9', text)
        frozen = heddle.specialize(self.module, {}, freeze=True)
        self.assertIn('OpConstant %uint 7', heddle.disassemble(frozen))

    def test_compile_and_diff(self):
        source = 'kernel void k(global int *p) { p[get_global_id(0)] = BY; }'
        try:
            seven = heddle.compile(source, '-DBY=7', path='k.cl')
        except heddle.Unsupported:
            self.skipTest('no compiler of OpenCL C')
        heddle.check(seven, env='opencl3.0', extensions='all')
        memory = array.array('i', [0] * 4)
        heddle.Program(seven, fast_math=True).run('k', [memory], 4)
        self.assertEqual(list(memory), [7] * 4)
        self.assertEqual(heddle.diff(seven, seven), '')
        text = heddle.diff(seven, heddle.compile(source, ['-cl-std=CL1.2', '-DBY=8']), context=0)
        self.assertIn('- %uint_7 = OpConstant %uint 7\n', text)
        self.assertIn('+ %uint_8 = OpConstant %uint 8\n', text)
        with self.assertRaises(heddle.BadInput) as raised:
            heddle.compile(source, path='k.cl')
        self.assertIn('k.cl:1:', raised.exception.findings[0].message)
        with self.assertRaises(heddle.BadInput):
            heddle.compile(source, '-no-such-option')

    def test_images(self):
        source = '''kernel void flip(read_only image2d_t in, sampler_t s, write_only image2d_t out) {
            int2 at = (int2)(get_global_id(0), get_global_id(1));
            write_imagef(out, at, read_imagef(in, s, at).wzyx); }'''
        try:
            program = heddle.Program(heddle.compile(source))
        except heddle.Unsupported:
            self.skipTest('no compiler of OpenCL C')
        texels, out = bytearray(range(32)), bytearray(32)
        arguments = [heddle.Image(texels, (4, 2)), heddle.Sampler(),
                     heddle.Image(out, (4, 2), heddle.ChannelOrder.RGBA,
                                  heddle.ChannelType.UNORM_INT8)]
        flipped = b''.join(bytes(texels[i:i + 4][::-1]) for i in range(0, 32, 4))
        program.run('flip', arguments, (4, 2))
        self.assertEqual(out, flipped)
        out[:] = bytes(32)
        checker = heddle.Checker()
        checker.run(program, 'flip', arguments, (4, 2))
        self.assertEqual((out, checker.defects), (flipped, []))
        with self.assertRaises(heddle.BadInput):
            program.run('flip', [heddle.Image(texels, (32,)), *arguments[1:]], (4, 2))
        with self.assertRaises(TypeError):
            program.run('flip', [heddle.Image(b'constant', (1, 1)), *arguments[1:]], (4, 2))

    def test_counted(self):
        silent, checker = heddle.Checker(), heddle.Checker(counts=True)
        program, cell = heddle.Program(self.module), bytearray(4)
        for c in (silent, checker):
            c.run(program, 'add', [cell], 3, local_size=1)
            c.run(program, 'add', [cell], 5, threads=2)
        self.assertEqual((silent.counts, silent.lines, silent.branches), ([], {}, []))
        kernel, = checker.counts
        self.assertEqual((kernel.kernel, kernel.launches, kernel.work_items, kernel.instructions), ('add', 2, 8, 32))
        self.assertEqual(list(kernel.opcodes.items()), [('OpIAdd', 8), ('OpLoad', 8), ('OpReturn', 8), ('OpStore', 8)])
        self.assertEqual(kernel.bytes, {'CrossWorkgroup': heddle.Bytes(32, 32, 0)})
        self.assertEqual([(i.opcode, i.function, i.count) for i in kernel.code],
                         [(name, 'add', 8) for name in ('OpLoad', 'OpIAdd', 'OpStore', 'OpReturn')])
        self.assertEqual(list(checker.lines.values()), [8] * 4)
        self.assertEqual({source for source, _ in checker.lines}, {'module.spvasm'})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'add.info')
            checker.write_coverage(path)
            with open(path) as f:
                lines = f.read().splitlines()
            self.assertEqual(sum(line.endswith(',8') for line in lines if line.startswith('DA:')), 4)
            self.assertTrue(os.path.exists(next(line[3:] for line in lines if line.startswith('SF:'))))
            with self.assertRaises(heddle.Error):
                checker.write_coverage(os.path.join(folder, 'nowhere/add.info'))

    def test_observed(self):
        class Recorder(heddle.Observer):
            def __init__(self):
                self.told, self.fails = [], False

            def group_begins(self, group):
                self.told.append((group.launch.kernel, group.launch.global_size, group.id, group.size))
                group.data = []

            def instruction(self, group, instruction):
                group.data.append((instruction.opcode, len(instruction.items)))

            def access(self, group, instruction, access):
                group.data.append((access.kind, access.storage, access.bytes, instruction.opcode, sorted(access.addresses.items())))
                if self.fails:
                    raise KeyError('mine')

            def group_ends(self, group):
                self.told.append(group.data)

        recorder = Recorder()
        program, cell = heddle.Program(self.module), bytearray(4)
        at = ctypes.addressof((ctypes.c_char * 4).from_buffer(cell))
        checker = heddle.Checker(observer=recorder)
        checker.run(program, 'add', [cell], 2, local_size=1, threads=1)
        group = [('OpLoad', 1), (heddle.AccessKind.LOAD, 'CrossWorkgroup', 4, 'OpLoad', [(0, at)]), ('OpIAdd', 1), ('OpStore', 1),
                 (heddle.AccessKind.STORE, 'CrossWorkgroup', 4, 'OpStore', [(0, at)]), ('OpReturn', 1)]
        self.assertEqual(recorder.told, [('add', (2,), (0,), (1,)), group, ('add', (2,), (1,), (1,)), group])
        recorder.fails = True
        with self.assertRaises(KeyError):
            checker.run(program, 'add', [cell], 2, local_size=1, threads=1)
        self.assertEqual(cell[0], 4 * 7)
        recorder.fails = False
        checker.run(program, 'add', [cell], 64, local_size=1, threads=2)
        self.assertEqual(len(recorder.told), 2 * (2 + 2 + 64))

    def test_checked(self):
        checker = heddle.Checker()
        program = heddle.Program(self.module)
        cell = bytearray(4)
        self.assertEqual(checker.run(program, 'add', [cell], 1), '')
        self.assertEqual((checker.defects, cell[0]), ([], 7))
        checker.run(program, None, [cell], 2, local_size=2, seconds=60, seed=3)
        defect, = checker.defects
        self.assertEqual((defect.rule, defect.severity, defect.kernel),
                         ('check.race', heddle.Severity.ERROR, 'add'))
        self.assertIn('Op', defect.place.instruction)
        self.assertEqual(defect.other_place.function, 'add')
        self.assertIn('[check.race]', str(defect))
        self.assertIn('check.race', checker.report())
        self.assertIn('"ruleId"', checker.report(heddle.Form.SARIF))
        small = heddle.Checker()
        small.run(program, 'add', [bytearray(2)], 1)
        self.assertEqual([d.rule for d in small.defects], ['check.out-of-bounds'] * 2) # a load, a store
        self.assertEqual(small.defects[0].item.global_id, (0, 0, 0))
        empty = heddle.Checker()
        empty.memory(cell, 'cell', undefined=True)
        empty.run(program, 'add', [cell], 1)
        self.assertEqual(empty.defects, []) # it only passes on that there is no value
        empty.reads(cell)
        self.assertEqual([d.rule for d in empty.defects], ['check.uninitialised'])
        self.assertIn('cell', empty.defects[0].message)
        empty.wrote(cell)
        empty.run(program, 'add', [cell], 1)
        empty.reads(cell)
        self.assertEqual(len(empty.defects), 1)
        gone = heddle.Checker()
        gone.memory(cell)
        gone.forget(cell)
        gone.run(program, 'add', [cell], 1)
        self.assertEqual(gone.defects, []) # run() declares what it is given
        with self.assertRaises(heddle.BadInput):
            empty.run(program, 'add', [], 1)
        with self.assertRaises(TypeError):
            empty.memory(b'constant')

    def test_run(self):
        program = heddle.Program(self.module, {3: struct.pack('<I', 9)})
        self.assertEqual(program.kernels, ['add'])
        cell = bytearray(struct.pack('<I', 40))
        for interpreted in False, True:
            self.assertEqual(program.run(None, [cell], 1, interpreted=interpreted, threads=1), '')
        self.assertEqual(struct.unpack('<I', cell), (58,))
        numbers = array.array('I', [1, 2])
        program.run('add', [memoryview(numbers)[1:]], (1, 1), local_size=(1, 1))
        self.assertEqual(list(numbers), [1, 11])
        rows = memoryview(numbers).cast('B').cast('I', (1, 2))
        program.run('add', [rows], 1)
        self.assertEqual(list(numbers), [10, 11])
        program.run('add', [rows[:0]], 0)  # no rows, as NumPy's empty arrays are
        for kernel, arguments, sizes in ((None, [], 1), ('sub', [cell], 1), (None, [b'1234'], 1), (None, [heddle.Local(4)], 1)):
            with self.assertRaises(heddle.BadInput):
                program.run(kernel, arguments, sizes)
        for sizes, local in (((), None), ((1, 1, 1, 1), None), (1, (1, 1))):
            with self.assertRaises(ValueError):
                program.run(None, [cell], sizes, local_size=local)
        with self.assertRaises(ValueError):
            program.run(None, [memoryview(numbers)[::-1]], 1)
        with self.assertRaises(heddle.BadInput):
            heddle.Program(heddle.assemble(WRONG, version='1.2'))

    def test_wrong_arguments(self):
        """What ctypes would take for another number, or the library for memory, is refused; nothing is launched."""
        program, cell = heddle.Program(self.module), bytearray(64)
        for arguments, sizes, named, why in (
                ([cell], -1, {}, 'global_size must be from 0 to 2**64 - 1, not -1'),
                ([cell], 2**64 + 1, {}, 'global_size must be from 0'), ([cell], 1.0, {}, 'global_size must be an integer, not float'),
                ([cell], (1, '1'), {}, 'global_size must be an integer, not str'), ([cell], 1, {'local_size': -1}, 'local_size must be from 0'),
                ([cell], 1, {'global_offset': 2**64}, 'global_offset must be from 0'),
                ([cell], 1, {'subgroup_size': 2**32 + 8}, 'subgroup_size must be from 0 to 2**32 - 1'),
                ([cell], 1, {'threads': -1}, 'threads must be from 0'), ([3], 1, {}, 'argument 0 must be bytes or memory, not int'),
                ([b''], 1, {}, 'argument 0 has no bytes'), ([heddle.Local(-4)], 1, {}, 'the size of local memory must be from 0'),
                ([heddle.Image(cell, (2**32 + 1,))], 1, {}, "an image's size must be from 0")):
            with self.assertRaises((TypeError, ValueError)) as caught:
                program.run('add', arguments, sizes, **named)
            self.assertIn(why, str(caught.exception))
        with self.assertRaisesRegex(TypeError, 'the name of a kernel must be a str, not bytes'):
            program.run(b'add', [cell], 1)
        for call, why in ((lambda: heddle.validate(self.module, threads=-1), 'threads must be from 0'),
                          (lambda: heddle.validate(self.module, limit=2**64), 'limit must be from 0'),
                          (lambda: heddle.specialize(self.module, {2**32 + 3: b'1234'}), 'a SpecId must be from 0'),
                          (lambda: heddle.Program(self.module, {-1: b'1234'}), 'a SpecId must be from 0'),
                          (lambda: heddle.Checker().run(program, 'add', [cell], 1, seconds=-1), 'seconds must be from 0'),
                          (lambda: heddle.Checker().run(program, 'add', [cell], 1, seed=2**64), 'seed must be from 0')):
            with self.assertRaisesRegex(ValueError, why):
                call()
        self.assertEqual(cell, bytes(64))

    def test_shaders(self):
        def program(name, constants=None):
            with open(os.path.join(ROOT, 'tests/shaders', name + '.spvasm'), encoding='utf-8') as f:
                return heddle.Program(heddle.assemble(f.read(), version='1.5'), constants)

        shown = program('shown')
        self.assertEqual(shown.local_size(), (8, 4, 1))
        self.assertEqual([(b.kind.name, b.set, b.binding, b.elements, b.name, b.fixed_size, b.stride, b.is_used)
                          for b in shown.bindings('main')],
                         [('STORAGE_BUFFER', 0, 0, 2, 'xs', 0, 16, True), ('STORAGE_BUFFER', 0, 1, 0, 'Y', 16, 4, True),
                          ('STORAGE_BUFFER', 0, 2, 0, 'Z', 4, 0, False), ('UNIFORM_BUFFER', 1, 0, 0, 'U', 8, 0, True),
                          ('PUSH_CONSTANTS', 0, 0, 0, 'P', 8, 0, True)])
        self.assertEqual([b.is_writeonly for b in shown.bindings()], [False, False, True, False, False])
        with self.assertRaises(ValueError):
            shown.bindings('other')
        with self.assertRaises(heddle.BadInput):
            shown.dispatch('main', {}, 1)
        unbound = program('unbound_access')
        b = array.array('I', [0] * 16)
        for mode, which, told in ((3, 2, "binding 0.0[2] 'many'"), (2, 0, "binding 0.2 'C'"), (13, 0, None)):
            given = {(0, 0, 0): array.array('I', [0] * 400), (0, 1): b, (0, 2): None, (0, 3): None}
            push = struct.pack('<2I', mode, which)
            if told is None:
                unbound.dispatch(None, given, 1, push=push)
                self.assertEqual(list(b), [7] * 16)
                continue
            with self.assertRaises(heddle.BadInput) as raised:
                unbound.dispatch(None, given, 1, push=push)
            self.assertEqual(raised.exception.findings[0].rule, 'launch.unbound')
            self.assertIn(told, raised.exception.findings[0].message)
        for sync, found in ((0, [('check.race', 'many[1]', 'byte 8 of shared memory')]), (1, [])):
            races = program('shared_races', {0: (3).to_bytes(4, 'little'), 1: (8).to_bytes(4, 'little'),
                                             2: bytes([sync])})
            checker = heddle.Checker()
            checker.dispatch(races, None, {(0, 0): array.array('I', [0] * 8)}, 1, subgroup_size=8)
            self.assertEqual([(d.rule, d.variable, d.memory[:len('byte 8 of shared memory')]) for d in checker.defects], found)

    def test_run_arguments(self):
        """A value, local memory and printf: out[0] = tile[0] = n, printed."""
        text = TEXT.replace('OpEntryPoint', '%std = OpExtInstImport "OpenCL.std"\nOpEntryPoint', 1)
        text = text.replace('OpCapability Linkage\n', 'OpCapability Linkage\nOpCapability Int8\n')
        head, _ = text.split('%fn = OpTypeFunction')
        head = head.replace('%std = OpExtInstImport "OpenCL.std"\n', '').replace(
            'OpMemoryModel', '%std = OpExtInstImport "OpenCL.std"\nOpMemoryModel')
        module = heddle.assemble(head + """%u8 = OpTypeInt 8 0
%local = OpTypePointer Workgroup %u32
%n4 = OpConstant %u32 4
%c0 = OpConstant %u8 37
%c1 = OpConstant %u8 117
%c2 = OpConstant %u8 10
%c3 = OpConstant %u8 0
%chars = OpTypeArray %u8 %n4
%format = OpConstantComposite %chars %c0 %c1 %c2 %c3
%pchars = OpTypePointer UniformConstant %chars
%pchar = OpTypePointer UniformConstant %u8
%text = OpVariable %pchars UniformConstant %format
%fn = OpTypeFunction %void %ptr %local %u32
%seven = OpSpecConstant %u32 7
%k = OpFunction %void None %fn
%p = OpFunctionParameter %ptr
%tile = OpFunctionParameter %local
%n = OpFunctionParameter %u32
%entry = OpLabel
OpStore %tile %n Aligned 4
%back = OpLoad %u32 %tile Aligned 4
%f = OpBitcast %pchar %text
%r = OpExtInst %u32 %std printf %f %back
OpStore %p %back Aligned 4
OpReturn
OpFunctionEnd
""", version='1.2')
        out = array.array('I', [0])
        for value in ctypes.c_uint32(77), struct.pack('<I', 77):
            self.assertEqual(heddle.Program(module).run('add', [out, heddle.Local(4), value], 1), '77\n')
            self.assertEqual(out.pop(), 77)
            out.append(0)

    def test_lower(self):
        text = TEXT.replace('OpMemoryModel', 'OpCapability ExpectAssumeKHR\n'
                            'OpExtension "SPV_KHR_expect_assume"\nOpMemoryModel').replace(
            'OpStore %p %new', '%hot = OpExpectKHR %u32 %new %seven\nOpStore %p %hot')
        module = heddle.assemble(text, version='1.2')
        with self.assertRaises(heddle.BadInput):
            heddle.check(module, env='opencl3.0')
        lowered = heddle.lower(module)
        heddle.check(lowered, env='opencl3.0')
        self.assertNotIn('Expect', heddle.disassemble(lowered))

    def test_module(self):
        module = heddle.Module(self.module)
        self.assertEqual(module.header.version, 0x00010200)
        self.assertEqual([(e.name, e.execution_model) for e in module.entry_points], [('add', 6)])
        function, = module.functions
        self.assertEqual(module.name(function.id), 'add')
        self.assertEqual((function.parameter_count, function.block_count), (1, 1))
        names = [i.name for i in module.instructions_of(function)]
        self.assertEqual((names[0], names[-1], len(names)), ('OpFunction', 'OpFunctionEnd', 8))
        self.assertEqual(sum(len(i.words) for i in module) * 4 + 20, len(self.module))
        constant = next(i for i in module if i.name == 'OpSpecConstant')
        self.assertEqual([(o.kind.name, o.value) for o in constant.operands][2:], [('INTEGER', 7)])
        load = next(i for i in module if i.name == 'OpLoad')
        self.assertEqual([o.kind.name for o in load.operands],
                         ['ID', 'ID', 'ID', 'MASK', 'INTEGER'])
        self.assertEqual(module.definition(load.type).name, 'OpTypeInt')
        self.assertIn('OpLoad %', str(load))
        pointer = next(i for i in module if i.name == 'OpTypePointer')
        self.assertEqual((pointer.operands[1].text, pointer.operands[1].category),
                         ('CrossWorkgroup', 'StorageClass'))
        self.assertIsNone(module.definition(10**6))
        with self.assertRaises(heddle.BadInput):
            heddle.Module(b'nonsense' * 4)

    def test_first_tries(self):
        """What people try first: text for a module, options in a list, objects that are printed."""
        text = heddle.disassemble(self.module)
        again = heddle.assemble(text)
        self.assertEqual((again[:8], again[12:]), (self.module[:8], self.module[12:]))
        self.assertEqual(heddle.assemble(text, version='1.5')[4:8], struct.pack('<I', 0x00010500))
        for wrong in text, 3:
            for use in heddle.Program, heddle.Module, heddle.validate, heddle.disassemble:
                with self.assertRaisesRegex(TypeError, 'a module is bytes, .*not ' + type(wrong).__name__):
                    use(wrong)
        program, checker, data = heddle.Program(self.module), heddle.Checker(), array.array('I', [1])
        self.assertEqual(repr(program), '<heddle.Program with add>')
        self.assertEqual(repr(heddle.Module(self.module)), '<heddle.Module of SPIR-V 1.2 with add>')
        with self.assertRaisesRegex(heddle.BadInput, 'in Python it is a writable buffer'):
            program.run('add', [data.tobytes()], 1)
        checker.run(program, 'add', [data], 2)
        self.assertRegex(repr(checker), '^<heddle.Checker: 1 error, 0 notes>$')
        self.assertIn('check.race', str(checker))
        self.assertTrue(checker._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;'))
        self.assertEqual(str(heddle.Checker()), '<heddle.Checker: 0 errors, 0 notes>')

    def test_versions(self):
        with open(os.path.join(ROOT, 'python/pyproject.toml')) as f:
            project = f.read()
        self.assertIn(f'version = "{heddle.__version__}"', project)
        self.assertEqual(heddle.library_version(), heddle.__version__)
        self.assertEqual(sorted(heddle.__all__), sorted(set(heddle.__all__)))
        for name in heddle.__all__:
            self.assertTrue(getattr(heddle, name).__doc__, name)

    def test_readme(self):
        """README's examples, the first with a file of its own."""
        with open(os.path.join(ROOT, 'python/README.md')) as f:
            code, run, checked, shader = (part.split('```')[0] for part in f.read().split('```python\n')[1:])
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'kernel.spvasm'), 'w') as f:
                f.write(TEXT)
            shown = io.StringIO()
            with contextlib.redirect_stdout(shown):
                exec(code.replace('kernel.spvasm', os.path.join(folder, 'kernel.spvasm')), {})
        self.assertIn("add ['OpFunction', 'OpFunctionParameter'", shown.getvalue())
        try:
            heddle.compile('')
        except heddle.Unsupported:
            return
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(run + checked, {})
        lines = shown.getvalue().splitlines()
        self.assertEqual(lines[0], '[1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5]')
        self.assertEqual(len(lines), 4) # two reads and a write
        self.assertTrue(all('[check.out-of-bounds] (8, 0, 0)' in line for line in lines[1:]), lines)
        if shutil.which('glslc'):
            self.readme_shader(shader)

    def readme_shader(self, code):
        """That of README, whose module glslc makes."""
        shown = io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            module = os.path.join(folder, 'flip.spv')
            subprocess.run(['glslc', '-g', os.path.join(ROOT, 'examples/readme/flip.comp'), '-o', module], check=True)
            with contextlib.redirect_stdout(shown):
                exec('import array, heddle\n' + code.replace('flip.spv', module), {})
        lines = shown.getvalue().splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn('a read of 4 bytes races with a write by another invocation of the workgroup [check.race]', lines[0])

    def test_wheel(self):
        """pip makes a wheel of the folder, which holds the package and what types need."""
        for module in ('pip', 'setuptools', 'wheel'):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f'Python has no {module}')
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, 'python'), os.path.join(folder, 'python'))
            made = subprocess.run([sys.executable, '-m', 'pip', 'wheel', '-q', '--no-deps', '--no-index', '--no-build-isolation', '-w',
                                   folder, os.path.join(folder, 'python')], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            wheel, = glob.glob(os.path.join(folder, 'heddle_spirv-*-py3-none-any.whl'))
            names = zipfile.ZipFile(wheel).namelist()
            for name in ('heddle/__init__.py', 'heddle/_native.py', 'heddle/py.typed'):
                self.assertIn(name, names)
            env = dict(os.environ, PYTHONPATH=wheel)
            out = subprocess.run([sys.executable, '-c', "import heddle; print(len(heddle.assemble('OpNop')))"], env=env, cwd=folder,
                                 capture_output=True, text=True)
            self.assertEqual(out.stdout, '24\n', out.stderr)

    def test_threads(self):
        results = []

        def work():
            for _ in range(20):
                results.append(heddle.validate(heddle.assemble(TEXT)) == [])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [True] * 80)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('--installed', action='store_true')
    options = parser.parse_args()
    if not options.installed:
        library = os.path.join(os.path.abspath(options.build), 'libheddle.so')
        with open(library, 'rb') as f:
            if b'__asan_init' in f.read():  # python itself would have to be sanitized
                print('0 passed, 0 failed, 1 skipped')
                sys.exit(0)
        os.environ['HEDDLE_LIBRARY'] = library
        sys.path.insert(0, os.path.join(ROOT, 'python'))
    sys.dont_write_bytecode = True
    import heddle
    result = unittest.TextTestRunner(stream=sys.stdout).run(
        unittest.defaultTestLoader.loadTestsFromTestCase(PackageTest))
    bad = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    print(f'{result.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped')
    sys.exit(1 if bad else 0)
