// A switch with many ways to go loads the address it jumps to, and is not repeated before the loop that begins with it:
// the latch comes right before the head.
// RUN: heddle run %s vm --dump asm
// CPU: x86-64-v3
// WIDTHS: 1
// ENGINES: compiled
// CHECK: vm.kernel:
// CHECK-NOT: jmpq
// CHECK: andl{{\s+}}$63
// CHECK-NEXT: movl
// CHECK-NEXT: incl
// CHECK-NEXT: je
// CHECK-NEXT: .LBB
// CHECK: jmpq{{\s+}}*(%
// CHECK-NOT: jmpq
// CHECK: .quad
kernel void vm(global const uint *program, global const int *in, global int *out)
{
    int id = get_global_id(0), pc = 0, fuel = 200, r[8];

    for (int k = 0; k < 8; k++)
        r[k] = in[id * 8 + k];
    while (fuel-- > 0) {
        uint op = program[pc];
        int a = op >> 8 & 7, b = op >> 11 & 7, c = op >> 14 & 7;

        pc = (pc + 1) & 63;
        switch (op & 7) {
        case 0: r[a] = r[b] + r[c]; break;
        case 1: r[a] = r[b] - r[c]; break;
        case 2: r[a] = r[b] * r[c]; break;
        case 3: r[a] = r[b] ^ r[c] >> 3; break;
        case 4: r[a] = op >> 17; break;
        case 5: pc = (pc + (r[b] < r[c])) & 63; break;
        case 6: r[a] = max(r[b], r[c]); break;
        default: r[a] = rotate(r[b], r[c] & 31);
        }
    }
    out[id] = r[0] ^ r[3];
}
