/* lanes/elements.c -- small private arrays at indices that differ per lane.
 *
 * The elements of such an array are interleaved by lane: element e of all lanes is one vector.
 * Where each lane has an index of its own (`bins[direction] += weight`), a gather takes as long as
 * loading all of sixteen elements and selecting, and a scatter twice as long as storing all of them
 * anew; what was scattered is also not there for the next gather before all of it is. If no index
 * is known to the whole sub-group only at run time, LLVM keeps the elements in registers. An index
 * outside of the array is undefined behaviour, and accesses some element or none.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/elements.h"

#include "ir/edit.h"
#include "ir/linear.h"

#define MOST       16u /* elements of an array; of words, if what is stored was loaded from there */
#define MOST_WORDS 12u /* of words otherwise: a store of more takes as long as a scatter */
#define MOST_PARTS 512u /* elements that are looked at for all accesses to one */
#define LEAST      8u   /* lanes */
#define STEPS      4u   /* additions in an address */

/* An access: to element (sum of parts) / bytes of an array. */
typedef struct Access {
    HdIrRef array, part[STEPS];
    unsigned parts, elements, bytes;
} Access;

typedef struct Elements {
    HdIrFunc *f;
    uint32_t *uses;     /* [insts]: of an ALLOCA by such accesses */
    uint32_t *elements; /* [insts]: its elements */
    bool *stays;        /* [insts]: an ALLOCA that remains memory */
    bool *loads;        /* [insts]: an address that an access loads from */
    bool *scatters;     /* [insts]: an ALLOCA with stores to where nothing is loaded from */
    HdIrRef *slots;     /* [insts]: the first slot of an ALLOCA; the others follow; 0: none */
    uint32_t block;
    size_t at; /* where instructions are inserted */
} Elements;

static const HdIrInst *inst(const Elements *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

static HdIrType accessed_type(const Elements *x, HdIrRef r)
{
    return (HdIrType)inst(x, inst(x, r)->op == HD_IR_LOAD ? r : hd_ir_arg(x->f, r, 1))->type;
}

/* Each addition's offset was multiplied by the number of lanes (lanes/private_arrays.c). */
static bool find_parts(const Elements *x, HdIrRef address, Access *out)
{
    uint64_t width;

    for (out->parts = 0; inst(x, address)->op == HD_IR_PTRADD; out->parts++) {
        HdIrRef by = hd_ir_arg(x->f, address, 1);

        if (out->parts == STEPS || inst(x, by)->op != HD_IR_MUL ||
            !hd_ir_is_const(x->f, hd_ir_arg(x->f, by, 1), &width) || width != x->f->width)
            return false;
        out->part[out->parts] = hd_ir_arg(x->f, by, 0);
        address = hd_ir_arg(x->f, address, 0);
    }
    out->array = address;
    return out->parts != 0 && inst(x, address)->op == HD_IR_ALLOCA &&
           (inst(x, address)->flags & HD_IR_INTERLEAVED) != 0;
}

static bool is_access(const Elements *x, HdIrRef r, Access *out)
{
    const HdIrInst *in = inst(x, r);
    HdIrRef address;
    HdIrType type;

    if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || (in->flags & HD_IR_VOLATILE) != 0)
        return false;
    address = hd_ir_arg(x->f, r, 0);
    type = accessed_type(x, r);
    if (inst(x, address)->shape != HD_SHAPE_VARYING || type == HD_IR_PTR || type == HD_IR_BOOL ||
        (in->op == HD_IR_LOAD && in->shape != HD_SHAPE_VARYING) || !find_parts(x, address, out))
        return false;
    out->bytes = hd_ir_type_bytes(type);
    out->elements = (unsigned)(inst(x, out->array)->imm / out->bytes);
    return out->elements >= 2 && out->elements <= MOST;
}

/* ---- arrays that become slots -------------------------------------------------------------------
 */

/* Is this the place of one element for all lanes? */
static bool is_element(const Elements *x, HdIrRef address, HdIrRef *array, uint64_t *at)
{
    uint64_t by, width;

    for (*at = 0; inst(x, address)->op == HD_IR_PTRADD; address = hd_ir_arg(x->f, address, 0)) {
        HdIrRef offset = hd_ir_arg(x->f, address, 1);

        if (inst(x, offset)->op != HD_IR_MUL ||
            !hd_ir_is_const(x->f, hd_ir_arg(x->f, offset, 0), &by) ||
            !hd_ir_is_const(x->f, hd_ir_arg(x->f, offset, 1), &width) || width != x->f->width)
            return false;
        *at += by;
    }
    *array = address;
    return inst(x, address)->op == HD_IR_ALLOCA &&
           (inst(x, address)->flags & HD_IR_INTERLEAVED) != 0;
}

