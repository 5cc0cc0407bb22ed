/* interp/alias.c -- arguments that promise not to alias.
 *
 * Only kernels with such an argument, and with two that point to the same memory, are looked at:
 * for each byte of that memory, which work-item touched it last and through which arguments.
 * Pointers that are kept in global memory are not followed: what is told is so, what is so may be
 * missed.
 *
 * check.restrict: memory that a restrict argument reaches is written through another, or the other
 *   way round.
 *
 * Spec: SPIR-V, "Function Parameter Attribute" (NoAlias); OpenCL C, "restrict" (C99, 6.7.3.1).
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "interp/state.h"

#define SEVERAL  31u
#define WRITTEN  32u
#define PROMISED 64u /* through a restrict argument */
#define WHO_BITS 7u

/* A byte: work-item + 1 in the launch << WHO_BITS | PROMISED | WRITTEN | argument + 1. */
typedef struct HdAlias {
    const HdRegion *region;
    _Atomic(uint64_t) *bytes; /* [region->bytes] */
} HdAlias;

struct HdAliases {
    uint32_t count;
    HdAlias at[];
};

static bool is_shared(const HdInterpCheck *c, const HdKernelInfo *k, uint32_t i)
{
    for (uint32_t other = 0; other < k->arg_count; other++)
        if (other != i && c->args[other] != NULL &&
            c->args[other]->at < c->args[i]->at + c->args[i]->bytes &&
            c->args[i]->at < c->args[other]->at + c->args[other]->bytes)
            return true;
    return false;
}

HdStatus hd_alias_open(HdInterpCheck *c, const HdKernelInfo *k)
{
    c->aliases = NULL;
    for (uint32_t i = 0; c->args != NULL && i < k->arg_count && i + 1 < SEVERAL; i++) {
        const HdRegion *r = c->args[i];
        uint32_t known = 0, count = c->aliases != NULL ? c->aliases->count : 0;
        struct HdAliases *more;

        if (r == NULL || !k->args[i].is_restrict || !is_shared(c, k, i))
            continue;
        r = hd_check_find(&c->map, r->at);
        while (known < count && c->aliases->at[known].region != r)
            known++;
        if (r == NULL || known < count || r->bytes > SIZE_MAX / 16)
            continue;
        HD_TAKE(more, hd_realloc(c->aliases, sizeof *more + (count + 1) * sizeof(HdAlias)));
        more->count = count;
        c->aliases = more;
        more->at[count] = (HdAlias){.region = r};
        HD_TAKE(more->at[count].bytes, hd_alloc_zero((size_t)r->bytes * sizeof(uint64_t)));
        more->count++;
    }
    return HD_OK;
}

void hd_alias_close(HdInterpCheck *c)
{
    for (uint32_t i = 0; c->aliases != NULL && i < c->aliases->count; i++)
        hd_free(c->aliases->at[i].bytes);
    hd_free(c->aliases);
    c->aliases = NULL;
}

/* One byte; false when the promise is broken there. */
static bool touch(_Atomic(uint64_t) *byte, uint64_t item, uint32_t argument, bool writes,
                  bool promises)
{
    uint64_t was = atomic_load_explicit(byte, memory_order_relaxed), now;
    uint32_t who = (uint32_t)was & SEVERAL;
    bool is_fine;

    if (was >> WHO_BITS != item)
        was = who = 0;
    is_fine = who == 0 || who == argument + 1 || (!writes && (was & WRITTEN) == 0) ||
              (!promises && (was & PROMISED) == 0);
    now = item << WHO_BITS | (was & (WRITTEN | PROMISED)) | (writes ? WRITTEN : 0) |
          (promises ? PROMISED : 0) | (who == 0 || who == argument + 1 ? argument + 1 : SEVERAL);
    atomic_store_explicit(byte, now, memory_order_relaxed);
    return is_fine;
}

void hd_alias_touch(HdEval *e, const HdRoot *root, uint64_t lanes, const uint64_t *address,
                    uint64_t bytes, bool writes)
{
    const HdAliases *all = e->watch->c->aliases;
    const HdKernelInfo *k = e->g->kernel;
    uint64_t broken = 0;

    if (root->kind != HD_ROOT_ARGUMENT || root->argument >= k->arg_count)
        return;
    for (HD_EACH_LANE(lane, lanes))
        for (uint32_t i = 0; i < all->count; i++) {
            const HdRegion *r = all->at[i].region;
            uint64_t at = address[lane] - r->at;
            uint64_t item = e->g->number * HD_MAX_GROUP_ITEMS + e->first + lane + 1;

            for (uint64_t b = 0; at < r->bytes && b < bytes && b < r->bytes - at; b++)
                if (!touch(&all->at[i].bytes[at + b], item, root->argument, writes,
                           k->args[root->argument].is_restrict))
                    broken |= UINT64_C(1) << lane;
        }
    if (broken != 0)
        hd_eval_defect(e, broken, "check.restrict",
                       "give the kernel different memory, or take the promise away",
                       "%s of memory that the work-item also reaches through another argument, "
                       "though one of them promises to be the only one",
                       writes ? "write" : "read");
}
