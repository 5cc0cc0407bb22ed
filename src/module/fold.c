/* module/fold.c -- what OpSpecConstantOp computes.
 *
 * Values are lanes of at most 64 bits (module/fold_lanes.h), composites, or addresses.
 *
 * Spec: SPIR-V, "OpSpecConstantOp".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/fold_lanes.h"
#include "module/private.h"

/* ---- lanes --------------------------------------------------------------------------------- */

/* Components of a packed vector: of a size that the compiler knows, so that it reads many at once.
 */
static void unpack(const HdConstant *c, HdFoldLanes *out)
{
    const char *at = c->lanes;

    switch (hd_constant_lane_bytes(c->type)) {
    case 1:
        for (uint32_t i = 0; i < out->count; i++)
            out->at[i] = (uint8_t)at[i];
        break;
    case 2:
        for (uint32_t i = 0; i < out->count; i++) {
            uint16_t x;

            memcpy(&x, at + i * sizeof x, sizeof x);
            out->at[i] = x;
        }
        break;
    case 4:
        for (uint32_t i = 0; i < out->count; i++) {
            uint32_t x;

            memcpy(&x, at + i * sizeof x, sizeof x);
            out->at[i] = x;
        }
        break;
    default: memcpy(out->at, at, out->count * sizeof out->at[0]); break;
    }
}

static void pack(const HdFoldLanes *v, uint32_t count, size_t bytes, char *at)
{
    switch (bytes) {
    case 1:
        for (uint32_t i = 0; i < count; i++)
            at[i] = (char)v->at[i];
        break;
    case 2:
        for (uint32_t i = 0; i < count; i++)
            memcpy(at + i * 2, &(uint16_t){(uint16_t)v->at[i]}, 2);
        break;
    case 4:
        for (uint32_t i = 0; i < count; i++)
            memcpy(at + i * 4, &(uint32_t){(uint32_t)v->at[i]}, 4);
        break;
    default: memcpy(at, v->at, count * sizeof v->at[0]); break;
    }
}

/* Lanes each of which is a constant. */
static bool load_parts(const HdConstant *const *parts, HdFoldLanes *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        const HdConstant *part = parts[i];

        if (part->kind != HD_C_SCALAR && part->kind != HD_C_NULL && part->kind != HD_C_UNDEF)
            return false;
        out->is_undef |= part->kind == HD_C_UNDEF;
        out->at[i] = part->kind == HD_C_SCALAR ? part->bits : 0;
    }
    return true;
}

static bool load(const HdConstant *c, HdFoldLanes *out)
{
    const HdType *t = c->type;

    out->is_undef = false;
    out->scalar = hd_type_scalar(t);
    out->count = hd_type_lanes(t);
    if (out->count > HD_FOLD_LANES)
        return false;
    if (c->kind == HD_C_COMPOSITE && c->is_packed && t->kind == HD_T_VECTOR) {
        unpack(c, out);
        return true;
    }
    if (c->kind == HD_C_COMPOSITE && !c->is_packed && !c->is_replaced && c->count >= out->count)
        return load_parts(c->parts, out);
    for (uint32_t i = 0; i < out->count; i++) {
        const HdConstant *part = c; /* a null or undefined vector's parts are so, too */
        HdConstant room;

        if (c->kind == HD_C_COMPOSITE)
            part = i < c->count ? hd_constant_at(c, i, &room) : NULL;
        if (part == NULL ||
            (part->kind != HD_C_SCALAR && part->kind != HD_C_NULL && part->kind != HD_C_UNDEF))
            return false;
        out->is_undef |= part->kind == HD_C_UNDEF;
        out->at[i] = part->kind == HD_C_SCALAR ? part->bits : 0;
    }
    return true;
}

