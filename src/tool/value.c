/* tool/value.c -- parsing, printing and comparing typed data.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/guarded.h"
#include "base/half.h"
#include "base/map.h"
#include "base/memory.h"

#define MAX_BYTES ((uint64_t)1 << 40)

static const struct {
    const char *name;
    unsigned bytes;
    bool is_signed, is_float;
} kinds[HD_VALUE_KINDS] = {
    [HD_VALUE_I8] = {"i8", 1, true, false},   [HD_VALUE_U8] = {"u8", 1, false, false},
    [HD_VALUE_I16] = {"i16", 2, true, false}, [HD_VALUE_U16] = {"u16", 2, false, false},
    [HD_VALUE_I32] = {"i32", 4, true, false}, [HD_VALUE_U32] = {"u32", 4, false, false},
    [HD_VALUE_I64] = {"i64", 8, true, false}, [HD_VALUE_U64] = {"u64", 8, false, false},
    [HD_VALUE_F16] = {"f16", 2, true, true},  [HD_VALUE_F32] = {"f32", 4, true, true},
    [HD_VALUE_F64] = {"f64", 8, true, true},
};

unsigned hd_value_bytes(HdValueKind k)
{
    return kinds[k].bytes;
}

bool hd_value_is_float(HdValueKind k)
{
    return kinds[k].is_float;
}

/* ---- one component ------------------------------------------------------------------------- */

static double get_float(HdValueKind k, const unsigned char *at)
{
    uint16_t h;
    float f;
    double d;

    switch (k) {
    case HD_VALUE_F16: memcpy(&h, at, sizeof h); return (double)hd_half_widen(h);
    case HD_VALUE_F32: memcpy(&f, at, sizeof f); return (double)f;
    default: memcpy(&d, at, sizeof d); return d;
    }
}

static void put_float(HdValueKind k, unsigned char *at, double d)
{
    uint16_t h = k == HD_VALUE_F16 ? hd_half_round(d, HD_ROUND_RTE) : 0;
    float f = (float)d;

    switch (k) {
    case HD_VALUE_F16: memcpy(at, &h, sizeof h); break;
    case HD_VALUE_F32: memcpy(at, &f, sizeof f); break;
    default: memcpy(at, &d, sizeof d); break;
    }
}

static uint64_t get_integer(HdValueKind k, const unsigned char *at)
{
    unsigned drop = 64 - 8 * kinds[k].bytes;
    uint64_t v = 0;

    memcpy(&v, at, kinds[k].bytes);
    return kinds[k].is_signed ? (uint64_t)((int64_t)(v << drop) >> drop) : v;
}

/* Decimal or 0x…, in the range of the type, signed or unsigned alike. */
static bool parse_integer(HdValueKind k, const char *text, char **end, uint64_t *value)
{
    unsigned bits = 8 * kinds[k].bytes;
    bool is_negative = *text == '-';
    uint64_t v;

    text += is_negative || *text == '+';
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    v = strtoull(text, end, text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
    if (errno != 0 || (bits < 64 && v >> bits != 0) ||
        (is_negative && v > (uint64_t)1 << (bits - 1)))
        return false;
    *value = is_negative ? 0 - v : v;
    return true;
}

/* Parse one component; *end is where it ends. */
static bool parse_component(HdValueKind k, const char *text, char **end, unsigned char *at)
{
    uint64_t v;
    double d;

    if (!kinds[k].is_float) {
        if (!parse_integer(k, text, end, &v))
            return false;
        memcpy(at, &v, kinds[k].bytes);
        return true;
    }
    if (k == HD_VALUE_F32) { /* rounded once, not by way of double */
        float f = strtof(text, end);

        memcpy(at, &f, sizeof f);
        return *end != text;
    }
    d = strtod(text, end);
    put_float(k, at, d);
    return *end != text;
}

static bool reads_back(HdValueKind k, const char *text, const unsigned char *at)
{
    unsigned char again[8];
    char *end;

    return parse_component(k, text, &end, again) && memcmp(again, at, kinds[k].bytes) == 0;
}

static void print_float(HdStrbuf *out, HdValueKind k, const unsigned char *at)
{
    double d = get_float(k, at);
    char text[40];

    if (isnan(d)) {
        hd_strbuf_add(out, "nan");
        return;
    }
    if (isinf(d)) {
        hd_strbuf_add(out, d < 0 ? "-inf" : "inf");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, d);
        if (reads_back(k, text, at))
            break;
    }
    /* 100, not 1e+02, though one digit identifies the number. */
    if (strchr(text, 'e') != NULL && fabs(d) >= 1 && fabs(d) < (k == HD_VALUE_F64 ? 1e16 : 1e9))
        snprintf(text, sizeof text, "%.0f", d);
    hd_strbuf_add(out, text);
}

