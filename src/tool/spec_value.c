/* tool/spec_value.c -- a specialisation's value, by the type that the module gives the constant.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/spec_value.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "gen/spirv.h"
#include "module/decoration.h"
#include "tool/value.h"

static const HdType *type_of_spec(const HdModule *m, uint32_t spec_id)
{
    return hd_module_type_of(m, hd_module_decorated(m, SpvDecorationSpecId, spec_id));
}

static unsigned log_bytes(const HdType *t)
{
    return t->bits == 8 ? 0 : t->bits == 16 ? 1 : t->bits == 32 ? 2 : 3;
}

static const char *kind_name(const HdType *t)
{
    static const char *const names[2][4] = {{"u8", "u16", "u32", "u64"}, {"", "f16", "f32", "f64"}};
    unsigned log = log_bytes(t);

    if (t->bits != 8u << log || (t->kind != HD_T_INT && t->kind != HD_T_FLOAT))
        return NULL;
    return names[t->kind == HD_T_FLOAT][log];
}

/* What an argument of that type begins with (tool/value.h); false for types without values. */
static bool spell(const HdType *t, const char *text, HdStrbuf *out)
{
    bool is_array = t->kind == HD_T_ARRAY;
    const char *kind = kind_name(is_array ? hd_type_element(t) : t);

    if (kind == NULL)
        return false;
    hd_strbuf_add(out, kind);
    if (is_array)
        hd_strbuf_printf(out, "[%llu]", (unsigned long long)hd_type_length(t));
    hd_strbuf_printf(out, "=%s", text);
    return true;
}

/* The bytes of a number or array of them. */
static HdStatus take_bytes(const HdType *t, const char *spec, HdDiags *d, HdSpecialization *out)
{
    HdData data;
    void *more;

    HD_TRY(hd_data_parse(spec, d, &data));
    out->size_bytes = (uint32_t)hd_type_size(t);
    if (hd_type_size(t) <= sizeof out->bits) {
        memcpy(&out->bits, data.bytes, out->size_bytes);
    } else {
        more = hd_alloc((size_t)hd_type_size(t));
        if (more != NULL)
            memcpy(more, data.bytes, (size_t)hd_type_size(t));
        out->more = more;
    }
    hd_data_close(&data);
    return hd_type_size(t) > sizeof out->bits && out->more == NULL ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_tool_spec_value(const HdModule *m, uint32_t spec_id, const char *text, HdDiags *d,
                            HdSpecialization *out)
{
    const HdType *t = type_of_spec(m, spec_id);
    HdStrbuf spec = {0};
    HdStatus st;

    *out = (HdSpecialization){.spec_id = spec_id, .size_bytes = 1};
    if (t == NULL)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.spec",
                       "the module has no specialisation constant with SpecId %u",
                       (unsigned)spec_id);
    if (t->kind == HD_T_BOOL) {
        out->bits = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
        if (out->bits == 0 && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.spec",
                           "'%s' is neither true nor false", text);
        return HD_OK;
    }
    if (!spell(t, text, &spec))
        st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.spec", "'%s' is not a value for SpecId %u",
                     text, (unsigned)spec_id);
    else
        st = spec.failed ? HD_NO_MEMORY : take_bytes(t, hd_strbuf_text(&spec), d, out);
    hd_strbuf_free(&spec);
    return st;
}

bool hd_tool_spec_print(const HdType *t, uint64_t bits, HdStrbuf *out)
{
    static const HdValueKind kinds[3][4] = {
        {HD_VALUE_U8, HD_VALUE_U16, HD_VALUE_U32, HD_VALUE_U64},
        {HD_VALUE_I8, HD_VALUE_I16, HD_VALUE_I32, HD_VALUE_I64},
        {HD_VALUE_KINDS, HD_VALUE_F16, HD_VALUE_F32, HD_VALUE_F64}};
    unsigned char bytes[sizeof bits];
    HdValueKind kind;

    if (t->kind == HD_T_BOOL) {
        hd_strbuf_add(out, bits != 0 ? "true" : "false");
        return true;
    }
    if (kind_name(t) == NULL || (t->kind == HD_T_FLOAT && t->encoding != 0))
        return false;
    kind = kinds[t->kind == HD_T_FLOAT ? 2 : t->is_signed][log_bytes(t)];
    if (kind == HD_VALUE_KINDS)
        return false;
    memcpy(bytes, &bits, sizeof bytes);
    hd_value_print(out, kind, bytes);
    return true;
}

void hd_tool_spec_drop(HdSpecialization *s)
{
    hd_free((void *)(uintptr_t)s->more);
    s->more = NULL;
}
