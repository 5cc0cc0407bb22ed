/* grammar/tables.h -- what gen/tables.c holds besides what grammar/grammar.h shows.
 *
 * Only grammar.c and the generated file include this.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GRAMMAR_TABLES_H
#define HD_GRAMMAR_TABLES_H

#include "grammar/grammar.h"

typedef struct HdGramName {
    const char *name;
    uint16_t opix;
} HdGramName;

extern const HdEnumerant hd_gram_enumerants[];
extern const uint16_t hd_gram_enumerant_kind[]; /* which kind each belongs to */
extern const HdExtInst hd_gram_ext_insts[];
extern const uint16_t hd_gram_ext_inst_set[];
extern const char *const hd_gram_extension_names[];
extern const HdGramName hd_gram_op_names[];

/* Open-addressed hash tables: index + 1, 0 = empty; size is mask + 1. */
extern const uint16_t hd_gram_op_slots[], hd_gram_enumerant_slots[], hd_gram_value_slots[],
    hd_gram_ext_inst_slots[], hd_gram_extension_slots[];
extern const uint32_t hd_gram_op_mask, hd_gram_enumerant_mask, hd_gram_value_mask,
    hd_gram_ext_inst_mask, hd_gram_extension_mask;

#endif
