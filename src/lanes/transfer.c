/* lanes/transfer.c -- the shape of one instruction's result from those of its operands.
 *
 * "Affine" is a statement modulo the type's width, so it survives every ring operation; widening
 * needs a proof that no lane wraps (nsw, nuw). A signed index without that proof is still good for
 * addresses (HD_SHAPE_ADDRESS): lanes on both sides of a signed wrap would be 2^32 elements apart,
 * which no object spans, and lane 0 is on the side of the accessing lanes if the stride is
 * positive. For an unsigned index this holds only if no lane wraps, as lane 0 may hold 0 - 1 and be
 * inactive: accesses under a mask test for that at run time, as all do for indices that are masked,
 * clamped or selected at an edge. Where the test holds, lanes are affine modulo 2^32. An address of
 * stride 0 is one that is the same for all lanes if they are in the same block (i >> 5, i & ~31).
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/transfer.h"

#include "base/round.h"
#include "ir/edit.h"

static const HdShape varying = {.kind = HD_SHAPE_VARYING, .seen = true};
static const HdShape uniform = {.kind = HD_SHAPE_UNIFORM, .seen = true, .nsw = true, .nuw = true};
/* The same for all lanes where code finds that it is when it runs. */
static const HdShape shared = {.kind = HD_SHAPE_ADDRESS, .seen = true};

static HdShape affine(int64_t stride, bool no_wrap, bool is_small)
{
    return (HdShape){.kind = HD_SHAPE_AFFINE,
                     .seen = true,
                     .nsw = no_wrap,
                     .nuw = no_wrap,
                     .small = is_small,
                     .stride = stride};
}

/* A stride as a number of `bits` bits, sign-extended. */
static int64_t wrapped(int64_t stride, unsigned bits)
{
    unsigned drop = 64 - bits;

    return (int64_t)((uint64_t)stride << drop) >> drop;
}

static HdShape with_stride(HdShape x, int64_t stride, unsigned bits)
{
    bool went_down = x.stride < 0;

    x.stride = wrapped(stride, bits);
    if (x.kind == HD_SHAPE_ADDRESS)
        return (x.stride < 0) == went_down ? x : varying;
    if (x.stride == 0)
        return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true};
    return x;
}

static HdShape builtin_shape(const HdShapes *s, const HdIrInst *in)
{
    bool ids = s->target.x_divisible || s->target.by_rows;
    HdShape known = uniform;

    known.small = ids;
    switch ((HdIrBuiltin)in->sub) {
    case HD_BUILTIN_GLOBAL_ID:
    case HD_BUILTIN_LOCAL_ID:
        if (!ids)
            return varying;
        return in->imm == 0 ? affine(1, true, true) : known;
    case HD_BUILTIN_GLOBAL_LINEAR_ID: return ids ? affine(1, true, false) : varying;
    case HD_BUILTIN_LOCAL_LINEAR_ID:
    case HD_BUILTIN_SUBGROUP_LOCAL_ID: return affine(1, true, true);
    case HD_BUILTIN_ARRAYS:
    case HD_BUILTIN_ARRAY_ROOM:
    case HD_BUILTIN_ARRAY_SOFT:
    case HD_BUILTIN_ROUND_START:
    case HD_BUILTIN_ONE_ROUND: return uniform;
    default: return known;
    }
}

/* ---- where lanes begin ----------------------------------------------------------------------- */

/* An id that counts lanes from a multiple of the width on. */
static bool begins_at_width(const HdShapes *s, HdIrRef v)
{
    const HdIrInst *insts = s->f->insts.at, *in;

    while (insts[v].op == HD_IR_TRUNC || insts[v].op == HD_IR_SEXT || insts[v].op == HD_IR_ZEXT)
        v = hd_ir_arg(s->f, v, 0);
    in = &insts[v];
    if (in->op != HD_IR_BUILTIN)
        return false;
    return in->sub == HD_BUILTIN_LOCAL_LINEAR_ID ? !s->target.by_rows
                                                 : in->sub == HD_BUILTIN_LOCAL_ID && in->imm == 0 &&
                                                       (s->target.x_divisible || s->target.by_rows);
}

