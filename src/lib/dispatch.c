/* lib/dispatch.c -- running shaders: what the public structures bind, as arguments.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "lib/args.h"
#include "lib/program.h"

/* What is copied for the time of the run. */
typedef struct Bound {
    HdArgs set;
    HdImage *images;     /* [arg_count]: of those that are images; NULL: none is */
    bool *has_sampler;   /* [arg_count] */
    HdSampler *samplers; /* [arg_count] */
    void *push;          /* push constants; heap */
    size_t push_bytes;
} Bound;

static HdStatus misfit_opaque(const HdKernelInfo *k, uint32_t i, HdDiags *d, const char *why)
{
    const HdResource *r = &k->args[i].resource;
    HdStrbuf what = {0};
    HdStatus st;

    hd_opaque_describe(k->args[i].type, &what);
    st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.bindings",
                 "binding %u.%u[%u] '%s' of shader '%s', a %s: %s", (unsigned)r->set,
                 (unsigned)r->binding, (unsigned)r->element, k->args[i].name, k->name,
                 hd_strbuf_text(&what), why);
    hd_strbuf_free(&what);
    return st;
}

static HdStatus misfit(const HdKernelInfo *k, uint32_t i, HdDiags *d, const char *why)
{
    const HdResource *r = &k->args[i].resource;
    const char *name = k->args[i].name;

    if (r->is_push)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.bindings",
                       "the push constants of shader '%s', %llu bytes at least: %s", k->name,
                       (unsigned long long)r->fixed_bytes, why);
    if (r->is_heap)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.bindings",
                       "descriptor %u of the heap of %s of shader '%s': %s", (unsigned)r->element,
                       hd_heap_holds(r->binding), k->name, why);
    if (r->opaque != HD_OPAQUE_NONE)
        return misfit_opaque(k, i, d, why);
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.bindings",
                   "binding %u.%u[%u] '%s' of shader '%s', a %s buffer of %llu bytes at least: %s",
                   (unsigned)r->set, (unsigned)r->binding, (unsigned)r->element, name, k->name,
                   r->is_uniform ? "uniform" : "storage", (unsigned long long)r->fixed_bytes, why);
}

static HdStatus put(Bound *b, const HdKernelInfo *k, uint32_t i, const void *at, size_t bytes,
                    HdDiags *d)
{
    const HdBinding bound = {(uint64_t)(uintptr_t)at, at != NULL ? bytes : 0};
    const HdResource *r = &k->args[i].resource;
    const HdType *t = k->args[i].type;
    uint64_t align = t->kind == HD_T_POINTER ? 1 : t->align; /* of bytes: as accesses ask for */

    if (at != NULL && bytes < r->fixed_bytes)
        return misfit(k, i, d, "less memory is given");
    if (align > 1 && bound.at % align != 0)
        return misfit(k, i, d, "the memory is not aligned to its largest number");
    return hd_args_set(&b->set, i, sizeof bound, &bound);
}

static unsigned char *descriptor_at(const Bound *b, const HdKernelInfo *k, uint32_t i)
{
    return b->set.block + k->args[i].offset;
}

static bool is_at(const HdResource *r, const heddle_binding *b);

/* Of several arrays of descriptors at one place, does another one take the image? */
static bool suits_another(const HdKernelInfo *k, uint32_t i, const heddle_binding *of,
                          const HdImage *im)
{
    for (uint32_t n = 0; n < k->arg_count && k->args[i].resource.elements != 0; n++) {
        const HdResource *r = &k->args[n].resource;

        if (n != i && is_at(r, of) && r->elements != 0 && hd_opaque_has_image(r->opaque) &&
            hd_image_misfit(im, hd_type_image(k->args[n].type)) == NULL)
            return true;
    }
    return false;
}

