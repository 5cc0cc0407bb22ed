/* text/places.h -- locations of a module's instructions in its assembly text.
 *
 * An instruction begins at an opcode's name, or at the `%id =` before it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_PLACES_H
#define HD_TEXT_PLACES_H

#include <stdint.h>

#include "base/array.h"
#include "base/strbuf.h"

typedef struct HdTextPlace {
    uint32_t line, column; /* 1 = first */
    uint32_t at;           /* bytes before it */
} HdTextPlace;
typedef HD_ARRAY(HdTextPlace) HdTextPlaces;

/* The place of each instruction, in order; heap. False when there is no memory. */
bool hd_text_places(const char *text, size_t len, HdTextPlaces *out);
/* Append the words of the i-th instruction with one blank between them.
 *   operand      which of them after the opcode is marked, 1 = first; 0: the opcode
 *   mark, bytes  where that is in what was appended, and its length; 0, 0 when it has no such */
void hd_text_place_words(const char *text, size_t len, const HdTextPlaces *places, size_t i,
                         uint32_t operand, HdStrbuf *out, uint32_t *mark, uint32_t *bytes);

#endif
