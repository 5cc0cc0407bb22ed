/* tool/info.c -- heddle info: what a module declares and needs, or the device.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "build/layout.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "module/module.h"
#include "module/resource.h"
#include "tool/info_device.h"
#include "tool/info_json.h"
#include "tool/lines.h"
#include "tool/options.h"
#include "tool/source.h"
#include "tool/spec_value.h"
#include "tool/tool.h"

typedef struct Options {
    HdToolTexts in;
    bool json;
} Options;

static const HdToolOption options[] = {
    {"--json", HD_TOOL_FLAG, 1, offsetof(Options, json), NULL, "print the same as JSON"},
};

static const HdToolCommand command = {
    .name = "info",
    .usage = "[--json] [FILE]",
    .about = "With FILE (binary, text or OpenCL C; \"-\" is standard input), show what the module "
             "declares and needs: version, producer, capabilities, extensions, kernels with their "
             "arguments and required sizes, specialisation constants, linkage. Without FILE, show "
             "Heddle's device.",
    .exits = "0 fine; 1 the module is malformed; 2 wrong usage; 3 the file cannot be read",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = offsetof(Options, in),
    .most_words = 1,
};

/* ---- the module's head --------------------------------------------------------------------- */

static const char *enumerant(uint16_t kind, uint32_t value)
{
    const HdEnumerant *e = hd_gram_enumerant(kind, value);

    return e != NULL ? e->name : "(unknown)";
}

static void print_head(const HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    unsigned decorations = 0;

    printf("SPIR-V %u.%u, %u words, id bound %u, generator 0x%08x\n", (unsigned)(m->version >> 16),
           (unsigned)(m->version >> 8 & 0xff), (unsigned)m->nwords, (unsigned)m->bound,
           (unsigned)m->generator);
    printf("memory model: %s %s\n", enumerant(HD_KIND_AddressingModel, m->addressing),
           enumerant(HD_KIND_MemoryModel, m->memory_model));
    printf("capabilities:");
    for (uint32_t i = 0; i < m->capability_count; i++)
        printf(" %s", enumerant(HD_KIND_Capability, m->capabilities[i]));
    printf("\nextensions:%s", m->extension_count == 0 ? " none" : "");
    for (uint32_t i = 0; i < m->extension_count; i++)
        printf(" %s", m->extensions[i]);
    printf("\nextended instructions:");
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_ExtInstImport)
            printf(" %s", hd_inst_string(&in, 2));
    for (HdDecorations x = hd_module_all_decorations(m); x.d != NULL; hd_decorations_step(&x))
        decorations++;
    printf("\nfunctions: %u, blocks: %u, decorations: %u\n", (unsigned)m->function_count,
           (unsigned)m->block_count, decorations);
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void print_sizes(const char *what, const uint32_t size[3])
{
    if (size[0] != 0)
        printf("  %s: %u x %u x %u\n", what, (unsigned)size[0], (unsigned)size[1],
               (unsigned)size[2]);
}

/* "an address of Node" */
static void print_pointer(const HdModule *m, const HdType *pointer)
{
    const HdType *to = hd_type_element(pointer);
    const char *name = to != NULL ? hd_module_name(m, to->id) : NULL;

    printf(", an address%s%s\n", name != NULL && name[0] != '\0' ? " of " : "",
           name != NULL ? name : "");
}

static void print_members(const HdModule *m, const HdType *block)
{
    for (uint32_t i = 0; block->kind == HD_T_STRUCT && i < block->count; i++) {
        const HdType *t = hd_type_member(m, block, i);
        const char *name = hd_module_member_name(m, block->id, i);

        printf("    %s: offset %llu", name != NULL ? name : "member",
               (unsigned long long)hd_type_offset(m, block, i));
        if (t->kind == HD_T_RUNTIME_ARRAY)
            printf(", elements of %llu bytes\n", (unsigned long long)hd_type_stride(m, t));
        else if (t->kind == HD_T_POINTER)
            print_pointer(m, t);
        else
            printf(", %llu bytes\n", (unsigned long long)hd_type_size(t));
    }
}

