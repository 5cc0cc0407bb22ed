/* interp/classify.c -- classifies invalid accesses: no memory there, other memory, or memory that
 * no longer exists.
 *
 * check.out-of-bounds: an access reaches outside the memory that its pointer is for.
 * check.index: an index leaves its array, but not the memory that the array is in.
 * check.wrong-class: a pointer of one storage class is used for memory of another.
 * check.private-escape: a work-item uses the private memory of another one.
 * check.lifetime: a variable is accessed after its life has ended.
 * check.freed-array: a variable-length array is accessed after its memory was restored.
 * check.dangling: a pointer to a variable of a function that has returned is used.
 * check.read-only: memory is written that kernels may only read.
 * check.write-only: memory is read that kernels may only write.
 * check.mapped: memory is written that the host has mapped.
 * check.released: a buffer or allocation is accessed after the host has released it.
 * check.wild-pointer: an address is accessed that belongs to no memory of the program.
 * check.null: memory is accessed through a null pointer.
 * check.misaligned: an address is not aligned as the access promises.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/classify.h"

#include <sys/mman.h>
#include <unistd.h>

#include "interp/info.h"
#include "interp/report.h"
#include "interp/rows.h"
#include "interp/state.h"

#define NEAR_BYTES 65536u

enum { HD_PART_BEHIND = 1, HD_PART_BEFORE = 2 };

static const char *const verbs[] = {"read of", "write of", "atomic operation on", "atomic read of"};

/* ---- bounds -------------------------------------------------------------------------------- */

const HdRegion *hd_classify_bound(const HdEval *e, const HdRoot *root)
{
    const HdInterpCheck *c = e->watch->c;

    if (root->kind == HD_ROOT_PROGRAM && e->g->program != NULL)
        return hd_check_find(&c->map, (uint64_t)(uintptr_t)e->g->program + root->offset);
    if (root->kind != HD_ROOT_ARGUMENT || root->argument >= e->g->kernel->arg_count ||
        c->args == NULL)
        return NULL;
    return c->args[root->argument];
}

static bool is_local_argument(const HdEval *e, uint32_t i, uint64_t *first)
{
    if (e->g->kernel->args[i].kind != HD_ARG_LOCAL)
        return false;
    memcpy(first, e->g->args + e->g->kernel->args[i].offset, sizeof *first);
    return true;
}

/* Where the place in local memory that begins at `first` ends. */
static uint64_t local_end(const HdEval *e, uint64_t first)
{
    uint64_t end = e->g->local_bytes, at;

    for (uint32_t i = 0; i < e->g->kernel->arg_count; i++)
        if (is_local_argument(e, i, &at) && at > first && at < end)
            end = at;
    return end;
}

bool hd_classify_local(const HdEval *e, const HdRoot *root, uint64_t offset, uint64_t *first,
                       uint64_t *bytes)
{
    const HdInterpProgram *p = e->run->p;
    const HdBuildLayout *l = p->layout;

    if (root->kind == HD_ROOT_LOCAL) {
        *first = root->offset;
        *bytes = root->bytes;
        return true;
    }
    if (root->kind == HD_ROOT_ARGUMENT && root->argument < e->g->kernel->arg_count &&
        is_local_argument(e, root->argument, first)) {
        *bytes = e->watch->c->local_sizes != NULL ? e->watch->c->local_sizes[root->argument]
                                                  : local_end(e, *first) - *first;
        return true;
    }
    for (size_t i = 0; i < p->fixed_count; i++) {
        const HdFixed *f = &p->fixed[i];
        HdRoot r = hd_info_root(p, f->id);

        if (f->constant == NULL && f->id < l->bound && r.kind == HD_ROOT_LOCAL &&
            offset - r.offset < r.bytes) {
            *first = r.offset;
            *bytes = r.bytes;
            return true;
        }
    }
    for (uint32_t i = 0; i < e->g->kernel->arg_count; i++) {
        uint64_t size;

        if (!is_local_argument(e, i, first))
            continue;
        size = e->watch->c->local_sizes != NULL ? e->watch->c->local_sizes[i]
                                                : local_end(e, *first) - *first;
        if (offset - *first < size) {
            *bytes = size;
            return true;
        }
    }
    return false;
}

