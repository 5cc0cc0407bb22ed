/* heddle/heddle.h -- OpenCL SPIR-V modules from C: read, write, validate, compare, link, run and
 * check on CPUs.
 *
 * Link with -lheddle (pkg-config heddle). Only heddle_run loads LLVM, when it compiles, and only
 * heddle_compile starts another process, clang.
 *
 * Threads: any function may be called by several threads at once. A heddle_report may be used by
 * one thread at a time; a heddle_view, and a heddle_program until it is closed, by any number of
 * threads. The library never exits the process, never prints, and keeps nothing but the disk cache
 * after the last object is freed.
 *
 * Ownership: inputs need to live only until the function returns, unless its description says
 * otherwise. The caller frees texts and words that are returned with heddle_free, and objects with
 * their _close function.
 *
 * Errors: functions that can fail return a heddle_status and add the reasons to the heddle_report
 * they are given (NULL: not wanted). After an error the outputs are NULL and 0. Any function may
 * return HEDDLE_NO_MEMORY.
 *
 * Words are SPIR-V words of 32 bits; modules are read in either endianness and written in the
 * host's. Structures are plain C for use from other languages: integers, pointers and functions, no
 * bit-fields.
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
    HEDDLE_NO_MEMORY,   /* nothing remains allocated */
    HEDDLE_IO,          /* a file or library could not be read */
    HEDDLE_BUG          /* a defect of Heddle: please report it */
} heddle_status;

/* The library's version, "0.1.0"; static. */
HEDDLE_API const char *heddle_version(void);
/* Free text or words that a function of this library returned. NULL is allowed. */
HEDDLE_API void heddle_free(void *block);

/* ---- reports -------------------------------------------------------------------------------- */

/* A list of findings, in the order in which they were made. */
typedef struct heddle_report heddle_report;

/* How much a finding matters: only errors make a module invalid. */
typedef enum heddle_severity { HEDDLE_NOTE, HEDDLE_WARNING, HEDDLE_ERROR } heddle_severity;

typedef struct heddle_finding {
    heddle_severity severity;
    const char *rule;        /* stable id, "atomic.value"; never NULL */
    const char *message;     /* one sentence */
    const char *spec;        /* section of the specification; NULL when none */
    const char *hint;        /* what to do; NULL when obvious */
    const char *instruction; /* in text; NULL when unknown */
    const char *source;      /* source file by debug information; NULL when unknown */
    uint32_t source_line;    /* 1 = first */
    uint64_t byte;           /* offset in the module, UINT64_MAX when none */
    uint32_t line, column;   /* in assembled text, 1 = first; 0 = none */
} heddle_finding;

/* An empty report; NULL when out of memory. A report may be used for several calls, whose findings
 * accumulate. */
HEDDLE_API heddle_report *heddle_report_open(void);
/* Free it with its findings. NULL is allowed. */
HEDDLE_API void heddle_report_close(heddle_report *r);
/* Number of findings, including notes and warnings. */
HEDDLE_API size_t heddle_report_count(const heddle_report *r);
/* Finding `index`, from 0, less than the count; its strings live as long as the report. */
HEDDLE_API heddle_finding heddle_report_get(const heddle_report *r, size_t index);
/* All findings as text for people, or as a JSON array of objects whose keys are the members of
 * heddle_finding. NUL-terminated UTF-8, to be freed with heddle_free; NULL when out of memory.
 *   file  name of the input, shown with each finding; may be NULL */
HEDDLE_API char *heddle_report_text(heddle_report *r, const char *file);
HEDDLE_API char *heddle_report_json(heddle_report *r, const char *file);

/* ---- modules --------------------------------------------------------------------------------- */

/* Assemble text in the syntax of SPIRV-Tools (docs/assembly.md) into a module of the version that
 * the comments at its beginning name ("; SPIR-V", "; Version: 1.4"), else of SPIR-V 1.6.
 *   text, len   UTF-8, need not be NUL-terminated, no other NUL; len in bytes, below 4 GiB
 *   r           may be NULL; errors have line and column
 *   words       to be freed with heddle_free; host endianness; NULL after an error
 *   nwords      length in words of 4 bytes
 * Errors: HEDDLE_BAD_INPUT for the first mistake, HEDDLE_NO_MEMORY. Threads: re-entrant. Time is
 * proportional to the text; memory is less than three times the words. */
HEDDLE_API heddle_status heddle_assemble(const char *text, size_t len, heddle_report *r,
                                         uint32_t **words, size_t *nwords);

enum { HEDDLE_AS_PRESERVE_IDS = 1 /* %12 gets the id 12 */ };
/* The same for another version of SPIR-V.
 *   version  as in a module's header: 0x00010300 is 1.3; 0: the one that the text names, else 1.6.
 *            It is only written to the header;
 *            heddle_validate checks that the module conforms to it
 *   flags    HEDDLE_AS_… combined with |; unknown bits are ignored */
HEDDLE_API heddle_status heddle_assemble_as(const char *text, size_t len, uint32_t version,
                                            unsigned flags, heddle_report *r, uint32_t **words,
                                            size_t *nwords);

