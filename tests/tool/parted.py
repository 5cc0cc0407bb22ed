"""Random kernels whose work-items part before operations of sub-groups, for lower_test.py.

What a kernel computes depends on which work-items come to an operation together. It never reads the value of one
that is not there.
SPDX-License-Identifier: MIT
"""
import random

HEAD = ['OpCapability Kernel', 'OpCapability Addresses', 'OpCapability Int64',
        *('OpCapability GroupNonUniform' + c for c in ('', 'Vote', 'Arithmetic', 'Ballot', 'Shuffle', 'Clustered')),
        'OpMemoryModel Physical64 OpenCL', 'OpEntryPoint Kernel %k "k" %gid %sid',
        'OpDecorate %gid BuiltIn GlobalInvocationId', 'OpDecorate %sid BuiltIn SubgroupLocalInvocationId', '%void = OpTypeVoid',
        '%bool = OpTypeBool', '%u32 = OpTypeInt 32 0', '%u64 = OpTypeInt 64 0', '%f32 = OpTypeFloat 32',
        '%v3 = OpTypeVector %u64 3', '%v4 = OpTypeVector %u32 4', '%pin = OpTypePointer Input %v3',
        '%pid = OpTypePointer Input %u32', '%ptr = OpTypePointer CrossWorkgroup %u32', '%kfn = OpTypeFunction %void %ptr',
        '%ffn = OpTypeFunction %u32 %u32 %u32 %u32', *(f'%c{n} = OpConstant %u32 {n}' for n in range(40)), '%c272 = OpConstant %u32 272',
        '%c1000 = OpConstant %u32 1000', '%gid = OpVariable %pin Input', '%sid = OpVariable %pid Input']
REDUCTIONS = ('IAdd', 'IMul', 'UMin', 'SMax', 'UMax', 'SMin', 'BitwiseAnd', 'BitwiseOr', 'BitwiseXor')


class Kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.ids, self.label = [], 0, ''
        self.merges = self.r.random() < 0.5
        self.functions = self.r.randrange(3)
        self.loops = []  # each: edges that leave it, edges to its end

    def new(self, prefix='t'):
        self.ids += 1
        return f'%{prefix}{self.ids}'

    def value(self, words):
        name = self.new()
        self.lines.append(f'{name} = {words}')
        return name

    def place(self, label):
        self.lines.append(f'{label} = OpLabel')
        self.label = label

    def go(self, label):
        self.lines.append(f'OpBranch {label}')

    def part(self, condition, yes, no, merge=None):
        if merge and self.merges:
            self.lines.append(f'OpSelectionMerge {merge} None')
        self.lines.append(f'OpBranchConditional {condition} {yes} {no}')

    def phi(self, edges, i):
        return self.value('OpPhi %u32 ' + ' '.join(f'{values[i]} {label}' for label, values in edges))

    def condition(self, x):
        bit = self.value(f'OpShiftRightLogical %u32 {x} %c{self.r.randrange(6)}')
        bit = self.value(f'OpBitwiseAnd %u32 {bit} %c{self.r.choice((1, 1, 3, 7))}')
        return self.value(f'OpINotEqual %bool {bit} %c0')

    # Each statement takes and gives the values x and y.
    def arithmetic(self, x, y):
        mixed = self.value(f'OpIMul %u32 {x} %c{self.r.choice((3, 5, 7, 13, 29))}')
        mixed = self.value(f'OpIAdd %u32 {mixed} {y}')
        high = self.value(f'OpShiftRightLogical %u32 {mixed} %c{self.r.randrange(3, 17)}')
        return self.value(f'OpBitwiseXor %u32 {mixed} {high}'), x

    def ballot(self):
        yes = self.value('OpIEqual %bool %c1 %c1')
        return self.value(f'OpGroupNonUniformBallot %v4 %c3 {yes}')

    def operation(self, x, y):
        op = 'OpGroupNonUniform'
        kind = self.r.randrange(11)
        scan = self.r.choice(('Reduce', 'InclusiveScan', 'ExclusiveScan'))
        if kind < 4:
            got = self.value(f'{op}{self.r.choice(REDUCTIONS)} %u32 %c3 {scan} {x}')
        elif kind == 4:
            got = self.value(f'{op}{self.r.choice(REDUCTIONS)} %u32 %c3 ClusteredReduce {x} %c4')
        elif kind == 5:
            got = self.value(f'{op}BallotBitCount %u32 %c3 {scan} {self.ballot()}')
        elif kind == 6:
            first = self.value(f'{op}BroadcastFirst %u32 %c3 %lane')
            got = self.value(f'{op}{self.r.choice(("Shuffle", "Broadcast"))} %u32 %c3 {x} {first}')
        elif kind == 7:
            bit = self.r.choice(('%c1', '%c2'))
            other = self.value(f'OpBitwiseXor %u32 %lane {bit}')
            there = self.value(f'{op}BallotBitExtract %bool %c3 {self.ballot()} {other}')
            got = self.value(f'{op}ShuffleXor %u32 %c3 {x} {bit}')
            got = self.value(f'OpSelect %u32 {there} {got} %c0')
        elif kind == 8:
            few = self.value(f'OpBitwiseAnd %u32 {x} %c7')
            few = self.value(f'OpConvertUToF %f32 {few}')
            got = self.value(f'{op}{self.r.choice(("FAdd", "FMin", "FMax"))} %f32 %c3 {self.r.choice(("Reduce", "InclusiveScan"))} {few}')
            got = self.value(f'OpBitcast %u32 {got}')
        else:
            vote = self.condition(x)
            got = self.r.choice((f'All %bool %c3 {vote}', f'Any %bool %c3 {vote}', f'AllEqual %bool %c3 {y}', 'Elect %bool %c3',
                                 f'Logical{self.r.choice(("And", "Or", "Xor"))} %bool %c3 {scan} {vote}'))
            got = self.value(op + got)
            got = self.value(f'OpSelect %u32 {got} %c29 %c3')
        return self.value(f'OpIAdd %u32 {x} {got}'), self.value(f'OpBitwiseXor %u32 {y} {got}')

    def branch(self, x, y, depth):
        yes, no, end = (self.new('l') for _ in range(3))
        condition, edges = self.condition(x), []
        self.part(condition, yes, no, end)
        for arm in (yes, no):
            self.place(arm)
            values = self.body(x, y, depth - 1) if arm == yes or self.r.random() < 0.5 else (x, y)
            if values:
                edges.append((self.label, values))
                self.go(end)
        self.place(end)
        if not edges:
            self.lines.append('OpUnreachable')
            return None
        return self.phi(edges, 0), self.phi(edges, 1)

    def loop(self, x, y, depth, barrier=False):
        head, first, last, end = (self.new('l') for _ in range(4))
        rounds = '%c3'
        if not barrier:
            rounds = self.value(f'OpBitwiseAnd %u32 {x} %c3')
        before, at = self.label, len(self.lines)
        px, py, pi, nx, ny, ni = (self.new() for _ in range(6))
        self.go(head)
        self.place(head)
        self.lines += [f'{p} = OpPhi %u32 {v} {before} {n} {last}' for p, v, n in ((px, x, nx), (py, y, ny), (pi, '%c0', ni))]
        more = self.value(f'OpULessThan %bool {pi} {rounds}')
        leaves, ends = [(head, (px, py))], []
        if self.merges:
            self.lines.append(f'OpLoopMerge {end} {last} None')
        self.lines.append(f'OpBranchConditional {more} {first} {end}')
        self.place(first)
        self.loops.append((leaves, ends, end, last, barrier))
        values = self.body(px, py, depth - 1)
        self.loops.pop()
        if values:
            if barrier:
                self.lines.append('OpControlBarrier %c2 %c2 %c272')
            ends.append((self.label, values))
            self.go(last)
        self.place(last)
        if ends:
            self.lines += [f'{n} = OpPhi %u32 ' + ' '.join(f'{v[i]} {label}' for label, v in ends) for i, n in enumerate((nx, ny))]
        else:
            self.lines += [f'{nx} = OpCopyObject %u32 {px}', f'{ny} = OpCopyObject %u32 {py}']
        self.lines.append(f'{ni} = OpIAdd %u32 {pi} %c1')
        self.go(head)
        self.place(end)
        return self.phi(leaves, 0), self.phi(leaves, 1)

    def jump(self, x, y):
        """Leave the loop, go to its end, or return; None: there is no loop to leave."""
        leaves, ends, end, last, barrier = self.loops[-1] if self.loops else (None, None, None, None, True)
        if barrier:
            if self.label_of_function == '%k':
                return False
            self.lines.append(f'OpReturnValue {x}')
        elif self.r.random() < 0.6:
            leaves.append((self.label, (x, y)))
            self.go(end)
        else:
            ends.append((self.label, (x, y)))
            self.go(last)
        return True

    def body(self, x, y, depth):
        for _ in range(self.r.randrange(1, 4)):
            kind = self.r.random()
            if kind < 0.15:
                x, y = self.arithmetic(x, y)
            elif kind < 0.5 or depth == 0:
                x, y = self.operation(x, y)
            elif kind < 0.7:
                values = self.branch(x, y, depth)
                if not values:
                    return None
                x, y = values
            elif kind < 0.85:
                x, y = self.loop(x, y, depth)
            elif self.calls:
                x, y = self.value(f'OpFunctionCall %u32 %f{self.r.choice(self.calls)} {x} {y} %lane'), x
            if depth < 3 and self.r.random() < 0.15 and self.jump(x, y):
                return None
        return x, y

    def text(self):
        for i in range(self.functions):
            self.label_of_function, self.calls = f'%f{i}', list(range(i))
            self.lines += [f'%f{i} = OpFunction %u32 None %ffn', f'%x{i} = OpFunctionParameter %u32',
                           f'%y{i} = OpFunctionParameter %u32', '%lane = OpFunctionParameter %u32']
            at = len(self.lines)
            self.place(self.new('l'))
            values = self.body(f'%x{i}', f'%y{i}', 2)
            if values:
                self.lines.append(f'OpReturnValue {self.value(f"OpIAdd %u32 {values[0]} {values[1]}")}')
            self.lines.append('OpFunctionEnd')
            self.lines[at - 1:] = [line.replace('%lane', f'%lane{i}') for line in self.lines[at - 1:]]
        self.label_of_function, self.calls = '%k', list(range(self.functions))
        self.lines += ['%k = OpFunction %void None %kfn', '%out = OpFunctionParameter %ptr']
        self.place(self.new('l'))
        self.lines += ['%gids = OpLoad %v3 %gid Aligned 32', '%g = OpCompositeExtract %u64 %gids 0', '%lane = OpLoad %u32 %sid Aligned 4',
                       '%g32 = OpUConvert %u32 %g', '%x = OpIMul %u32 %g32 %c1000']
        x, y = self.arithmetic('%x', '%lane')
        for _ in range(self.r.randrange(1, 4)):
            if self.r.random() < 0.3:
                x, y = self.loop(x, y, 2, barrier=True)
            else:
                x, y = self.body(x, y, 3)
        self.lines += [f'%end = OpBitwiseXor %u32 {x} {y}', '%at = OpInBoundsPtrAccessChain %ptr %out %g', 'OpStore %at %end Aligned 4',
                       'OpReturn', 'OpFunctionEnd']
        return '\n'.join(HEAD + self.lines) + '\n'


def kernel(seed):
    return Kernel(seed).text()
