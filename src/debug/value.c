/* debug/value.c -- values as text, and their components.
 *
 * SPDX-License-Identifier: MIT
 */
#include "debug/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/private.h"
#include "interp/number.h"
#include "module/resource.h"
#include "module/source.h"
#include "rt/image.h"

#define MAX_SHOWN 64u /* elements of an array */
#define MAX_DEPTH 8u

static const unsigned char *bytes_of(const HdDebugValue *v)
{
    return v->at != NULL ? v->at : v->own;
}

/* A part of what is at `offset`. */
static HdDebugValue part_at(const HdDebugValue *v, const HdType *t, uint64_t offset)
{
    HdDebugValue part = *v;

    part.type = t;
    part.is_swizzle = false;
    if (v->at != NULL)
        part.at = v->at + offset;
    else if (offset < sizeof part.own)
        memmove(part.own, part.own + offset, sizeof part.own - offset);
    part.shadow = v->shadow != NULL ? v->shadow + offset : NULL;
    part.address = v->address != 0 ? v->address + offset : 0;
    return part;
}

/* ---- numbers ------------------------------------------------------------------------------- */

bool hd_debug_number(const HdDebugValue *v, HdDebugValue *number)
{
    const HdType *t = v->type;

    *number = (HdDebugValue){0};
    if (t == NULL) {
        *number = *v;
        return v->number != HD_DEBUG_NO_NUMBER;
    }
    if (t->kind == HD_T_FLOAT && t->encoding == 0) {
        number->number = HD_DEBUG_FLOAT;
        number->real = hd_float_get(bytes_of(v), hd_type_size(t));
        return true;
    }
    if (hd_is_bfloat16(t)) { /* the upper half of a float */
        uint32_t bits = (uint32_t)hd_bits_get(bytes_of(v), 2) << 16;
        float real;

        memcpy(&real, &bits, sizeof real);
        number->number = HD_DEBUG_FLOAT;
        number->real = (double)real;
        return true;
    }
    number->number = HD_DEBUG_INT;
    switch (t->kind) {
    case HD_T_BOOL: number->integer = bytes_of(v)[0] & 1; return true;
    case HD_T_POINTER: number->integer = (int64_t)hd_bits_get(bytes_of(v), 8); return true;
    case HD_T_INT:
        number->integer = t->is_signed ? hd_int_get(bytes_of(v), hd_type_size(t))
                                       : (int64_t)hd_bits_get(bytes_of(v), hd_type_size(t));
        return true;
    default: return false;
    }
}

static uint64_t undefined_bits(const HdDebugValue *v, uint64_t bytes)
{
    uint64_t bits = 0;

    for (uint64_t i = 0; i < bytes && i < 8; i++)
        bits |= (uint64_t)(unsigned char)((v->shadow != NULL ? v->shadow[i] : 0) ^ v->flip)
                << (i * 8);
    return bits;
}

/* The shortest text that reads back the same. */
static void add_float(double x, uint64_t bytes, HdStrbuf *out)
{
    char text[40];

    for (int digits = bytes == 8 ? 15 : bytes == 4 ? 6 : 3; digits < 18; digits++) {
        double back;

        snprintf(text, sizeof text, "%.*g", digits, x);
        back = strtod(text, NULL);
        if (back == x || x != x || (bytes == 4 && (float)back == (float)x) ||
            (bytes == 2 && hd_half_to_double(hd_half_from_double(back, HD_NUMBER_RTE)) == x))
            break;
    }
    hd_strbuf_add(out, text);
}

static void add_binary(uint64_t bits, uint64_t count, HdStrbuf *out)
{
    hd_strbuf_add(out, "0b");
    for (uint64_t i = count; i-- > 0;)
        hd_strbuf_add_char(out, (bits >> i & 1) != 0 ? '1' : '0');
}

