/* tool/info_json.c -- what heddle info shows of a module, as JSON.
 *
 * The keys are those of the text, with underscores; sizes are in bytes. Scripts can rely on them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/info_json.h"

#include <stdio.h>
#include <string.h>

#include "module/constant.h"
#include "module/decoration.h"
#include "module/resource.h"
#include "tool/spec_value.h"

static const char *enumerant(uint16_t kind, uint32_t value)
{
    const HdEnumerant *e = hd_gram_enumerant(kind, value);

    return e != NULL ? e->name : "(unknown)";
}

static void text(HdStrbuf *out, const char *before, const char *value)
{
    hd_strbuf_add(out, before);
    hd_strbuf_add_json(out, value != NULL ? value : "");
}

static void size(HdStrbuf *out, const char *key, uint64_t value)
{
    hd_strbuf_printf(out, ", \"%s\": %llu", key, (unsigned long long)value);
}

static void truth(HdStrbuf *out, const char *key, bool value)
{
    hd_strbuf_printf(out, ", \"%s\": %s", key, value ? "true" : "false");
}

/* ---- the head ------------------------------------------------------------------------------ */

static void head(const HdModule *m, HdStrbuf *out)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    const char *comma = "";

    hd_strbuf_printf(out, "{\"spirv\": \"%u.%u\"", (unsigned)(m->version >> 16),
                     (unsigned)(m->version >> 8 & 0xff));
    size(out, "words", m->nwords);
    size(out, "bound", m->bound);
    size(out, "generator", m->generator);
    text(out, ",\n \"addressing_model\": ", enumerant(HD_KIND_AddressingModel, m->addressing));
    text(out, ", \"memory_model\": ", enumerant(HD_KIND_MemoryModel, m->memory_model));
    hd_strbuf_add(out, ",\n \"capabilities\": [");
    for (uint32_t i = 0; i < m->capability_count; i++)
        text(out, i != 0 ? ", " : "", enumerant(HD_KIND_Capability, m->capabilities[i]));
    hd_strbuf_add(out, "],\n \"extensions\": [");
    for (uint32_t i = 0; i < m->extension_count; i++)
        text(out, i != 0 ? ", " : "", m->extensions[i]);
    hd_strbuf_add(out, "],\n \"extended_instructions\": [");
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_ExtInstImport) {
            text(out, comma, hd_inst_string(&in, 2));
            comma = ", ";
        }
    hd_strbuf_add(out, "]");
    size(out, "functions", m->function_count);
    size(out, "blocks", m->block_count);
}

/* ---- entry points -------------------------------------------------------------------------- */

static void sizes(HdStrbuf *out, const char *key, const uint32_t s[3])
{
    if (s[0] != 0)
        hd_strbuf_printf(out, ", \"%s\": [%u, %u, %u]", key, (unsigned)s[0], (unsigned)s[1],
                         (unsigned)s[2]);
}

static void members(const HdModule *m, const HdType *block, HdStrbuf *out)
{
    hd_strbuf_add(out, ", \"members\": [");
    for (uint32_t i = 0; block->kind == HD_T_STRUCT && i < block->count; i++) {
        const HdType *t = hd_type_member(m, block, i);

        text(out, i != 0 ? ", {\"name\": " : "{\"name\": ", hd_module_member_name(m, block->id, i));
        size(out, "offset", hd_type_offset(m, block, i));
        if (t->kind == HD_T_RUNTIME_ARRAY)
            size(out, "stride", hd_type_stride(m, t));
        else
            size(out, "bytes", hd_type_size(t));
        hd_strbuf_add(out, "}");
    }
    hd_strbuf_add(out, "]");
}

static void add_type(const HdType *t, HdStrbuf *out)
{
    if (hd_opaque_shape(t) != NULL)
        text(out, ", \"shape\": ", hd_opaque_shape(t));
    if (hd_opaque_format(t) != NULL)
        text(out, ", \"format\": ", hd_opaque_format(t));
}

