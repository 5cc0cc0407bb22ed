/* interp/report.c -- reports of defects in a checked run: who, where, message.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "interp/shadow_at.h"
#include "interp/state.h"
#include "interp/watch_state.h"
#include "module/resource.h"
#include "module/source.h"
#include "text/dis.h"

const HdInst *hd_report_inst(const HdEval *e, uint32_t number)
{
    const HdInterpProgram *p = e->run->p;

    if (number < p->undef_count)
        return &p->undefs[number].in;
    for (uint32_t i = 0; i < p->m->function_count; i++) {
        const HdInterpCode *c = &p->codes[i];
        uint32_t count = c->function->block_count ? c->first[c->function->block_count] : 0;

        if (count > 0 && number >= c->info[0].number && number - c->info[0].number < count)
            return &c->insts[number - c->info[0].number];
    }
    return NULL;
}

static const HdFunction *function_of(const HdModule *m, uint32_t word)
{
    for (uint32_t i = 0; i < m->function_count; i++)
        if (word >= m->functions[i].word && word < m->functions[i].end)
            return &m->functions[i];
    return NULL;
}

/* clang makes a function of each kernel that others may call: people know it by the kernel's name.
 */
#define KERNEL_BODY "__clang_ocl_kern_imp_"

static bool is_body(const char *name)
{
    return name != NULL && strncmp(name, KERNEL_BODY, sizeof KERNEL_BODY - 1) == 0;
}

/* llvm-spirv makes another function, of the same name, that is the kernel. */
static bool is_own_body(const HdEval *e, HdId function)
{
    const char *name = hd_module_name(e->m, function);

    return is_body(name) || (name != NULL && strcmp(name, e->g->kernel->name) == 0);
}

const char *hd_report_function(const HdModule *m, HdId id)
{
    const char *name = hd_source_name(m, id);

    return is_body(name) ? name + sizeof KERNEL_BODY - 1 : name;
}

static const char *name_of(const HdEval *e, HdId id)
{
    return hd_report_function(e->m, id);
}

/* clang calls the local variable `tile` of a kernel `f` f.tile, and a parameter in memory, or a
 * variable of a function that went into another one, x.addr or x.i: names in C have no dots. */
const char *hd_report_variable(const HdEval *e, HdId id, char room[HD_REPORT_NAME])
{
    const char *name = name_of(e, id);
    size_t len = name != NULL ? strcspn(name, ".") : 0, rest;

    if (name == NULL || len == 0)
        return name;
    if (name[len] == '.' && hd_info_root(e->run->p, id).kind == HD_ROOT_LOCAL) {
        name += len + 1;
        len = strcspn(name, ".");
    }
    rest = len < HD_REPORT_NAME - 1 ? len : HD_REPORT_NAME - 1;
    memcpy(room, name, rest);
    room[rest] = '\0';
    return room;
}

/* Where a shader's variable begins that an address is in, or near to; 0: unknown. */
static uint64_t begin_of(const HdEval *e, HdId id, uint64_t address)
{
    const HdBuildLayout *l = e->run->p->layout;
    const HdRegion *r = hd_check_find(&e->watch->c->map, address);

    if (l->local_offset[id] != UINT64_MAX)
        return (uint64_t)(uintptr_t)e->run->local + l->local_offset[id];
    if (l->resource[id] == UINT32_MAX)
        return hd_module_opix(e->m, id) == HD_OPIX_BufferPointerEXT && r != NULL ? r->at : 0;
    if (l->resources[l->resource[id]].resource.elements == 0)
        return hd_interp_resource(e->run, id);
    return r != NULL ? r->at : 0;
}

/* What the memory holds that an instruction declares; NULL: it is none. */
static const HdType *content_of(const HdEval *e, const HdInst *in)
{
    const HdType *pointer;

    if (in->opix != HD_OPIX_BufferPointerEXT)
        return hd_inst_is_variable(in) ? hd_module_content(e->m, in) : NULL;
    pointer = hd_module_type(e->m, in->w[1]);
    return pointer != NULL ? hd_type_element(pointer) : NULL;
}

