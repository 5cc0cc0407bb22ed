/* tests/ir/lane_gen.c -- random lane IR, the same for the same seed.
 *
 * Programs look like what comes from compilers without optimisation: variables in ALLOCAs, some of
 * them fields of one; copies and fills of bytes; structured loops and branches, or any graph at
 * all, which a count of rounds ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lane_gen.h"

#include "ir/graph.h"

#define VARS 10

typedef struct Gen {
    HdIrFunc *f;
    uint64_t state;
    uint32_t block;
    HdIrRef var[VARS];
    HdIrType type[VARS];
    HdIrRef record, copy; /* two ALLOCAs of RECORD_BYTES with the same fields */
    HdIrRef memory, params[4];
    unsigned statements, depth;
    bool may_call, may_return;
} Gen;

#define RECORD_BYTES 40u
static const struct {
    unsigned at;
    HdIrType type;
} fields[] = {{0, HD_IR_I32}, {4, HD_IR_F32},  {8, HD_IR_F64}, {16, HD_IR_I64},
              {24, HD_IR_I8}, {26, HD_IR_I16}, {32, HD_IR_I32}};
#define FIELDS (sizeof fields / sizeof *fields)

#include "../ir/gen_body.h"

static HdIrRef random_const(Gen *g, HdIrType t)
{
    static const uint64_t ints[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    8,
                                    10,
                                    16,
                                    31,
                                    32,
                                    100,
                                    127,
                                    128,
                                    255,
                                    641,
                                    0x7fff,
                                    0x8000,
                                    0x7fffffff,
                                    0x80000000u,
                                    0xffffffffu,
                                    0x7fffffffffffffffu,
                                    0x8000000000000000u,
                                    UINT64_MAX,
                                    UINT64_MAX - 2,
                                    UINT64_MAX - 9};
    static const uint64_t f16[] = {0,      0x8000, 0x3c00, 0xbc00, 0x4000, 0x3800,
                                   0x7bff, 0x0001, 0x03ff, 0x7c00, 0x4248};
    static const uint64_t f32[] = {0,          0x80000000u, 0x3f800000, 0xbf800000u,
                                   0x40000000, 0x3f000000,  0x7f7fffff, 0x00000001,
                                   0x7f800000, 0x40490fdb,  0x5f000000};
    static const uint64_t f64[] = {0,
                                   0x8000000000000000u,
                                   0x3ff0000000000000u,
                                   0xbff0000000000000u,
                                   0x4000000000000000u,
                                   0x3fe0000000000000u,
                                   0x7fefffffffffffffu,
                                   1,
                                   0x7ff0000000000000u,
                                   0x400921fb54442d18u,
                                   0x43e0000000000000u};

    switch (t) {
    case HD_IR_F16: return constant(g, t, f16[roll(g, 11)]);
    case HD_IR_F32: return constant(g, t, f32[roll(g, 11)]);
    case HD_IR_F64: return constant(g, t, f64[roll(g, 11)]);
    default: return constant(g, t, ints[roll(g, sizeof ints / sizeof *ints)]);
    }
}

static bool is_float(HdIrType t)
{
    return t >= HD_IR_F16 && t <= HD_IR_F64;
}

/* Any value as any type. */
static HdIrRef as(Gen *g, HdIrRef x, HdIrType to)
{
    HdIrType from = (HdIrType)g->f->insts.at[x].type;
    unsigned a = hd_ir_type_bits(from), b = hd_ir_type_bits(to);

    if (from == to)
        return x;
    if (from == HD_IR_PTR || to == HD_IR_PTR)
        return to == HD_IR_PTR ? g->memory : constant(g, to, 3);
    if (to == HD_IR_BOOL)
        return is_float(from) ? op(g, HD_IR_FCMP, to, roll(g, 14), x, random_const(g, from), 0)
                              : op(g, HD_IR_ICMP, to, roll(g, 10), x, random_const(g, from), 0);
    if (is_float(from) && is_float(to))
        return op(g, a > b ? HD_IR_FPTRUNC : HD_IR_FPEXT, to, 0, x, 0, 0);
    if (is_float(from))
        return op(g, roll(g, 2) ? HD_IR_FPTOSI : HD_IR_FPTOUI, to, 0, x, 0, 0);
    if (is_float(to))
        return op(g, roll(g, 2) ? HD_IR_SITOFP : HD_IR_UITOFP, to, 0, x, 0, 0);
    if (a > b)
        return op(g, HD_IR_TRUNC, to, 0, x, 0, 0);
    return op(g, roll(g, 2) ? HD_IR_SEXT : HD_IR_ZEXT, to, 0, x, 0, 0);
}

