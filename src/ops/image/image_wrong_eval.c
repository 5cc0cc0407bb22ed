/* ops/image/image_wrong_eval.c -- what accesses to images do wrong, in words.
 *
 * check.image-outside: a texel that the image does not have is accessed.
 * check.null: nothing is bound to a shader's descriptor.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/report.h"
#include "interp/watch_state.h"
#include "ops/image/image_eval.h"
#include "ops/image/image_shape.h"

HdStatus hd_image_look_up(HdEval *e, unsigned lane, uint64_t at, const HdImage **out)
{
    static const HdImage none = {.levels = 1, .samples = 1};
    HdDefect d = {.other_place.word = HD_NO_PLACE};
    char name[HD_REPORT_NAME];

    *out = at != 0 && at != HD_EVAL_NOWHERE ? (const HdImage *)(uintptr_t)at : &none;
    if ((*out)->texel_bytes != 0 || at == HD_EVAL_NOWHERE)
        return HD_OK; /* or what is not there has been reported */
    if (!e->g->kernel->is_shader)
        return hd_eval_bad(e, lane, "interp.image", "there is no image");
    if (!e->is_checked)
        return HD_OK;
    d.variable = hd_report_path(e, e->pointer, lane, name);
    return hd_report(e, HD_ERROR, UINT64_C(1) << lane, "check.null",
                     "bind an image, or do not access this descriptor",
                     "access to an image where nothing is bound", &d);
}

void hd_image_note_outside(HdImageWrong *w, unsigned lane, const HdImage *im, const HdImagePlace *p)
{
    if (im->texel_bytes == 0)
        return;
    if (w->lanes == 0) {
        w->image = im;
        w->place = *p;
    }
    w->lanes |= UINT64_C(1) << lane;
}

/* "(8, 3) of 8 x 4 texels" */
static void add_numbers(const HdType *type, const HdImageWrong *w, HdStrbuf *out)
{
    const unsigned n = hd_image_dimensions(type);
    const HdImage *im = w->image;
    const HdImageLevel *l = &im->level[w->place.level < im->levels ? w->place.level : 0];
    const uint32_t sizes[3] = {l->width, l->height, l->depth};

    hd_strbuf_add(out, n > 1 || hd_image_is_layered(type) ? "(" : "");
    for (unsigned d = 0; d < n; d++)
        hd_strbuf_printf(out, "%s%lld", d > 0 ? ", " : "", (long long)w->place.at[d]);
    if (hd_image_is_layered(type))
        hd_strbuf_printf(out, ", %lld", (long long)w->place.layer);
    hd_strbuf_add(out, n > 1 || hd_image_is_layered(type) ? ") of " : " of ");
    for (unsigned d = 0; d < n; d++)
        hd_strbuf_printf(out, "%s%u", d > 0 ? " x " : "", (unsigned)sizes[d]);
    hd_strbuf_add(out, " texels");
    if (hd_image_is_layered(type))
        hd_strbuf_printf(out, " and %u layers", (unsigned)im->layers);
    if (w->place.level != 0)
        hd_strbuf_printf(out, ", level %u of %u", (unsigned)w->place.level, (unsigned)im->levels);
    if (w->place.sample != 0)
        hd_strbuf_printf(out, ", sample %lld of %u", (long long)w->place.sample,
                         (unsigned)im->samples);
}

HdStatus hd_image_tell_outside(HdEval *e, HdId id, const HdType *image, const HdImageWrong *w,
                               const char *what)
{
    HdStrbuf message = {0}, memory = {0};
    HdDefect d = {.other_place.word = HD_NO_PLACE};
    const HdRegion *region;
    char name[HD_REPORT_NAME];

    if (w->lanes == 0 || !e->is_checked)
        return HD_OK;
    hd_strbuf_printf(&message, "%s outside of the image: ", what);
    add_numbers(image, w, &message);
    region = hd_check_find(&e->watch->c->map, (uint64_t)(uintptr_t)w->image->at);
    if (region != NULL) {
        hd_report_region(e, region, &memory);
        d.memory = hd_strbuf_text(&memory);
    }
    d.variable =
        e->g->kernel->is_shader ? hd_report_path(e, id, hd_lane_first(w->lanes), name) : NULL;
    hd_report(e, HD_ERROR, w->lanes, "check.image-outside", "compare with the image's size",
              hd_strbuf_text(&message), &d);
    hd_strbuf_free(&message);
    hd_strbuf_free(&memory);
    return HD_OK;
}
