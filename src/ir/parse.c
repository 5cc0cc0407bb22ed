/* ir/parse.c -- lane IR from its text (docs/lane-ir.md).
 *
 * Checks everything that would make the result unsafe to inspect: numbers of values and blocks,
 * names, sizes. hd_ir_verify checks whether the function makes sense.
 *
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "ir/edit.h"
#include "ir/text.h"

#define MAX_VALUE (1u << 22)
#define MAX_ARGS  60000u

typedef struct Parse {
    HdIrModule *m;
    HdIrFunc *f;
    HdArena *scratch;
    HdDiags *d;
    const char *at, *end, *line_start;
    uint32_t line;
    HD_ARRAY(HdIrRef) args;
    HD_ARRAY(uint32_t) succ;
    HD_ARRAY(uint64_t) cases;
} Parse;

static HdStatus wrong(Parse *p, const char *what)
{
    HdDiag diag = {.severity = HD_ERROR,
                   .status = HD_BAD_INPUT,
                   .rule = "ir.parse",
                   .word = HD_NO_PLACE,
                   .line = p->line,
                   .column = (uint32_t)(p->at - p->line_start) + 1};

    return hd_diags_add(p->d, &diag, "%s", what);
}

/* Skip blanks, line ends and comments from ';' on. */
static void skip(Parse *p)
{
    for (; p->at < p->end; p->at++) {
        if (*p->at == ';')
            while (p->at + 1 < p->end && p->at[1] != '\n')
                p->at++;
        else if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        } else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r')
            break;
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Take one character if it comes next. */
static bool take(Parse *p, char c)
{
    skip(p);
    if (p->at >= p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* Take a word if it comes next, and only as a whole. */
static bool take_word(Parse *p, const char *word)
{
    size_t n = strlen(word);

    skip(p);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0 ||
        (p->at + n < p->end && is_word(p->at[n])))
        return false;
    p->at += n;
    return true;
}

static HdStatus expect(Parse *p, char c)
{
    char text[16] = "'x' expected";

    text[1] = c;
    return take(p, c) ? HD_OK : wrong(p, text);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

static HdStatus number(Parse *p, uint64_t *out)
{
    uint64_t base = 10, x = 0;
    const char *start;

    skip(p);
    if (p->end - p->at > 2 && p->at[0] == '0' && p->at[1] == 'x') {
        base = 16;
        p->at += 2;
    }
    start = p->at;
    for (; p->at < p->end && (uint64_t)digit(*p->at) < base; p->at++)
        if (__builtin_mul_overflow(x, base, &x) ||
            __builtin_add_overflow(x, (uint64_t)digit(*p->at), &x))
            return wrong(p, "number is too large");
    if (p->at == start || (p->at < p->end && is_word(*p->at)))
        return wrong(p, "number expected");
    *out = x;
    return HD_OK;
}

static HdStatus small(Parse *p, uint32_t limit, uint32_t *out)
{
    uint64_t x;

    HD_TRY(number(p, &x));
    if (x > limit)
        return wrong(p, "number is too large here");
    *out = (uint32_t)x;
    return HD_OK;
}

static HdStatus value(Parse *p, HdIrRef *out)
{
    HD_TRY(expect(p, '%'));
    HD_TRY(small(p, MAX_VALUE, out));
    return *out != 0 ? HD_OK : wrong(p, "values are numbered from 1");
}

static HdStatus type(Parse *p, HdIrType *out)
{
    for (unsigned t = 0; t < HD_IR_TYPE_COUNT; t++)
        if (take_word(p, hd_ir_type_name(t))) {
            *out = (HdIrType)t;
            return HD_OK;
        }
    return wrong(p, "type expected");
}

static HdStatus types(Parse *p, uint8_t **out, uint32_t *count)
{
    HD_ARRAY(uint8_t) list = {0};
    HdIrType t = HD_IR_VOID;

    HD_TRY(expect(p, '('));
    if (!take(p, ')')) {
        do {
            HD_TRY(type(p, &t));
            HD_TRY_PUSH(p->m->arena, &list, (uint8_t)t);
        } while (take(p, ','));
        HD_TRY(expect(p, ')'));
    }
    *out = list.at;
    *count = (uint32_t)list.count;
    return HD_OK;
}

/* ".name" or ".7" after an operation. */
static HdStatus sub(Parse *p, unsigned op, uint16_t *out)
{
    uint32_t x = 0;

    if (p->at >= p->end || *p->at != '.')
        return HD_OK;
    p->at++;
    for (unsigned i = 0; hd_ir_sub_name(op, i) != NULL; i++)
        if (take_word(p, hd_ir_sub_name(op, i))) {
            *out = (uint16_t)i;
            return HD_OK;
        }
    HD_TRY(small(p, UINT16_MAX, &x));
    *out = (uint16_t)x;
    return HD_OK;
}

static HdStatus operation(Parse *p, uint8_t *out)
{
    skip(p);
    for (unsigned op = 0; op < HD_IR_OP_COUNT; op++)
        if (take_word(p, hd_ir_op_name(op))) {
            *out = (uint8_t)op;
            return HD_OK;
        }
    return wrong(p, "operation expected");
}

/* Flags, immediate, shape, stride and place, in this order. */
static HdStatus attributes(Parse *p, HdIrInst *in)
{
    uint64_t x;

    for (unsigned bit = 0; bit < HD_IR_FLAG_COUNT; bit++)
        if (take_word(p, hd_ir_flag_name(bit)))
            in->flags |= (HdIrFlags)(1u << bit);
    if (take_word(p, "imm"))
        HD_TRY(number(p, &in->imm));
    for (unsigned shape = 0; shape < HD_SHAPE_VARYING; shape++)
        if (take_word(p, hd_ir_shape_name(shape)))
            in->shape = (uint8_t)shape;
    if (take_word(p, "stride")) {
        bool minus = take(p, '-');

        HD_TRY(number(p, &x));
        in->stride = (int64_t)(minus ? 0 - x : x);
    }
    if (take(p, '@'))
        HD_TRY(small(p, UINT32_MAX - 1, &in->place));
    return HD_OK;
}

static HdStatus operands(Parse *p, unsigned op)
{
    p->args.count = 0;
    for (;;) {
        HdIrRef x;

        skip(p);
        if (op == HD_IR_PHI) {
            if (p->at >= p->end || digit(*p->at) > 9)
                return HD_OK;
            HD_TRY(small(p, MAX_VALUE, &x));
            HD_TRY(expect(p, ':'));
            HD_TRY_PUSH(p->scratch, &p->args, x);
        } else if (p->args.count == 0 && (p->at >= p->end || *p->at != '%')) {
            return HD_OK;
        } else if (p->args.count == 0) {
            /* "%7 =" begins the next instruction */
            Parse ahead = *p;

            HD_TRY(value(&ahead, &x));
            if (take(&ahead, '='))
                return HD_OK;
        }
        HD_TRY(value(p, &x));
        HD_TRY_PUSH(p->scratch, &p->args, x);
        if (p->args.count > MAX_ARGS)
            return wrong(p, "too many operands");
        if (!take(p, ','))
            return HD_OK;
    }
}

static HdStatus successors(Parse *p, uint32_t block, unsigned op)
{
    HdIrBlock *b;
    uint32_t to = 0;
    uint64_t x = 0;

    p->succ.count = p->cases.count = 0;
    skip(p);
    if (p->end - p->at < 2 || p->at[0] != '-' || p->at[1] != '>')
        return HD_OK;
    p->at += 2;
    do {
        if (op == HD_IR_SWITCH && p->succ.count != 0) {
            HD_TRY(number(p, &x));
            HD_TRY(expect(p, ':'));
            HD_TRY_PUSH(p->scratch, &p->cases, x);
        }
        HD_TRY(small(p, MAX_VALUE, &to));
        HD_TRY_PUSH(p->scratch, &p->succ, to);
    } while (take(p, ','));
    b = &p->f->blocks.at[block];
    b->succ_count = (uint32_t)p->succ.count;
    HD_TAKE(b->succ, hd_arena_copy(p->m->arena, p->succ.at, p->succ.count * sizeof *b->succ));
    HD_TAKE(b->cases, hd_arena_copy(p->m->arena, p->cases.at, p->cases.count * sizeof *b->cases));
    return HD_OK;
}

static HdStatus instruction(Parse *p, uint32_t block)
{
    HdIrInst in = {.shape = HD_SHAPE_VARYING, .block = block, .place = UINT32_MAX};
    HdIrInst none = {.block = HD_IR_NOWHERE, .place = UINT32_MAX};
    HdIrFunc *f = p->f;
    HdIrType t = HD_IR_VOID;
    HdIrRef r;

    HD_TRY(value(p, &r));
    HD_TRY(expect(p, '='));
    HD_TRY(operation(p, &in.op));
    HD_TRY(sub(p, in.op, &in.sub));
    HD_TRY(type(p, &t));
    in.type = (uint8_t)t;
    HD_TRY(attributes(p, &in));
    while (f->insts.count <= r)
        HD_TRY_PUSH(p->m->arena, &f->insts, none);
    if (f->insts.at[r].block != HD_IR_NOWHERE)
        return wrong(p, "this value is defined twice");
    HD_TRY(operands(p, in.op));
    in.args = (uint32_t)f->args.count;
    in.nargs = (uint16_t)p->args.count;
    for (size_t i = 0; i < p->args.count; i++)
        HD_TRY_PUSH(p->m->arena, &f->args, p->args.at[i]);
    f->insts.at[r] = in;
    HD_TRY_PUSH(p->m->arena, &f->blocks.at[block].insts, r);
    return hd_ir_op_is_terminator(in.op) ? successors(p, block, in.op) : HD_OK;
}

static HdStatus blocks(Parse *p)
{
    uint32_t seen = 0, n = 0;

    while (!take(p, '}')) {
        HdIrBlock *b;

        if (!take_word(p, "block"))
            return wrong(p, "'block' expected");
        HD_TRY(small(p, MAX_VALUE, &n));
        if (n != seen++)
            return wrong(p, "blocks are numbered in order from 0");
        if (n != 0 && hd_ir_block(p->f) == HD_IR_NOWHERE)
            return HD_NO_MEMORY;
        b = &p->f->blocks.at[n];
        if (take_word(p, "rank"))
            HD_TRY(small(p, UINT32_MAX - 1, &b->rank));
        if (take_word(p, "merge"))
            HD_TRY(small(p, UINT32_MAX - 1, &b->loop_merge));
        HD_TRY(expect(p, ':'));
        for (skip(p); p->at < p->end && *p->at == '%'; skip(p))
            HD_TRY(instruction(p, n));
    }
    return HD_OK;
}

/* Everything that names a value or block names one that exists. */
static HdStatus check_numbers(Parse *p)
{
    const HdIrFunc *f = p->f;

    for (size_t r = 1; r < f->insts.count; r++) {
        const HdIrInst *in = &f->insts.at[r];

        for (unsigned k = 0; k < in->nargs; k++) {
            HdIrRef x = hd_ir_arg(f, (HdIrRef)r, k);

            if (!hd_ir_arg_is_value(in, k)
                    ? x >= f->blocks.count
                    : x >= f->insts.count || f->insts.at[x].block == HD_IR_NOWHERE)
                return wrong(p, "an operand names something that does not exist");
        }
    }
    for (size_t b = 0; b < f->blocks.count; b++)
        for (uint32_t i = 0; i < f->blocks.at[b].succ_count; i++)
            if (f->blocks.at[b].succ[i] >= f->blocks.count)
                return wrong(p, "a branch names a block that does not exist");
    return HD_OK;
}

static HdStatus function(Parse *p)
{
    bool is_kernel = take_word(p, "kernel");
    const char *start;
    char *name;

    if (!is_kernel && !take_word(p, "func"))
        return wrong(p, "'kernel' or 'func' expected");
    HD_TRY(expect(p, '@'));
    HD_TRY(expect(p, '"'));
    for (start = p->at; p->at < p->end && *p->at != '"' && *p->at != '\n'; p->at++) {
    }
    HD_TAKE(name, hd_arena_string(p->scratch, start, (size_t)(p->at - start)));
    HD_TRY(expect(p, '"'));
    HD_TAKE(p->f, hd_ir_func(p->m, name));
    p->f->is_kernel = is_kernel;
    HD_TRY(types(p, &p->f->param_types, &p->f->param_count));
    HD_TRY(expect(p, '-'));
    HD_TRY(expect(p, '>'));
    HD_TRY(types(p, &p->f->result_types, &p->f->result_count));
    p->f->callee.must_inline = take_word(p, "must_inline");
    p->f->waits.has_barrier = take_word(p, "has_barrier");
    p->f->waits.needs_fibers = take_word(p, "needs_fibers");
    p->f->waits.lanes_wait = take_word(p, "lanes_wait");
    if (take_word(p, "width"))
        HD_TRY(small(p, 64, &p->f->width));
    HD_TRY(expect(p, '{'));
    HD_TRY(blocks(p));
    return check_numbers(p);
}

static HdStatus module(Parse *p)
{
    for (skip(p); p->at < p->end; skip(p))
        HD_TRY(function(p));
    return HD_OK;
}

HdStatus hd_ir_parse(HdArena *a, const char *text, size_t len, HdDiags *d, HdIrModule **out)
{
    Parse p = {.d = d, .at = text, .end = text + len, .line_start = text, .line = 1};
    HdStatus st = HD_NO_MEMORY;

    p.m = hd_ir_module(a);
    p.scratch = hd_arena_open();
    if (p.m != NULL && p.scratch != NULL)
        st = module(&p);
    hd_arena_drop(p.scratch);
    *out = st == HD_OK ? p.m : NULL;
    return st;
}
