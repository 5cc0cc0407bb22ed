/* text/as.h -- from assembly text to words.
 *
 * The language is that of SPIRV-Tools: `%id = OpName operands`, ids by name or number, masks as
 * A|B, strings in quotes, comments after `;`, `!<integer>` for a literal word, and
 * OpUnknown(<opcode>, <words>) for instructions that the grammar does not have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_AS_H
#define HD_TEXT_AS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "base/strbuf.h"

typedef struct HdAsOptions {
    uint32_t version;          /* of the header, as 0x00010300; 0: what the text's first
                                * lines name, as disassemblers write them, else 1.6 */
    uint32_t generator;        /* of the header; 0: the number that SPIRV-Tools' assembler writes */
    bool preserve_numeric_ids; /* %12 becomes id 12 */
} HdAsOptions;

/* Is it text in UTF-16 or UTF-32? */
bool hd_text_is_wide(const char *text, size_t len);
/* Assemble.
 *   text     `len` bytes of UTF-8; the last one may be a NUL
 *   options  may be NULL
 *   d        gets the first error, with its line and column
 *   words    on success the module in host endianness, heap, hd_free'd by the caller
 * Time and memory are linear in the length of the text.
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY; *words is NULL then. */
HdStatus hd_text_assemble(const char *text, size_t len, const HdAsOptions *options, HdDiags *d,
                          uint32_t **words, size_t *nwords);

/* What a text calls its ids. */
typedef struct HdTextIds {
    uint32_t *at; /* [count] where the name of an id begins in `names`, with its %; heap */
    uint32_t count;
    HdStrbuf names; /* in sequence, each terminated by a NUL */
} HdTextIds;

/* List the names in a text that hd_text_assemble takes with the same options, none where ids keep
 * their numbers. Takes as long as that again: for those who have something to say about it.
 * Errors: HD_NO_MEMORY; *out can be freed then as well. */
HdStatus hd_text_ids(const char *text, size_t len, const HdAsOptions *options, HdTextIds *out);
void hd_text_ids_free(HdTextIds *ids);
/* NULL: the text has no such id. */
const char *hd_text_ids_find(const HdTextIds *ids, uint32_t id);

/* The SPIR-V version of a target environment's name ("spv1.4", "opencl2.2", "vulkan1.3", …). False
 * when the name is not known. */
bool hd_text_env_version(const char *name, uint32_t *version);

#endif
