/* codegen/interleaved_access.c -- loads and stores of small vectors: each lane a few neighbouring
 * elements.
 *
 * The parts of a float4 are four accesses with the stride of all four. Together they cover every
 * byte between the first and the last lane's, so they are accessed as whole vectors and sorted by
 * shuffles: a fraction of the cost of as many gathers. A gap, as in a float3 or between members of
 * a structure, may belong to another thread or be unmapped: it is neither read nor written, which
 * takes masks that cost nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/access.h"
#include "codegen/emit.h"
#include "codegen/interleaved.h"
#include "codegen/strided.h"
#include "codegen/values.h"
#include "ir/edit.h"
#include "ir/linear.h"

#define MOST 16u /* accesses of a group */
/* LLVM scalarises one shuffle of five members or more element by element, and of three if two
 * stores use it; for eight it need not, and shuffles of two vectors each would be too many. */
#define MANY     5u
#define TOO_MANY 8u
#define FAR      400u /* instructions between the first and the last of a group, at most */

typedef struct Group {
    HdIrRef root;          /* address that all have in common */
    int64_t low;           /* distance of the first element from it */
    unsigned count, bytes; /* places for members; bytes of one element */
    unsigned present;      /* members */
    HdIrType type;
    HdIrRef member[MOST]; /* by their place in memory */
    LLVMValueRef mask;    /* NULL: all lanes */
} Group;

/* Could r be one of a group? Then how many that has. */
static unsigned members_of(const HdGen *g, HdIrRef r, Group *x)
{
    const HdIrInst *root;
    int64_t distance;

    if (!hd_gen_may_group(g, r))
        return 0;
    x->type = hd_gen_access_type(g, r);
    x->root = hd_linear_base(g->f, hd_ir_arg(g->f, r, 0), &distance);
    root = &g->f->insts.at[x->root];
    x->bytes = hd_ir_type_bytes(x->type);
    if ((root->shape != HD_SHAPE_AFFINE && root->shape != HD_SHAPE_ADDRESS) ||
        !hd_gen_has_s(g, x->root) || root->stride <= (int64_t)x->bytes ||
        root->stride > (int64_t)(MOST * x->bytes) || root->stride % x->bytes != 0)
        return 0;
    x->count = (unsigned)(root->stride / x->bytes);
    return x->count;
}

/* All members present, and their number a power of two. */
static bool is_whole(const Group *x)
{
    return x->present == x->count && (x->count & (x->count - 1)) == 0;
}

/* Is what the group lacks worth leaving out? Only where masks are free. */
static bool may_lack(const HdGen *g, const Group *x, bool stores)
{
    return is_whole(x) || ((g->has_avx512 || x->present == x->count) && x->present >= 2 &&
                           2 * x->present >= x->count && g->width * x->count <= HD_GEN_MOST_LANES &&
                           (stores || x->bytes >= 4));
}

static bool is_like(const HdGen *g, HdIrRef r, HdIrRef first, const Group *x, int64_t *distance)
{
    return g->f->insts.at[r].op == g->f->insts.at[first].op && hd_gen_may_group(g, r) &&
           hd_linear_base(g->f, hd_ir_arg(g->f, r, 0), distance) == x->root &&
           hd_ir_type_bytes(hd_gen_access_type(g, r)) == x->bytes &&
           hd_gen_access_mask(g, r) == hd_gen_access_mask(g, first) &&
           g->grouped[r] == g->grouped[first];
}

/* Accesses of a lane to other bytes of what the group is part of, which its members may pass. */
typedef struct Passed {
    int64_t from[MOST], to[MOST]; /* by distance from the root */
    unsigned count;
} Passed;

static bool is_apart(const Passed *p, int64_t distance, unsigned bytes)
{
    for (unsigned i = 0; i < p->count; i++)
        if (distance < p->to[i] && p->from[i] < distance + (int64_t)bytes)
            return false;
    return true;
}

static bool pass(Passed *p, int64_t distance, unsigned bytes)
{
    if (p->count == MOST)
        return false;
    p->from[p->count] = distance;
    p->to[p->count++] = distance + (int64_t)bytes;
    return true;
}

/* An access of the same root that is none of the group: stores go down past what they have no byte
 * in common with; what loads go up past is remembered for those that come. */