/* Room for the lanes of a vector. */
static void *take_lanes(HdResolver *r, size_t bytes)
{
    void **unused = &r->fold.unused[(bytes + 15) / 16], *lanes = *unused;

    if (lanes != NULL)
        memcpy(unused, lanes, sizeof *unused);
    else
        lanes = hd_arena_take(r->a, bytes);
    r->fold.kept += bytes;
    return lanes;
}

/* The caller makes a copy of the result. */
static HdStatus store(HdResolver *r, const HdType *t, const HdFoldLanes *v, const HdConstant **out)
{
    HdConstant *c = &r->result;
    size_t bytes;
    char *lanes;

    *out = c;
    if (t->kind != HD_T_VECTOR) {
        *c = (HdConstant){.kind = HD_C_SCALAR, .type = t, .bits = v->at[0]};
        return HD_OK;
    }
    bytes = hd_constant_lane_bytes(t);
    HD_TAKE(lanes, take_lanes(r, t->count * bytes));
    pack(v, t->count, bytes, lanes);
    *c = (HdConstant){
        .kind = HD_C_COMPOSITE, .type = t, .count = t->count, .is_packed = true, .lanes = lanes};
    return HD_OK;
}

/* ---- operations ---------------------------------------------------------------------------- */

typedef struct Fold {
    HdResolver *r;
    HdArena *a;
    const HdType *type; /* of the result */
    enum HdOpix op;
    const uint32_t *w; /* operands of the inner instruction */
    uint32_t count;
} Fold;

static const HdConstant *operand(const Fold *f, uint32_t i)
{
    return i < f->count ? hd_module_constant(f->r->m, f->w[i]) : NULL;
}

/* address + offset, and addresses that only change their type. */
static HdStatus fold_address(const Fold *f, const HdConstant *x, int64_t add,
                             const HdConstant **out)
{
    HdConstant *c;

    HD_TAKE(c, hd_arena_copy(f->a, x, sizeof *x));
    c->type = f->type;
    c->offset = (int64_t)((uint64_t)c->offset + (uint64_t)add);
    *out = c;
    return HD_OK;
}

/* A number, or its representation, that is a pointer or becomes one. */
static bool is_number(const HdConstant *x)
{
    return x->kind == HD_C_SCALAR || x->kind == HD_C_NULL || x->kind == HD_C_UNDEF;
}

/* The integer, or the pointer that is no address of something, of x's kind. */
static HdStatus fold_number(const Fold *f, const HdConstant *x, uint64_t bits,
                            const HdConstant **out)
{
    const HdType *t = f->type;
    HdConstant *c;

    HD_TAKE(c, hd_constant_new(f->a, x->kind == HD_C_UNDEF ? HD_C_UNDEF : HD_C_SCALAR, t));
    c->bits = bits & hd_fold_mask(t->bits);
    if (t->kind == HD_T_POINTER && c->bits == 0 && c->kind == HD_C_SCALAR)
        c->kind = HD_C_NULL;
    *out = c;
    return HD_OK;
}

static HdStatus fold_cast(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);
    const HdType *t = f->type;

    if (x == NULL || (t->kind != HD_T_POINTER && t->kind != HD_T_INT))
        return HD_OK;
    if (x->kind == HD_C_ADDRESS)
        return fold_address(f, x, 0, out);
    if (x->type->kind != HD_T_POINTER && x->type->kind != HD_T_INT)
        return HD_OK;
    return is_number(x) ? fold_number(f, x, x->bits, out) : HD_OK;
}

/* Bits are regrouped lowest first. */
static HdStatus fold_bitcast(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);
    const HdType *to = hd_type_scalar(f->type);
    uint32_t count = hd_type_lanes(f->type), bit = 0;
    HdFoldLanes in, res = {0};
    bool ok;

    if (x == NULL)
        return HD_OK;
    if (f->type->kind == HD_T_POINTER || x->type->kind == HD_T_POINTER)
        return fold_cast(f, out);
    ok = load(x, &in);
    if (!ok || (to->kind != HD_T_INT && to->kind != HD_T_FLOAT) || count > HD_FOLD_LANES ||
        in.scalar->bits == 0 || in.count * in.scalar->bits != count * to->bits)
        return HD_OK;
    for (; bit < count * to->bits; bit++)
        res.at[bit / to->bits] |= (in.at[bit / in.scalar->bits] >> (bit % in.scalar->bits) & 1)
                                  << (bit % to->bits);
    return store(f->r, f->type, &res, out);
}

