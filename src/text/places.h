/* text/places.h -- the n-th instruction of a module stands where the n-th begins in its text.
 *
 * An instruction begins at an opcode's name, or at the `%id =` in front of it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_PLACES_H
#define HD_TEXT_PLACES_H

#include <stdint.h>

#include "base/array.h"

typedef struct HdTextPlace {
    uint32_t line, column; /* 1 = first */
} HdTextPlace;
typedef HD_ARRAY(HdTextPlace) HdTextPlaces;

/* The place of each instruction, in order; heap. False when there is no memory. */
bool hd_text_places(const char *text, size_t len, HdTextPlaces *out);

#endif