HdPrivateState hd_classify_private(const HdEval *e, unsigned lane, const HdRoot *root,
                                   uint64_t offset, uint64_t bytes)
{
    const HdInterpRun *r = e->run;
    const HdInterpFrame *f = e->frame;
    uint64_t arrays = r->private_lane - r->p->vla_bytes;
    const HdVariableInfo *v;

    if (root->kind == HD_ROOT_PRIVATE) {
        uint64_t at = offset - root->base - root->offset;

        while (f != NULL && (f->base != root->base || f->code->number != root->function))
            f = f->caller;
        if (f == NULL)
            return HD_PRIVATE_LEFT;
        if (at >= root->bytes || bytes > root->bytes - at)
            return HD_PRIVATE_OUTSIDE;
        return (f->dead[r->p->info.variable_number[root->id]] >> lane & 1) != 0 ? HD_PRIVATE_DEAD
                                                                                : HD_PRIVATE_FINE;
    }
    if (offset < r->p->input_bytes)
        return bytes <= r->p->input_bytes - offset ? HD_PRIVATE_FINE : HD_PRIVATE_OUTSIDE;
    if (offset >= arrays)
        return offset - arrays + bytes <= e->sub->vla[lane] ? HD_PRIVATE_FINE : HD_PRIVATE_LEFT;
    for (; f != NULL; f = f->caller) {
        if (offset < f->base)
            continue;
        if (offset - f->base >= f->code->own_bytes)
            return HD_PRIVATE_LEFT; /* above what runs: a frame that is gone */
        v = hd_info_variable(r->p, f->code->number, 0, offset - f->base);
        if (v == NULL || bytes > v->bytes - (offset - f->base - v->offset))
            return HD_PRIVATE_OUTSIDE;
        return (f->dead[v->number] >> lane & 1) != 0 ? HD_PRIVATE_DEAD : HD_PRIVATE_FINE;
    }
    return HD_PRIVATE_OUTSIDE;
}

/* The memory that a shader's device address leads to; NULL: none, or another pointer's root. */
static const HdRegion *addressed(HdEval *e, unsigned lane)
{
    const HdType *t = hd_module_type_of(e->m, e->pointer);
    const HdRegion *r;
    uint64_t at;
    HdSlot s;

    if (t == NULL || t->kind != HD_T_POINTER ||
        t->storage != SpvStorageClassPhysicalStorageBuffer ||
        hd_eval_use(e, e->pointer, &s) != HD_OK)
        return NULL;
    at = hd_bits_get(hd_slot_at(&s, lane), 8);
    r = hd_check_find(&e->watch->c->map, at);
    return r != NULL ? r : hd_check_find_near(&e->watch->c->map, at, NEAR_BYTES);
}

/* Which of a pointer's indexes is wrong, and in which direction: two findings. */
static uint32_t part_of(uint32_t number, bool is_before)
{
    return 2 * number + (is_before ? HD_PART_BEFORE : HD_PART_BEHIND);
}

