/* clc/checked.c -- checked arithmetic in LLVM's text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/checked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "clc/text.h"

#define MOST_BITS 64u

static const char checked[] = ".with.overflow.";
static const char intrinsic[] = "@llvm.";

bool hd_clc_names_checked(const char *text)
{
    return strstr(text, "__builtin_") != NULL && strstr(text, "_overflow") != NULL;
}

bool hd_clc_stopped_at_checked(const char *log)
{
    static const char *const names[] = {"G_SADDO", "G_SSUBO", "G_SMULO"};

    if (strstr(log, "InvalidFunctionCall") != NULL) /* llvm-spirv's */
        return strstr(log, checked) != NULL;
    if (strstr(log, "error in backend:") == NULL)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(log, names[i]) != NULL)
            return true;
    return false;
}

/* ---- an operation -------------------------------------------------------------------------------
 */

typedef enum Kind { ADD, SUB, MUL } Kind;

static const char *const kinds[] = {"add", "sub", "mul"};

typedef struct Op {
    bool is_signed;
    Kind kind;
    unsigned bits, lanes; /* lanes: 0 for a scalar */
} Op;

typedef HD_ARRAY(Op) Ops;

/* The operation that a line calls or declares, `@llvm.sadd.with.overflow.v4i32(`; NULL: none. */
static const char *find_op(HdClcText line, Op *op)
{
    const char *at = hd_clc_find(line, checked), *p;
    char *after;

    *op = (Op){0};
    if (at == NULL || at - line.at < (ptrdiff_t)sizeof intrinsic + 3)
        return NULL;
    p = at - 4;
    op->is_signed = *p == 's';
    while (op->kind <= MUL && memcmp(p + 1, kinds[op->kind], 3) != 0)
        op->kind++;
    at += sizeof checked - 1;
    if (*at == 'v') {
        op->lanes = (unsigned)strtoul(at + 1, &after, 10);
        at = after;
    }
    if (op->kind > MUL || *at != 'i' || memcmp(p - 6, intrinsic, 6) != 0)
        return NULL;
    op->bits = (unsigned)strtoul(at + 1, &after, 10);
    return *after == '(' ? p - 6 : NULL;
}

const char *hd_clc_find_checked(HdClcText line, bool *is_signed)
{
    Op op;
    const char *at = find_op(line, &op);

    *is_signed = op.is_signed;
    return at;
}

static bool is_same(const Op *a, const Op *b)
{
    return a->is_signed == b->is_signed && a->kind == b->kind && a->bits == b->bits &&
           a->lanes == b->lanes;
}

static bool note(Ops *ops, const Op *op)
{
    for (size_t i = 0; i < ops->count; i++)
        if (is_same(&ops->at[i], op))
            return true;
    return HD_PUSH(NULL, ops, *op);
}

/* ---- its function -------------------------------------------------------------------------------
 */

/* What the types of a function are called. */
typedef struct Types {
    char own[24], sum[24], truth[24]; /* sum: what the exact result is computed in */
    char own_name[16];
} Types;

static void name_type(char *to, size_t room, const Op *op, unsigned bits)
{
    if (op->lanes == 0)
        snprintf(to, room, "i%u", bits);
    else
        snprintf(to, room, "<%u x i%u>", op->lanes, bits);
}

static Types types_of(const Op *op)
{
    Types t;

    name_type(t.own, sizeof t.own, op, hd_clc_usual_width(op->bits));
    name_type(t.sum, sizeof t.sum, op, MOST_BITS);
    name_type(t.truth, sizeof t.truth, op, 1);
    if (op->lanes == 0)
        snprintf(t.own_name, sizeof t.own_name, "i%u", op->bits);
    else
        snprintf(t.own_name, sizeof t.own_name, "v%ui%u", op->lanes, op->bits);
    return t;
}

/* `  %to = op type %a, number`. */
static void add_by(HdStrbuf *out, const Op *op, const char *to, const char *what, const char *a,
                   unsigned number)
{
    const Types t = types_of(op);

    hd_strbuf_printf(
        out, op->lanes == 0 ? "  %%%s = %s %s %%%s, %u\n" : "  %%%s = %s %s %%%s, splat (i64 %u)\n",
        to, what, t.sum, a, number);
}

