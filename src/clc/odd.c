/* clc/odd.c -- integers of odd widths in LLVM's text.
 *
 * Text before any pass has them in few places: in memory clang keeps them in usual ones, which it
 * truncates after a load and extends before a store.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/odd.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clc/checked.h"
#include "clc/text.h"

#define MOST_BITS 64u

static const char kernel[] = "__clang_ocl_kern_imp_"; /* before the name of a kernel's body */

typedef struct Odd {
    HdStrbuf *out, *log;
    unsigned number;    /* of new names */
    HdClcText function; /* its name */
    HdClcText debug;    /* of the line, from ", !" on */
    bool is_refused;
} Odd;

/* Does the keyword's second half follow its first one, or a macro or another line bring it? */
static bool is_keyword(const char *behind)
{
    return strncmp(behind, "Int", 3) == 0 || (!isalnum((unsigned char)*behind) && *behind != '_');
}

bool hd_clc_names_odd(const char *text)
{
    static const char *const halves[] = {"_Bit", "_Ext"}; /* _ExtInt is clang's older name */

    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        for (const char *p = text; (p = strstr(p, halves[i])) != NULL; p += 4)
            if (is_keyword(p + 4))
                return true;
    return hd_clc_names_checked(text);
}

/* ---- types --------------------------------------------------------------------------------------
 */

/* What a usual width is, and i1, which is no number. */
static bool is_odd(unsigned bits)
{
    return bits != 0 && bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64;
}

/* Bits of the integer type that stands here, 0: none does. `before`: the character before it. */
static unsigned type_at(const char *p, const char *end, char before, const char **after)
{
    unsigned long bits;
    char *stop;

    if (p + 1 >= end || *p != 'i' || !isdigit((unsigned char)p[1]) ||
        isalnum((unsigned char)before) || strchr("%@!._$-\"", before) != NULL)
        return 0;
    bits = strtoul(p + 1, &stop, 10);
    *after = stop;
    if (stop < end && (isalnum((unsigned char)*stop) || *stop == '_' || *stop == '.'))
        return 0;
    return bits < 1u << 23 ? (unsigned)bits : 0;
}

unsigned hd_clc_odd_on(HdClcText line)
{
    unsigned most = 0;

    for (const char *p = line.at; p < line.end; p++) {
        const char *after;
        unsigned bits = type_at(p, line.end, p == line.at ? ' ' : p[-1], &after);

        if (is_odd(bits) && bits > most)
            most = bits;
    }
    return most;
}

/* The line with wide types, without what says how a value is extended. */
static void add_widened(Odd *o, HdClcText line)
{
    static const char *const left_out[] = {" signext", " zeroext"};

    for (const char *p = line.at; p < line.end;) {
        const char *after;
        unsigned bits = type_at(p, line.end, p == line.at ? ' ' : p[-1], &after);

        if (is_odd(bits)) {
            hd_strbuf_printf(o->out, "i%u", hd_clc_usual_width(bits));
            p = after;
            continue;
        }
        for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
            if (hd_clc_begins((HdClcText){p, line.end}, left_out[i]))
                p += strlen(left_out[i]);
        hd_strbuf_add_char(o->out, *p++);
    }
    hd_strbuf_add_char(o->out, '\n');
}

/* ---- instructions -------------------------------------------------------------------------------
 */

/* `  %r = op flags i17 %a, %b`, `  %r = op i17 %a to i32`. */
typedef struct Inst {
    HdClcText result, op, predicate; /* predicate: of icmp */
    unsigned bits, to;               /* to: of a conversion */
    HdClcText a, b, to_type;
} Inst;

static bool is_one_of(HdClcText t, const char *const *names)
{
    for (; *names != NULL; names++)
        if (hd_clc_is(t, *names))
            return true;
    return false;
}

