/* xform/lower_write.c -- what rewritten code is written with: instructions, copies with other ids,
 * types and constants.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "xform/lower_state.h"

/* ---- instructions -------------------------------------------------------------------------- */

HdId hd_lower_emit(HdLower *l, HdId result, uint32_t opcode, HdId type, const uint32_t *operands,
                   size_t count)
{
    HdId id = result != 0 ? result : l->next++;

    hd_writer_begin(l->at, opcode);
    hd_writer_word(l->at, type);
    hd_writer_word(l->at, id);
    for (size_t i = 0; i < count; i++)
        hd_writer_word(l->at, operands[i]);
    hd_writer_end(l->at);
    return id;
}

HdStatus hd_lower_fail(HdLower *l, const HdInst *in, const char *what)
{
    return hd_fail(l->d, HD_UNSUPPORTED, in->word, "lower.unsupported", "%s has no older form%s",
                   hd_gram_insts[in->opix].name, what);
}

/* Is word i an id? What hd_lower_one_mask made is not in the module, and has ids only in front. */
static bool is_id(const HdLower *l, const HdInst *in, uint32_t i)
{
    if (in->w != l->m->words + in->word && i > hd_gram_forms[in->opix].prefix)
        return false;
    return hd_inst_is_id(l->m, in, i);
}

void hd_lower_copy_with(HdLower *l, const HdInst *in, const HdLowerWord *words, size_t count)
{
    uint32_t result = hd_gram_forms[in->opix].result_at;
    size_t start = l->at->count;

    hd_writer_copy(l->at, in);
    if (l->at->failed)
        return;
    for (uint32_t i = 1; i < in->nwords; i++)
        if (i != result && is_id(l, in, i))
            l->at->words[start + i] = hd_lower_use(l, in->w[i]);
    for (size_t i = 0; i < count; i++)
        l->at->words[start + words[i].at] = words[i].word;
}

void hd_lower_copy(HdLower *l, const HdInst *in)
{
    hd_lower_copy_with(l, in, NULL, 0);
}

/* ---- declarations -------------------------------------------------------------------------- */

HdId hd_lower_int(HdLower *l, uint32_t bits)
{
    if (bits == 8)
        hd_lower_need(l, HD_LOWER_INT8);
    if (bits == 16)
        hd_lower_need(l, HD_LOWER_INT16);
    if (bits == 64)
        hd_lower_need(l, HD_LOWER_INT64);
    return hd_declared_int(&l->declared, bits);
}

HdId hd_lower_bool(HdLower *l)
{
    return hd_declared_type(&l->declared, SpvOpTypeBool, NULL, 0);
}

HdId hd_lower_vector(HdLower *l, HdId scalar, uint32_t lanes)
{
    const uint32_t operands[] = {scalar, lanes};

    return lanes == 1 ? scalar : hd_declared_type(&l->declared, SpvOpTypeVector, operands, 2);
}

HdId hd_lower_pointer(HdLower *l, uint32_t storage, HdId pointee)
{
    return hd_declared_pointer(&l->declared, storage, pointee);
}

HdId hd_lower_array(HdLower *l, HdId element, uint32_t count)
{
    const uint32_t operands[] = {element, hd_lower_constant(l, 32, count)};

    return hd_declared_type(&l->declared, SpvOpTypeArray, operands, 2);
}

HdId hd_lower_constant(HdLower *l, uint32_t bits, uint64_t value)
{
    uint32_t operands[] = {hd_lower_int(l, bits), (uint32_t)value, (uint32_t)(value >> 32)};

    if (bits < 32)
        operands[1] &= ((uint32_t)1 << bits) - 1;
    return hd_declared_constant(&l->declared, SpvOpConstant, operands, bits > 32 ? 3 : 2);
}