/* An operand as a number of 64 bits. */
static void add_wide(HdStrbuf *out, const Op *op, const char *to, const char *from)
{
    const Types t = types_of(op);

    if (hd_clc_usual_width(op->bits) == MOST_BITS)
        add_by(out, op, to, "add", from, 0);
    else
        hd_strbuf_printf(out, "  %%%s = %s %s %%%s to %s\n", to, op->is_signed ? "sext" : "zext",
                         t.own, from, t.sum);
}

/* Sets %low to the sum's lower bits, extended: the result that does not overflow. */
static void add_low(HdStrbuf *out, const Op *op)
{
    add_by(out, op, "up", "shl", "sum", MOST_BITS - op->bits);
    add_by(out, op, "low", op->is_signed ? "ashr" : "lshr", "up", MOST_BITS - op->bits);
}

/* %is: does the exact result, which has 64 bits, have more bits than the operands? */
static void add_small(HdStrbuf *out, const Op *op)
{
    const Types t = types_of(op);

    add_low(out, op);
    hd_strbuf_printf(out, "  %%is = icmp ne %s %%low, %%sum\n", t.sum);
}

/* The same for sums and differences of 64 bits. */
static void add_full(HdStrbuf *out, const Op *op)
{
    const Types t = types_of(op);
    const char *zero = op->lanes == 0 ? "0" : "zeroinitializer";

    if (!op->is_signed) {
        hd_strbuf_printf(out,
                         op->kind == ADD ? "  %%is = icmp ult %s %%sum, %%x\n"
                                         : "  %%is = icmp ult %s %%x, %%y\n",
                         t.sum);
        return;
    }
    hd_strbuf_printf(out,
                     "  %%p = xor %s %%x, %%sum\n"
                     "  %%q = xor %s %s, %s\n"
                     "  %%pq = and %s %%p, %%q\n"
                     "  %%is = icmp slt %s %%pq, %s\n",
                     t.sum, t.sum, op->kind == ADD ? "%y" : "%x", op->kind == ADD ? "%sum" : "%y",
                     t.sum, t.sum, zero);
}

/* The function that gives the upper half of a product, as OpenCL C's mul_hi is called. */
static void name_high(char *to, size_t room, const Op *op)
{
    if (op->lanes == 0)
        snprintf(to, room, op->is_signed ? "@_Z6mul_hill(" : "@_Z6mul_himm(");
    else
        snprintf(to, room, "@_Z6mul_hiDv%u_%sS_(", op->lanes, op->is_signed ? "l" : "m");
}

/* The same for products of more than 32 bits. */
static void add_product(HdStrbuf *out, const Op *op)
{
    const Types t = types_of(op);
    char name[40];

    name_high(name, sizeof name, op);
    hd_strbuf_printf(out, "  %%high = call spir_func %s %s%s %%x, %s %%y)\n", t.sum, name, t.sum,
                     t.sum);
    add_low(out, op);
    if (op->is_signed)
        add_by(out, op, "sign", "ashr", "sum", 63);
    else
        add_by(out, op, "sign", "and", "sum", 0);
    hd_strbuf_printf(out,
                     "  %%r = icmp ne %s %%high, %%sign\n"
                     "  %%s = icmp ne %s %%low, %%sum\n"
                     "  %%is = or %s %%r, %%s\n",
                     t.sum, t.sum, t.truth);
}

static void add_function(HdStrbuf *out, const Op *op)
{
    const Types t = types_of(op);

    hd_strbuf_printf(
        out, "define internal { %s, %s } @heddle.%c%s%s%s(%s %%a, %s %%b) alwaysinline {\n", t.own,
        t.truth, op->is_signed ? 's' : 'u', kinds[op->kind], checked, t.own_name, t.own, t.own);
    add_wide(out, op, "x", "a");
    add_wide(out, op, "y", "b");
    hd_strbuf_printf(out, "  %%sum = %s %s %%x, %%y\n", kinds[op->kind], t.sum);
    if (op->kind == MUL && op->bits > 32)
        add_product(out, op);
    else if (op->bits == MOST_BITS)
        add_full(out, op);
    else
        add_small(out, op);
    if (hd_clc_usual_width(op->bits) == MOST_BITS)
        add_by(out, op, "own", "add", "sum", 0);
    else
        hd_strbuf_printf(out, "  %%own = trunc %s %%sum to %s\n", t.sum, t.own);
    hd_strbuf_printf(out,
                     "  %%one = insertvalue { %s, %s } poison, %s %%own, 0\n"
                     "  %%two = insertvalue { %s, %s } %%one, %s %%is, 1\n"
                     "  ret { %s, %s } %%two\n}\n",
                     t.own, t.truth, t.own, t.own, t.truth, t.truth, t.own, t.truth);
}