static bool may_pass(const HdGen *g, HdIrRef r, const Group *x, bool stores, Passed *p)
{
    const HdIrInst *in = &g->f->insts.at[r];
    unsigned bytes;
    int64_t distance;

    if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || (in->flags & HD_IR_VOLATILE) ||
        hd_linear_base(g->f, hd_ir_arg(g->f, r, 0), &distance) != x->root)
        return false;
    bytes = hd_ir_type_bytes(hd_gen_access_type(g, r));
    return stores ? is_apart(p, distance, bytes) : pass(p, distance, bytes);
}

/* Does r stand in the block from number `i` on? */
static bool is_from(const HdIrBlock *b, size_t i, HdIrRef r)
{
    for (size_t end = i + FAR; i < b->insts.count && i < end; i++)
        if (b->insts.at[i] == r)
            return true;
    return false;
}

/* Loads at number `i` of the block go up past stores before it that have been put off until behind
 * it. False when there are too many. */
static bool pass_deferred(const HdGen *g, const HdIrBlock *b, size_t i, const Group *x, Passed *p)
{
    int64_t distance;

    for (size_t k = i > FAR ? i - FAR : 0; k < i; k++) {
        HdIrRef r = b->insts.at[k];

        if (g->f->insts.at[r].op == HD_IR_STORE && g->grouped[r] != 0 && g->grouped[r] != r &&
            hd_linear_base(g->f, hd_ir_arg(g->f, r, 0), &distance) == x->root &&
            is_from(b, i, g->grouped[r]) &&
            !pass(p, distance, hd_ir_type_bytes(hd_gen_access_type(g, r))))
            return false;
    }
    return true;
}

/* Sort member r in by its distance from the root; false when its place is not in the group. */
static bool place(Group *x, HdIrRef r, int64_t distance)
{
    int64_t at = (distance - x->low) / (int64_t)x->bytes;

    if (distance < x->low || (distance - x->low) % x->bytes != 0 || at >= (int64_t)x->count ||
        x->member[at] != 0)
        return false;
    x->member[at] = r;
    return true;
}

/* Find the others of a group that begins with instruction `first`. Which of them is lowest is found
 * by trying: the first of a group in the code has the lowest address, or nearly so. */
static bool find_group(HdGen *g, HdIrRef first, Group *x)
{
    const HdIrBlock *b = &g->f->blocks.at[g->f->insts.at[first].block];
    bool stores = g->f->insts.at[first].op == HD_IR_STORE;
    HdIrRef found[MOST];
    int64_t distance[MOST], low = INT64_MAX;
    Passed passed = {.count = 0};
    unsigned n = 0;
    size_t i = 0;

    if (members_of(g, first, x) == 0)
        return false;
    while (i < b->insts.count && b->insts.at[i] != first)
        i++;
    if (!stores && !pass_deferred(g, b, i, x, &passed))
        return false;
    for (size_t end = i + FAR; i < b->insts.count && i < end && n < x->count; i++) {
        HdIrRef r = b->insts.at[i];

        if (is_like(g, r, first, x, &distance[n]) &&
            (stores ? pass(&passed, distance[n], x->bytes)
                    : is_apart(&passed, distance[n], x->bytes))) {
            low = distance[n] < low ? distance[n] : low;
            found[n++] = r;
        } else if (!hd_gen_may_cross(g, r, first) && !may_pass(g, r, x, stores, &passed)) {
            break;
        }
    }
    x->present = n;
    if (!may_lack(g, x, stores))
        return false;
    x->low = low;
    for (unsigned k = 0; k < MOST; k++)
        x->member[k] = 0;
    for (unsigned k = 0; k < n; k++)
        if (!place(x, found[k], distance[k]))
            return false;
    x->type = hd_gen_common_type(g, found, n);
    return true;
}

/* Every second element of a and b, the even or the odd ones. */
static LLVMValueRef half(HdGen *g, LLVMValueRef a, LLVMValueRef b, unsigned odd)
{
    LLVMValueRef index[64];

    for (unsigned i = 0; i < g->width; i++)
        index[i] = hd_gen_u32(g, 2 * i + odd);
    return LLVMBuildShuffleVector(g->b, a, b, LLVMConstVector(index, g->width), "");
}

