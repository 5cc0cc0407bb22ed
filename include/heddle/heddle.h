/* heddle/heddle.h -- SPIR-V modules of OpenCL from C: read, written, checked, linked, run on CPUs.
 *
 * Link with -lheddle (pkg-config heddle). LLVM is loaded by heddle_run only, when it compiles.
 *
 * Threads: every function may be called by several threads at once. One heddle_report is used by
 * one thread at a time; a heddle_view, and a heddle_program until it is closed, by any number of
 * them. The library never exits, never prints unless it is asked to, and keeps nothing but the disk
 * cache after the last object is freed.
 *
 * Ownership: what a function only reads may go away when it has returned, unless it says otherwise;
 * texts and words that it returns are the caller's, by heddle_free; objects by their _close.
 *
 * Errors: functions that can fail return a heddle_status; what was wrong stands in the
 * heddle_report that was handed in (NULL: not wanted). After an error, what would have been
 * returned is NULL and 0. HEDDLE_NO_MEMORY is possible everywhere.
 *
 * Words are SPIR-V's, of 32 bits; modules are read in either endianness and written in the host's.
 * Structures are plain C: integers, pointers and functions, no bit fields, for other languages.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

typedef enum heddle_status {
    HEDDLE_OK = 0,
    HEDDLE_BAD_INPUT,   /* the module, text or argument is wrong */
    HEDDLE_UNSUPPORTED, /* valid, but not supported */
    HEDDLE_NO_MEMORY,   /* nothing is held of what was begun */
    HEDDLE_IO,          /* a file or library could not be read */
    HEDDLE_BUG          /* a defect of Heddle: please report it */
} heddle_status;

/* The library's version, "0.1.0"; static. */
HEDDLE_API const char *heddle_version(void);
/* Free a text or word stream that a function here returned. NULL is fine. Any thread may. */
HEDDLE_API void heddle_free(void *block);

/* ---- reports -------------------------------------------------------------------------------- */

/* What was found, in the order in which it was found. */
typedef struct heddle_report heddle_report;

/* How much a finding matters: only errors make a module invalid. */
typedef enum heddle_severity { HEDDLE_NOTE, HEDDLE_WARNING, HEDDLE_ERROR } heddle_severity;

typedef struct heddle_finding {
    heddle_severity severity;
    const char *rule;        /* stable id, "atomic.value"; never NULL */
    const char *message;     /* one sentence */
    const char *spec;        /* section that the rule stands in; NULL when none */
    const char *hint;        /* what to do; NULL when obvious */
    const char *instruction; /* in text; NULL when unknown */
    const char *source;      /* source file by debug information; NULL when unknown */
    uint32_t source_line;    /* 1 = first */
    uint64_t byte;           /* offset in the module, UINT64_MAX when none */
    uint32_t line, column;   /* in assembled text, 1 = first; 0 = none */
} heddle_finding;

/* An empty report; NULL when there is no memory. Reports may be used again: findings add up. */
HEDDLE_API heddle_report *heddle_report_open(void);
/* Free it with its findings. NULL is fine. */
HEDDLE_API void heddle_report_close(heddle_report *r);
/* How many findings it has, notes and warnings too. */
HEDDLE_API size_t heddle_report_count(const heddle_report *r);
/* Finding `index`, from 0, less than the count; its strings live as long as the report. */
HEDDLE_API heddle_finding heddle_report_get(const heddle_report *r, size_t index);
/* All findings as text for people, or as a JSON array (the members of heddle_finding that are
 * known, under these names); NUL-terminated UTF-8, heddle_free it. NULL without memory. file  name
 * of what was read, put before each finding; may be NULL */
HEDDLE_API char *heddle_report_text(heddle_report *r, const char *file);
HEDDLE_API char *heddle_report_json(heddle_report *r, const char *file);

/* ---- modules --------------------------------------------------------------------------------- */