/* Of an image, a sampler … what is behind its place. */
static void print_opaque(const HdArgInfo *a)
{
    const HdResource *r = &a->resource;
    HdStrbuf what = {0};

    hd_opaque_describe(a->type, &what);
    printf(": %s", hd_strbuf_text(&what));
    if (r->opaque == HD_OPAQUE_STORAGE_IMAGE || r->opaque == HD_OPAQUE_STORAGE_TEXELS)
        printf(", %s", r->no_write ? "read only" : r->no_read ? "write only" : "read and written");
    printf("%s%s%s\n", a->name[0] != '\0' ? ", " : "", a->name, r->is_used ? "" : " (not used)");
    hd_strbuf_free(&what);
}

static void print_resource(const HdModule *m, const HdArgInfo *a)
{
    const HdResource *r = &a->resource;

    if (r->element != 0)
        return;
    if (r->is_heap) {
        printf("  heap of %u %s%s%s%s\n", (unsigned)r->elements, hd_heap_holds(r->binding),
               a->name[0] != '\0' ? ", " : "", a->name, r->is_used ? "" : " (not used)");
        return;
    }
    if (r->is_push)
        printf("  push constants");
    else
        printf("  binding %u.%u", (unsigned)r->set, (unsigned)r->binding);
    if (r->is_endless)
        printf("[]");
    else if (r->elements != 0)
        printf("[%u]", (unsigned)r->elements);
    if (r->opaque != HD_OPAQUE_NONE) {
        print_opaque(a);
        return;
    }
    if (!r->is_push)
        printf(": %s buffer, %s", r->is_uniform ? "uniform" : "storage",
               r->no_write  ? "read only"
               : r->no_read ? "write only"
                            : "read and written");
    printf("%s %llu bytes", r->is_push ? ":" : ",", (unsigned long long)r->fixed_bytes);
    if (r->stride != 0)
        printf(" and elements of %llu", (unsigned long long)r->stride);
    printf("%s%s%s\n", a->name[0] != '\0' ? ", " : "", a->name, r->is_used ? "" : " (not used)");
    print_members(m, a->type);
}

static void print_shader(const HdModule *m, const HdKernelInfo *k)
{
    printf("shader %s\n", k->name);
    print_sizes("local size", k->required_local);
    for (uint32_t i = 0; i < k->arg_count; i++)
        print_resource(m, &k->args[i]);
    if (k->refused != 0)
        printf("  it uses %%%u '%s', which cannot be bound here: it does not run\n",
               (unsigned)k->refused,
               hd_module_name(m, k->refused) != NULL ? hd_module_name(m, k->refused) : "");
    printf("  shared memory: %llu bytes\n", (unsigned long long)k->local_bytes);
}

static void print_kernel(const HdModule *m, const HdKernelInfo *k)
{
    if (k->is_shader) {
        print_shader(m, k);
        return;
    }
    printf("kernel %s\n", k->name);
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdArgInfo *a = &k->args[i];

        printf("  argument %u: %s, %u bytes", (unsigned)i, hd_info_arg_kind(a->kind),
               (unsigned)a->size);
        if (a->type_name != NULL && a->type_name[0] != '\0')
            printf(", %s", a->type_name);
        if (a->name != NULL && a->name[0] != '\0')
            printf(" %s", a->name);
        putchar('\n');
    }
    print_sizes("required local size", k->required_local);
    print_sizes("local size hint", k->hint_local);
    print_sizes("largest local size", k->most_local);
    if (k->subgroup_size != 0)
        printf("  required sub-group size: %u\n", (unsigned)k->subgroup_size);
    if (k->subgroups_per_group != 0)
        printf("  sub-groups in a work-group: %u\n", (unsigned)k->subgroups_per_group);
    printf("  local memory: %llu bytes\n", (unsigned long long)k->local_bytes);
}

/* Entry points as declared in the module, for one that cannot be laid out. */
static void add_entries(const HdModule *m, HdStrbuf *out)
{
    for (uint32_t i = 0; i < m->entry_count; i++)
        hd_strbuf_printf(out, "entry point %s %s\n",
                         enumerant(HD_KIND_ExecutionModel, m->entries[i].model),
                         m->entries[i].name);
}

/* Kernels as they would run: with producers' defects repaired, and imported built-ins resolved.
 * Drops the module, and prints `entries` if it cannot be laid out. */