bool hd_shape_below(const HdShapes *s, HdIrRef v, int64_t *limit, bool *negated)
{
    const HdIrInst *in = &s->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(s->f, v);
    const bool is_first = in->op == HD_IR_ICMP && begins_at_width(s, args[0]);
    unsigned how = in->sub;

    if (in->op != HD_IR_ICMP || how == HD_IR_EQ || how == HD_IR_NE ||
        (!is_first && !begins_at_width(s, args[1])) ||
        !hd_ir_is_number(s->f, args[is_first ? 1 : 0], limit) || *limit < 0 || *limit == INT64_MAX)
        return false;
    if (!is_first)
        how = hd_ir_icmp_swapped(how);
    *negated = how == HD_IR_UGT || how == HD_IR_UGE || how == HD_IR_SGT || how == HD_IR_SGE;
    if (*negated)
        how = hd_ir_icmp_inverse(how);
    *limit += how == HD_IR_ULE || how == HD_IR_SLE;
    return true;
}

/* ---- sums and products ----------------------------------------------------------------------- */

/* ADD, SUB, PTRADD of shapes a and b: strides add. */
static HdShape sum_shape(const HdIrInst *in, HdShape a, HdShape b, bool minus)
{
    HdShape x = {.seen = true};
    int64_t sa = a.kind == HD_SHAPE_UNIFORM ? 0 : a.stride;
    int64_t sb = b.kind == HD_SHAPE_UNIFORM ? 0 : b.stride;

    x.kind = a.kind > b.kind ? a.kind : b.kind;
    if (x.kind == HD_SHAPE_VARYING || x.kind == HD_SHAPE_UNIFORM)
        return x.kind == HD_SHAPE_VARYING ? varying : x;
    x.nsw = (in->flags & HD_IR_NSW) != 0 && a.nsw && b.nsw;
    x.nuw = (in->flags & HD_IR_NUW) != 0 && a.nuw && b.nuw && !minus;
    x.stride = a.kind == HD_SHAPE_ADDRESS ? sa : sb;
    return with_stride(x, (int64_t)((uint64_t)sa + (minus ? 0 - (uint64_t)sb : (uint64_t)sb)),
                       hd_ir_type_bits(in->type));
}

/* x * factor, for MUL and SHL by a constant. */
static HdShape scaled_shape(const HdIrInst *in, HdShape x, int64_t factor)
{
    HdShape r = x;

    r.nsw = x.nsw && (in->flags & HD_IR_NSW);
    r.nuw = x.nuw && (in->flags & HD_IR_NUW) && factor > 0;
    /* 64-bit products of small numbers cannot wrap. */
    if (x.small && hd_ir_type_bits(in->type) == 64 && factor > 0 && factor < INT64_C(1) << 31)
        r.nsw = r.nuw = true;
    r.small = false;
    return with_stride(r, (int64_t)((uint64_t)x.stride * (uint64_t)factor),
                       hd_ir_type_bits(in->type));
}

/* Everything else that is pure: uniform when all operands are. */
static HdShape pointwise(const HdShape *x, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (x[i].kind != HD_SHAPE_UNIFORM)
            return varying;
    return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true};
}

/* All lanes are on one side of a multiple of the width. */
static HdShape compare_shape(const HdShapes *s, HdIrRef v, const HdShape *x)
{
    int64_t limit;
    bool negated;

    return hd_shape_below(s, v, &limit, &negated) && limit % s->target.width == 0
               ? (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true}
               : pointwise(x, 2);
}

/* Of integers: shared where an operand is and the other one too, or uniform. */
static HdShape of_both(HdShape a, HdShape b)
{
    const HdShape x[] = {a, b};

    for (unsigned i = 0; i < 2; i++)
        if (x[i].kind != HD_SHAPE_UNIFORM && (x[i].kind != HD_SHAPE_ADDRESS || x[i].stride != 0))
            return varying;
    return a.kind == b.kind && a.kind == HD_SHAPE_UNIFORM ? pointwise(x, 2) : shared;
}

static HdShape mul_shape(const HdShapes *s, const HdIrInst *in, const HdIrRef *args, HdShape a,
                         HdShape b)
{
    int64_t k;

    if (a.kind == HD_SHAPE_UNIFORM && b.kind == HD_SHAPE_UNIFORM)
        return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true};
    if (b.kind == HD_SHAPE_UNIFORM && a.kind != HD_SHAPE_VARYING &&
        hd_ir_is_number(s->f, args[1], &k))
        return scaled_shape(in, a, k);
    if (a.kind == HD_SHAPE_UNIFORM && b.kind != HD_SHAPE_VARYING &&
        hd_ir_is_number(s->f, args[0], &k))
        return scaled_shape(in, b, k);
    return of_both(a, b);
}