/* Assemble SPIRV-Tools' syntax (docs/assembly.md).
 *   text, len   UTF-8, need not end in NUL; len in bytes, below 4 GiB
 *   r           may be NULL; errors carry line and column
 *   words       heddle_free it; host endianness; SPIR-V 1.6; NULL after an error
 *   nwords      length in words of 4 bytes
 * Errors: HEDDLE_BAD_INPUT, the first that is wrong; HEDDLE_NO_MEMORY. Threads: re-entrant. Takes
 * time in proportion to the text, and memory less than three times the words. */
HEDDLE_API heddle_status heddle_assemble(const char *text, size_t len, heddle_report *r,
                                         uint32_t **words, size_t *nwords);

enum { HEDDLE_AS_PRESERVE_IDS = 1 /* %12 becomes id 12 */ };
/* The same for a version of SPIR-V.
 *   version  of the module, as its header has it: 0x00010300 is 1.3; 0: 1.6. It is written, and
 *            nothing is compared with it: heddle_validate does that
 *   flags    HEDDLE_AS_… joined by |; unknown ones are ignored */
HEDDLE_API heddle_status heddle_assemble_as(const char *text, size_t len, uint32_t version,
                                            unsigned flags, heddle_report *r, uint32_t **words,
                                            size_t *nwords);

enum {
    HEDDLE_DIS_RAW_IDS = 1,   /* ids by number instead of friendly names */
    HEDDLE_DIS_NO_HEADER = 2, /* without the header's words in comments */
    HEDDLE_DIS_INDENT = 4,    /* opcodes in one column */
    HEDDLE_DIS_OFFSETS = 8,   /* each instruction's offset in bytes behind it */
    HEDDLE_DIS_COLOUR = 16,   /* ANSI escapes */
    HEDDLE_DIS_COMMENTS = 32, /* headings, names and decorations in comments */
    HEDDLE_DIS_NESTED = 64,   /* blocks indented by how they are nested */
    HEDDLE_DIS_REORDER = 128, /* blocks in structured order */
    HEDDLE_DIS_UNKNOWN = 256 /* what the grammar does not know as OpUnknown(…), not as an error */
};
/* Disassemble words of either endianness.
 *   words  `nwords` of 4 bytes, only read; need not be valid SPIR-V, only well-formed
 *   flags  HEDDLE_DIS_… joined by |
 *   text   heddle_free it; NUL-terminated; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_disassemble(const uint32_t *words, size_t nwords, unsigned flags,
                                            heddle_report *r, char **text);

/* Check a module by the rules of SPIR-V and of an environment (docs/environments.md has the names).
 *   env         "opencl3.0", "opencl1.2-embedded", "universal1.4" …; NULL: universal, at the
 *               module's own version
 *   extensions  "cl_khr_fp16,cl_khr_subgroups", "all", "none", "all,-cl_khr_fp16"; NULL: those that
 *               the version makes mandatory; not looked at without env
 * Returns HEDDLE_OK when there are at most warnings. Every error is reported, not only the first.
 * Errors: HEDDLE_BAD_INPUT for a module that is not valid and for unknown names, HEDDLE_NO_MEMORY.
 * Threads: re-entrant; the words are only read.
 * Spec: SPIR-V, "Universal Validation Rules"; OpenCL SPIR-V Environment Specification. */
HEDDLE_API heddle_status heddle_validate(const uint32_t *words, size_t nwords, const char *env,
                                         const char *extensions, heddle_report *r);

/* How to check, beyond the environment. All zero is what heddle_validate does. */
typedef struct heddle_validate_options {
    const char *env, *extensions; /* as for heddle_validate */
    unsigned threads;             /* check so many functions at once; 0 and 1: one */
    size_t limit;                 /* keep so many errors; 0: all */
    /* Called for each finding, in the order of the module, on the calling thread, when the check is
     * done; what it is handed lives until it returns. NULL: not wanted. */
    void (*finding)(void *user, const heddle_finding *finding);
    void *user;
} heddle_validate_options;

