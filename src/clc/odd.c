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

#define MOST_BITS 64u

static const char kernel[] = "__clang_ocl_kern_imp_"; /* before the name of a kernel's body */

typedef struct Text {
    const char *at, *end;
} Text;

typedef struct Odd {
    HdStrbuf *out, *log;
    unsigned number; /* of new names */
    Text function;   /* its name */
    Text debug;      /* of the line, from ", !" on */
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
    return false;
}

/* ---- types --------------------------------------------------------------------------------------
 */

/* What a usual width is, and i1, which is no number. */
static bool is_odd(unsigned bits)
{
    return bits != 0 && bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64;
}

static unsigned wide(unsigned bits)
{
    unsigned w = bits == 1 ? 1 : 8;

    while (w < bits)
        w *= 2;
    return w;
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

/* The widest type of odd width on a line, 0: there is none. */
static unsigned odd_on(Text line)
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

static bool begins(Text t, const char *with)
{
    size_t len = strlen(with);

    return (size_t)(t.end - t.at) >= len && memcmp(t.at, with, len) == 0;
}

static const char *find(Text t, const char *what)
{
    return memmem(t.at, (size_t)(t.end - t.at), what, strlen(what));
}

static void add(HdStrbuf *out, Text t)
{
    hd_strbuf_add_bytes(out, t.at, (size_t)(t.end - t.at));
}

/* The line with wide types, without what says how a value is extended. */
static void add_widened(Odd *o, Text line)
{
    static const char *const left_out[] = {" signext", " zeroext"};

    for (const char *p = line.at; p < line.end;) {
        const char *after;
        unsigned bits = type_at(p, line.end, p == line.at ? ' ' : p[-1], &after);

        if (is_odd(bits)) {
            hd_strbuf_printf(o->out, "i%u", wide(bits));
            p = after;
            continue;
        }
        for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
            if (begins((Text){p, line.end}, left_out[i]))
                p += strlen(left_out[i]);
        hd_strbuf_add_char(o->out, *p++);
    }
    hd_strbuf_add_char(o->out, '\n');
}

/* ---- instructions -------------------------------------------------------------------------------
 */

/* `  %r = op flags i17 %a, %b`, `  %r = op i17 %a to i32`. */
typedef struct Inst {
    Text result, op, predicate; /* predicate: of icmp */
    unsigned bits, to;          /* to: of a conversion */
    Text a, b, to_type;
} Inst;

static Text word(const char **p, const char *end)
{
    Text t;

    while (*p < end && **p == ' ')
        ++*p;
    t.at = *p;
    while (*p < end && **p != ' ' && **p != ',')
        ++*p;
    t.end = *p;
    return t;
}

static bool is(Text t, const char *what)
{
    return (size_t)(t.end - t.at) == strlen(what) && begins(t, what);
}

static bool is_one_of(Text t, const char *const *names)
{
    for (; *names != NULL; names++)
        if (is(t, *names))
            return true;
    return false;
}

static bool read_inst(Text line, Inst *in)
{
    static const char *const flags[] = {"nuw",      "nsw",      "exact", "nneg",
                                        "disjoint", "samesign", NULL};
    const char *equals = find(line, " = "), *p, *after;
    Text t;

    *in = (Inst){0};
    if (equals == NULL)
        return false;
    in->result = (Text){line.at + strspn(line.at, " "), equals};
    p = equals + 3;
    in->op = word(&p, line.end);
    t = word(&p, line.end);
    while (is_one_of(t, flags))
        t = word(&p, line.end);
    if (is(in->op, "icmp")) {
        in->predicate = t;
        t = word(&p, line.end);
    }
    in->bits = type_at(t.at, t.end, ' ', &after);
    in->a = word(&p, line.end);
    if (p < line.end && *p == ',') {
        p++;
        in->b = word(&p, line.end);
        return true;
    }
    t = word(&p, line.end);
    in->to_type = word(&p, line.end);
    in->to = type_at(in->to_type.at, in->to_type.end, ' ', &after);
    return is(t, "to");
}

static void end_inst(Odd *o)
{
    add(o->out, o->debug);
    hd_strbuf_add_char(o->out, '\n');
}

/* Writes to `name` the operand with its upper bits set: as its sign is, or zero. */
static void extend(Odd *o, Text operand, unsigned bits, bool by_sign, char name[32])
{
    const unsigned w = wide(bits), shift = w - bits, n = o->number++;
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
    add(o->out, in->result);
    hd_strbuf_add(o->out, " = ");
}

static void add_operand(Odd *o, const char *name, Text operand)
{
    if (*name != '\0')
        hd_strbuf_add(o->out, name);
    else
        add(o->out, operand);
}

static void add_conversion(Odd *o, const Inst *in)
{
    const bool from_int = in->bits != 0, to_int = in->to != 0;
    char name[32] = "";

    if (is(in->op, "sext") || is(in->op, "sitofp"))
        extend(o, in->a, in->bits, true, name);
    else if (is(in->op, "zext") || is(in->op, "uitofp"))
        extend(o, in->a, in->bits, false, name);
    begin_result(o, in);
    if (from_int && to_int && wide(in->bits) == wide(in->to)) {
        hd_strbuf_printf(o->out, "add i%u ", wide(in->to));
        add_operand(o, name, in->a);
        hd_strbuf_add(o->out, ", 0");
    } else {
        add(o->out, in->op);
        if (from_int)
            hd_strbuf_printf(o->out, " i%u ", wide(in->bits));
        else
            hd_strbuf_printf(o->out, " %.*s ", (int)(in->a.at - 1 - in->op.end - 1),
                             in->op.end + 1);
        add_operand(o, name, in->a);
        hd_strbuf_add(o->out, " to ");
        if (to_int)
            hd_strbuf_printf(o->out, "i%u", wide(in->to));
        else
            add(o->out, in->to_type);
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

static const Need *need_of(Text op)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (is(op, needs[i].op))
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
        extend(o, in->b, in->bits, by_sign && !is(in->op, "ashr"), b);
    begin_result(o, in);
    add(o->out, in->op);
    if (in->predicate.at != NULL)
        hd_strbuf_printf(o->out, " %.*s", (int)(in->predicate.end - in->predicate.at),
                         in->predicate.at);
    hd_strbuf_printf(o->out, " i%u ", wide(in->bits));
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
static bool add_switch(Odd *o, Text line)
{
    const char *p = line.at, *after;
    Text first = word(&p, line.end), value;
    bool is_switch = is(first, "switch");
    unsigned bits;
    char name[32];

    if (is_switch)
        first = word(&p, line.end);
    bits = type_at(first.at, first.end, ' ', &after);
    value = word(&p, line.end);
    if (!is_odd(bits) || (!is_switch && !begins((Text){p, line.end}, ", label ")))
        return false;
    if (is_switch) {
        extend(o, value, bits, false, name);
        hd_strbuf_printf(o->out, "  switch i%u %s", wide(bits), name);
    } else {
        hd_strbuf_printf(o->out, "    i%u %llu", wide(bits),
                         (unsigned long long)strtoll(value.at, NULL, 10) & ((1ull << bits) - 1));
    }
    add(o->out, (Text){p, line.end});
    end_inst(o);
    return true;
}

/* A line of a function with integers of odd widths. */
static void add_odd(Odd *o, Text line, unsigned bits)
{
    static const char *const conversions[] = {"trunc",  "zext",   "sext",   "sitofp",
                                              "uitofp", "fptosi", "fptoui", NULL};
    static const char result[] = "%retval"; /* the one variable that clang does not widen */
    static const char *const alike[] = {"select", "phi", "freeze", NULL};
    const Text whole = line;
    const char *debug = find(line, ", !");
    const Need *need;
    Inst in;

    o->debug = (Text){debug != NULL ? debug : line.end, line.end};
    line.end = o->debug.at;
    if (bits > MOST_BITS)
        refuse(o, "a", bits);
    else if (find(line, " x i") != NULL)
        refuse(o, "an array or vector of", bits);
    else if (add_switch(o, line))
        return;
    else if (find(line, "call ") != NULL && find(line, "@llvm.") != NULL)
        refuse(o, "a built-in operation on", bits);
    else if (read_inst(line, &in) && is_one_of(in.op, conversions))
        add_conversion(o, &in);
    else if ((need = need_of(in.op)) != NULL)
        add_binary(o, &in, need);
    else if (find(line, "call ") != NULL || begins(line, "  ret ") || is_one_of(in.op, alike) ||
             find(line, result) != NULL)
        add_widened(o, whole);
    else
        refuse(o, "an access in memory to", bits);
}

static void add_line(Odd *o, Text line)
{
    const bool is_code = *line.at == ' ',
               is_head = begins(line, "define ") || begins(line, "declare ");
    unsigned bits;

    if (begins(line, "define ")) {
        const char *at = memchr(line.at, '@', (size_t)(line.end - line.at));

        o->function.at = at != NULL ? at + 1 : line.at;
        if (begins((Text){o->function.at, line.end}, kernel)) /* what it calls it */
            o->function.at += sizeof kernel - 1;
        o->function.end = o->function.at + strcspn(o->function.at, "(\n");
    }
    bits = is_code || is_head ? odd_on(line) : 0;
    if (bits != 0 && is_code && !begins(line, "    #dbg")) {
        add_odd(o, line, bits);
    } else if (bits > MOST_BITS) {
        refuse(o, "a", bits);
    } else if (bits != 0) {
        add_widened(o, line);
    } else {
        add(o->out, line);
        hd_strbuf_add_char(o->out, '\n');
    }
}

HdStatus hd_clc_widen_odd(const char *text, HdStrbuf *out, HdStrbuf *log)
{
    Odd o = {.out = out, .log = log};

    for (const char *p = text; *p != '\0';) {
        const char *newline = strchr(p, '\n');
        const char *end = newline != NULL ? newline : p + strlen(p);

        add_line(&o, (Text){p, end});
        p = end + (newline != NULL);
    }
    if (out->failed)
        return HD_NO_MEMORY;
    return o.is_refused ? HD_BAD_INPUT : HD_OK;
}