static HdIrRef field(Gen *g, unsigned i)
{
    HdIrRef base = roll(g, 2) ? g->record : g->copy;

    if (fields[i].at == 0)
        return base;
    return op(g, HD_IR_PTRADD, HD_IR_PTR, 0, base, constant(g, HD_IR_I64, fields[i].at), 0);
}

static HdIrRef expr(Gen *g, HdIrType t, unsigned depth);

/* An aligned place in memory, known or not. */
static HdIrRef place(Gen *g)
{
    HdIrRef at;

    if (roll(g, 2))
        return op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->memory,
                  constant(g, HD_IR_I64, roll(g, 32) * 8u), 0);
    at = op(g, HD_IR_AND, HD_IR_I64, 0, expr(g, HD_IR_I64, 1), constant(g, HD_IR_I64, 15), 0);
    if (roll(g, 2))
        at = op(g, HD_IR_ADD, HD_IR_I64, 0, at, constant(g, HD_IR_I64, roll(g, 16)), 0);
    at = op(g, HD_IR_MUL, HD_IR_I64, 0, at, constant(g, HD_IR_I64, 8), 0);
    return op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->memory, at, 0);
}

static HdIrRef leaf(Gen *g, HdIrType t)
{
    unsigned i;

    switch (roll(g, 6)) {
    case 0: return random_const(g, t);
    case 1: return as(g, g->params[roll(g, 4)], t);
    case 2: i = roll(g, FIELDS); return as(g, load(g, field(g, i), fields[i].type), t);
    case 3:
        return load(g, place(g), t == HD_IR_BOOL ? HD_IR_I8 : t) != 0 && t != HD_IR_BOOL
                   ? (HdIrRef)(g->f->insts.count - 1)
                   : random_const(g, t);
    default: i = roll(g, VARS); return as(g, load(g, g->var[i], g->type[i]), t);
    }
}

/* A sum that cannot wrap and says so. */
static HdIrRef small_sum(Gen *g, HdIrType t, unsigned depth)
{
    HdIrRef x = op(g, HD_IR_AND, t, 0, expr(g, t, depth), constant(g, t, 31), 0);

    x = op(g, HD_IR_ADD, t, 0, x, constant(g, t, roll(g, 30)), 0);
    g->f->insts.at[x].flags = HD_IR_NSW | HD_IR_NUW;
    return x;
}

/* Bits, bytes or nibbles of a value the other way round, not always all of them, as programs do it
 * by hand. */
static HdIrRef turned_round(Gen *g, HdIrType t, unsigned depth)
{
    static const HdIrOp joins[] = {HD_IR_OR, HD_IR_OR, HD_IR_ADD, HD_IR_XOR};
    unsigned width = hd_ir_type_bits(t), step = roll(g, 3) != 0 ? 8 : roll(g, 3) != 0 ? 1 : 4;
    unsigned count = width / step, left = roll(g, 3) == 0 ? roll(g, count) : 0;
    uint64_t part = (UINT64_C(1) << step) - 1;
    HdIrRef x = expr(g, t, depth), r = constant(g, t, 0);

    for (unsigned i = 0; i + left < count; i++) {
        HdIrRef y = op(g, HD_IR_LSHR, t, 0, x, constant(g, t, (uint64_t)i * step), 0);

        y = op(g, HD_IR_AND, t, 0, y, constant(g, t, roll(g, 60) != 0 ? part : part >> 1), 0);
        r = op(g, HD_IR_SHL, t, 0, r, constant(g, t, step % width), 0);
        r = op(g, joins[roll(g, 4)], t, 0, r, y, 0);
    }
    return r;
}