/* The same with options; o may be NULL. r may be NULL also when findings go to the callback. */
HEDDLE_API heddle_status heddle_validate_with(const uint32_t *words, size_t nwords,
                                              const heddle_validate_options *o, heddle_report *r);

/* A module to be linked: words of 4 bytes, which stay the caller's. */
typedef struct heddle_module {
    const uint32_t *words;
    size_t nwords;
} heddle_module;

/* Link modules into one.
 *   modules     `count` of them, at least 1; only read
 *   is_library  not 0: keep exports, and imports may stay unresolved
 *   words       heddle_free it; host endianness; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for malformed modules, names that are missing or defined twice, types
 * that differ; HEDDLE_UNSUPPORTED, HEDDLE_NO_MEMORY. Threads: re-entrant.
 * Spec: OpenCL API, "Linking"; SPIR-V, "Linkage Attributes". */
HEDDLE_API heddle_status heddle_link(const heddle_module *modules, size_t count, int is_library,
                                     heddle_report *r, uint32_t **words, size_t *nwords);

enum {
    HEDDLE_STRIP_NAMES = 1,      /* OpName, OpMemberName */
    HEDDLE_STRIP_DEBUG = 2,      /* sources, lines, OpModuleProcessed, debug information */
    HEDDLE_STRIP_NONSEMANTIC = 4 /* instructions of NonSemantic sets */
};
/* Leave out of a module what does not change what it does.
 *   what   HEDDLE_STRIP_… joined by |; 0: all
 *   words_out, nwords_out  as for heddle_link
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_strip(const uint32_t *words, size_t nwords, unsigned what,
                                      heddle_report *r, uint32_t **words_out, size_t *nwords_out);

/* A specialisation constant's value. */
typedef struct heddle_specialization {
    uint32_t spec_id;    /* of its SpecId decoration */
    uint32_t size_bytes; /* of its type: 1, 2, 4 or 8; a bool's is 1 */
    uint64_t bits;       /* the low-order size_bytes of it are the value */
} heddle_specialization;

/* Write a module with other defaults of its specialisation constants. SpecIds that the module does
 * not have are ignored.
 *   spec, spec_count       may be NULL, 0
 *   freeze                 not 0: make plain constants of all of them
 *   words_out, nwords_out  as for heddle_link
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant.
 * Spec: SPIR-V, "Specialization". */
HEDDLE_API heddle_status heddle_specialize(const uint32_t *words, size_t nwords,
                                           const heddle_specialization *spec, size_t spec_count,
                                           int freeze, heddle_report *r, uint32_t **words_out,
                                           size_t *nwords_out);

/* Rewrite a module for drivers that lack newer extensions (untyped pointers, float atomics, USM
 * storage classes, expect and assume, no-wrap decorations, bit instructions, integer dot products,
 * LinkOnceODR, sub-group rotations, uniform group instructions, operations of sub-groups that need
 * SPIR-V 1.3, where all work-items of a sub-group come), and check the result against the
 * target.
 *   env, extensions        the target, as for heddle_validate; env NULL: "opencl3.0"
 *   words_out, nwords_out  as for heddle_link
 * Errors: HEDDLE_UNSUPPORTED for what has no older form, HEDDLE_BAD_INPUT for what is left that the
 * target does not take and for unknown names, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_lower(const uint32_t *words, size_t nwords, const char *env,
                                      const char *extensions, heddle_report *r,
                                      uint32_t **words_out, size_t *nwords_out);

/* ---- looking into modules -------------------------------------------------------------------- */

/* A module that was read: its words are copied, in host endianness. Read only; several threads may
 * look at one. What is handed out lives as long as the view. */
typedef struct heddle_view heddle_view;

/* Read a module, which need not be valid, only well-formed.
 *   out  heddle_view_close it
 * Errors: HEDDLE_BAD_INPUT, HEDDLE_NO_MEMORY; *out is NULL then. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_view_open(const uint32_t *words, size_t nwords, heddle_report *r,
                                          heddle_view **out);
/* Free it, and all that was handed out of it. NULL is fine. */
HEDDLE_API void heddle_view_close(heddle_view *v);