enum {
    HEDDLE_DIS_RAW_IDS = 1,   /* ids as numbers instead of friendly names */
    HEDDLE_DIS_NO_HEADER = 2, /* no header comments */
    HEDDLE_DIS_INDENT = 4,    /* opcodes in one column */
    HEDDLE_DIS_OFFSETS = 8,   /* byte offset of each instruction */
    HEDDLE_DIS_COLOUR = 16,   /* ANSI colours */
    HEDDLE_DIS_COMMENTS = 32, /* section headings, names and decorations as comments */
    HEDDLE_DIS_NESTED = 64,   /* blocks indented by nesting depth */
    HEDDLE_DIS_REORDER = 128, /* blocks in structured order */
    HEDDLE_DIS_UNKNOWN = 256  /* unknown instructions as OpUnknown(…) instead of an error */
};
/* Disassemble a module of either endianness.
 *   words  `nwords` of 4 bytes; the module must be well-formed but need not be valid
 *   flags  HEDDLE_DIS_… combined with |
 *   text   to be freed with heddle_free; NUL-terminated; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_disassemble(const uint32_t *words, size_t nwords, unsigned flags,
                                            heddle_report *r, char **text);

/* Validate a module by the rules of SPIR-V and of an environment (docs/environments.md).
 *   env         "opencl3.0", "opencl1.2-embedded", "universal1.4", "vulkan1.3" …; NULL: universal,
 *               at the module's own version
 *   extensions  "cl_khr_fp16,cl_khr_subgroups", "all", "none", "all,-cl_khr_fp16"; NULL: those that
 *               the version requires; ignored without env; of Vulkan: features of the device,
 *               "scalarBlockLayout,maintenance9"
 * Returns HEDDLE_OK when there are no errors; there may be warnings. All errors are reported.
 * Errors: HEDDLE_BAD_INPUT for a module that is not valid and for unknown names, HEDDLE_NO_MEMORY.
 * Threads: re-entrant; the words are only read.
 * Spec: SPIR-V, "Universal Validation Rules"; OpenCL SPIR-V Environment Specification. */
HEDDLE_API heddle_status heddle_validate(const uint32_t *words, size_t nwords, const char *env,
                                         const char *extensions, heddle_report *r);

/* Options of validation. All zero is what heddle_validate does. */
typedef struct heddle_validate_options {
    const char *env, *extensions; /* as for heddle_validate */
    unsigned threads;             /* functions to check in parallel; 0 and 1: one */
    size_t limit;                 /* number of errors to keep; 0: all */
    /* Called for each finding, in module order, on the calling thread, after validation; the
     * finding lives until the callback returns. NULL: not wanted. */
    void (*finding)(void *user, const heddle_finding *finding);
    void *user;
} heddle_validate_options;

/* The same with options; o may be NULL. r may be NULL even if there is a callback. */
HEDDLE_API heddle_status heddle_validate_with(const uint32_t *words, size_t nwords,
                                              const heddle_validate_options *o, heddle_report *r);

/* Compile OpenCL C to a module, as the driver's device does when a program is built.
 *   source, len  UTF-8, need not be NUL-terminated
 *   path         of the source's file: named in messages, its folder is searched first for
 *                includes; NULL: none, the current folder
 *   options      as clBuildProgram takes them, "-cl-std=CL3.0 -DN=8 -g"; NULL: none. With -g
 *                findings of checked runs name lines; with -cl-opt-disable nothing that is wrong is
 *                optimised away
 *   r            may be NULL; gets the compiler's messages in one finding, source.compile
 *   words        to be freed with heddle_free; host endianness; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for an error in the source or an unknown option, HEDDLE_UNSUPPORTED when
 * there is no clang-22, HEDDLE_IO when it could not be run, HEDDLE_NO_MEMORY. Threads: re-entrant.
 * Spec: OpenCL API, "Compiler Options"; the OpenCL C Specification. */
HEDDLE_API heddle_status heddle_compile(const char *source, size_t len, const char *path,
                                        const char *options, heddle_report *r, uint32_t **words,
                                        size_t *nwords);

/* A module to be linked; the words remain the caller's. */
typedef struct heddle_module {
    const uint32_t *words;
    size_t nwords;
} heddle_module;

/* Link modules into one.
 *   modules     `count` of them, at least 1; only read
 *   is_library  not 0: keep exports and allow unresolved imports
 *   words       to be freed with heddle_free; host endianness; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for malformed modules, symbols that are undefined or defined twice,
 * types that differ; HEDDLE_UNSUPPORTED, HEDDLE_NO_MEMORY. Threads: re-entrant.
 * Spec: OpenCL API, "Linking"; SPIR-V, "Linkage Attributes". */
HEDDLE_API heddle_status heddle_link(const heddle_module *modules, size_t count, int is_library,
                                     heddle_report *r, uint32_t **words, size_t *nwords);

enum {
    HEDDLE_STRIP_NAMES = 1,      /* OpName, OpMemberName */
    HEDDLE_STRIP_DEBUG = 2,      /* sources, lines, OpModuleProcessed, debug information */
    HEDDLE_STRIP_NONSEMANTIC = 4 /* instructions of NonSemantic sets */
};
/* Remove from a module what has no effect on its behaviour.
 *   what   HEDDLE_STRIP_… combined with |; 0: all
 *   words_out, nwords_out  as for heddle_link
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_strip(const uint32_t *words, size_t nwords, unsigned what,
                                      heddle_report *r, uint32_t **words_out, size_t *nwords_out);

/* A specialisation constant's value. */
typedef struct heddle_specialization {
    uint32_t spec_id;    /* the SpecId decoration */
    uint32_t size_bytes; /* size of its type: 1 for a bool; of an array (OpSpecConstantDataKHR), all
                          * of its bytes */
    uint64_t bits;       /* the value, in the low-order size_bytes, if these are at most 8 */
    const void *bytes;   /* the value otherwise */
} heddle_specialization;

