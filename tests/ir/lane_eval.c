/* tests/ir/lane_eval.c -- runs lane IR for one work-item, to judge passes.
 *
 * NaNs become one NaN after every operation, so that results can be compared bit by bit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lane_eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 400000u
#define UNDEF     0x5a5a5a5a5a5a5a5au

typedef struct Frame {
    const HdIrFunc *f;
    EvalRun *run;
    uint64_t *value, *fresh; /* fresh: phis' values until all of a block are read */
    uint64_t results[EVAL_MAX_RESULTS];
    uint32_t *top; /* of ALLOCAs */
    unsigned depth;
    uint64_t **call_results; /* by CALL */
} Frame;

static unsigned width(unsigned t)
{
    static const unsigned bits[] = {0, 1, 8, 16, 32, 64, 16, 32, 64, 64};

    return bits[t];
}

static uint64_t cut(unsigned t, uint64_t x)
{
    return width(t) == 64 ? x : x & (((uint64_t)1 << width(t)) - 1);
}

static int64_t sext(unsigned t, uint64_t x)
{
    uint64_t top = (uint64_t)1 << (width(t) - 1);

    return (int64_t)((cut(t, x) ^ top) - top);
}

static double as_float(unsigned t, uint64_t x)
{
    if (t == HD_IR_F16) {
        uint16_t h = (uint16_t)x;
        _Float16 y;

        memcpy(&y, &h, 2);
        return (double)y;
    }
    if (t == HD_IR_F32) {
        uint32_t w = (uint32_t)x;
        float y;

        memcpy(&y, &w, 4);
        return (double)y;
    } else {
        double y;

        memcpy(&y, &x, 8);
        return y;
    }
}

static uint64_t canonical(unsigned t, uint64_t x)
{
    if (t < HD_IR_F16 || t > HD_IR_F64 || !isnan(as_float(t, x)))
        return x;
    return t == HD_IR_F16 ? 0x7e00 : t == HD_IR_F32 ? 0x7fc00000 : 0x7ff8000000000000u;
}

static uint64_t from_float(unsigned t, double x)
{
    uint64_t bits = 0;

    if (t == HD_IR_F16) {
        _Float16 y = (_Float16)x;

        memcpy(&bits, &y, 2);
    } else if (t == HD_IR_F32) {
        float y = (float)x;

        memcpy(&bits, &y, 4);
    } else {
        memcpy(&bits, &x, 8);
    }
    return bits;
}

#define FLOAT_OP(type, bytes)              \
    {                                      \
        type x, y, z = 0;                  \
        memcpy(&x, &a, bytes);             \
        memcpy(&y, &b, bytes);             \
        switch (op) {                      \
        case HD_IR_FADD: z = x + y; break; \
        case HD_IR_FSUB: z = x - y; break; \
        case HD_IR_FMUL: z = x * y; break; \
        default: z = x / y; break;         \
        }                                  \
        a = 0;                             \
        memcpy(&a, &z, bytes);             \
        return a;                          \
    }

static uint64_t float_arith(unsigned op, unsigned t, uint64_t a, uint64_t b)
{
    if (t == HD_IR_F16)
        FLOAT_OP(_Float16, 2)
    if (t == HD_IR_F32)
        FLOAT_OP(float, 4)
    FLOAT_OP(double, 8)
}

static uint64_t float_op(unsigned op, unsigned t, const uint64_t *x)
{
    double a = as_float(t, x[0]), b = as_float(t, x[1]);

    switch (op) {
    case HD_IR_FNEG: return from_float(t, -a);
    case HD_IR_FABS: return from_float(t, fabs(a));
    case HD_IR_FSQRT: return from_float(t, sqrt(a));
    case HD_IR_FFLOOR: return from_float(t, floor(a));
    case HD_IR_FCEIL: return from_float(t, ceil(a));
    case HD_IR_FTRUNC: return from_float(t, trunc(a));
    case HD_IR_FRINT: return from_float(t, rint(a));
    case HD_IR_FCOPYSIGN: return from_float(t, copysign(a, b));
    case HD_IR_FMIN: return from_float(t, isnan(a) ? b : isnan(b) ? a : b < a ? b : a);
    case HD_IR_FMAX: return from_float(t, isnan(a) ? b : isnan(b) ? a : b > a ? b : a);
    case HD_IR_FMA:
        if (t == HD_IR_F32)
            return from_float(t, (double)fmaf((float)a, (float)b, (float)as_float(t, x[2])));
        return from_float(t, fma(a, b, as_float(t, x[2])));
    default: return float_arith(op, t, x[0], x[1]);
    }
}

