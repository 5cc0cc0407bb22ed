/* ops/opencl_std/opencl_std_printf_eval.c -- printf in the interpreter: each component of the
 * arguments is printed by the C library with a conversion that we build.
 *
 * Spec: OpenCL C, "printf": vector specifiers (%v4hlf), the length hl, no %n. C's lengths ll, j and
 * L and its * are printed as C does, and noted. A NaN is printed without its sign, %p as 0x and
 * hexadecimal digits.
 *
 * check.printf: a conversion that printf does not have, or an argument that does not go with it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "check/check.h"
#include "interp/report.h"
#include "interp/watch_state.h"
#include "ops/debug/debug_printf.h"
#include "ops/opencl_std/std_eval.h"

#define MAX_FORMAT 65536u
#define MAX_FIELD  4096u

typedef struct Conversion {
    char flags[8];
    int width, precision; /* -1: none */
    uint32_t lanes;       /* 0: not a vector */
    unsigned bits;        /* of the length; 0: none given */
    bool is_hl, is_size;
    bool is_long;                      /* L, of floats */
    bool takes_width, takes_precision; /* an argument says it: * */
    bool is_of_c;                      /* OpenCL C has no such length */
    char letter;
} Conversion;

/* A string in the program's memory. */
static HdStatus read_string(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                            HdStrbuf *out)
{
    for (unsigned i = 0; i < MAX_FORMAT; i++) {
        char c;

        HD_TRY(hd_eval_read(e, lane, storage, address + i, 1, &c, 1));
        if (c == '\0')
            return out->failed ? HD_NO_MEMORY : HD_OK;
        hd_strbuf_add_char(out, c);
    }
    return hd_eval_bad(e, lane, "interp.string", "a string of more than %u characters", MAX_FORMAT);
}

static const char *number(const char *p, int *value)
{
    *value = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        *value = *value <= (int)MAX_FIELD ? *value * 10 + (*p - '0') : *value;
    return p;
}

static const char *length_of(const char *p, Conversion *c)
{
    if (*p == 'l' || *p == 'z' || *p == 't' || *p == 'j') {
        bool is_twice = p[0] == 'l' && p[1] == 'l';

        c->bits = 64;
        c->is_size = *p != 'l' || is_twice;
        c->is_of_c = *p == 'j' || is_twice;
        return p + 1 + is_twice;
    }
    if (*p == 'L') {
        c->is_of_c = c->is_long = true;
        return p + 1;
    }
    if (*p != 'h')
        return p;
    if (p[1] == 'h' || p[1] == 'l') {
        c->is_hl = p[1] == 'l';
        c->bits = c->is_hl ? 32 : 8;
        return p + 2;
    }
    c->bits = 16;
    return p + 1;
}

/* From after the % to after the conversion; NULL if it is not one. */
static const char *parse(const char *p, Conversion *c)
{
    size_t flags = 0;
    int lanes;

    *c = (Conversion){.width = -1, .precision = -1};
    for (; *p != '\0' && strchr("-+ #0", *p) != NULL; p++)
        if (strchr(c->flags, *p) == NULL)
            c->flags[flags++] = *p;
    if (*p == '*')
        c->takes_width = *p++ == '*';
    else if (*p >= '1' && *p <= '9')
        p = number(p, &c->width);
    if (p[0] == '.' && p[1] == '*') {
        c->takes_precision = true;
        p += 2;
    } else if (*p == '.') {
        p = number(p + 1, &c->precision);
    }
    if (*p == 'v') {
        p = number(p + 1, &lanes);
        if (lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16)
            return NULL;
        c->lanes = (uint32_t)lanes;
    }
    p = length_of(p, c);
    c->letter = *p;
    if (*p == '\0' || strchr("diouxXfFeEgGaAcsp", *p) == NULL || c->width > (int)MAX_FIELD ||
        c->precision > (int)MAX_FIELD)
        return NULL;
    if ((c->lanes != 0 && strchr("csp", *p) != NULL) || (c->is_hl && c->lanes == 0))
        return NULL;
    if (c->is_size && (c->lanes != 0 || strchr("diouxX", *p) == NULL))
        return NULL;
    if (c->is_long && (c->lanes != 0 || strchr("fFeEgGaA", *p) == NULL))
        return NULL;
    return p + 1;
}