/* As C computes with bytes and shorts: in t, with what is extended to it. */
static HdIrRef promoted(Gen *g, HdIrType t, unsigned depth)
{
    static const uint8_t ops[] = {HD_IR_SHL, HD_IR_LSHR, HD_IR_ASHR, HD_IR_ADD, HD_IR_ADD,
                                  HD_IR_SUB, HD_IR_MUL,  HD_IR_AND,  HD_IR_XOR};
    unsigned how = roll(g, sizeof ops);
    HdIrRef x;

    if (depth == 0 && roll(g, 4) == 0)
        return random_const(g, t);
    if (depth == 0)
        return op(g, roll(g, 2) ? HD_IR_SEXT : HD_IR_ZEXT, t, 0,
                  leaf(g, (HdIrType)(HD_IR_BOOL + roll(g, 3))), 0, 0);
    x = promoted(g, t, depth - 1);
    return op(g, (HdIrOp)ops[how], t, 0, x,
              how < 3 ? constant(g, t, roll(g, 12)) : promoted(g, t, depth - 1), 0);
}

/* Cut off again. */
static HdIrRef narrowed(Gen *g, HdIrType t)
{
    HdIrType wide = t < HD_IR_I32 ? (HdIrType)(HD_IR_I32 + roll(g, 2)) : t;
    HdIrRef x = promoted(g, wide, 3);

    return wide != t ? op(g, HD_IR_TRUNC, t, 0, x, 0, 0)
                     : op(g, HD_IR_AND, t, 0, x, constant(g, t, (2u << roll(g, 17)) - 1), 0);
}

static HdIrRef expr(Gen *g, HdIrType t, unsigned depth)
{
    HdIrRef a, b;

    if (depth == 0 || roll(g, 5) == 0)
        return leaf(g, t);
    switch (roll(g, 12)) {
    case 0:
        a = expr(g, HD_IR_BOOL, depth - 1);
        b = expr(g, t, depth - 1);
        return op(g, HD_IR_SELECT, t, 0, a, b, expr(g, t, depth - 1));
    case 1: return as(g, expr(g, (HdIrType)(HD_IR_BOOL + roll(g, 8)), depth - 1), t);
    default: break;
    }
    if (is_float(t)) {
        unsigned o = HD_IR_FADD + roll(g, HD_IR_FMAX - HD_IR_FADD + 1);

        a = expr(g, t, depth - 1);
        if (o == HD_IR_FMA || o == HD_IR_FMIN || o == HD_IR_FMAX)
            o = HD_IR_FMUL;
        if (o >= HD_IR_FNEG && o <= HD_IR_FRINT)
            return op(g, (HdIrOp)o, t, 0, a, 0, 0);
        return op(g, (HdIrOp)o, t, 0, a, expr(g, t, depth - 1), 0);
    }
    if (t == HD_IR_BOOL) {
        HdIrType of = (HdIrType)(HD_IR_I8 + roll(g, 7));

        if (roll(g, 4) == 0)
            return op(g, (HdIrOp)(HD_IR_AND + roll(g, 3)), t, 0, expr(g, t, depth - 1),
                      roll(g, 2) ? constant(g, t, 1) : expr(g, t, depth - 1), 0);
        a = expr(g, of, depth - 1);
        b = expr(g, of, depth - 1);
        return is_float(of) ? op(g, HD_IR_FCMP, t, roll(g, 14), a, b, 0)
                            : op(g, HD_IR_ICMP, t, roll(g, 10), a, b, 0);
    }
    if (roll(g, 40) == 0 && t != HD_IR_PTR)
        return turned_round(g, t, depth - 1);
    if (roll(g, 8) == 0 && t != HD_IR_PTR)
        return small_sum(g, t, depth - 1);
    if (roll(g, 8) == 0 && t != HD_IR_PTR)
        return narrowed(g, t);
    if (roll(g, 8) == 0)
        return op(g, (HdIrOp)(HD_IR_CLZ + roll(g, 5)), t, 0, expr(g, t, depth - 1), 0, 0);
    a = expr(g, t, depth - 1);
    b = roll(g, 2) ? random_const(g, t) : expr(g, t, depth - 1);
    if (roll(g, 8) == 0) {
        HdIrRef c = a;

        a = b;
        b = c;
    }
    return op(g, (HdIrOp)(HD_IR_ADD + roll(g, HD_IR_CLZ - HD_IR_ADD)), t, 0, a, b, 0);
}

static void statement(Gen *g);

static void statements(Gen *g, unsigned n)
{
    while (n-- != 0)
        statement(g);
}