/* Elements of a and b in turn: the lower or the upper half. */
static LLVMValueRef zip(HdGen *g, LLVMValueRef a, LLVMValueRef b, unsigned upper)
{
    LLVMValueRef index[64];

    for (unsigned i = 0; i < g->width; i++)
        index[i] = hd_gen_u32(g, (i + upper * g->width) / 2 + (i & 1) * g->width);
    return LLVMBuildShuffleVector(g->b, a, b, LLVMConstVector(index, g->width), "");
}

/* From memory order to one vector for each member: halves until each is alone. */
static void sort_apart(HdGen *g, LLVMValueRef *v, unsigned n)
{
    LLVMValueRef even[MOST], odd[MOST];

    if (n == 1)
        return;
    for (unsigned i = 0; i < n / 2; i++) {
        even[i] = half(g, v[2 * i], v[2 * i + 1], 0);
        odd[i] = half(g, v[2 * i], v[2 * i + 1], 1);
    }
    sort_apart(g, even, n / 2);
    sort_apart(g, odd, n / 2);
    for (unsigned i = 0; i < n / 2; i++) {
        v[2 * i] = even[i];
        v[2 * i + 1] = odd[i];
    }
}

static void sort_together(HdGen *g, LLVMValueRef *v, unsigned n)
{
    LLVMValueRef even[MOST], odd[MOST];

    if (n == 1)
        return;
    for (unsigned i = 0; i < n / 2; i++) {
        even[i] = v[2 * i];
        odd[i] = v[2 * i + 1];
    }
    sort_together(g, even, n / 2);
    sort_together(g, odd, n / 2);
    for (unsigned i = 0; i < n / 2; i++) {
        v[2 * i] = zip(g, even[i], odd[i], 0);
        v[2 * i + 1] = zip(g, even[i], odd[i], 1);
    }
}

/* The mask of `n` elements in the order of memory, from number `from` on: the lanes that they
 * belong to, none where a member is missing. NULL: all of them. */
static LLVMValueRef mask_of(HdGen *g, const Group *x, unsigned from, unsigned n)
{
    LLVMValueRef index[HD_GEN_MOST_LANES], there[HD_GEN_MOST_LANES], mask = NULL;

    for (unsigned i = 0; i < n; i++) {
        index[i] = hd_gen_u32(g, (from + i) / x->count);
        there[i] = LLVMConstInt(g->i1, x->member[(from + i) % x->count] != 0, 0);
    }
    if (x->mask != NULL)
        mask = LLVMBuildShuffleVector(g->b, x->mask, LLVMGetPoison(LLVMTypeOf(x->mask)),
                                      LLVMConstVector(index, n), "");
    if (x->present == x->count)
        return mask;
    return mask != NULL ? LLVMBuildAnd(g->b, mask, LLVMConstVector(there, n), "")
                        : LLVMConstVector(there, n);
}

static LLVMValueRef long_mask(HdGen *g, const Group *x)
{
    return mask_of(g, x, 0, g->width * x->count);
}

/* That of each vector; cut from one long mask, which takes less, where members are missing or are
 * not a power of two. */
static void part_masks(HdGen *g, const Group *x, LLVMValueRef *masks)
{
    LLVMValueRef all = is_whole(x) ? NULL : long_mask(g, x);

    for (unsigned k = 0; k < x->count; k++)
        masks[k] = is_whole(x)   ? mask_of(g, x, k * g->width, g->width)
                   : all != NULL ? hd_gen_lanes_of(g, all, k * g->width, g->width)
                                 : NULL;
}

static LLVMValueRef vector_at(HdGen *g, const Group *x, unsigned k)
{
    int64_t distance = x->low + (int64_t)((uint64_t)k * g->width * x->bytes);

    return hd_gen_offset(g, hd_gen_s(g, x->root), hd_gen_u64(g, (uint64_t)distance));
}

static unsigned alignment(const HdGen *g, const Group *x)
{
    return hd_gen_least_align(g, x->member, x->count, x->bytes);
}

/* A lane's bytes or halves that fill a word are loaded and stored as that, and separated by
 * shifts. */