/* Write a module with other defaults for its specialisation constants. SpecIds that the module does
 * not have are ignored.
 *   spec, spec_count       may be NULL, 0
 *   freeze                 not 0: turn all of them into ordinary constants
 *   words_out, nwords_out  as for heddle_link
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant.
 * Spec: SPIR-V, "Specialization". */
HEDDLE_API heddle_status heddle_specialize(const uint32_t *words, size_t nwords,
                                           const heddle_specialization *spec, size_t spec_count,
                                           int freeze, heddle_report *r, uint32_t **words_out,
                                           size_t *nwords_out);

/* Rewrite a module for drivers that lack newer extensions (untyped pointers, float atomics, USM
 * storage classes, expect and assume, no-wrap decorations, bit instructions, integer dot products,
 * LinkOnceODR, WeakAMD, sub-group rotations, uniform group instructions, replicated composites and
 * constant data, core features of SPIR-V 1.3 to 1.5; docs/limits.md lists what cannot be lowered),
 * and validate the result for the target. Variable-length arrays stay: only `heddle lower` is given
 * the size that replaces them. For Vulkan, untyped pointers of shaders become typed ones.
 *   env, extensions        the target, as for heddle_validate, of OpenCL or Vulkan; env NULL:
 *                          "opencl3.0"
 *   words_out, nwords_out  as for heddle_link
 * Errors: HEDDLE_UNSUPPORTED for what cannot be lowered, HEDDLE_BAD_INPUT if the result is still
 * not valid for the target and for unknown names, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_lower(const uint32_t *words, size_t nwords, const char *env,
                                      const char *extensions, heddle_report *r,
                                      uint32_t **words_out, size_t *nwords_out);

/* Compare two modules, however their ids are numbered: types and constants are matched by content,
 * functions by name, their instructions by position.
 *   old_one, new_one  well-formed modules; only read
 *   context           unchanged instructions to show before and after each difference
 *   text              to be freed with heddle_free; NULL after an error. Lines that begin with -
 *                     are in the old one only, those with + in the new one; "": nothing differs
 * Errors: HEDDLE_BAD_INPUT for a malformed module, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_diff(const heddle_module *old_one, const heddle_module *new_one,
                                     unsigned context, heddle_report *r, char **text);

/* ---- inspecting modules -----------------------------------------------------------------------
 */

/* A module to inspect: a copy of its words in host endianness. It is read-only, and several threads
 * may use one at once. Everything it returns lives as long as the view. */
typedef struct heddle_view heddle_view;

/* Read a module, which must be well-formed but need not be valid.
 *   out  to be closed with heddle_view_close
 * Errors: HEDDLE_BAD_INPUT, HEDDLE_NO_MEMORY; *out is NULL then. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_view_open(const uint32_t *words, size_t nwords, heddle_report *r,
                                          heddle_view **out);
/* Free it, and everything it returned. NULL is allowed. */
HEDDLE_API void heddle_view_close(heddle_view *v);

/* The words of a module's header. */
typedef struct heddle_header {
    uint32_t version, generator, bound, schema;
    uint32_t addressing_model, memory_model; /* of OpMemoryModel */
} heddle_header;
/* The module's header and memory model. Spec: SPIR-V, "Physical Layout of a SPIR-V Module". */
HEDDLE_API heddle_header heddle_view_header(const heddle_view *v);

typedef struct heddle_instruction {
    uint32_t opcode;
    const char *name;      /* "OpIAdd"; "" if it is unknown */
    uint32_t word;         /* its offset in the module, in words */
    uint32_t nwords;       /* number of words, including the first */
    const uint32_t *words; /* words[0] is the first word; owned by the view */
    uint32_t type;         /* result type, 0 = none */
    uint32_t result;       /* result id, 0 = none */
} heddle_instruction;

/* Step through the instructions: *word starts at 0 (or at the `word` of any instruction) and is
 * moved past the instruction that is returned. Returns 0 at the end.
 *     for (uint32_t at = 0; heddle_view_next(v, &at, &in);) … */
HEDDLE_API int heddle_view_next(const heddle_view *v, uint32_t *word, heddle_instruction *in);
/* The instruction that defines an id. Returns 0 and leaves *in unchanged if there is none. */
HEDDLE_API int heddle_view_definition(const heddle_view *v, uint32_t id, heddle_instruction *in);
/* The OpName of an id, NUL-terminated, owned by the view; NULL if it has none. */
HEDDLE_API const char *heddle_view_name(const heddle_view *v, uint32_t id);
/* An instruction as text with friendly names, to be freed with heddle_free; NULL when out of
 * memory. */
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

/* One operand; its strings are static or owned by the view. */
typedef struct heddle_operand {
    heddle_operand_kind kind;
    uint32_t at, nwords;  /* words[at] … words[at + nwords - 1] of the instruction */
    uint32_t bits;        /* of a number; 0 for other kinds */
    int is_signed;        /* of an integer */
    const char *name;     /* its name in the grammar; "" if it has none */
    const char *category; /* of enumerants and masks: "StorageClass"; otherwise "" */
    const char *value;    /* enumerants, opcodes, extended instructions: the name; strings: the
                             text; otherwise NULL */
} heddle_operand;

/* The operands of an instruction, including result type and result.
 *   out, room  receives the first `room` of them; may be NULL, 0
 *   returns    the number of operands */
HEDDLE_API size_t heddle_view_operands(const heddle_view *v, const heddle_instruction *in,
                                       heddle_operand *out, size_t room);

