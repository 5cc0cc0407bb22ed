/* rt/printf.c -- OpenCL C's printf: parse a conversion, then let the C library print each
 * component with a conversion that we build.
 *
 * Differences from C: vector specifiers (%v4hlf), the length hl, no %n, and arguments that come as
 * slots with letters, so a wrong conversion can print a wrong number but never read beyond what was
 * passed. A NaN is printed without its sign: two engines may disagree on it. C's lengths ll, j and
 * L and its * are printed as C does, though OpenCL C does not have them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/printf.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float_env.h"
#include "base/half.h"
#include "rt/group.h"

#define MAX_FIELD 65536u /* characters of width or precision */

typedef enum Length {
    LENGTH_NONE,
    LENGTH_HH,
    LENGTH_H,
    LENGTH_HL,
    LENGTH_L,
    LENGTH_SIZE, /* 64 bits, of integers only */
    LENGTH_LONG  /* of floats only */
} Length;

typedef struct Conversion {
    char flags[6]; /* each at most once, NUL-terminated */
    uint32_t width, precision;
    bool has_width, has_precision;
    bool takes_width, takes_precision; /* an argument says it: * */
    uint32_t lanes;                    /* 0: not a vector */
    Length length;
    char letter;
} Conversion;

typedef struct Format {
    HdStrbuf *out;
    const uint64_t *slots;
    const char *letters; /* of the next slot */
} Format;

static const char *parse_number(const char *p, uint32_t *value)
{
    uint32_t v = 0;

    for (; *p >= '0' && *p <= '9'; p++)
        v = v < MAX_FIELD * 10 ? v * 10 + (uint32_t)(*p - '0') : v;
    *value = v;
    return p;
}

static const char *parse_flags(const char *p, Conversion *c)
{
    size_t n = 0;

    for (; *p != '\0' && strchr("-+ #0", *p) != NULL; p++) {
        if (memchr(c->flags, *p, n) == NULL)
            c->flags[n++] = *p;
    }
    c->flags[n] = '\0';
    return p;
}

static const char *parse_length(const char *p, Conversion *c)
{
    static const struct {
        const char *text;
        Length length;
    } lengths[] = {{"hh", LENGTH_HH},   {"hl", LENGTH_HL},  {"h", LENGTH_H},
                   {"ll", LENGTH_SIZE}, {"l", LENGTH_L},    {"z", LENGTH_SIZE},
                   {"t", LENGTH_SIZE},  {"j", LENGTH_SIZE}, {"L", LENGTH_LONG}};

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t n = strlen(lengths[i].text);

        if (strncmp(p, lengths[i].text, n) == 0) {
            c->length = lengths[i].length;
            return p + n;
        }
    }
    return p;
}

/* Width and precision: numbers, or * for an argument. */
static const char *parse_fields(const char *p, Conversion *c)
{
    if (*p == '*') {
        c->takes_width = true;
        p++;
    } else if (*p >= '1' && *p <= '9') {
        c->has_width = true;
        p = parse_number(p, &c->width);
    }
    if (p[0] == '.' && p[1] == '*') {
        c->takes_precision = true;
        p += 2;
    } else if (*p == '.') {
        c->has_precision = true;
        p = parse_number(p + 1, &c->precision);
    }
    return p;
}

/* From after the % to after the conversion; NULL if it is not one. */
static const char *parse(const char *p, Conversion *c)
{
    memset(c, 0, sizeof *c);
    p = parse_flags(p, c);
    p = parse_fields(p, c);
    if (*p == 'v') {
        p = parse_number(p + 1, &c->lanes);
        if (c->lanes != 2 && c->lanes != 3 && c->lanes != 4 && c->lanes != 8 && c->lanes != 16)
            return NULL;
    }
    p = parse_length(p, c);
    c->letter = *p;
    if (c->letter == '\0' || strchr("diouxXfFeEgGaAcsp", c->letter) == NULL ||
        c->width > MAX_FIELD || c->precision > MAX_FIELD)
        return NULL;
    if (c->lanes != 0 && strchr("csp", c->letter) != NULL)
        return NULL;
    if (c->length == LENGTH_HL && c->lanes == 0)
        return NULL;
    if (c->length == LENGTH_SIZE && (c->lanes != 0 || strchr("diouxX", c->letter) == NULL))
        return NULL;
    if (c->length == LENGTH_LONG && (c->lanes != 0 || strchr("fFeEgGaA", c->letter) == NULL))
        return NULL;
    return p + 1;
}