void hd_value_print(HdStrbuf *out, HdValueKind k, const unsigned char *at)
{
    if (kinds[k].is_float)
        print_float(out, k, at);
    else if (kinds[k].is_signed)
        hd_strbuf_printf(out, "%lld", (long long)get_integer(k, at));
    else
        hd_strbuf_printf(out, "%llu", (unsigned long long)get_integer(k, at));
}

/* ---- types --------------------------------------------------------------------------------- */

static HdStatus bad(HdDiags *d, const char *spec, const char *why)
{
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.argument", "'%s': %s", spec, why);
}

/* OpenCL C's names. */
static const struct {
    const char *name;
    HdValueKind kind;
} names[] = {{"float", HD_VALUE_F32},  {"double", HD_VALUE_F64}, {"half", HD_VALUE_F16},
             {"char", HD_VALUE_I8},    {"uchar", HD_VALUE_U8},   {"short", HD_VALUE_I16},
             {"ushort", HD_VALUE_U16}, {"int", HD_VALUE_I32},    {"uint", HD_VALUE_U32},
             {"long", HD_VALUE_I64},   {"ulong", HD_VALUE_U64}};

/* "f32" or "float", with what stands before a number of lanes: "x", or nothing. NULL: neither. */
static const char *kind_of(const char *text, HdValueKind *kind, bool *has_lanes)
{
    for (unsigned k = 0; k < HD_VALUE_KINDS; k++) {
        size_t len = strlen(kinds[k].name);

        if (strncmp(text, kinds[k].name, len) != 0)
            continue;
        *kind = (HdValueKind)k;
        *has_lanes = text[len] == 'x';
        return text + len + *has_lanes;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len = strlen(names[i].name);

        if (strncmp(text, names[i].name, len) != 0)
            continue;
        *kind = names[i].kind;
        *has_lanes = text[len] >= '0' && text[len] <= '9';
        return text + len;
    }
    return NULL;
}

/* "f32", "u8x4", "float4", "bytes"; *end is after it. */
static bool parse_type(const char *text, const char **end, HdValueType *t)
{
    unsigned long lanes;
    bool has_lanes;
    char *after;

    *t = (HdValueType){.lanes = 1, .stride = 1};
    if (strncmp(text, "bytes", 5) == 0) {
        t->kind = HD_VALUE_U8;
        t->is_hex = true;
        *end = text + 5;
        return true;
    }
    *end = kind_of(text, &t->kind, &has_lanes);
    if (*end == NULL || !has_lanes)
        return *end != NULL;
    lanes = strtoul(*end, &after, 10);
    if (lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16)
        return false;
    t->lanes = (uint32_t)lanes;
    t->stride = lanes == 3 ? 4 : (uint32_t)lanes;
    *end = after;
    return true;
}

/* "[N]"; *end is after it. */
static bool parse_count(const char *text, const char **end, uint64_t *count)
{
    char *after;

    if (text[0] != '[' || text[1] < '0' || text[1] > '9')
        return false;
    errno = 0;
    *count = strtoull(text + 1, &after, 0);
    if (errno != 0 || *after != ']')
        return false;
    *end = after + 1;
    return true;
}

/* ---- content ------------------------------------------------------------------------------- */

static uint64_t element_bytes(const HdData *data)
{
    return (uint64_t)data->type.stride * kinds[data->type.kind].bytes;
}

static HdStatus open_bytes(const char *spec, HdDiags *d, HdData *data)
{
    uint64_t each = element_bytes(data);

    if (data->count <= MAX_BYTES / each) {
        data->size = data->count * each;
        data->room = (size_t)data->size;
        data->bytes = hd_guarded_alloc(data->room);
    }
    if (data->bytes == NULL)
        return hd_fail(d, HD_NO_MEMORY, HD_NO_PLACE, "run.argument",
                       "'%s': not enough memory for so many elements", spec);
    return HD_OK;
}

void hd_data_close(HdData *data)
{
    hd_guarded_free(data->bytes, data->room);
    HD_ARRAY_FREE(&data->addresses);
    *data = (HdData){0};
}