/* A function: its ids, and its position in words. */
typedef struct heddle_function {
    uint32_t id, result_type, type;
    uint32_t word, end;                    /* of OpFunction; after OpFunctionEnd */
    uint32_t parameter_count, block_count; /* no blocks: a declaration */
} heddle_function;
/* Number of functions in the module. */
HEDDLE_API size_t heddle_view_function_count(const heddle_view *v);
/* Function `index`, from 0, less than the count, in module order. */
HEDDLE_API heddle_function heddle_view_function(const heddle_view *v, size_t index);

typedef struct heddle_entry_point {
    uint32_t execution_model; /* 6: Kernel */
    uint32_t function;        /* id */
    const char *name;         /* owned by the view */
} heddle_entry_point;
/* Number of entry points in the module. */
HEDDLE_API size_t heddle_view_entry_point_count(const heddle_view *v);
/* Entry point `index`, from 0, less than the count, in module order. */
HEDDLE_API heddle_entry_point heddle_view_entry_point(const heddle_view *v, size_t index);

/* ---- running --------------------------------------------------------------------------------- */

/* A validated module with its constants set, and the compiled code of its kernels. */
typedef struct heddle_program heddle_program;

/* Create a program: the module is validated and laid out; a kernel is compiled when it first runs.
 * Program-scope variables belong to the program and keep their values between runs. Known defects
 * of SPIR-V producers are repaired, each with a warning.
 *   words             not needed afterwards
 *   spec, spec_count  may be NULL, 0; constants that are not listed keep their defaults
 *   out               to be closed with heddle_program_close; NULL after an error
 * Errors: HEDDLE_BAD_INPUT for a module that is not valid, HEDDLE_UNSUPPORTED for one that cannot
 * run here, HEDDLE_NO_MEMORY. Threads: re-entrant. */
HEDDLE_API heddle_status heddle_program_open(const uint32_t *words, size_t nwords,
                                             const heddle_specialization *spec, size_t spec_count,
                                             heddle_report *r, heddle_program **out);
/* Options of a program. All zero is what heddle_program_open without constants does. */
typedef struct heddle_program_options {
    const heddle_specialization *spec; /* spec_count of them; may be NULL, 0 */
    size_t spec_count;
    /* Not 0: mathematics of less precision, as -cl-fast-relaxed-math allows it. A module does not
     * say with which options it was compiled. */
    int fast_math;
} heddle_program_options;
/* The same with options; o may be NULL. */
HEDDLE_API heddle_status heddle_program_open_with(const uint32_t *words, size_t nwords,
                                                  const heddle_program_options *o, heddle_report *r,
                                                  heddle_program **out);
/* Free it with its code and variables; no kernel of it may be running. NULL is allowed. */
HEDDLE_API void heddle_program_close(heddle_program *p);
/* Number of kernels, or of shaders. */
HEDDLE_API size_t heddle_program_kernel_count(const heddle_program *p);
/* Name of kernel `index`, from 0, less than the count; lives as long as the program. */
HEDDLE_API const char *heddle_program_kernel(const heddle_program *p, size_t index);

typedef enum heddle_engine {
    HEDDLE_COMPILED,   /* LLVM, W lanes per thread */
    HEDDLE_INTERPRETED /* the reference interpreter */
} heddle_engine;

/* One argument of a kernel.
 *   pointer to global or constant memory: value = the address of the memory, size = 0
 *   by value:                             value = the address of the value, size = its bytes
 *   pointer to local memory:              value = NULL, size = its bytes
 *   image:                                value = a heddle_image, size = sizeof(heddle_image)
 *   sampler:                              value = a heddle_sampler, size = sizeof(heddle_sampler)
 * Pipes and queues cannot be passed: use the OpenCL driver. */
typedef struct heddle_arg {
    const void *value;
    size_t size;
} heddle_arg;

/* Channel types that shaders have beside those of OpenCL: A2B10G10R10 in unsigned normalised and in
 * unsigned integers, of order CL_RGBA; B10G11R11 in floats without a sign, CL_RGB; integers of 64
 * bits, CL_R. */
#define HEDDLE_UNORM_INT_2_101010    0x10E5u
#define HEDDLE_UNSIGNED_INT_2_101010 0x48444c11u
#define HEDDLE_FLOAT_10_11_11        0x48444c12u
#define HEDDLE_SIGNED_INT64          0x48444c13u
#define HEDDLE_UNSIGNED_INT64        0x48444c14u

/* An image: a kernel's argument, or bound to a shader. Its dimensions must be those that the kernel
 * or the shader declares.
 * Spec: OpenCL API, "Image Descriptor", "Image Format Descriptor". */
typedef struct heddle_image {
    void *texels;                    /* in memory of the caller's; rows from the first one on */
    uint32_t dimensions;             /* 1 … 3 */
    uint32_t width, height, depth;   /* in texels; those of further dimensions are ignored */
    uint32_t layers;                 /* of an array of images; 0: it is none */
    uint32_t levels, samples;        /* level after level, sample after sample; 0 and 1: one */
    uint32_t channel_order;          /* CL_RGBA … of the OpenCL API */
    uint32_t channel_type;           /* CL_UNORM_INT8 … */
    uint64_t row_pitch, slice_pitch; /* of the first level, in bytes; 0: without gaps */
} heddle_image;

/* A sampler: a kernel's argument, or bound to a shader. Spec: OpenCL API, "Sampler Objects". */
typedef struct heddle_sampler {
    int normalized;      /* not 0: coordinates from 0 to 1 */
    uint32_t addressing; /* CL_ADDRESS_NONE … of the OpenCL API */
    uint32_t filter;     /* CL_FILTER_NEAREST or CL_FILTER_LINEAR, within a level … */
    uint32_t mip_filter; /* … and between levels */
} heddle_sampler;