static void resource(const HdModule *m, const HdArgInfo *a, HdStrbuf *out)
{
    const HdResource *r = &a->resource;
    const bool is_opaque = r->opaque != HD_OPAQUE_NONE;

    text(out, "{\"kind\": ",
         is_opaque       ? hd_opaque_name(r->opaque)
         : r->is_heap    ? hd_heap_holds(r->binding)
         : r->is_push    ? "push constants"
         : r->is_uniform ? "uniform buffer"
                         : "storage buffer");
    if (!r->is_push && !r->is_heap) {
        size(out, "set", r->set);
        size(out, "binding", r->binding);
    }
    text(out, ", \"name\": ", a->name);
    if (r->elements != 0)
        size(out, "elements", r->elements);
    if (r->is_endless)
        truth(out, "endless", true);
    truth(out, "used", r->is_used);
    if (!r->is_heap) {
        truth(out, "read", !r->no_read);
        truth(out, "written", !r->is_push && !r->is_uniform && !r->no_write);
    }
    if (is_opaque)
        add_type(a->type, out);
    if (!r->is_heap && !is_opaque) {
        size(out, "bytes", r->fixed_bytes);
        size(out, "stride", r->stride);
        members(m, a->type, out);
    }
    hd_strbuf_add(out, "}");
}

static void argument(const HdArgInfo *a, HdStrbuf *out)
{
    text(out, "{\"kind\": ", hd_info_arg_kind(a->kind));
    size(out, "bytes", a->size);
    text(out, ", \"type\": ", a->type_name);
    text(out, ", \"name\": ", a->name);
    hd_strbuf_add(out, "}");
}

static void kernel(const HdModule *m, const HdKernelInfo *k, HdStrbuf *out)
{
    bool is_first = true;

    text(out, "{\"name\": ", k->name);
    text(out, ", \"kind\": ", hd_kernel_kind(k));
    hd_strbuf_add(out, k->is_shader ? ", \"resources\": [" : ", \"arguments\": [");
    for (uint32_t i = 0; i < k->arg_count; i++) {
        if (k->is_shader && k->args[i].resource.element != 0)
            continue;
        hd_strbuf_add(out, is_first ? "" : ", ");
        is_first = false;
        if (k->is_shader)
            resource(m, &k->args[i], out);
        else
            argument(&k->args[i], out);
    }
    hd_strbuf_add(out, "]");
    sizes(out, "required_local_size", k->required_local);
    sizes(out, "local_size_hint", k->hint_local);
    sizes(out, "largest_local_size", k->most_local);
    if (k->subgroup_size != 0)
        size(out, "required_subgroup_size", k->subgroup_size);
    if (k->subgroups_per_group != 0)
        size(out, "subgroups_per_group", k->subgroups_per_group);
    if (k->refused != 0)
        text(out, ", \"cannot_bind\": ", hd_module_name(m, k->refused));
    size(out, "local_bytes", k->local_bytes);
    hd_strbuf_add(out, "}");
}

/* For a module that cannot be laid out: entry points as it declares them. */
static void entries(const HdModule *m, HdStrbuf *out)
{
    hd_strbuf_add(out, ",\n \"entry_points\": [");
    for (uint32_t i = 0; i < m->entry_count; i++) {
        text(out, i != 0 ? ", {\"name\": " : "{\"name\": ", m->entries[i].name);
        text(out, ", \"model\": ", enumerant(HD_KIND_ExecutionModel, m->entries[i].model));
        hd_strbuf_add(out, "}");
    }
    hd_strbuf_add(out, "]");
}

HdStatus hd_info_program(HdModule *m, bool is_compiled, HdDiags *d, HdProgram **out)
{
    const HdProgramOptions options = {
        .env = "universal1.6", .shaders = true, .is_compiled = is_compiled};

    *out = NULL;
    hd_diags_init(d);
    d->limit = 1; /* nobody reads what is wrong, only that something is */
    d->is_unread = true;
    return hd_program_open_module(m, &options, d, out);
}