static void tell_index(HdEval *e, uint64_t lanes, const HdRoot *root, HdEvalAccess how,
                       int64_t index, uint64_t extent, uint32_t part)
{
    const HdRegion *bound = hd_classify_bound(e, root);
    HdStrbuf message = {0}, memory = {0};
    HdDefect d = {.part = part};
    char name[HD_REPORT_NAME];

    hd_strbuf_printf(&message, "%s element %lld of an array or vector of %llu", verbs[how],
                     (long long)index, (unsigned long long)extent);
    d.other_place.word = HD_NO_PLACE;
    if (bound == NULL)
        bound = addressed(e, hd_lane_first(lanes));
    d.variable = hd_report_path(e, e->pointer, hd_lane_first(lanes), name);
    if (d.variable == NULL)
        d.variable = hd_report_variable(e, root->id, name);
    if (e->g->kernel->is_shader && bound != NULL) {
        hd_report_region(e, bound, &memory);
        d.memory = hd_strbuf_text(&memory);
    }
    hd_report(e, HD_ERROR, lanes, "check.index", "check the index against the array's length",
              hd_strbuf_text(&message), &d);
    hd_strbuf_free(&message);
    hd_strbuf_free(&memory);
}

uint64_t hd_classify_index(HdEval *e, const HdRoot *root, HdEvalAccess how)
{
    uint64_t bad = 0;

    for (uint32_t i = 0; i < root->index_count; i++) {
        const HdIndexCheck *check = &e->run->p->info.indexes.at[root->first_index + i];
        const uint64_t extent =
            check->is_matrix ? (check->extent + e->width - 1) / e->width : check->extent;
        uint64_t lanes[2] = {0}, bytes; /* behind the end, before the start */
        int64_t first[2] = {0};
        HdSlot s;

        if (hd_eval_use(e, check->index, &s) != HD_OK)
            return bad;
        bytes = hd_type_size(s.type);
        if (s.stride == bytes && hd_lane_row(e->mask) > 0 &&
            !hd_row_leaves(s.at, hd_lane_row(e->mask), (unsigned)bytes, extent))
            continue;
        for (HD_EACH_LANE(lane, e->mask)) {
            int64_t index = hd_int_get(hd_slot_at(&s, lane), bytes);

            if ((uint64_t)index >= extent) {
                first[index < 0] = lanes[index < 0] == 0 ? index : first[index < 0];
                lanes[index < 0] |= UINT64_C(1) << lane;
            }
        }
        for (unsigned k = 0; k < 2; k++)
            if (lanes[k] != 0)
                tell_index(e, lanes[k], root, how, first[k], extent, part_of(i, k != 0));
        bad |= lanes[0] | lanes[1];
    }
    return bad;
}

/* ---- words --------------------------------------------------------------------------------- */

typedef struct Finding {
    const char *rule, *hint;
    uint32_t part;
    const HdRegion *region; /* what is reached, or left; NULL: `bytes` at `at`, or unknown */
    uint64_t at, bytes;
    HdId variable;      /* that has been found there; 0 = known by the pointer's root, if at all */
    HdDefectItem owner; /* of private memory, when that is another work-item */
    HdStrbuf message;
} Finding;

/* Which variable of the functions that run there is at an offset in a work-item's private memory?
 */
static const HdVariableInfo *variable_at(const HdEval *e, const HdInterpFrame *f, uint64_t offset,
                                         uint64_t *base)
{
    while (f != NULL && offset < f->base)
        f = f->caller;
    if (f == NULL)
        return NULL;
    *base = f->base;
    return hd_info_variable(e->run->p, f->code->number, 0, offset - f->base);
}

/* Another work-item's private memory is reached: whose is it, and which variable? */
static void find_owner(const HdEval *e, uint64_t address, Finding *f)
{
    const HdInterpRun *r = e->run;
    uint64_t at = address - (uint64_t)(uintptr_t)r->subs[0].private_at, base;
    uint64_t item = at / r->private_lane, offset = at % r->private_lane;
    const HdVariableInfo *v = variable_at(e, r->subs[item / e->width].top, offset, &base);

    hd_report_item(e, e->g->number, item, &f->owner);
    if (v == NULL)
        return;
    f->variable = v->id;
    f->at = address - (offset - base - v->offset);
    f->bytes = v->bytes;
}

