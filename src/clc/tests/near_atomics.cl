// Atomics in a row that each work-item has in one line of memory, more than go together, one that lies far away; by
// work-items at many places, and all at one.
// RUN: heddle run %s --global 100 --local 50 --arg u32[100]=fill:50 --arg u32[100]=fill:50
// CHECK: arg 0: u32[100] = 882, 67, 96, 383, 0, 33, 18, 50, 1714, 101, 50, 50, 933, 67, 99, 383, 3, 33, 17, 48, 1816, 101, 50, 50, 884, 67, 98, 383, 2, 33, 48, 48, 1718, 101, 50, 50, 834, 66, 93, 383, 5, 34, 18, 50, 1618, 98, 50, 50, 50, 50, 882, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 933, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 884, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 834, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50
// CHECK: arg 1: u32[100] = 1275, 100, 50, 511, 0, 0, 51, 48, 2500, 200, 50, 50, 3775, 100, 99, 511, 50, 0, 51, 48, 7500, 200, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 1275, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 3775, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50
void count(volatile global uint *s, uint i)
{
    atomic_add(&s[0], i);
    atomic_inc(&s[1]);
    atomic_max(&s[2], i);
    atomic_or(&s[3], 1u << i % 9);
    atomic_min(&s[4], i);
    atomic_dec(&s[5]);
    atomic_xor(&s[6], i);
    atomic_and(&s[7], ~(i & 2));
    atomic_add(&s[8], 2 * i);
    atomic_add(&s[9], 3);
    atomic_add(&s[50], i);
}

kernel void k(volatile global uint *scattered, volatile global uint *together)
{
    uint i = get_global_id(0);

    if (i % 3 != 1)
        count(scattered + i * 7 % 4 * 12, i);
    count(together + i / 50 * 12, i);
}