/* The conversion for the C library. */
static void spec_of(const Conversion *c, const char *length, char letter, char spec[48])
{
    char width[16] = "", precision[16] = "";

    if (c->width >= 0)
        snprintf(width, sizeof width, "%d", c->width);
    if (c->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", c->precision);
    snprintf(spec, 48, "%%%s%s%s%s%c", c->flags, width, precision, length, letter);
}

static void print_float(HdStrbuf *out, const Conversion *c, const void *at, const HdType *t)
{
    double x = t->kind == HD_T_FLOAT ? hd_float_get(at, hd_type_size(t))
                                     : (double)hd_int_get(at, hd_type_size(t));
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = (locale_t)0;
    char spec[48];

    /* The decimal point is a point, whatever the host program has chosen. */
    if (plain != (locale_t)0)
        before = uselocale(plain);
    spec_of(c, "", c->letter, spec);
    hd_strbuf_printf(out, spec, isnan(x) ? fabs(x) : x);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
}

/* widens: numbers narrower than 32 bits are those that C makes of them, by their types' signs. */
static void print_integer(HdStrbuf *out, const Conversion *c, const void *at, const HdType *t,
                          bool widens)
{
    unsigned have = (unsigned)hd_type_size(t) * 8, want = c->bits ? c->bits : c->lanes ? have : 32;
    uint64_t x = hd_bits_get(at, hd_type_size(t));
    unsigned drop;
    char spec[48];

    if (widens && t->kind == HD_T_INT && have < 32) {
        x = t->is_signed ? (uint64_t)hd_int_get(at, hd_type_size(t)) : x;
        have = 32;
    }
    drop = 64 - (want < have ? want : have);
    if (t->kind == HD_T_FLOAT) { /* a wrong conversion prints a wrong number */
        double d = hd_float_get(at, hd_type_size(t));

        x = d >= -9e18 && d <= 9e18 ? (uint64_t)(int64_t)d : 0;
        drop = 64 - want;
    }
    x <<= drop;
    x = c->letter == 'd' || c->letter == 'i' ? (uint64_t)((int64_t)x >> drop) : x >> drop;
    spec_of(c, "ll", c->letter, spec);
    hd_strbuf_printf(out, spec, (unsigned long long)x);
}

static HdStatus print_text(HdEval *e, unsigned lane, HdStrbuf *out, Conversion *c, const HdSlot *x,
                           uint32_t storage)
{
    uint64_t bits = hd_bits_get(hd_slot_at(x, lane), hd_type_size(x->type));
    HdStrbuf text = {0};
    HdStatus st = HD_OK;
    char spec[48];

    if (c->letter == 'c') {
        spec_of(c, "", 'c', spec);
        hd_strbuf_printf(out, spec, (int)(unsigned char)bits);
        return HD_OK;
    }
    if (c->letter == 'p') {
        c->precision = -1;
        hd_strbuf_printf(&text, "0x%llx", (unsigned long long)bits);
    } else if (bits == 0) {
        hd_strbuf_add(&text, "(null)");
    } else {
        st = read_string(e, lane, storage, bits, &text);
    }
    spec_of(c, "", 's', spec);
    hd_strbuf_printf(out, spec, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
    return st;
}

/* The next scalar argument: operand words in order, components of vectors one by one. */
typedef struct Arguments {
    const uint32_t *ids;
    unsigned count, at;
    uint32_t component;
    bool is_looked_at; /* is what is wrong told? */
} Arguments;

static HdStatus next_argument(HdEval *e, Arguments *a, HdSlot *x, HdId *id, bool *is_there)
{
    *is_there = a->at < a->count;
    if (!*is_there)
        return HD_OK;
    *id = a->ids[a->at];
    HD_TRY(hd_eval_use(e, *id, x));
    x->at += a->component * hd_type_size(hd_type_scalar(x->type));
    if (++a->component == hd_type_lanes(x->type)) {
        a->component = 0;
        a->at++;
    }
    return HD_OK;
}

/* ---- what is wrong ------------------------------------------------------------------------- */

/* The extent of a conversion: from its % to after its letter. */
typedef struct Written {
    const char *at;
    int len;
    uint32_t part; /* its place in the format */
} Written;

/* As far as something that is none reaches: to its first letter that is no length. */
static Written written_wrong(const char *at, uint32_t part)
{
    size_t len = 1 + strspn(at + 1, "-+ #0123456789.*vhljzqtL");

    return (Written){at, (int)(at[len] != '\0' ? len + 1 : len), part};
}

/* Something is wrong with a conversion: one of a format does not hide that of another.
 *   fmt  with "%.*s" for the conversion and "%s" for `more` */
static HdStatus tell(HdEval *e, unsigned lane, HdSeverity severity, Written w, const char *hint,
                     const char *fmt, const char *more)
{
    HdDefect d = {.part = w.part};
    HdStrbuf message = {0};
    HdStatus st;

    d.other_place.word = HD_NO_PLACE;
    hd_strbuf_printf(&message, fmt, w.len, w.at, more);
    st = hd_report(e, severity, UINT64_C(1) << lane, "check.printf", hint, hd_strbuf_text(&message),
                   &d);
    hd_strbuf_free(&message);
    return st;
}

/* What is allowed in practice, and not by the words; NULL: all is as it should be. */
static const char *odd_form(const Conversion *c)
{
    const bool is_number = strchr("diouxXaAeEfFgG", c->letter) != NULL;

    if (c->is_of_c)
        return "the lengths ll, j and L are C's: write l for 64 bits, and none for floats";
    if (c->takes_width || c->takes_precision)
        return "a * is C's: write the width and the precision as numbers";
    if (strchr(c->flags, '#') != NULL && strchr("oxXaAeEfFgG", c->letter) == NULL)
        return "the flag # is for o, x, X and floats";
    if (strchr(c->flags, '0') != NULL && !is_number)
        return "the flag 0 is for numbers";
    if (c->precision >= 0 && !is_number && c->letter != 's')
        return "a precision is for numbers and strings";
    if (c->lanes != 0 && c->bits == 0)
        return "a vector needs a length: hh, h, hl or l";
    if (c->lanes == 0 && c->bits != 0 && strchr("diouxX", c->letter) == NULL)
        return "a length is for integers and vectors";
    return NULL;
}

/* Does an argument of this type go with the conversion? */
static bool takes(const Conversion *c, const HdType *t)
{
    const HdType *part = hd_type_scalar(t);
    const unsigned bits = (unsigned)hd_type_size(part) * 8;

    if (hd_type_lanes(t) != (c->lanes != 0 ? c->lanes : 1))
        return false;
    if (strchr("sp", c->letter) != NULL)
        return part->kind == HD_T_POINTER;
    if (strchr("aAeEfFgG", c->letter) != NULL)
        return part->kind == HD_T_FLOAT &&
               (c->lanes == 0 ? bits >= 32 : c->bits == 0 || bits == c->bits);
    if (part->kind != HD_T_INT)
        return false;
    if (c->lanes != 0)
        return c->bits == 0 || bits == c->bits;
    return bits == (c->bits == 64 ? 64 : 32); /* char and short have been promoted */
}

static void add_type(HdStrbuf *out, const HdType *t)
{
    const HdType *part = hd_type_scalar(t);

    if (hd_type_lanes(t) > 1)
        hd_strbuf_printf(out, "vector of %u times ", (unsigned)hd_type_lanes(t));
    if (part->kind == HD_T_POINTER)
        hd_strbuf_add(out, "pointer");
    else
        hd_strbuf_printf(out, "%u-bit %s", (unsigned)hd_type_size(part) * 8,
                         part->kind == HD_T_FLOAT ? "float" : "integer");
}

/* A string is to be a literal: it is in the program's memory. */
static bool is_literal(const HdEval *e, const HdSlot *x, unsigned lane)
{
    const HdRegion *r =
        hd_check_find(&e->watch->c->map, hd_bits_get(hd_slot_at(x, lane), hd_type_size(x->type)));

    return r != NULL && r->kind == HD_REGION_PROGRAM;
}

/* In a checked run, what is wrong with the form of a conversion. */
static void look_at_form(HdEval *e, unsigned lane, const Conversion *c, Written w,
                         const Arguments *a)
{
    const char *odd = odd_form(c);

    if (a->is_looked_at && odd != NULL)
        tell(e, lane, HD_NOTE, w, odd, "the conversion %.*s is not defined%s", "");
}

/* And with the argument that is next. */
static HdStatus look_at(HdEval *e, unsigned lane, const Conversion *c, Written w,
                        const Arguments *a)
{
    HdStrbuf type = {0};
    HdStatus st = HD_OK;
    HdSlot x;

    if (!a->is_looked_at)
        return HD_OK;
    if (a->at >= a->count)
        return tell(e, lane, HD_ERROR, w, "pass an argument for each conversion",
                    "there is no argument for the conversion %.*s%s", "");
    HD_TRY(hd_eval_use(e, a->ids[a->at], &x));
    if (takes(c, x.type)) {
        if (c->letter != 's' || is_literal(e, &x, lane))
            return HD_OK;
        return tell(e, lane, HD_ERROR, w, "pass a literal string",
                    "the argument of %.*s is not a literal string%s", "");
    }
    add_type(&type, x.type);
    st = tell(e, lane, HD_ERROR, w, "change the conversion, or cast the argument",
              "the argument of the conversion %.*s is a %s", hd_strbuf_text(&type));
    hd_strbuf_free(&type);
    return st;
}

/* ---- printing ------------------------------------------------------------------------------ */

/* What an argument says of a width or precision. */
static HdStatus take_field(HdEval *e, unsigned lane, Written w, Arguments *a, bool is_needed,
                           int *value, bool *is_good)
{
    const Conversion of_int = {.precision = -1, .letter = 'd'};
    HdSlot x;
    HdId id;
    bool is_there;

    if (!is_needed || !*is_good)
        return HD_OK;
    HD_TRY(look_at(e, lane, &of_int, w, a));
    HD_TRY(next_argument(e, a, &x, &id, &is_there));
    *is_good = is_there && hd_type_scalar(x.type)->kind == HD_T_INT;
    if (*is_good)
        *value = (int)(int32_t)hd_bits_get(hd_slot_at(&x, lane), hd_type_size(x.type));
    *is_good = *is_good && *value >= -(int)MAX_FIELD && *value <= (int)MAX_FIELD;
    return HD_OK;
}

/* As in C: a negative width is one to the left, a negative precision none. */
static HdStatus take_fields(HdEval *e, unsigned lane, Written w, Conversion *c, Arguments *a,
                            bool *is_good)
{
    HD_TRY(take_field(e, lane, w, a, c->takes_width, &c->width, is_good));
    HD_TRY(take_field(e, lane, w, a, c->takes_precision, &c->precision, is_good));
    if (c->takes_width && c->width < 0) {
        c->width = -c->width;
        if (strchr(c->flags, '-') == NULL)
            strcat(c->flags, "-");
    }
    return HD_OK;
}

/* One conversion of one lane; *is_good becomes false when the arguments do not fit. */
static HdStatus print_one(HdEval *e, unsigned lane, HdStrbuf *out, Conversion *c, Arguments *a,
                          bool *is_good)
{
    uint32_t lanes = c->lanes ? c->lanes : 1, storage;
    HdSlot x;
    HdId id;

    for (uint32_t i = 0; i < lanes; i++) {
        bool is_there;
        const HdType *t;

        HD_TRY(next_argument(e, a, &x, &id, &is_there));
        if (!is_there) {
            *is_good = false;
            return HD_OK;
        }
        t = hd_type_scalar(x.type);
        if (i > 0)
            hd_strbuf_add_char(out, ',');
        if (strchr("csp", c->letter) != NULL) {
            storage = t->kind == HD_T_POINTER ? t->storage : SpvStorageClassGeneric;
            if (c->letter == 's' && t->kind != HD_T_POINTER) {
                *is_good = false;
                return HD_OK;
            }
            e->pointer = id;
            HD_TRY(print_text(e, lane, out, c, &x, storage));
        } else if (strchr("fFeEgGaA", c->letter) != NULL) {
            print_float(out, c, hd_slot_at(&x, lane), t);
        } else {
            print_integer(out, c, hd_slot_at(&x, lane), t, e->g->kernel->is_shader);
        }
    }
    return HD_OK;
}

/* The same with what is wrong with it. */
static HdStatus print_conversion(HdEval *e, unsigned lane, Written w, HdStrbuf *out, Conversion *c,
                                 Arguments *a, bool *is_good)
{
    bool is_whole = true;

    look_at_form(e, lane, c, w, a);
    HD_TRY(take_fields(e, lane, w, c, a, &is_whole));
    if (is_whole) {
        HD_TRY(look_at(e, lane, c, w, a));
        return print_one(e, lane, out, c, a, is_good);
    }
    *is_good = false;
    hd_strbuf_add_bytes(out, w.at, (size_t)w.len);
    return HD_OK;
}

static HdStatus print_lane(HdEval *e, unsigned lane, Arguments a, const char *format, HdStrbuf *out,
                           bool *is_good)
{
    const char *start = format;

    *is_good = true;
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        const char *end;
        Conversion c;

        hd_strbuf_add_bytes(out, format, plain);
        format += plain;
        if (*format == '\0')
            break;
        if (format[1] == '%') {
            hd_strbuf_add_char(out, '%');
            format += 2;
            continue;
        }
        end = parse(format + 1, &c);
        if (end == NULL) {
            if (a.is_looked_at)
                HD_TRY(tell(
                    e, lane, HD_ERROR, written_wrong(format, (uint32_t)(format - start) + 1),
                    "use a conversion that OpenCL C has", "printf has no conversion %.*s%s", ""));
            *is_good = false;
            hd_strbuf_add_char(out, *format++);
            continue;
        }
        HD_TRY(print_conversion(
            e, lane, (Written){format, (int)(end - format), (uint32_t)(format - start) + 1}, out,
            &c, &a, is_good));
        format = end;
    }
    return out->failed ? HD_NO_MEMORY : HD_OK;
}

/* Operands: format, arguments. Result: 0 or -1. */
HdStatus hd_std_eval_printf(HdEval *e, const HdInst *in)
{
    const Arguments a = {.ids = in->w + HD_STD_AT + 1,
                         .count = in->nwords - HD_STD_AT - 1,
                         .is_looked_at = e->is_checked};
    HdSlot r, format;
    uint32_t storage;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &format));
    HD_TRY(hd_eval_storage(e, in->w[HD_STD_AT], &storage));
    for (unsigned i = HD_STD_AT + 1; i < in->nwords; i++)
        HD_TRY(hd_eval_needs(e, in->w[i], "printf prints"));
    for (HD_EACH_LANE(lane, e->mask)) {
        HdStrbuf text = {0}, out = {0};
        bool is_good = false;
        HdStatus st;

        e->pointer = in->w[HD_STD_AT]; /* the lane before has read its strings */
        st = read_string(e, lane, storage, hd_bits_get(hd_slot_at(&format, lane), 8), &text);
        if (st == HD_OK)
            st = print_lane(e, lane, a, hd_strbuf_text(&text), &out, &is_good);
        if (st == HD_OK && out.count > 0 && e->g->print != NULL)
            e->g->print(e->g->user, out.at, out.count);
        hd_strbuf_free(&text);
        hd_strbuf_free(&out);
        HD_TRY(st);
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), is_good ? 0 : ~UINT64_C(0));
    }
    return HD_OK;
}