/* Of a private variable: its size, and its owner. */
static void say_variable(const HdEval *e, const HdAccess *a, const Finding *f, HdDefect *d,
                         HdStrbuf *memory, HdStrbuf *inst)
{
    HdInst made;

    hd_strbuf_printf(memory, "byte %llu of a private variable of %llu bytes",
                     (unsigned long long)(a->address - f->at), (unsigned long long)f->bytes);
    d->memory = hd_strbuf_text(memory);
    if (!hd_module_def(e->m, f->variable, &made))
        return;
    d->other = "the variable is made";
    d->other_item = f->owner;
    hd_report_place(e, &made, &d->other_place, inst);
}

static void say(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a, Finding *f)
{
    HdStrbuf memory = {0}, inst = {0};
    HdDefect d = {.address = a->address, .bytes = a->bytes, .part = f->part};
    char name[HD_REPORT_NAME];

    d.other_place.word = HD_NO_PLACE;
    d.variable =
        f->variable == 0 && f->region == NULL ? hd_report_path(e, e->pointer, lane, name) : NULL;
    if (d.variable == NULL)
        d.variable = f->variable != 0 ? hd_report_variable(e, f->variable, name)
                                      : hd_report_member(e, root->id, a->address, a->bytes, name);
    if (f->variable != 0)
        say_variable(e, a, f, &d, &memory, &inst);
    if (f->region != NULL) {
        hd_report_region(e, f->region, &memory);
        d.memory = hd_strbuf_text(&memory);
        d.memory_at = f->region->at;
        d.memory_bytes = f->region->bytes;
    } else if (f->bytes > 0) {
        d.memory_at = f->at;
        d.memory_bytes = f->bytes;
    }
    hd_report(e, HD_ERROR, UINT64_C(1) << lane, f->rule, f->hint, hd_strbuf_text(&f->message), &d);
    hd_strbuf_free(&memory);
    hd_strbuf_free(&inst);
    hd_strbuf_free(&f->message);
}

static void begin(Finding *f, const HdAccess *a)
{
    hd_strbuf_printf(&f->message, "%s %llu byte%s", verbs[a->how], (unsigned long long)a->bytes,
                     a->bytes == 1 ? "" : "s");
}

/* What is said of an access to a region. */
static void begin_in(Finding *f, const HdAccess *a, const HdRegion *r, const char *rule,
                     const char *hint)
{
    f->rule = rule;
    f->hint = hint;
    f->region = r;
    begin(f, a);
}

/* Text for a distance past the end of memory, or before its start. */
static void add_distance(Finding *f, uint64_t address, uint64_t bytes, uint64_t at, uint64_t room)
{
    f->part = part_of(0, address < at);
    if (address < at)
        hd_strbuf_printf(&f->message, " %llu byte%s before the start of",
                         (unsigned long long)(at - address), at - address == 1 ? "" : "s");
    else if (address - at < room)
        hd_strbuf_printf(&f->message, " at %llu, which reaches %llu bytes behind the end of",
                         (unsigned long long)(address - at),
                         (unsigned long long)(address - at + bytes - room));
    else if (address - at == room)
        hd_strbuf_add(&f->message, " right behind the end of");
    else
        hd_strbuf_printf(&f->message, " %llu bytes behind the end of",
                         (unsigned long long)(address - at - room));
}

static bool outside(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a, Finding *f,
                    const HdRegion *r)
{
    begin_in(f, a, r, "check.out-of-bounds",
             "check the index against the size of the memory, or make it larger");
    add_distance(f, a->address, a->bytes, r->at, r->bytes);
    hd_strbuf_printf(&f->message, " %s", r->name);
    say(e, lane, root, a, f);
    return false;
}

/* Outside a variable-length array that the pointer comes from? */
static bool leaves_array(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a)
{
    HdSlot base, length;
    uint64_t at, bytes;

    if (root->kind != HD_ROOT_ARRAY || hd_eval_use(e, root->id, &base) != HD_OK ||
        hd_eval_use(e, root->argument, &length) != HD_OK)
        return false;
    at = a->address - hd_bits_get(hd_slot_at(&base, lane), 8);
    bytes = hd_bits_get(hd_slot_at(&length, lane), hd_type_size(length.type)) * root->bytes;
    return at >= bytes || a->bytes > bytes - at;
}

