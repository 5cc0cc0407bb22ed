/* jit/costs.c -- what operations cost on each family of processors.
 *
 * A row for each family with its own code generation choices. The first one's numbers are used for
 * all unmeasured processors with AVX-512 and for those without AVX2.
 *
 *   cycles  of one register: what processors' tables say of Xeons with two 512-bit units, rounded
 *   alone   the Xeon's were fitted to 568 kernels measured both ways on one with AMX, `free` and
 *           `own_again` to 348 on one of the fifth generation; Zen 4's and Zen 5's were taken on
 *           EPYCs (family 25, model 17; family 26, model 2) with bench/ops.c and fitted to 447
 *           kernels: docs/measurements.md, "On Zen 4", "On Zen 5"; those of processors with AVX2
 *           alone were fitted to 530 on a Zen 3 (family 25, model 1)
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/costs.h"

/* ---- operations on registers -------------------------------------------------------------------
 */

#define ALL(latency, busy)                                 \
    {                                                      \
        {latency, busy}, {latency, busy}, {latency, busy}, \
        {                                                  \
            latency, busy                                  \
        }                                                  \
    }

static const HdOpCosts nothing = ALL(0, 0), one = ALL(1, 1);
static const HdOpCosts product = {{5, 1}, {5, 1}, {10, 2}, {15, 3}}, upper_half = ALL(12, 4);
static const HdOpCosts quotient = {{45, 20}, {45, 20}, {45, 20}, {100, 60}};
static const HdOpCosts least = {{1, 0.5}, {1, 0.5}, {1, 0.5}, {3, 1}};
static const HdOpCosts shift = {{3, 2}, {1, 0.75}, {1, 0.75}, {1, 0.75}};
static const HdOpCosts counted = ALL(4, 1), reversed = ALL(8, 5), dot = ALL(8, 2);
static const HdOpCosts sum = {{4, 0.5}, {16, 5}, {4, 0.5}, {4, 0.5}}; /* halves become floats */
static const HdOpCosts ratio = {{18, 10}, {18, 10}, {18, 10}, {24, 16}};
static const HdOpCosts root = {{20, 12}, {20, 12}, {20, 12}, {32, 20}};
static const HdOpCosts rounded = ALL(8, 1), least_float = ALL(8, 2), called = ALL(60, 20);
static const HdOpCosts resized = ALL(3, 1), changed = ALL(5, 1), converted = ALL(8, 3);

/* All but accesses of which each lane has a place of its own. */
#define OPS                                                              \
    .op = {[HD_IR_MUL] = &product,       [HD_IR_UMULHI] = &upper_half,   \
           [HD_IR_SMULHI] = &upper_half, [HD_IR_UDIV] = &quotient,       \
           [HD_IR_SDIV] = &quotient,     [HD_IR_UREM] = &quotient,       \
           [HD_IR_SREM] = &quotient,     [HD_IR_UMIN] = &least,          \
           [HD_IR_UMAX] = &least,        [HD_IR_SMIN] = &least,          \
           [HD_IR_SMAX] = &least,        [HD_IR_SHL] = &shift,           \
           [HD_IR_LSHR] = &shift,        [HD_IR_ASHR] = &shift,          \
           [HD_IR_ROTL] = &shift,        [HD_IR_CLZ] = &counted,         \
           [HD_IR_CTZ] = &counted,       [HD_IR_POPCOUNT] = &counted,    \
           [HD_IR_BSWAP] = &one,         [HD_IR_BITREVERSE] = &reversed, \
           [HD_IR_DOT4] = &dot,          [HD_IR_FADD] = &sum,            \
           [HD_IR_FSUB] = &sum,          [HD_IR_FMUL] = &sum,            \
           [HD_IR_FMA] = &sum,           [HD_IR_FDIV] = &ratio,          \
           [HD_IR_FSQRT] = &root,        [HD_IR_FFLOOR] = &rounded,      \
           [HD_IR_FCEIL] = &rounded,     [HD_IR_FTRUNC] = &rounded,      \
           [HD_IR_FRINT] = &rounded,     [HD_IR_FMIN] = &least_float,    \
           [HD_IR_FMAX] = &least_float,  [HD_IR_IN_SPACE] = &called,     \
           [HD_IR_MATH] = &called,       [HD_IR_TRUNC] = &resized,       \
           [HD_IR_ZEXT] = &resized,      [HD_IR_SEXT] = &resized,        \
           [HD_IR_FPTRUNC] = &changed,   [HD_IR_FPEXT] = &changed,       \
           [HD_IR_SITOFP] = &changed,    [HD_IR_UITOFP] = &changed,      \
           [HD_IR_FPTOSI] = &changed,    [HD_IR_FPTOUI] = &changed,      \
           [HD_IR_CONVERT] = &converted, [HD_IR_FREEZE] = &nothing,      \
           [HD_IR_BITCAST] = &nothing}