/* In a checked run, what is wrong with the format of a message. */
static HdStatus look_at_message(HdEval *e, const HdDebugPrintf *p)
{
    for (uint32_t i = 0; e->is_checked && i < p->wrong_count; i++) {
        const HdDebugPrintfWrong *w = &p->wrong[i];

        HD_TRY(tell(e, hd_lane_first(e->mask), HD_ERROR, (Written){w->at, w->len, i + 1},
                    "change the conversion or its argument", "the conversion %.*s %s", w->why));
    }
    return HD_OK;
}

static HdStatus print_message(HdEval *e, const HdDebugPrintf *p)
{
    const Arguments a = {.ids = p->args, .count = p->arg_count};

    HD_TRY(look_at_message(e, p));
    for (uint32_t i = 0; i < p->arg_count; i++)
        HD_TRY(hd_eval_needs(e, p->args[i], "DebugPrintf prints"));
    for (HD_EACH_LANE(lane, e->mask)) {
        HdStrbuf out = {0};
        bool is_good;
        HdStatus st = print_lane(e, lane, a, hd_strbuf_text(&p->format), &out, &is_good);

        if (st == HD_OK && e->g->print != NULL)
            e->g->print(e->g->user, out.at, out.count);
        hd_strbuf_free(&out);
        HD_TRY(st);
    }
    return HD_OK;
}

HdStatus hd_std_eval_debug_printf(HdEval *e, const HdInst *in)
{
    HdDebugPrintf p;
    HdStatus st = hd_debug_printf_read(e->m, in, &p);

    if (st == HD_OK)
        st = print_message(e, &p);
    else if (st == HD_BAD_INPUT)
        st = hd_eval_bad(e, HD_EVAL_LANES, "interp.string", "the format is no OpString");
    hd_strbuf_free(&p.format);
    return st;
}
