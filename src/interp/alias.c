/* interp/alias.c -- arguments that promise not to alias.
 *
 * Only kernels with such an argument, and with two that point to the same memory, are checked: for
 * each byte of that memory, which work-item accessed it last and through which arguments. Pointers
 * stored in global memory are not followed: reports are correct, but some violations may be missed.
 *
 * check.restrict: memory that a restrict argument reaches is written through another, or the other
 *   way round.
 *
 * Spec: SPIR-V, "Function Parameter Attribute" (NoAlias); OpenCL C, "restrict" (C99, 6.7.3.1).
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/alias.h"

#include "base/limits.h"
#include "base/memory.h"
#include "interp/facts.h"
#include "interp/report.h"
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

/* One byte: 0 if the promise holds there, else the argument through which it was accessed before +
 * 1, or SEVERAL.
 */
static uint32_t touch(_Atomic(uint64_t) *byte, uint64_t item, uint32_t argument, bool writes,
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
    return is_fine ? 0 : who;
}

static void add_argument(const HdKernelInfo *k, uint32_t i, HdStrbuf *out)
{
    const HdResource *r = &k->args[i].resource;

    if (k->args[i].kind == HD_ARG_BINDING)
        hd_strbuf_printf(out, "binding %u.%u", (unsigned)r->set, (unsigned)r->binding);
    else
        hd_strbuf_printf(out, "argument %u", (unsigned)i);
    if (k->args[i].name[0] != '\0')
        hd_strbuf_printf(out, " '%s'", k->args[i].name);
    if (k->args[i].is_restrict)
        hd_strbuf_add(out, " (restrict)");
}

static void tell(HdEval *e, uint64_t lanes, uint32_t argument, uint32_t other, const HdRegion *r,
                 bool writes)
{
    const HdKernelInfo *k = e->g->kernel;
    HdDefect d = {.other_place.word = HD_NO_PLACE,
                  .variable = k->args[argument].name[0] != '\0' ? k->args[argument].name : NULL,
                  .memory_at = r->at,
                  .memory_bytes = r->bytes};
    HdStrbuf message = {0}, memory = {0};
    char name[HD_REPORT_NAME];
    const char *path = hd_report_path(e, e->pointer, hd_lane_first(lanes), name);

    d.variable = path != NULL ? path : d.variable;
    hd_strbuf_printf(&message, "%s through ", writes ? "write" : "read");
    add_argument(k, argument, &message);
    hd_strbuf_add(&message, " of memory that the work-item also reaches through ");
    if (other < SEVERAL)
        add_argument(k, other - 1, &message);
    else
        hd_strbuf_add(&message, e->g->kernel->is_shader ? "several other bindings"
                                                        : "several other arguments");
    hd_strbuf_add(&message, ", though one of them promises to be the only one");
    hd_report_region(e, r, &memory);
    d.memory = hd_strbuf_text(&memory);
    hd_report(e, HD_ERROR, lanes, "check.restrict",
              e->g->kernel->is_shader
                  ? "bind different memory, or take the promise away"
                  : "give the kernel different memory, or take the promise away",
              hd_strbuf_text(&message), &d);
    hd_strbuf_free(&message);
    hd_strbuf_free(&memory);
}

/* A lane's access to memory that several arguments reach; the argument that violates the promise,
 * or 0. */
static uint32_t touch_lane(HdEval *e, const HdAlias *a, unsigned lane, uint32_t argument,
                           uint64_t address, uint64_t bytes, bool writes)
{
    uint64_t at = address - a->region->at, room = a->region->bytes;
    uint64_t item = e->g->number * HD_MAX_GROUP_ITEMS + e->first + lane + 1;
    uint32_t other = 0;

    for (uint64_t b = 0; at < room && b < bytes && b < room - at; b++) {
        uint32_t who = touch(&a->bytes[at + b], item, argument, writes,
                             e->g->kernel->args[argument].is_restrict);

        other = who != 0 ? who : other;
    }
    return other;
}

void hd_alias_touch(HdEval *e, const HdRoot *root, uint64_t lanes, const uint64_t *address,
                    uint64_t bytes, bool writes)
{
    const HdAliases *all = e->watch->c->aliases;

    if (root->kind != HD_ROOT_ARGUMENT || root->argument >= e->g->kernel->arg_count)
        return;
    for (uint32_t i = 0; i < all->count; i++) {
        uint64_t broken = 0;
        uint32_t other = 0;

        for (HD_EACH_LANE(lane, lanes)) {
            uint32_t who =
                touch_lane(e, &all->at[i], lane, root->argument, address[lane], bytes, writes);

            broken |= (uint64_t)(who != 0) << lane;
            other = who != 0 ? who : other;
        }
        if (broken != 0)
            tell(e, broken, root->argument, other, all->at[i].region, writes);
    }
}