static HdStatus put_image(Bound *b, const HdKernelInfo *k, uint32_t i, const heddle_binding *of,
                          HdDiags *d)
{
    const heddle_image *from = of->memory;
    const char *why;
    uint64_t at;
    HdImage *im;

    if (b->images == NULL)
        HD_TAKE(b->images, hd_alloc_zero(k->arg_count * sizeof *b->images));
    im = &b->images[i];
    if (im->texel_bytes != 0)
        return misfit(k, i, d, "it is given twice");
    why = hd_lib_image(from, true, im);
    if (why == NULL && !k->args[i].resource.is_heap)
        why = hd_image_misfit(im, hd_type_image(k->args[i].type));
    if (why != NULL && im->texel_bytes != 0 && suits_another(k, i, of, im)) {
        *im = (HdImage){0};
        b->set.is_set[i] = true;
        return HD_OK;
    }
    if (why != NULL)
        return misfit(k, i, d, why);
    at = (uint64_t)(uintptr_t)im + (k->args[i].resource.is_heap ? HD_HEAP_IMAGE : 0);
    memcpy(descriptor_at(b, k, i) + offsetof(HdBinding, at), &at, sizeof at);
    b->set.is_set[i] = !hd_opaque_has_sampler(k->args[i].resource.opaque) || b->has_sampler[i];
    return HD_OK;
}

/* A sampler of either kind, which the size tells. */
static HdStatus put_sampler(Bound *b, const HdKernelInfo *k, uint32_t i, const heddle_binding *of,
                            HdDiags *d)
{
    HdSampler *s = &b->samplers[i];
    uint64_t word = hd_sampler_name(s);
    const char *why;

    if (b->has_sampler[i])
        return misfit(k, i, d, "it is given twice");
    why = of->size == sizeof(heddle_sampler) ? hd_lib_kernel_sampler(of->memory, s)
                                             : hd_lib_shader_sampler(of->memory, s);
    if (why != NULL)
        return misfit(k, i, d, why);
    memcpy(descriptor_at(b, k, i) + offsetof(HdBinding, bytes), &word, sizeof word);
    b->has_sampler[i] = true;
    b->set.is_set[i] = !hd_opaque_has_image(k->args[i].resource.opaque) ||
                       (b->images != NULL && b->images[i].texel_bytes != 0);
    return HD_OK;
}

/* An image or a sampler, by the size of what is given; a variable that has no use for it is left
 * alone. */
static HdStatus put_opaque(Bound *b, const HdKernelInfo *k, uint32_t i, const heddle_binding *of,
                           HdDiags *d)
{
    const HdOpaque what = k->args[i].resource.opaque;

    if (of->memory == NULL) {
        b->set.is_set[i] = true;
        return HD_OK;
    }
    if (of->size == sizeof(heddle_image))
        return hd_opaque_has_image(what) ? put_image(b, k, i, of, d) : HD_OK;
    if (of->size == sizeof(heddle_sampler) || of->size == sizeof(heddle_shader_sampler))
        return hd_opaque_has_sampler(what) ? put_sampler(b, k, i, of, d) : HD_OK;
    return misfit(k, i, d,
                  "its memory must be a heddle_image, a heddle_sampler or a heddle_shader_sampler, "
                  "with its size");
}

/* An image in a heap has a name of its own, as nothing else tells it from a buffer. */
static uint32_t set_of(const heddle_binding *b)
{
    return b->set == HEDDLE_HEAP_IMAGE ? HEDDLE_HEAP : b->set;
}

static bool is_at(const HdResource *r, const heddle_binding *b)
{
    return !r->is_push && r->set == set_of(b) && r->binding == b->binding &&
           r->element == b->element;
}