/* A sampler with everything that those of shaders have, bound to one. All 0: the nearest texel of
 * the first level, of an image that repeats.
 * Spec: Vulkan, VkSamplerCreateInfo; enumerants are those of the Vulkan API. */
typedef struct heddle_shader_sampler {
    uint32_t mag_filter, min_filter, mip_mode; /* VK_FILTER_…, VK_SAMPLER_MIPMAP_MODE_… */
    uint32_t address[3];                       /* VK_SAMPLER_ADDRESS_MODE_…, of u, v and w */
    uint32_t compare_enable, compare;          /* VK_COMPARE_OP_… */
    uint32_t border;                           /* VK_BORDER_COLOR_… */
    uint32_t reduction;                        /* VK_SAMPLER_REDUCTION_MODE_… */
    uint32_t unnormalized;                     /* not 0: coordinates are texels */
    float lod_bias, min_lod, max_lod;
} heddle_shader_sampler;

/* An NDRange. */
typedef struct heddle_launch {
    const char *kernel;     /* NULL: the only kernel */
    const heddle_arg *args; /* arg_count of them, in the order of the kernel's parameters */
    size_t arg_count;
    uint32_t work_dim; /* 1 … 3; the sizes of further dimensions are ignored */
    uint64_t global_offset[3], global_size[3]; /* in work-items */
    uint64_t local_size[3];                    /* in work-items; all 0: chosen automatically */
    heddle_engine engine;
    uint32_t subgroup_size; /* in lanes: 1, 4, 8, 16, 32; 0: chosen automatically */
    unsigned threads;       /* 1: the calling thread only; 0: as many as the process may use */
    /* Receives what printf prints, in whole messages, one at a time; NULL: it is discarded. */
    void (*print)(void *user, const char *text, size_t len);
    void *user;
} heddle_launch;

/* Run a kernel to completion, on the calling thread and a pool of threads created for it. The first
 * run of a kernel compiles it unless the disk cache has it. The memory that arguments point to must
 * be valid for everything that the kernel does with it: that is not checked.
 * Errors: HEDDLE_BAD_INPUT for sizes or arguments that do not fit the kernel, HEDDLE_UNSUPPORTED
 * for a kernel with an instruction that is not supported, HEDDLE_IO when the code generator cannot
 * be loaded, HEDDLE_NO_MEMORY. Threads: several may run one program at once; ordering their
 * accesses to the same memory is up to them. */
HEDDLE_API heddle_status heddle_run(heddle_program *p, const heddle_launch *launch,
                                    heddle_report *r);

/* What is given to a shader at a set and binding, or as push constants. */
typedef enum heddle_binding_kind {
    HEDDLE_STORAGE_BUFFER,
    HEDDLE_UNIFORM_BUFFER,
    HEDDLE_PUSH_CONSTANTS,  /* its set and binding are 0 */
    HEDDLE_DESCRIPTOR_HEAP, /* as HEDDLE_HEAP says */
    HEDDLE_OTHER_BINDING,   /* none of these */
    HEDDLE_SAMPLED_IMAGE,
    HEDDLE_STORAGE_IMAGE,
    HEDDLE_UNIFORM_TEXEL_BUFFER,
    HEDDLE_STORAGE_TEXEL_BUFFER,
    HEDDLE_SAMPLER,
    HEDDLE_COMBINED_IMAGE_SAMPLER
} heddle_binding_kind;

typedef struct heddle_binding_info {
    heddle_binding_kind kind;
    uint32_t set, binding;
    uint32_t elements;   /* of an array of descriptors or a heap; 0: it is none. An array
                            without a length has 4,096, which may be left out */
    const char *name;    /* of the variable or its block; "" when unknown; the program's */
    uint64_t fixed_size; /* bytes that it has at least: members before a run-time array */
    uint64_t stride;     /* bytes of an element of that array; 0: there is none */
    int is_used;         /* this entry point, or what it calls, names it */
    int is_readonly, is_writeonly; /* all of it is decorated so, or uniform */
} heddle_binding_info;

/* How many a shader has; all entry points of a module have the same ones. 0 for a kernel.
 *   index  of the entry point, less than heddle_program_kernel_count */
HEDDLE_API size_t heddle_program_binding_count(const heddle_program *p, size_t index);
/* Number `number` of them, in the order of sets and bindings, push constants last. */
HEDDLE_API heddle_binding_info heddle_program_binding(const heddle_program *p, size_t index,
                                                      size_t number);
/* Invocations of a work-group in each dimension, after specialisation; 0: the host chooses. */
HEDDLE_API void heddle_program_local_size(const heddle_program *p, size_t index, uint32_t size[3]);

/* In place of a set: the descriptor is one of a heap (SPV_EXT_descriptor_heap), in which each takes
 * 16 bytes. Its binding is 0 in the heap of resources, 1 in that of samplers. */
#define HEDDLE_HEAP 0xffffffffu
/* The same for an image, or a texel buffer, in the heap of resources: memory = a heddle_image. */
#define HEDDLE_HEAP_IMAGE 0xfffffffeu

/* Memory for a shader's buffer, or an image, a texel buffer, a sampler:
 *   image, texel buffer: memory = a heddle_image, size = sizeof(heddle_image)
 *   sampler:             memory = a heddle_sampler, size = sizeof(heddle_sampler), or a
 *                        heddle_shader_sampler likewise
 * Where a set and binding has an image and a sampler, each is given, in any order. A texel buffer
 * has one dimension, a cube six layers, an array of cubes six of each.
 * Of a buffer, its device address, for push constants and for what other buffers
 * contain (PhysicalStorageBuffer), is the address `memory`; memory that shaders reach by address
 * only need not be bound, but be declared in checked runs (heddle_check_memory). */
