/* ops/memory/memory_build.c -- variables, loads, stores and copies to lane IR.
 *
 * Composites of more than HD_BUILD_SPLIT_MAX scalars are not loaded: they are copied to separate
 * private memory, which is the value from then on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/resource.h"
#include "module/type.h"
#include "ops/build_fns.h"

/* Is a null written as bytes: because it is large, or has padding, which is zeros as well? */
static bool is_null_bytes(const HdType *t, const HdBuildFlat *flat)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < flat->count && i <= HD_BUILD_SPLIT_MAX; i++)
        bytes += hd_ir_type_bytes(flat->types[i]);
    return hd_type_size(t) > 0 && (flat->count > HD_BUILD_SPLIT_MAX || bytes != hd_type_size(t));
}

/* Bytes that are moved, or cleared where there is no source. */
typedef struct Move {
    HdBuild *b;
    HdIrRef to, from;
    const HdBuildAccess *to_how, *from_how;
    unsigned pieces;
} Move;

#define MOST_PIECES 65536u

/* One piece, which lies in `from` as it does in `to`. */
static HdStatus move_piece(void *user, uint64_t memory, uint64_t value, uint64_t bytes)
{
    Move *x = user;
    HdIrRef to = hd_build_offset(x->b, x->to, memory),
            size = hd_build_const(x->b, HD_IR_I64, bytes);
    HdBuildAccess to_how = *x->to_how, from_how;

    (void)value;
    if (++x->pieces > MOST_PIECES)
        return hd_fail(x->b->diags, HD_UNSUPPORTED, HD_NO_PLACE, "build.large",
                       "a value with more than %u gaps between its members", MOST_PIECES);
    to_how.align = hd_build_align_at(to_how.align, memory);
    if (x->from == 0) {
        const HdIrRef args[3] = {to, hd_build_const(x->b, HD_IR_I8, 0), size};

        hd_build_flag(x->b,
                      hd_ir_emit_sub(x->b->fn, x->b->block, HD_IR_MEMSET, HD_IR_VOID, to_how.space,
                                     to_how.align, args, 3),
                      (HdIrFlags)(to_how.flags & ~HD_IR_INVARIANT));
        return HD_OK;
    }
    from_how = *x->from_how;
    from_how.align = hd_build_align_at(from_how.align, memory);
    hd_build_copy(x->b, to, hd_build_offset(x->b, x->from, memory), size, &to_how, &from_how);
    return HD_OK;
}

/* Move all of a value. In shaders, others may own the bytes between its members. */
static HdStatus move_all(Move *x, const HdType *t)
{
    if (!hd_module_is_opencl(x->b->m) && hd_module_is_padded(x->b->m, t))
        return hd_module_pieces(x->b->m, t, (HdMatrixLayout){0}, move_piece, x);
    return move_piece(x, 0, 0, hd_type_size(t));
}

/* Store a value of any size, without loading it when it is in memory. */
static HdStatus store_value(HdBuild *b, HdIrRef address, const HdType *t, HdId id,
                            const HdBuildAccess *how)
{
    const HdBuildValue *known = hd_build_peek(b, id);
    const HdConstant *c = known ? NULL : hd_module_constant(b->m, id);
    const HdBuildAccess from = {.space = HD_SPACE_PRIVATE, .align = t->align};
    HdBuildAccess to = *how;
    Move x = {.b = b, .to = address, .to_how = &to, .from_how = &from};
    const HdBuildFlat *flat;
    HdBuildValue v;

    if (to.align == 0)
        to.align = t->align;
    if (known && known->memory && how->matrix.stride == 0) {
        x.from = known->memory;
        return move_all(&x, t);
    }
    HD_TRY(hd_build_flatten(b, t, &flat));
    if (c && c->kind == HD_C_UNDEF)
        return HD_OK;
    if (c && c->kind == HD_C_NULL && is_null_bytes(t, flat) && how->matrix.stride == 0 &&
        !hd_module_has_layout(b->m, t))
        return move_all(&x, t);
    HD_TRY(hd_build_use(b, id, &v));
    if (v.count != flat->count)
        return HD_BUG;
    return hd_build_store(b, address, t, v.at, how);
}

static HdStatus variable_of(HdBuild *b, const HdInst *in, const HdType *t, HdId initializer)
{
    const HdBuildAccess how = {.space = HD_SPACE_PRIVATE};
    uint64_t bytes;
    HdIrRef r;

    HD_TRY(hd_build_size(b, t, &bytes));
    if (bytes > (UINT64_C(1) << 30))
        return hd_build_unsupported(b, in, "more than 1 GiB of private memory");
    r = hd_build_alloca(b, bytes, hd_module_alignment(b->m, in->w[2], t->align));
    HD_TRY(hd_build_bind(b, in->w[2], &r, 1));
    return initializer ? store_value(b, r, t, initializer, &how) : HD_OK;
}