/* Address of the nth component, the unused ones of vectors of 3 left out. */
static unsigned char *component(const HdData *data, uint64_t n)
{
    const HdValueType *t = &data->type;

    return data->bytes + (n / t->lanes * t->stride + n % t->lanes) * kinds[t->kind].bytes;
}

static uint64_t components(const HdData *data)
{
    return data->count * data->type.lanes;
}

static bool parse_number(const char **text, uint32_t *value)
{
    unsigned long v;
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    v = strtoul(*text, &end, 10);
    *text = end;
    *value = (uint32_t)v;
    return errno == 0 && v <= UINT32_MAX;
}

bool hd_data_parse_address(const char *text, const char **end, HdDataAddress *out)
{
    char *after;

    *out = (HdDataAddress){0};
    if (*text++ != '&' || !parse_number(&text, &out->set) || *text++ != '.' ||
        !parse_number(&text, &out->binding))
        return false;
    if (*text == '[') {
        text++;
        if (!parse_number(&text, &out->element) || *text++ != ']')
            return false;
    }
    if (*text == '+') {
        if (text[1] < '0' || text[1] > '9')
            return false;
        errno = 0;
        out->plus = strtoull(text + 1, &after, 0);
        text = after;
        if (errno != 0)
            return false;
    }
    *end = text;
    return true;
}

static HdStatus add_address(HdData *data, const char *text, const char **end,
                            const unsigned char *at, HdDiags *d)
{
    HdDataAddress a;

    if (kinds[data->type.kind].bytes != 8 || kinds[data->type.kind].is_float ||
        !hd_data_parse_address(text, end, &a))
        return bad(d, text,
                   "an address is written &SET.BINDING or &SET.BINDING+BYTES, as a value of u64 "
                   "or i64");
    a.at = (uint64_t)(at - data->bytes);
    HD_TRY_PUSH(NULL, &data->addresses, a);
    return HD_OK;
}

static HdStatus fill_list(HdData *data, const char *init, HdDiags *d)
{
    const char *p = init;

    for (uint64_t n = 0;; n++) {
        char *end;

        if (n == components(data))
            return bad(d, init, "more values than the argument has elements");
        p += strspn(p, " ");
        if (*p == '&')
            HD_TRY(add_address(data, p, &p, component(data, n), d));
        else if (parse_component(data->type.kind, p, &end, component(data, n)))
            p = end;
        else
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.argument",
                           "'%.40s' is not a value of type %s", p, kinds[data->type.kind].name);
        p += strspn(p, " ");
        if (*p == '\0')
            return HD_OK;
        if (*p != ',')
            return bad(d, p, "unexpected text after a value; values are separated by commas");
        p++;
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static HdStatus fill_hex(HdData *data, const char *init, HdDiags *d)
{
    size_t len = strlen(init);

    if (len != 2 * data->size)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.argument",
                       "%llu bytes need %llu hexadecimal digits, not %zu",
                       (unsigned long long)data->size, (unsigned long long)data->size * 2, len);
    for (size_t i = 0; i < len; i += 2) {
        int high = hex_digit(init[i]), low = hex_digit(init[i + 1]);

        if (high < 0 || low < 0)
            return bad(d, init, "bytes must be given as hexadecimal digits");
        data->bytes[i / 2] = (unsigned char)(high << 4 | low);
    }
    return HD_OK;
}

static HdStatus fill_file(HdData *data, const char *path, HdDiags *d)
{
    size_t count;

    HD_TRY(hd_file_read_into(path, d, data->bytes, data->size, &count));
    if (count == data->size)
        return HD_OK;
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.argument",
                   "'%s' has %s%zu bytes, but the argument has %llu", path,
                   count > data->size ? "at least " : "", count, (unsigned long long)data->size);
}

/* "range", "range:START", "range:START:STEP" */
static HdStatus fill_range(HdData *data, const char *text, HdDiags *d)
{
    HdValueKind k = data->type.kind;
    double numbers[2] = {0, 1};
    const char *p = text;

    for (int i = 0; i < 2 && *p == ':'; i++) {
        char *end;

        numbers[i] = strtod(p + 1, &end);
        if (end == p + 1)
            break;
        p = end;
    }
    if (*p != '\0')
        return bad(d, text, "a range is written range, range:START or range:START:STEP");
    for (uint64_t n = 0; n < components(data); n++) {
        double v = numbers[0] + numbers[1] * (double)n;
        uint64_t whole =
            v < 0 ? (uint64_t)(int64_t)fmax(v, -0x1p63) : (uint64_t)fmin(v, 0x1.fffffffffffffp63);

        if (kinds[k].is_float)
            put_float(k, component(data, n), v);
        else
            memcpy(component(data, n), &whole, kinds[k].bytes);
    }
    return HD_OK;
}