/* The array that an address is in, by whatever offsets; 0: in none. */
static HdIrRef array_of(const Elements *x, HdIrRef address)
{
    address = hd_linear_object(x->f, address);
    return inst(x, address)->op == HD_IR_ALLOCA ? address : 0;
}

/* What keeps an array in memory: an access that is neither to one element nor of the kind that is
 * replaced, or any other use. */
static void look_at_use(Elements *x, HdIrRef r)
{
    const HdIrInst *in = inst(x, r);
    bool accesses = in->op == HD_IR_LOAD || in->op == HD_IR_STORE;
    HdIrRef array;
    uint64_t at;
    Access a;

    if (in->op == HD_IR_PTRADD)
        return;
    if (accesses && (in->flags & HD_IR_VOLATILE) == 0) {
        HdIrType t = accessed_type(x, r);

        if (is_access(x, r, &a)) {
            x->uses[a.array]++;
            x->elements[a.array] = a.elements;
            x->scatters[a.array] =
                x->scatters[a.array] || (in->op == HD_IR_STORE && !x->loads[hd_ir_arg(x->f, r, 0)]);
        } else if (!is_element(x, hd_ir_arg(x->f, r, 0), &array, &at) || t == HD_IR_BOOL ||
                   t == HD_IR_PTR || (in->op == HD_IR_LOAD && in->shape != HD_SHAPE_VARYING) ||
                   at % hd_ir_type_bytes(t) != 0 ||
                   at + hd_ir_type_bytes(t) > inst(x, array)->imm) {
            array = array_of(x, hd_ir_arg(x->f, r, 0));
            x->stays[array] = true;
        }
    }
    for (unsigned i = accesses && (in->flags & HD_IR_VOLATILE) == 0; i < in->nargs; i++)
        if (hd_ir_arg_is_value(in, i) && inst(x, hd_ir_arg(x->f, r, i))->type == HD_IR_PTR)
            x->stays[array_of(x, hd_ir_arg(x->f, r, i))] = true;
}

/* ---- instead of one access ----------------------------------------------------------------------
 */

static HdIrRef add(Elements *x, HdIrOp op, HdIrType type, HdIrShape shape, unsigned sub,
                   uint64_t imm, const HdIrRef *args, size_t nargs)
{
    HdIrRef r = hd_ir_insert(x->f, x->block, x->at++, op, type, sub, imm, args, nargs);

    hd_ir_inst(x->f, r)->shape = (uint8_t)shape;
    return r;
}

static HdIrRef add_const(Elements *x, HdIrType type, uint64_t value)
{
    return add(x, HD_IR_CONST, type, HD_SHAPE_UNIFORM, 0, value, NULL, 0);
}

static HdIrRef combine(Elements *x, HdIrOp op, HdIrType type, unsigned sub, HdIrRef a, HdIrRef b)
{
    HdIrRef args[2] = {a, b};

    return add(x, op, type, HD_SHAPE_VARYING, sub, 0, args, 2);
}

/* The number of the element that each lane accesses, as an I32. */
static HdIrRef index_of(Elements *x, const Access *a)
{
    HdIrRef sum = a->part[0];
    unsigned shift = 0;

    for (unsigned i = 1; i < a->parts; i++)
        sum = combine(x, HD_IR_ADD, HD_IR_I64, 0, sum, a->part[i]);
    sum = add(x, HD_IR_TRUNC, HD_IR_I32, HD_SHAPE_VARYING, 0, 0, &sum, 1);
    while (1u << shift < a->bytes)
        shift++;
    return shift == 0 ? sum
                      : combine(x, HD_IR_LSHR, HD_IR_I32, 0, sum, add_const(x, HD_IR_I32, shift));
}

static HdIrRef bitcast(Elements *x, HdIrRef r, HdIrType type)
{
    return inst(x, r)->type == type ? r
                                    : add(x, HD_IR_BITCAST, type, HD_SHAPE_VARYING, 0, 0, &r, 1);
}