static void print_kernels(HdModule *m, bool is_compiled, const char *entries)
{
    const HdBuildLayout *layout;
    const HdDiag *why;
    HdProgram *p;
    HdDiags d;
    HdStatus st = hd_info_program(m, is_compiled, &d, &p);

    if (st != HD_OK) {
        fputs(entries, stdout);
        why = hd_diags_last(&d);
        if (st == HD_BAD_INPUT)
            printf("the module is invalid; heddle val says why\n");
        else if (why != NULL)
            printf("it does not run on Heddle: %s\n", why->message);
    } else {
        layout = hd_program_layout(p);
        for (uint32_t i = 0; i < layout->kernel_count; i++)
            print_kernel(hd_program_module(p), &layout->kernels[i]);
        printf("program-scope variables: %llu bytes\n", (unsigned long long)layout->image_bytes);
    }
    hd_program_close(p);
    hd_diags_drop(&d);
}

/* ---- what can be set and linked ------------------------------------------------------------ */

static void add_default(const HdType *t, uint64_t bits, HdStrbuf *out)
{
    HdStrbuf value = {0};

    hd_strbuf_printf(out, ", default 0x%llx", (unsigned long long)bits);
    if (hd_tool_spec_print(t, bits, &value))
        hd_strbuf_printf(out, " (%s)", hd_strbuf_text(&value));
    hd_strbuf_free(&value);
}

static void add_spec_constant(const HdModule *m, const HdDecorations *x, HdStrbuf *out)
{
    const HdType *t = hd_module_type_of(m, x->target);
    const HdConstant *c = hd_module_constant(m, x->target);
    const char *name = hd_module_name(m, x->target);
    uint64_t bits = 0;

    if (t == NULL || c == NULL || x->d->operand_count == 0)
        return;
    hd_strbuf_printf(out, "specialisation constant %u: %s, %llu bytes",
                     (unsigned)hd_decoration_value(m, x->d),
                     t->kind == HD_T_BOOL ? "bool" : (t->kind == HD_T_FLOAT ? "float" : "integer"),
                     (unsigned long long)hd_type_size(t));
    if (hd_type_size(t) <= sizeof bits && hd_constant_write(m, c, &bits, NULL, NULL))
        add_default(t, bits, out);
    hd_strbuf_printf(out, "%s%s\n", name != NULL ? ", " : "", name != NULL ? name : "");
}

static void add_decorated(const HdModule *m, HdStrbuf *out)
{
    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x)) {
        if (x.target >= m->bound)
            continue;
        if (x.d->decoration == SpvDecorationSpecId)
            add_spec_constant(m, &x, out);
        if (x.d->decoration == SpvDecorationLinkageAttributes && x.d->operand_count > 1)
            hd_strbuf_printf(out, "linkage: %s %s\n",
                             enumerant(HD_KIND_LinkageType, hd_decoration_last(m, x.d)),
                             (const char *)hd_decoration_operands(m, x.d));
    }
}

/* The module's facts as text, or as JSON. */
static void print_module(HdModule *m, bool is_compiled, bool json)
{
    HdStrbuf decorated = {0}, entries = {0};

    if (json) {
        hd_info_json(m, is_compiled);
        return;
    }
    print_head(m);
    add_decorated(m, &decorated);
    add_entries(m, &entries);
    print_kernels(m, is_compiled, hd_strbuf_text(&entries));
    fputs(hd_strbuf_text(&decorated), stdout);
    hd_strbuf_free(&decorated);
    hd_strbuf_free(&entries);
}

static int show_module(const char *path, bool json)
{
    uint32_t *words = NULL;
    size_t nwords;
    HdModule *m = NULL;
    HdDiags d;
    HdStrbuf text = {0};
    bool fast_math = false;
    HdStatus st;

    hd_diags_init(&d);
    st = hd_tool_read_module(path, NULL, 0, &d, &words, &nwords, &fast_math);
    if (st == HD_OK)
        st = hd_module_read(words, nwords, true, &d, &m);
    if (st == HD_OK)
        print_module(m, hd_tool_is_source(path), json);
    hd_free(words);
    if (st != HD_OK && json) { /* as heddle run has it */
        hd_tool_place_lines(&d, NULL, 0);
        hd_diags_json(&d, &text);
        printf("{\"errors\": %s}\n", hd_strbuf_text(&text));
        hd_strbuf_free(&text);
    }
    return hd_tool_finish("info", st, &d);
}

int hd_tool_info(int argc, char **argv)
{
    Options o = {0};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0)
        code = o.in.count != 0 ? show_module(o.in.at[0], o.json) : hd_tool_info_device(o.json);
    HD_ARRAY_FREE(&o.in);
    return code;
}
