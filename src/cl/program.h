/* cl/program.h -- programs: source or IL, what was compiled from it, and what can run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_PROGRAM_H
#define HD_CL_PROGRAM_H

#include "cl/context.h"

/* A program that kernels run from; shared by the program object and its kernels, so that a kernel
 * outlives its program and a new build. */
typedef struct HdExecutable {
    atomic_uint refs;
    atomic_uint waited_for; /* kernels that the host has waited for, or will */
    HdProgram *program;
    HdProgramMemory *memories; /* [memory_count], one for each device of the program */
    cl_uint memory_count;
    HdLaunchPlans *plans; /* [kernels] of all kernel objects: some hosts make one for each launch */
    bool is_described;    /* under the program's lock: somebody asked for types of arguments */
    HdProgram *described; /* the same with them, which only -cl-kernel-arg-info keeps; or NULL */
} HdExecutable;

typedef struct HdWords {
    uint32_t *at; /* heap */
    size_t count;
    bool is_compiled; /* Heddle's own compiler made all of it */
} HdWords;

/* Devices of a context; none = all. One build serves all: they are of one machine. */
typedef struct HdDeviceList {
    cl_uint count;
    const cl_device_id *at;
} HdDeviceList;

typedef enum HdProgramKind {
    HD_PROGRAM_SOURCE,
    HD_PROGRAM_IL,
    HD_PROGRAM_BINARY,
    HD_PROGRAM_LINKED
} HdProgramKind;

struct _cl_program {
    HdObject object;
    cl_context context;    /* held */
    cl_device_id *devices; /* of the context */
    cl_uint device_count;
    HdProgramKind kind;
    char *source; /* SOURCE */
    HdWords il;   /* IL: as given, in host endianness */
    size_t il_bytes;
    HdWords readable; /* IL: the same, shortened where it could not be read otherwise; or nothing */
    atomic_uint kernels; /* that are alive: a build is refused while there are any */

    pthread_mutex_t lock; /* what follows */
    HdWords words;        /* object, library or executable: a SPIR-V module */
    cl_program_binary_type binary_type;
    cl_build_status status;
    char *options;        /* of the last build */
    bool has_full_groups; /* groups of one size only: -cl-uniform-work-group-size, OpenCL C 1.x */
    char *log;
    HdExecutable *executable;
    char *kernel_names; /* of the executable, separated by semicolons */
    HD_ARRAY(HdSpecialization) specs;
};

static inline bool hd_program_is(cl_program p)
{
    return hd_object_is(p, HD_MAGIC_PROGRAM);
}

/* The module of IL, as it can be read. */
static inline const HdWords *hd_program_il(cl_program p)
{
    return p->readable.at != NULL ? &p->readable : &p->il;
}

/* Makers. Errors as the clCreateProgramWith… of the same name. */
cl_int hd_program_new_source(cl_context c, cl_uint count, const char **strings,
                             const size_t *lengths, cl_program *out);
cl_int hd_program_new_il(cl_context c, const void *il, size_t length, cl_program *out);
cl_int hd_program_new_binary(cl_context c, HdDeviceList devices, const unsigned char *bytes,
                             size_t length, cl_program *out);

/* clBuildProgram, clCompileProgram, clLinkProgram on objects that were checked. The program's log
 * says why one failed; so a link leaves a program that failed, too, and one whose options are
 * invalid (CL_INVALID_LINKER_OPTIONS), which the caller drops. */
cl_int hd_program_build(cl_program p, const char *options);
cl_int hd_program_compile(cl_program p, const char *options, cl_uint header_count,
                          const cl_program *headers, const char **names);
cl_int hd_program_link(cl_context c, HdDeviceList devices, const char *options, cl_uint count,
                       const cl_program *inputs, cl_program *out);

/* Errors: CL_INVALID_SPEC_ID, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY. */
cl_int hd_program_specialize(cl_program p, cl_uint spec_id, size_t size, const void *value);

/* Give an answer with the program's lock held. Errors: CL_INVALID_VALUE,
 * CL_INVALID_PROGRAM_EXECUTABLE. */
cl_int hd_program_info(cl_program p, cl_uint query, size_t room, void *value, size_t *size);
cl_int hd_program_build_info(cl_program p, cl_uint query, size_t room, void *value, size_t *size);

/* A reference to what was built; NULL when there is nothing that can run. */
HdExecutable *hd_program_executable(cl_program p);
void hd_executable_drop(HdExecutable *x);
void hd_executable_close_memories(HdExecutable *x);

/* A kernel of the executable with the types of its arguments as the source has them: a program that
 * was built without -cl-kernel-arg-info is compiled once more, for the first that asks. NULL: they
 * are not to be had, because the program came as IL or binary or was linked. */
const HdKernelInfo *hd_program_describe(cl_program p, HdExecutable *x, const char *kernel);

/* cl/binary.c: our container for CL_PROGRAM_BINARIES. */
HdStatus hd_binary_write(cl_program_binary_type type, const char *options, HdWords words,
                         unsigned char **bytes, size_t *count);
/* Errors: HD_BAD_INPUT, HD_NO_MEMORY. */
HdStatus hd_binary_read(const unsigned char *bytes, size_t count, cl_program_binary_type *type,
                        char **options, HdWords *words);

/* cl/program.c, for build.c: replace what the program holds; takes ownership. */
void hd_program_set_words(cl_program p, HdWords words, cl_program_binary_type type);
void hd_program_set_options(cl_program p, char *options);
void hd_program_set_result(cl_program p, cl_build_status status, HdStrbuf *log, HdExecutable *x);
cl_program hd_program_make(cl_context c, HdProgramKind kind, HdDeviceList devices);
/* The number of a device among the program's, device_count when it is none of them. */
cl_uint hd_program_device_index(const struct _cl_program *p, cl_device_id d);
static inline bool hd_program_is_for(const struct _cl_program *p, cl_device_id d)
{
    return hd_program_device_index(p, d) < p->device_count;
}

#endif