typedef struct heddle_binding {
    uint32_t set, binding;
    uint32_t element; /* of an array of descriptors or a heap; 0 where there is none */
    void *memory;     /* NULL: nothing is bound */
    size_t size;      /* in bytes; the length of a run-time array follows from it */
} heddle_binding;

/* Work-groups of a compute shader (a GLCompute entry point). */
typedef struct heddle_dispatch {
    const char *shader;             /* NULL: the only entry point */
    const heddle_binding *bindings; /* binding_count of them, in any order */
    size_t binding_count;
    const void *push; /* push constants: push_size bytes, copied */
    size_t push_size;
    uint32_t groups[3]; /* work-groups in each dimension; the module says how large they are */
    heddle_engine engine;
    uint32_t subgroup_size; /* in lanes: 1, 4, 8, 16, 32; 0: chosen automatically */
    unsigned threads;       /* 1: the calling thread only; 0: as many as the process may use */
    /* Receives what the shader prints, in whole messages, one at a time; NULL: it is discarded. */
    void (*print)(void *user, const char *text, size_t len);
    void *user;
} heddle_dispatch;

/* Run a shader to completion, as heddle_run runs a kernel. Elements of arrays of descriptors may be
 * left out: nothing is bound there, as where `memory` is NULL, and the shader must not access it. A
 * buffer's array then has no elements, reads of images give zeros.
 * Errors: as heddle_run; HEDDLE_BAD_INPUT, after the run, where the shader accessed a buffer that
 * is not bound, or left an array of them (launch.unbound); what it read there is undefined, what it
 * wrote is lost.
 * HEDDLE_BAD_INPUT also for a binding that is missing, given twice, smaller
 * than its members or not aligned, for push constants that are too short, and for a kernel. */
HEDDLE_API heddle_status heddle_dispatch_run(heddle_program *p, const heddle_dispatch *dispatch,
                                             heddle_report *r);

/* ---- checked runs ---------------------------------------------------------------------------- */

/* What checked runs know about memory, and what they have found. A checked run happens in the
 * reference interpreter: it finds accesses out of bounds, data races, uses of values that do not
 * exist, divergent barriers and other undefined behaviour, reports each place once, and goes on
 * where it can (docs/undefined.md lists what is checked, with sections of the specifications).
 * Threads: several may use one check at once, but none may run kernels while its defects are
 * looked at. */
typedef struct heddle_check heddle_check;

/* Nothing is known, nothing is found; NULL when out of memory. */
HEDDLE_API heddle_check *heddle_check_open(void);
/* Free it with its defects, before the programs that it ran. NULL is allowed. */
HEDDLE_API void heddle_check_close(heddle_check *c);

enum {
    HEDDLE_MEMORY_UNDEFINED = 1, /* it has no values yet: reading before writing is a defect */
    HEDDLE_MEMORY_READ_ONLY = 2, /* kernels may not write it */
    HEDDLE_MEMORY_WRITE_ONLY = 4 /* kernels may not read it */
};
/* Kernels may touch this memory. All memory that arguments point to and all texels must be
 * declared: what is not is out of bounds. A declaration replaces those that it overlaps.
 *   at, bytes  must stay valid until it is forgotten or the check is closed
 *   name       what reports call it, copied; NULL: "buffer N"
 *   flags      HEDDLE_MEMORY_… combined with |
 * Errors: HEDDLE_NO_MEMORY. Threads: as for the check. */
HEDDLE_API heddle_status heddle_check_memory(heddle_check *c, const void *at, size_t bytes,
                                             const char *name, unsigned flags);
/* The memory declared to begin at this address is gone: later accesses are defects. */
HEDDLE_API void heddle_check_forget(heddle_check *c, const void *at);
/* The host has written bytes of declared memory: they have values now. */
HEDDLE_API void heddle_check_wrote(heddle_check *c, const void *at, size_t bytes);
/* The host is about to read bytes: those to which a kernel has written what has no value are a
 * defect. */
HEDDLE_API void heddle_check_reads(heddle_check *c, const void *at, size_t bytes);

/* How a checked run goes on. All zero: in order, for any time. */
typedef struct heddle_check_options {
    uint64_t seconds; /* that a work-group may run; 0: any time */
    uint64_t seed;    /* of another order of work-groups and sub-groups; 0: in order */
} heddle_check_options;
/* Run a kernel to its end as heddle_run does, checked; launch->engine is ignored.
 *   o  may be NULL
 *   r  may be NULL; gets the reasons for errors, no defects
 * Returns HEDDLE_OK even if there are defects: heddle_check_errors counts them.
 * Errors: as heddle_run. */
HEDDLE_API heddle_status heddle_check_run(heddle_check *c, heddle_program *p,
                                          const heddle_launch *launch,
                                          const heddle_check_options *o, heddle_report *r);

/* The same for a shader: what is bound must have been declared with heddle_check_memory. */
HEDDLE_API heddle_status heddle_check_dispatch(heddle_check *c, heddle_program *p,
                                               const heddle_dispatch *dispatch,
                                               const heddle_check_options *o, heddle_report *r);

