/* interp/memory.c -- the program's memory: every access goes through hd_eval_access.
 *
 * Private and local memory are the interpreter's own, so accesses through pointers of those classes
 * are checked against their bounds. Other pointers refer to host memory; there only addresses that
 * cannot be valid are caught.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/round.h"
#include "interp/access.h"
#include "interp/meet.h"
#include "interp/shadow.h"
#include "interp/state.h"
#include "interp/sync.h"
#include "interp/watch_state.h"

/* No object of a host is in its first page. */
#define FIRST_ADDRESS 4096u

static const unsigned char *private_of(const HdEval *e, unsigned lane)
{
    return e->sub->private_at + lane * e->run->private_lane;
}

static bool is_inside(uint64_t address, uint64_t bytes, const void *start, uint64_t room)
{
    uint64_t first = (uint64_t)(uintptr_t)start;

    return address >= first && address - first <= room && bytes <= room - (address - first);
}

/* Does an address lie in the lane's private memory? */
static bool is_private(const HdEval *e, unsigned lane, uint64_t address, uint64_t bytes)
{
    return is_inside(address, bytes, private_of(e, lane), e->run->private_lane);
}

bool hd_eval_is_private_of_any(const HdEval *e, uint64_t address)
{
    const HdInterpRun *r = e->run;

    return is_inside(address, 1, r->subs[0].private_at,
                     (uint64_t)r->sub_count * e->width * r->private_lane);
}

bool hd_eval_is_local(const HdEval *e, uint64_t address, uint64_t bytes)
{
    return is_inside(address, bytes, e->run->local, e->g->local_bytes);
}

/* Say what is wrong with an access that is not fine. */
static HdStatus complain(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                         uint64_t bytes, uint64_t align, HdEvalAccess how)
{
    static const char *const verbs[] = {"read of", "write of", "atomic operation on",
                                        "atomic read of"};
    const char *what = verbs[how];

    if (address < FIRST_ADDRESS || address + bytes < address)
        return hd_eval_bad(e, lane, "interp.null", "%s %llu bytes at %s address 0x%llx", what,
                           (unsigned long long)bytes, address == 0 ? "the null" : "the invalid",
                           (unsigned long long)address);
    if (align > 1 && address % align != 0)
        return hd_eval_bad(e, lane, "interp.misaligned",
                           "%s %llu bytes at address 0x%llx, which is not aligned to %llu bytes",
                           what, (unsigned long long)bytes, (unsigned long long)address,
                           (unsigned long long)align);
    if (storage == SpvStorageClassWorkgroup)
        return hd_eval_bad(e, lane, "interp.local",
                           "%s %llu bytes outside the local memory of the work-group", what,
                           (unsigned long long)bytes);
    return hd_eval_bad(e, lane, "interp.private",
                       "%s %llu bytes outside the private memory of the work-item", what,
                       (unsigned long long)bytes);
}

HdStatus hd_eval_access(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                        uint64_t bytes, uint64_t align, HdEvalAccess how, void **host)
{
    bool fine;

    if (e->watch != NULL)
        return hd_access_access(e, lane, storage, address, bytes, align, how, host);
    fine = address >= FIRST_ADDRESS && address + bytes >= address &&
           (align <= 1 || (align & (align - 1)) != 0 || (address & (align - 1)) == 0);

    if (storage == SpvStorageClassFunction || storage == SpvStorageClassInput ||
        storage == SpvStorageClassPrivate)
        fine = fine && is_private(e, lane, address, bytes);
    else if (storage == SpvStorageClassWorkgroup)
        fine = fine && hd_eval_is_local(e, address, bytes);
    *host = (void *)(uintptr_t)address;
    return fine ? HD_OK : complain(e, lane, storage, address, bytes, align, how);
}

/* Sizes that the compiler knows are single accesses: other threads never see half of them. */
static void copy(void *to, const void *from, uint64_t bytes)
{
    switch (bytes) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memmove(to, from, (size_t)bytes);
    }
}

HdStatus hd_eval_read(HdEval *e, unsigned lane, uint32_t storage, uint64_t address, uint64_t align,
                      void *to, uint64_t bytes)
{
    void *from;

    HD_TRY(hd_eval_access(e, lane, storage, address, bytes, align, HD_EVAL_READ, &from));
    copy(to, from, bytes);
    if (e->watch != NULL && (uint64_t)(uintptr_t)from == address &&
        hd_shadow_memory_any(e, address, bytes))
        hd_eval_spoil(e, UINT64_C(1) << lane);
    return HD_OK;
}

