/* module/resolve.c -- the pass that resolves types and the values of constants.
 *
 * Constants refer only to ids before them, so one pass in module order computes them all, and a
 * specialisation is the same pass again with other values at the start. What OpSpecConstantOp
 * computes is in fold.c.
 *
 * Spec: SPIR-V, "Constant-Creation Instructions", "Specialization".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "module/parts.h"
#include "module/private.h"
#include "module/rounding.h"

/* ---- making constants ---------------------------------------------------------------------- */

/* One for the table. */
static HdConstant *take_constant(HdResolver *r, HdConstantKind kind, const HdType *type)
{
    HdConstantTable *of = r->m->constants;
    HdConstant *c;

    if (of->count % HD_CONSTANT_CHUNK == 0) {
        c = hd_arena_take(r->a, HD_CONSTANT_CHUNK * sizeof *c);
        if (c == NULL || !HD_PUSH(r->a, &of->chunks, c))
            return NULL;
    }
    c = hd_constant_in(of, ++of->count);
    *c = (HdConstant){.kind = (uint8_t)kind, .type = type};
    return c;
}

/* The instruction declares constant n. */
static void keep(HdResolver *r, const HdInst *in, uint32_t n)
{
    r->m->types->in_epoch[in->word / 2] =
        (uint8_t)(HD_STRETCH_CONSTANT + n - r->m->constants->before[r->stretch]);
}

/* The one created last. */
static void keep_last(HdResolver *r, const HdInst *in)
{
    keep(r, in, r->m->constants->count);
}

/* The literal of OpConstant and OpSpecConstant, cut to the type's width; false for one that 64 bits
 * do not hold. */
static bool literal(const HdInst *in, const HdType *t, uint64_t *bits)
{
    uint32_t words = t->bits > 32 ? 2 : 1, above = words;

    if (t->kind == HD_T_WIDE_INT)
        while (above < in->nwords - 3u && in->w[3 + above] == 0)
            above++;
    else if (t->kind != HD_T_INT && t->kind != HD_T_FLOAT)
        return false;
    if (in->nwords != 3 + above)
        return false;
    *bits = in->w[3];
    if (words == 2)
        *bits |= (uint64_t)in->w[4] << 32;
    if (t->bits < 64)
        *bits &= ((uint64_t)1 << t->bits) - 1;
    return true;
}

/* The user's specialisation of the constant; NULL: none. */
static const HdSpecialization *specialized(const HdResolver *r, HdId id)
{
    const HdDecoration *d =
        r->spec_count == 0 ? NULL : hd_module_decoration(r->m, id, SpvDecorationSpecId);

    if (d == NULL || d->operand_count == 0)
        return NULL;
    /* The last one given counts. */
    for (size_t i = r->spec_count; i-- > 0;)
        if (r->spec[i].spec_id == hd_decoration_value(r->m, d))
            return &r->spec[i];
    return NULL;
}

static HdStatus keep_scalar(HdResolver *r, const HdInst *in, const HdType *t, uint64_t bits)
{
    const HdSpecialization *spec;
    HdConstant *c;

    HD_TAKE(c, take_constant(r, HD_C_SCALAR, t));
    c->bits = bits;
    switch (in->opix) {
    case HD_OPIX_SpecConstantTrue:
    case HD_OPIX_SpecConstantFalse:
    case HD_OPIX_SpecConstant:
        c->is_spec = true;
        if ((spec = specialized(r, in->w[2])) != NULL) {
            uint64_t given = spec->bits;

            if (t->kind == HD_T_BOOL)
                given = (given & 0xff) != 0;
            else if (t->bits < 64)
                given &= ((uint64_t)1 << t->bits) - 1;
            c->bits = given;
        }
        break;
    default: break;
    }
    keep_last(r, in);
    return HD_OK;
}

static HdStatus keep_composite(HdResolver *r, const HdInst *in, const HdType *t)
{
    bool replicate = in->opix == HD_OPIX_ConstantCompositeReplicateEXT ||
                     in->opix == HD_OPIX_SpecConstantCompositeReplicateEXT ||
                     (hd_is_cooperative(t) && in->nwords == 4);
    uint64_t parts = hd_type_parts(t);
    HdConstant *c;

    if (replicate ? parts > r->budget : parts != hd_parts_count(r->m, in, 3))
        return HD_OK;
    r->budget -= replicate ? parts : 0;
    HD_TAKE(c, take_constant(r, HD_C_COMPOSITE, t));
    HD_TAKE(c->parts, HD_NEW(r->a, const HdConstant *, parts));
    c->count = (uint32_t)parts;
    c->is_spec = in->opix == HD_OPIX_SpecConstantComposite ||
                 in->opix == HD_OPIX_SpecConstantCompositeReplicateEXT;
    for (uint32_t i = 0; i < c->count; i++) {
        const HdConstant *part = hd_module_constant(r->m, hd_parts_at(in->w, 3, replicate ? 0 : i));

        if (part == NULL || part->type != hd_type_part(r->m, t, i))
            return HD_OK;
        c->parts[i] = part;
        c->is_spec |= part->is_spec;
    }
    keep_last(r, in);
    return HD_OK;
}

