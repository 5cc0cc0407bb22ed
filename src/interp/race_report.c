/* interp/race_report.c -- reports of data races: the violated rule, the other side, a hint.
 *
 * Cells record a work-item and when it accessed them, not by which instruction: that is found among
 * the addresses that each instruction has accessed (HdTrace).
 *
 * check.race: two work-items access the same bytes, one writes, and nothing orders the two.
 * check.race-atomic: an atomic access and a plain one to the same bytes, with nothing between; in
 * shaders, two atomic ones of different sizes.
 * check.race-same-value: work-items write the same value to the same bytes, in no order.
 * check.coherent: a shader reads what another invocation wrote, by accesses that are not coherent.
 * check.missing-fence: a barrier lies between two accesses, but does not order their memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/race_report.h"

#include "interp/epoch.h"
#include "interp/provenance.h"
#include "interp/report.h"
#include "interp/watch_state.h"
#include "module/operands.h"

unsigned hd_race_fits(const HdTrace *t, const HdConflict *x)
{
    uint32_t epoch = hd_cell_epoch(x->half);
    uint64_t fixed = ~t->varies & ~(uint64_t)(HD_CELL_BYTES - 1);

    if (x->address < t->low || x->address >= t->high || ((x->address ^ t->at) & fixed) != 0 ||
        !(x->wrote ? t->writes : t->reads))
        return 0;
    return 1u + (t->is_atomic == x->was_atomic ? 2u : 0u) +
           (t->first <= epoch && epoch <= t->last ? 4u : 0u);
}

#define SAME_DEPTH 6u /* of the instructions that make two pointers */

/* Are two values made alike: from the same operands by the same instructions? */
static bool is_made_alike(const HdModule *m, HdId a, HdId b, unsigned depth)
{
    HdInst x, y;

    if (a == b)
        return true;
    if (depth == 0 || !hd_module_def(m, a, &x) || !hd_module_def(m, b, &y) || x.opix != y.opix ||
        x.nwords != y.nwords ||
        !(hd_operands_is_chain(x.opix) || x.opix == HD_OPIX_Load || x.opix == HD_OPIX_Bitcast ||
          hd_opix_converts_integers(x.opix)))
        return false;
    for (unsigned w = 3; w < x.nwords; w++)
        if (x.w[w] != y.w[w] && !is_made_alike(m, x.w[w], y.w[w], depth - 1))
            return false;
    return true;
}

/* The pointer that a load or store goes through; 0. */
static HdId pointer_of(const HdInst *in)
{
    return in == NULL                  ? 0
           : in->opix == HD_OPIX_Load  ? in->w[3]
           : in->opix == HD_OPIX_Store ? in->w[1]
                                       : 0;
}

/* Does the instruction go where this one does, in every work-item? In `s[l] = s[l] + s[l + d]` the
 * load of s[l] does, and so is rather not the other side of a race. */
static bool goes_along(const HdEval *e, uint32_t number)
{
    const HdInst *other = hd_report_inst(e, number);
    HdId a = pointer_of(e->in), b = pointer_of(other);

    return a != 0 && b != 0 && is_made_alike(e->m, a, b, SAME_DEPTH);
}

/* The instruction that most likely was the other side; of equal ones another than this,
 * and one that goes elsewhere in other work-items. */
const HdInst *hd_race_other(const HdEval *e, const HdConflict *x, bool own_group)
{
    HdInterpCheck *c = e->watch->c;
    const HdTrace *traces = own_group ? e->watch->trace : c->trace;
    uint32_t best = 0, found = 0;

    if (!own_group)
        pthread_mutex_lock(&c->lock);
    for (uint32_t i = 0; i < e->run->p->info.inst_count; i++) {
        uint32_t fits = 2 * hd_race_fits(&traces[i], x);

        /* Groups that still run have not handed in theirs. */
        if (fits == 0 && !own_group)
            fits = hd_race_fits(&e->watch->trace[i], x) > 0;
        else if (fits != 0 && i != e->info->number)
            fits++;
        if (fits > best || (fits == best && fits > 0 && goes_along(e, found))) {
            best = fits;
            found = i;
        }
    }
    if (!own_group)
        pthread_mutex_unlock(&c->lock);
    return best > 0 ? hd_report_inst(e, found) : NULL;
}

static const char *several(const HdConflict *x, bool of_groups)
{
    if (x->wrote)
        return of_groups ? "written by work-items of several groups"
                         : "written by several work-items";
    return of_groups ? "read by work-items of several groups" : "read by several work-items";
}