/* Words of the header, numbers of the specification. */
typedef struct heddle_header {
    uint32_t version, generator, bound, schema;
    uint32_t addressing_model, memory_model; /* as OpMemoryModel has them */
} heddle_header;
/* The module's header and memory model. Spec: SPIR-V, "Physical Layout of a SPIR-V Module". */
HEDDLE_API heddle_header heddle_view_header(const heddle_view *v);

typedef struct heddle_instruction {
    uint32_t opcode;
    const char *name;      /* "OpIAdd"; "" when the grammar does not know it */
    uint32_t word;         /* where it begins in the module, in words */
    uint32_t nwords;       /* all of its words, the first included */
    const uint32_t *words; /* words[0] is the first word; the view's */
    uint32_t type;         /* result type, 0 = none */
    uint32_t result;       /* result id, 0 = none */
} heddle_instruction;

/* Step through the instructions: *word starts as 0 (or as any instruction's `word`), and is moved
 * behind what is returned. Returns 0 at the end.
 *     for (uint32_t at = 0; heddle_view_next(v, &at, &in);) … */
HEDDLE_API int heddle_view_next(const heddle_view *v, uint32_t *word, heddle_instruction *in);
/* The instruction that defines an id. Returns 0, and *in is not changed, when none does. */
HEDDLE_API int heddle_view_definition(const heddle_view *v, uint32_t id, heddle_instruction *in);
/* What OpName calls an id, NUL-terminated, the view's; NULL when nothing does. */
HEDDLE_API const char *heddle_view_name(const heddle_view *v, uint32_t id);
/* An instruction as text, with friendly names; heddle_free it. NULL without memory. */
HEDDLE_API char *heddle_view_text(const heddle_view *v, const heddle_instruction *in);

typedef enum heddle_operand_kind {
    HEDDLE_OPERAND_ID,
    HEDDLE_OPERAND_INTEGER,
    HEDDLE_OPERAND_FLOAT, /* 16, 32 or 64 bits in one or two words */
    HEDDLE_OPERAND_STRING,
    HEDDLE_OPERAND_ENUMERANT, /* one value of a kind */
    HEDDLE_OPERAND_MASK,      /* bits of a kind */
    HEDDLE_OPERAND_EXTENDED,  /* number of an extended instruction */
    HEDDLE_OPERAND_OPCODE     /* of OpSpecConstantOp */
} heddle_operand_kind;

/* One operand; its texts are static or the view's. */
typedef struct heddle_operand {
    heddle_operand_kind kind;
    uint32_t at, nwords;  /* words[at] … words[at + nwords - 1] of the instruction */
    uint32_t bits;        /* of a number; 0 for the other kinds */
    int is_signed;        /* of an integer */
    const char *name;     /* what the grammar calls it, "" when it has no name */
    const char *category; /* of enumerants and masks: "StorageClass"; else "" */
    const char *value;    /* enumerants, opcodes, extended instructions: name; strings: text; else
                             NULL */
} heddle_operand;

/* Operands of an instruction, result type and result included.
 *   out, room  the first `room` of them are written there; may be NULL, 0
 *   returns    how many there are */
HEDDLE_API size_t heddle_view_operands(const heddle_view *v, const heddle_instruction *in,
                                       heddle_operand *out, size_t room);

/* A function: ids, and places in words. */
typedef struct heddle_function {
    uint32_t id, result_type, type;
    uint32_t word, end;                    /* of OpFunction, and behind OpFunctionEnd */
    uint32_t parameter_count, block_count; /* no blocks: a declaration */
} heddle_function;
/* How many OpFunction the module has. */
HEDDLE_API size_t heddle_view_function_count(const heddle_view *v);
/* Function `index`, from 0, less than the count, in module order. */
HEDDLE_API heddle_function heddle_view_function(const heddle_view *v, size_t index);