/* Where a defect is. */
typedef struct heddle_place {
    const char *function;    /* NULL when unknown */
    const char *instruction; /* in text; NULL when unknown */
    const char *source;      /* file by debug information; NULL when unknown */
    uint32_t line, column;   /* in that file, 1 = first; 0 when unknown */
    uint64_t byte;           /* offset in the module, UINT64_MAX when unknown */
} heddle_place;
/* Which work-item did it. */
typedef struct heddle_work_item {
    int is_known;
    uint64_t global_id[3], local_id[3], group_id[3];
    uint32_t subgroup, lane;
} heddle_work_item;
/* A defect; its strings live as long as the check. */
typedef struct heddle_defect {
    heddle_severity severity;
    const char *rule;     /* stable id, "check.null"; `heddle explain` describes it */
    const char *message;  /* one sentence */
    const char *kernel;   /* NULL when unknown */
    const char *variable; /* what the program calls the memory; NULL */
    const char *memory;   /* which memory it is; NULL */
    const char *hint;     /* what to do; NULL */
    heddle_place place;
    heddle_work_item item;
    const char *other; /* what is at the other place, "written there"; NULL: there is none */
    heddle_place other_place;
    heddle_work_item other_item;
    uint64_t address, bytes; /* of the access; 0 bytes: it is none */
    uint64_t count;          /* how often */
} heddle_defect;
/* Number of defects, notes and warnings included; each place counts once. */
HEDDLE_API size_t heddle_check_count(heddle_check *c);
/* Number of those that are errors. */
HEDDLE_API size_t heddle_check_errors(heddle_check *c);
/* Defect `index`, from 0, less than the count, in the order in which they were found. */
HEDDLE_API heddle_defect heddle_check_get(heddle_check *c, size_t index);

/* Forms of a report. */
typedef enum heddle_form {
    HEDDLE_FORM_TEXT,
    HEDDLE_FORM_COLOUR, /* text for terminals */
    HEDDLE_FORM_JSON,
    HEDDLE_FORM_SARIF,
    HEDDLE_FORM_HTML /* one page with the sources */
} heddle_form;
/* All defects as people and programs read them; NUL-terminated UTF-8, to be freed with heddle_free;
 * NULL when out of memory.
 *   file  name of what ran; NULL */
HEDDLE_API char *heddle_check_text(heddle_check *c, const char *file, heddle_form form);

/* ---- counts and coverage of checked runs ----------------------------------------------------- */

/* How often instructions ran, added up over work-items and runs: the same with any number of
 * threads, subgroup_size and seed, as long as the results are. What only names or declares is no
 * instruction: debug information, labels, merges. What a work-group that a defect ended did not
 * execute is not counted. While counts are looked at, nothing may run on the check; their strings
 * live as long as it. Arrays are to be freed with heddle_free; they are NULL, and their count is 0,
 * after an error and if there is nothing. */

/* Count the runs of the check that begin from now on. Threads: as for the check. */
HEDDLE_API void heddle_counts_begin(heddle_check *c);

/* What the runs of a kernel or shader did. */
typedef struct heddle_kernel_counts {
    const char *kernel;
    uint64_t launches, work_items;
    uint64_t instructions; /* all together */
} heddle_kernel_counts;
/* How many kernels were counted; those of several programs are several, whatever their names. */
HEDDLE_API size_t heddle_counts_kernel_count(heddle_check *c);
/* Kernel `index`, from 0, less than the count, in the order in which they ran first. */
HEDDLE_API heddle_kernel_counts heddle_counts_kernel(heddle_check *c, size_t index);

/* An opcode: "OpLoad", "OpExtInst fma", "OpFunctionCall f". */
typedef struct heddle_opcode_count {
    const char *opcode;
    uint64_t count;
} heddle_opcode_count;
/* Those that kernel `index` ran, the most frequent first, then by name.
 * Errors: HEDDLE_NO_MEMORY. */
HEDDLE_API heddle_status heddle_counts_opcodes(heddle_check *c, size_t index,
                                               heddle_opcode_count **counts, size_t *count);

/* An instruction of the module, as heddle_opcode_count names it. */
typedef struct heddle_instruction_count {
    const char *opcode;
    heddle_place place; /* its `instruction` is NULL; `byte` is that of the specialised module */
    uint64_t count;
} heddle_instruction_count;
/* All instructions of the functions of kernel `index`'s program, in their order, also those that
 * the kernel did not run. Errors: HEDDLE_NO_MEMORY. */
HEDDLE_API heddle_status heddle_counts_instructions(heddle_check *c, size_t index,
                                                    heddle_instruction_count **counts,
                                                    size_t *count);

/* Bytes accessed in memory of a storage class: "CrossWorkgroup", "Function" …; "Image" for texels
 * that reads and writes of images access, not samples. Through generic pointers it is the class of
 * the memory that they lead to. */
typedef struct heddle_memory_count {
    const char *storage;
    uint64_t loaded, stored, atomic;
} heddle_memory_count;
/* The classes that kernel `index` accessed. Errors: HEDDLE_NO_MEMORY. */
HEDDLE_API heddle_status heddle_counts_memory(heddle_check *c, size_t index,
                                              heddle_memory_count **counts, size_t *count);

/* Counts by opcode and bytes of all kernels, as text or with HEDDLE_FORM_JSON as an array of
 * objects; other forms are text. NUL-terminated, to be freed with heddle_free; NULL when out of
 * memory. */
HEDDLE_API char *heddle_counts_text(heddle_check *c, heddle_form form);

/* A line of a source, by debug information; of a module without it, of its disassembly, which is
 * called "module.spvasm". */