static HdStatus fold_unary(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);
    const HdType *to = hd_type_scalar(f->type);
    HdFoldLanes in, res = {0};
    bool ok;

    if (x == NULL)
        return HD_OK;
    ok = load(x, &in);
    if (!ok || in.count != hd_type_lanes(f->type) ||
        !hd_fold_unary(f->op, to, (f->r->truncates & to->bits) != 0, &in, &res))
        return HD_OK;
    return store(f->r, f->type, &res, out);
}

static HdStatus fold_binary(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0), *y = operand(f, 1);
    const HdType *to = hd_type_scalar(f->type);
    HdFoldLanes a, b, res;
    bool ok, shift;

    if (x == NULL || y == NULL)
        return HD_OK;
    if (x->kind == HD_C_ADDRESS && y->kind == HD_C_SCALAR && y->type->kind == HD_T_INT &&
        (f->op == HD_OPIX_IAdd || f->op == HD_OPIX_ISub)) {
        int64_t by = hd_fold_extended(y->bits, y->type->bits);

        return fold_address(f, x, f->op == HD_OPIX_IAdd ? by : (int64_t)(0 - (uint64_t)by), out);
    }
    ok = load(x, &a);
    if (!ok)
        return HD_OK;
    ok = load(y, &b);
    shift = f->op == HD_OPIX_ShiftLeftLogical || f->op == HD_OPIX_ShiftRightLogical ||
            f->op == HD_OPIX_ShiftRightArithmetic;
    if (!ok || a.count != b.count || a.count != hd_type_lanes(f->type) ||
        a.scalar->kind != b.scalar->kind || (!shift && a.scalar->bits != b.scalar->bits))
        return HD_OK;
    if (!hd_fold_binary(f->op, to, &a, &b, &res))
        return HD_OK;
    return store(f->r, f->type, &res, out);
}

static HdStatus fold_select(const Fold *f, const HdConstant **out)
{
    const HdConstant *c = operand(f, 0), *x = operand(f, 1), *y = operand(f, 2);
    HdConstant *made;

    if (c == NULL || x == NULL || y == NULL || x->type != y->type || x->type != f->type)
        return HD_OK;
    if (c->type->kind == HD_T_BOOL) {
        *out = c->bits != 0 ? x : y;
        return HD_OK;
    }
    if (c->type->kind != HD_T_VECTOR || hd_type_element(c->type)->kind != HD_T_BOOL ||
        f->type->kind != HD_T_VECTOR || f->type->count != c->type->count)
        return HD_OK;
    HD_TAKE(made, hd_constant_new(f->a, HD_C_COMPOSITE, f->type));
    HD_TAKE(made->parts, HD_NEW(f->a, const HdConstant *, f->type->count));
    made->count = f->type->count;
    for (uint32_t i = 0; i < made->count; i++) {
        const HdConstant *bit;

        HD_TRY(hd_constant_part(f->r->m, f->a, c, i, &bit));
        if (bit == NULL)
            return HD_OK;
        HD_TRY(hd_constant_part(f->r->m, f->a, bit->bits != 0 ? x : y, i, &made->parts[i]));
        if (made->parts[i] == NULL)
            return HD_OK;
    }
    *out = made;
    return HD_OK;
}

