/* interp/race_mutual.c -- atomic operations that are plain accesses of each other.
 *
 * Two atomic operations are mutually ordered only if they access the same set of memory locations
 * and each is in the instance of the other's scope; others that overlap race like plain accesses.
 * Cells do not tell the size and scope of an operation: a shader that has several sizes, or scopes
 * narrower than what shares the memory, keeps an operation on each byte besides. That both take
 * the same reference (descriptor or address) is not compared.
 *
 * OpenCL has the rule of scopes, too ("inclusive scope"). Kernels are not held to it: clang-22
 * writes the work-group's scope for functions that have none (docs/limits.md).
 *
 * Spec: Vulkan, "Memory Model", "Atomic Operation", "Data Race"; OpenCL API, "Memory Ordering
 * Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/race_mutual.h"

#include <pthread.h>

#include "base/map.h"
#include "base/memory.h"
#include "interp/race.h"
#include "interp/sync.h"
#include "interp/watch_state.h"

typedef struct HdLastAtomics {
    pthread_mutex_t lock;
    HdArena *arena;
    HdMap last; /* by address of a byte: a Last */
} HdLastAtomics;

/* An operation on a byte: the last one, or an earlier one of the same group with a narrower scope.
 */
typedef union Last {
    struct {
        uint32_t half;      /* as in cells */
        uint32_t bytes : 4; /* of the operation */
        uint32_t at : 3;    /* which of them this is */
        uint32_t wrote : 1;
        uint32_t level : 2;  /* HdSyncLevel: who takes it as atomic */
        uint32_t group : 22; /* whose memory it is, of a work-group's */
    };
    uint64_t bits;
} Last;

/* ---- a launch's own ------------------------------------------------------------------------ */

static uint64_t size_of(const HdModule *m, const HdInst *in)
{
    const HdType *t = in->opix == HD_OPIX_AtomicStore ? hd_module_type_of(m, in->w[4])
                                                      : hd_module_type(m, in->w[1]);

    return t == NULL ? 0 : hd_type_size(t);
}

/* Does the atomic operation leave out some of those that share the memory? */
static bool is_narrow(const HdModule *m, const HdInst *in)
{
    const bool has_result = hd_inst_result(in) != 0;
    const HdType *pointer = hd_module_type_of(m, in->w[has_result ? 3 : 1]);
    uint64_t scope;

    if (!hd_module_constant_u64(m, in->w[has_result ? 4 : 2], &scope))
        return true;
    return scope == SpvScopeSubgroup || scope == SpvScopeInvocation ||
           (scope == SpvScopeWorkgroup && pointer != NULL &&
            pointer->storage != SpvStorageClassWorkgroup);
}

static bool may_race(const HdModule *m)
{
    uint32_t word = m->first_function;
    uint64_t first = 0;

    for (HdInst in; hd_module_next(m, &word, &in);) {
        if (hd_gram_insts[in.opix].klass != HD_CLASS_Atomic)
            continue;
        if ((first != 0 && size_of(m, &in) != first) || is_narrow(m, &in))
            return true;
        first = size_of(m, &in);
    }
    return false;
}

HdStatus hd_race_mutual_open(const HdModule *m, const HdKernelInfo *k, HdLastAtomics **out)
{
    HdLastAtomics *s;

    *out = NULL;
    if (!k->is_shader || !may_race(m))
        return HD_OK;
    HD_TAKE(s, hd_alloc_zero(sizeof *s));
    pthread_mutex_init(&s->lock, NULL);
    s->arena = hd_arena_open();
    *out = s;
    return s->arena != NULL ? HD_OK : HD_NO_MEMORY;
}

void hd_race_mutual_close(HdLastAtomics *s)
{
    if (s == NULL)
        return;
    pthread_mutex_destroy(&s->lock);
    hd_arena_drop(s->arena);
    hd_free(s);
}

/* ---- operations ---------------------------------------------------------------------------- */

static bool is_same_place(Last a, Last b)
{
    return a.bytes == b.bytes && a.at == b.at;
}

/* Would a later operation conflict with `before` where it does not with `now`? */
static bool is_kept(const HdRaceClock *k, Last before, Last now)
{
    return before.group == now.group && is_same_place(before, now) && before.level > now.level &&
           before.wrote >= now.wrote && hd_race_is_own_group(k, hd_cell_epoch(before.half));
}

/* Records the operation on a byte, and gives the one before. */
static bool replace(HdLastAtomics *s, const HdRaceClock *k, uint64_t address, Last now,
                    Last *before)
{
    bool is;

    pthread_mutex_lock(&s->lock);
    is = hd_map_get(&s->last, address, &before->bits);
    if (!is || !is_kept(k, *before, now))
        (void)hd_map_put(s->arena, &s->last, address, now.bits); /* without memory none is found */
    pthread_mutex_unlock(&s->lock);
    return is;
}

/* Is another invocation's operation outside of the scope of either? */
static bool is_out_of_scope(const HdEval *e, const HdRaceClock *k, Last before, Last now)
{
    const bool own_group = hd_race_is_own_group(k, hd_cell_epoch(before.half));

    switch (before.level > now.level ? before.level : now.level) {
    case HD_SYNC_EVERYBODY: return false;
    case HD_SYNC_GROUP: return !own_group;
    case HD_SYNC_SUBGROUP: return !own_group || hd_race_item(before.half) / e->width != e->subgroup;
    default: return true;
    }
}

static void touch(HdEval *e, unsigned lane, const HdCells *c, uint64_t address,
                  const HdEvalAtomic *a)
{
    const HdRaceClock k = hd_race_clock(e, lane, c);
    bool is_told = false;
    Last now = {.bits = 0}, before;

    now.half = k.me;
    now.bytes = (uint32_t)a->bytes & 15u;
    now.wrote = a->how == HD_EVAL_ATOMIC;
    now.level = hd_sync_level(e, a->scope) & 3u;
    now.group = c->is_local ? (uint32_t)e->g->number & 0x3fffffu : 0;
    for (uint64_t i = 0; i < a->bytes; i++) {
        HdConflict x = {
            .cells = c, .address = address + i, .bytes = 1, .whole = a->bytes, .how = a->how};

        now.at = (uint32_t)i & 7u;
        if (!replace(e->watch->c->last_atomics, &k, address + i, now, &before) || is_told ||
            before.group != now.group || (!before.wrote && !now.wrote) ||
            hd_race_sees(e, &k, before.half))
            continue;
        x.is_out_of_scope = is_same_place(before, now);
        if (x.is_out_of_scope && !is_out_of_scope(e, &k, before, now))
            continue;
        x.half = before.half;
        x.wrote = before.wrote;
        x.was_atomic = true;
        x.other_bytes = x.is_out_of_scope ? 0 : before.bytes;
        is_told = true;
        hd_race_report(e, lane, &k, &x);
    }
}

void hd_race_mutual_touch(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                          const HdEvalAtomic *a)
{
    const HdType *t = hd_inst_result(e->in) != 0 ? hd_module_type(e->m, e->in->w[1]) : NULL;

    /* Components of a vector are operations of their own. */
    if (e->watch->c->last_atomics == NULL || e->watch->is_silent || c->at == NULL ||
        (t != NULL && t->kind == HD_T_VECTOR))
        return;
    for (HD_EACH_LANE(lane, mask))
        touch(e, lane, c, address[lane], a);
}