/* ---- classes ------------------------------------------------------------------------------- */

static bool is_mapped(uint64_t address, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = address & ~(page - 1);
    unsigned char found[64];

    for (uint64_t at = first; at < address + bytes; at += page)
        if (mincore((void *)(uintptr_t)at, page, found) != 0)
            return false;
    return true;
}

static bool wrong_class(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a, Finding *f,
                        const char *is, const char *of)
{
    f->rule = "check.wrong-class";
    f->hint = "a pointer must not be cast to a storage class that its memory is not in";
    begin(f, a);
    hd_strbuf_printf(&f->message, " of %s memory through a pointer to %s memory", is, of);
    say(e, lane, root, a, f);
    return false;
}

/* own: where the lane's private memory begins. */
static bool outside_private(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a,
                            Finding *f, uint64_t own)
{
    f->rule = "check.out-of-bounds";
    f->hint = "check the index against the variable's size";
    f->at = own + root->base + root->offset;
    f->bytes = root->bytes;
    begin(f, a);
    add_distance(f, a->address, a->bytes, f->at, f->bytes);
    hd_strbuf_printf(&f->message, " the private variable of %llu bytes",
                     (unsigned long long)root->bytes);
    say(e, lane, root, a, f);
    return false;
}

static bool wrong_private(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a,
                          Finding *f)
{
    const HdInterpRun *r = e->run;
    uint64_t own = (uint64_t)(uintptr_t)e->sub->private_at + lane * r->private_lane;
    uint64_t all = (uint64_t)(uintptr_t)r->subs[0].private_at;
    HdPrivateState state;

    if (a->address - own >= r->private_lane) {
        if (a->address - (uint64_t)(uintptr_t)r->local < e->g->local_bytes)
            return wrong_class(e, lane, root, a, f, "local", "private");
        if (hd_check_find(&e->watch->c->map, a->address) != NULL)
            return wrong_class(e, lane, root, a, f, "global", "private");
        if (root->kind == HD_ROOT_PRIVATE)
            return outside_private(e, lane, root, a, f, own);
        f->rule = "check.out-of-bounds";
        f->hint = "check the index";
        begin(f, a);
        if (a->address - all < r->private_bytes && root->kind != HD_ROOT_ARGUMENT) {
            f->rule = "check.private-escape";
            f->hint = "a pointer to a work-item's private memory is of use to that work-item only";
            hd_strbuf_add(&f->message, " in the private memory of another work-item");
            find_owner(e, a->address, f);
        } else {
            hd_strbuf_add(&f->message, " outside the private memory of the work-item");
        }
        say(e, lane, root, a, f);
        return false;
    }
    state = leaves_array(e, lane, root, a)
                ? HD_PRIVATE_OUTSIDE
                : hd_classify_private(e, lane, root, a->address - own, a->bytes);
    if (state == HD_PRIVATE_FINE)
        return true;
    if (state == HD_PRIVATE_OUTSIDE && root->kind == HD_ROOT_PRIVATE)
        return outside_private(e, lane, root, a, f, own);
    begin(f, a);
    f->rule = state == HD_PRIVATE_OUTSIDE                             ? "check.out-of-bounds"
              : state == HD_PRIVATE_DEAD                              ? "check.lifetime"
              : a->address - own >= r->private_lane - r->p->vla_bytes ? "check.freed-array"
                                                                      : "check.dangling";
    f->hint = state == HD_PRIVATE_OUTSIDE ? "check the index against the variable's size"
                                          : "use the variable only while it lives";
    hd_strbuf_add(&f->message,
                  state == HD_PRIVATE_OUTSIDE ? " outside the private variable"
                  : state == HD_PRIVATE_DEAD  ? " in a private variable whose life is over"
                  : f->rule[6] == 'f'         ? " in a variable-length array that is empty or freed"
                                      : " in a private variable of a function that has been left");
    say(e, lane, root, a, f);
    return false;
}