/* "random:SEED": integers over all their bits, floats in [0, 1). */
static HdStatus fill_random(HdData *data, const char *text, HdDiags *d)
{
    HdValueKind k = data->type.kind;
    char *end;
    uint64_t seed = strtoull(text, &end, 0);

    if (end == text || *end != '\0')
        return bad(d, text, "the seed must be a number, as in random:1");
    seed = hd_hash_u64(seed + 1);
    for (uint64_t n = 0; n < components(data); n++) {
        uint64_t v = hd_hash_u64(seed + n * 0x9e3779b97f4a7c15u);

        if (k == HD_VALUE_F16)
            put_float(k, component(data, n), (double)(v >> 53) * 0x1p-11);
        else if (k == HD_VALUE_F32)
            put_float(k, component(data, n), (double)(v >> 40) * 0x1p-24);
        else if (k == HD_VALUE_F64)
            put_float(k, component(data, n), (double)(v >> 11) * 0x1p-53);
        else
            memcpy(component(data, n), &v, kinds[k].bytes);
    }
    return HD_OK;
}

static HdStatus fill_same(HdData *data, const char *text, HdDiags *d)
{
    unsigned char value[8];
    char *end;

    if (!parse_component(data->type.kind, text, &end, value) || *end != '\0')
        return bad(d, text, "not a value of the element type");
    for (uint64_t n = 0; n < data->type.lanes && n < components(data); n++)
        memcpy(component(data, n), value, kinds[data->type.kind].bytes);
    for (uint64_t done = element_bytes(data); done < data->size; done *= 2)
        memcpy(data->bytes + done, data->bytes,
               (size_t)(done < data->size - done ? done : data->size - done));
    return HD_OK;
}

static HdStatus fill(HdData *data, const char *init, HdDiags *d)
{
    data->is_undefined = strcmp(init, "undefined") == 0;
    if (data->is_undefined || strcmp(init, "zeros") == 0)
        return HD_OK;
    if (init[0] == '@')
        return fill_file(data, init + 1, d);
    if (strncmp(init, "range", 5) == 0)
        return fill_range(data, init + 5, d);
    if (strncmp(init, "random:", 7) == 0)
        return fill_random(data, init + 7, d);
    if (strncmp(init, "fill:", 5) == 0)
        return fill_same(data, init + 5, d);
    if (data->type.is_hex)
        return fill_hex(data, init, d);
    return fill_list(data, init, d);
}

/* Does *text begin with a word? It is then moved past it. */
static bool takes(const char **text, const char *word)
{
    size_t len = strlen(word);
    bool is_there = strncmp(*text, word, len) == 0;

    *text += is_there ? len : 0;
    return is_there;
}

static HdStatus parse(const char *spec, HdDiags *d, HdData *out)
{
    const char *p;
    HdStatus st;

    if (strcmp(spec, "null") == 0) {
        out->form = HD_DATA_NULL;
        return HD_OK;
    }
    if (strncmp(spec, "local", 5) == 0) {
        out->form = HD_DATA_LOCAL;
        if (!parse_count(spec + 5, &p, &out->count) || *p != '\0' || out->count == 0)
            return bad(d, spec, "local memory is written local[BYTES]");
        return HD_OK;
    }
    if (!parse_type(spec, &p, &out->type))
        return bad(
            d, spec,
            "not an argument; use TYPE[COUNT]=…, TYPE=VALUE, bytes[N]=…, local[BYTES], null, or an "
            "image, sampler, pipe or queue (see --help); types are i8 … u64, f16, f32, f64 and "
            "vectors such as f32x4");
    out->form = HD_DATA_SCALAR;
    out->count = 1;
    if (*p == '[') {
        out->form = HD_DATA_ARRAY;
        if (!parse_count(p, &p, &out->count))
            return bad(d, spec, "a count must be written [NUMBER]");
    } else if (*p != '=' || out->type.is_hex) {
        return bad(d, spec, "a scalar needs =VALUE, a buffer needs [COUNT]");
    }
    if (*p != '=' && *p != '\0')
        return bad(d, spec, "the initial value must follow a =");
    st = open_bytes(spec, d, out);
    if (st == HD_OK && *p == '=')
        st = fill(out, p + 1, d);
    if (st != HD_OK)
        hd_data_close(out);
    return st;
}