/* In functions: Function storage. Words: 1 type, 2 result, 3 storage class, 4 initializer. */
HdStatus hd_build_variable_inst(HdBuild *b, const HdInst *in)
{
    const HdType *t;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    if (t->kind != HD_T_POINTER || hd_type_element(t) == NULL)
        return hd_build_bad(b, in, "result is not a typed pointer");
    if (hd_layout_table(b->layout, in->w[2]) != NULL) {
        const HdIrRef r = hd_build_table(b, in->w[2]);

        return hd_build_bind(b, in->w[2], &r, 1);
    }
    return variable_of(b, in, hd_type_element(t), in->nwords > 4 ? in->w[4] : 0);
}

/* Words: 1 type, 2 result, 3 storage class, 4 data type, 5 initializer. */
HdStatus hd_build_untyped_variable(HdBuild *b, const HdInst *in)
{
    const HdType *t;

    if (in->nwords < 5)
        return hd_build_bad(b, in, "no data type");
    HD_TRY(hd_build_type(b, in->w[4], &t));
    return variable_of(b, in, t, in->nwords > 5 ? in->w[5] : 0);
}

/* Is this the whole of a built-in variable? */
static bool is_builtin(HdBuild *b, HdId pointer)
{
    HdInst def;
    uint32_t which;

    return hd_build_peek(b, pointer) == NULL && hd_module_def(b->m, pointer, &def) &&
           hd_inst_is_variable(&def) && def.w[3] == SpvStorageClassInput &&
           hd_build_is_builtin(b->m, pointer, &which);
}

/* An image or sampler of a shader: what its descriptor holds. */
static HdStatus load_opaque(HdBuild *b, const HdInst *in, const HdType *t)
{
    HdIrRef descriptor, parts[2];

    HD_TRY(hd_build_use1(b, in->w[3], &descriptor));
    return hd_build_bind(b, in->w[2], parts, hd_build_opaque(b, descriptor, t, parts));
}