static uint64_t saturate(unsigned t, __int128 x, bool is_signed)
{
    __int128 one = 1, low = is_signed ? -(one << (width(t) - 1)) : 0;
    __int128 high = (one << (is_signed ? width(t) - 1 : width(t))) - 1;

    return (uint64_t)(x < low ? low : x > high ? high : x);
}

static uint64_t bits_op(unsigned op, unsigned t, uint64_t a)
{
    uint64_t n = 0, reversed = 0;
    unsigned w = width(t);

    for (unsigned i = 0; i < w; i++)
        reversed |= (a >> i & 1) << (w - 1 - i);
    switch (op) {
    case HD_IR_BITREVERSE: return reversed;
    case HD_IR_BSWAP:
        for (unsigned i = 0; i < w; i += 8)
            n |= (a >> i & 0xff) << (w - 8 - i);
        return n;
    case HD_IR_POPCOUNT:
        for (; a != 0; a &= a - 1)
            n++;
        return n;
    case HD_IR_CLZ: a = reversed; break;
    default: break;
    }
    while (n < w && (a >> n & 1) == 0)
        n++;
    return n;
}

static uint64_t int_op(unsigned op, unsigned t, const uint64_t *x)
{
    uint64_t a = x[0], b = x[1];
    __int128 sa = sext(t, a), sb = op >= HD_IR_CLZ ? 0 : sext(t, b);
    unsigned w = width(t), k = (unsigned)(b & (w - 1));

    switch (op) {
    case HD_IR_ADD: return (uint64_t)(sa + sb);
    case HD_IR_SUB: return (uint64_t)(sa - sb);
    case HD_IR_MUL: return a * b;
    case HD_IR_UDIV: return b == 0 ? 0 : a / b;
    case HD_IR_UREM: return b == 0 ? 0 : a % b;
    case HD_IR_SDIV: return b == 0 ? 0 : (uint64_t)(sa / sb);
    case HD_IR_SREM: return b == 0 ? 0 : (uint64_t)(sa % sb);
    case HD_IR_AND: return a & b;
    case HD_IR_OR: return a | b;
    case HD_IR_XOR: return a ^ b;
    case HD_IR_SHL: return a << k;
    case HD_IR_LSHR: return a >> k;
    case HD_IR_ASHR: return (uint64_t)(sa >> k);
    case HD_IR_ROTL: return k == 0 ? a : (a << k) | (a >> (w - k));
    case HD_IR_UMIN: return a < b ? a : b;
    case HD_IR_UMAX: return a < b ? b : a;
    case HD_IR_SMIN: return sa < sb ? a : b;
    case HD_IR_SMAX: return sa < sb ? b : a;
    case HD_IR_UADDSAT: return saturate(t, (__int128)a + b, false);
    case HD_IR_USUBSAT: return saturate(t, (__int128)a - b, false);
    case HD_IR_SADDSAT: return saturate(t, sa + sb, true);
    case HD_IR_SSUBSAT: return saturate(t, sa - sb, true);
    case HD_IR_UMULHI: return (uint64_t)((unsigned __int128)a * b >> w);
    case HD_IR_SMULHI: return (uint64_t)(sa * sb >> w);
    default: return bits_op(op, t, a);
    }
}

static bool compare(unsigned how, unsigned t, uint64_t a, uint64_t b)
{
    int64_t sa = sext(t, a), sb = sext(t, b);
    bool order[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, sa<sb, sa <= sb, sa> sb, sa >= sb};

    return order[how];
}

static bool compare_float(unsigned how, double a, double b)
{
    bool u = isnan(a) || isnan(b);
    bool order[] = {a == b,      a > b,     a >= b,   a < b,     a <= b,   a < b || a > b, !u,
                    u || a == b, !(a <= b), !(a < b), !(a >= b), !(a > b), a != b,         u};

    return order[how];
}