static HdShape shl_shape(const HdShapes *s, const HdIrInst *in, const HdIrRef *args, HdShape a,
                         HdShape b)
{
    int64_t k;

    if (a.kind == HD_SHAPE_UNIFORM && b.kind == HD_SHAPE_UNIFORM)
        return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true};
    if (a.kind != HD_SHAPE_VARYING && b.kind == HD_SHAPE_UNIFORM &&
        hd_ir_is_number(s->f, args[1], &k) && k >= 0 && k < 31)
        return scaled_shape(in, a, INT64_C(1) << k);
    return of_both(a, b);
}

static HdShape widened(const HdIrInst *in, HdShape x, unsigned from_bits)
{
    if (x.kind == HD_SHAPE_UNIFORM)
        return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true, .small = x.small};
    if (x.kind == HD_SHAPE_AFFINE && (in->op == HD_IR_SEXT ? x.nsw : x.nuw || x.small)) {
        x.nsw = true;
        x.nuw = in->op == HD_IR_ZEXT || x.nuw || x.small;
        return x;
    }
    if (x.stride >= INT32_MIN && (in->op == HD_IR_ZEXT || from_bits >= 32) &&
        x.kind <= HD_SHAPE_ADDRESS)
        return (HdShape){.kind = HD_SHAPE_ADDRESS, .seen = true, .stride = x.stride};
    return varying;
}

/* Is v of the form x << n with n >= `bits`? */
static bool is_shifted(const HdShapes *s, HdIrRef v, unsigned bits)
{
    int64_t k;

    return bits == 0 ||
           (s->f->insts.at[v].op == HD_IR_SHL &&
            hd_ir_is_number(s->f, hd_ir_args(s->f, v)[1], &k) && k >= (int64_t)bits && k < 31);
}

/* A shape good for addresses, in an index of 32 bits or more. */
static bool may_lead(const HdIrInst *in, HdShape x)
{
    return (x.kind == HD_SHAPE_AFFINE || x.kind == HD_SHAPE_ADDRESS) && x.stride > 0 &&
           x.stride <= INT32_MAX && hd_ir_type_bits(in->type) >= 32 && in->type != HD_IR_F32 &&
           in->type != HD_IR_F64;
}

/* x & (2^n - 1), n known or not: as x where no lane goes beyond a multiple of 2^n, which code tests
 * when it runs. */
static bool is_ring(const HdShapes *s, const HdIrInst *in, HdIrRef mask, HdShape x)
{
    int64_t k;

    if (!may_lead(in, x))
        return false;
    if (!hd_ir_is_number(s->f, mask, &k))
        return x.stride <= 16 && (in->type == HD_IR_I32 || x.kind == HD_SHAPE_AFFINE);
    if (hd_ir_type_bits(in->type) == 32)
        k &= UINT32_MAX;
    return k > 0 && ((uint64_t)k & ((uint64_t)k + 1)) == 0 && k / x.stride >= s->target.width - 1 &&
           (x.kind == HD_SHAPE_AFFINE || k <= UINT32_MAX);
}

/* x without its `low` lower bits: the same for all lanes that are between two multiples of 2^low,
 * which code tests at run time. */
static bool is_upper(const HdShapes *s, const HdIrInst *in, HdShape x, int64_t low)
{
    return may_lead(in, x) && x.stride <= 16 && low >= 0 && low < hd_ir_type_bits(in->type) &&
           (s->target.width - 1) * x.stride >> low == 0;
}

/* x / n and x % n, for a divisor large enough that most sub-groups are between two multiples of it,
 * which code tests at run time. A divisor from the host is unknown: mostly it is a size. */
static HdShape quotient_shape(const HdShapes *s, const HdIrInst *in, const HdIrRef *args, HdShape a,
                              HdShape b)
{
    bool is_rest = in->op == HD_IR_UREM || in->op == HD_IR_SREM;
    int64_t k;

    if (b.kind != HD_SHAPE_UNIFORM || !may_lead(in, a) || a.stride > 16 ||
        (hd_ir_is_number(s->f, args[1], &k) && k / 2 < s->target.width * a.stride))
        return of_both(a, b);
    return is_rest ? (HdShape){.kind = HD_SHAPE_ADDRESS, .seen = true, .stride = a.stride} : shared;
}

static HdShape shr_shape(const HdShapes *s, const HdIrInst *in, const HdIrRef *args, HdShape a,
                         HdShape b)
{
    int64_t k;

    return b.kind == HD_SHAPE_UNIFORM && hd_ir_is_number(s->f, args[1], &k) && is_upper(s, in, a, k)
               ? shared
               : of_both(a, b);
}

