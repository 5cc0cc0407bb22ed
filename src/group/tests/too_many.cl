// Barriers in so many places, reached from each other in any order, that copies of what follows each would be too many: the
// sub-groups run as fibers instead, and what was cut is in order again.
// RUN: heddle run %s many --global 32 --local 16 --arg 'i32[32]=zeros' --arg 'i32[500]=range' --arg i32=3
// WIDTHS: 1
// CHECK: arg 0: i32[32] = 624752, 624753, 624754, 624755, 624756, 624757, 624758, 624759, 624760, 624761, 624762, 624763, 624764, 624765, 624750, 624751, 624752, 624753, 624754, 624755, 624756, 624757, 624758, 624759, 624760, 624761, 624762, 624763, 624764, 624765, 624750, 624751
#define ONE(k) \
    if ((when[k] + (first >> 8)) % rounds == r) { \
        barrier(CLK_LOCAL_MEM_FENCE); \
        int v = l[(i + k + 1) & 15]; \
        sum += (v ^ first) & 3; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        l[i] = v + k; \
    }
#define TEN(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3) ONE(k + 4) ONE(k + 5) ONE(k + 6) ONE(k + 7) ONE(k + 8) ONE(k + 9)
#define HUNDRED(k) \
    TEN(k) TEN(k + 10) TEN(k + 20) TEN(k + 30) TEN(k + 40) TEN(k + 50) TEN(k + 60) TEN(k + 70) TEN(k + 80) TEN(k + 90)

kernel void many(global int *out, global const int *when, int rounds)
{
    local int l[16];
    int i = get_local_id(0), sum = 0;

    l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = l[(i + 5) & 15];
    for (int r = 0; r < rounds; r++) {
        HUNDRED(0) HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400)
    }
    out[get_global_id(0)] = sum * 1000 + l[i];
}
