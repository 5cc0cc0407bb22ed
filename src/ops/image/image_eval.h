/* ops/image/image_eval.h -- images in the interpreter: what the functions that execute their
 * instructions share. Written from the specification; nothing of rt/ but its table of facts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_IMAGE_EVAL_H
#define HD_OPS_IMAGE_EVAL_H

#include "interp/eval.h"
#include "rt/image.h"

/* A place in an image; it may lie outside of it. */
typedef struct HdImagePlace {
    int64_t at[3];
    int64_t layer, sample;
    uint32_t level;
} HdImagePlace;

/* Is the place in the image? */
bool hd_image_has(const HdImage *im, const HdImagePlace *p);
/* Where its bytes lie; the place is inside. */
uint64_t hd_image_address(const HdImage *im, const HdImagePlace *p);

/* The image whose descriptor a lane names. To a shader's nothing may be bound, which is reported:
 * then *out is an image without texels. */
HdStatus hd_image_look_up(HdEval *e, unsigned lane, uint64_t at, const HdImage **out);

/* Lanes whose place is outside; the first one's. */
typedef struct HdImageWrong {
    uint64_t lanes;
    const HdImage *image;
    HdImagePlace place;
} HdImageWrong;

/* Of an image without texels nothing is noted. */
void hd_image_note_outside(HdImageWrong *w, unsigned lane, const HdImage *im,
                           const HdImagePlace *p);
/* Report them in a checked run: check.image-outside.
 *   id    of the image, or of the pointer to it
 *   what  "read" */
HdStatus hd_image_tell_outside(HdEval *e, HdId id, const HdType *image, const HdImageWrong *w,
                               const char *what);
/* The texel there, red to alpha, as numbers: every channel is exact in a double. Outside it is the
 * border's colour. */
HdStatus hd_image_fetch(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                        double texel[4]);
/* Store one; the place is inside. */
HdStatus hd_image_put(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                      const double texel[4]);
/* The same of a texel of one channel of 64 bits; of other images 0, and nothing is stored. */
HdStatus hd_image_fetch_wide(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                             uint64_t *out);
HdStatus hd_image_put_wide(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                           uint64_t texel);
bool hd_image_is_wide(const HdImage *im);
/* Are its channels fixed-point numbers from 0 to 1? */
bool hd_image_is_unorm(const HdImage *im);
/* Are its channels integers without a sign? */
bool hd_image_is_unsigned(const HdImage *im);
/* The components of a texel that the image stores, a bit each, red first. */
uint32_t hd_image_parts(const HdImage *im);
/* May a texel of such components be read from, or written to, such an image? */
bool hd_image_is_integer(const HdImage *im);

#endif