#define STEPS                                                                                     \
    .simple = {1, 0.5}, .scaled = {2, 1}, .branch = {0, 0.5}, .any = {3, 1}, .uniform = {6, 0.5}, \
    .load = {7, 0.5}, .store = {0, 1}, .window = {7, 1}, .window_once = 0.5, .step = {12, 3},     \
    .scalar_test = {1, 0.25}, .serial = 20, .compare = {3, 1}, .compare_more = {7, 1},            \
    .select = {1, 0.5}, .select_more = {4, 0.5}, .other_mask = 1, .select_all = {1, 0.5},         \
    .select_all_once = 1

static const HdCycleCosts xeon_cycles = {.register_bytes = 64,
                                         .registers = 32,
                                         OPS,
                                         STEPS,
                                         .gather_latency = 26,
                                         .gather = 0.6,
                                         .scatter = 1.2,
                                         .narrow = 2};
/* With two units; what is scattered is stored lane by lane. */
static const HdCycleCosts avx2_cycles = {.register_bytes = 32,
                                         .registers = 16,
                                         .unmasked_bytes = 4,
                                         OPS,
                                         STEPS,
                                         .gather_latency = 20,
                                         .gather = 1,
                                         .scatter = 1.5,
                                         .narrow = 2};

HdOpCost hd_costs_of(const HdCycleCosts *c, HdIrOp op, unsigned bytes)
{
    unsigned size = bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0;

    return c->op[op] != NULL ? (*c->op[op])[size] : c->simple;
}

/* ---- families ----------------------------------------------------------------------------------
 */

const HdCpuCosts hd_costs_xeon = {.name = "",
                                  .cycles = &xeon_cycles,
                                  .alone = {.plain = 1,
                                            .free = 0.2,
                                            .busy = 0.4,
                                            .wait = 0.3,
                                            .gather = 2.6,
                                            .gather_long = 2.6,
                                            .near = 0.6,
                                            .scatter = 2.6,
                                            .scatter_long = 16,
                                            .narrow_load = 3,
                                            .narrow_store = 3,
                                            .own = 6,
                                            .own_again = 4,
                                            .step = 4,
                                            .math = 16,
                                            .call = 20,
                                            .find = 2},
                                  .unordered_bytes = 0};
const HdCpuCosts hd_costs_avx2 = {.name = "avx2",
                                  .cycles = &avx2_cycles,
                                  .alone = {.plain = 0.79,
                                            .free = 0.28,
                                            .busy = 0.27,
                                            .wait = 0.39,
                                            .foresees = true,
                                            .gather = 2.4,
                                            .gather_long = 3.2,
                                            .near = 1,
                                            .scatter = 2,
                                            .scatter_long = 5.6,
                                            .scatter_again = 1.4,
                                            .narrow_load = 4.4,
                                            .narrow_store = 2.4,
                                            .own = 2.7,
                                            .own_again = 13,
                                            .step = 5.8,
                                            .math = 40,
                                            .call = 4,
                                            .find = 4.9},
                                  .unordered_bytes = 0};
const HdCpuCosts hd_costs_zen4 = {.name = "zen4",
                                  .cycles = &xeon_cycles,
                                  .alone = {.plain = 0.66,
                                            .free = 0.28,
                                            .busy = 0.29,
                                            .wait = 0.32,
                                            .foresees = true,
                                            .gather = 2.2,
                                            .gather_long = 3.1,
                                            .near = 0.35,
                                            .scatter = 2.0,
                                            .scatter_long = 12,
                                            .scatter_again = 1.4,
                                            .narrow_load = 1.5,
                                            .narrow_store = 3,
                                            .own = 3,
                                            .own_again = 5,
                                            .step = 9,
                                            .math = 40,
                                            .call = 24,
                                            .find = 7},
                                  .unrolled_clash = true,
                                  .gathers_slowly = true,
                                  .half_is_half = true,
                                  .rows_evict = true,
                                  .streams_past = true,
                                  .looks_ahead = true,
                                  .unordered_bytes = 256};
const HdCpuCosts hd_costs_zen5 = {.name = "zen5",
                                  .cycles = &xeon_cycles,
                                  .alone = {.plain = 0.69,
                                            .free = 0.18,
                                            .busy = 0.39,
                                            .wait = 0.45,
                                            .foresees = true,
                                            .gather = 2.9,
                                            .gather_long = 4,
                                            .near = 0.45,
                                            .scatter = 2.3,
                                            .scatter_long = 13,
                                            .scatter_again = 1.6,
                                            .narrow_load = 2.9,
                                            .narrow_store = 3.8,
                                            .own = 2.2,
                                            .own_again = 5.4,
                                            .step = 7.8,
                                            .math = 42,
                                            .call = 24,
                                            .find = 6.2},
                                  .gathers_slowly = true,
                                  .rows_evict = true,
                                  .stores_evict = true,
                                  .streams_past = true,
                                  .unordered_bytes = 256};