static LLVMTypeRef word_of(HdGen *g, const Group *x)
{
    unsigned bytes = x->bytes * x->count;

    return is_whole(x) && x->bytes <= 2 && bytes <= 8 ? g->vector[hd_ir_int_of(bytes)] : NULL;
}

/* Members from number `from` on, as many as `word` holds. `at`: one place for all lanes, or each
 * lane's. */
static void load_words(HdGen *g, const Group *x, LLVMTypeRef word, LLVMValueRef at, unsigned from,
                       unsigned n, LLVMValueRef *v)
{
    LLVMValueRef all = hd_gen_load_at(g, word, at, x->mask, alignment(g, x));

    for (unsigned k = 0; k < n; k++)
        v[from + k] = hd_gen_part(g, all, x->bytes * k, x->type);
}

static void store_words(HdGen *g, const Group *x, LLVMTypeRef word, LLVMValueRef at, unsigned from,
                        unsigned n, LLVMValueRef *v)
{
    LLVMValueRef all = hd_gen_join(g, v + from, n, x->type, word);

    hd_gen_store_at(g, all, at, x->mask, alignment(g, x));
}

/* Are there as many places as sorting takes? With eight or sixteen some may lack a member: from one
 * long vector LLVM would collect each member separately, element by element or from all registers:
 * several times the code, which takes seconds to compile where a kernel has hundreds of them. */
static bool is_sorted(const Group *x)
{
    return (x->count & (x->count - 1)) == 0 && (x->present == x->count || x->count >= TOO_MANY);
}

static void load_near(HdGen *g, const Group *x, LLVMValueRef *v)
{
    LLVMTypeRef word = word_of(g, x);
    LLVMValueRef masks[MOST];

    if (word != NULL) {
        load_words(g, x, word, vector_at(g, x, 0), 0, x->count, v);
        return;
    }
    part_masks(g, x, masks);
    for (unsigned k = 0; k < x->count; k++)
        v[k] = hd_gen_load_at(g, g->vector[x->type], vector_at(g, x, k), masks[k], alignment(g, x));
    sort_apart(g, v, x->count);
    for (unsigned k = 0; k < x->count; k++)
        v[k] = x->member[k] != 0 ? v[k] : NULL;
}

static void store_vectors(HdGen *g, const Group *x, LLVMValueRef *v)
{
    LLVMValueRef masks[MOST];

    part_masks(g, x, masks);
    for (unsigned k = 0; k < x->count; k++)
        hd_gen_store_at(g, v[k], vector_at(g, x, k), masks[k], alignment(g, x));
}

static void store_near(HdGen *g, const Group *x, LLVMValueRef *v)
{
    LLVMTypeRef word = word_of(g, x);

    if (word != NULL) {
        store_words(g, x, word, vector_at(g, x, 0), 0, x->count, v);
        return;
    }
    for (unsigned k = 0; k < x->count; k++)
        v[k] = v[k] != NULL ? v[k] : LLVMGetPoison(g->vector[x->type]);
    sort_together(g, v, x->count);
    store_vectors(g, x, v);
}

/* The whole group in memory layout, for interleaved.c; removed again if unused. */
static LLVMValueRef load_long(HdGen *g, const Group *x)
{
    return hd_gen_load_at(g, LLVMVectorType(g->scalar[x->type], g->width * x->count),
                          vector_at(g, x, 0), long_mask(g, x), alignment(g, x));
}

/* Members' vectors as one in the order of memory, and the members' of that. */
static LLVMValueRef lengthen(HdGen *g, const Group *x, LLVMValueRef *v)
{
    LLVMValueRef part[2 * MOST], index[HD_GEN_MOST_LANES];
    unsigned n = g->width, left = 1;

    while (left < x->count)
        left *= 2;
    for (unsigned k = 0; k < left; k++)
        part[k] = k < x->count && v[k] != NULL ? v[k] : LLVMGetPoison(g->vector[x->type]);
    for (; left > 1; left /= 2) {
        for (unsigned i = 0; i < 2 * n; i++)
            index[i] = hd_gen_u32(g, i);
        for (unsigned k = 0; k < left / 2; k++)
            part[k] = LLVMBuildShuffleVector(g->b, part[2 * k], part[2 * k + 1],
                                             LLVMConstVector(index, 2 * n), "");
        n *= 2;
    }
    n = g->width * x->count;
    for (unsigned i = 0; i < n; i++)
        index[i] = hd_gen_u32(g, i % x->count * g->width + i / x->count);
    return LLVMBuildShuffleVector(g->b, part[0], LLVMGetPoison(LLVMTypeOf(part[0])),
                                  LLVMConstVector(index, n), "");
}