static void branch(Gen *g)
{
    HdIrRef c = expr(g, HD_IR_BOOL, 2);
    uint32_t yes = hd_ir_block(g->f), no = hd_ir_block(g->f), join = hd_ir_block(g->f);
    bool both = roll(g, 2) != 0;

    hd_ir_condbr(g->f, g->block, c, yes, both ? no : join);
    g->block = yes;
    statements(g, roll(g, 3));
    hd_ir_br(g->f, g->block, join);
    g->block = no;
    statements(g, both ? roll(g, 3) : 0);
    hd_ir_br(g->f, g->block, join);
    g->block = join;
}

static void loop(Gen *g)
{
    uint32_t head = hd_ir_block(g->f), body = hd_ir_block(g->f), after = hd_ir_block(g->f);
    HdIrRef counter = hd_ir_insert(g->f, 0, 0, HD_IR_ALLOCA, HD_IR_PTR, 2, 4, NULL, 0), i, c;

    store(g, counter, constant(g, HD_IR_I32, 0));
    hd_ir_br(g->f, g->block, head);
    g->block = head;
    i = load(g, counter, HD_IR_I32);
    c = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULT, i, constant(g, HD_IR_I32, roll(g, 6)), 0);
    hd_ir_condbr(g->f, g->block, c, body, after);
    g->block = body;
    statements(g, 1 + roll(g, 3));
    if (roll(g, 3) == 0) { /* break */
        uint32_t on = hd_ir_block(g->f);

        hd_ir_condbr(g->f, g->block, expr(g, HD_IR_BOOL, 1), after, on);
        g->block = on;
    }
    i = load(g, counter, HD_IR_I32);
    store(g, counter, op(g, HD_IR_ADD, HD_IR_I32, 0, i, constant(g, HD_IR_I32, 1), 0));
    hd_ir_br(g->f, g->block, head);
    g->block = after;
}

static void choose(Gen *g)
{
    uint32_t n = 1 + roll(g, 4), to[5], join = hd_ir_block(g->f), from = g->block;
    HdIrRef x = op(g, HD_IR_AND, HD_IR_I32, 0, expr(g, HD_IR_I32, 1), constant(g, HD_IR_I32, 7), 0);

    for (uint32_t i = 0; i < n; i++)
        to[i] = roll(g, 5) == 0 ? join : hd_ir_block(g->f);
    set_switch(g, from, x, to, n, 3);
    for (uint32_t i = 0; i < n; i++) {
        if (to[i] == join)
            continue;
        g->block = to[i];
        statements(g, roll(g, 2));
        hd_ir_br(g->f, g->block, join);
    }
    g->block = join;
}

/* Copies and fills. The records' last bytes are only moved by these. */
static void bytes(Gen *g)
{
    HdIrRef args[3] = {g->copy, g->record, constant(g, HD_IR_I64, RECORD_BYTES)};

    switch (roll(g, 4)) {
    case 0: hd_ir_emit(g->f, g->block, HD_IR_MEMCPY, HD_IR_VOID, args, 3); break;
    case 1:
        args[0] = op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->copy, constant(g, HD_IR_I64, 8), 0);
        args[1] = op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->record, constant(g, HD_IR_I64, 8), 0);
        args[2] = constant(g, HD_IR_I64, 16);
        hd_ir_emit(g->f, g->block, HD_IR_MEMCPY, HD_IR_VOID, args, 3);
        break;
    case 2:
        args[0] = roll(g, 2) ? g->memory : g->record;
        args[1] = args[0] == g->memory ? g->copy : g->memory;
        hd_ir_emit(g->f, g->block, HD_IR_MEMCPY, HD_IR_VOID, args, 3);
        break;
    default:
        args[0] = g->record;
        args[1] = expr(g, HD_IR_I8, 1);
        hd_ir_emit(g->f, g->block, HD_IR_MEMSET, HD_IR_VOID, args, 3);
        break;
    }
}

static void call(Gen *g)
{
    HdIrRef args[3] = {expr(g, HD_IR_I32, 1), expr(g, HD_IR_F64, 1), g->memory};
    HdIrRef r = hd_ir_emit_sub(g->f, g->block, HD_IR_CALL, HD_IR_VOID, 0, 1, args, 3);
    unsigned i = roll(g, VARS);
    HdIrRef x = hd_ir_emit_sub(g->f, g->block, HD_IR_RESULT, HD_IR_I32, 0, 0, &r, 1);
    HdIrRef y = hd_ir_emit_sub(g->f, g->block, HD_IR_RESULT, HD_IR_F64, 0, 1, &r, 1);

    store(g, g->var[i], as(g, roll(g, 2) ? x : y, g->type[i]));
}