/* What the functions call, if the text does not declare it already. */
static void add_declarations(HdStrbuf *out, const char *text, const Ops *ops)
{
    for (size_t i = 0; i < ops->count; i++) {
        const Op *op = &ops->at[i];
        const Types t = types_of(op);
        char name[40];

        name_high(name, sizeof name, op);
        if (op->kind == MUL && op->bits > 32 && strstr(text, name) == NULL &&
            strstr(hd_strbuf_text(out), name) == NULL)
            hd_strbuf_printf(out, "declare spir_func %s %s%s, %s)\n", t.sum, name, t.sum, t.sum);
    }
}

HdStatus hd_clc_expand_checked(const char *text, HdStrbuf *out)
{
    Ops ops = {0};
    HdClcText line;
    bool failed = false;
    Op op;

    for (const char *p = text; hd_clc_next_line(&p, &line);) {
        const char *at = find_op(line, &op);

        if (at != NULL && op.bits <= MOST_BITS) {
            failed = failed || !note(&ops, &op);
            if (hd_clc_begins(line, "declare "))
                continue;
            hd_strbuf_printf(out, "%.*s@heddle.", (int)(at - line.at), line.at);
            line.at = at + sizeof intrinsic - 1;
        }
        hd_clc_add_line(out, line);
    }
    add_declarations(out, text, &ops);
    for (size_t i = 0; i < ops.count; i++)
        add_function(out, &ops.at[i]);
    HD_ARRAY_FREE(&ops);
    return failed || out->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- numbers of 65 bits -------------------------------------------------------------------------
 *
 * Each is a pair of numbers of 64 bits, in which sums and products of any two of those are exact.
 * So nothing overflows; the comparison that follows finds what is too large for the result's type.
 */

#define PAIR "<2 x i64>"

static const unsigned widths[] = {1, 8, 16, 32, 64};
#define WIDTHS (sizeof widths / sizeof *widths)

typedef struct Split {
    HdStrbuf *out;
    bool extends[2][WIDTHS], cuts[WIDTHS]; /* which functions are called; extends[1]: by sign */
    bool compares, computes[3];
} Split;

/* A number, of which LLVM's text has the decimal digits, or its name. */
static void add_pair(HdStrbuf *out, HdClcText operand)
{
    const bool is_negative = *operand.at == '-';
    unsigned long long n;

    if (*operand.at == '%') {
        hd_strbuf_printf(out, PAIR " %.*s", HD_CLC_TEXT(operand));
        return;
    }
    n = strtoull(operand.at + is_negative, NULL, 10);
    hd_strbuf_printf(out, PAIR " <i64 %llu, i64 %d>", is_negative ? 0 - n : n,
                     is_negative && n != 0 ? -1 : 0);
}

/* The index of a type's width; WIDTHS: it is another type. */
static size_t width_of(HdClcText type)
{
    char name[8];

    for (size_t i = 0; i < WIDTHS; i++) {
        snprintf(name, sizeof name, "i%u", widths[i]);
        if (hd_clc_is(type, name))
            return i;
    }
    return WIDTHS;
}

/* `%r = sext i32 %a to i65`, `%r = trunc i65 %a to i32`. `p` is behind " = ". */
static bool split_conversion(Split *s, HdClcText result, const char *p, const char *end)
{
    const HdClcText op = hd_clc_word(&p, end), from = hd_clc_word(&p, end);
    const HdClcText a = hd_clc_word(&p, end), to = {p, end};
    const bool by_sign = hd_clc_is(op, "sext");
    size_t w;

    if (hd_clc_is(op, "trunc") && hd_clc_is(from, "i65") && hd_clc_begins(to, " to ")) {
        w = width_of((HdClcText){p + 4, end});
        if (w == WIDTHS)
            return false;
        s->cuts[w] = true;
        hd_strbuf_printf(s->out, "%.*s = call i%u @heddle.pair.trunc.i%u(", HD_CLC_TEXT(result),
                         widths[w], widths[w]);
        add_pair(s->out, a);
        hd_strbuf_add_char(s->out, ')');
        return true;
    }
    w = width_of(from);
    if ((!by_sign && !hd_clc_is(op, "zext")) || !hd_clc_is(to, " to i65") || w == WIDTHS)
        return false;
    s->extends[by_sign][w] = true;
    hd_strbuf_printf(s->out, "%.*s = call " PAIR " @heddle.pair.%.*s.i%u(i%u %.*s)",
                     HD_CLC_TEXT(result), HD_CLC_TEXT(op), widths[w], widths[w], HD_CLC_TEXT(a));
    return true;
}

/* `%r = icmp ne i65 %a, %b`, `%r = extractvalue { i65, i1 } %c, 1`. */
static bool split_use(Split *s, HdClcText result, HdClcText rest)
{
    static const char compare[] = "icmp ne i65 ", take[] = "extractvalue { i65, i1 } ";
    const char *p = rest.at;
    HdClcText a, b;

    if (hd_clc_begins(rest, compare)) {
        p += sizeof compare - 1;
        a = hd_clc_word(&p, rest.end);
        p++;
        b = hd_clc_word(&p, rest.end);
        s->compares = true;
        hd_strbuf_printf(s->out, "%.*s = call i1 @heddle.pair.ne(", HD_CLC_TEXT(result));
        add_pair(s->out, a);
        hd_strbuf_add(s->out, ", ");
        add_pair(s->out, b);
        hd_strbuf_add_char(s->out, ')');
        return true;
    }
    if (!hd_clc_begins(rest, take))
        return false;
    p += sizeof take - 1;
    a = hd_clc_word(&p, rest.end);
    if (hd_clc_begins((HdClcText){p, rest.end}, ", 1"))
        hd_strbuf_printf(s->out, "%.*s = and i1 false, false", HD_CLC_TEXT(result));
    else
        hd_strbuf_printf(s->out, "%.*s = or " PAIR " %.*s, zeroinitializer", HD_CLC_TEXT(result),
                         HD_CLC_TEXT(a));
    return true;
}

/* `%r = call { i65, i1 } @llvm.sadd.with.overflow.i65(i65 %a, i65 %b)`. */
static bool split_call(Split *s, HdClcText result, HdClcText rest)
{
    const char *p;
    HdClcText a, b;
    Op op;

    if (find_op(rest, &op) == NULL || op.bits != MOST_BITS + 1 || op.lanes != 0 || !op.is_signed)
        return false;
    p = hd_clc_find(rest, "(i65 ");
    if (p == NULL)
        return false;
    p += 5;
    a = hd_clc_word(&p, rest.end);
    p += 5; /* ", i65" */
    b = hd_clc_word(&p, rest.end);
    b.end = memchr(b.at, ')', (size_t)(rest.end - b.at));
    if (b.end == NULL)
        return false;
    s->computes[op.kind] = true;
    hd_strbuf_printf(s->out, "%.*s = call " PAIR " @heddle.pair.%s(", HD_CLC_TEXT(result),
                     kinds[op.kind]);
    add_pair(s->out, a);
    hd_strbuf_add(s->out, ", ");
    add_pair(s->out, b);
    hd_strbuf_add_char(s->out, ')');
    return true;
}

static void split_line(Split *s, HdClcText line)
{
    const char *equals = hd_clc_find(line, " = "), *debug = hd_clc_find(line, ", !");
    const HdClcText tail = {debug != NULL ? debug : line.end, line.end};
    HdClcText result, rest;

    if (*line.at != ' ' || equals == NULL || hd_clc_find(line, "i65") == NULL) {
        hd_clc_add_line(s->out, line);
        return;
    }
    result = (HdClcText){line.at, equals};
    rest = (HdClcText){equals + 3, tail.at};
    if (split_conversion(s, result, rest.at, rest.end) || split_use(s, result, rest) ||
        split_call(s, result, rest))
        hd_clc_add_line(s->out, tail);
    else
        hd_clc_add_line(s->out, line);
}

/* ---- their functions ----------------------------------------------------------------------------
 */

static void add_extension(HdStrbuf *out, bool by_sign, unsigned bits)
{
    const char *op = by_sign ? "sext" : "zext";

    hd_strbuf_printf(out, "define internal " PAIR " @heddle.pair.%s.i%u(i%u %%a) alwaysinline {\n",
                     op, bits, bits);
    if (bits == MOST_BITS)
        hd_strbuf_add(out, "  %low = add i64 %a, 0\n");
    else
        hd_strbuf_printf(out, "  %%low = %s i%u %%a to i64\n", op, bits);
    hd_strbuf_printf(out,
                     "  %%high = %s i64 %%low, %u\n"
                     "  %%one = insertelement " PAIR " poison, i64 %%low, i32 0\n"
                     "  %%two = insertelement " PAIR " %%one, i64 %%high, i32 1\n"
                     "  ret " PAIR " %%two\n}\n",
                     by_sign ? "ashr" : "and", by_sign ? 63u : 0u);
}

static void add_cut(HdStrbuf *out, unsigned bits)
{
    hd_strbuf_printf(out,
                     "define internal i%u @heddle.pair.trunc.i%u(" PAIR " %%a) alwaysinline {\n"
                     "  %%low = extractelement " PAIR " %%a, i32 0\n",
                     bits, bits);
    if (bits == MOST_BITS)
        hd_strbuf_add(out, "  ret i64 %low\n}\n");
    else
        hd_strbuf_printf(out, "  %%cut = trunc i64 %%low to i%u\n  ret i%u %%cut\n}\n", bits, bits);
}

static const char compare_function[] =
    "define internal i1 @heddle.pair.ne(" PAIR " %a, " PAIR " %b) alwaysinline {\n"
    "  %x = xor " PAIR " %a, %b\n"
    "  %low = extractelement " PAIR " %x, i32 0\n"
    "  %high = extractelement " PAIR " %x, i32 1\n"
    "  %any = or i64 %low, %high\n"
    "  %is = icmp ne i64 %any, 0\n"
    "  ret i1 %is\n}\n";

/* The upper half of the product of two pairs. */
static const char high_of_product[] = "  %hh = call spir_func i64 @_Z6mul_himm(i64 %al, i64 %bl)\n"
                                      "  %hl = mul i64 %ah, %bl\n"
                                      "  %lh = mul i64 %al, %bh\n"
                                      "  %cross = add i64 %hl, %lh\n"
                                      "  %high = add i64 %hh, %cross\n";

static void add_computation(HdStrbuf *out, Kind kind)
{
    hd_strbuf_printf(out,
                     "define internal " PAIR " @heddle.pair.%s(" PAIR " %%a, " PAIR
                     " %%b) alwaysinline {\n"
                     "  %%al = extractelement " PAIR " %%a, i32 0\n"
                     "  %%ah = extractelement " PAIR " %%a, i32 1\n"
                     "  %%bl = extractelement " PAIR " %%b, i32 0\n"
                     "  %%bh = extractelement " PAIR " %%b, i32 1\n"
                     "  %%low = %s i64 %%al, %%bl\n",
                     kinds[kind], kinds[kind]);
    if (kind == MUL) {
        hd_strbuf_add(out, high_of_product);
    } else {
        hd_strbuf_printf(out,
                         "  %%is = icmp ult i64 %s\n"
                         "  %%more = zext i1 %%is to i64\n"
                         "  %%upper = %s i64 %%ah, %%bh\n"
                         "  %%high = %s i64 %%upper, %%more\n",
                         kind == ADD ? "%low, %al" : "%al, %bl", kinds[kind], kinds[kind]);
    }
    hd_strbuf_add(out, "  %one = insertelement " PAIR " poison, i64 %low, i32 0\n"
                       "  %two = insertelement " PAIR " %one, i64 %high, i32 1\n"
                       "  ret " PAIR " %two\n}\n");
}

static void add_functions(const Split *s, const char *text)
{
    static const char high[] = "@_Z6mul_himm(";

    for (size_t w = 0; w < WIDTHS; w++) {
        for (unsigned by_sign = 0; by_sign < 2; by_sign++)
            if (s->extends[by_sign][w])
                add_extension(s->out, by_sign != 0, widths[w]);
        if (s->cuts[w])
            add_cut(s->out, widths[w]);
    }
    if (s->compares)
        hd_strbuf_add(s->out, compare_function);
    for (Kind k = ADD; k <= MUL; k++)
        if (s->computes[k])
            add_computation(s->out, k);
    if (s->computes[MUL] && strstr(text, high) == NULL)
        hd_strbuf_printf(s->out, "declare spir_func i64 %si64, i64)\n", high);
}

HdStatus hd_clc_split_checked(const char *text, HdStrbuf *out)
{
    Split s = {.out = out};
    HdClcText line;
    Op op;

    for (const char *p = text; hd_clc_next_line(&p, &line);)
        if (!hd_clc_begins(line, "declare ") || find_op(line, &op) == NULL ||
            op.bits != MOST_BITS + 1)
            split_line(&s, line);
    add_functions(&s, text);
    return out->failed ? HD_NO_MEMORY : HD_OK;
}