static LLVMValueRef member_of(HdGen *g, LLVMValueRef all, unsigned count, unsigned k)
{
    LLVMValueRef index[64];

    for (unsigned i = 0; i < g->width; i++)
        index[i] = hd_gen_u32(g, i * count + k);
    return LLVMBuildShuffleVector(g->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(index, g->width), "");
}

static void take_members(HdGen *g, const Group *x, LLVMValueRef all, LLVMValueRef *v)
{
    for (unsigned k = 0; k < x->count; k++)
        v[k] = x->member[k] != 0 ? member_of(g, all, x->count, k) : NULL;
}

static LLVMValueRef lanes_at(HdGen *g, const Group *x, unsigned k)
{
    int64_t distance = x->low + (int64_t)(k * x->bytes);

    return hd_gen_offset(g, hd_gen_v(g, x->root), hd_gen_u64(g, (uint64_t)distance));
}

/* Members that are gathered or scattered together if each lane has its own address: bytes and
 * halves that fill a word, which LLVM would fetch one by one with a branch each, and two words,
 * which take hardly longer than one. */
static unsigned together(HdGen *g, const Group *x)
{
    if (!is_whole(x))
        return 1;
    return word_of(g, x) != NULL ? x->count : x->bytes == 4 ? 2 : 1;
}

/* Lane by lane, where an index of the address wrapped. */
static void access_each(HdGen *g, const Group *x, bool stores, LLVMValueRef *v)
{
    unsigned n = together(g, x);
    LLVMTypeRef word = g->vector[hd_ir_int_of(n * x->bytes)];

    for (unsigned k = 0; k < x->count; k += n) {
        if (x->member[k] == 0)
            continue;
        if (n > 1 && stores)
            store_words(g, x, word, lanes_at(g, x, k), k, n, v);
        else if (n > 1)
            load_words(g, x, word, lanes_at(g, x, k), k, n, v);
        else if (stores)
            hd_gen_store_at(g, v[k], lanes_at(g, x, k), x->mask, alignment(g, x));
        else
            v[k] = hd_gen_gather(g, x->type, lanes_at(g, x, k), x->mask, alignment(g, x));
    }
}

/* The k-th vector of the group in memory layout, from the concatenated vectors of the members.
 */
static LLVMValueRef mixed(HdGen *g, const Group *x, LLVMValueRef *v, unsigned k)
{
    LLVMValueRef all = LLVMGetPoison(g->vector[x->type]), index[HD_GEN_MOST_LANES];

    for (unsigned m = 0; m < x->count; m++) {
        if (v[m] == NULL)
            continue;
        for (unsigned i = 0; i < g->width; i++) {
            unsigned at = k * g->width + i;

            index[i] = hd_gen_u32(g, at % x->count == m ? g->width + at / x->count : i);
        }
        all = LLVMBuildShuffleVector(g->b, all, v[m], LLVMConstVector(index, g->width), "");
    }
    return all;
}

/* Is it stored past the caches? */
static bool is_stream(HdGen *g, const Group *x)
{
    return x->mask == NULL && x->present == x->count &&
           hd_gen_is_stream(g, g->vector[x->type], vector_at(g, x, 0));
}

static bool is_mixed(HdGen *g, const Group *x)
{
    return !is_whole(x) && x->bytes >= 4 && x->count < TOO_MANY &&
           (x->count >= MANY || (x->count == 3 && is_stream(g, x)));
}

static void store_mixed(HdGen *g, const Group *x, LLVMValueRef *v)
{
    LLVMValueRef all[TOO_MANY];

    for (unsigned k = 0; k < x->count; k++)
        all[k] = mixed(g, x, v, k);
    if (is_stream(g, x))
        hd_gen_store_stream(g, all, x->count, vector_at(g, x, 0), alignment(g, x));
    else
        store_vectors(g, x, all);
}