/* A conversion for the C library with its own length. */
static void write_spec(const Conversion *c, const char *length, char spec[48])
{
    char width[16] = "", precision[16] = "";

    if (c->has_width)
        snprintf(width, sizeof width, "%u", (unsigned)c->width);
    if (c->has_precision)
        snprintf(precision, sizeof precision, ".%u", (unsigned)c->precision);
    snprintf(spec, 48, "%%%s%s%s%s%c", c->flags, width, precision, length, c->letter);
}

static unsigned slot_bits(char letter)
{
    switch (letter) {
    case 'b': return 8;
    case 'h': return 16;
    case 'i': return 32;
    default: return 64;
    }
}

static double slot_double(char letter, uint64_t slot)
{
    uint32_t low = (uint32_t)slot;
    double d;
    float f;

    switch (letter) {
    case 'e': return (double)hd_half_widen((uint16_t)slot);
    case 'f': memcpy(&f, &low, sizeof f); return (double)f;
    case 'd': memcpy(&d, &slot, sizeof d); return d;
    default: {
        unsigned drop = 64 - slot_bits(letter);

        return (double)((int64_t)(slot << drop) >> drop);
    }
    }
}

/* The bits that an integer conversion uses. */
static unsigned conversion_bits(const Conversion *c, unsigned have)
{
    switch (c->length) {
    case LENGTH_HH: return 8;
    case LENGTH_H: return 16;
    case LENGTH_HL: return 32;
    case LENGTH_L:
    case LENGTH_SIZE:
    case LENGTH_LONG: return 64;
    case LENGTH_NONE: return c->lanes != 0 ? have : 32;
    }
    return 64;
}

static uint64_t slot_integer(const Conversion *c, char letter, uint64_t slot)
{
    unsigned have = slot_bits(letter), want = conversion_bits(c, have);
    unsigned bits = want < have ? want : have;
    bool is_signed = c->letter == 'd' || c->letter == 'i';

    if (letter == 'e' || letter == 'f' || letter == 'd') {
        double d = slot_double(letter, slot);

        slot = d >= -9e18 && d <= 9e18 ? (uint64_t)(int64_t)d : 0;
        bits = want;
    }
    if (is_signed)
        return (uint64_t)((int64_t)(slot << (64 - bits)) >> (64 - bits));
    return slot << (64 - bits) >> (64 - bits);
}

static void print_float(HdStrbuf *out, const char *spec, double d)
{
    /* The host program's decimal point is not OpenCL's. The C locale costs no memory. */
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = (locale_t)0;

    if (c_locale != (locale_t)0)
        before = uselocale(c_locale);
    hd_strbuf_printf(out, spec, isnan(d) ? fabs(d) : d);
    if (c_locale != (locale_t)0) {
        uselocale(before);
        freelocale(c_locale);
    }
}

static void print_component(HdStrbuf *out, const Conversion *c, char letter, uint64_t slot)
{
    char spec[48];

    if (strchr("fFeEgGaA", c->letter) != NULL) {
        write_spec(c, "", spec);
        print_float(out, spec, slot_double(letter, slot));
    } else {
        write_spec(c, "ll", spec);
        hd_strbuf_printf(out, spec, (unsigned long long)slot_integer(c, letter, slot));
    }
}

static void print_other(HdStrbuf *out, const Conversion *c, uint64_t slot)
{
    Conversion plain = *c;
    char spec[48], text[24];

    if (c->letter == 'c') {
        write_spec(&plain, "", spec);
        hd_strbuf_printf(out, spec, (int)(unsigned char)slot);
        return;
    }
    plain.letter = 's';
    if (c->letter == 's') {
        const char *s = (const char *)(uintptr_t)slot;

        write_spec(&plain, "", spec);
        hd_strbuf_printf(out, spec, s != NULL ? s : "(null)");
        return;
    }
    plain.has_precision = false;
    write_spec(&plain, "", spec);
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)slot);
    hd_strbuf_printf(out, spec, text);
}