static bool read_inst(HdClcText line, Inst *in)
{
    static const char *const flags[] = {"nuw",      "nsw",      "exact", "nneg",
                                        "disjoint", "samesign", NULL};
    const char *equals = hd_clc_find(line, " = "), *p, *after;
    HdClcText t;

    *in = (Inst){0};
    if (equals == NULL)
        return false;
    in->result = (HdClcText){line.at + strspn(line.at, " "), equals};
    p = equals + 3;
    in->op = hd_clc_word(&p, line.end);
    t = hd_clc_word(&p, line.end);
    while (is_one_of(t, flags))
        t = hd_clc_word(&p, line.end);
    if (hd_clc_is(in->op, "icmp")) {
        in->predicate = t;
        t = hd_clc_word(&p, line.end);
    }
    in->bits = type_at(t.at, t.end, ' ', &after);
    in->a = hd_clc_word(&p, line.end);
    if (p < line.end && *p == ',') {
        p++;
        in->b = hd_clc_word(&p, line.end);
        return true;
    }
    t = hd_clc_word(&p, line.end);
    in->to_type = hd_clc_word(&p, line.end);
    in->to = type_at(in->to_type.at, in->to_type.end, ' ', &after);
    return hd_clc_is(t, "to");
}

static void end_inst(Odd *o)
{
    hd_clc_add(o->out, o->debug);
    hd_strbuf_add_char(o->out, '\n');
}

/* Writes to `name` the operand with its upper bits set: as its sign is, or zero. */
static void extend(Odd *o, HdClcText operand, unsigned bits, bool by_sign, char name[32])
{
    const unsigned w = hd_clc_usual_width(bits), shift = w - bits, n = o->number++;
    const int len = (int)(operand.end - operand.at);

    if (!is_odd(bits)) {
        o->number--;
        name[0] = '\0'; /* it stays */
        return;
    }
    if (by_sign) {
        hd_strbuf_printf(o->out, "  %%heddle.up.%u = shl i%u %.*s, %u", n, w, len, operand.at,
                         shift);
        end_inst(o);
        hd_strbuf_printf(o->out, "  %%heddle.odd.%u = ashr i%u %%heddle.up.%u, %u", n, w, n, shift);
    } else {
        hd_strbuf_printf(o->out, "  %%heddle.odd.%u = and i%u %.*s, %llu", n, w, len, operand.at,
                         (1ull << bits) - 1);
    }
    end_inst(o);
    snprintf(name, 32, "%%heddle.odd.%u", n);
}

static void begin_result(Odd *o, const Inst *in)
{
    hd_strbuf_add(o->out, "  ");
    hd_clc_add(o->out, in->result);
    hd_strbuf_add(o->out, " = ");
}

static void add_operand(Odd *o, const char *name, HdClcText operand)
{
    if (*name != '\0')
        hd_strbuf_add(o->out, name);
    else
        hd_clc_add(o->out, operand);
}

static void add_conversion(Odd *o, const Inst *in)
{
    const bool from_int = in->bits != 0, to_int = in->to != 0;
    char name[32] = "";

    if (hd_clc_is(in->op, "sext") || hd_clc_is(in->op, "sitofp"))
        extend(o, in->a, in->bits, true, name);
    else if (hd_clc_is(in->op, "zext") || hd_clc_is(in->op, "uitofp"))
        extend(o, in->a, in->bits, false, name);
    begin_result(o, in);
    if (from_int && to_int && hd_clc_usual_width(in->bits) == hd_clc_usual_width(in->to)) {
        hd_strbuf_printf(o->out, "add i%u ", hd_clc_usual_width(in->to));
        add_operand(o, name, in->a);
        hd_strbuf_add(o->out, ", 0");
    } else {
        hd_clc_add(o->out, in->op);
        if (from_int)
            hd_strbuf_printf(o->out, " i%u ", hd_clc_usual_width(in->bits));
        else
            hd_strbuf_printf(o->out, " %.*s ", (int)(in->a.at - 1 - in->op.end - 1),
                             in->op.end + 1);
        add_operand(o, name, in->a);
        hd_strbuf_add(o->out, " to ");
        if (to_int)
            hd_strbuf_printf(o->out, "i%u", hd_clc_usual_width(in->to));
        else
            hd_clc_add(o->out, in->to_type);
    }
    end_inst(o);
}