/* Words: 1 type, 2 result, 3 pointer, 4 … memory operands. */
HdStatus hd_build_load_inst(HdBuild *b, const HdInst *in)
{
    const HdBuildFlat *flat;
    const HdType *t;
    HdBuildAccess how;
    HdIrRef address, *refs, parts[16];
    uint32_t count;
    unsigned next;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    if (b->kernel->is_shader && hd_type_opaque(t) != HD_OPAQUE_NONE)
        return load_opaque(b, in, t);
    HD_TRY(hd_build_flatten(b, t, &flat));
    if (is_builtin(b, in->w[3])) {
        HD_TRY(hd_build_builtin(b, in->w[3], parts, &count));
        if (count == flat->count && (count == 0 || flat->types[0] == hd_build_type_at(b, parts[0])))
            return hd_build_bind(b, in->w[2], parts, count);
    }
    HD_TRY(hd_build_access(b, in, 4, in->w[3], &how, &next));
    how.matrix = hd_build_matrix(b, in->w[3], t);
    HD_TRY(hd_build_use1(b, in->w[3], &address));
    if (flat->count > HD_BUILD_SPLIT_MAX && hd_type_size(t) > 0 && how.matrix.stride == 0) {
        const HdBuildAccess to = {.space = HD_SPACE_PRIVATE, .align = t->align};
        HdIrRef copy = hd_build_alloca(b, hd_type_size(t), t->align);

        if (how.align == 0)
            how.align = t->align;
        hd_build_copy(b, copy, address, hd_build_const(b, HD_IR_I64, hd_type_size(t)), &to, &how);
        return hd_build_bind_memory(b, in->w[2], t, copy);
    }
    HD_TRY(hd_build_room(b, flat->count, &refs));
    HD_TRY(hd_build_load(b, address, t, &how, refs));
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

/* Words: 1 pointer, 2 object, 3 … memory operands. */
HdStatus hd_build_store_inst(HdBuild *b, const HdInst *in)
{
    HdBuildAccess how;
    const HdType *t;
    HdIrRef address;
    unsigned next;

    if (hd_layout_table(b->layout, in->w[1]) != NULL)
        return HD_OK; /* it holds that already */
    HD_TRY(hd_build_type_of(b, in->w[2], &t));
    HD_TRY(hd_build_access(b, in, 3, in->w[1], &how, &next));
    how.matrix = hd_build_matrix(b, in->w[1], t);
    HD_TRY(hd_build_use1(b, in->w[1], &address));
    how.flags &= (HdIrFlags)~HD_IR_INVARIANT;
    return store_value(b, address, t, in->w[2], &how);
}

/* What is loaded is a number or a vector of them. Words: 1 type, 2 result, 3 pointer, 4 predicate,
 * 5 default, 6 … memory operands. */
HdStatus hd_build_predicated_load(HdBuild *b, const HdInst *in)
{
    HdIrRef address, is, *refs;
    uint32_t before, part, after;
    const HdBuildFlat *flat;
    HdBuildAccess how;
    const HdType *t;
    HdBuildValue other;
    unsigned next;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(hd_build_access(b, in, 6, in->w[3], &how, &next));
    how.matrix = hd_build_matrix(b, in->w[3], t);
    HD_TRY(hd_build_use1(b, in->w[3], &address));
    HD_TRY(hd_build_use1(b, in->w[4], &is));
    HD_TRY(hd_build_use(b, in->w[5], &other));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    before = b->block;
    after = hd_build_where(b, is);
    part = b->block;
    HD_TRY(hd_build_load(b, address, t, &how, refs));
    hd_build_end_where(b, after);
    for (uint32_t i = 0; i < flat->count; i++) {
        const HdIrRef ways[4] = {before, other.at[i], part, refs[i]};

        refs[i] = hd_ir_emit(b->fn, after, HD_IR_PHI, flat->types[i], ways, 4);
    }
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

/* Words: 1 pointer, 2 object, 3 predicate, 4 … memory operands. */
HdStatus hd_build_predicated_store(HdBuild *b, const HdInst *in)
{
    HdBuildAccess how;
    HdBuildValue v;
    const HdType *t;
    HdIrRef address, is;
    uint32_t after;
    unsigned next;

    HD_TRY(hd_build_type_of(b, in->w[2], &t));
    HD_TRY(hd_build_access(b, in, 4, in->w[1], &how, &next));
    how.matrix = hd_build_matrix(b, in->w[1], t);
    HD_TRY(hd_build_use1(b, in->w[1], &address));
    HD_TRY(hd_build_use(b, in->w[2], &v));
    HD_TRY(hd_build_use1(b, in->w[3], &is));
    how.flags &= (HdIrFlags)~HD_IR_INVARIANT;
    after = hd_build_where(b, is);
    HD_TRY(hd_build_store(b, address, t, v.at, &how));
    hd_build_end_where(b, after);
    return HD_OK;
}

/* Copy what pointers point to: as bytes if it is large, as scalars if it is small (which SROA
 * splits). One set of memory operands is for both sides, of two the second is the source's. */
static HdStatus copy(HdBuild *b, const HdInst *in, unsigned at, const HdType *t, HdIrRef bytes)
{
    HdBuildAccess to, from;
    HdIrRef to_address, from_address, *refs;
    Move x = {.b = b, .to_how = &to, .from_how = &from};
    const HdBuildFlat *flat = NULL;
    bool is_laid_out;
    unsigned next;

    HD_TRY(hd_build_access(b, in, at, in->w[1], &to, &next));
    HD_TRY(hd_build_access(b, in, next < in->nwords ? next : at, in->w[2], &from, &next));
    to.flags &= (HdIrFlags)~HD_IR_INVARIANT;
    HD_TRY(hd_build_use1(b, in->w[1], &to_address));
    HD_TRY(hd_build_use1(b, in->w[2], &from_address));
    if (t && hd_type_size(t) > 0) {
        to.align = to.align ? to.align : t->align;
        from.align = from.align ? from.align : t->align;
    }
    if (t) {
        HD_TRY(hd_build_flatten(b, t, &flat));
        to.matrix = hd_build_matrix(b, in->w[1], t);
        from.matrix = hd_build_matrix(b, in->w[2], t);
    }
    is_laid_out = to.matrix.stride != 0 || from.matrix.stride != 0;
    if (flat && (flat->count <= HD_BUILD_SPLIT_MAX || hd_type_size(t) == 0 || is_laid_out)) {
        if (flat->count > HD_BUILD_SPLIT_MAX && !is_laid_out)
            return hd_build_unsupported(b, in, "a large type without a size");
        HD_TRY(hd_build_room(b, flat->count, &refs));
        HD_TRY(hd_build_load(b, from_address, t, &from, refs));
        return hd_build_store(b, to_address, t, refs, &to);
    }
    x.to = to_address;
    x.from = from_address;
    if (flat)
        return move_all(&x, t);
    hd_build_copy(b, to_address, from_address, bytes, &to, &from);
    return HD_OK;
}

/* One side may be untyped. Words: 1 target, 2 source, 3 … memory operands. */
HdStatus hd_build_copy_memory(HdBuild *b, const HdInst *in)
{
    const HdType *to, *from, *t;

    HD_TRY(hd_build_type_of(b, in->w[1], &to));
    HD_TRY(hd_build_type_of(b, in->w[2], &from));
    t = hd_type_element(to) ? hd_type_element(to) : hd_type_element(from);
    if (to->kind != HD_T_POINTER || from->kind != HD_T_POINTER || t == NULL)
        return hd_build_bad(b, in, "needs a typed pointer");
    return copy(b, in, 3, t, 0);
}

/* Words: 1 target, 2 source, 3 size, 4 … memory operands. */
HdStatus hd_build_copy_memory_sized(HdBuild *b, const HdInst *in)
{
    HdIrRef bytes;

    HD_TRY(hd_build_use1(b, in->w[3], &bytes));
    if (hd_build_int(hd_ir_type_bits(hd_build_type_at(b, bytes))) != hd_build_type_at(b, bytes))
        return hd_build_bad(b, in, "size is not an integer");
    return copy(b, in, 4, NULL, hd_build_resize(b, bytes, HD_IR_I64, false));
}