const char *hd_report_base(const HdEval *e, HdId id, char room[HD_REPORT_NAME])
{
    const char *name = hd_report_variable(e, id, room), *member;
    const HdType *t = hd_module_type_of(e->m, id);

    if (name != NULL && name[0] != '\0')
        return name;
    t = t != NULL && t->kind == HD_T_POINTER ? hd_type_element(t) : NULL;
    member = t != NULL && t->kind == HD_T_STRUCT ? hd_module_member_name(e->m, t->id, 0) : NULL;
    if (member != NULL && member[0] != '\0' && strncmp(member, "__member", 8) != 0)
        return "";
    snprintf(room, HD_REPORT_NAME, "%%%u", (unsigned)id);
    return room;
}

/* The index of the descriptor that memory is bound to. */
static void add_descriptor(const HdEval *e, HdId id, uint64_t begin, HdStrbuf *out)
{
    const uint32_t first = e->run->p->layout->resource[id];
    const HdArgInfo *args = e->g->kernel->args;

    for (uint32_t i = 0; first != UINT32_MAX && i < args[first].resource.elements; i++) {
        HdBinding bound;

        memcpy(&bound, e->g->args + args[first + i].offset, sizeof bound);
        if (bound.at != begin)
            continue;
        hd_strbuf_printf(out, "[%u]", (unsigned)i);
        return;
    }
}

const char *hd_report_member(const HdEval *e, HdId id, uint64_t address, uint64_t bytes,
                             char room[HD_REPORT_NAME])
{
    const char *name = hd_report_variable(e, id, room);
    HdStrbuf path = {0};
    const HdType *t;
    uint64_t begin;
    HdInst in;

    if (!e->g->kernel->is_shader || id >= e->m->bound || !hd_module_def(e->m, id, &in) ||
        (t = content_of(e, &in)) == NULL)
        return name;
    begin = begin_of(e, id, address);
    if (begin == 0 || address < begin)
        return name;
    hd_strbuf_add(&path, hd_report_base(e, id, room));
    if (hd_module_is_descriptors(e->m, in.w[3], t)) {
        add_descriptor(e, id, begin, &path);
        t = hd_type_element(t);
    }
    hd_module_path(e->m, t, address - begin, bytes, &path);
    if (!path.failed && path.count > 0 && path.count < HD_REPORT_NAME) {
        bool has_dot = hd_strbuf_text(&path)[0] == '.';

        memcpy(room, hd_strbuf_text(&path) + has_dot, path.count + 1 - has_dot);
        name = room;
    }
    hd_strbuf_free(&path);
    return name;
}

/* Keep a text about an id; NULL: no memory. */
static const char *keep_text(HdWatch *w, HdId id, const char *text, size_t len)
{
    HdTold told = {.id = id};

    for (size_t i = 0; i < w->told.count; i++)
        if (w->told.at[i].id == id)
            return w->told.at[i].text;
    told.text = hd_alloc(len + 1);
    if (told.text == NULL || !HD_PUSH(NULL, &w->told, told)) {
        hd_free(told.text);
        return NULL;
    }
    memcpy(told.text, text, len);
    told.text[len] = '\0';
    return told.text;
}

/* "_Z10atomic_incPU3AS1Vi" is atomic_inc. */
static const char *plain_function(const HdEval *e, const char *name, HdId id)
{
    char *end;
    unsigned long len;

    if (name == NULL || strncmp(name, "_Z", 2) != 0)
        return name;
    len = strtoul(name + 2, &end, 10);
    if (len == 0 || len > strlen(end))
        return name;
    return keep_text(e->watch, id, end, (size_t)len);
}

/* Where a function without a source is called from: built-ins that a compiler has wrapped. */
static HdSourcePlace call_of(const HdEval *e, const HdFunction *f)
{
    for (uint32_t i = 0; f != NULL && i < e->m->function_count; i++) {
        const HdInterpCode *c = &e->run->p->codes[i];
        uint32_t count = c->function->block_count ? c->first[c->function->block_count] : 0;

        for (uint32_t k = 0; k < count; k++)
            if (c->insts[k].opix == HD_OPIX_FunctionCall && c->insts[k].w[3] == f->id)
                return hd_module_source(e->m, c->insts[k].word);
    }
    return (HdSourcePlace){0};
}

/* The text of a file of the module, kept for the report; NULL: the module has none. */
static const char *text_of(const HdEval *e, const char *file)
{
    HdInterpCheck *c = e->watch->c;
    const char *text;

    pthread_mutex_lock(&c->lock);
    if (c->file != file) {
        HdStrbuf room = {0};

        c->text = hd_source_text(e->m, file, &room) ? hd_check_text(c->check, hd_strbuf_text(&room))
                                                    : NULL;
        c->file = file;
        hd_strbuf_free(&room);
    }
    text = c->text;
    pthread_mutex_unlock(&c->lock);
    return text;
}