/* Whether both operands, or the second one alone, need their upper bits, and by sign. */
typedef struct Need {
    const char *op;
    bool first, second, by_sign;
} Need;

static const Need needs[] = {
    {"add", false, false, false}, {"sub", false, false, false}, {"mul", false, false, false},
    {"and", false, false, false}, {"or", false, false, false},  {"xor", false, false, false},
    {"shl", false, true, false},  {"lshr", true, true, false},  {"ashr", true, true, true},
    {"udiv", true, true, false},  {"urem", true, true, false},  {"sdiv", true, true, true},
    {"srem", true, true, true},   {"icmp", true, true, false}};

static const Need *need_of(HdClcText op)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (hd_clc_is(op, needs[i].op))
            return &needs[i];
    return NULL;
}

static void add_binary(Odd *o, const Inst *in, const Need *need)
{
    const bool compares_signs = in->predicate.at != NULL && *in->predicate.at == 's';
    const bool by_sign = need->by_sign || compares_signs;
    char a[32] = "", b[32] = "";

    if (need->first)
        extend(o, in->a, in->bits, by_sign, a);
    if (need->second) /* by how much is shifted has no sign */
        extend(o, in->b, in->bits, by_sign && !hd_clc_is(in->op, "ashr"), b);
    begin_result(o, in);
    hd_clc_add(o->out, in->op);
    if (in->predicate.at != NULL)
        hd_strbuf_printf(o->out, " %.*s", (int)(in->predicate.end - in->predicate.at),
                         in->predicate.at);
    hd_strbuf_printf(o->out, " i%u ", hd_clc_usual_width(in->bits));
    add_operand(o, a, in->a);
    hd_strbuf_add(o->out, ", ");
    add_operand(o, b, in->b);
    end_inst(o);
}

/* ---- lines --------------------------------------------------------------------------------------
 */

static void refuse(Odd *o, const char *what, unsigned bits)
{
    if (o->is_refused)
        return;
    o->is_refused = true;
    hd_strbuf_printf(o->log, "heddle: function %.*s has ", (int)(o->function.end - o->function.at),
                     o->function.at);
    if (bits > MOST_BITS) /* in memory it has more than the source says */
        hd_strbuf_printf(o->log, "a _BitInt of more than %u bits", MOST_BITS);
    else
        hd_strbuf_printf(o->log, "%s _BitInt(%u)", what, bits);
    hd_strbuf_add(o->log, ", which cannot be compiled: use char, short, int or long there\n");
}

/* `  switch i5 %x, label %d [` and `    i5 -1, label %b`. */
static bool add_switch(Odd *o, HdClcText line)
{
    const char *p = line.at, *after;
    HdClcText first = hd_clc_word(&p, line.end), value;
    bool is_switch = hd_clc_is(first, "switch");
    unsigned bits;
    char name[32];

    if (is_switch)
        first = hd_clc_word(&p, line.end);
    bits = type_at(first.at, first.end, ' ', &after);
    value = hd_clc_word(&p, line.end);
    if (!is_odd(bits) || (!is_switch && !hd_clc_begins((HdClcText){p, line.end}, ", label ")))
        return false;
    if (is_switch) {
        extend(o, value, bits, false, name);
        hd_strbuf_printf(o->out, "  switch i%u %s", hd_clc_usual_width(bits), name);
    } else {
        hd_strbuf_printf(o->out, "    i%u %llu", hd_clc_usual_width(bits),
                         (unsigned long long)strtoll(value.at, NULL, 10) & ((1ull << bits) - 1));
    }
    hd_clc_add(o->out, (HdClcText){p, line.end});
    end_inst(o);
    return true;
}

/* `  %r = call { i33, i1 } @llvm.sadd.with.overflow.i33(i33 %a, i33 %b)`: it stays one of 33 bits,
 * in wider types. */