/* Who the other side was, as far as its cell knows. */
static void other_item(const HdEval *e, const HdRaceClock *k, const HdConflict *x, HdDefect *d)
{
    const HdInterpCheck *c = e->watch->c;
    uint32_t st = hd_cell_epoch(x->half), item = hd_race_item(x->half);
    uint64_t groups = e->g->num_groups[0] * e->g->num_groups[1] * e->g->num_groups[2];

    d->other = x->wrote ? "written" : "read";
    if (item >= HD_CELL_MANY && (!x->wrote || x->was_atomic))
        d->other = several(x, !x->cells->is_local && st == k->first);
    else if (hd_race_is_own_group(k, st))
        hd_report_item(e, e->g->number, item, &d->other_item);
    else if (groups <= (c->epoch_count - 1) / c->group_epochs)
        hd_report_item(e, (st - c->first_epoch - 1) / c->group_epochs, item, &d->other_item);
}

static void describe_memory(const HdEval *e, const HdConflict *x, HdStrbuf *out)
{
    if (x->cells->region != NULL) {
        hd_strbuf_printf(out, "byte %llu of ",
                         (unsigned long long)(x->address - x->cells->region->at));
        hd_report_region(e, x->cells->region, out);
        return;
    }
    hd_strbuf_printf(out, "byte %llu of local memory, %llu bytes",
                     (unsigned long long)(x->address - (uint64_t)(uintptr_t)e->run->local),
                     (unsigned long long)e->g->local_bytes);
}

/* Before OpenCL 2.0 a volatile access was all there was to read what atomics write. */
static bool is_volatile(const HdInst *in)
{
    unsigned at = in == NULL ? 0 : in->opix == HD_OPIX_Load ? 4 : in->opix == HD_OPIX_Store ? 3 : 0;

    return at != 0 && in->nwords > at && (in->w[at] & SpvMemoryAccessVolatileMask) != 0;
}

/* Does a value depend on what was loaded through such a pointer? */
static bool depends_on_load(const HdModule *m, HdId value, HdId pointer, unsigned depth)
{
    HdInst in;

    if (!hd_module_def(m, value, &in) || hd_inst_result(&in) == 0)
        return false;
    if (in.opix == HD_OPIX_Load)
        return is_made_alike(m, in.w[3], pointer, SAME_DEPTH);
    for (unsigned w = 3; w < in.nwords && depth > 0; w++)
        if (depends_on_load(m, in.w[w], pointer, depth - 1))
            return true;
    return false;
}

#define UPDATE_DEPTH 4u /* of the instructions between the load and the store of an update */

/* Is this the store of `bins[i]++` and the like, computed from a load of the same address? What
 * stores the value back as it was loaded updates nothing. */
static bool stores_update(const HdModule *m, const HdInst *store)
{
    HdInst value;

    return store->opix == HD_OPIX_Store &&
           !(hd_module_def(m, store->w[2], &value) && value.opix == HD_OPIX_Load) &&
           depends_on_load(m, store->w[2], store->w[1], UPDATE_DEPTH);
}

#define FAR_STORE 64u /* instructions from the load of an update to its store */

/* Is it the store or the load of such an update? The load of s[i + d] in s[i] += s[i + d] is none:
 * what is stored goes elsewhere. */
static bool is_update(const HdModule *m, const HdInst *in)
{
    uint32_t word;
    HdInst first, next;

    if (in == NULL || (in->opix != HD_OPIX_Store && in->opix != HD_OPIX_Load))
        return false;
    first = hd_module_inst(m, in->word);
    if (first.opix == HD_OPIX_Store)
        return stores_update(m, &first);
    word = in->word;
    for (unsigned i = 0; i < FAR_STORE && hd_module_next(m, &word, &next); i++) {
        if (next.opix == HD_OPIX_FunctionEnd)
            return false;
        if (stores_update(m, &next) && is_made_alike(m, next.w[1], first.w[3], SAME_DEPTH))
            return true;
    }
    return false;
}

/* The rule that a conflict breaks, and what helps. */
typedef struct Verdict {
    HdSeverity severity;
    const char *rule, *hint;
} Verdict;

static const char lost_update[] =
    "one update is lost where work-items change the same place: use an atomic operation, such as "
    "atomic_add or atomic_inc";
static const char lost_update_of_shader[] =
    "one update is lost where invocations change the same place: use an atomic operation, such as "
    "atomicAdd or InterlockedAdd";

typedef enum Memory { LOCAL, IMAGE, GLOBAL } Memory;

static Memory memory_of(const HdConflict *x)
{
    return x->cells->is_local ? LOCAL : hd_race_is_image(x->cells) ? IMAGE : GLOBAL;
}