static bool wrong_local(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a, Finding *f)
{
    const HdInterpRun *r = e->run;
    uint64_t base = (uint64_t)(uintptr_t)r->local, offset = a->address - base, first = 0, room = 0;
    bool known = hd_classify_local(e, root, offset, &first, &room);

    if (known && offset - first < room && a->bytes <= room - (offset - first))
        return true;
    if (offset >= e->g->local_bytes) {
        if (a->address - (uint64_t)(uintptr_t)r->subs[0].private_at < r->private_bytes)
            return wrong_class(e, lane, root, a, f, "private", "local");
        if (hd_check_find(&e->watch->c->map, a->address) != NULL)
            return wrong_class(e, lane, root, a, f, "global", "local");
    }
    f->rule = "check.out-of-bounds";
    f->hint = "check the index against the size of the local memory";
    begin(f, a);
    if (known) {
        f->at = base + first;
        f->bytes = room;
        add_distance(f, a->address, a->bytes, base + first, room);
        hd_strbuf_printf(&f->message, " local memory of %llu bytes", (unsigned long long)room);
    } else {
        hd_strbuf_add(&f->message, " outside the local memory of the work-group");
    }
    say(e, lane, root, a, f);
    return false;
}

/* Outside a sub-buffer but inside its parent: the access is performed all the same. */
static bool is_of_same_buffer(const HdRegion *part, const HdRegion *r, const HdAccess *a)
{
    return part->kind == HD_REGION_SUB_BUFFER && r != NULL && r->at <= part->at &&
           part->at - r->at < r->bytes && a->bytes <= r->bytes - (a->address - r->at);
}

static bool is_constant(const HdEval *e, const HdAccess *a, const HdRegion *r)
{
    if (a->storage == SpvStorageClassUniformConstant || r->is_read_only)
        return true;
    for (uint32_t i = 0; e->watch->c->args != NULL && i < e->g->kernel->arg_count; i++) {
        const HdRegion *arg = e->watch->c->args[i];

        if (arg != NULL && e->g->kernel->args[i].kind == HD_ARG_CONSTANT &&
            a->address - arg->at < arg->bytes)
            return true;
    }
    return false;
}

static bool wrong_usm(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a, Finding *f,
                      const HdRegion *r)
{
    bool host = a->storage == SpvStorageClassHostOnlyINTEL && r->kind == HD_REGION_DEVICE;
    bool device = a->storage == SpvStorageClassDeviceOnlyINTEL && r->kind == HD_REGION_HOST;

    if (host)
        return !wrong_class(e, lane, root, a, f, "the device's", "the host's");
    return device && !wrong_class(e, lane, root, a, f, "the host's", "the device's");
}

#define MAX_PARTS 8u /* of a vector or structure that are written one by one */

/* Is a value changed in part and written where it was, and nothing else? Compilers make that of a
 * component that is written alone. */
static bool goes_back(const HdInterpCode *c, HdId id, HdId pointer, unsigned depth)
{
    uint32_t count = c->function->block_count ? c->first[c->function->block_count] : 0;

    for (uint32_t i = 0; i < count; i++) {
        const HdInst *in = &c->insts[i];
        bool is_part = in->opix == HD_OPIX_CompositeInsert || in->opix == HD_OPIX_VectorShuffle ||
                       in->opix == HD_OPIX_VectorInsertDynamic;

        for (uint32_t w = 1; w < in->nwords; w++) {
            if (in->w[w] != id || id == hd_inst_result(in))
                continue;
            if (!(in->opix == HD_OPIX_Store && w == 2 && in->w[1] == pointer) &&
                !(is_part && depth > 0 && goes_back(c, in->w[2], pointer, depth - 1)))
                return false;
        }
    }
    return true;
}

