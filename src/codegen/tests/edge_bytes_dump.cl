// Bytes of a small vector, each lane's at a place of its own, are gathered as a word: LLVM fetches bytes one by one, each behind
// a branch.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 16 --local 16 --arg u8[64]=range --arg u8[64]=zeros --arg u32=16 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: masked.{{(gather|scatter)}}.v{{[0-9]+}}i8
// CHECK: arg 1:
kernel void k(global const uchar4 *in, global uchar4 *out, uint n)
{
    uint i = (uint)get_global_id(0), before = i == 0 ? n - 1 : i - 1, after = min(i + 1, n - 1);

    if (i != 2)
        out[before] = in[after];
}
