/* text/as_state.h -- what the assembler's files share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_AS_STATE_H
#define HD_TEXT_AS_STATE_H

#include "base/map.h"
#include "module/operands.h"
#include "text/as.h"

#define HD_AS_MAX_WORDS 65535u

#define HD_AS_RECENT 2048u /* a power of two; fits the first-level cache */

#define HD_AS_OPS 256u /* a power of two */

#define HD_AS_PREFIXES 256u /* a power of two */

typedef struct HdAsToken {
    const char *s;
    size_t len;
} HdAsToken;

typedef struct HdAsName {
    uint32_t hash;
    uint32_t at; /* in the text, after the %; it ends at the first character that cannot be in a
                  * name */
    uint32_t id; /* 0: a free place */
} HdAsName;

/* Names that differ in a number at their end only: %uint_0, %uint_1 and so on. */
typedef struct HdAsPrefix {
    const char *s; /* in the text; NULL: not used yet */
    uint32_t len;
    uint32_t base;    /* number of ids[0] */
    uint32_t room;    /* of ids; 0: none yet, another prefix may come in its place */
    uint32_t count;   /* ids that are not 0 */
    bool has_spilled; /* names of it may be among the other names */
    uint32_t *ids;    /* heap */
} HdAsPrefix;

/* An enumerant that was used lately. */
#define HD_AS_ENUMERANTS 64u /* a power of two */
typedef struct HdAsEnumerant {
    const HdEnumerant *e; /* NULL: nothing kept here yet */
    uint64_t key;
    uint16_t kind, len;
} HdAsEnumerant;

/* A name of up to seven characters that was used lately: its bytes, 0 for none. */
#define HD_AS_SHORTS 64u /* a power of two */
typedef struct HdAsShort {
    uint64_t all;
    uint32_t id;
} HdAsShort;

/* A name and the number that it may end in. */
typedef struct HdAsParts {
    uint64_t prefix_hash; /* of what comes before the number, or of all */
    size_t prefix_len;
    uint32_t hash; /* of all */
    uint32_t number;
    bool is_numbered;
} HdAsParts;

/* A name further on that was looked at. */
typedef struct HdAsExpected {
    const char *s;
    size_t len;
    HdAsParts parts;
} HdAsExpected;

typedef struct HdAs {
    const char *text, *end; /* end: first byte after it, or a NUL */
    const char *at;         /* where we are: errors point here */
    const char *next;       /* the next instruction begins here; NULL: it is not known where */
    HdDiags *d;

    uint32_t *words;
    size_t count, room;
    size_t open; /* first word of the instruction being made */

    uint32_t next_id, bound;
    uint32_t *by_number; /* ids of names that are plain numbers; 0 = not seen */
    uint32_t by_number_room;
    HdAsName *names; /* a hash table */
    size_t name_count, name_room;
    HdAsExpected expected[2];
    HdAsToken
        begun; /* the result id, with its %, that the next instruction is known to begin with */
    uint32_t recent[HD_AS_RECENT]; /* where the names used last are, by their hashes' low bits */
    HdAsPrefix prefixes[HD_AS_PREFIXES]; /* by the prefix's hash */
    bool preserve, is_careful;
    HdArena *arena;          /* of preserved */
    uint64_t *preserved_low; /* ids below preserved_low_room, a bit set on the heap */
    uint32_t preserved_low_room;
    HdMap preserved; /* ids above */

    HdOperandTypes types;
    struct {
        uint64_t key;
        uint16_t opix, len; /* HD_OPIX_NONE: nothing kept here yet */
    } ops[HD_AS_OPS];       /* opcodes used last, by name */
    HdAsEnumerant enumerants[HD_AS_ENUMERANTS];
    HdAsShort shorts[HD_AS_SHORTS];
    enum HdOpix opix;
    const char *op_name; /* in the text, for messages */
    size_t op_name_len;
    HdPattern pattern;
} HdAs;