/* Where all lanes have element number e, in memory. */
static HdIrRef place_of(Elements *x, const Access *a, unsigned e)
{
    HdIrRef args[2] = {a->array, 0}, r;

    if (e == 0)
        return a->array;
    args[1] = add_const(x, HD_IR_I64, (uint64_t)e * a->bytes * x->f->width);
    r = add(x, HD_IR_PTRADD, HD_IR_PTR, HD_SHAPE_AFFINE, 0, 0, args, 2);
    hd_ir_inst(x->f, r)->shape = inst(x, a->array)->shape;
    hd_ir_inst(x->f, r)->stride = inst(x, a->array)->stride;
    return r;
}

static HdIrRef get_element(Elements *x, const Access *a, HdIrType type, unsigned e)
{
    HdIrRef at = x->slots[a->array];

    if (at != 0) {
        at += e;
        at = add(x, HD_IR_SLOT_GET, (HdIrType)inst(x, at)->type, HD_SHAPE_VARYING, 0, 0, &at, 1);
        return bitcast(x, at, type);
    }
    at = place_of(x, a, e);
    return add(x, HD_IR_LOAD, type, HD_SHAPE_VARYING, HD_SPACE_PRIVATE, a->bytes, &at, 1);
}

/* Give the lanes of `mask` a new element number e; 0: all lanes. */
static void set_element(Elements *x, const Access *a, HdIrRef value, HdIrRef mask, unsigned e)
{
    HdIrType type = (HdIrType)inst(x, value)->type;
    HdIrRef args[3] = {x->slots[a->array] + e, value, mask}, r;

    if (x->slots[a->array] != 0) {
        args[1] = bitcast(x, value, (HdIrType)inst(x, args[0])->type);
        r = add(x, HD_IR_SLOT_SET, HD_IR_VOID, HD_SHAPE_UNIFORM, 0, 0, args, mask != 0 ? 3 : 2);
        hd_ir_inst(x->f, r)->flags |= mask != 0 ? HD_IR_MASKED : 0;
        return;
    }
    args[0] = mask;
    args[2] = get_element(x, a, type, e);
    args[1] = add(x, HD_IR_SELECT, type, HD_SHAPE_VARYING, 0, 0, args, 3);
    args[0] = place_of(x, a, e);
    add(x, HD_IR_STORE, HD_IR_VOID, HD_SHAPE_UNIFORM, HD_SPACE_PRIVATE, a->bytes, args, 2);
}

/* An instruction becomes another one in place: its users stay. */
static void become(Elements *x, HdIrRef r, HdIrOp op, const HdIrRef *args, size_t nargs)
{
    HdIrInst *in = hd_ir_inst(x->f, r);

    in->op = (uint8_t)op;
    in->sub = 0;
    in->imm = 0;
    in->flags = 0;
    hd_ir_set_args(x->f, r, args, nargs);
}

/* Pairs of neighbours by the index's lowest bit, then pairs of these by the next one. */
static void replace_load(Elements *x, HdIrRef r, const Access *a)
{
    HdIrType type = (HdIrType)inst(x, r)->type;
    HdIrRef index = index_of(x, a), v[MOST], args[3];

    for (unsigned e = 0; e < a->elements; e++)
        v[e] = get_element(x, a, type, e);
    for (unsigned n = a->elements, bit = 1; n > 1; n = (n + 1) / 2, bit *= 2) {
        args[0] = combine(x, HD_IR_AND, HD_IR_I32, 0, index, add_const(x, HD_IR_I32, bit));
        args[0] = combine(x, HD_IR_ICMP, HD_IR_BOOL, HD_IR_NE, args[0], add_const(x, HD_IR_I32, 0));
        for (unsigned i = 0; i < n; i += 2) {
            if (i + 1 == n) {
                v[i / 2] = v[i];
                continue;
            }
            args[1] = v[i + 1];
            args[2] = v[i];
            if (n == 2)
                break;
            v[i / 2] = add(x, HD_IR_SELECT, type, HD_SHAPE_VARYING, 0, 0, args, 3);
        }
    }
    become(x, r, HD_IR_SELECT, args, 3);
}

static HdIrRef mask_of(const Elements *x, HdIrRef store)
{
    return (inst(x, store)->flags & HD_IR_MASKED) != 0 ? hd_ir_arg(x->f, store, 2) : 0;
}

