/* interp/race_size.c -- atomic operations of different sizes on the same bytes.
 *
 * Vulkan orders two atomic operations only if they access the same set of memory locations, and
 * counts others as plain accesses of each other. Cells do not tell how large an operation was: a
 * shader that has several sizes keeps the last operation on each byte besides. OpenCL counts no two
 * atomic operations as a race.
 *
 * Spec: Vulkan, "Memory Model", "Atomic Operation", "Data Race".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/race_size.h"

#include <pthread.h>

#include "base/map.h"
#include "base/memory.h"
#include "interp/race.h"
#include "interp/watch_state.h"

typedef struct HdAtomicSizes {
    pthread_mutex_t lock;
    HdArena *arena;
    HdMap last; /* by address of a byte: a Last */
} HdAtomicSizes;

/* The last operation on a byte. */
typedef union Last {
    struct {
        uint32_t half;      /* as in cells */
        uint32_t bytes : 4; /* of the operation */
        uint32_t at : 3;    /* which of them this is */
        uint32_t wrote : 1;
        uint32_t group : 24; /* whose memory it is, of a work-group's */
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

static bool has_several(const HdModule *m)
{
    uint32_t word = m->first_function;
    uint64_t first = 0;

    for (HdInst in; hd_module_next(m, &word, &in);) {
        if (hd_gram_insts[in.opix].klass != HD_CLASS_Atomic)
            continue;
        if (first != 0 && size_of(m, &in) != first)
            return true;
        first = size_of(m, &in);
    }
    return false;
}

HdStatus hd_race_sizes_open(const HdModule *m, const HdKernelInfo *k, HdAtomicSizes **out)
{
    HdAtomicSizes *s;

    *out = NULL;
    if (!k->is_shader || !has_several(m))
        return HD_OK;
    HD_TAKE(s, hd_alloc_zero(sizeof *s));
    pthread_mutex_init(&s->lock, NULL);
    s->arena = hd_arena_open();
    *out = s;
    return s->arena != NULL ? HD_OK : HD_NO_MEMORY;
}

void hd_race_sizes_close(HdAtomicSizes *s)
{
    if (s == NULL)
        return;
    pthread_mutex_destroy(&s->lock);
    hd_arena_drop(s->arena);
    hd_free(s);
}

/* ---- operations ---------------------------------------------------------------------------- */

/* Replaces the last operation on a byte, and gives the one before. */
static bool replace(HdAtomicSizes *s, uint64_t address, Last now, Last *before)
{
    bool is;

    pthread_mutex_lock(&s->lock);
    is = hd_map_get(&s->last, address, &before->bits);
    (void)hd_map_put(s->arena, &s->last, address, now.bits); /* without memory nothing is found */
    pthread_mutex_unlock(&s->lock);
    return is;
}

static void touch(HdEval *e, unsigned lane, const HdCells *c, uint64_t address, uint64_t bytes,
                  HdEvalAccess how)
{
    const HdRaceClock k = hd_race_clock(e, lane, c);
    bool is_told = false;
    Last now = {.bits = 0}, before;

    now.half = k.me;
    now.bytes = (uint32_t)bytes & 15u;
    now.wrote = how == HD_EVAL_ATOMIC;
    now.group = c->is_local ? (uint32_t)e->g->number & 0xffffffu : 0;
    for (uint64_t i = 0; i < bytes; i++) {
        HdConflict x = {.cells = c, .address = address + i, .bytes = 1, .whole = bytes, .how = how};

        now.at = (uint32_t)i & 7u;
        if (!replace(e->watch->c->sizes, address + i, now, &before) || is_told ||
            before.group != now.group || (before.bytes == now.bytes && before.at == now.at) ||
            (!before.wrote && !now.wrote) || hd_race_sees(e, &k, before.half))
            continue;
        x.half = before.half;
        x.wrote = before.wrote;
        x.was_atomic = true;
        x.other_bytes = before.bytes;
        is_told = true;
        hd_race_report(e, lane, &k, &x);
    }
}

void hd_race_sizes_touch(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                         uint64_t bytes, HdEvalAccess how)
{
    const HdType *t = hd_inst_result(e->in) != 0 ? hd_module_type(e->m, e->in->w[1]) : NULL;

    /* Components of a vector are operations of their own. */
    if (e->watch->c->sizes == NULL || e->watch->is_silent || c->at == NULL ||
        (t != NULL && t->kind == HD_T_VECTOR))
        return;
    for (HD_EACH_LANE(lane, mask))
        touch(e, lane, c, address[lane], bytes, how);
}