/* Step over the slot of a *. False: it has no integer that a field can have. */
static bool take_field(Format *f, int32_t *value)
{
    if (*f->letters == '\0' || strchr("bhil", *f->letters) == NULL)
        return false;
    *value = (int32_t)(uint32_t)*f->slots++;
    f->letters++;
    return *value >= -(int32_t)MAX_FIELD && *value <= (int32_t)MAX_FIELD;
}

/* As in C: a negative width is one to the left, a negative precision none. */
static bool take_fields(Format *f, Conversion *c)
{
    int32_t value;

    if (c->takes_width) {
        if (!take_field(f, &value))
            return false;
        c->has_width = true;
        c->width = (uint32_t)(value < 0 ? -value : value);
        if (value < 0 && strchr(c->flags, '-') == NULL)
            strcat(c->flags, "-");
    }
    if (c->takes_precision) {
        if (!take_field(f, &value))
            return false;
        c->has_precision = value >= 0;
        c->precision = (uint32_t)value;
    }
    return true;
}

/* Print one conversion and step over its slots; false when there are not enough. */
static bool print(Format *f, Conversion *c)
{
    uint32_t lanes = c->lanes != 0 ? c->lanes : 1;

    if (!take_fields(f, c) || strnlen(f->letters, lanes) < lanes)
        return false;
    for (uint32_t i = 0; i < lanes; i++) {
        if (i > 0)
            hd_strbuf_add_char(f->out, ',');
        if (strchr("csp", c->letter) == NULL)
            print_component(f->out, c, f->letters[i], f->slots[i]);
        else if (c->letter == 's' && f->letters[i] != 's' && f->letters[i] != 'p')
            return false;
        else
            print_other(f->out, c, f->slots[i]);
    }
    f->letters += lanes;
    f->slots += lanes;
    return true;
}

bool hd_rt_format(HdStrbuf *out, const char *format, const uint64_t *slots, const char *letters)
{
    HD_FLOAT_ENV; /* the kernel may flush denormals */
    Format f = {.out = out, .slots = slots, .letters = letters};
    bool is_good = true;

    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        Conversion c;
        const char *end;

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
        if (end != NULL && print(&f, &c)) {
            format = end;
            continue;
        }
        is_good = false;
        hd_strbuf_add_char(out, *format++);
    }
    return is_good && !out->failed;
}

uint64_t hd_rt_printf(HdRtGroup *g, const uint64_t *operands)
{
    HdRtWorker *w = g->worker;
    const char *format = (const char *)(uintptr_t)operands[0];
    const uint64_t *slots = (const uint64_t *)(uintptr_t)operands[1];
    const char *letters = (const char *)(uintptr_t)operands[2];
    HdStrbuf text = {0};
    bool is_good;

    if (format == NULL || letters == NULL)
        return (uint64_t)-1;
    is_good = hd_rt_format(&text, format, slots, letters);
    if (text.count > 0 && w->print != NULL) {
        if (w->print_lock != NULL)
            pthread_mutex_lock(w->print_lock);
        w->print(w->print_user, text.at, text.count);
        if (w->print_lock != NULL)
            pthread_mutex_unlock(w->print_lock);
    }
    hd_strbuf_free(&text);
    return is_good ? 0 : (uint64_t)-1;
}

/* Characters of a message that are 0 end the string in it that has them. */
static void drop_zeros(HdStrbuf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < text->count; i++)
        if (text->at[i] != '\0')
            text->at[n++] = text->at[i];
    text->count = n;
}

uint64_t hd_rt_abort(HdRtGroup *g, const uint64_t *operands)
{
    HdStrbuf text = {0};
    char kept[HD_RT_WHY]; /* what fails does not come back to free it */

    hd_rt_format(&text, (const char *)(uintptr_t)operands[3],
                 (const uint64_t *)(uintptr_t)operands[4], (const char *)(uintptr_t)operands[5]);
    drop_zeros(&text);
    snprintf(kept, sizeof kept, "%.*s", (int)text.count, text.count > 0 ? text.at : "");
    hd_strbuf_free(&text);
    hd_rt_fail(g, HD_ABORTED, "launch.abort", "work-item (%llu, %llu, %llu) has aborted: %s",
               (unsigned long long)operands[0], (unsigned long long)operands[1],
               (unsigned long long)operands[2], kept);
}
