// Who takes part in an operation of a sub-group: in a function that lanes leave from inside a loop, where cases of a switch
// fall through, behind `continue` and `&&`, and in rounds by key. Each lane counts what it expects from local memory, and stores how
// often it is wrong. The last sub-group of a work-group is a partial one.
// RUN: heddle run %s keys --cl -cl-std=CL3.0 --global 105 --local 35 --no-print --arg u32[105]=random:3 --arg u32[105]=fill:9 --expect 1=zeros
// RUN: heddle run %s continued --cl -cl-std=CL3.0 --global 105 --local 35 --no-print --arg u32[105]=random:4 --arg u32[105]=fill:9 --expect 1=zeros
// RUN: heddle run %s called --cl -cl-std=CL3.0 --global 105 --local 35 --no-print --arg u32[105]=random:5 --arg u32[105]=fill:9 --expect 1=zeros
// RUN: heddle run %s falls --cl -cl-std=CL3.0 --global 105 --local 35 --no-print --arg u32[105]=random:6 --arg u32[105]=fill:9 --expect 1=zeros
// RUN: heddle run %s conditions --cl -cl-std=CL3.0 --global 105 --local 35 --no-print --arg u32[105]=random:7 --arg u32[105]=fill:9 --expect 1=zeros
// RUN: heddle run %s halfs --cl -cl-std=CL3.0 --global 105 --local 35 --no-print --arg u32[105]=random:8 --arg u32[105]=fill:9 --expect 1=zeros
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define LANES get_sub_group_size()

/* The numbers of the sub-group's lanes, lane 0 first. */
local uint *share(local uint *all, uint x)
{
    all[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return all + get_local_id(0) - get_sub_group_local_id();
}

kernel void keys(global const uint *in, global uint *wrong)
{
    local uint all[35];
    uint x = in[get_global_id(0)], expected = 0, got = 0, before = 0;
    local uint *of = share(all, x);
    bool is_done = false;

    for (uint j = 0; j < LANES; j++) {
        expected += of[j] % 5 == x % 5 ? of[j] : 0;
        before += j < get_sub_group_local_id() && of[j] % 5 == x % 5;
    }
    while (!is_done) { /* with `break` the operations would come after the loop */
        if (sub_group_broadcast_first(x % 5) == x % 5) {
            got = sub_group_non_uniform_reduce_add(x);
            before -= sub_group_non_uniform_scan_exclusive_add(1u);
            is_done = true;
        }
    }
    wrong[get_global_id(0)] = (got != expected) + (before != 0);
}

bool adds(uint x, uint round)
{
    return x % 7 > round && !(x >> round & 1);
}

kernel void continued(global const uint *in, global uint *wrong)
{
    local uint all[35];
    uint x = in[get_global_id(0)], bad = 0;
    local uint *of = share(all, x);

    for (uint i = 0; i < x % 7; i++) {
        uint expected = 0;

        if (x >> i & 1)
            continue;
        for (uint j = 0; j < LANES; j++)
            expected += adds(of[j], i) ? of[j] * (i + 1) : 0;
        bad += sub_group_non_uniform_reduce_add(x * (i + 1)) != expected;
    }
    wrong[get_global_id(0)] = bad;
}

/* The round in which a lane leaves. */
uint rounds(uint x)
{
    for (uint i = 0; i < 5; i++)
        if (x >> 2 * i & 1)
            return i;
    return 5;
}

uint leave(uint x, local const uint *of)
{
    uint bad = 0;

    for (uint i = 0; i < 5; i++) {
        uint expected = 0;

        for (uint j = 0; j < LANES; j++)
            expected = max(expected, rounds(of[j]) >= i ? of[j] : 0);
        bad += sub_group_non_uniform_reduce_max(x) != expected;
        if (x >> 2 * i & 1)
            return bad;
    }
    return bad;
}

kernel void called(global const uint *in, global uint *wrong)
{
    local uint all[35];
    uint x = in[get_global_id(0)], bad, together;
    local uint *of = share(all, x);

    bad = leave(x, of);
    together = sub_group_non_uniform_reduce_add(1u); /* all have returned */
    wrong[get_global_id(0)] = bad + (together != LANES);
}

kernel void falls(global const uint *in, global uint *wrong)
{
    local uint all[35];
    uint x = in[get_global_id(0)], bad = 0, first = 0, both = 0;
    local uint *of = share(all, x);

    for (uint j = 0; j < LANES; j++) {
        first ^= of[j] % 4 == 0 ? of[j] : 0;
        both ^= of[j] % 4 <= 1 ? of[j] : 0;
    }
    switch (x % 4) {
    case 0: bad += sub_group_non_uniform_reduce_xor(x) != first; /* fall through */
    case 1: bad += sub_group_non_uniform_reduce_xor(x) != both; break;
    case 2: bad += sub_group_non_uniform_reduce_min(x % 4) != 2; break;
    default: bad += sub_group_non_uniform_all((int)(x % 4 != 3));
    }
    bad += sub_group_non_uniform_reduce_add(1u) != LANES;
    wrong[get_global_id(0)] = bad;
}

kernel void conditions(global const uint *in, global uint *wrong)
{
    local uint all[35];
    uint x = in[get_global_id(0)], odd = 0, other = 0, bad;
    local uint *of = share(all, x);
    bool got;

    for (uint j = 0; j < LANES; j++) {
        odd |= of[j] & 1 && of[j] % 6 == 5;
        other |= !(of[j] & 1) && of[j] & 2 && of[j] % 10 == 6;
    }
    got = (x & 1 && sub_group_non_uniform_any((int)(x % 6 == 5))) ||
          (!(x & 1) && x & 2 && sub_group_non_uniform_any((int)(x % 10 == 6)));
    bad = got != (x & 1 ? odd : x & 2 ? other : 0);
    wrong[get_global_id(0)] = bad;
}

/* Small whole numbers, whose sums are exact. */
kernel void halfs(global const uint *in, global uint *wrong)
{
    local uint all[35];
    uint x = in[get_global_id(0)], bad = 0;
    local uint *of = share(all, x);
    half3 v = (half3)((half)(x % 16), (half)(x % 9) * 0.5h, -1.0h);

    for (uint i = 0; i < x % 4; i++) {
        half sum = 0, least = 99;

        for (uint j = 0; j < LANES; j++) {
            sum += of[j] % 4 > i ? (half)(of[j] % 16) : 0.0h;
            least = of[j] % 4 > i ? fmin(least, (half)(of[j] % 9) * 0.5h) : least;
        }
        bad += sub_group_non_uniform_reduce_add(v.x) != sum;
        bad += sub_group_non_uniform_reduce_min(v.y) != least;
    }
    wrong[get_global_id(0)] = bad;
}