/* Several variables may have one set and binding. */
static HdStatus bind(Bound *b, const HdKernelInfo *k, const heddle_binding *of, HdDiags *d)
{
    bool found = false;

    for (uint32_t i = 0; i < k->arg_count; i++) {
        if (!is_at(&k->args[i].resource, of))
            continue;
        found = true;
        if (of->set == HEDDLE_HEAP_IMAGE) {
            if (of->memory == NULL || of->size != sizeof(heddle_image))
                return misfit(k, i, d, "its memory must be a heddle_image, with its size");
            HD_TRY(put_image(b, k, i, of, d));
            continue;
        }
        if (k->args[i].resource.opaque != HD_OPAQUE_NONE) {
            HD_TRY(put_opaque(b, k, i, of, d));
            continue;
        }
        if (b->set.is_set[i])
            return misfit(k, i, d, "it is given twice");
        HD_TRY(put(b, k, i, of->memory, of->size, d));
    }
    if (found)
        return HD_OK;
    if (set_of(of) == HEDDLE_HEAP)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.bindings",
                       "shader '%s' has no descriptor %u in a heap of %s", k->name,
                       (unsigned)of->element, hd_heap_holds(of->binding));
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.bindings",
                   "shader '%s' has nothing to bind at %u.%u[%u]", k->name, (unsigned)of->set,
                   (unsigned)of->binding, (unsigned)of->element);
}

static HdStatus push(Bound *b, const HdKernelInfo *k, const heddle_dispatch *from, HdDiags *d)
{
    if (from->push_size == 0)
        return HD_OK;
    HD_TAKE(b->push, hd_alloc(from->push_size));
    memcpy(b->push, from->push, from->push_size);
    b->push_bytes = from->push_size;
    for (uint32_t i = 0; i < k->arg_count; i++)
        if (k->args[i].resource.is_push)
            HD_TRY(put(b, k, i, b->push, b->push_bytes, d));
    return HD_OK;
}

/* To what is left out nothing is bound; that is an error where the shader uses it and it is no
 * element of an array. */
static HdStatus finish(Bound *b, const HdKernelInfo *k, HdDiags *d)
{
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdResource *r = &k->args[i].resource;

        if (b->set.is_set[i])
            continue;
        if (r->is_used && r->elements == 0)
            return misfit(k, i, d, "nothing is given");
        if (r->opaque != HD_OPAQUE_NONE) /* hd_args_open has bound what stands for nothing */
            b->set.is_set[i] = true;
        else
            HD_TRY(put(b, k, i, NULL, 0, d));
    }
    return HD_OK;
}

static HdStatus open_bound(const heddle_dispatch *from, const HdKernelInfo *k, HdDiags *d, Bound *b)
{
    if (!k->is_shader)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.kernel",
                       "'%s' is a kernel: use heddle_run", k->name);
    HD_TRY(hd_args_open(k, &b->set));
    HD_TAKE(b->has_sampler, hd_alloc_zero(k->arg_count + 1));
    HD_TAKE(b->samplers, hd_alloc_zero((k->arg_count + 1) * sizeof *b->samplers));
    for (size_t i = 0; i < from->binding_count; i++)
        HD_TRY(bind(b, k, &from->bindings[i], d));
    HD_TRY(push(b, k, from, d));
    return finish(b, k, d);
}

static HdStatus sizes(const heddle_dispatch *from, const HdKernelInfo *k, HdDiags *d,
                      heddle_launch *to)
{
    for (uint32_t i = 0; i < 3; i++) {
        to->local_size[i] = k->required_local[i];
        to->global_size[i] = (uint64_t)from->groups[i] * to->local_size[i];
        if (to->local_size[i] == 0 || to->global_size[i] > UINT32_MAX)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "shader '%s': %u workgroups of %u invocations in dimension %u", k->name,
                           (unsigned)from->groups[i], (unsigned)k->required_local[i], (unsigned)i);
    }
    return HD_OK;
}

/* Push constants are memory that the shader may read. */
static HdStatus watch_push(const Bound *b, const HdLaunchCheck *check)
{
    const HdRegion r = {.at = (uint64_t)(uintptr_t)b->push,
                        .bytes = b->push_bytes,
                        .kind = HD_REGION_BUFFER,
                        .is_read_only = true,
                        .owner = b};

    return check == NULL || b->push == NULL ? HD_OK
                                            : hd_check_add(check->check, &r, "push constants");
}