static void add_int(int64_t value, uint64_t bytes, bool is_signed, bool is_meant, char format,
                    HdStrbuf *out)
{
    uint64_t mask = bytes >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << (bytes * 8)) - 1;
    uint64_t bits = (uint64_t)value & mask, top = UINT64_C(1) << (bytes * 8 - 1);
    int64_t as_signed = (bits & top) != 0 ? (int64_t)(bits | ~mask) : (int64_t)bits;

    switch (format) {
    case 'x': hd_strbuf_printf(out, "0x%llx", (unsigned long long)bits); return;
    case 't': add_binary(bits, bytes * 8, out); return;
    case 'd': hd_strbuf_printf(out, "%lld", (long long)as_signed); return;
    case 'u': hd_strbuf_printf(out, "%llu", (unsigned long long)bits); return;
    case 'c':
        hd_strbuf_printf(out, "%lld", (long long)as_signed);
        if (bits >= ' ' && bits < 127)
            hd_strbuf_printf(out, " '%c'", (char)bits);
        return;
    default: break;
    }
    if (is_signed)
        hd_strbuf_printf(out, "%lld", (long long)as_signed);
    else
        hd_strbuf_printf(out, "%llu", (unsigned long long)bits);
    /* SPIR-V does not say whether an integer has a sign. */
    if (!is_meant && !is_signed && as_signed < 0)
        hd_strbuf_printf(out, " (%lld)", (long long)as_signed);
}

/* ---- in text ------------------------------------------------------------------------------- */

/* "storage image, 2D, R32ui: 8 x 4 texels, 128 bytes": of a shader's image, or what it is bound to;
 * the handle comes first in its descriptor, too. */
static void add_image(const HdDebugValue *v, HdStrbuf *out)
{
    const uint64_t handle = hd_bits_get(bytes_of(v), 8);
    const HdImage *im = handle < HD_EVAL_NOWHERE ? (const HdImage *)(uintptr_t)handle : NULL;

    hd_opaque_describe(v->type, out);
    if (hd_type_image(v->type) == NULL)
        return;
    if (im == NULL || im->texel_bytes == 0) {
        hd_strbuf_add(out, ": nothing is bound");
        return;
    }
    hd_strbuf_printf(out, ": %u", (unsigned)im->level[0].width);
    if (im->dimensions > 1)
        hd_strbuf_printf(out, " x %u", (unsigned)im->level[0].height);
    if (im->dimensions > 2)
        hd_strbuf_printf(out, " x %u", (unsigned)im->level[0].depth);
    hd_strbuf_add(out, " texels");
    if (im->layers != 0)
        hd_strbuf_printf(out, ", %u layers", (unsigned)im->layers);
    if (im->levels > 1)
        hd_strbuf_printf(out, ", %u levels", (unsigned)im->levels);
    if (im->samples > 1)
        hd_strbuf_printf(out, ", %u samples", (unsigned)im->samples);
    hd_strbuf_printf(out, ", %llu bytes", (unsigned long long)im->bytes);
}

static void add_scalar(HdDebug *d, const HdDebugValue *v, char format, HdStrbuf *out)
{
    const HdType *t = v->type;
    uint64_t undefined = undefined_bits(v, hd_type_size(t));
    uint64_t ones =
        hd_type_size(t) >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << (hd_type_size(t) * 8)) - 1;
    HdDebugValue n;

    if (undefined != 0 && (undefined == ones || t->kind == HD_T_BOOL || t->kind == HD_T_FLOAT)) {
        hd_strbuf_add(out, "<no value>");
        return;
    }
    if (!hd_debug_number(v, &n)) {
        if (d->r != NULL && d->r->g->kernel->is_shader && hd_type_opaque(t) != HD_OPAQUE_NONE)
            add_image(v, out);
        else
            hd_strbuf_add(out, "<opaque>");
        return;
    }
    if (t->kind == HD_T_BOOL && format == 0)
        hd_strbuf_add(out, n.integer != 0 ? "true" : "false");
    else if (t->kind == HD_T_POINTER && format == 0) {
        hd_strbuf_printf(out, "0x%llx", (unsigned long long)n.integer);
        if (n.integer != 0 && d->r != NULL) {
            hd_strbuf_add(out, " <");
            hd_debug_memory_text(d, (uint64_t)n.integer, out);
            hd_strbuf_add(out, ">");
        }
    } else if (t->kind == HD_T_FLOAT && (format == 0 || format == 'f'))
        add_float(n.real, hd_type_size(t), out);
    else if (t->kind == HD_T_FLOAT)
        add_int((int64_t)hd_bits_get(bytes_of(v), hd_type_size(t)), hd_type_size(t), false, true,
                format, out);
    else if (format == 'f' &&
             (hd_type_size(t) == 4 || hd_type_size(t) == 8 || hd_type_size(t) == 2))
        add_float(hd_float_get(bytes_of(v), hd_type_size(t)), hd_type_size(t), out);
    else
        add_int(n.integer, hd_type_size(t), t->is_signed, t->id == 0, format, out);
    if (undefined != 0)
        hd_strbuf_printf(out, " <bits 0x%llx have no value>", (unsigned long long)undefined);
}