/* An array of integers as its words have them, which is how a packed one has them in memory. */
static HdStatus keep_data(HdResolver *r, const HdInst *in, const HdType *t)
{
    const HdSpecialization *spec = NULL;
    unsigned char *own;
    HdConstant *c;
    size_t count;

    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "as words have them");
    if (t->kind != HD_T_ARRAY || hd_type_element(t)->kind != HD_T_INT ||
        hd_type_length(t) > (in->nwords - 3u) * UINT64_C(32) / hd_type_element(t)->bits)
        return HD_OK;
    HD_TAKE(c, take_constant(r, HD_C_COMPOSITE, t));
    c->count = t->count;
    c->is_packed = true;
    c->lanes = in->w + 3;
    c->is_spec = in->opix == HD_OPIX_SpecConstantDataKHR;
    if (c->is_spec)
        spec = specialized(r, in->w[2]);
    if (spec != NULL) {
        const void *bytes = hd_specialization_bytes(spec, &count);

        HD_TAKE(own, hd_arena_zero(r->a,
                                   (size_t)hd_type_size(t) + sizeof(uint64_t))); /* read by words */
        memcpy(own, bytes, hd_type_size(t) < count ? (size_t)hd_type_size(t) : count);
        c->lanes = own;
    }
    keep_last(r, in);
    return HD_OK;
}

static HdStatus keep_address(HdResolver *r, const HdInst *in, HdId base, const HdType *t)
{
    HdConstant *c;

    if (t->kind != HD_T_POINTER && t->kind != HD_T_PIPE_STORAGE)
        return HD_OK;
    HD_TAKE(c, take_constant(r, HD_C_ADDRESS, t));
    c->base = base;
    keep_last(r, in);
    return HD_OK;
}

static HdStatus keep_sampler(HdResolver *r, const HdInst *in, const HdType *t)
{
    HdConstant *c;

    if (t->kind != HD_T_SAMPLER)
        return HD_OK;
    HD_TAKE(c, take_constant(r, HD_C_SAMPLER, t));
    c->bits = (uint64_t)(in->w[3] & 0xff) | (uint64_t)(in->w[4] & 0xff) << 8 |
              (uint64_t)(in->w[5] & 0xff) << 16 |
              (r->m->memory_model == SpvMemoryModelOpenCL ? 0 : HD_SAMPLER_IN_SHADER);
    keep_last(r, in);
    return HD_OK;
}

static HdStatus keep_alike(HdResolver *r, const HdInst *in, const HdType *t, HdConstantKind kind)
{
    HdAlike *last = &(kind == HD_C_NULL ? r->nulls : r->undefs)[t->id % HD_ALIKE];
    const HdConstantTable *of = r->m->constants;
    HdConstant *c;

    if (last->type != t || last->number <= of->before[r->stretch]) {
        HD_TAKE(c, take_constant(r, kind, t));
        *last = (HdAlike){.type = t, .number = of->count};
    }
    keep(r, in, last->number);
    return HD_OK;
}

static HdStatus keep_spec_op(HdResolver *r, const HdInst *in)
{
    const HdConstant *value;
    HdConstant *c;

    HD_TRY(hd_resolve_spec_op(r, in, &value));
    if (value == NULL)
        return HD_OK;
    HD_TAKE(c, take_constant(r, value->kind, value->type));
    *c = *value;
    c->is_spec = true;
    c->is_own = value == &r->result && value->is_packed;
    keep_last(r, in);
    return hd_resolve_give_up(r, in);
}

/* One constant, undefined value or module-scope variable. */
static HdStatus resolve_constant(HdResolver *r, const HdInst *in)
{
    const HdType *t = hd_module_type(r->m, in->w[1]);
    uint64_t bits = 0;

    if (t == NULL || t->kind == HD_T_VOID || t->kind == HD_T_FUNCTION)
        return HD_OK;
    if (r->stretch != in->word / HD_STRETCH) {
        r->stretch = in->word / HD_STRETCH;
        r->m->constants->before[r->stretch] = r->m->constants->count;
    }
    switch (in->opix) {
    case HD_OPIX_ConstantTrue:
    case HD_OPIX_ConstantFalse:
    case HD_OPIX_SpecConstantTrue:
    case HD_OPIX_SpecConstantFalse:
        bits = in->opix == HD_OPIX_ConstantTrue || in->opix == HD_OPIX_SpecConstantTrue;
        return t->kind == HD_T_BOOL ? keep_scalar(r, in, t, bits) : HD_OK;
    case HD_OPIX_Constant:
    case HD_OPIX_SpecConstant: return literal(in, t, &bits) ? keep_scalar(r, in, t, bits) : HD_OK;
    case HD_OPIX_ConstantComposite:
    case HD_OPIX_SpecConstantComposite:
    case HD_OPIX_ConstantCompositeReplicateEXT:
    case HD_OPIX_SpecConstantCompositeReplicateEXT: return keep_composite(r, in, t);
    case HD_OPIX_ConstantDataKHR:
    case HD_OPIX_SpecConstantDataKHR: return keep_data(r, in, t);
    case HD_OPIX_ConstantSizeOfEXT:
        return t->kind == HD_T_INT ? keep_scalar(r, in, t, HD_DESCRIPTOR_BYTES) : HD_OK;
    case HD_OPIX_ConstantNull: return keep_alike(r, in, t, HD_C_NULL);
    case HD_OPIX_PoisonKHR:
    case HD_OPIX_Undef: return keep_alike(r, in, t, HD_C_UNDEF);
    case HD_OPIX_ConstantSampler: return keep_sampler(r, in, t);
    case HD_OPIX_SpecConstantOp: return keep_spec_op(r, in);
    case HD_OPIX_ConstantPipeStorage:
    case HD_OPIX_Variable:
    case HD_OPIX_UntypedVariableKHR: return keep_address(r, in, in->w[2], t);
    case HD_OPIX_ConstantFunctionPointerINTEL: return keep_address(r, in, in->w[3], t);
    default: return HD_OK;
    }
}

