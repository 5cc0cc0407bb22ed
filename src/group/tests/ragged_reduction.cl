// Tree reductions with a ragged end: work-items leave the body at different places, and each reaches the barrier equally often.
// Eleven spellings; clang-22 makes two loops of several of them, one around the barrier and one around the store.
// RUN: heddle run %s both --global 32 --local 32 --arg u32[32] --arg u32=29 --expect 0=85,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,39,3,9,5,10,2,7,4,15,1,5,3,4,5,1,2
// RUN: heddle run %s both --global 64 --local 64 --arg u32[64] --arg u32=61 --expect 0=181,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,88,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,40,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4
// RUN: heddle run %s nested --global 48 --local 48 --arg u32[48] --arg u32=37 --expect 0=108,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,15,4,6,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s nested --global 128 --local 128 --arg u32[128] --arg u32=101 --expect 0=301,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,97,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,49,5,3,2,13,4,6,1,24,3,9,5,10,2,7,4,111,1,5,3,12,5,3,2,27,4,6,1,14,3,9,5,46,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s goes_on --global 32 --local 32 --arg u32[32] --arg u32=29 --expect 0=85,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,39,3,9,5,10,2,7,4,15,1,5,3,4,5,1,2
// RUN: heddle run %s goes_on --global 64 --local 64 --arg u32[64] --arg u32=61 --expect 0=181,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,88,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,40,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4
// RUN: heddle run %s other --global 48 --local 48 --arg u32[48] --arg u32=37 --expect 0=108,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,15,4,6,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s other --global 128 --local 128 --arg u32[128] --arg u32=101 --expect 0=301,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,97,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,49,5,3,2,13,4,6,1,24,3,9,5,10,2,7,4,111,1,5,3,12,5,3,2,27,4,6,1,14,3,9,5,46,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s cases --global 32 --local 32 --arg u32[32] --arg u32=29 --expect 0=85,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,39,3,9,5,10,2,7,4,15,1,5,3,4,5,1,2
// RUN: heddle run %s cases --global 64 --local 64 --arg u32[64] --arg u32=61 --expect 0=181,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,88,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,40,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4
// RUN: heddle run %s before --global 48 --local 48 --arg u32[48] --arg u32=37 --expect 0=108,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,15,4,6,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s before --global 128 --local 128 --arg u32[128] --arg u32=101 --expect 0=301,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,97,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,49,5,3,2,13,4,6,1,24,3,9,5,10,2,7,4,111,1,5,3,12,5,3,2,27,4,6,1,14,3,9,5,46,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s twice --global 32 --local 32 --arg u32[32] --arg u32=29 --expect 0=85,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,39,3,9,5,10,2,7,4,15,1,5,3,4,5,1,2
// RUN: heddle run %s twice --global 64 --local 64 --arg u32[64] --arg u32=61 --expect 0=181,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,88,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,40,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4
// RUN: heddle run %s largest --global 48 --local 48 --arg u32[48] --arg u32=37 --expect 0=5,2,4,4,5,1,3,3,5,5,2,2,5,4,5,1,5,3,5,5,4,2,4,4,5,1,3,3,5,5,2,2,5,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s largest --global 128 --local 128 --arg u32[128] --arg u32=101 --expect 0=5,2,4,4,5,1,3,3,5,5,2,2,5,4,5,1,5,3,5,5,4,2,4,4,5,1,3,3,5,5,2,2,5,4,5,1,5,3,5,5,5,2,4,4,5,1,3,3,5,5,2,2,5,4,5,1,5,3,5,5,4,2,4,4,5,1,3,3,5,5,2,2,5,4,5,1,5,3,5,5,5,2,4,4,5,1,3,3,5,5,2,2,5,4,5,1,5,3,5,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s exclusive --global 32 --local 32 --arg u32[32] --arg u32=29 --expect 0=5,2,7,4,5,1,1,3,1,5,3,2,3,4,4,1,5,3,1,5,4,2,7,4,1,1,1,3,4,5,1,2
// RUN: heddle run %s exclusive --global 64 --local 64 --arg u32[64] --arg u32=61 --expect 0=1,2,7,4,5,1,1,3,1,5,3,2,3,4,4,1,3,3,1,5,4,2,7,4,7,1,1,3,2,5,3,2,2,4,4,1,0,3,1,5,1,2,7,4,5,1,1,3,0,5,3,2,3,4,4,1,1,3,1,5,1,2,3,4
// RUN: heddle run %s behind --global 48 --local 48 --arg u32[48] --arg u32=37 --expect 0=108,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,15,4,6,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s behind --global 128 --local 128 --arg u32[128] --arg u32=101 --expect 0=301,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,97,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,49,5,3,2,13,4,6,1,24,3,9,5,10,2,7,4,111,1,5,3,12,5,3,2,27,4,6,1,14,3,9,5,46,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3
// RUN: heddle run %s down --global 32 --local 32 --arg u32[32] --arg u32=29 --expect 0=85,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,39,3,9,5,10,2,7,4,15,1,5,3,4,5,1,2
// RUN: heddle run %s down --global 64 --local 64 --arg u32[64] --arg u32=61 --expect 0=181,2,7,4,11,1,5,3,25,5,3,2,13,4,6,1,47,3,9,5,10,2,7,4,23,1,5,3,12,5,3,2,88,4,6,1,14,3,9,5,21,2,7,4,11,1,5,3,40,5,3,2,13,4,6,1,15,3,9,5,1,2,3,4
#define F CLK_LOCAL_MEM_FENCE
#define REDUCTION(name, ...)                        \
    kernel void name(global int *out, const uint n) \
    {                                               \
        local int s[128];                           \
        const uint l = get_local_id(0);             \
                                                    \
        s[l] = l % 5 + 1;                           \
        __VA_ARGS__                                 \
        barrier(F);                                 \
        out[l] = s[l];                              \
    }

