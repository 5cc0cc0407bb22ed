/* module/reader_state.h -- what the files of the reader share.
 *
 * prove.c makes the first pass over the words, fill.c the second; reader.c has them made, by one
 * thread or several.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_READER_STATE_H
#define HD_MODULE_READER_STATE_H

#include "module/module.h"

typedef struct HdReaderCounts {
    uint32_t capabilities, extensions, entries, functions, blocks, params;
    uint32_t decorations, groups, definitions;
    bool lines, calls, undefs, joins; /* there may be OpLine or DebugLine; there are OpFunctionCall,
                                       * OpUndef, OpPhi or OpLoopMerge */
} HdReaderCounts;

typedef struct HdReader {
    HdModule *m;
    HdDiags *d;
    uint32_t first, end; /* the words to read */
    HdReaderCounts n;
    HdId no_number;    /* the last one found not to be a numeric type */
    bool bad;          /* an error was reported */
    bool is_part;      /* others read other functions at the same time */
    bool is_unsure;    /* of a part: what is right depends on other parts */
    uint64_t edges[2]; /* of a part: its bits of m->id_words that share a word with others' */
} HdReader;

/* First pass: prove that the reader's instructions are well formed, note what they define, count
 * them. What is wrong is reported. */
void hd_reader_prove(HdReader *r);
/* Second pass: fill in its instructions, whose functions, blocks and parameters have the numbers
 * from `from` on. */
void hd_reader_fill(const HdReader *r, const HdReaderCounts *from);

#endif