/* Returns the result of a load in memory layout, or NULL; `all` is the operand of a store in that
 * layout, or NULL. */
static LLVMValueRef access_near(HdGen *g, const Group *x, bool stores, LLVMValueRef *v,
                                LLVMValueRef all)
{
    if (!stores) {
        all = g->width * x->count <= HD_GEN_MOST_LANES ? load_long(g, x) : NULL;
        if (is_sorted(x))
            load_near(g, x, v);
        else
            take_members(g, x, all, v);
        return all;
    }
    if (all == NULL && is_mixed(g, x))
        store_mixed(g, x, v);
    else if (all == NULL && is_sorted(x))
        store_near(g, x, v);
    else
        hd_gen_store_at(g, all != NULL ? all : lengthen(g, x, v), vector_at(g, x, 0),
                        long_mask(g, x), alignment(g, x));
    return NULL;
}

static LLVMValueRef access_group(HdGen *g, const Group *x, bool stores, LLVMValueRef *v,
                                 LLVMValueRef all)
{
    LLVMValueRef ok = hd_gen_ok_for(g, x->root, x->mask), other[MOST], longs[2] = {NULL, NULL};
    HdGenWays w;

    if (ok == NULL)
        return access_near(g, x, stores, v, all);
    for (unsigned k = 0; k < x->count; k++)
        other[k] = v[k];
    hd_gen_ways_begin(g, ok, &w);
    longs[0] = access_near(g, x, stores, v, all);
    hd_gen_ways_next(g, &w);
    for (unsigned k = 0; k < x->count && stores && all != NULL; k++)
        other[k] = member_of(g, all, x->count, k);
    access_each(g, x, stores, other);
    if (!stores && g->width * x->count <= HD_GEN_MOST_LANES)
        longs[1] = lengthen(g, x, other);
    hd_gen_ways_end(g, &w);
    for (unsigned k = 0; k < x->count && !stores; k++)
        v[k] = v[k] != NULL ? hd_gen_either(g, &w, v[k], other[k]) : NULL;
    return longs[0] != NULL ? hd_gen_either(g, &w, longs[0], longs[1]) : NULL;
}

/* Loads are emitted at the position of the first of them, stores at that of the last. */
bool hd_gen_interleaved_access(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef v[MOST] = {NULL}, all = NULL;
    HdIrRef value[MOST];
    Group x = {0};
    HdIrType t;

    if (in->op != HD_IR_LOAD && in->op != HD_IR_STORE)
        return false;
    if (g->grouped[r] != 0) {
        if (in->op == HD_IR_LOAD || g->grouped[r] != r)
            return true;
        /* The last store: find the group again from its first. */
        if (!find_group(g, g->first_of[r], &x))
            return false;
    } else if (!find_group(g, r, &x)) {
        return false;
    }
    x.mask = hd_gen_mask(g, in, r);
    if (in->op == HD_IR_STORE && g->grouped[r] == 0) {
        hd_gen_defer(g, r, x.member, x.count);
        return true;
    }
    for (unsigned k = 0; k < x.count && in->op == HD_IR_STORE; k++) {
        value[k] = x.member[k] != 0 ? hd_ir_arg(g->f, x.member[k], 1) : 0;
        v[k] = value[k] != 0 ? LLVMBuildBitCast(g->b, hd_gen_v(g, value[k]), g->vector[x.type], "")
                             : NULL;
    }
    if (in->op == HD_IR_STORE)
        all = hd_gen_interleaved(g, value, x.count);
    all = access_group(g, &x, in->op == HD_IR_STORE, v, all);
    for (unsigned k = 0; k < x.count && in->op == HD_IR_LOAD; k++) {
        if (x.member[k] == 0)
            continue;
        t = hd_gen_access_type(g, x.member[k]);
        g->grouped[x.member[k]] = r;
        hd_gen_set(g, x.member[k], NULL, LLVMBuildBitCast(g->b, v[k], g->vector[t], ""));
        if (t == x.type)
            g->packs[x.member[k]] = (HdGenInterleaved){.all = all, .part = k, .parts = x.count};
    }
    return true;
}
