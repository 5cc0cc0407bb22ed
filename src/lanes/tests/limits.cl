// Comparisons of an id in the group with a number, which are the same in all lanes where the number is a multiple of the
// width: each operator, the number on either side. Bits of out[i] are what the comparisons decide, without[i] has what
// numbers from memory decide; they are the same.
// RUN: heddle run %s limits --cl=-cl-std=CL3.0 --global 64 --local 64 --arg u32[64] --print 0 --arg u32[16]=0,1,3,4,7,8,12,15,16,17,31,32,40,47,48,64
// RUN: heddle run %s limits --cl=-cl-std=CL3.0 --global 96 --local 48 --arg u32[96] --print 0 --arg u32[16]=0,1,3,4,7,8,12,15,16,17,31,32,40,47,48,64
// RUN: heddle run %s limits --cl=-cl-std=CL3.0 --global 40 --local 40 --arg u32[40] --print 0 --arg u32[16]=0,1,3,4,7,8,12,15,16,17,31,32,40,47,48,64
// RUN: heddle run %s limits --cl=-cl-std=CL3.0 --global 32,2 --local 16,2 --arg u32[64] --print 0 --arg u32[16]=0,1,3,4,7,8,12,15,16,17,31,32,40,47,48,64
// RUN: heddle run %s limits --cl=-cl-std=CL3.0 --global 18,2 --local 6,2 --arg u32[36] --print 0 --arg u32[16]=0,1,3,4,7,8,12,15,16,17,31,32,40,47,48,64
// CHECK: = 0{{(, 0)*$}}
#define TESTS(id, at) \
    TEST(0, id < at(0)) TEST(1, id < at(1)) TEST(2, id < at(2)) TEST(3, id < at(3)) TEST(4, id < at(5)) \
    TEST(5, id < at(8)) TEST(6, id < at(10)) TEST(7, id < at(14)) TEST(8, id <= at(2)) TEST(9, id <= at(4)) \
    TEST(10, id <= at(7)) TEST(11, id <= at(10)) TEST(12, id > at(4)) TEST(13, id > at(7)) TEST(14, id > at(13)) \
    TEST(15, id >= at(5)) TEST(16, id >= at(8)) TEST(17, id >= at(11)) TEST(18, id >= at(12)) TEST(19, at(3) < id) \
    TEST(20, at(7) < id) TEST(21, at(8) <= id) TEST(22, at(11) <= id) TEST(23, at(8) > id) TEST(24, at(14) > id) \
    TEST(25, at(2) >= id) TEST(26, at(10) >= id) TEST(27, (int)id < (int)at(8)) TEST(28, (int)id >= (int)at(11)) \
    TEST(29, (int)at(5) > (int)id) TEST(30, at(15) > id) TEST(31, id >= at(15))
#define TEST(n, is) \
    if (is) \
        bits |= 1u << n;
#define NUMBER(n) numbers_of[n]

static inline uint number(int n)
{
    switch (n) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 3;
    case 3: return 4;
    case 4: return 7;
    case 5: return 8;
    case 6: return 12;
    case 7: return 15;
    case 8: return 16;
    case 9: return 17;
    case 10: return 31;
    case 11: return 32;
    case 12: return 40;
    case 13: return 47;
    case 14: return 48;
    default: return 64;
    }
}

static uint known(uint id)
{
    uint bits = 0;

    TESTS(id, number)
    return bits;
}

static uint asked(uint id, global const uint *numbers_of)
{
    uint bits = 0;

    TESTS(id, NUMBER)
    return bits;
}

kernel void limits(global uint *out, global const uint *numbers_of)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    out[i] = known(get_local_id(0)) ^ asked(get_local_id(0), numbers_of);
    out[i] |= known(get_local_linear_id()) ^ asked(get_local_linear_id(), numbers_of);
}