void hd_report_place(const HdEval *e, const HdInst *in, HdDefectPlace *p, HdStrbuf *inst)
{
    const HdFunction *f = function_of(e->m, in->word);
    HdInst original = hd_module_inst(e->m, in->word); /* as the module has it */
    HdSourcePlace source = hd_module_source(e->m, in->word);
    HdSourceScope scope = hd_source_scope(e->m, in->word);

    hd_text_inst(e->m, &original, NULL, SIZE_MAX, inst);
    if (source.file == NULL)
        source = call_of(e, f);
    *p = (HdDefectPlace){.inst = hd_strbuf_text(inst),
                         .source = source.file,
                         .text = source.file != NULL && e->watch != NULL ? text_of(e, source.file)
                                                                         : NULL,
                         .line = source.line,
                         .column = source.column,
                         .word = in->word};
    if (scope.inlined != 0)
        p->function = hd_source_function(e->m, scope.scope);
    if (p->function == NULL && f != NULL) {
        p->function = plain_function(e, name_of(e, f->id), f->id);
        if (p->function == NULL && e->g->kernel->entry->function == f->id)
            p->function = e->g->kernel->name;
    }
}

void hd_report_item(const HdEval *e, uint64_t group, uint64_t item, HdDefectItem *to)
{
    const HdInterpGroup *g = e->g;
    const uint64_t *count = g->num_groups;
    uint64_t size[3];

    if (g->local_size[0] == 0 || g->local_size[1] == 0 || g->width == 0)
        return;
    to->is_known = true;
    to->is_invocation = g->kernel->is_shader;
    to->group[0] = group % count[0];
    to->group[1] = group / count[0] % count[1];
    to->group[2] = group / count[0] / count[1];
    for (unsigned i = 0; i < 3; i++) {
        uint64_t rest = g->global_size[i] - to->group[i] * g->enqueued_local_size[i];

        size[i] = rest < g->enqueued_local_size[i] ? rest : g->enqueued_local_size[i];
    }
    hd_kernel_local_id(g->kernel, item, size, to->local);
    for (unsigned i = 0; i < 3; i++)
        to->global[i] =
            g->global_offset[i] + to->group[i] * g->enqueued_local_size[i] + to->local[i];
    to->subgroup = (uint32_t)(item / g->subgroup_width);
    to->lane = (uint32_t)(item % g->subgroup_width);
}

/* What a kernel's argument is called; NULL. */
static const char *argument_name(const HdEval *e, uint32_t i)
{
    const HdKernelInfo *k = e->g->kernel;
    const HdFunction *f = hd_module_function(e->m, k->entry->function);

    return k->args[i].name[0] != '\0' ? k->args[i].name
           : f != NULL && i < f->param_count
               ? hd_source_name(e->m, hd_function_param(e->m, f, i).w[2])
               : NULL;
}

void hd_report_region(const HdEval *e, const HdRegion *r, HdStrbuf *out)
{
    hd_strbuf_printf(out, "%s, %llu byte%s", r->name, (unsigned long long)r->bytes,
                     r->bytes == 1 ? "" : "s");
    for (uint32_t i = 0;
         e->watch->c->args != NULL && !e->g->kernel->is_shader && i < e->g->kernel->arg_count;
         i++) {
        const HdRegion *a = e->watch->c->args[i];
        const char *name;

        if (a == NULL || a->at != r->at || a->bytes != r->bytes)
            continue;
        hd_strbuf_printf(out, ", argument %u", (unsigned)i);
        if ((name = argument_name(e, i)) != NULL)
            hd_strbuf_printf(out, " '%s'", name);
    }
    if (r->made != NULL)
        hd_strbuf_printf(out, ", made in %s", r->made);
    if (r->gone != NULL)
        hd_strbuf_printf(out, ", released in %s", r->gone);
}

/* Is there memory at an address, of which a defect's allocation or variable is a part? */
static bool is_there(const HdEval *e, uint64_t at)
{
    const HdInterpRun *r = e->run;

    return at - (uint64_t)(uintptr_t)r->subs[0].private_at < r->private_bytes ||
           at - (uint64_t)(uintptr_t)r->local < e->g->local_bytes ||
           hd_check_find(&e->watch->c->map, at) != NULL;
}

#define BYTES_BEFORE 48u

