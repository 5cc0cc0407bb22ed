/* heddle/heddle.h -- SPIR-V modules of OpenCL from C: read, written, checked, linked, run on CPUs.
 *
 * Link with -lheddle (pkg-config heddle). Everything is thread-safe as long as one object is used
 * by one thread at a time; programs may be run by several threads at once. The library never exits,
 * never prints unless it is asked to, and keeps nothing after the last object is freed.
 *
 * Functions that can fail return a heddle_status; what was wrong stands in the heddle_report that
 * was handed in (NULL: not wanted).
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
    HEDDLE_NO_MEMORY,
    HEDDLE_IO, /* a file or library could not be read */
    HEDDLE_BUG /* a defect of Heddle: please report it */
} heddle_status;

/* The library's version, "0.1.0". */
HEDDLE_API const char *heddle_version(void);
/* Free a text or word stream that a function here returned. NULL is fine. */
HEDDLE_API void heddle_free(void *block);

/* ---- reports -------------------------------------------------------------------------------- */

typedef struct heddle_report heddle_report;

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
HEDDLE_API void heddle_report_close(heddle_report *r);
HEDDLE_API size_t heddle_report_count(const heddle_report *r);
/* Finding `index` < count; its strings live as long as the report. */
HEDDLE_API heddle_finding heddle_report_get(const heddle_report *r, size_t index);
/* All findings as text for people, or as a JSON array; heddle_free it. NULL without memory.
 *   file  name of what was read, put before each finding; may be NULL */
HEDDLE_API char *heddle_report_text(heddle_report *r, const char *file);
HEDDLE_API char *heddle_report_json(heddle_report *r, const char *file);

/* ---- modules --------------------------------------------------------------------------------- */

/* Assemble SPIRV-Tools' syntax.
 *   text, len   need not end in NUL; len in bytes
 *   r           may be NULL; errors carry line and column
 *   words       heddle_free it; host endianness; SPIR-V 1.6; NULL after an error
 *   nwords      length in words of 4 bytes
 * Errors: HEDDLE_BAD_INPUT, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_assemble(const char *text, size_t len, heddle_report *r,
                                         uint32_t **words, size_t *nwords);

enum {
    HEDDLE_DIS_RAW_IDS = 1, /* ids by number instead of friendly names */
    HEDDLE_DIS_NO_HEADER = 2,
    HEDDLE_DIS_INDENT = 4,
    HEDDLE_DIS_OFFSETS = 8,
    HEDDLE_DIS_COLOUR = 16,
    HEDDLE_DIS_COMMENTS = 32
};
/* Disassemble words of either endianness.
 *   words  only read; need not be valid SPIR-V, only well-formed
 *   flags  HEDDLE_DIS_… joined by |
 *   text   heddle_free it; NUL-terminated; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_disassemble(const uint32_t *words, size_t nwords, unsigned flags,
                                            heddle_report *r, char **text);

/* Check a module by the rules of SPIR-V and of an environment.
 *   env         "opencl3.0", "opencl1.2-embedded", "universal1.4" …; NULL: universal, at the
 *               module's own version
 *   extensions  "cl_khr_fp16,cl_khr_subgroups", "all", "none", "all,-cl_khr_fp16"; NULL: those that
 *               the version makes mandatory; not looked at without env
 * Returns HEDDLE_OK when there are at most warnings. Every error is reported, not only the first.
 * Errors: HEDDLE_BAD_INPUT for a module that is not valid and for unknown names, HEDDLE_NO_MEMORY.
 * Threads: re-entrant; the words are only read. */
HEDDLE_API heddle_status heddle_validate(const uint32_t *words, size_t nwords, const char *env,
                                         const char *extensions, heddle_report *r);

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

/* ---- running --------------------------------------------------------------------------------- */

typedef struct heddle_program heddle_program;

/* A specialisation constant's value: as many low-order bytes of `bits` as its type has. */
typedef struct heddle_specialization {
    uint32_t spec_id;
    uint32_t size_bytes;
    uint64_t bits;
} heddle_specialization;

/* Make a program: the module is checked and laid out; its kernels are compiled when they first run.
 * Program-scope variables belong to the program and keep their values between runs. Slips of known
 * producers are repaired, each with a warning.
 *   words             only read, and not needed afterwards
 *   spec, spec_count  may be NULL, 0; constants that are not named keep their defaults
 *   out               heddle_program_close it; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for a module that is not valid, HEDDLE_UNSUPPORTED for one that cannot
 * run here, HEDDLE_NO_MEMORY. */
HEDDLE_API heddle_status heddle_program_open(const uint32_t *words, size_t nwords,
                                             const heddle_specialization *spec, size_t spec_count,
                                             heddle_report *r, heddle_program **out);
HEDDLE_API void heddle_program_close(heddle_program *p);
HEDDLE_API size_t heddle_program_kernel_count(const heddle_program *p);
/* Name of kernel `index` < count; lives as long as the program. */
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

typedef struct heddle_launch {
    const char *kernel; /* NULL: the only one */
    const heddle_arg *args;
    size_t arg_count;
    uint32_t work_dim; /* 1 … 3 */
    uint64_t global_offset[3], global_size[3];
    uint64_t local_size[3]; /* all 0: chosen */
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