static bool wrong_global(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a,
                         Finding *f)
{
    const HdCheckMap *map = &e->watch->c->map;
    const HdRegion *bound = hd_classify_bound(e, root), *r = hd_check_find(map, a->address);

    if (bound != NULL &&
        (a->address < bound->at || a->address + a->bytes > bound->at + bound->bytes))
        return outside(e, lane, root, a, f, bound) || is_of_same_buffer(bound, r, a);
    if (r != NULL && a->bytes > r->bytes - (a->address - r->at))
        return outside(e, lane, root, a, f, r);
    if (r != NULL && a->how != HD_EVAL_READ && a->how != HD_EVAL_ATOMIC_READ &&
        is_constant(e, a, r)) {
        begin_in(f, a, r, "check.read-only", "do not cast away what makes memory constant");
        hd_strbuf_add(&f->message, " in memory that kernels may only read");
        say(e, lane, root, a, f);
        return false;
    }
    if (r != NULL && a->how != HD_EVAL_READ && a->how != HD_EVAL_ATOMIC_READ &&
        atomic_load(&r->maps) > 0 && a->address < r->mapped_end &&
        a->address + a->bytes > r->mapped_at) {
        begin_in(f, a, r, "check.mapped", "unmap the memory before the kernel is enqueued");
        hd_strbuf_printf(&f->message, " in %s while the host has it mapped", r->name);
        say(e, lane, root, a, f);
        return true; /* what it says is done all the same */
    }
    if (r != NULL && a->how == HD_EVAL_READ && r->is_write_only &&
        !(e->in->opix == HD_OPIX_Load &&
          goes_back(e->frame->code, e->in->w[2], e->in->w[3], MAX_PARTS))) {
        begin_in(f, a, r, "check.write-only", "create the buffer with CL_MEM_READ_WRITE");
        hd_strbuf_add(&f->message, " in memory that kernels may only write");
        say(e, lane, root, a, f);
        return true;
    }
    if (r != NULL)
        return !wrong_usm(e, lane, root, a, f, r);
    if (a->address - (uint64_t)(uintptr_t)e->run->subs[0].private_at < e->run->private_bytes)
        return wrong_class(e, lane, root, a, f, "private", "global");
    if (a->address - (uint64_t)(uintptr_t)e->run->local < e->g->local_bytes)
        return wrong_class(e, lane, root, a, f, "local", "global");
    r = hd_check_find_released(map, a->address);
    if (r != NULL) {
        f->rule = "check.released";
        f->hint = r->taken != NULL ? "keep memory that was given with CL_MEM_USE_HOST_PTR until "
                                     "the buffer is gone and the commands on it have ended"
                                   : "keep the memory until the kernel has ended";
        f->region = r;
        begin(f, a);
        if (r->taken != NULL)
            hd_strbuf_printf(&f->message, " in %s, whose memory %s has now: was it freed?", r->name,
                             r->taken);
        else
            hd_strbuf_printf(&f->message, " in %s, which has been released", r->name);
        say(e, lane, root, a, f);
        return false;
    }
    if (!e->watch->c->knows_all_memory && is_mapped(a->address, a->bytes) &&
        hd_check_find_near(map, a->address, 256) == NULL)
        return true; /* the host's own */
    r = hd_check_find_near(map, a->address, NEAR_BYTES);
    if (r != NULL)
        return outside(e, lane, root, a, f, r);
    f->rule = "check.wild-pointer";
    f->hint = "the pointer was computed from something that is not a pointer, or far outside";
    begin(f, a);
    hd_strbuf_printf(&f->message, " at 0x%llx, where no memory is", (unsigned long long)a->address);
    say(e, lane, root, a, f);
    return false;
}