static uint64_t to_int(unsigned t, double x, bool is_signed)
{
    double limit = ldexp(1, (int)width(t) - is_signed);

    if (isnan(x))
        return 0;
    if (x >= limit)
        return saturate(t, (__int128)1 << 100, is_signed);
    if (x <= (is_signed ? -limit : 0))
        return saturate(t, -((__int128)1 << 100), is_signed);
    return is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static uint64_t from_int(unsigned t, unsigned from, uint64_t x, bool is_signed)
{
    int64_t s = sext(from, x);

    if (t == HD_IR_F32)
        return from_float(t, (double)(is_signed ? (float)s : (float)x));
    return from_float(t, is_signed ? (double)s : (double)x);
}

static uint64_t convert(unsigned op, unsigned t, unsigned from, uint64_t x)
{
    switch (op) {
    case HD_IR_SEXT: return (uint64_t)sext(from, x);
    case HD_IR_FPTRUNC:
    case HD_IR_FPEXT: return from_float(t, as_float(from, x));
    case HD_IR_SITOFP: return from_int(t, from, x, true);
    case HD_IR_UITOFP: return from_int(t, from, x, false);
    case HD_IR_FPTOSI: return to_int(t, as_float(from, x), true);
    case HD_IR_FPTOUI: return to_int(t, as_float(from, x), false);
    default: return x; /* TRUNC ZEXT BITCAST */
    }
}

/* Bytes of memory, or NULL when the access is outside. */
static unsigned char *bytes_at(Frame *fr, uint64_t address, uint64_t n)
{
    if (address < EVAL_BASE || n > EVAL_MEMORY_BYTES ||
        address - EVAL_BASE > EVAL_MEMORY_BYTES - n) {
        fr->run->error = "access outside memory";
        return NULL;
    }
    return fr->run->memory + (address - EVAL_BASE);
}

static uint64_t do_memory(Frame *fr, const HdIrInst *in, const uint64_t *x, const unsigned *types)
{
    unsigned n = (width(in->op == HD_IR_STORE ? types[1] : in->type) + 7) / 8;
    uint64_t out = 0, size = in->op == HD_IR_MEMCPY || in->op == HD_IR_MEMSET ? x[2] : n;
    unsigned char *to = bytes_at(fr, x[0], size), *from;

    if (to == NULL)
        return 0;
    switch (in->op) {
    case HD_IR_LOAD: memcpy(&out, to, n); break;
    case HD_IR_STORE: memcpy(to, &x[1], n); break;
    case HD_IR_MEMSET: memset(to, (int)x[1], size); break;
    default:
        from = bytes_at(fr, x[1], size);
        if (from != NULL)
            memmove(to, from, size);
        break;
    }
    return out;
}

static void run_function(Frame *fr, const uint64_t *params);

static void do_call(Frame *fr, HdIrRef r, const uint64_t *x)
{
    const HdIrFunc *callee = fr->f->module->funcs.at[fr->f->insts.at[r].imm];
    Frame inner = {.f = callee, .run = fr->run, .top = fr->top, .depth = fr->depth + 1};
    uint32_t top = *fr->top;

    if (fr->depth > 8) {
        fr->run->error = "calls too deep";
        return;
    }
    run_function(&inner, x);
    *fr->top = top;
    if (fr->call_results[r] == NULL)
        fr->call_results[r] = calloc(EVAL_MAX_RESULTS, sizeof(uint64_t));
    memcpy(fr->call_results[r], inner.results, sizeof inner.results);
}

static uint64_t dot4(unsigned sub, const uint64_t *x)
{
    int64_t sum = (int64_t)x[2];

    for (unsigned i = 0; i < 4; i++) {
        uint8_t a = (uint8_t)(x[0] >> 8 * i), b = (uint8_t)(x[1] >> 8 * i);

        sum += ((sub & HD_IR_DOT_LEFT) != 0 ? (int8_t)a : a) *
               ((sub & HD_IR_DOT_RIGHT) != 0 ? (int8_t)b : b);
    }
    return (uint32_t)sum;
}

static uint64_t do_inst(Frame *fr, HdIrRef r, const uint64_t *params)
{
    const HdIrInst *in = &fr->f->insts.at[r];
    uint64_t x[8] = {0};
    unsigned types[8] = {0};

    for (unsigned i = 0; i < in->nargs && i < 8; i++) {
        x[i] = fr->value[hd_ir_arg(fr->f, r, i)];
        types[i] = fr->f->insts.at[hd_ir_arg(fr->f, r, i)].type;
    }
    if (in->op >= HD_IR_ADD && in->op <= HD_IR_BITREVERSE)
        return int_op(in->op, in->type, x);
    if (in->op >= HD_IR_FADD && in->op <= HD_IR_FMAX)
        return float_op(in->op, in->type, x);
    if (in->op >= HD_IR_TRUNC && in->op <= HD_IR_BITCAST)
        return convert(in->op, in->type, types[0], x[0]);
    switch (in->op) {
    case HD_IR_CONST: return in->imm;
    case HD_IR_UNDEF: return UNDEF;
    case HD_IR_PARAM: return params[in->imm];
    case HD_IR_ALLOCA: {
        uint32_t at = *fr->top;

        *fr->top += (uint32_t)((in->imm + 15) & ~(uint64_t)15);
        if (*fr->top > EVAL_MEMORY_BYTES)
            fr->run->error = "no room for ALLOCAs";
        else
            memset(fr->run->memory + at, 0xa5, in->imm);
        return EVAL_BASE + at;
    }
    case HD_IR_ICMP: return compare(in->sub, types[0], x[0], x[1]);
    case HD_IR_FCMP:
        return compare_float(in->sub, as_float(types[0], x[0]), as_float(types[0], x[1]));
    case HD_IR_SELECT: return x[0] != 0 ? x[1] : x[2];
    case HD_IR_DOT4: return dot4(in->sub, x);
    case HD_IR_PTRADD: return x[0] + x[1];
    case HD_IR_LOAD:
    case HD_IR_STORE:
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: return do_memory(fr, in, x, types);
    case HD_IR_CALL: do_call(fr, r, x); return 0;
    case HD_IR_RESULT: return fr->call_results[hd_ir_arg(fr->f, r, 0)][in->imm];
    case HD_IR_BARRIER:
    case HD_IR_YIELD: return 0;
    default: fr->run->error = hd_ir_op_name(in->op); return 0;
    }
}

static void do_phis(Frame *fr, uint32_t block, uint32_t from)
{
    const HdIrBlock *b = &fr->f->blocks.at[block];

    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < b->insts.count; i++) {
            HdIrRef r = b->insts.at[i];
            const HdIrInst *in = &fr->f->insts.at[r];

            if (in->op != HD_IR_PHI)
                break;
            for (unsigned k = 0; pass == 0 && k < in->nargs; k += 2)
                if (hd_ir_arg(fr->f, r, k) == from)
                    fr->fresh[r] = fr->value[hd_ir_arg(fr->f, r, k + 1)];
            if (pass == 1)
                fr->value[r] = fr->fresh[r];
        }
    }
}