HdId hd_lower_float(HdLower *l, const HdType *t, uint64_t bits)
{
    const uint32_t operands[] = {hd_lower_use(l, t->id), (uint32_t)bits, (uint32_t)(bits >> 32)};

    return hd_declared_constant(&l->declared, SpvOpConstant, operands, t->bits > 32 ? 3 : 2);
}

HdId hd_lower_splat(HdLower *l, HdId type, uint32_t lanes, HdId scalar)
{
    uint32_t parts[16];

    for (uint32_t i = 0; i < lanes && i < 16; i++)
        parts[i] = scalar;
    return lanes == 1 ? scalar : hd_lower_emit(l, 0, SpvOpCompositeConstruct, type, parts, lanes);
}

HdId hd_lower_null(HdLower *l, HdId type)
{
    return hd_declared_constant(&l->declared, SpvOpConstantNull, &type, 1);
}

HdId hd_lower_true(HdLower *l)
{
    const uint32_t type = hd_lower_bool(l);

    return hd_declared_constant(&l->declared, SpvOpConstantTrue, &type, 1);
}

/* The import of a set of extended instructions, made when it is first asked for. */
static HdId import(HdLower *l, HdId *id, const char *name)
{
    if (*id == 0) {
        *id = l->next++;
        hd_writer_text(&l->imports, SpvOpExtInstImport, *id, name);
    }
    return *id;
}

HdId hd_lower_std(HdLower *l)
{
    return import(l, &l->std, "OpenCL.std");
}

HdId hd_lower_glsl(HdLower *l)
{
    return import(l, &l->glsl, "GLSL.std.450");
}

/* ---- built-ins ------------------------------------------------------------------------------ */

static const struct {
    uint32_t builtin;
    bool sizes; /* a vector of three of the addressing model's size; else 32 bits */
} builtins[HD_LOWER_BUILTINS] = {
    [HD_LOWER_LANE] = {SpvBuiltInSubgroupLocalInvocationId, false},
    [HD_LOWER_LANES] = {SpvBuiltInSubgroupSize, false},
    [HD_LOWER_MOST_LANES] = {SpvBuiltInSubgroupMaxSize, false},
    [HD_LOWER_LOCAL_ID] = {SpvBuiltInLocalInvocationId, true},
    [HD_LOWER_LOCAL_SIZE] = {SpvBuiltInWorkgroupSize, true},
};

void hd_lower_want(HdLower *l, unsigned which)
{
    if (l->builtin[which].id != 0)
        return;
    /* The module's own variable: an entry point may have one of each only. */
    l->builtin[which].id = hd_module_decorated(l->m, SpvDecorationBuiltIn, builtins[which].builtin);
    l->builtin[which].is_new = l->builtin[which].id == 0;
    if (l->builtin[which].is_new)
        l->builtin[which].id = l->next++;
}

static HdId builtin_type(HdLower *l, unsigned which)
{
    uint32_t bits = hd_module_address_bits(l->m);

    return builtins[which].sizes ? hd_lower_vector(l, hd_lower_int(l, bits), 3)
                                 : hd_lower_int(l, 32);
}

void hd_lower_declare_builtins(HdLower *l)
{
    for (unsigned i = 0; i < HD_LOWER_BUILTINS; i++) {
        HdId id = l->builtin[i].id, type;

        if (!l->builtin[i].is_new)
            continue;
        type = hd_lower_pointer(l, SpvStorageClassInput, builtin_type(l, i));
        l->at = &l->globals;
        HD_LOWER_OP(l, id, SpvOpVariable, type, SpvStorageClassInput);
        hd_writer_inst(&l->front, SpvOpDecorate,
                       (const uint32_t[]){id, SpvDecorationBuiltIn, builtins[i].builtin}, 3);
    }
}

HdId hd_lower_load(HdLower *l, unsigned which)
{
    return HD_LOWER_OP(l, 0, SpvOpLoad, builtin_type(l, which),
                       hd_lower_use(l, l->builtin[which].id));
}