/* x & 0xffffffff is how the front end writes zext(trunc x) of an id, and (x << n) & (0xffffffff &
 * ~0 << n) zext(trunc x << n). */
static HdShape and_shape(const HdShapes *s, const HdIrInst *in, const HdIrRef *args, HdShape a,
                         HdShape b)
{
    unsigned i = a.kind == HD_SHAPE_UNIFORM ? 1 : 0, low = 0;
    HdShape x = i == 1 ? b : a;
    int64_t k;

    if (a.kind == HD_SHAPE_UNIFORM && b.kind == HD_SHAPE_UNIFORM)
        return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true, .small = a.small || b.small};
    if (a.kind != HD_SHAPE_UNIFORM && b.kind != HD_SHAPE_UNIFORM)
        return of_both(a, b);
    if (x.kind == HD_SHAPE_AFFINE && x.small && hd_ir_is_number(s->f, args[1 - i], &k) &&
        (k & INT32_MAX) == INT32_MAX)
        return x;
    if (is_ring(s, in, args[1 - i], x))
        return (HdShape){.kind = HD_SHAPE_ADDRESS, .seen = true, .stride = x.stride};
    if (x.stride == 0 || !hd_ir_is_number(s->f, args[1 - i], &k))
        return of_both(a, b);
    if (k != 0 && is_upper(s, in, x, __builtin_ctzll((uint64_t)k)))
        return shared;
    if (x.kind != HD_SHAPE_AFFINE)
        return varying;
    while (low < 16 && k != 0 && (k >> low & 1) == 0)
        low++;
    if (hd_ir_type_bits(in->type) == 64 && k == (int64_t)(UINT32_MAX >> low << low) &&
        is_shifted(s, args[i], low) && x.stride > 0 && x.stride <= INT32_MAX)
        return (HdShape){.kind = HD_SHAPE_ADDRESS, .seen = true, .stride = x.stride};
    return varying;
}

/* -1 - x, of integers. */
static HdShape not_shape(const HdShapes *s, const HdIrInst *in, const HdIrRef *args, HdShape x)
{
    int64_t k;

    if (x.kind != HD_SHAPE_AFFINE || !hd_ir_is_number(s->f, args[1], &k) || k != -1)
        return varying;
    x.nuw = x.small = false;
    return with_stride(x, (int64_t)(0 - (uint64_t)x.stride), hd_ir_type_bits(in->type));
}

static HdShape trunc_shape(const HdIrInst *in, HdShape x)
{
    unsigned bits = hd_ir_type_bits(in->type);

    if (x.kind == HD_SHAPE_UNIFORM)
        return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true, .small = x.small && bits >= 32};
    if (x.kind == HD_SHAPE_ADDRESS && bits == 32)
        return with_stride(x, x.stride, bits);
    if (x.kind != HD_SHAPE_AFFINE || bits == 1)
        return varying;
    x.nsw = x.nuw = x.small = x.small && bits >= 32;
    return with_stride(x, x.stride, bits);
}

static HdShape phi_shape(const HdShapes *s, HdIrRef v)
{
    const HdIrInst *in = &s->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(s->f, v);
    HdShape x = {0};

    for (unsigned i = 0; i + 1 < in->nargs; i += 2) {
        HdShape y = hd_shape_at(s, args[i + 1], args[i]);

        if (!y.seen || s->g->rank[args[i]] == HD_IR_NOWHERE)
            continue;
        /* An edge out of a loop keeps for each lane what it had when it left. */
        if (s->target.width > 1 && hd_shape_is_temporal(s, args[i + 1], in->block))
            y.kind = HD_SHAPE_VARYING;
        if (!x.seen) {
            x = y;
            continue;
        }
        if (may_lead(in, x) && may_lead(in, y) && x.stride == y.stride)
            x.kind = x.kind > y.kind ? x.kind : y.kind;
        else if (x.kind != y.kind || (x.kind != HD_SHAPE_UNIFORM && x.stride != y.stride))
            x.kind = HD_SHAPE_VARYING;
        x.nsw = x.nsw && y.nsw;
        x.nuw = x.nuw && y.nuw;
        x.small = x.small && y.small;
    }
    if (x.seen && s->join[in->block] && in->nargs > 2)
        x.kind = HD_SHAPE_VARYING;
    return x;
}