/* The block a terminator goes to; UINT32_MAX: the function ends. */
static uint32_t do_branch(Frame *fr, uint32_t block)
{
    const HdIrBlock *b = &fr->f->blocks.at[block];
    HdIrRef r = b->insts.at[b->insts.count - 1];
    const HdIrInst *in = &fr->f->insts.at[r];

    switch (in->op) {
    case HD_IR_BR: return b->succ[0];
    case HD_IR_CONDBR: return b->succ[fr->value[hd_ir_arg(fr->f, r, 0)] != 0 ? 0 : 1];
    case HD_IR_SWITCH:
        for (uint32_t i = 1; i < b->succ_count; i++)
            if (b->cases[i - 1] == fr->value[hd_ir_arg(fr->f, r, 0)])
                return b->succ[i];
        return b->succ[0];
    case HD_IR_RET:
        for (unsigned i = 0; i < in->nargs && i < EVAL_MAX_RESULTS; i++)
            fr->results[i] = fr->value[hd_ir_arg(fr->f, r, i)];
        return UINT32_MAX;
    default: fr->run->error = "UNREACHABLE was reached"; return UINT32_MAX;
    }
}

static void run_function(Frame *fr, const uint64_t *params)
{
    uint32_t block = 0;
    size_t n = fr->f->insts.count;

    fr->value = calloc(n, sizeof *fr->value);
    fr->fresh = calloc(n, sizeof *fr->fresh);
    fr->call_results = calloc(n, sizeof *fr->call_results);
    while (block != UINT32_MAX && fr->run->error == NULL) {
        const HdIrBlock *b = &fr->f->blocks.at[block];
        uint32_t next;

        for (size_t i = 0; i + 1 < b->insts.count && fr->run->error == NULL; i++) {
            HdIrRef r = b->insts.at[i];
            const HdIrInst *in = &fr->f->insts.at[r];

            if (in->op != HD_IR_PHI && in->type != HD_IR_VOID)
                fr->value[r] = canonical(in->type, cut(in->type, do_inst(fr, r, params)));
            else if (in->op != HD_IR_PHI)
                (void)do_inst(fr, r, params);
            if (++fr->run->steps > MAX_STEPS)
                fr->run->error = "too many steps";
        }
        next = do_branch(fr, block);
        if (next != UINT32_MAX)
            do_phis(fr, next, block);
        if (++fr->run->steps > MAX_STEPS)
            fr->run->error = "too many steps";
        block = next;
    }
    for (size_t i = 0; i < n; i++)
        free(fr->call_results[i]);
    free(fr->call_results);
    free(fr->value);
    free(fr->fresh);
}

void eval_run(const HdIrFunc *f, EvalRun *run)
{
    uint32_t top = run->visible_bytes;
    Frame fr = {.f = f, .run = run, .top = &top};

    run->error = NULL;
    run->steps = 0;
    run_function(&fr, run->params);
    memcpy(run->results, fr.results, sizeof run->results);
}
