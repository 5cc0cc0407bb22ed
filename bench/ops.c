/* bench/ops.c -- cycles of single operations of a processor with AVX-512, for the table of costs.
 *
 *   cc -O1 -mavx512f bench/ops.c -o build/bench-ops && build/bench-ops
 *
 * Each operation stands TIMES times in a loop, all in the first cache; the least of many tries
 * counts. A cycle is what an addition of a register takes that waits for the one before it, so
 * neither the clock's frequency nor a busy machine matters. (Intel's cores since Golden Cove add
 * constants as they rename registers, several in a cycle.)
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdio.h>
#include <x86intrin.h>

#define TIMES  "20"
#define ROUNDS 400
#define TRIES  4000

static uint32_t memory[1 << 12] __attribute__((aligned(4096)));
static int32_t index32[16] __attribute__((aligned(64)));
static int64_t index64[8] __attribute__((aligned(64)));

/* Clock ticks of one round of `text`: %0 memory, %1 and %2 indices of 32 and of 64 bits. */
#define TICKS(text)                                                                              \
    __extension__({                                                                              \
        uint64_t least = UINT64_MAX;                                                             \
        for (int try = 0; try < TRIES; try++) {                                                  \
            uint64_t t = __rdtsc();                                                              \
            for (int i = 0; i < ROUNDS; i++)                                                     \
                __asm__ volatile(text ::"r"(memory), "r"(index32), "r"(index64)                  \
                                 : "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "k1", \
                                   "k2", "rax", "memory", "cc");                                 \
            t = __rdtsc() - t;                                                                   \
            least = t < least ? t : least;                                                       \
        }                                                                                        \
        (double)least / ROUNDS / 20;                                                             \
    })

#define INDICES  "vmovdqu64 (%1),%%zmm0\n vmovdqu64 (%2),%%zmm1\n"
#define EACH(op) INDICES ".rept " TIMES "\n" op "\n.endr"
#define ALL      "kxnorw %%k1,%%k1,%%k1\n"
#define ZEROED   "vpxord %%zmm3,%%zmm3,%%zmm3\n"
#define ONE(reg)                                                                             \
    "vpternlogd $255," reg "," reg "," reg "\n vpsrld $25," reg "," reg "\n vpslld $23," reg \
    "," reg "\n" /* as floats; as doubles a normal number */
#define ONES           ONE("%%zmm0") ONE("%%zmm1") ONE("%%zmm4")
#define SHOW(name, op) printf("%-36s %7.2f\n", name, TICKS(EACH(op)) / cycle)

/* One that waits for nothing, and one that waits for the one before. */
#define SHOW_OF_ONES(name, op) \
    printf("%-36s %7.2f\n", name, TICKS(ONES ".rept " TIMES "\n" op "\n.endr") / cycle)
#define BOTH(name, op, chain)                      \
    do {                                           \
        SHOW_OF_ONES(name, op);                    \
        SHOW_OF_ONES(name ", until there", chain); \
    } while (0)

/* What adds to its register goes to four in turn, so that none waits for another. */
#define SHOW4(name, op)                                                              \
    printf("%-36s %7.2f\n", name,                                                    \
           TICKS(INDICES ".rept 5\n" op ",%%zmm3\n" op ",%%zmm4\n" op ",%%zmm5\n" op \
                         ",%%zmm6\n.endr") /                                         \
               cycle)

int main(void)
{
    double cycle = TICKS(".rept " TIMES "\n add %1,%%rax\n.endr");

    for (int i = 0; i < 16; i++)
        index32[i] = i * 37 + 5;
    for (int i = 0; i < 8; i++)
        index64[i] = i * 37 + 5;
    SHOW("gather, 16 of 32 bits", ALL ZEROED "vpgatherdd (%0,%%zmm0,4),%%zmm3%{%%k1%}");
    SHOW("gather, 8 of 32 bits, long indices",
         ALL ZEROED "vpgatherqd (%0,%%zmm1,4),%%ymm3%{%%k1%}");
    SHOW("gather, 8 of 64 bits", ALL ZEROED "vpgatherqq (%0,%%zmm1,8),%%zmm3%{%%k1%}");
    SHOW("scatter, 16 of 32 bits", ALL "vpscatterdd %%zmm3,(%0,%%zmm0,4)%{%%k1%}");
    SHOW("scatter, 8 of 64 bits", ALL "vpscatterqq %%zmm3,(%0,%%zmm1,8)%{%%k1%}");
    SHOW("compress to a register", "vpcompressd %%zmm3,%%zmm4%{%%k1%}%{z%}");
    SHOW("compress to memory", "vpcompressd %%zmm3,(%0)%{%%k1%}");
    SHOW("conflict detection", "vpconflictd %%zmm3,%%zmm4");
    SHOW("load", "vmovdqu64 (%0),%%zmm4");
    SHOW("load across lines", "vmovdqu64 4(%0),%%zmm4");
    SHOW("load under a mask", "vmovdqu8 (%0),%%zmm4%{%%k1%}%{z%}");
    SHOW("store", "vmovdqu64 %%zmm4,(%0)");
    SHOW("store across lines", "vmovdqu64 %%zmm4,4(%0)");
    SHOW("store under a mask", "vmovdqu32 %%zmm4,(%0)%{%%k1%}");
    SHOW("addition of integers", "vpaddd %%zmm0,%%zmm1,%%zmm4");
    SHOW("shift, rotation", "vprold $3,%%zmm0,%%zmm4");
    SHOW("product of 32 bits", "vpmulld %%zmm0,%%zmm1,%%zmm4");
    SHOW("product of 32 bits, until it is there", "vpmulld %%zmm0,%%zmm4,%%zmm4");
    SHOW("product of 64 bits", "vpmullq %%zmm0,%%zmm1,%%zmm4");
    SHOW("product of 64 bits, until it is there", "vpmullq %%zmm0,%%zmm4,%%zmm4");
    SHOW("shuffle", "vpermd %%zmm0,%%zmm1,%%zmm4");
    SHOW4("shuffle of two registers", "vpermt2d %%zmm0,%%zmm1");
    SHOW4("multiply-add", "vfmadd231ps %%zmm2,%%zmm2");

    BOTH("sum of floats", "vaddps %%zmm0,%%zmm1,%%zmm4", "vaddps %%zmm0,%%zmm4,%%zmm4");
    BOTH("product of floats", "vmulps %%zmm0,%%zmm1,%%zmm4", "vmulps %%zmm0,%%zmm4,%%zmm4");
    BOTH("division of floats", "vdivps %%zmm0,%%zmm1,%%zmm4", "vdivps %%zmm0,%%zmm4,%%zmm4");
    BOTH("division of doubles", "vdivpd %%zmm0,%%zmm1,%%zmm4", "vdivpd %%zmm0,%%zmm4,%%zmm4");
    BOTH("root of floats", "vsqrtps %%zmm0,%%zmm4", "vsqrtps %%zmm4,%%zmm4");
    BOTH("root of doubles", "vsqrtpd %%zmm0,%%zmm4", "vsqrtpd %%zmm4,%%zmm4");
    BOTH("least of floats", "vminps %%zmm0,%%zmm1,%%zmm4", "vminps %%zmm0,%%zmm4,%%zmm4");
    BOTH("least of 32 bits", "vpminsd %%zmm0,%%zmm1,%%zmm4", "vpminsd %%zmm0,%%zmm4,%%zmm4");
    BOTH("least of 64 bits", "vpminsq %%zmm0,%%zmm1,%%zmm4", "vpminsq %%zmm0,%%zmm4,%%zmm4");
    BOTH("rounding of floats", "vrndscaleps $1,%%zmm0,%%zmm4", "vrndscaleps $1,%%zmm4,%%zmm4");
    BOTH("float of 32 bits", "vcvtdq2ps %%zmm0,%%zmm4", "vcvtdq2ps %%zmm4,%%zmm4");
    BOTH("zero extension to 32 bits", "vpmovzxwd %%ymm0,%%zmm4", "vpmovzxwd %%ymm4,%%zmm4");
    BOTH("truncation of 32 bits", "vpmovdw %%zmm0,%%ymm4", "vpmovdw %%zmm4,%%ymm4");
    BOTH("shift by a vector", "vpsllvd %%zmm0,%%zmm1,%%zmm4", "vpsllvd %%zmm0,%%zmm4,%%zmm4");
    BOTH("shift of 16 bits", "vpsllvw %%zmm0,%%zmm1,%%zmm4", "vpsllvw %%zmm0,%%zmm4,%%zmm4");
    BOTH("leading zeros", "vplzcntd %%zmm0,%%zmm4", "vplzcntd %%zmm4,%%zmm4");
    BOTH("bitwise logic", "vpternlogd $3,%%zmm0,%%zmm1,%%zmm4", "vpandd %%zmm0,%%zmm4,%%zmm4");
    BOTH("choice under a mask", "vpblendmd %%zmm0,%%zmm1,%%zmm4%{%%k1%}",
         "vpblendmd %%zmm0,%%zmm4,%%zmm4%{%%k1%}");
    SHOW("comparison", "vpcmpd $1,%%zmm0,%%zmm1,%%k2");
    SHOW("logic of masks", "kandw %%k1,%%k1,%%k2");
    SHOW("logic of masks, until there", "kandw %%k1,%%k2,%%k2");
    SHOW("mask to a branch", "kortestw %%k1,%%k1\n jc 1f\n 1:");
    SHOW("scalar load, until there", "mov (%1),%%rax\n and $0,%%rax\n add %1,%%rax");
    SHOW("comparison and choice, until there",
         "vpcmpd $1,%%zmm0,%%zmm4,%%k2\n vmovdqa32 %%zmm0,%%zmm4%{%%k2%}");
    SHOW("mask to a number and back", "kmovw %%k2,%%eax\n kmovw %%eax,%%k2");
    return 0;
}