static void statement(Gen *g)
{
    unsigned what = roll(g, 16), i = roll(g, VARS);

    if (g->statements == 0 || g->depth > 3)
        return;
    g->statements--;
    g->depth++;
    if (what == 0)
        branch(g);
    else if (what == 1)
        loop(g);
    else if (what == 2)
        choose(g);
    else if (what == 3)
        bytes(g);
    else if (what == 4 && g->may_call)
        call(g);
    else if (what <= 6)
        store(g, place(g), expr(g, (HdIrType)(HD_IR_I8 + roll(g, 7)), 3));
    else if (what <= 9) {
        unsigned k = roll(g, FIELDS);

        store(g, field(g, k), expr(g, fields[k].type, 3));
    } else {
        store(g, g->var[i], expr(g, g->type[i], 3));
    }
    g->depth--;
}

/* Blocks that branch anywhere, until a count of rounds is used up. */
static void any_graph(Gen *g)
{
    uint32_t n = 3 + roll(g, 8), from[12] = {0}, on[12] = {0}, end = hd_ir_block(g->f);
    HdIrRef fuel = hd_ir_insert(g->f, 0, 0, HD_IR_ALLOCA, HD_IR_PTR, 2, 4, NULL, 0);

    store(g, fuel, constant(g, HD_IR_I32, 20));
    for (uint32_t i = 0; i < n; i++) {
        from[i] = hd_ir_block(g->f);
        on[i] = hd_ir_block(g->f);
    }
    hd_ir_br(g->f, g->block, from[0]);
    for (uint32_t i = 0; i < n; i++) {
        HdIrRef left, c;
        uint32_t to[3] = {from[roll(g, n)], from[roll(g, n)], from[roll(g, n)]};

        g->block = from[i];
        statements(g, roll(g, 3));
        left =
            op(g, HD_IR_SUB, HD_IR_I32, 0, load(g, fuel, HD_IR_I32), constant(g, HD_IR_I32, 1), 0);
        store(g, fuel, left);
        c = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_SLE, left, constant(g, HD_IR_I32, 0), 0);
        hd_ir_condbr(g->f, g->block, c, end, on[i]);
        g->block = on[i];
        if (roll(g, 3) == 0)
            hd_ir_br(g->f, g->block, to[0]);
        else if (roll(g, 3) != 0)
            hd_ir_condbr(g->f, g->block, expr(g, HD_IR_BOOL, 2), to[0], to[1]);
        else
            set_switch(g, g->block, expr(g, HD_IR_I8, 1), to, 3, 3);
    }
    g->block = end;
}

static void variables(Gen *g)
{
    for (unsigned i = 0; i < VARS; i++) {
        g->type[i] = (HdIrType)(HD_IR_BOOL + i % 8);
        g->var[i] = hd_ir_emit_sub(g->f, 0, HD_IR_ALLOCA, HD_IR_PTR, 3, 8, NULL, 0);
    }
    g->record = hd_ir_emit_sub(g->f, 0, HD_IR_ALLOCA, HD_IR_PTR, 3, RECORD_BYTES, NULL, 0);
    g->copy = hd_ir_emit_sub(g->f, 0, HD_IR_ALLOCA, HD_IR_PTR, 3, RECORD_BYTES, NULL, 0);
    for (unsigned i = 0; i < VARS; i++)
        store(g, g->var[i], as(g, random_const(g, HD_IR_I32), g->type[i]));
    for (unsigned k = 0; k < 2; k++) {
        HdIrRef args[3] = {k == 0 ? g->record : g->copy, constant(g, HD_IR_I8, 0),
                           constant(g, HD_IR_I64, RECORD_BYTES)};

        hd_ir_emit(g->f, 0, HD_IR_MEMSET, HD_IR_VOID, args, 3);
    }
}