static HdStatus fold_shuffle(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0), *y = operand(f, 1);
    HdConstant *made;

    if (x == NULL || y == NULL || f->type->kind != HD_T_VECTOR || x->type->kind != HD_T_VECTOR ||
        y->type->kind != HD_T_VECTOR || hd_type_element(x->type) != hd_type_element(f->type) ||
        hd_type_element(y->type) != hd_type_element(f->type) || f->count != f->type->count + 2)
        return HD_OK;
    HD_TAKE(made, hd_constant_new(f->a, HD_C_COMPOSITE, f->type));
    HD_TAKE(made->parts, HD_NEW(f->a, const HdConstant *, f->type->count));
    made->count = f->type->count;
    for (uint32_t i = 0; i < made->count; i++) {
        uint32_t at = f->w[2 + i], first = x->type->count;

        if (at == UINT32_MAX) {
            HD_TAKE(made->parts[i], hd_constant_new(f->a, HD_C_UNDEF, hd_type_element(f->type)));
            continue;
        }
        HD_TRY(hd_constant_part(f->r->m, f->a, at < first ? x : y, at < first ? at : at - first,
                                &made->parts[i]));
        if (made->parts[i] == NULL)
            return HD_OK;
    }
    *out = made;
    return HD_OK;
}

/* What was replaced last counts. */
static HdStatus spell_composite(const HdResolver *r, const HdConstant *x, const HdConstant **parts)
{
    for (; x->is_replaced; x = x->replaced->of)
        if (parts[x->replaced->at] == NULL)
            parts[x->replaced->at] = x->replaced->part;
    for (uint32_t i = 0; i < x->count; i++)
        if (parts[i] == NULL)
            HD_TRY(hd_constant_part(r->m, r->a, x, i, &parts[i]));
    return HD_OK;
}

#define FAR 64u /* steps to a part */

/* A composite in which many parts have been replaced is spelled out when it is read: it may be read
 * again. The table is not handed out yet. */
static HdStatus spell_in_place(HdResolver *r, const HdConstant *x)
{
    HdConstant *own = (HdConstant *)(uintptr_t)x;
    const HdConstant **parts;

    r->read_budget -= x->count;
    HD_TAKE(parts, HD_NEW(r->a, const HdConstant *, x->count));
    HD_TRY(spell_composite(r, x, parts));
    own->parts = parts;
    own->is_replaced = false;
    return HD_OK;
}

/* A part of a composite; NULL where there is none, or looking for it takes too long. */
static HdStatus part_of(const Fold *f, const HdConstant *x, uint32_t i, const HdConstant **out)
{
    uint64_t steps = x->is_replaced ? x->replaced->depth : 0;

    *out = NULL;
    if (steps > f->r->steps)
        return HD_OK;
    f->r->steps -= steps;
    if (steps > FAR && x->count <= f->r->read_budget)
        HD_TRY(spell_in_place(f->r, x));
    return hd_constant_part(f->r->m, f->a, x, i, out);
}

static HdStatus fold_extract(const Fold *f, const HdConstant **out)
{
    const HdConstant *x = operand(f, 0);

    for (uint32_t i = 1; x != NULL && i < f->count; i++)
        HD_TRY(part_of(f, x, f->w[i], &x));
    if (x != NULL && x->type == f->type)
        *out = x;
    return HD_OK;
}

/* The parts of a null or undefined constant: those of an array are all alike. */
static HdStatus spell_alike(const Fold *f, const HdConstant *x, uint32_t count,
                            const HdConstant **parts)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0 && x->type->kind != HD_T_STRUCT)
            parts[i] = parts[0];
        else
            HD_TRY(hd_constant_part(f->r->m, f->a, x, i, &parts[i]));
    }
    return HD_OK;
}

/* A composite to be filled in. Of the one that is the result the caller makes a copy. */
static HdStatus new_composite(const Fold *f, const HdType *type, bool is_result, HdConstant **out)
{
    *out = &f->r->result;
    if (!is_result)
        HD_TAKE(*out, hd_constant_new(f->a, HD_C_COMPOSITE, type));
    **out = (HdConstant){.kind = HD_C_COMPOSITE, .type = type};
    return HD_OK;
}