static void add_value(HdDebug *d, const HdDebugValue *v, char format, unsigned depth, HdStrbuf *out)
{
    uint64_t count = hd_type_parts(v->type);
    bool is_vector = v->type->kind == HD_T_VECTOR;

    if (count == 0) {
        if (v->type->kind == HD_T_STRUCT)
            hd_strbuf_add(out, "{}");
        else
            add_scalar(d, v, format, out);
        return;
    }
    if (depth == MAX_DEPTH) {
        hd_strbuf_add(out, "{…}");
        return;
    }
    hd_strbuf_add(out, is_vector ? "(" : "{");
    for (uint64_t i = 0; i < count; i++) {
        HdStrbuf name = {0};
        HdDebugValue part;

        if (i == MAX_SHOWN) {
            hd_strbuf_printf(out, ", … %llu more", (unsigned long long)(count - i));
            break;
        }
        if (!hd_debug_value_part(d, v, i, &part, &name))
            break;
        hd_strbuf_add(out, i > 0 ? ", " : "");
        if (v->type->kind == HD_T_STRUCT)
            hd_strbuf_printf(out, "%s = ", hd_strbuf_text(&name));
        add_value(d, &part, format, depth + 1, out);
        hd_strbuf_free(&name);
    }
    hd_strbuf_add(out, is_vector ? ")" : "}");
}

void hd_debug_value_text(HdDebug *d, const HdDebugValue *v, char format, HdStrbuf *out)
{
    if (v->type != NULL)
        add_value(d, v, format, 0, out);
    else if (v->number == HD_DEBUG_FLOAT)
        add_float(v->real, 8, out);
    else
        add_int(v->integer, 8, true, true, format, out);
}

/* ---- types in text ------------------------------------------------------------------------- */

static const char *struct_name(const HdDebug *d, const HdType *t)
{
    const HdDebugType *own = hd_debug_own_type(t);
    const char *name = own != NULL ? own->name : hd_module_name(d->m, t->id);

    if (name != NULL && strncmp(name, "struct.", 7) == 0)
        name += 7;
    return name != NULL && name[0] != '\0' ? name : "struct";
}

static void add_scalar_type(const HdType *t, HdStrbuf *out)
{
    const HdDebugType *own = hd_debug_own_type(t);
    const char *names[] = {"char", "short", "int", "long"};
    unsigned i = t->bits == 8 ? 0 : t->bits == 16 ? 1 : t->bits == 32 ? 2 : 3;

    if (own != NULL && own->name != NULL)
        hd_strbuf_add(out, own->name);
    else if (t->kind == HD_T_BOOL)
        hd_strbuf_add(out, "bool");
    else if (t->kind == HD_T_FLOAT)
        hd_strbuf_add(out, t->bits == 16 ? "half" : t->bits == 32 ? "float" : "double");
    else if (t->kind == HD_T_INT)
        hd_strbuf_printf(out, "%s%s", t->is_signed ? "" : "u", names[i]);
    else
        hd_strbuf_add(out, "opaque");
}