static void set_types(HdIrFunc *f, const HdIrType *params, uint32_t n, const HdIrType *results,
                      uint32_t m)
{
    f->param_types = HD_NEW(f->module->arena, uint8_t, n);
    f->result_types = HD_NEW(f->module->arena, uint8_t, m);
    f->param_count = n;
    f->result_count = m;
    for (uint32_t i = 0; i < n; i++)
        f->param_types[i] = (uint8_t)params[i];
    for (uint32_t i = 0; i < m; i++)
        f->result_types[i] = (uint8_t)results[i];
}

static HdIrRef param(Gen *g, unsigned i, HdIrType t)
{
    return hd_ir_emit_sub(g->f, 0, HD_IR_PARAM, t, 0, i, NULL, 0);
}

static void main_function(Gen *g)
{
    static const HdIrType in[] = {HD_IR_I32, HD_IR_I64, HD_IR_F32, HD_IR_F64, HD_IR_PTR};
    static const HdIrType out[] = {HD_IR_I64, HD_IR_I64, HD_IR_I64};
    HdIrRef results[3];

    set_types(g->f, in, 5, out, 3);
    for (unsigned i = 0; i < 4; i++)
        g->params[i] = param(g, i, in[i]);
    g->memory = param(g, 4, HD_IR_PTR);
    variables(g);
    if (roll(g, 2))
        any_graph(g);
    else
        statements(g, 8);
    for (unsigned i = 0; i < 3; i++)
        results[i] = as(g, leaf(g, (HdIrType)(HD_IR_I8 + roll(g, 7))), HD_IR_I64);
    hd_ir_emit(g->f, g->block, HD_IR_RET, HD_IR_VOID, results, 3);
}

static void helper_function(Gen *g)
{
    static const HdIrType in[] = {HD_IR_I32, HD_IR_F64, HD_IR_PTR};
    static const HdIrType out[] = {HD_IR_I32, HD_IR_F64};

    set_types(g->f, in, 3, out, 2);
    g->params[0] = g->params[2] = param(g, 0, HD_IR_I32);
    g->params[1] = g->params[3] = param(g, 1, HD_IR_F64);
    g->memory = param(g, 2, HD_IR_PTR);
    variables(g);
    statements(g, 3);
    for (unsigned k = roll(g, 3); k-- > 0;) { /* early returns */
        uint32_t out_of = hd_ir_block(g->f), on = hd_ir_block(g->f);
        HdIrRef results[2];

        hd_ir_condbr(g->f, g->block, expr(g, HD_IR_BOOL, 1), out_of, on);
        g->block = out_of;
        results[0] = expr(g, HD_IR_I32, 1);
        results[1] = expr(g, HD_IR_F64, 1);
        hd_ir_emit(g->f, g->block, HD_IR_RET, HD_IR_VOID, results, 2);
        g->block = on;
        statements(g, 1);
    }
    {
        HdIrRef results[2] = {expr(g, HD_IR_I32, 1), g->params[1]};

        hd_ir_emit(g->f, g->block, HD_IR_RET, HD_IR_VOID, results, 2);
    }
}

/* Some programs get the ranks that build/ would give. */
static bool set_ranks(HdIrFunc *f, HdArena *a)
{
    HdIrGraph *graph;

    if (hd_ir_graph(f, a, &graph) != HD_OK)
        return false;
    for (uint32_t i = 0; i < graph->reachable; i++)
        f->blocks.at[graph->order[i]].rank = i;
    for (uint32_t b = 0; b < graph->count; b++)
        if (graph->rank[b] == HD_IR_NOWHERE)
            f->blocks.at[b].rank = graph->reachable;
    return true;
}

HdIrModule *gen_module(HdArena *a, uint64_t seed)
{
    Gen g = {.state = seed * 0x9e3779b97f4a7c15u + 0x1234567, .statements = 24, .may_call = true};
    HdIrModule *m = hd_ir_module(a);
    HdIrFunc *kernel, *helper;

    if (m == NULL)
        return NULL;
    for (unsigned i = 0; i < 8; i++)
        (void)roll(&g, 2);
    kernel = hd_ir_func(m, "main");
    helper = hd_ir_func(m, "helper");
    if (kernel == NULL || helper == NULL)
        return NULL;
    g.f = kernel;
    main_function(&g);
    g.f = helper;
    g.block = 0;
    g.statements = 8;
    g.may_call = false;
    helper_function(&g);
    if (roll(&g, 2) && (!set_ranks(kernel, a) || !set_ranks(helper, a)))
        return NULL;
    return m->failed ? NULL : m;
}