static HdShape alloca_shape(const HdShapes *s, HdIrRef v)
{
    const HdIrInst *in = &s->f->insts.at[v];
    uint64_t align = UINT64_C(1) << in->sub;
    uint64_t bytes = hd_round_up(in->imm, align);

    return affine((int64_t)(s->arrays.element[v] != 0 ? s->arrays.element[v] : bytes), true, false);
}

/* Do lanes read the same value at one index of a private array, where all of them run? The first
 * lane's element is read, so not in a function that is called without that lane. */
static bool is_shared_element(const HdShapes *s, HdIrRef v, HdShape address)
{
    const HdIrInst *in = &s->f->insts.at[v];
    HdIrRef array = s->arrays.of[hd_ir_arg(s->f, v, 0)];

    return array != 0 && s->target.params == NULL && !s->array_varies[array] &&
           !s->divergent[in->block] && address.kind == HD_SHAPE_AFFINE &&
           address.stride == s->arrays.element[array];
}

/* One load serves all lanes when they name one address, whatever others do to it meanwhile. */
static HdShape load_shape(const HdShapes *s, HdIrRef v, HdShape address)
{
    bool one = address.kind == HD_SHAPE_UNIFORM || is_shared_element(s, v, address);

    return one && !(s->f->insts.at[v].flags & HD_IR_VOLATILE)
               ? (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true}
               : varying;
}

static HdShape collective_shape(const HdIrInst *in)
{
    unsigned how = (unsigned)in->imm & 255, cluster = (unsigned)(in->imm >> 8);
    HdShape one = {.kind = HD_SHAPE_UNIFORM, .seen = true};

    if (in->sub <= HD_COLL_FMAX)
        return how == HD_COLL_REDUCE && cluster == 0 ? one : varying;
    switch ((HdIrCollective)in->sub) {
    case HD_COLL_ALL:
    case HD_COLL_ANY:
    case HD_COLL_ALL_EQUAL:
    case HD_COLL_BROADCAST:
    case HD_COLL_BROADCAST_FIRST:
    case HD_COLL_BALLOT: return one;
    default: return varying;
    }
}

/* One of two values, of which one is the same for all lanes and the other not: mostly that at an
 * edge, this one elsewhere. Code tests whether all lanes have it when it runs. */
static HdShape either(const HdIrInst *in, HdShape a, HdShape b)
{
    HdShape x = a.kind == HD_SHAPE_UNIFORM ? b : a, other = a.kind == HD_SHAPE_UNIFORM ? a : b;

    if (other.kind != HD_SHAPE_UNIFORM || !may_lead(in, x))
        return varying;
    return (HdShape){.kind = HD_SHAPE_ADDRESS, .seen = true, .stride = x.stride};
}

/* Lanes that access what stands for missing memory may do so next to each other, too. */
static bool is_guard(const HdIrInst *in, const HdShape *x)
{
    return (in->flags & HD_IR_GUARD) != 0 && x[0].kind == HD_SHAPE_UNIFORM &&
           x[1].kind == HD_SHAPE_UNIFORM &&
           (x[2].kind == HD_SHAPE_AFFINE || x[2].kind == HD_SHAPE_ADDRESS) &&
           x[2].stride <= HD_IR_GUARD_STRIDE && x[2].stride >= -HD_IR_GUARD_STRIDE;
}

static HdShape select_shape(const HdIrInst *in, const HdShape *x)
{
    if (x[0].kind == HD_SHAPE_UNIFORM && x[1].kind == x[2].kind && x[1].stride == x[2].stride) {
        HdShape y = x[1];

        y.nsw = y.nsw && x[2].nsw;
        y.nuw = y.nuw && x[2].nuw;
        y.small = y.small && x[2].small;
        return y;
    }
    if (is_guard(in, x))
        return (HdShape){.kind = HD_SHAPE_ADDRESS, .seen = true, .stride = x[2].stride};
    return x[0].kind == HD_SHAPE_VARYING ? either(in, x[1], x[2]) : pointwise(x, 3);
}

/* A result of a call is uniform if all arguments are, and the function guarantees it.
 */
static HdShape result_shape(const HdShapes *s, HdIrRef v, HdShape operands)
{
    const HdIrInst *in = &s->f->insts.at[v], *call = &s->f->insts.at[hd_ir_arg(s->f, v, 0)];
    const HdIrFunc *of = s->f->module->funcs.at[call->imm];

    return operands.kind == HD_SHAPE_UNIFORM &&
                   of->callee.result_shapes[in->imm] == HD_SHAPE_UNIFORM
               ? (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true}
               : varying;
}