/* A new record of what is replaced. They are taken several at a time, without holes. */
static HdReplaced *new_replaced(HdResolver *r)
{
    if (r->replaced_left == 0) {
        r->replaced = HD_NEW(r->a, HdReplaced, HD_CONSTANT_CHUNK);
        if (r->replaced == NULL)
            return NULL;
        r->replaced_left = HD_CONSTANT_CHUNK;
    }
    return &r->replaced[HD_CONSTANT_CHUNK - r->replaced_left--];
}

/* A copy of a composite. How many parts a module may spell out this way is limited, so that
 * hostile null arrays cost little. */
static HdStatus spelled_out(const Fold *f, const HdConstant *x, bool is_result, HdConstant **out)
{
    uint64_t parts = hd_type_parts(x->type);

    *out = NULL;
    if (parts == 0 || parts > f->r->budget ||
        (x->kind != HD_C_COMPOSITE && x->kind != HD_C_NULL && x->kind != HD_C_UNDEF))
        return HD_OK;
    f->r->budget -= parts;
    HD_TRY(new_composite(f, x->type, is_result, out));
    HD_TAKE((*out)->parts, HD_NEW(f->a, const HdConstant *, parts));
    (*out)->count = (uint32_t)parts;
    if (x->kind == HD_C_COMPOSITE)
        HD_TRY(spell_composite(f->r, x, (*out)->parts));
    else
        HD_TRY(spell_alike(f, x, (uint32_t)parts, (*out)->parts));
    return HD_OK;
}

#define FEW_PARTS 4u /* are copied in less room than what says that one is replaced */

/* A composite in which part i is to be put into *place; NULL in *out where there is none. It is
 * spelled out for every half of the parts that have been replaced, so that none is far. */
static HdStatus replaced(const Fold *f, const HdConstant *x, uint32_t i, bool is_result,
                         HdConstant **out, const HdConstant ***place)
{
    uint32_t depth = x->is_replaced ? x->replaced->depth : 0;
    HdReplaced *r;

    *out = NULL;
    if (i >= hd_type_parts(x->type))
        return HD_OK;
    if (x->kind != HD_C_COMPOSITE || x->count <= FEW_PARTS || depth >= x->count / 2) {
        HD_TRY(spelled_out(f, x, is_result, out));
        *place = *out != NULL ? &(*out)->parts[i] : NULL;
        return HD_OK;
    }
    HD_TAKE(r, new_replaced(f->r));
    *r = (HdReplaced){.of = x, .at = i, .depth = depth + 1};
    HD_TRY(new_composite(f, x->type, is_result, out));
    (*out)->count = x->count;
    (*out)->is_replaced = true;
    (*out)->replaced = r;
    *place = &r->part;
    return HD_OK;
}

static HdStatus insert_lane(const Fold *f, const HdConstant *vector, uint64_t bits,
                            const HdConstant **out)
{
    HdFoldLanes lanes;

    if (f->count != 3 || f->w[2] >= vector->count || !load(vector, &lanes))
        return HD_OK;
    lanes.at[f->w[2]] = bits;
    return store(f->r, f->type, &lanes, out);
}

static HdStatus fold_insert(const Fold *f, const HdConstant **out)
{
    const HdConstant *object = operand(f, 0), *at = operand(f, 1), *root = NULL;
    const HdConstant **place = &root;
    const HdType *t = f->type;

    if (object == NULL || at == NULL || at->type != t)
        return HD_OK;
    if (at->is_packed && t->kind == HD_T_VECTOR && object->kind == HD_C_SCALAR &&
        object->type == hd_type_element(t))
        return insert_lane(f, at, object->bits, out);
    for (uint32_t i = 2; i < f->count; i++) {
        const HdConstant *whole = at;
        const HdConstant **inner;
        HdConstant *copy;

        if (i + 1 < f->count) {
            HD_TRY(part_of(f, whole, f->w[i], &at));
            if (at == NULL)
                return HD_OK;
        }
        t = hd_type_part(f->r->m, t, f->w[i]);
        HD_TRY(replaced(f, whole, f->w[i], i == 2, &copy, &inner));
        if (copy == NULL)
            return HD_OK;
        *place = copy;
        place = inner;
    }
    if (t != object->type)
        return HD_OK;
    *place = object;
    *out = root;
    return HD_OK;
}