/* ---- the pass ------------------------------------------------------------------------------ */

HdArena *hd_module_arena(const HdModule *m)
{
    return m->types->arena;
}

void hd_module_drop_tables(HdModule *m)
{
    if (m->types != NULL) {
        hd_arena_drop(m->types->arena);
        hd_free(m->types->at);
        hd_free(m->types->in_epoch);
        hd_free(m->types->before);
        hd_free(m->types);
    }
    if (m->constants != NULL) {
        hd_free(m->constants->before);
        hd_free(m->constants);
    }
    m->types = NULL;
    m->constants = NULL;
}

static HdStatus make_tables(HdModule *m)
{
    HD_TAKE(m->types, hd_alloc_zero(sizeof *m->types));
    HD_TAKE(m->constants, hd_alloc_zero(sizeof *m->constants));
    HD_TAKE(m->types->arena, hd_arena_open_in(m->arena));
    HD_TAKE(m->constants->before,
            hd_alloc_zero(((size_t)m->nwords / HD_STRETCH + 1) * sizeof *m->constants->before));
    return HD_OK;
}

static HdStatus resolve_all(HdResolver *r)
{
    HdModule *m = r->m;
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        if (in.opix == HD_OPIX_TypeForwardPointer) {
            HD_TRY(hd_resolve_type(r, &in));
        } else if (hd_declares_type(in.opix)) {
            HD_TRY(hd_resolve_type(r, &in));
            hd_next_place(r, &in);
        } else if (hd_gram_insts[in.opix].has_type && hd_gram_insts[in.opix].has_result) {
            HD_TRY(resolve_constant(r, &in));
        }
    }
    m->types->open = (HdMap){0}; /* pointers that were announced and never declared */
    /* OpUndef and OpPoisonKHR are the constants that may stand in a function. */
    for (HdInst in; m->has_undefs && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_Undef || in.opix == HD_OPIX_PoisonKHR)
            HD_TRY(resolve_constant(r, &in));
    return HD_OK;
}

HdStatus hd_module_resolve(HdModule *m, const HdSpecialization *spec, size_t count)
{
    HdResolver r = {.m = m, .spec = spec, .spec_count = count, .stretch = UINT32_MAX};
    HdStatus st;

    hd_module_drop_tables(m);
    HD_TRY(make_tables(m));
    r.a = m->types->arena;
    r.truncates = hd_module_truncated_widths(m);
    r.budget = (uint64_t)m->nwords + 65536;
    r.steps = ((uint64_t)m->nwords + 65536) * 16;
    r.read_budget = m->nwords / 8;
    st = hd_place_types(&r);
    if (st == HD_OK)
        st = resolve_all(&r);
    hd_arena_drop(r.scratch);
    hd_free(r.fold.mentions);
    hd_free(r.places);
    return st;
}

static uint32_t size_of(const HdModule *m, HdId id)
{
    const HdType *t = hd_module_type_of(m, id);

    return t == NULL ? 0 : (uint32_t)hd_type_size(t);
}

HdStatus hd_module_specialize(HdModule *m, const HdSpecialization *spec, size_t count, HdDiags *d)
{
    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x)) {
        if (x.d->decoration != SpvDecorationSpecId || x.d->operand_count == 0)
            continue;
        for (size_t k = 0; k < count; k++)
            if (spec[k].spec_id == hd_decoration_value(m, x.d) &&
                (spec[k].size_bytes != size_of(m, x.target) ||
                 (spec[k].size_bytes > sizeof spec[k].bits && spec[k].more == NULL)))
                return hd_fail(d, HD_BAD_INPUT, x.d->word, "constant.spec-size",
                               "specialisation constant %u takes %u bytes, %u were given",
                               (unsigned)spec[k].spec_id, (unsigned)size_of(m, x.target),
                               (unsigned)spec[k].size_bytes);
    }
    return hd_module_resolve(m, spec, count);
}