/* x: the value that `from` is a lane's part of; NULL: not known. */
static HdStatus write_lane(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                           uint64_t align, const unsigned char *from, uint64_t bytes,
                           const HdSlot *x)
{
    HdStatus st;
    void *to;

    e->brings = from;
    st = hd_eval_access(e, lane, storage, address, bytes, align, HD_EVAL_WRITE, &to);
    e->brings = NULL;
    HD_TRY(st);
    copy(to, from, bytes);
    if (e->watch == NULL || (uint64_t)(uintptr_t)to != address)
        return HD_OK;
    hd_shadow_memory_define(e, address, bytes, x != NULL || !hd_shadow_lane(e, lane));
    if (x != NULL)
        hd_shadow_memory_wrote(e, lane, storage, address, x, (uint64_t)(from - hd_slot_at(x, lane)),
                               bytes);
    return HD_OK;
}

HdStatus hd_eval_write(HdEval *e, unsigned lane, uint32_t storage, uint64_t address, uint64_t align,
                       const void *from, uint64_t bytes)
{
    return write_lane(e, lane, storage, address, align, from, bytes, NULL);
}

HdStatus hd_eval_write_value(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                             uint64_t align, const HdSlot *x, uint64_t first, uint64_t bytes)
{
    return write_lane(e, lane, storage, address, align, hd_slot_at(x, lane) + first, bytes, x);
}

HdStatus hd_eval_initialise(HdEval *e, unsigned lane, uint64_t address, const HdSlot *x)
{
    HdSlot shadow;

    HD_TRY(hd_eval_write(e, lane, SpvStorageClassFunction, address, 1, hd_slot_at(x, lane),
                         hd_type_size(x->type)));
    if (e->watch != NULL && e->frame->dirty > 0 && hd_shadow_of(e, x, &shadow))
        hd_shadow_memory_put(e, address, hd_slot_at(&shadow, lane), hd_type_size(x->type));
    return HD_OK;
}

HdStatus hd_eval_storage(HdEval *e, HdId pointer, uint32_t *storage)
{
    const HdType *t = hd_module_type_of(e->m, pointer);

    if (t == NULL || t->kind != HD_T_POINTER)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer", "%%%u is not a pointer",
                           (unsigned)pointer);
    if (t->storage == SpvStorageClassUniformConstant && e->g->kernel->is_shader)
        return hd_eval_unsupported(e, "data in a heap of descriptors");
    *storage = t->storage;
    e->pointer = pointer;
    return HD_OK;
}

static bool is_own(uint32_t storage)
{
    return storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate ||
           storage == SpvStorageClassInput;
}

void hd_eval_asks(HdEval *e, uint32_t storage)
{
    if (!is_own(storage) && storage != SpvStorageClassWorkgroup)
        e->run->asks = true;
}

void hd_eval_acts(HdEval *e, uint32_t storage)
{
    if (!is_own(storage))
        e->run->acts = true;
}

HdStatus hd_eval_load_lanes(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                            const HdSlot *r, uint64_t bytes)
{
    if (e->watch != NULL)
        return hd_access_load(e, storage, p, align, r, bytes);
    for (HD_EACH_LANE(lane, e->mask))
        HD_TRY(hd_eval_read(e, lane, storage, hd_bits_get(hd_slot_at(p, lane), 8), align,
                            hd_slot_at(r, lane), bytes));
    return HD_OK;
}

HdStatus hd_eval_store_lanes(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                             const HdSlot *x, uint64_t bytes)
{
    hd_eval_acts(e, storage);
    if (e->watch != NULL)
        return hd_access_store(e, storage, p, align, x, bytes);
    for (HD_EACH_LANE(lane, e->mask))
        HD_TRY(hd_eval_write(e, lane, storage, hd_bits_get(hd_slot_at(p, lane), 8), align,
                             hd_slot_at(x, lane), bytes));
    return HD_OK;
}

HdStatus hd_eval_move(HdEval *e, unsigned lane, const HdEvalSide *to, const HdEvalSide *from,
                      uint64_t bytes)
{
    void *at, *source;
    HdStatus st;

    e->pointer = from->pointer;
    HD_TRY(hd_eval_access(e, lane, from->storage, from->address, bytes, from->align, HD_EVAL_READ,
                          &source));
    if (e->watch != NULL && (uint64_t)(uintptr_t)source != from->address)
        return HD_OK; /* there is nothing to copy */
    e->pointer = to->pointer;
    e->brings = source;
    st = hd_eval_access(e, lane, to->storage, to->address, bytes, to->align, HD_EVAL_WRITE, &at);
    e->brings = NULL;
    HD_TRY(st);
    memmove(at, source, (size_t)bytes);
    if (e->watch != NULL && (uint64_t)(uintptr_t)at == to->address)
        hd_shadow_memory_move(e, to->address, from->address, bytes);
    return HD_OK;
}