REDUCTION(both, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); if ((l & ((i << 1) - 1)) == 0 && l + i < n) s[l] = s[l] + s[l + i]; })
REDUCTION(nested, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); if ((l & ((i << 1) - 1)) == 0) { if (l + i < n) s[l] = s[l] + s[l + i]; } })
REDUCTION(goes_on, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); if ((l & ((i << 1) - 1)) != 0) continue; if (l + i >= n) continue; s[l] = s[l] + s[l + i]; })
REDUCTION(other, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); if ((l & ((i << 1) - 1)) != 0 || l + i >= n) ; else s[l] = s[l] + s[l + i]; })
REDUCTION(cases, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); switch (l & ((i << 1) - 1)) { case 0: if (l + i < n) s[l] = s[l] + s[l + i]; break; default: break; } })
REDUCTION(before, uint i = 1; while (i < get_local_size(0)) { barrier(F); if ((l & ((i << 1) - 1)) == 0 && l + i < n) s[l] = s[l] + s[l + i]; i <<= 1; })
REDUCTION(twice, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); if ((l & ((i << 1) - 1)) == 0 && l + i < n) s[l] = s[l] + s[l + i]; barrier(F); })
REDUCTION(largest, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); if ((l & ((i << 1) - 1)) == 0 && l + i < n) s[l] = max(s[l], s[l + i]); })
REDUCTION(exclusive, for (uint i = 1; i < get_local_size(0); i <<= 1) { barrier(F); if ((l & ((i << 1) - 1)) == 0 && l + i < n) s[l] = s[l] ^ s[l + i]; })
REDUCTION(behind, uint i = 1; do { barrier(F); if (l + i < n) { if ((l & ((i << 1) - 1)) == 0) s[l] = s[l] + s[l + i]; } i <<= 1; } while (i < get_local_size(0));)
REDUCTION(down, for (uint i = 1; get_local_size(0) > i; i <<= 1) { barrier(F); if (l + i < n && (l & ((i << 1) - 1)) == 0) s[l] = s[l + i] + s[l]; })