HdStatus hd_data_parse(const char *spec, HdDiags *d, HdData *out)
{
    const char *text = spec;

    *out = (HdData){0};
    out->is_read_only = takes(&text, "read_only:");
    out->is_write_only = !out->is_read_only && takes(&text, "write_only:");
    HD_TRY(parse(text, d, out));
    if (text == spec || out->form == HD_DATA_ARRAY)
        return HD_OK;
    hd_data_close(out);
    return bad(d, spec, "read_only: and write_only: apply to buffers only");
}

HdStatus hd_data_like(const HdData *model, const char *init, HdDiags *d, HdData *out)
{
    HdStatus st;

    *out = (HdData){.form = model->form, .type = model->type, .count = model->count};
    st = open_bytes(init, d, out);
    if (st == HD_OK)
        st = fill(out, init, d);
    if (st != HD_OK)
        hd_data_close(out);
    return st;
}

/* ---- output -------------------------------------------------------------------------------- */

void hd_data_print_type(HdStrbuf *out, const HdData *data)
{
    hd_strbuf_add(out, data->type.is_hex ? "bytes" : kinds[data->type.kind].name);
    if (data->type.lanes > 1)
        hd_strbuf_printf(out, "x%u", (unsigned)data->type.lanes);
    hd_strbuf_printf(out, "[%llu]", (unsigned long long)data->count);
}

static void print_json(HdStrbuf *out, const HdData *data, uint64_t count)
{
    HdValueKind k = data->type.kind;

    hd_strbuf_add_char(out, '[');
    for (uint64_t n = 0; n < count * data->type.lanes; n++) {
        const unsigned char *at = component(data, n);
        bool is_odd = kinds[k].is_float && !isfinite(get_float(k, at));

        hd_strbuf_add(out, n > 0 ? ", " : "");
        hd_strbuf_add(out, is_odd ? "\"" : "");
        hd_value_print(out, k, at);
        hd_strbuf_add(out, is_odd ? "\"" : "");
    }
    hd_strbuf_add_char(out, ']');
}

static void print_text(HdStrbuf *out, const HdData *data, uint64_t count)
{
    const HdValueType *t = &data->type;

    for (uint64_t n = 0; n < count; n++) {
        if (t->is_hex) {
            hd_strbuf_printf(out, "%02x", (unsigned)data->bytes[n]);
            continue;
        }
        hd_strbuf_add(out, n > 0 ? ", " : "");
        hd_strbuf_add(out, t->lanes > 1 ? "(" : "");
        for (uint32_t i = 0; i < t->lanes; i++) {
            hd_strbuf_add(out, i > 0 ? ", " : "");
            hd_value_print(out, t->kind, component(data, n * t->lanes + i));
        }
        hd_strbuf_add(out, t->lanes > 1 ? ")" : "");
    }
}

void hd_data_print(HdStrbuf *out, const HdData *data, uint64_t limit, bool is_json)
{
    uint64_t count = limit != 0 && data->count > limit ? limit : data->count;

    if (is_json) {
        print_json(out, data, count);
        return;
    }
    print_text(out, data, count);
    if (count < data->count)
        hd_strbuf_printf(out, ", … (%llu more)", (unsigned long long)(data->count - count));
}

static bool is_near(HdValueKind k, const unsigned char *got, const unsigned char *want,
                    double tolerance)
{
    double a, b;

    if (memcmp(got, want, kinds[k].bytes) == 0)
        return true;
    if (kinds[k].is_float) {
        a = get_float(k, got);
        b = get_float(k, want);
        if (isnan(a) || isnan(b))
            return isnan(a) && isnan(b);
    } else if (kinds[k].is_signed) {
        a = (double)(int64_t)get_integer(k, got);
        b = (double)(int64_t)get_integer(k, want);
    } else {
        a = (double)get_integer(k, got);
        b = (double)get_integer(k, want);
    }
    if (tolerance <= 0) /* bits differ: only zeros of both signs are the same */
        return kinds[k].is_float && a == b;
    return a == b || fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

uint64_t hd_data_compare(const HdData *got, const HdData *expected, double tolerance)
{
    for (uint64_t n = 0; n < components(got) && n < components(expected); n++) {
        if (!is_near(got->type.kind, component(got, n), component(expected, n), tolerance))
            return n / got->type.lanes;
    }
    return UINT64_MAX;
}