HdStatus hd_eval_exchange(HdEval *e, unsigned lane, const HdEvalSide *side, void *own,
                          uint64_t bytes, bool takes)
{
    uint64_t at = (uint64_t)(uintptr_t)own;
    HdStatus st;
    void *host;

    e->brings = takes ? NULL : own;
    st = hd_eval_access(e, lane, side->storage, side->address, bytes, side->align,
                        takes ? HD_EVAL_READ : HD_EVAL_WRITE, &host);
    e->brings = NULL;
    HD_TRY(st);
    memcpy(takes ? own : host, takes ? host : own, (size_t)bytes);
    if (e->watch == NULL)
        return HD_OK;
    if ((uint64_t)(uintptr_t)host != side->address) { /* it does not exist; that has been
                                                       * reported */
        if (takes)
            hd_shadow_memory_define(e, at, bytes, true);
        return HD_OK;
    }
    hd_shadow_memory_move(e, takes ? at : side->address, takes ? side->address : at, bytes);
    return HD_OK;
}

uint64_t hd_eval_variable_bytes(const HdEval *e, HdId variable)
{
    return e->watch != NULL ? hd_info_root(e->run->p, variable).bytes : 0;
}

void hd_eval_born(HdEval *e, uint64_t address, uint64_t bytes)
{
    if (e->watch != NULL)
        hd_shadow_memory_define(e, address, bytes, false);
}

HdStatus hd_eval_lifetime(HdEval *e, HdId pointer, bool begins)
{
    HdRoot root;
    uint64_t *dead;

    if (e->watch == NULL)
        return HD_OK;
    root = hd_info_root(e->run->p, pointer);
    if (root.kind != HD_ROOT_PRIVATE)
        return HD_OK;
    dead = &e->frame->dead[e->run->p->info.variable_number[root.id]];
    *dead = begins ? *dead & ~e->mask : *dead | e->mask;
    for (HD_EACH_LANE(lane, e->mask))
        hd_eval_born(e, (uint64_t)(uintptr_t)(private_of(e, lane) + e->frame->base + root.offset),
                     root.bytes);
    return HD_OK;
}

const HdBuildLayout *hd_eval_layout(const HdEval *e)
{
    return e->run->p->layout;
}

#define ORDER                                                                   \
    ((uint64_t)(SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask | \
                SpvMemorySemanticsAcquireReleaseMask |                          \
                SpvMemorySemanticsSequentiallyConsistentMask))

HdStatus hd_eval_scope(HdEval *e, HdId id, uint64_t *scope)
{
    uint64_t wrong = 0;
    HdSlot s;

    if (hd_module_constant_u64(e->m, id, scope))
        return HD_OK;
    HD_TRY(hd_eval_use(e, id, &s));
    *scope = SpvScopeInvocation;
    for (HD_EACH_LANE(lane, e->mask)) {
        const uint64_t named = hd_bits_get(hd_slot_at(&s, lane), hd_type_size(s.type));

        if (named > SpvScopeInvocation)
            wrong |= UINT64_C(1) << lane;
        else if (named < *scope)
            *scope = named;
    }
    return wrong == 0 ? HD_OK
                      : hd_eval_defect(e, wrong, "check.semantics", "name one of the scopes",
                                       "a scope that there is not");
}

HdStatus hd_eval_semantics(HdEval *e, HdId id, uint64_t *bits)
{
    uint64_t wrong = 0;
    HdSlot s;

    if (hd_module_constant_u64(e->m, id, bits))
        return HD_OK;
    HD_TRY(hd_eval_use(e, id, &s));
    *bits = 0;
    for (HD_EACH_LANE(lane, e->mask)) {
        const uint64_t asked = hd_bits_get(hd_slot_at(&s, lane), hd_type_size(s.type)),
                       order = asked & ORDER;

        if ((order & (order - 1)) != 0)
            wrong |= UINT64_C(1) << lane;
        *bits |= asked;
    }
    return wrong == 0 ? HD_OK
                      : hd_eval_defect(e, wrong, "check.semantics", "name one order at most",
                                       "memory semantics of more than one order");
}

HdStatus hd_eval_atomics(HdEval *e, HdEvalAtomic *a, uint64_t *good)
{
    void *host;

    *good = e->mask;
    hd_eval_asks(e, a->storage);
    if (e->watch != NULL) {
        a->orders = (a->semantics & ORDER) != 0 || e->run->p->info.has_fences;
        return hd_access_atomics(e, a, good);
    }
    for (HD_EACH_LANE(lane, e->mask))
        HD_TRY(hd_eval_access(e, lane, a->storage, hd_bits_get(hd_slot_at(a->pointer, lane), 8),
                              a->bytes, a->align, a->how, &host));
    return HD_OK;
}

