/* lib/args.c -- a launch's arguments.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lib/args.h"

#include "base/memory.h"

static HdStatus misfit(const HdKernelInfo *k, uint32_t i, HdDiags *d, const char *why)
{
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.args", "argument %u of kernel '%s' %s", i,
                   k->name, why);
}

static HdStatus set_memory(const heddle_arg *a, const HdKernelInfo *k, uint32_t i, HdDiags *d,
                           HdLibArgs *out)
{
    if (a->size != 0) /* the address of a pointer, as clSetKernelArg takes it? */
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.args",
                       "argument %u of kernel '%s' is a pointer to memory: its value must be the "
                       "address of that memory, and its size 0, not %zu; in Python it is a "
                       "writable buffer",
                       i, k->name, a->size);
    return hd_args_set(&out->set, i, sizeof a->value, &a->value);
}

const char *hd_lib_image(const heddle_image *from, bool is_shader, HdImage *im)
{
    uint32_t order, type;
    HdImageSize size;

    if (!hd_image_order_of(from->channel_order, &order) ||
        !hd_image_type_of(from->channel_type, &type) ||
        !(is_shader ? hd_image_format_shades(order, type) : hd_image_format_runs(order, type)))
        return "is an image of a format that there is not";
    size = (HdImageSize){.dimensions = from->dimensions,
                         .width = from->width,
                         .height = from->dimensions > 1 ? from->height : 1,
                         .depth = from->dimensions > 2 ? from->depth : 1,
                         .layers = from->layers,
                         .levels = from->levels > 0 ? from->levels : 1,
                         .samples = from->samples > 0 ? from->samples : 1};
    if (size.width == 0 || size.height == 0 || size.depth == 0 || size.levels > HD_IMAGE_LEVELS ||
        !hd_image_lay_out(order, type, &size, from->row_pitch, from->slice_pitch, im) ||
        im->level[0].row < (uint64_t)size.width * im->texel_bytes ||
        im->level[0].slice / size.height < im->level[0].row)
        return "is an image of sizes that there are not";
    im->at = from->texels;
    return NULL;
}

static HdStatus set_image(const heddle_arg *a, const HdKernelInfo *k, uint32_t i, HdDiags *d,
                          HdLibArgs *out)
{
    const heddle_image *from = a->value;
    const char *why;
    HdImage *im;

    if (from == NULL || a->size != sizeof *from)
        return misfit(k, i, d, "is an image: its value must be a heddle_image, with its size");
    if (out->images == NULL)
        HD_TAKE(out->images, hd_alloc_zero(k->arg_count * sizeof *out->images));
    im = &out->images[i];
    why = hd_lib_image(from, false, im);
    if (why != NULL)
        return misfit(k, i, d, why);
    if (!hd_image_fits(im, k->args[i].type))
        return misfit(k, i, d, "is an image of another type than the kernel declares");
    return hd_args_set(&out->set, i, sizeof im, &im);
}

static HdStatus set_sampler(const heddle_arg *a, const HdKernelInfo *k, uint32_t i, HdDiags *d,
                            HdLibArgs *out)
{
    const heddle_sampler *from = a->value;
    uint64_t word;

    if (from == NULL || a->size != sizeof *from)
        return misfit(k, i, d, "is a sampler: its value must be a heddle_sampler, with its size");
    if (!hd_sampler_word(from->normalized != 0, from->addressing, from->filter, from->mip_filter,
                         &word))
        return misfit(k, i, d, "is a sampler with an addressing mode that there is not");
    return hd_args_set(&out->set, i, sizeof word, &word);
}

static HdStatus set_value(const heddle_arg *a, const HdKernelInfo *k, uint32_t i, HdDiags *d,
                          HdLibArgs *out)
{
    HdStatus st = hd_args_set(&out->set, i, a->size, a->value);

    if (st != HD_OK && k->args[i].kind == HD_ARG_LOCAL)
        return misfit(k, i, d, "is local memory: its value must be NULL");
    if (st != HD_OK)
        return hd_fail(d, st, HD_NO_PLACE, "launch.args",
                       "argument %u of kernel '%s' has %u bytes, not %zu", i, k->name,
                       (unsigned)k->args[i].size, a->size);
    return HD_OK;
}

static HdStatus set(const heddle_arg *a, const HdKernelInfo *k, uint32_t i, HdDiags *d,
                    HdLibArgs *out)
{
    switch (k->args[i].kind) {
    case HD_ARG_GLOBAL:
    case HD_ARG_CONSTANT: return set_memory(a, k, i, d, out);
    case HD_ARG_IMAGE: return set_image(a, k, i, d, out);
    case HD_ARG_SAMPLER: return set_sampler(a, k, i, d, out);
    case HD_ARG_PIPE:
    case HD_ARG_QUEUE: return misfit(k, i, d, "is a pipe or a queue: use the OpenCL driver");
    case HD_ARG_BINDING: return HD_BUG; /* a shader has been refused */
    case HD_ARG_VALUE:
    case HD_ARG_LOCAL:
    case HD_ARG_BYVAL: break;
    }
    return set_value(a, k, i, d, out);
}

HdStatus hd_lib_args_open(const heddle_launch *from, const HdKernelInfo *k, HdDiags *d,
                          HdLibArgs *out)
{
    if (k->is_shader)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.kernel",
                       "'%s' is a shader: use heddle_dispatch_run", k->name);
    if (from->arg_count != k->arg_count)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.args",
                       "kernel '%s' takes %u arguments, not %zu", k->name, (unsigned)k->arg_count,
                       from->arg_count);
    HD_TRY(hd_args_open(k, &out->set));
    for (uint32_t i = 0; i < k->arg_count; i++)
        HD_TRY(set(&from->args[i], k, i, d, out));
    return HD_OK;
}

void hd_lib_args_close(HdLibArgs *a)
{
    hd_args_close(&a->set);
    hd_free(a->images);
}
