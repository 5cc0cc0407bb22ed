/* check/defect.h -- one defect of a program, and how it is reported.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_DEFECT_H
#define HD_CHECK_DEFECT_H

#include "base/array.h"
#include "base/diag.h"

/* A place in a program: an instruction and, where debug information names it, its source. */
typedef struct HdDefectPlace {
    const char *function, *inst; /* in text; NULL when unknown */
    const char *source;          /* file */
    const char *text;            /* of that file, which the check keeps; NULL: read it */
    uint32_t line, column;
    uint32_t word; /* in the module, HD_NO_PLACE */
} HdDefectPlace;

typedef struct HdDefectItem {
    bool is_known;
    bool is_invocation; /* what a shader calls it */
    uint64_t global[3], local[3], group[3];
    uint32_t subgroup, lane;
} HdDefectItem;

#define HD_DEFECT_STACK 16u

/* Bytes around an access, as they were when it was found: for pictures. */
#define HD_DEFECT_AROUND 128u
enum { HD_BYTE_OUTSIDE, HD_BYTE_VALUE, HD_BYTE_UNDEFINED };
typedef struct HdDefectMemory {
    bool is_known;
    uint64_t at;
    unsigned char bytes[HD_DEFECT_AROUND], state[HD_DEFECT_AROUND];
    bool is_also[HD_DEFECT_AROUND]; /* accessed by further occurrences of the defect */
} HdDefectMemory;

/* A further occurrence, away from what is shown of those before it: for pictures. */
typedef struct HdDefectAgain {
    HdDefectItem item, other_item;
    const char *memory;
    uint64_t address, bytes, memory_at, memory_bytes, lanes;
    uint32_t first_item;
    HdDefectMemory around;
    struct HdDefectAgain *next;
} HdDefectAgain;
#define HD_DEFECT_AGAIN 7u  /* that are kept */
#define HD_DEFECT_ASKED 64u /* that are looked at: it takes time */

typedef struct HdDefect {
    HdSeverity severity;
    const char *rule;    /* stable id, a literal */
    const char *message; /* one sentence */
    uint32_t part;       /* what tells it from others of the rule at one place; 0 */
    bool has_one_place;  /* whatever the other place is: a lost update, met by load and by store */
    const char *kernel;
    bool is_shader;   /* of Vulkan: texts get its words when the defect is kept */
    uint64_t program; /* identifies the program; 0 = unknown */
    HdDefectPlace place;
    HdDefectItem item;
    const char *variable; /* what the program calls it; NULL */
    const char *memory;   /* "buffer 0 of 64 bytes, argument 1 'out'"; NULL */
    const char *other;    /* what the other side is: "written there", "value made there"; NULL */
    HdDefectPlace other_place;
    HdDefectItem other_item;
    HdDefectPlace stack[HD_DEFECT_STACK]; /* calls, innermost first */
    uint32_t stack_count;
    const char *hint;
    uint64_t count; /* how often */
    uint64_t address, bytes;
    uint64_t memory_at, memory_bytes; /* what `memory` or the variable takes; 0 bytes: unknown */
    HdDefectMemory around;
    uint64_t local_size[3]; /* of the work-group; 0 = unknown */
    /* Who does it, of those that `item` runs together with: lanes from a linear local id on. */
    uint64_t lanes, group_number;
    uint32_t first_item, subgroup_width;
    HdDefectAgain *again;              /* as they were found */
    uint32_t again_count, again_asked; /* kept; looked at whether to keep them */
    bool has_more;                     /* that are not kept */
} HdDefect;

typedef struct HdDefects {
    const HdDefect *at;
    size_t count, errors;
    uint64_t launches;
    uint64_t more; /* places beyond those that are kept */
    size_t first;  /* of those that a text shows: others were printed before */
    bool goes_on;  /* the run does: a text has no summary yet */
    /* What was counted, for pages (check/counts.h: HdCountsList); 0: nothing. */
    struct HdCounts *const *counted;
    size_t counted_count;
} HdDefects;

typedef enum HdDefectForm {
    HD_DEFECT_TEXT,
    HD_DEFECT_COLOUR,
    HD_DEFECT_JSON,
    HD_DEFECT_SARIF,
    HD_DEFECT_HTML
} HdDefectForm;

/* Print all.
 *   file   name of what ran; NULL */
void hd_defects_print(const HdDefects *d, const char *file, HdDefectForm form, HdStrbuf *out);
/* The format given by a file's extension: .json, .sarif, .html, else text. */
HdDefectForm hd_defects_form(const char *path);

#endif