void hd_eval_order(HdEval *e, uint64_t execution, uint64_t memory, uint64_t semantics)
{
    const uint64_t both =
        SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask;

    if (e->watch == NULL)
        return;
    if ((semantics & ORDER) == 0)
        semantics = 0;
    if (memory == SpvScopeQueueFamily)
        memory = SpvScopeDevice;
    hd_sync_shows(e, memory, semantics);
    if (execution == UINT64_MAX) {
        hd_sync_fence(e, memory, semantics);
    } else if (execution <= SpvScopeWorkgroup) {
        e->watch->is_barrier = true;
        e->watch->semantics = (semantics & both) != 0 ? semantics : 0;
        e->watch->orders = memory <= SpvScopeWorkgroup;
        if (memory < SpvScopeWorkgroup)
            hd_sync_fence(e, memory, semantics);
    } else if (memory <= SpvScopeSubgroup) {
        hd_meet_subgroup(e, semantics);
    }
}

HdStatus hd_eval_variable(HdEval *e, const HdInst *in, unsigned lane, uint64_t *address)
{
    uint64_t offset = e->run->p->variables[in->w[2]];

    if (offset == UINT64_MAX)
        return HD_BUG;
    e->pointer = in->w[2]; /* what is written first comes through no other one */
    *address = (uint64_t)(uintptr_t)(private_of(e, lane) + e->frame->base + offset);
    return HD_OK;
}

/* What a save names in a checked run: bytes in use, and which save it is. */
#define SERIAL_BIT 32u

static HdSave *saves_of(HdEval *e, unsigned lane, uint32_t **count)
{
    HdSubWatch *w = &e->sub->watch;

    *count = &w->save_count[lane];
    while (**count > 0 && w->saves[lane][**count - 1].depth > e->sub->depth)
        --**count; /* of functions that have been left */
    return w->saves[lane];
}

HdStatus hd_eval_grow(HdEval *e, unsigned lane, uint64_t bytes, uint64_t align, uint64_t *address)
{
    const HdInterpRun *r = e->run;
    uint64_t start = r->private_lane - r->p->vla_bytes, used = e->sub->vla[lane];
    uint32_t *count;

    if (align > 1)
        used = hd_round_up(used, align);
    if (used > r->p->vla_bytes || bytes > r->p->vla_bytes - used)
        return hd_eval_bad(e, lane, "interp.vla",
                           "variable-length arrays take more than %llu bytes",
                           (unsigned long long)r->p->vla_bytes);
    *address = (uint64_t)(uintptr_t)(private_of(e, lane) + start + used);
    e->sub->vla[lane] = used + bytes;
    hd_eval_born(e, *address, bytes);
    if (e->watch != NULL) {
        saves_of(e, lane, &count);
        if (*count == 0)
            return hd_eval_defect(e, UINT64_C(1) << lane, "check.no-save",
                                  "save memory before the first array is made",
                                  "a variable-length array without a save before it");
    }
    return HD_OK;
}

uint64_t hd_eval_mark(HdEval *e, unsigned lane)
{
    uint32_t *count;
    HdSave *saves;

    if (e->watch == NULL)
        return e->sub->vla[lane];
    saves = saves_of(e, lane, &count);
    if (*count == HD_MAX_SAVES) { /* the oldest is forgotten */
        memmove(saves, saves + 1, (HD_MAX_SAVES - 1) * sizeof *saves);
        --*count;
    }
    saves[(*count)++] = (HdSave){.serial = ++e->sub->watch.serial, .depth = e->sub->depth};
    return e->sub->vla[lane] | (uint64_t)e->sub->watch.serial << SERIAL_BIT;
}

HdStatus hd_eval_release(HdEval *e, unsigned lane, uint64_t mark)
{
    uint32_t serial = (uint32_t)(mark >> SERIAL_BIT), *count, at;
    HdSave *saves;

    if (e->watch != NULL) {
        saves = saves_of(e, lane, &count);
        at = *count;
        mark &= UINT32_MAX;
        while (at > 0 && saves[at - 1].serial != serial)
            at--;
        if (at == 0)
            return hd_eval_defect(e, UINT64_C(1) << lane, "check.restore",
                                  "restore each save once, the latest first",
                                  "memory is restored to a save that has been restored before, or "
                                  "that an older one's restore has undone");
        if (at != *count)
            HD_TRY(hd_eval_defect(e, UINT64_C(1) << lane, "check.restore",
                                  "restore each save once, the latest first",
                                  "memory is restored to a save although a later one has not been "
                                  "restored"));
        *count = at - 1;
    }
    if (mark < e->sub->vla[lane])
        e->sub->vla[lane] = mark;
    return HD_OK;
}