/* What lies around an access, when that is near its memory. */
static void look_around(HdEval *e, HdDefect *d)
{
    HdDefectMemory *m = &d->around;
    unsigned char flip, *shadow;

    m->at = d->address / 16 * 16 - BYTES_BEFORE;
    for (uint32_t i = 0; d->bytes > 0 && i < HD_DEFECT_AROUND; i++) {
        uint64_t at = m->at + i;

        m->state[i] = HD_BYTE_OUTSIDE;
        if (at - d->memory_at >= d->memory_bytes || !is_there(e, at))
            continue;
        shadow = hd_shadow_at(e, at, false, &flip);
        m->state[i] = shadow != NULL && (*shadow ^ flip) != 0 ? HD_BYTE_UNDEFINED : HD_BYTE_VALUE;
        m->bytes[i] = *(const unsigned char *)(uintptr_t)at;
        m->is_known = true;
    }
}

/* What takes time, for a defect that is new. */
typedef struct More {
    HdEval *e;
    uint64_t lanes;
    HdStrbuf inst, calls[HD_DEFECT_STACK];
} More;

/* Calls that a compiler put into the function that has the instruction. */
static void add_inlined(const HdEval *e, const HdInst *in, HdDefect *d)
{
    HdSourceScope scope = hd_source_scope(e->m, in->word);
    HdSourcePlace place;

    while (d->stack_count < HD_DEFECT_STACK &&
           hd_source_inlined(e->m, scope.inlined, &scope, &place))
        d->stack[d->stack_count++] =
            (HdDefectPlace){.function = hd_source_function(e->m, scope.scope),
                            .source = place.file,
                            .line = place.line,
                            .word = in->word};
}

static void fill(void *user, HdDefect *d)
{
    More *x = user;
    HdEval *e = x->e;
    HdInterpFrame *f = e->sub != NULL ? e->sub->top : NULL;

    if (e->in != NULL) {
        hd_report_place(e, e->in, &d->place, &x->inst);
        add_inlined(e, e->in, d);
    }
    if (x->lanes != 0)
        hd_report_item(e, e->g->number, (uint64_t)e->first + hd_lane_first(x->lanes), &d->item);
    for (; f != NULL && f->caller != NULL && d->stack_count < HD_DEFECT_STACK; f = f->caller) {
        const HdInterpFrame *caller = f->caller;

        if (caller->caller == NULL && is_own_body(e, f->code->function->id))
            break;
        hd_report_place(e, &caller->code->insts[caller->at], &d->stack[d->stack_count],
                        &x->calls[d->stack_count]);
        d->stack_count++;
        add_inlined(e, &caller->code->insts[caller->at], d);
    }
    look_around(e, d);
}

static void give(HdEval *e, uint64_t lanes, HdDefect *d, uint64_t at, uint64_t bytes)
{
    More x = {.e = e, .lanes = lanes};
    bool is_new = false;

    d->kernel = e->g->kernel->name;
    d->is_shader = e->g->kernel->is_shader;
    d->program = e->run->p->identity;
    memcpy(d->local_size, e->g->local_size, sizeof d->local_size);
    d->lanes = lanes;
    d->group_number = e->g->number;
    d->first_item = e->first;
    d->subgroup_width = e->g->subgroup_width;
    d->place.word = e->in != NULL ? e->in->word : HD_NO_PLACE;
    d->count = lanes != 0 ? (uint64_t)__builtin_popcountll(lanes) : 1;
    if (bytes > 0)
        hd_check_spoiled(e->watch->c->check, at, bytes, d, fill, &x);
    else
        is_new = hd_check_report(e->watch->c->check, d, fill, &x);
    if (is_new && e->watch->c->hook != NULL)
        e->watch->c->hook->found(e->watch->c->hook->user, e, lanes, d);
    hd_strbuf_free(&x.inst);
    for (unsigned i = 0; i < HD_DEFECT_STACK; i++)
        hd_strbuf_free(&x.calls[i]);
}

HdStatus hd_report(HdEval *e, HdSeverity severity, uint64_t lanes, const char *rule,
                   const char *hint, const char *message, HdDefect *d)
{
    d->severity = severity;
    d->rule = rule;
    d->hint = hint;
    d->message = message;
    give(e, lanes, d, 0, 0);
    return HD_OK;
}

void hd_report_spoiled(HdEval *e, uint64_t lanes, uint64_t at, uint64_t bytes, HdDefect *d)
{
    give(e, lanes, d, at, bytes);
}