HdStatus hd_lib_dispatch(heddle_program *p, const heddle_dispatch *from, const HdKernelInfo *k,
                         const HdLaunchCheck *check, HdDiags *d)
{
    heddle_launch launch = {.work_dim = 3,
                            .engine = from->engine,
                            .subgroup_size = from->subgroup_size,
                            .threads = from->threads,
                            .print = from->print,
                            .user = from->user};
    Bound b = {0};
    HdStatus st = open_bound(from, k, d, &b);

    if (st == HD_OK)
        st = sizes(from, k, d, &launch);
    if (st == HD_OK)
        st = watch_push(&b, check);
    if (st == HD_OK)
        st = hd_lib_launch(p, &launch, k, &b.set, check, d);
    if (check != NULL)
        hd_check_remove(check->check, (uint64_t)(uintptr_t)b.push, &b, NULL);
    hd_args_close(&b.set);
    hd_free(b.images);
    hd_free(b.has_sampler);
    hd_free(b.samplers);
    hd_free(b.push);
    return st;
}

/* ---- what a shader has ----------------------------------------------------------------------- */

/* The argument that is element 0 of number `number`; UINT32_MAX: there is no such number. */
static uint32_t first_of(const HdKernelInfo *k, size_t number, size_t *count)
{
    uint32_t found = UINT32_MAX;

    *count = 0;
    for (uint32_t i = 0; k->is_shader && i < k->arg_count; i++) {
        if (k->args[i].resource.element != 0)
            continue;
        if (*count == number)
            found = i;
        ++*count;
    }
    return found;
}

static const HdKernelInfo *entry_at(const heddle_program *p, size_t index)
{
    return &hd_program_layout(p->program)->kernels[index];
}

size_t heddle_program_binding_count(const heddle_program *p, size_t index)
{
    size_t count;

    (void)first_of(entry_at(p, index), SIZE_MAX, &count);
    return count;
}

heddle_binding_info heddle_program_binding(const heddle_program *p, size_t index, size_t number)
{
    const HdKernelInfo *k = entry_at(p, index);
    static const heddle_binding_kind kinds[] = {
        [HD_OPAQUE_SAMPLED_IMAGE] = HEDDLE_SAMPLED_IMAGE,
        [HD_OPAQUE_STORAGE_IMAGE] = HEDDLE_STORAGE_IMAGE,
        [HD_OPAQUE_UNIFORM_TEXELS] = HEDDLE_UNIFORM_TEXEL_BUFFER,
        [HD_OPAQUE_STORAGE_TEXELS] = HEDDLE_STORAGE_TEXEL_BUFFER,
        [HD_OPAQUE_SAMPLER] = HEDDLE_SAMPLER,
        [HD_OPAQUE_COMBINED] = HEDDLE_COMBINED_IMAGE_SAMPLER};
    heddle_binding_info out = {.name = ""};
    const HdResource *r;
    size_t count;
    uint32_t i = first_of(k, number, &count);

    if (i == UINT32_MAX)
        return out;
    r = &k->args[i].resource;
    out.kind = r->opaque != HD_OPAQUE_NONE ? kinds[r->opaque]
               : r->is_push                ? HEDDLE_PUSH_CONSTANTS
               : r->is_heap                ? HEDDLE_DESCRIPTOR_HEAP
               : r->is_uniform             ? HEDDLE_UNIFORM_BUFFER
                                           : HEDDLE_STORAGE_BUFFER;
    out.set = r->set;
    out.binding = r->binding;
    out.elements = r->elements;
    out.name = k->args[i].name;
    out.fixed_size = r->fixed_bytes;
    out.stride = r->stride;
    out.is_used = r->is_used;
    out.is_readonly = r->no_write;
    out.is_writeonly = r->no_read;
    return out;
}

void heddle_program_local_size(const heddle_program *p, size_t index, uint32_t size[3])
{
    memcpy(size, entry_at(p, index)->required_local, 3 * sizeof *size);
}