typedef struct heddle_line_count {
    const char *source;
    uint32_t line;
    uint64_t count; /* of the instruction that ran most often; functions and inlined calls add up */
} heddle_line_count;
/* All lines of the programs that were counted, by source and line. Errors: HEDDLE_NO_MEMORY. */
HEDDLE_API heddle_status heddle_coverage_lines(heddle_check *c, heddle_line_count **counts,
                                               size_t *count);

/* A way out of a branch. */
typedef struct heddle_branch_count {
    const char *source;
    uint32_t line;
    uint32_t block; /* which branch of its line */
    uint32_t edge;  /* number of the way: 0 if the condition holds, 1 if not; of an OpSwitch 0 is
                       the default; targets that are the same block are one */
    int is_reached; /* the branch ran */
    uint64_t count; /* work-items that took the way */
} heddle_branch_count;
/* Those of all branches with several targets, by source, line, block and edge.
 * Errors: HEDDLE_NO_MEMORY. */
HEDDLE_API heddle_status heddle_coverage_branches(heddle_check *c, heddle_branch_count **counts,
                                                  size_t *count);
/* Write all of it as lcov's tracefile. Sources that are in no file are written to the folder
 * heddle-sources beside it.
 *   path  of the tracefile; "-": standard output
 *   r     may be NULL
 * Errors: HEDDLE_IO, HEDDLE_NO_MEMORY. */
HEDDLE_API heddle_status heddle_coverage_write(heddle_check *c, const char *path, heddle_report *r);

/* ---- observers of checked runs --------------------------------------------------------------- */

/* What checked runs do, told while they do it: for models of caches and of time, counts of other
 * kinds, records of accesses. Structures that an observer is given are valid during the call,
 * their strings as long as the check; launches and groups stay the same until they end. */

typedef struct heddle_observed_launch {
    const char *kernel; /* or shader */
    uint32_t work_dim;
    uint64_t global_offset[3], global_size[3], local_size[3]; /* in work-items */
    void *data; /* the observer's; NULL when the launch begins */
} heddle_observed_launch;

typedef struct heddle_observed_group {
    heddle_observed_launch *launch;
    uint64_t id[3];   /* of the work-group */
    uint64_t size[3]; /* work-items of this one, which at the edge may be fewer */
    uint32_t lanes;   /* work-items that execute an instruction together, at most 64 */
    void *data;       /* the observer's; NULL when the group begins */
} heddle_observed_group;

typedef struct heddle_observed_instruction {
    const char *opcode; /* as heddle_opcode_count names it */
    heddle_place place; /* as that of heddle_instruction_count */
    /* Bit i of `lanes` is set: the work-item with the linear local id first_item + i executes it.
     * Those whose bits are not set are elsewhere. */
    uint32_t first_item;
    uint64_t lanes;
} heddle_observed_instruction;

typedef enum heddle_access_kind {
    HEDDLE_ACCESS_LOAD,
    HEDDLE_ACCESS_STORE,
    HEDDLE_ACCESS_ATOMIC_LOAD,
    HEDDLE_ACCESS_ATOMIC /* that stores, and may load */
} heddle_access_kind;

/* Accesses of one instruction to memory of one storage class, the same for all lanes but for the
 * address. Accesses that are defects are not made. */
typedef struct heddle_access {
    heddle_access_kind kind;
    const char *storage;     /* as that of heddle_memory_count */
    uint64_t bytes;          /* of each lane */
    uint64_t lanes;          /* bit i: address[i] is accessed, as in the instruction */
    const uint64_t *address; /* [64]; only those of `lanes` are set */
} heddle_access;

/* An observer. Functions that are NULL are not called. An instruction is told before its accesses.
 * Variables of functions are in memory if `access` is not NULL, so that all of their accesses are
 * told; else many are not.
 * Threads: what concerns one work-group is told in the order in which it happens, one call after
 * the other. Groups run on several threads at once, unless the launch has one. The functions must
 * not call anything of the check. */
typedef struct heddle_observer {
    void *user; /* the first argument of each */
    void (*launch_begins)(void *user, heddle_observed_launch *launch);
    void (*launch_ends)(void *user, heddle_observed_launch *launch);
    void (*group_begins)(void *user, heddle_observed_group *group);
    void (*group_ends)(void *user, heddle_observed_group *group);
    void (*instruction)(void *user, heddle_observed_group *group,
                        const heddle_observed_instruction *in);
    void (*access)(void *user, heddle_observed_group *group, const heddle_observed_instruction *in,
                   const heddle_access *access);
    /* All work-items of the group have come to a barrier of the work-group, or to
     * OpGroupWaitEvents. */
    void (*barrier)(void *user, heddle_observed_group *group);
    /* The check is closed, or has another observer from now on; of a program that `heddle exec`
     * runs, the program ends. */
    void (*close)(void *user);
} heddle_observer;

/* Let an observer look on at the runs of a check, from its first one on, in place of the one
 * before; NULL: none. The structure is copied. Nothing may run on the check. */
HEDDLE_API void heddle_check_observe(heddle_check *c, const heddle_observer *o);

/* The same with an observer in a shared object, as `heddle check --observer` and `heddle exec
 * --observer` take them. It exports heddle_observer_open, which fills in *o (all zero, `size`
 * bytes) and returns 0; another number refuses. The object stays loaded.
 *   path  a name without a slash: in the current folder, else where dlopen(3) looks
 * Errors: HEDDLE_IO if it cannot be loaded or refuses; the check keeps its observer then. */
HEDDLE_API heddle_status heddle_check_load_observer(heddle_check *c, const char *path,
                                                    heddle_report *r);
typedef int heddle_observer_open_fn(heddle_observer *o, size_t size);

#ifdef __cplusplus
}
#endif

#endif