bool hd_classify_access(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a)
{
    Finding f = {0};
    uint64_t all = (uint64_t)(uintptr_t)e->run->subs[0].private_at;
    bool is_nowhere;

    if (a->address - HD_EVAL_NOWHERE < HD_EVAL_NOWHERE)
        return false; /* the descriptor that there is not has been reported */
    if (a->address < HD_FIRST_ADDRESS || a->address + a->bytes < a->address) {
        f.rule = "check.null";
        f.hint = e->g->kernel->is_shader ? "bind a buffer to each descriptor that is used"
                                         : "is the argument set, is the pointer checked?";
        begin(&f, a);
        hd_strbuf_printf(&f.message, " at %s address 0x%llx",
                         a->address == 0 ? "the null" : "the invalid",
                         (unsigned long long)a->address);
        say(e, lane, root, a, &f);
        return false;
    }
    if (a->align > 1 && (a->align & (a->align - 1)) == 0 && a->address % a->align != 0) {
        f.rule = "check.misaligned";
        f.hint = e->g->kernel->is_shader
                     ? "align the data, or promise less: Aligned, buffer_reference_align"
                 : e->in->opix == HD_OPIX_ExtInst
                     ? "vload and vstore need a pointer that is aligned to its elements"
                     : "use vload and vstore, or align the data";
        begin(&f, a);
        f.region = hd_check_find(&e->watch->c->map, a->address);
        if (f.region != NULL)
            hd_strbuf_printf(&f.message, " at byte %llu of %s",
                             (unsigned long long)(a->address - f.region->at), f.region->name);
        hd_strbuf_printf(&f.message, ", whose address 0x%llx is not a multiple of %llu",
                         (unsigned long long)a->address, (unsigned long long)a->align);
        say(e, lane, root, a, &f);
        return false;
    }
    switch (a->storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassInput:
    case SpvStorageClassPrivate: return wrong_private(e, lane, root, a, &f);
    case SpvStorageClassWorkgroup: return wrong_local(e, lane, root, a, &f);
    case SpvStorageClassGeneric:
        is_nowhere = hd_check_find(&e->watch->c->map, a->address) == NULL;
        if (a->address - all < e->run->private_bytes ||
            (is_nowhere && root->kind == HD_ROOT_PRIVATE))
            return wrong_private(e, lane, root, a, &f);
        if (a->address - (uint64_t)(uintptr_t)e->run->local < e->g->local_bytes ||
            (is_nowhere && root->kind == HD_ROOT_LOCAL))
            return wrong_local(e, lane, root, a, &f);
        return wrong_global(e, lane, root, a, &f);
    default: return wrong_global(e, lane, root, a, &f);
    }
}

void hd_eval_prefetch(HdEval *e, unsigned lane, uint64_t address, uint64_t bytes, bool writes)
{
    const HdRegion *r = hd_check_find(&e->watch->c->map, address);
    uint64_t lanes = UINT64_C(1) << lane;
    uint64_t room = r != NULL ? r->at + r->bytes - address : 0;

    if (r == NULL && address >= HD_FIRST_ADDRESS && !e->watch->c->knows_all_memory &&
        is_mapped(address, 1))
        return; /* the host's own */
    if (r == NULL)
        hd_eval_defect(e, lanes, "check.prefetch", "prefetch from memory that the kernel may read",
                       "a prefetch of %llu bytes at 0x%llx, where no global memory is",
                       (unsigned long long)bytes, (unsigned long long)address);
    else if (bytes > room)
        hd_eval_note(e, lanes, "check.prefetch", "fetch no more than there is",
                     "a prefetch of %llu bytes reaches %llu bytes behind the end of %s",
                     (unsigned long long)bytes, (unsigned long long)(bytes - room), r->name);
    else if (writes && r->is_read_only)
        hd_eval_note(e, lanes, "check.prefetch", "prefetch for reading",
                     "a prefetch for writing from %s, which kernels may only read", r->name);
}