static bool add_checked(Odd *o, HdClcText line, unsigned bits)
{
    bool by_sign;
    const char *name = hd_clc_find_checked(line, &by_sign), *p, *equals = hd_clc_find(line, " = ");
    const unsigned w = hd_clc_usual_width(bits);
    char a[32], b[32];
    HdClcText first, second;

    if (name == NULL || equals == NULL)
        return false;
    p = name + strcspn(name, "(") + 1;
    (void)hd_clc_word(&p, line.end);
    first = hd_clc_word(&p, line.end);
    p++;
    (void)hd_clc_word(&p, line.end);
    second = hd_clc_word(&p, line.end);
    second.end -= strcspn(second.at, ")") < (size_t)(second.end - second.at);
    extend(o, first, bits, by_sign, a);
    extend(o, second, bits, by_sign, b);
    hd_strbuf_printf(o->out, "%.*s = call { i%u, i1 } %.*s(i%u %s, i%u %s)",
                     (int)(equals - line.at), line.at, w, (int)strcspn(name, "("), name, w, a, w,
                     b);
    end_inst(o);
    return true;
}

/* A line of a function with integers of odd widths. */
static void add_odd(Odd *o, HdClcText line, unsigned bits)
{
    static const char *const conversions[] = {"trunc",  "zext",   "sext",   "sitofp",
                                              "uitofp", "fptosi", "fptoui", NULL};
    static const char result[] = "%retval"; /* the one variable that clang does not widen */
    static const char *const alike[] = {"select", "phi", "freeze", "extractvalue", NULL};
    const HdClcText whole = line;
    const char *debug = hd_clc_find(line, ", !");
    const Need *need;
    Inst in;

    o->debug = (HdClcText){debug != NULL ? debug : line.end, line.end};
    line.end = o->debug.at;
    if (bits > MOST_BITS)
        refuse(o, "a", bits);
    else if (hd_clc_find(line, " x i") != NULL)
        refuse(o, "an array or vector of", bits);
    else if (add_switch(o, line) || add_checked(o, line, bits))
        return;
    else if (hd_clc_find(line, "call ") != NULL && hd_clc_find(line, "@llvm.") != NULL)
        refuse(o, "a built-in operation on", bits);
    else if (read_inst(line, &in) && is_one_of(in.op, conversions))
        add_conversion(o, &in);
    else if ((need = need_of(in.op)) != NULL)
        add_binary(o, &in, need);
    else if (hd_clc_find(line, "call ") != NULL || hd_clc_begins(line, "  ret ") ||
             is_one_of(in.op, alike) || hd_clc_find(line, result) != NULL)
        add_widened(o, whole);
    else
        refuse(o, "an access in memory to", bits);
}

static void add_line(Odd *o, HdClcText line)
{
    const bool is_code = *line.at == ' ',
               is_head = hd_clc_begins(line, "define ") || hd_clc_begins(line, "declare ");
    unsigned bits;

    if (hd_clc_begins(line, "define ")) {
        const char *at = memchr(line.at, '@', (size_t)(line.end - line.at));

        o->function.at = at != NULL ? at + 1 : line.at;
        if (hd_clc_begins((HdClcText){o->function.at, line.end}, kernel)) /* what it calls it */
            o->function.at += sizeof kernel - 1;
        o->function.end = o->function.at + strcspn(o->function.at, "(\n");
    }
    bits = is_code || is_head ? hd_clc_odd_on(line) : 0;
    if (bits != 0 && is_code && !hd_clc_begins(line, "    #dbg")) {
        add_odd(o, line, bits);
    } else if (bits > MOST_BITS) {
        refuse(o, "a", bits);
    } else if (bits != 0) {
        add_widened(o, line);
    } else {
        hd_clc_add(o->out, line);
        hd_strbuf_add_char(o->out, '\n');
    }
}

HdStatus hd_clc_widen_odd(const char *text, HdStrbuf *out, HdStrbuf *log)
{
    Odd o = {.out = out, .log = log};
    HdClcText line;

    for (const char *p = text; hd_clc_next_line(&p, &line);)
        add_line(&o, line);
    if (out->failed)
        return HD_NO_MEMORY;
    return o.is_refused ? HD_BAD_INPUT : HD_OK;
}