/* Step into a type by an index; NULL when there is no such element. */
static const HdType *step(const Fold *f, const HdType *t, const HdConstant *index, int64_t *offset)
{
    const uint64_t *kept;
    int64_t i;

    if (index == NULL || index->type->kind != HD_T_INT ||
        (index->kind != HD_C_SCALAR && index->kind != HD_C_NULL))
        return NULL;
    i = hd_fold_extended(index->bits, index->type->bits);
    if (t->kind == HD_T_STRUCT) {
        if (i < 0 || i >= (int64_t)t->count)
            return NULL;
        (void)hd_resolve_offsets(f->r->m, t, &kept); /* not having them costs time only */
        *offset = (int64_t)((uint64_t)*offset + hd_type_offset(f->r->m, t, (uint32_t)i));
        return hd_type_member(f->r->m, t, (uint32_t)i);
    }
    if (hd_type_element(t) == NULL || t->kind == HD_T_POINTER)
        return NULL;
    *offset = (int64_t)((uint64_t)*offset + (uint64_t)i * hd_type_stride(f->r->m, t));
    return hd_type_element(t);
}

/* Spec: OpAccessChain, OpPtrAccessChain, SPV_KHR_untyped_pointers. */
static HdStatus fold_chain(const Fold *f, bool untyped, bool element, const HdConstant **out)
{
    uint32_t at = untyped ? 1 : 0;
    const HdConstant *base = operand(f, at++);
    const HdType *t;
    int64_t offset = 0;

    if (base == NULL || f->type->kind != HD_T_POINTER || base->type->kind != HD_T_POINTER ||
        (base->kind != HD_C_ADDRESS && !is_number(base)))
        return HD_OK;
    t = untyped ? hd_module_type(f->r->m, f->w[0]) : hd_type_element(base->type);
    if (t == NULL)
        return HD_OK;
    for (uint32_t i = at; i < f->count; i++)
        if (operand(f, i) != NULL && operand(f, i)->kind == HD_C_UNDEF)
            return fold_number(f, operand(f, i), 0, out);
    if (element) {
        const HdConstant *i = operand(f, at++);

        if (i == NULL || i->type->kind != HD_T_INT ||
            (i->kind != HD_C_SCALAR && i->kind != HD_C_NULL))
            return HD_OK;
        offset = (int64_t)((uint64_t)hd_fold_extended(i->bits, i->type->bits) * hd_type_size(t));
    }
    for (; at < f->count; at++) {
        t = step(f, t, operand(f, at), &offset);
        if (t == NULL)
            return HD_OK;
    }
    if (base->kind == HD_C_ADDRESS)
        return fold_address(f, base, offset, out);
    return fold_number(f, base, base->kind == HD_C_UNDEF ? 0 : base->bits + (uint64_t)offset, out);
}

