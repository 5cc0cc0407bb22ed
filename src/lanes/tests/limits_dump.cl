// Eight rounds of a tree: the half that adds is a multiple of the width in some of them, fewer than its lanes in others. No
// round has code for all lanes beside code for some.
// RUN: heddle run %s tree --width 8 --global 64 --local 64 --arg u32[64]=range --dump lanes
// WIDTHS: 8
// ENGINES: compiled
// CHECK-NOT: ANY bool
// CHECK: ICMP.ult bool uniform
// CHECK-NOT: ANY bool
// CHECK: ICMP.ult bool uniform
// CHECK-NOT: ANY bool
// CHECK: ICMP.ult bool uniform
// CHECK-NOT: ANY bool
// CHECK: ICMP.ult bool @
// CHECK: ANY bool
// CHECK-NOT: ANY bool
// CHECK: ICMP.ult bool @
// CHECK: ANY bool
// CHECK-NOT: ANY bool
// CHECK: ICMP.eq bool @
// CHECK: ANY bool
// CHECK-NOT: ANY bool
// CHECK: arg 0: u32[64] = 2016,
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void tree(global uint *out)
{
    local uint sums[64];
    uint i = get_local_id(0);

    sums[i] = out[i];
    for (uint half_way = 32; half_way > 0; half_way >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_way)
            sums[i] += sums[i + half_way];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sums[0];
}
