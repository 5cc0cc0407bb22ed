/* rt/texel.h -- texels of one image, for the lanes of a mask: from memory and to memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_TEXEL_H
#define HD_RT_TEXEL_H

#include "rt/abi.h"
#include "rt/image.h"

/* for (HD_EACH(lane, mask)) … */
#define HD_EACH(lane, mask)                \
    unsigned lane = hd_each_from(mask, 0); \
    (lane) < HD_MAX_WIDTH;                 \
    (lane) = hd_each_from(mask, (lane) + 1)

/* The first lane of a mask from `lane` on; HD_MAX_WIDTH: there is none. */
static inline unsigned hd_each_from(uint64_t mask, unsigned lane)
{
    mask = lane < HD_MAX_WIDTH ? mask >> lane << lane : 0;
    return mask != 0 ? (unsigned)__builtin_ctzll(mask) : HD_MAX_WIDTH;
}

/* Loops run over whole blocks of lanes, so that the compiler makes vectors of them; lanes that do
 * not take part are computed along:
 * for (HD_BLOCKS(b, n)) for (HD_BLOCK(l, b)) … */
#define HD_BLOCK_LANES 16u
#define HD_BLOCKS(b, n) \
    unsigned b = 0;     \
    (b) < (n);          \
    (b) += HD_BLOCK_LANES
#define HD_BLOCK(l, b)          \
    unsigned l = (b);           \
    (l) < (b) + HD_BLOCK_LANES; \
    (l)++

/* Lanes up to the last of a mask, in whole blocks. */
static inline unsigned hd_lanes_reach(uint64_t mask)
{
    unsigned n = mask != 0 ? 64 - (unsigned)__builtin_clzll(mask) : 1;

    return (n + HD_BLOCK_LANES - 1) / HD_BLOCK_LANES * HD_BLOCK_LANES;
}

/* Four components of every lane; floats as their bits. */
typedef struct HdTexels {
    uint32_t at[4][HD_MAX_WIDTH];
} HdTexels;

/* Load what lies at at[lane]; NULL: the border's colour. Lanes that are not in the mask get numbers
 * of no meaning.
 *   is_int  integers are wanted, else floats */
void hd_rt_texels_load(const HdImage *im, const unsigned char *const *at, uint64_t mask,
                       bool is_int, HdTexels *out);
/* Store to at[lane]; NULL: nowhere. Lanes that are not in the mask are read, up to the next
 * multiple of 16. */
void hd_rt_texels_store(const HdImage *im, const unsigned char *const *at, uint64_t mask,
                        const HdTexels *x);

/* Fill im->form, when the rest is there but for `at`. */
void hd_rt_image_form(HdImage *im);

/* The level that a sample of an image with several is taken from.
 *   may_mix  two levels may be mixed if the sampler says so; *further is the weight of the next
 * one, else 0 */
uint32_t hd_rt_image_level(const HdImage *im, uint64_t sampler, float lod, bool may_mix,
                           float *further);

/* For HdRtGroup.image, the best one for this machine. */
HdRtImageFn *hd_rt_image_fn(void);

/* What serves every image; for the usual kinds the same in vectors. The caller checks that the
 * machine has the set. */
HdRtImageFn hd_rt_image, hd_rt_image_v3, hd_rt_image_v4;
/* HD_IMAGE_LOOKUP, which they hand on. */
HdRtImageFn hd_rt_lookup;

#endif