/* A value that wrapped against a promise is one like others from here on. */
static HdShape frozen(HdShape x)
{
    x.nsw = x.nuw = x.small = false;
    return x;
}

/* Shapes of so many operands are kept; calls, returns and accesses to images may have more. Where
 * there are fewer, the others count as uniform. */
#define OPERANDS 4u

static HdShape shape_of_op(const HdShapes *s, HdIrRef v, const HdShape *x)
{
    const HdIrInst *in = &s->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(s->f, v);

    switch ((HdIrOp)in->op) {
    case HD_IR_BUILTIN: return builtin_shape(s, in);
    case HD_IR_ALLOCA: return alloca_shape(s, v);
    case HD_IR_ADD:
    case HD_IR_PTRADD: return sum_shape(in, x[0], x[1], false);
    case HD_IR_SUB: return sum_shape(in, x[0], x[1], true);
    case HD_IR_MUL: return mul_shape(s, in, args, x[0], x[1]);
    case HD_IR_SHL: return shl_shape(s, in, args, x[0], x[1]);
    case HD_IR_AND: return and_shape(s, in, args, x[0], x[1]);
    case HD_IR_LSHR:
    case HD_IR_ASHR: return shr_shape(s, in, args, x[0], x[1]);
    case HD_IR_OR: return of_both(x[0], x[1]);
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM: return quotient_shape(s, in, args, x[0], x[1]);
    case HD_IR_XOR:
        return x[0].kind == HD_SHAPE_UNIFORM ? pointwise(x, 2) : not_shape(s, in, args, x[0]);
    case HD_IR_SEXT:
    case HD_IR_ZEXT: return widened(in, x[0], hd_ir_type_bits(s->f->insts.at[args[0]].type));
    case HD_IR_TRUNC: return trunc_shape(in, x[0]);
    case HD_IR_BITCAST:
        return hd_ir_is_float(in->type) || hd_ir_is_float(s->f->insts.at[args[0]].type)
                   ? pointwise(x, 1)
                   : x[0];
    case HD_IR_ICMP: return compare_shape(s, v, x);
    case HD_IR_SELECT: return select_shape(in, x);
    case HD_IR_FREEZE: return frozen(x[0]);
    case HD_IR_UMIN:
    case HD_IR_UMAX:
    case HD_IR_SMIN:
    case HD_IR_SMAX:
        return x[0].kind == HD_SHAPE_UNIFORM && x[1].kind == HD_SHAPE_UNIFORM
                   ? pointwise(x, 2)
                   : either(in, x[0], x[1]);
    case HD_IR_LOAD: return load_shape(s, v, x[0]);
    case HD_IR_NAMED_MAKE: return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true};
    case HD_IR_COLLECTIVE: return collective_shape(in);
    case HD_IR_ALL: return (HdShape){.kind = HD_SHAPE_UNIFORM, .seen = true};
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
    case HD_IR_PRODUCT:
    case HD_IR_RTCALL: return varying;
    case HD_IR_PARAM: return s->target.params != NULL ? s->target.params[in->imm] : uniform;
    case HD_IR_RESULT: return result_shape(s, v, x[0]);
    case HD_IR_CONST: {
        HdShape c = uniform;
        int64_t k;

        c.small = hd_ir_is_number(s->f, v, &k) && k >= 0 && k < INT64_C(1) << 31;
        return c;
    }
    default: return pointwise(x, OPERANDS);
    }
}

HdShape hd_shape_transfer(const HdShapes *s, HdIrRef v)
{
    const HdIrInst *in = &s->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(s->f, v);
    HdShape x[OPERANDS] = {0};
    HdShape r;

    if (in->op == HD_IR_PHI)
        r = phi_shape(s, v);
    else {
        unsigned count = hd_ir_value_args(in);

        for (unsigned i = 0; i < count; i++) {
            HdShape y = hd_shape_at(s, args[i], in->block);

            if (!y.seen)
                return (HdShape){0};
            /* Of those that are not kept, what counts is that one varies. */
            if (i < OPERANDS || y.kind != HD_SHAPE_UNIFORM)
                x[i < OPERANDS ? i : OPERANDS - 1] = y;
        }
        r = shape_of_op(s, v, x);
    }
    if (s->target.width == 1 && r.seen)
        r.kind = HD_SHAPE_UNIFORM;
    if (r.kind == HD_SHAPE_UNIFORM) {
        r.stride = 0;
        r.nsw = r.nuw = true;
    }
    return r;
}