/* as_lex.c */
/* Skip white space and comments; false at the end of the text. */
bool hd_as_skip(HdAs *as);
/* The word that begins at `at` (which is not white space). */
HdAsToken hd_as_word(const HdAs *as, const char *at);
/* Characters allowed in the name of an id. */
extern const bool hd_as_id_char[256];
bool hd_as_is_id_name(const char *s, size_t len);
/* Does something precede it in its line? `at` is after hd_as_skip. */
bool hd_as_continues_line(const HdAs *as);
/* Does a new instruction begin here? `at` is after hd_as_skip. */
bool hd_as_starts_inst(const HdAs *as);
bool hd_as_starts_op(const HdAs *as, const char *at);
/* Add an error at as->at. */
HdStatus hd_as_fail(HdAs *as, const char *rule, const char *hint, const char *fmt, ...)
    HD_PRINTF(4, 5);
/* Print a token into text for a message, shortened. */
const char *hd_as_show(HdAsToken t, char *text, size_t room);

/* as_quick.c */
/* The words before the operands, in the common form; false leaves everything to the general reader.
 * result->s is NULL if there is none. as->at is unchanged. */
bool hd_as_quick_head(HdAs *as, HdAsToken *result, HdAsToken *op);
/* The operands of as->opix that plainly come next, from as->at on. *done when these are all; else
 * the pattern is set to those that are to come. result->s becomes NULL when its id was appended. */
HdStatus hd_as_quick_operands(HdAs *as, HdAsToken *result, bool *done);

/* as_id.c */
/* The ids that follow in plain form, while the operands expected are ids: their words are appended
 * and as->at moves on to the next word of text. Stops, without an error, before anything that needs
 * the general reader. */
HdStatus hd_as_plain_ids(HdAs *as);
/* The id of a name that is no number, where ids keep no numbers. False leaves it to hd_as_id. */
bool hd_as_quick_name(HdAs *as, HdAsToken name, uint32_t *id);
/* Prefetch the slot of the name that begins the line after `from`, if there are many. */
void hd_as_expect(HdAs *as, const char *from);
HdStatus hd_as_collect_numeric_ids(HdAs *as);
void hd_as_free_ids(HdAs *as);
HdStatus hd_as_list_ids(const HdAs *as, HdTextIds *out);
/* The id of a name (without %), a new one when it is new. */
HdStatus hd_as_id(HdAs *as, HdAsToken name, uint32_t *id);

/* as_words.c */
/* How many there will be in the whole text of what there are `count` up to as->at. */
size_t hd_as_expected(const HdAs *as, size_t count);
/* How many elements an array shall have next that has so many and needs one of this index: as many
 * as it will need for the whole text when that goes on as it began, or twice as many where little
 * is known. */
uint32_t hd_as_next_room(const HdAs *as, uint32_t room, uint32_t index);
/* Room for so many further words. */
HdStatus hd_as_reserve(HdAs *as, size_t extra);
HdStatus hd_as_push_more(HdAs *as, uint32_t word);
static inline HdStatus hd_as_push(HdAs *as, uint32_t word)
{
    if (as->count == as->room)
        return hd_as_push_more(as, word);
    as->words[as->count++] = word;
    return HD_OK;
}
/* as_operand.c */
/* Append !<integer>. */
HdStatus hd_as_immediate(HdAs *as, HdAsToken t);
/* One operand of the grammar. *match is false when an optional literal did not match. */
HdStatus hd_as_operand(HdAs *as, const HdOperand *row, bool optional, HdAsToken t, bool *match);
/* Operands after a !<integer>: words, numbers, strings and ids up to the next instruction.
 *   result  the result id that is still to come first; s == NULL: none
 *   limit   stop after so many words of the instruction */
HdStatus hd_as_loose(HdAs *as, HdAsToken result, size_t limit);
/* %name to a word. */
HdStatus hd_as_push_id(HdAs *as, HdAsToken t);

/* hint.c */
/* A known name close to `name`, of opcodes (kind HD_KIND_COUNT) or of a kind's enumerants; NULL
 * when none is near. */
const char *hd_text_near_name(unsigned kind, const char *name, size_t len);

#endif