typedef struct heddle_entry_point {
    uint32_t execution_model; /* 6: Kernel */
    uint32_t function;        /* id */
    const char *name;         /* the view's */
} heddle_entry_point;
/* How many OpEntryPoint the module has. */
HEDDLE_API size_t heddle_view_entry_point_count(const heddle_view *v);
/* Entry point `index`, from 0, less than the count, in module order. */
HEDDLE_API heddle_entry_point heddle_view_entry_point(const heddle_view *v, size_t index);

/* ---- running --------------------------------------------------------------------------------- */

/* A checked module with its constants set, and the code of its kernels. */
typedef struct heddle_program heddle_program;

/* Make a program: the module is checked and laid out; its kernels are compiled when they first run.
 * Program-scope variables belong to the program and keep their values between runs. Slips of known
 * producers are repaired, each with a warning.
 *   words             only read, and not needed afterwards
 *   spec, spec_count  may be NULL, 0; constants that are not named keep their defaults
 *   out               heddle_program_close it; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for a module that is not valid, HEDDLE_UNSUPPORTED for one that cannot
 * run here, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_program_open(const uint32_t *words, size_t nwords,
                                             const heddle_specialization *spec, size_t spec_count,
                                             heddle_report *r, heddle_program **out);
/* Free it with its code and variables. No thread may be running it. NULL is fine. */
HEDDLE_API void heddle_program_close(heddle_program *p);
/* How many kernels it has. */
HEDDLE_API size_t heddle_program_kernel_count(const heddle_program *p);
/* Name of kernel `index`, from 0, less than the count; lives as long as the program. */
HEDDLE_API const char *heddle_program_kernel(const heddle_program *p, size_t index);

typedef enum heddle_engine {
    HEDDLE_COMPILED,   /* LLVM, W lanes per thread */
    HEDDLE_INTERPRETED /* the reference interpreter */
} heddle_engine;

/* One argument of a kernel.
 *   pointer to global or constant memory: value = the memory's address, size = 0
 *   by value:                             value = address of the value, size = its bytes
 *   pointer to local memory:              value = NULL, size = bytes */
typedef struct heddle_arg {
    const void *value;
    size_t size;
} heddle_arg;

/* An NDRange; read only, while heddle_run runs. */
typedef struct heddle_launch {
    const char *kernel;     /* NULL: the only one */
    const heddle_arg *args; /* arg_count of them, in the kernel's order */
    size_t arg_count;
    uint32_t work_dim;                         /* 1 … 3; what is behind it is not looked at */
    uint64_t global_offset[3], global_size[3]; /* in work-items */
    uint64_t local_size[3];                    /* in work-items; all 0: chosen */
    heddle_engine engine;
    uint32_t subgroup_size; /* lanes: 1, 4, 8, 16, 32; 0: the kernel's own */
    unsigned threads;       /* 1: the calling thread alone; 0: as many as the machine lends */
    /* What printf prints, in whole messages, one at a time; NULL: it is dropped. */
    void (*print)(void *user, const char *text, size_t len);
    void *user;
} heddle_launch;

/* Run a kernel to its end on the calling thread and a pool made for it. The first run of a kernel
 * compiles it, unless the disk cache has it.
 *   launch  only read; memory that arguments point to must be valid for all that the kernel does
 *           with it: it is not checked
 * Errors: HEDDLE_BAD_INPUT for sizes or arguments that do not fit the kernel, HEDDLE_UNSUPPORTED
 * for a kernel with an instruction that is not supported, HEDDLE_IO when the code generator cannot
 * be loaded, HEDDLE_NO_MEMORY. Threads: several may run one program at once; what their kernels do
 * to the same memory is theirs to order. */
HEDDLE_API heddle_status heddle_run(heddle_program *p, const heddle_launch *launch,
                                    heddle_report *r);

#ifdef __cplusplus
}
#endif

#endif