static void replace_store(Elements *x, HdIrRef r, const Access *a)
{
    HdIrRef index = index_of(x, a), is, mask = mask_of(x, r);

    for (unsigned e = 0; e < a->elements; e++) {
        is = combine(x, HD_IR_ICMP, HD_IR_BOOL, HD_IR_EQ, index, add_const(x, HD_IR_I32, e));
        if (mask != 0)
            is = combine(x, HD_IR_AND, HD_IR_BOOL, 0, mask, is);
        set_element(x, a, hd_ir_arg(x->f, r, 1), is, e);
    }
    hd_ir_kill(x->f, r);
}

/* An access to the same element by all lanes, of an array that has become slots. */
static void replace_one(Elements *x, HdIrRef r, HdIrRef array, uint64_t at)
{
    HdIrType type = accessed_type(x, r);
    Access a = {.array = array, .bytes = hd_ir_type_bytes(type)};
    HdIrRef v;

    if (inst(x, r)->op == HD_IR_STORE) {
        set_element(x, &a, hd_ir_arg(x->f, r, 1), mask_of(x, r), (unsigned)(at / a.bytes));
        hd_ir_kill(x->f, r);
        return;
    }
    v = get_element(x, &a, type, (unsigned)(at / a.bytes));
    become(x, r, HD_IR_BITCAST, &v, 1);
}

/* ---- the function -------------------------------------------------------------------------------
 */

static bool is_chosen(const Elements *x, HdIrRef array)
{
    uint32_t n = x->elements[array];

    return x->uses[array] != 0 && n * (uint64_t)x->uses[array] <= MOST_PARTS &&
           (n <= MOST_WORDS || !x->scatters[array] || inst(x, array)->imm / n < 4);
}

/* Slots are made in the first block. */
static HdStatus make_slots(Elements *x, HdIrRef count)
{
    for (HdIrRef r = 1; r < count; r++) {
        if (!is_chosen(x, r) || x->stays[r])
            continue;
        x->block = 0;
        x->at = 0;
        for (unsigned e = 0; e < x->elements[r]; e++) {
            HdIrType type = hd_ir_int_of((unsigned)(inst(x, r)->imm / x->elements[r]));
            HdIrRef slot = add(x, HD_IR_SLOT, type, HD_SHAPE_VARYING, 0, 0, NULL, 0);

            x->slots[r] = e == 0 ? slot : x->slots[r];
        }
    }
    return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

static bool replace(Elements *x, HdIrRef r)
{
    unsigned op = inst(x, r)->op;
    HdIrRef array;
    uint64_t at;
    Access a;

    if (op != HD_IR_LOAD && op != HD_IR_STORE)
        return false;
    if (is_element(x, hd_ir_arg(x->f, r, 0), &array, &at) && x->slots[array] != 0)
        replace_one(x, r, array, at);
    else if (!is_access(x, r, &a) || !is_chosen(x, a.array))
        return false;
    else if (op == HD_IR_LOAD)
        replace_load(x, r, &a);
    else
        replace_store(x, r, &a);
    return true;
}

HdStatus hd_lanes_elements(HdIrFunc *f, HdArena *scratch)
{
    Elements x = {.f = f};
    HdIrRef count = (HdIrRef)f->insts.count;
    bool changed = false;

    if (f->width < LEAST)
        return HD_OK;
    HD_TAKE(x.uses, HD_NEW(scratch, uint32_t, count));
    HD_TAKE(x.elements, HD_NEW(scratch, uint32_t, count));
    HD_TAKE(x.loads, HD_NEW(scratch, bool, count));
    HD_TAKE(x.scatters, HD_NEW(scratch, bool, count));
    HD_TAKE(x.stays, HD_NEW(scratch, bool, count));
    HD_TAKE(x.slots, HD_NEW(scratch, HdIrRef, count));
    for (HdIrRef r = 1; r < count; r++)
        if (f->insts.at[r].block != HD_IR_NOWHERE && f->insts.at[r].op == HD_IR_LOAD)
            x.loads[hd_ir_arg(f, r, 0)] = true;
    for (HdIrRef r = 1; r < count; r++)
        if (f->insts.at[r].block != HD_IR_NOWHERE)
            look_at_use(&x, r);
    HD_TRY(make_slots(&x, count));
    for (x.block = 0; x.block < f->blocks.count; x.block++)
        for (size_t i = 0; i < f->blocks.at[x.block].insts.count; i++) {
            HdIrRef r = f->blocks.at[x.block].insts.at[i];

            x.at = i;
            if (r < count && replace(&x, r)) {
                changed = true;
                i = x.at;
            }
        }
    if (changed)
        hd_ir_sweep(f);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