/* What orders each memory, in OpenCL C and in GLSL; of the latter and in SPIR-V's words. */
static const char *const fences[][3] = {
    {"give the barrier CLK_LOCAL_MEM_FENCE", "give the barrier CLK_IMAGE_MEM_FENCE",
     "give the barrier CLK_GLOBAL_MEM_FENCE"},
    {"order shared memory before the barrier, too: memoryBarrierShared() and barrier() "
     "(semantics WorkgroupMemory)",
     "order images before the barrier, too: memoryBarrierImage() and barrier() (semantics "
     "ImageMemory)",
     "order buffers before the barrier, too: memoryBarrierBuffer() and barrier() (semantics "
     "UniformMemory)"}};
static const char *const barriers[][3] = {
    {"put a barrier between the two: barrier(CLK_LOCAL_MEM_FENCE)",
     "put barrier(CLK_IMAGE_MEM_FENCE) between the two, or write to different texels",
     "put a barrier between the two: barrier(CLK_GLOBAL_MEM_FENCE)"},
    {"put a barrier between the two: barrier()",
     "put memoryBarrierImage() and barrier() between the two, or write to different texels",
     "put a barrier between the two: memoryBarrierBuffer() and barrier()"}};

/* Both accesses are of the work-group, and the barrier between them orders other memory. */
static Verdict missing_fence(const HdEval *e, const HdConflict *x)
{
    return (Verdict){x->is_same ? HD_NOTE : HD_ERROR, "check.missing-fence",
                     fences[e->g->kernel->is_shader][memory_of(x)]};
}

static Verdict race(const HdEval *e, const HdConflict *x, const HdInst *other, bool own_group)
{
    const bool is_shader = e->g->kernel->is_shader;
    const HdModule *m = e->m;
    const HdInst *in = e->in;
    bool updates = is_update(m, in) && is_update(m, other) && !x->was_atomic &&
                   x->how < HD_EVAL_ATOMIC && !hd_race_is_image(x->cells);

    if (updates)
        return (Verdict){HD_ERROR, "check.race", is_shader ? lost_update_of_shader : lost_update};
    if (x->is_same)
        return (Verdict){HD_NOTE, "check.race-same-value",
                         "both write the same value: harmless in practice, undefined by the "
                         "specification"};
    if (x->other_bytes != 0)
        return (Verdict){HD_ERROR, "check.race-atomic",
                         "atomic operations are so for each other only if they access the same "
                         "bytes: use one size, or put a barrier between them"};
    if (x->is_out_of_scope)
        return (Verdict){HD_ERROR, "check.race-atomic",
                         "atomic operations are so for each other only if the scopes of both hold "
                         "both invocations: name a wider scope, such as Device (gl_ScopeDevice)"};
    if (x->was_atomic || x->how >= HD_EVAL_ATOMIC)
        return (Verdict){is_volatile(in) || is_volatile(other) ? HD_NOTE : HD_ERROR,
                         "check.race-atomic",
                         "make both accesses atomic, or put a barrier between them"};
    return (Verdict){HD_ERROR, "check.race",
                     !own_group ? "work-groups run in any order: write to different places, or "
                                  "make both atomic"
                                : barriers[is_shader][memory_of(x)]};
}

/* An access and the other one, with the memory and the variable. Takes the message. */
static void tell_access(HdEval *e, unsigned lane, const HdConflict *x, const Verdict *v,
                        HdStrbuf *message, const HdInst *other, HdDefect *d)
{
    HdStrbuf memory = {0}, inst = {0};
    char name[HD_REPORT_NAME];

    d->other_place.word = HD_NO_PLACE;
    describe_memory(e, x, &memory);
    d->memory = hd_strbuf_text(&memory);
    d->memory_at =
        x->cells->region != NULL ? x->cells->region->at : (uint64_t)(uintptr_t)e->run->local;
    d->memory_bytes = x->cells->region != NULL ? x->cells->region->bytes : e->g->local_bytes;
    d->variable = hd_report_member(e, hd_provenance_root(e, UINT64_C(1) << lane).id, x->address,
                                   x->whole, name);
    if (other != NULL)
        hd_report_place(e, other, &d->other_place, &inst);
    hd_report(e, v->severity, UINT64_C(1) << lane, v->rule, v->hint, hd_strbuf_text(message), d);
    hd_strbuf_free(message);
    hd_strbuf_free(&memory);
    hd_strbuf_free(&inst);
}