void hd_debug_type_text(HdDebug *d, const HdType *t, HdStrbuf *out)
{
    if (t == NULL) {
        hd_strbuf_add(out, "number");
        return;
    }
    switch (t->kind) {
    case HD_T_POINTER:
        if (hd_type_element(t) != NULL)
            hd_debug_type_text(d, hd_type_element(t), out);
        else
            hd_strbuf_add(out, "void");
        hd_strbuf_add(out, " *");
        break;
    case HD_T_VECTOR:
        hd_debug_type_text(d, hd_type_element(t), out);
        hd_strbuf_printf(out, "%u", (unsigned)t->count);
        break;
    case HD_T_ARRAY:
        hd_debug_type_text(d, hd_type_element(t), out);
        hd_strbuf_printf(out, "[%llu]", (unsigned long long)hd_type_length(t));
        break;
    case HD_T_RUNTIME_ARRAY:
        hd_debug_type_text(d, hd_type_element(t), out);
        hd_strbuf_add(out, "[]");
        break;
    case HD_T_MATRIX: /* its columns */
        hd_debug_type_text(d, hd_type_element(t), out);
        hd_strbuf_printf(out, "[%u]", (unsigned)t->count);
        break;
    case HD_T_STRUCT: hd_strbuf_printf(out, "struct %s", struct_name(d, t)); break;
    default: add_scalar_type(t, out); break;
    }
}

/* ---- parts --------------------------------------------------------------------------------- */

uint64_t hd_debug_value_parts(HdDebug *d, const HdDebugValue *v)
{
    HdDebugValue part;

    if (v->type == NULL)
        return 0;
    if (v->type->kind == HD_T_POINTER)
        return hd_debug_value_part(d, v, 0, &part, NULL) ? 1 : 0;
    return hd_type_parts(v->type);
}

static const char *member_name(const HdDebug *d, const HdType *t, uint64_t i)
{
    const HdDebugType *own = hd_debug_own_type(t);

    if (own != NULL)
        return own->parts != NULL ? own->parts[i].name : NULL;
    return hd_module_member_name(d->m, t->id, (uint32_t)i);
}

uint64_t hd_debug_stride(const HdDebug *d, const HdType *t)
{
    const HdDebugType *own = hd_debug_own_type(t);

    if (own == NULL)
        return hd_type_stride(d->m, t);
    return own->stride != 0 ? own->stride : hd_type_size(hd_type_element(t));
}

bool hd_debug_value_part(HdDebug *d, const HdDebugValue *v, uint64_t i, HdDebugValue *part,
                         HdStrbuf *name)
{
    const HdType *t = v->type;
    const HdDebugType *own;
    const char *member;

    if (t == NULL)
        return false;
    if (t->kind == HD_T_POINTER) {
        if (i > 0 || hd_type_element(t) == NULL ||
            !hd_debug_at(d, hd_type_element(t), hd_bits_get(bytes_of(v), 8), part))
            return false;
        if (name != NULL)
            hd_strbuf_add(name, "*");
        return true;
    }
    if (i >= hd_type_parts(t))
        return false;
    if (t->kind == HD_T_STRUCT) {
        own = hd_debug_own_type(t);
        *part = own != NULL ? part_at(v, own->parts[i].type, own->parts[i].offset)
                            : part_at(v, hd_debug_member(d, t, (uint32_t)i),
                                      hd_type_offset(d->m, t, (uint32_t)i));
        member = member_name(d, t, i);
        if (name != NULL && member != NULL)
            hd_strbuf_add(name, member);
        else if (name != NULL)
            hd_strbuf_printf(name, "m%llu", (unsigned long long)i);
        return part->type != NULL;
    }
    *part =
        part_at(v, hd_type_element(t), (v->is_swizzle ? v->order[i] : i) * hd_debug_stride(d, t));
    if (name != NULL && t->kind == HD_T_VECTOR && t->count <= 4)
        hd_strbuf_add_char(name, "xyzw"[i]);
    else if (name != NULL)
        hd_strbuf_printf(name, "[%llu]", (unsigned long long)i);
    return true;
}