static HdStatus fold_one(const Fold *f, const HdConstant **out)
{
    switch (f->op) {
    case HD_OPIX_Select: return fold_select(f, out);
    case HD_OPIX_VectorShuffle: return fold_shuffle(f, out);
    case HD_OPIX_CompositeExtract: return fold_extract(f, out);
    case HD_OPIX_CompositeInsert: return fold_insert(f, out);
    case HD_OPIX_Bitcast: return fold_bitcast(f, out);
    case HD_OPIX_ConvertPtrToU:
    case HD_OPIX_ConvertUToPtr:
    case HD_OPIX_GenericCastToPtr:
    case HD_OPIX_CrossWorkgroupCastToPtrINTEL:
    case HD_OPIX_PtrCastToCrossWorkgroupINTEL:
    case HD_OPIX_PtrCastToGeneric: return fold_cast(f, out);
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain: return fold_chain(f, false, false, out);
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain: return fold_chain(f, false, true, out);
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR: return fold_chain(f, true, false, out);
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return fold_chain(f, true, true, out);
    default: return f->count == 1 ? fold_unary(f, out) : fold_binary(f, out);
    }
}

/* ---- values that are used once ------------------------------------------------------------- */

/* Operations of which no rule asks for the operands' values. */
static bool is_plain(enum HdOpix op)
{
    switch (op) {
    case HD_OPIX_SNegate:
    case HD_OPIX_FNegate:
    case HD_OPIX_Not:
    case HD_OPIX_IAdd:
    case HD_OPIX_ISub:
    case HD_OPIX_IMul:
    case HD_OPIX_FAdd:
    case HD_OPIX_FSub:
    case HD_OPIX_FMul:
    case HD_OPIX_BitwiseAnd:
    case HD_OPIX_BitwiseOr:
    case HD_OPIX_BitwiseXor:
    case HD_OPIX_LogicalAnd:
    case HD_OPIX_LogicalOr:
    case HD_OPIX_LogicalNot: return true;
    default: return false;
    }
}

/* Every word may be an id: which ones are does not matter for values that are kept. */
static HdStatus count_mentions(HdResolver *r)
{
    const HdModule *m = r->m;

    HD_TAKE(r->fold.mentions, hd_alloc_zero(m->bound));
    for (uint32_t i = HD_MODULE_FIRST_WORD; i < m->nwords; i++)
        if (m->words[i] < m->bound && r->fold.mentions[m->words[i]] < UINT8_MAX)
            r->fold.mentions[m->words[i]]++;
    return HD_OK;
}

HdStatus hd_resolve_give_up(HdResolver *r, const HdInst *in)
{
    if (r->fold.kept <= r->m->nwords || !is_plain(hd_gram_find(in->w[3])))
        return HD_OK;
    if (r->fold.mentions == NULL)
        HD_TRY(count_mentions(r));
    for (uint32_t i = 4; i < in->nwords; i++) {
        HdConstant *c = (HdConstant *)(uintptr_t)hd_module_constant(r->m, in->w[i]);
        size_t bytes;
        void **unused;

        if (c == NULL || !c->is_own || r->fold.mentions[in->w[i]] != 2) /* where it is made, here */
            continue;
        bytes = c->count * hd_constant_lane_bytes(c->type);
        unused = &r->fold.unused[(bytes + 15) / 16];
        *(void **)(uintptr_t)c->lanes = *unused;
        *unused = (void *)(uintptr_t)c->lanes;
        r->fold.kept -= bytes;
        *c = (HdConstant){.kind = HD_C_UNDEF, .is_spec = true, .type = c->type};
    }
    return HD_OK;
}

HdStatus hd_resolve_spec_op(HdResolver *r, const HdInst *in, const HdConstant **out)
{
    Fold f = {.r = r, .a = r->a};

    *out = NULL;
    f.type = hd_module_type(r->m, in->w[1]);
    /* The caller copies the value, of which only composites have parts elsewhere. */
    if (f.type != NULL && hd_type_parts(f.type) == 0) {
        if (r->scratch == NULL)
            HD_TAKE(r->scratch, hd_arena_open());
        hd_arena_clear(r->scratch);
        f.a = r->scratch;
    }
    f.op = hd_gram_find(in->w[3]);
    f.w = in->w + 4;
    f.count = (uint32_t)in->nwords - 4;
    return fold_one(&f, out);
}
