/* text/names.h -- friendly names of a module's ids.
 *
 * The same names as SPIRV-Tools: OpName's, those of built-ins, and names derived from types and
 * constants (%v4float, %uint_42); made unique, with everything but letters, digits and _ replaced.
 * Ids without a name are named by their number.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_NAMES_H
#define HD_TEXT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "module/module.h"

typedef struct HdNames HdNames;

/* The beginning of an HdNames: names are looked up once for each word of text. */
#define HD_NAME_NUMBERED UINT32_MAX
typedef struct HdNameTable {
    struct HdName {
        uint32_t at; /* in the pool; NUMBERED: called by its number */
        uint32_t len : 23, is_tail : 1, literal : 8; /* len 0: no name yet; a literal's text follows
                                                      * the name, or is the end of it: is_tail */
    } * of;
    char *pool;
    uint32_t room;
} HdNameTable;

/* Make the names of all ids of a module. The words need not be sound: reading stops where they are
 * not. Host endianness.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_names_open(const uint32_t *words, size_t nwords, HdNames **out);
void hd_names_close(HdNames *n);
/* The name of an id without %, NULL when it is called by its number; `len` gets its length. */
static inline const char *hd_names_find(const HdNames *n, uint32_t id, uint32_t *len)
{
    const HdNameTable *t = (const HdNameTable *)n;

    if (id >= t->room || t->of[id].len == 0 || t->of[id].at == HD_NAME_NUMBERED)
        return NULL;
    *len = t->of[id].len;
    return t->pool + t->of[id].at;
}

/* What the literal of a constant reads that has its name from it, NULL for all others. */
static inline const char *hd_names_literal(const HdNames *n, uint32_t id, uint32_t *len)
{
    const char *name = hd_names_find(n, id, len);
    const struct HdName *of = ((const HdNameTable *)n)->of;

    if (name == NULL || of[id].literal == 0)
        return NULL;
    name += of[id].is_tail ? *len - of[id].literal : *len;
    *len = of[id].literal;
    return name;
}

/* Short names that were guessed last: text about a module names the same few ids again and again.
 * A zeroed one is empty. */
#define HD_GUESSES 64u
typedef struct HdGuesses {
    struct {
        HdId id;
        uint8_t len;
        char text[27];
    } at[HD_GUESSES];
} HdGuesses;

/* A name for one id of a module without naming all others: as above, but not made unique. Writes at
 * most `room` bytes (no NUL) and returns how many; 0: the id is called by its number.
 *   known  what has been guessed for the same module; may be NULL */
size_t hd_names_guess(const HdModule *m, HdGuesses *known, HdId id, char *out, size_t room);

#endif