void hd_race_report(HdEval *e, unsigned lane, const HdRaceClock *k, const HdConflict *x)
{
    static const char *const verbs[] = {"a read", "a write", "an atomic operation",
                                        "an atomic read"};
    uint32_t st = hd_cell_epoch(x->half);
    const HdCopy *copy = hd_epoch_copy(k->w, st, k->is_local);
    bool own_group = copy != NULL || hd_race_is_own_group(k, st);
    bool unfenced = copy == NULL && own_group && st < k->unfenced;
    const HdInst *other =
        copy != NULL ? hd_report_inst(e, copy->inst) : hd_race_other(e, x, own_group);
    HdStrbuf message = {0};
    HdDefect d = {.address = x->address, .bytes = x->bytes};
    Verdict v = unfenced ? missing_fence(e, x) : race(e, x, other, own_group);

    hd_strbuf_printf(&message, "%s of %llu byte%s races with %s", verbs[x->how],
                     (unsigned long long)x->whole, x->whole == 1 ? "" : "s",
                     x->was_atomic ? x->wrote ? "an atomic write" : "an atomic read"
                     : x->wrote    ? "a write"
                                   : "a read");
    if (x->other_bytes != 0)
        hd_strbuf_printf(&message, " of %u", (unsigned)x->other_bytes);
    if (copy != NULL) {
        hd_strbuf_add(&message, " of an asynchronous copy that nobody has waited for");
        v = (Verdict){HD_ERROR, "check.race",
                      "call wait_group_events with the copy's event first: a barrier does not wait "
                      "for it"};
    } else {
        hd_strbuf_printf(&message, "%s by another work-item%s",
                         unfenced ? " before the barrier" : "",
                         own_group ? " of the work-group" : ", of another work-group");
    }
    d.has_one_place = v.hint == lost_update || v.hint == lost_update_of_shader;
    if (copy != NULL)
        d.other = x->wrote ? "written" : "read";
    else
        other_item(e, k, x, &d);
    tell_access(e, lane, x, &v, &message, other, &d);
}

/* How an access is made to concern others: of the work-group, of another one. */
static const char *showing_hint(bool is_vulkan, bool by_writer, bool is_image, bool own_group)
{
    static const char *const hints[2][2][2] = {
        {{"give the load NonPrivatePointer and MakePointerVisible of scope Device: coherent in "
          "GLSL",
          "give the store NonPrivatePointer and MakePointerAvailable of scope Device: coherent in "
          "GLSL"},
         {"give the read NonPrivateTexel and MakeTexelVisible of scope Device: coherent in GLSL",
          "give the write NonPrivateTexel and MakeTexelAvailable of scope Device: coherent in "
          "GLSL"}},
        {{"give the load NonPrivatePointer and MakePointerVisible: coherent in GLSL",
          "give the store NonPrivatePointer and MakePointerAvailable: coherent in GLSL"},
         {"give the read NonPrivateTexel and MakeTexelVisible: coherent in GLSL",
          "give the write NonPrivateTexel and MakeTexelAvailable: coherent in GLSL"}}};

    if (is_vulkan)
        return hints[own_group][is_image][by_writer];
    return is_image ? "declare the image coherent, or globallycoherent"
                    : "declare the buffer coherent, or globallycoherent";
}

void hd_race_report_hidden(HdEval *e, unsigned lane, const HdRaceClock *k, const HdConflict *x,
                           const HdInst *other, bool by_writer)
{
    const bool own_group = hd_race_is_own_group(k, hd_cell_epoch(x->half));
    const bool is_vulkan = e->m->memory_model == SpvMemoryModelVulkan;
    Verdict v = {own_group ? HD_NOTE : HD_ERROR, "check.coherent",
                 showing_hint(is_vulkan, by_writer, hd_race_is_image(x->cells), own_group)};
    HdDefect d = {.address = x->address, .bytes = x->bytes};
    HdStrbuf message = {0};

    hd_strbuf_printf(&message,
                     "a read of %llu byte%s that another work-item%s has written before, though "
                     "the %s is %s",
                     (unsigned long long)x->whole, x->whole == 1 ? "" : "s",
                     own_group ? " of the work-group" : ", of another work-group,",
                     by_writer ? "store" : "load",
                     !is_vulkan  ? "not coherent"
                     : by_writer ? own_group ? "private, or not made available"
                                             : "private, or not made available to others"
                     : own_group ? "private, or not made visible"
                                 : "private, or not made visible to others");
    other_item(e, k, x, &d);
    tell_access(e, lane, x, &v, &message, other, &d);
}

void hd_race_report_own_texel(HdEval *e, unsigned lane)
{
    hd_eval_defect(e, UINT64_C(1) << lane, "check.missing-fence",
                   "put atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, "
                   "memory_scope_work_item) between the two",
                   "a read of a texel that the work-item itself has written, without a fence for "
                   "images");
}