/* Drops the module. */
static void kernels(HdModule *m, bool is_compiled, HdStrbuf *out)
{
    HdProgram *p;
    HdDiags d;
    HdStatus st = hd_info_program(m, is_compiled, &d, &p);

    truth(out, "valid", st != HD_BAD_INPUT);
    if (st == HD_OK) {
        const HdBuildLayout *l = hd_program_layout(p);

        hd_strbuf_add(out, ",\n \"kernels\": [");
        for (uint32_t i = 0; i < l->kernel_count; i++) {
            hd_strbuf_add(out, i != 0 ? ",\n  " : "\n  ");
            kernel(hd_program_module(p), &l->kernels[i], out);
        }
        hd_strbuf_add(out, "]");
        size(out, "program_scope_bytes", l->image_bytes);
    }
    hd_program_close(p);
    hd_diags_drop(&d);
}

/* ---- what can be set and linked ------------------------------------------------------------ */

/* As a number, or true or false; infinities and NaNs are strings. */
static void add_default(const HdType *t, uint64_t bits, HdStrbuf *out)
{
    HdStrbuf value = {0};
    const char *is;

    if (hd_tool_spec_print(t, bits, &value)) {
        is = hd_strbuf_text(&value);
        if (strpbrk(is, "0123456789") != NULL || t->kind == HD_T_BOOL)
            hd_strbuf_printf(out, ", \"default\": %s", is);
        else
            text(out, ", \"default\": ", is);
    }
    hd_strbuf_free(&value);
}

static void constant(const HdModule *m, const HdDecorations *x, const char *comma, HdStrbuf *out)
{
    const HdType *t = hd_module_type_of(m, x->target);
    const HdConstant *c = hd_module_constant(m, x->target);
    uint64_t bits = 0;

    hd_strbuf_printf(out, "%s{\"id\": %u", comma, (unsigned)hd_decoration_value(m, x->d));
    text(out, ", \"name\": ", hd_module_name(m, x->target));
    if (t != NULL)
        size(out, "bytes", hd_type_size(t));
    if (t != NULL && c != NULL && hd_type_size(t) <= sizeof bits &&
        hd_constant_write(m, c, &bits, NULL, NULL)) {
        hd_strbuf_printf(out, ", \"default_bits\": \"0x%llx\"", (unsigned long long)bits);
        add_default(t, bits, out);
    }
    hd_strbuf_add(out, "}");
}

static void decorated(const HdModule *m, SpvDecoration what, const char *key, HdStrbuf *out)
{
    const char *comma = "";

    hd_strbuf_printf(out, ",\n \"%s\": [", key);
    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x)) {
        if (x.target >= m->bound || x.d->decoration != what || x.d->operand_count == 0)
            continue;
        if (what == SpvDecorationSpecId) {
            constant(m, &x, comma, out);
        } else if (x.d->operand_count > 1) {
            hd_strbuf_add(out, comma);
            text(out, "{\"name\": ", (const char *)hd_decoration_operands(m, x.d));
            text(out, ", \"kind\": ", enumerant(HD_KIND_LinkageType, hd_decoration_last(m, x.d)));
            hd_strbuf_add(out, "}");
        }
        comma = ", ";
    }
    hd_strbuf_add(out, "]");
}

void hd_info_json(HdModule *m, bool is_compiled)
{
    HdStrbuf out = {0};

    head(m, &out);
    decorated(m, SpvDecorationSpecId, "specialisation_constants", &out);
    decorated(m, SpvDecorationLinkageAttributes, "linkage", &out);
    entries(m, &out);
    kernels(m, is_compiled, &out);
    hd_strbuf_add(&out, "}");
    if (out.failed)
        fputs("heddle info: out of memory\n", stderr);
    else
        puts(hd_strbuf_text(&out));
    hd_strbuf_free(&out);
}

const char *hd_info_arg_kind(HdArgKind kind)
{
    switch (kind) {
    case HD_ARG_VALUE: return "value";
    case HD_ARG_GLOBAL: return "global";
    case HD_ARG_CONSTANT: return "constant";
    case HD_ARG_LOCAL: return "local";
    case HD_ARG_IMAGE: return "image";
    case HD_ARG_SAMPLER: return "sampler";
    case HD_ARG_PIPE: return "pipe";
    case HD_ARG_QUEUE: return "queue";
    case HD_ARG_BINDING: return "binding";
    case HD_ARG_BYVAL: return "value in memory";
    }
    return "?";
}
