#!/usr/bin/env python3
"""Cooperative matrices of random shapes and types in shaders, in every kind of memory: buffers and the memory of work-groups, with
and without explicit layout, through pointers to scalars, to vectors, to other numbers, and untyped ones.

  tests/fuzz/shader_matrices_test.py [--build build] [--count N] [--seed S]

As matrices_test.py, whose products these are. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import random, sys

from engine import random_bytes
from matrices_test import RESULT, Case, main

LANES = 32


class Place:
    """Where a matrix lies: `via` pointers to its numbers ('plain'), to vectors of them, to wider numbers, or untyped; elements
    before it; in a buffer or in `shared` memory: '' (none), 'array', 'block' or 'untyped'."""

    def __init__(self, choice, matrix):
        size = matrix.memory // 8
        self.via = choice.choice(['plain', 'plain', 'vector', 'wide', 'untyped', 'untyped'])
        self.shared = choice.choice(['', '', 'array', 'block', 'untyped'])
        if self.shared:
            self.via = {'array': 'plain', 'block': self.via, 'untyped': 'untyped'}[self.shared]
        if self.via == 'wide' and size > 4:
            self.via = 'plain'
        self.unit = {'plain': 1, 'untyped': 1, 'vector': choice.choice([2, 4]), 'wide': max(1, 4 // size)}[self.via]
        matrix.stride += -matrix.stride % self.unit
        self.first = choice.choice([0, 0, 1, 3]) * self.unit

    def element(self, name):
        """What the array that holds the matrix is made of."""
        return {'plain': name, 'untyped': name, 'vector': 'v%d%s' % (self.unit, name), 'wide': 'i32'}[self.via]


class ShaderCase(Case):
    def __init__(self, seed):
        super().__init__(seed)
        choice = random.Random(seed ^ 0x5a5a)
        self.places = [Place(choice, m) for m in self.m]
        self.is_spec = choice.random() < 0.3
        shared = {p.shared for p in self.places}
        if 'array' in shared and shared - {'', 'array'}:  # all Workgroup variables are blocks or none is
            for p in self.places:
                p.shared = '' if p.shared == 'array' else p.shared
        if self.after == 'nothing':
            self.after = choice.choice(['nothing', 'array', 'record'])

    def count(self, i):
        """Units of the array that matrix i lies in."""
        x, p = self.m[i], self.places[i]
        return p.first // p.unit + -(-x.elements() // p.unit)

    def scalar(self, i):
        return self.m[i].number.name if i == RESULT else 'i%d' % self.m[i].memory

    def bytes_of(self, i):
        return self.m[i].memory // 8 * self.places[i].unit

    def array(self, i):
        return self.places[i].element(self.scalar(i))

    def interface(self):
        return ' '.join(['%id'] + ['%%b%d' % i for i in range(4)] + ['%%s%d' % i for i in range(4) if self.places[i].shared])

    def annotations(self):
        lines = ['OpDecorate %id BuiltIn LocalInvocationIndex']
        for i, p in enumerate(self.places):
            lines += ['OpDecorate %%r%d ArrayStride %d' % (i, self.bytes_of(i)), 'OpMemberDecorate %%t%d 0 Offset 0' % i,
                      'OpDecorate %%t%d Block' % i, 'OpDecorate %%b%d DescriptorSet 0' % i, 'OpDecorate %%b%d Binding %d' % (i, i)]
            if p.shared in ('block', 'untyped'):
                lines += ['OpDecorate %%a%d ArrayStride %d' % (i, self.bytes_of(i)), 'OpMemberDecorate %%ts%d 0 Offset 0' % i,
                          'OpDecorate %%ts%d Block' % i]
                lines += ['OpDecorate %%s%d Aliased' % i] * self.is_aliased()
        return lines

    def is_aliased(self):
        return False

    def memory(self):
        """Types and variables of memory."""
        lines, known = [], set()
        for n in sorted({self.count(i) for i in range(4)} | {p.first // p.unit for p in self.places} | {LANES, 264} |
                        {x.stride // p.unit * (x.memory // 8 if p.via == 'untyped' else 1) for x, p in zip(self.m, self.places)}):
            lines.append('%%n%d = OpConstant %%i32 %d' % (n, n))
        for i, p in enumerate(self.places):
            name = self.array(i)
            if name not in known and p.via == 'vector':
                lines.append('%%%s = OpTypeVector %%%s %d' % (name, self.scalar(i), p.unit))
            known.add(name)
        lines += ['%uS = OpTypeUntypedPointerKHR StorageBuffer', '%uW = OpTypeUntypedPointerKHR Workgroup',
                  '%pin = OpTypePointer Input %i32', '%id = OpVariable %pin Input']
        for name in sorted({self.array(i) for i in range(4)}):
            lines += ['%%pS%s = OpTypePointer StorageBuffer %%%s' % (name, name), '%%pW%s = OpTypePointer Workgroup %%%s' % (name, name)]
        for i, p in enumerate(self.places):
            name = self.array(i)
            lines += ['%%r%d = OpTypeRuntimeArray %%%s' % (i, name), '%%t%d = OpTypeStruct %%r%d' % (i, i),
                      '%%pt%d = OpTypePointer StorageBuffer %%t%d' % (i, i)]
            lines += ['%%b%d = OpUntypedVariableKHR %%uS StorageBuffer %%t%d' % (i, i) if p.via == 'untyped' and not p.shared else
                      '%%b%d = OpVariable %%pt%d StorageBuffer' % (i, i)]
            if p.shared:
                lines += ['%%a%d = OpTypeArray %%%s %%n%d' % (i, name, self.count(i))]
                content = 'a%d' % i
                if p.shared != 'array':
                    lines += ['%%ts%d = OpTypeStruct %%a%d' % (i, i)]
                    content = 'ts%d' % i
                lines += ['%%s%d = OpUntypedVariableKHR %%uW Workgroup %%%s' % (i, content) if p.shared == 'untyped' else
                          '%%s%d = OpVariable %%ps%d Workgroup' % (i, i)]
                if p.shared != 'untyped':
                    lines.insert(-1, '%%ps%d = OpTypePointer Workgroup %%%s' % (i, content))
        return lines

    def chain(self, result, i, index, shared, untyped):
        """A pointer to a unit of the array that matrix i lies in."""
        p, block = self.places[i], '%%ts%d' % i if shared else '%%t%d' % i
        member = '' if shared and p.shared == 'array' else '%c0 '
        base, letter = ('%%s%d' % i, 'W') if shared else ('%%b%d' % i, 'S')
        if untyped:
            block = '%%a%d' % i if not member else block
            return '%s = OpUntypedAccessChainKHR %%u%s %s %s %s%s' % (result, letter, block, base, member, index)
        return '%s = OpAccessChain %%p%s%s %s %s%s' % (result, letter, self.array(i), base, member, index)

    def move(self, i, back):
        """All invocations move matrix i from its buffer to shared memory, or back."""
        k, name, p = '%d%s' % (i, 'b' if back else 'f'), self.array(i), self.places[i]
        untyped = {False: p.via == 'untyped' and not p.shared, True: p.shared == 'untyped'}
        return ['OpBranch %%pre%s' % k, '%%pre%s = OpLabel' % k, 'OpBranch %%h%s' % k, '%%h%s = OpLabel' % k,
                '%%x%s = OpPhi %%i32 %%me %%pre%s %%y%s %%c%s' % (k, k, k, k), '%%g%s = OpULessThan %%bool %%x%s %%n%d' % (k, k, self.count(i)),
                'OpLoopMerge %%d%s %%c%s None' % (k, k), 'OpBranchConditional %%g%s %%o%s %%d%s' % (k, k, k), '%%o%s = OpLabel' % k,
                self.chain('%from' + k, i, '%x' + k, back, untyped[back]), '%%z%s = OpLoad %%%s %%from%s' % (k, name, k),
                self.chain('%to' + k, i, '%x' + k, not back, untyped[not back]), 'OpStore %%to%s %%z%s' % (k, k), 'OpBranch %%c%s' % k,
                '%%c%s = OpLabel' % k, '%%y%s = OpIAdd %%i32 %%x%s %%n%d' % (k, k, LANES), 'OpBranch %%h%s' % k, '%%d%s = OpLabel' % k]

    def pointer(self, i):
        p = self.places[i]
        return self.chain('%%q%d' % i, i, '%%n%d' % (p.first // p.unit), bool(p.shared), p.via == 'untyped')

    def stride(self, i):
        x, p = self.m[i], self.places[i]
        return '%%n%d' % (x.stride // p.unit * (x.memory // 8 if p.via == 'untyped' else 1))

    def load(self, i):
        lines = super().load(i)
        lines[0] = lines[0].rsplit(' ', 1)[0] + ' ' + self.stride(i)
        return [self.pointer(i)] + lines

    def finish(self):
        t, n = self.type_of(RESULT), self.m[RESULT].number.name
        if self.after == 'array':
            return ['%one = OpISub %i32 %c1 %c0', '%p = OpAccessChain %var %several %one', 'OpStore %p %v3', '%%w = OpLoad %s %%p' % t]
        if self.after == 'record':
            return ['%y = OpCompositeConstruct %record %v3 %v3', '%%w = OpCompositeExtract %s %%y 1' % t]
        return super().finish()

    def text(self):
        t, scalar, x = self.type_of(RESULT), self.m[RESULT].number.name, self.m[RESULT]
        capabilities = ['Shader', 'VulkanMemoryModel', 'Int8', 'Int16', 'Int64', 'Float16', 'Float64', 'CooperativeMatrixKHR',
                        'StorageBuffer8BitAccess', 'StorageBuffer16BitAccess', 'UntypedPointersKHR', 'WorkgroupMemoryExplicitLayoutKHR',
                        'WorkgroupMemoryExplicitLayout8BitAccessKHR', 'WorkgroupMemoryExplicitLayout16BitAccessKHR']
        bfloats = any(m.number.kind == 'b' for m in self.m)
        lines = ['OpCapability ' + c for c in capabilities + ['BFloat16TypeKHR', 'BFloat16CooperativeMatrixKHR'] * bfloats]
        lines += ['OpExtension "SPV_KHR_%s"' % x for x in
                  ['cooperative_matrix', 'untyped_pointers', 'workgroup_memory_explicit_layout'] + ['bfloat16'] * bfloats]
        lines += ['OpMemoryModel Logical Vulkan', 'OpEntryPoint GLCompute %%k "k" %s' % self.interface(),
                  'OpExecutionMode %%k LocalSize %d 1 1' % LANES]
        lines += self.annotations() + ['%void = OpTypeVoid', '%bool = OpTypeBool']
        types = [line.replace('OpConstant', 'OpSpecConstant', 1) if self.is_spec and line.startswith('%c') and 'OpConstant ' in line and
                 line.split()[0] not in ('%c0', '%c1', '%c2', '%c3') else line for line in self.types() if 'CrossWorkgroup' not in line]
        lines += types + self.memory()
        lines += ['%%var = OpTypePointer Function %s' % t, '%%part = OpTypePointer Function %%%s' % scalar, '%fn = OpTypeFunction %void',
                  '%%row = OpTypeArray %s %%c3' % t, '%prow = OpTypePointer Function %row', '%%record = OpTypeStruct %s %s' % (t, t),
                  '%%fs = OpTypeFunction %s %%var %s' % (t, t)]
        if self.after in ('add', 'construct'):
            lines += ['%%two = OpConstant %%%s %s' % (scalar, x.number.constant(2)), '%%twos = OpConstantComposite %s %%two' % t]
        lines += ['%k = OpFunction %void None %fn', '%start = OpLabel']
        lines += ['%from = OpVariable %var Function', '%to = OpVariable %var Function'] * (self.after in ('loop', 'call'))
        lines += ['%several = OpVariable %prow Function'] * (self.after == 'array') + ['%me = OpLoad %i32 %id']
        for i, p in enumerate(self.places):
            lines += self.move(i, False) if p.shared else []
        lines += ['OpControlBarrier %c2 %c2 %n264', 'OpBranch %entry', '%entry = OpLabel']
        lines += [line for i in range(3) for line in self.load(i)]
        lines += ['%%v3 = OpCooperativeMatrixMulAddKHR %s %%v0 %%v1 %%v2 %s' % (t, self.operands())]
        lines += self.finish()
        lines += [self.pointer(3), 'OpCooperativeMatrixStoreKHR %%q3 %%w %%c%d %s' % (x.by_columns, self.stride(3))]
        lines += ['OpControlBarrier %c2 %c2 %n264'] + self.move(3, True) if self.places[3].shared else []
        lines += ['OpReturn', 'OpFunctionEnd', '']
        if self.after == 'call':
            lines += self.callee(t)
        return '\n'.join(lines)

    def callee(self, t):
        text = super().text()
        return text[text.index('%same ='):].replace('%start', '%begin').split('\n')

    def padding(self, i):
        return b'\0' * (self.m[i].memory // 8 * self.places[i].first)

    def buffers(self):
        out = {}
        for i, m in enumerate(self.m):
            size = m.memory // 8
            data = random_bytes(size, m.elements(), self.seed + i) if i < 3 else bytes(size * m.elements())
            data = self.padding(i) + data
            out[(0, i)] = data + bytes(self.count(i) * self.bytes_of(i) - len(data))
        return out

    def result(self, engine, program, width, **how):
        got = engine.dispatch(program, self.buffers(), [1, 1, 1], width, **how)[(0, RESULT)]
        return got[len(self.padding(RESULT)):]


if __name__ == '__main__':
    sys.exit(main(ShaderCase))
