/* check/counts.h -- how often the instructions of checked launches ran, and what follows from it:
 * counts by opcode, bytes of memory, lines and branches that were covered.
 *
 * A count is a sum over work-items: it depends neither on the number of threads nor on how many
 * lanes run together. What only names, describes or declares is no instruction here, a function's
 * variable is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_COUNTS_H
#define HD_CHECK_COUNTS_H

#include "check/check.h"

#define HD_COUNT_NO_FILE UINT32_MAX

/* A source. `text` is NULL if only the file of that name has it. */
typedef struct HdCountFile {
    const char *name, *text;
} HdCountFile;

typedef struct HdCountInst {
    const char *opcode; /* "OpLoad", "OpExtInst fma", "OpFunctionCall f" */
    uint32_t word;
    uint32_t function, block;    /* their numbers in the module */
    uint32_t file, line, column; /* HD_COUNT_NO_FILE: unknown */
    uint32_t copy;               /* the inlined call that it belongs to; 0: none */
    uint32_t loaded, stored;     /* bytes of Function that it takes besides those counted */
} HdCountInst;

typedef struct HdCountFunction {
    const char *name;
    uint32_t file, line;
    uint32_t entry; /* its first instruction; HD_NO_PLACE: it has none */
    uint32_t first; /* number of the first function of its name: clang makes two functions of a
                       kernel, of which one calls the other */
} HdCountFunction;

/* A terminator with more than one successor: edges `edge` … edge + count - 1. */
typedef struct HdCountBranch {
    uint32_t inst, edge, count;
} HdCountBranch;

/* What does not change between launches of a program. */
typedef struct HdCountCode {
    HdArena *arena; /* of all that is here, itself included */
    uint64_t program;
    bool is_text; /* it names no lines: `files[0]` is its own text */
    HdCountFile *files;
    HdCountInst *insts;
    uint32_t *first; /* [blocks of the module + 1] into insts */
    HdCountFunction *functions;
    HdCountBranch *branches;
    uint32_t file_count, inst_count, function_count, branch_count, edge_count;
} HdCountCode;

/* By the storage class of the pointer; of a generic one, the memory that it leads to. */
typedef enum HdCountMemory {
    HD_COUNT_FUNCTION,
    HD_COUNT_PRIVATE,
    HD_COUNT_WORKGROUP,
    HD_COUNT_CROSS_WORKGROUP,
    HD_COUNT_CONSTANT,
    HD_COUNT_INPUT,
    HD_COUNT_STORAGE_BUFFER,
    HD_COUNT_UNIFORM,
    HD_COUNT_PUSH_CONSTANT,
    HD_COUNT_PHYSICAL,
    HD_COUNT_IMAGE,
    HD_COUNT_MEMORIES
} HdCountMemory;
extern const char *const hd_count_memory_names[HD_COUNT_MEMORIES];

typedef struct HdCountBytes {
    uint64_t loaded, stored, atomic;
} HdCountBytes;

static inline bool hd_count_bytes_any(const HdCountBytes *b)
{
    return (b->loaded | b->stored | b->atomic) != 0;
}

/* Add those of all memories. */
static inline void hd_count_bytes_add(HdCountBytes *to, const HdCountBytes *more)
{
    for (unsigned i = 0; i < HD_COUNT_MEMORIES; i++) {
        to[i].loaded += more[i].loaded;
        to[i].stored += more[i].stored;
        to[i].atomic += more[i].atomic;
    }
}

/* What the launches of a kernel did. */
typedef struct HdCounts {
    const HdCountCode *code;
    const char *kernel; /* the code's */
    bool is_shader;
    uint64_t launches, work_items;
    uint64_t *insts; /* [code->inst_count] */
    uint64_t *edges; /* [code->edge_count] lanes that took an edge */
    HdCountBytes memory[HD_COUNT_MEMORIES];
} HdCounts;

/* ---- collecting ---- */

/* Launches that begin from now on are counted. */
void hd_check_count(HdCheck *c);
bool hd_check_is_counting(const HdCheck *c);
/* The code of a program that was added; NULL. */
HdCountCode *hd_check_code(HdCheck *c, uint64_t program);
/* Add a program's code, with its arena, unless another thread has done so: then it is gone. Returns
 * the check's own; NULL: no memory. */
HdCountCode *hd_check_add_code(HdCheck *c, HdCountCode *code);
/* The counts of a kernel of added code, made when they are not there; NULL: no memory. */
HdCounts *hd_check_counts_of(HdCheck *c, HdCountCode *code, const char *kernel, bool is_shader);
/* Add what a launch did. The arrays are as long as those of `to`. */
void hd_check_counted(HdCheck *c, HdCounts *to, const HdCounts *launch);
/* Name the text of programs that name no lines, and the places in it, as hd_check_place does. */
void hd_counts_place(HdCheck *c, const char *file, const char *text, HdCheckPlace *place,
                     void *user);

/* ---- for printing; nothing may run ---- */

typedef struct HdCountsList {
    HdCounts *const *at; /* in the order in which kernels ran first */
    size_t count;
} HdCountsList;
HdCountsList hd_check_counts(HdCheck *c);

uint64_t hd_counts_total(const HdCounts *k);

/* How often a kernel ran each opcode that it ran: the most frequent first, then by name. Heap. */
typedef struct HdOpcodeCount {
    const char *opcode; /* the code's */
    uint64_t count;
} HdOpcodeCount;
typedef HD_ARRAY(HdOpcodeCount) HdOpcodeCounts;
HdStatus hd_counts_by_opcode(const HdCounts *k, HdOpcodeCounts *out);

void hd_counts_text(HdCountsList all, HdStrbuf *out);
void hd_counts_json(HdCountsList all, HdStrbuf *out);
/* Write them to a file: as JSON if its name ends so, else as text. */
HdStatus hd_counts_write(HdCheck *c, const char *path, HdDiags *d);

/* ---- coverage: coverage.c ---- */

/* A line of a source: how often the instruction of it that ran most often did, added up over the
 * functions and inlined calls that it is in. */
typedef struct HdLineCount {
    const HdCountFile *file;
    uint32_t line;
    uint64_t count;
} HdLineCount;
typedef HD_ARRAY(HdLineCount) HdLineCounts;
/* All lines that have instructions, by file and line; heap. */
HdStatus hd_coverage_lines(HdCountsList all, HdLineCounts *out);

/* A way out of a branch. */
typedef struct HdBranchCount {
    const HdCountFile *file;
    uint32_t line;
    uint32_t block;  /* which branch of its line; those of inlined calls are the same */
    uint32_t edge;   /* its number, in the order of the terminator's operands */
    bool is_reached; /* some work-item executed the branch */
    uint64_t count;  /* work-items that took it */
} HdBranchCount;
typedef HD_ARRAY(HdBranchCount) HdBranchCounts;
/* All of them, by file, line, block and edge; heap. */
HdStatus hd_coverage_branches(HdCountsList all, HdBranchCounts *out);

/* Write lcov's tracefile (geninfo(1)). Sources that are in no file, as those of
 * clCreateProgramWithSource, and texts of modules that name no lines, are written to the folder
 * heddle-sources beside it, under names that their contents make: equal ones have equal names.
 * Errors: HD_IO, HD_NO_MEMORY. */
HdStatus hd_coverage_write(HdCheck *c, const char *path, HdDiags *d);

#endif
