/* cl/kernel.c -- kernel objects.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/kernel.h"

#include <string.h>

#include "base/memory.h"
#include "cl/checked.h"
#include "cl/device_queue.h"
#include "cl/limits.h"
#include "cl/pipe.h"
#include "cl/precompile.h"
#include "cl/sampler.h"
#include "cl/svm.h"
#include "jit/generator.h"
#include "launch/image.h"

#define MOST_APART 32u /* pointer arguments that are compared at each launch */

static void destroy(HdObject *o)
{
    cl_kernel k = (cl_kernel)o;

    for (uint32_t i = 0; k->watched != NULL && i < k->info->arg_count + HD_KERNEL_SPARE; i++) {
        if (k->watched[i] != NULL)
            hd_mem_unwatch(k->watched[i]);
    }
    hd_free(k->mems);
    hd_free(k->watched);
    hd_free(k->attributes);
    hd_args_close(&k->args);
    if (k->executable != NULL)
        hd_executable_drop(k->executable);
    atomic_fetch_sub(&k->program->kernels, 1);
    o->magic = 0;
    hd_object_drop(&k->program->object);
    hd_object_free(k);
}

/* "vec_type_hint(<type>)". SPIR-V knows a vector's size and its component's width; integers are
 * named as unsigned ones. */
static void add_vec_type_hint(HdStrbuf *s, uint32_t hint)
{
    static const char *const components[] = {"uchar", "ushort", "uint",  "ulong",
                                             "half",  "float",  "double"};
    uint32_t component = hint & 0xffff, count = hint >> 16;

    if (component >= sizeof components / sizeof components[0])
        return;
    hd_strbuf_printf(s, "%svec_type_hint(%s", s->count > 0 ? " " : "", components[component]);
    if (count > 1)
        hd_strbuf_printf(s, "%u", (unsigned)count);
    hd_strbuf_add(s, ")");
}

/* Attributes as the source had them, from execution modes; where there is no source, none. */
static char *make_attributes(const HdKernelInfo *i, HdProgramKind from)
{
    HdStrbuf s = {0};

    if (from == HD_PROGRAM_IL || from == HD_PROGRAM_BINARY)
        return hd_strdup("");
    if (i->required_local[0] != 0)
        hd_strbuf_printf(&s, "reqd_work_group_size(%u,%u,%u)", (unsigned)i->required_local[0],
                         (unsigned)i->required_local[1], (unsigned)i->required_local[2]);
    if (i->hint_local[0] != 0)
        hd_strbuf_printf(&s, "%swork_group_size_hint(%u,%u,%u)", s.count > 0 ? " " : "",
                         (unsigned)i->hint_local[0], (unsigned)i->hint_local[1],
                         (unsigned)i->hint_local[2]);
    if (i->vec_type_hint != 0)
        add_vec_type_hint(&s, i->vec_type_hint);
    return hd_strbuf_take(&s);
}

/* A kernel object; takes over the reference to the executable. */
static cl_kernel make(cl_program p, HdExecutable *x, const HdKernelInfo *info)
{
    cl_kernel k = hd_alloc_zero(sizeof *k);

    if (k == NULL) {
        hd_executable_drop(x);
        return NULL;
    }
    hd_object_init(&k->object, HD_MAGIC_KERNEL, destroy);
    k->program = p;
    hd_object_hold(&p->object);
    atomic_fetch_add(&p->kernels, 1);
    k->executable = x;
    k->info = info;
    k->plans = &x->plans[info - hd_program_layout(x->program)->kernels];
    k->mems = hd_alloc_zero((info->arg_count > 0 ? info->arg_count : 1) * sizeof(cl_mem));
    k->watched = hd_alloc_zero((info->arg_count + HD_KERNEL_SPARE) * sizeof(cl_mem));
    k->attributes = make_attributes(info, p->kind);
    if (k->mems == NULL || k->watched == NULL || k->attributes == NULL) {
        hd_object_drop(&k->object);
        return NULL;
    }
    return k;
}

/* Begin with the code that most launches need, so that what cannot be compiled is known now. The
 * rest is left to a worker, or to the first launch: it may need other code. The first code of a
 * process is made at once. */
static cl_int compile(cl_kernel k)
{
    HdProgram *program = k->executable->program;
    HdVariant v = hd_variant_usual(hd_program_cpu(program), k->info);
    const HdKernelCode *code;
    HdCodeFacts facts;
    HdDiags d;
    HdStatus st;

    if (!hd_program_is_made(program, k->info, v))
        hd_precompile_compile(k->executable);
    hd_diags_init(&d);
    st = hd_program_facts(program, k->info, v, &d, &facts);
    if (st == HD_OK && !hd_program_is_ready(program, k->info, v)) {
        if (hd_jit_has_compiled())
            hd_precompile_finish(k->executable, k->info);
        else
            st = hd_program_code(program, k->info, v, &d, &code);
    }
    if (st != HD_OK)
        hd_context_notify_diags(k->program->context, "a kernel cannot be compiled", &d);
    hd_diags_drop(&d);
    return hd_cl_error(st);
}

cl_int hd_kernel_new(cl_program p, const char *name, cl_kernel *out)
{
    HdExecutable *x = hd_program_executable(p);
    const HdKernelInfo *info;
    cl_int code;
    cl_kernel k;

    *out = NULL;
    if (x == NULL)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    info = hd_build_kernel_info(hd_program_layout(x->program), name);
    if (info == NULL) {
        hd_executable_drop(x);
        return CL_INVALID_KERNEL_NAME;
    }
    k = make(p, x, info);
    if (k == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    code = hd_args_open(info, &k->args) == HD_OK ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (code == CL_SUCCESS && hd_limits_engine() == HD_ENGINE_COMPILED)
        code = compile(k);
    if (code != CL_SUCCESS) {
        hd_object_drop(&k->object);
        return code;
    }
    *out = k;
    return CL_SUCCESS;
}

static bool is_argument(const struct _cl_kernel *k, cl_mem m)
{
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        if (k->mems[i] == m)
            return true;
    }
    return false;
}

static bool is_watched(const struct _cl_kernel *k, cl_mem m)
{
    const cl_mem *at = k->watched, *end = at + k->info->arg_count + HD_KERNEL_SPARE;

    do { /* there are places */
        if (*at == m)
            return true;
    } while (++at != end);
    return false;
}

/* The struct of m stays alive from now on as long as m is an argument, and for a while after. */
static void watch(cl_kernel k, cl_mem m)
{
    uint32_t count = k->info->arg_count + HD_KERNEL_SPARE, place = 0;

    while (place < count && k->watched[place] != NULL)
        place++;
    /* There are more places than arguments. */
    for (uint32_t i = 0; i < count && place == count; i++) {
        if (!is_argument(k, k->watched[i]))
            place = i;
    }
    hd_mem_watch(m);
    if (k->watched[place] != NULL)
        hd_mem_unwatch(k->watched[place]);
    k->watched[place] = m;
}

static void set_mem(cl_kernel k, cl_uint index, cl_mem m)
{
    if (m != NULL && m != k->mems[index] && !is_watched(k, m))
        watch(k, m);
    k->mems[index] = m;
}

cl_int hd_kernel_clone(cl_kernel from, cl_kernel *out)
{
    cl_kernel k;

    *out = NULL;
    atomic_fetch_add_explicit(&from->executable->refs, 1, memory_order_relaxed);
    k = make(from->program, from->executable, from->info);
    if (k == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    if (hd_args_clone(&from->args, &k->args) != HD_OK) {
        hd_object_drop(&k->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        set_mem(k, i, from->mems[i]);
    }
    *out = k;
    return CL_SUCCESS;
}

uint32_t hd_kernel_width(const struct _cl_kernel *k)
{
    return hd_variant_width(hd_program_cpu(k->executable->program), k->info);
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* The kernel sees it at this address. */
static void put_mem(cl_kernel k, cl_uint index, cl_mem m, const void *at)
{
    uint64_t address = (uint64_t)(uintptr_t)at;

    hd_args_put(&k->args, index, sizeof address, &address);
    set_mem(k, index, m);
}

static cl_int set_buffer(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    cl_mem m = NULL;

    if (value != NULL)
        memcpy(&m, value, sizeof m);
    if (m != NULL && !hd_buffer_is(m))
        return CL_INVALID_MEM_OBJECT;
    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (m != NULL && m->context != k->program->context)
        return CL_INVALID_CONTEXT;
    put_mem(k, index, m, m != NULL ? m->at : NULL);
    return CL_SUCCESS;
}

/* Does the image's own flag forbid the parameter's access? */
static bool access_fits(const HdArgInfo *arg, const struct _cl_mem *m)
{
    const cl_mem_flags no_writes = CL_MEM_READ_ONLY | HD_CL_MEM_IMMUTABLE_EXT;
    cl_mem_flags forbids = arg->access == SpvAccessQualifierWriteOnly ? no_writes
                           : arg->access == SpvAccessQualifierReadWrite
                               ? no_writes | CL_MEM_WRITE_ONLY
                               : CL_MEM_WRITE_ONLY;

    return (m->flags & forbids) == 0;
}

/* The image or pipe that an argument is given. */
static cl_int take_mem(cl_kernel k, size_t size, const void *value, bool is_kind(cl_mem m),
                       cl_mem *m)
{
    if (value == NULL)
        return CL_INVALID_MEM_OBJECT;
    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    memcpy(m, value, sizeof *m);
    if (!is_kind(*m))
        return CL_INVALID_MEM_OBJECT;
    return (*m)->context == k->program->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

/* Is the image of the type that the parameter is declared with? Those in buffers have one of their
 * own. Spec: OpenCL API 3.1, clSetKernelArg; cl_khr_gl_msaa_sharing. */
static bool type_fits(const HdArgInfo *arg, const struct _cl_mem *m)
{
    bool is_in_buffer = hd_type_words(arg->type)[3] == SpvDimBuffer;

    return hd_image_fits(m->image, arg->type) &&
           is_in_buffer == (m->type == CL_MEM_OBJECT_IMAGE1D_BUFFER);
}

static cl_int set_image(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    cl_mem m;
    cl_int code = take_mem(k, size, value, hd_image_is, &m);

    if (code == CL_SUCCESS && !type_fits(&k->info->args[index], m))
        code = CL_INVALID_MEM_OBJECT;
    if (code == CL_SUCCESS && !access_fits(&k->info->args[index], m))
        code = CL_INVALID_ARG_VALUE;
    if (code == CL_SUCCESS)
        put_mem(k, index, m, m->image);
    return code;
}

static cl_int set_pipe(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    cl_mem m;
    cl_int code = take_mem(k, size, value, hd_pipe_is, &m);

    if (code == CL_SUCCESS)
        put_mem(k, index, m, m->at);
    return code;
}

static cl_int set_sampler(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    cl_sampler s = NULL;

    if (value == NULL)
        return CL_INVALID_SAMPLER;
    if (size != sizeof(cl_sampler))
        return CL_INVALID_ARG_SIZE;
    memcpy(&s, value, sizeof s);
    if (!hd_sampler_is(s))
        return CL_INVALID_SAMPLER;
    if (s->context != k->program->context)
        return CL_INVALID_CONTEXT;
    hd_args_put(&k->args, index, sizeof s->word, &s->word);
    return CL_SUCCESS;
}

static cl_int set_queue(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    cl_command_queue q = NULL;
    uint64_t handle;

    if (value == NULL)
        return CL_INVALID_DEVICE_QUEUE;
    if (size != sizeof q)
        return CL_INVALID_ARG_SIZE;
    memcpy(&q, value, sizeof q);
    if (!hd_queue_is_on_device(q))
        return CL_INVALID_DEVICE_QUEUE;
    if (q->context != k->program->context)
        return CL_INVALID_CONTEXT;
    handle = hd_device_queue_handle(q->on_device);
    hd_args_put(&k->args, index, sizeof handle, &handle);
    return CL_SUCCESS;
}

static cl_int set_any(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    const HdArgInfo *arg = &k->info->args[index];

    switch (arg->kind) {
    case HD_ARG_GLOBAL:
    case HD_ARG_CONSTANT:
        /* Checked in the order of the specification: value, object, size. */
        if (value != NULL && size != sizeof(cl_mem))
            return CL_INVALID_ARG_SIZE;
        return set_buffer(k, index, size, value);
    case HD_ARG_LOCAL:
        if (value != NULL)
            return CL_INVALID_ARG_VALUE;
        if (size == 0) /* an error before OpenCL 3.1 only; spec: "Setting Kernel Arguments" */
            hd_checked_note("give it one byte",
                            "a local argument has no bytes, which platforms before OpenCL 3.1 "
                            "refuse with CL_INVALID_ARG_SIZE");
        if (size > hd_device_get()->local_bytes)
            return CL_OUT_OF_RESOURCES;
        break;
    case HD_ARG_VALUE:
    case HD_ARG_BYVAL:
        if (value == NULL)
            return CL_INVALID_ARG_VALUE;
        if (size != arg->size)
            return CL_INVALID_ARG_SIZE;
        break;
    case HD_ARG_SAMPLER: return set_sampler(k, index, size, value);
    case HD_ARG_IMAGE: return set_image(k, index, size, value);
    case HD_ARG_QUEUE: return set_queue(k, index, size, value);
    case HD_ARG_PIPE: return set_pipe(k, index, size, value);
    case HD_ARG_BINDING: break; /* the driver takes no shaders */
    }
    return hd_args_set(&k->args, index, size, value) == HD_OK ? CL_SUCCESS : CL_INVALID_ARG_SIZE;
}

/* What hosts do thousands of times needs no registers saved and no switch; set_any does the rest.
 * What is watched is an object that was checked when it was first given; it may be gone since. */
cl_int hd_kernel_set_arg(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    const HdArgInfo *arg = &k->args.kernel->args[index];
    uint64_t address;
    cl_mem m;

    if (value == NULL || size != arg->size || (size != 4 && size != 8))
        return set_any(k, index, size, value);
    if (arg->kind == HD_ARG_VALUE) {
        hd_args_put(&k->args, index, size, value);
        return CL_SUCCESS;
    }
    if ((arg->kind != HD_ARG_GLOBAL && arg->kind != HD_ARG_CONSTANT) || size != sizeof m)
        return set_any(k, index, size, value);
    memcpy(&m, value, sizeof m);
    if (m == NULL || !is_watched(k, m) || !hd_mem_is_alive(m) || m->type != CL_MEM_OBJECT_BUFFER)
        return set_any(k, index, size, value);
    address = (uint64_t)(uintptr_t)m->at;
    hd_args_put(&k->args, index, sizeof address, &address);
    k->mems[index] = m;
    return CL_SUCCESS;
}

bool hd_kernel_arg_is_pointer(const struct _cl_kernel *k, cl_uint index)
{
    HdArgKind kind = k->info->args[index].kind;

    return kind == HD_ARG_GLOBAL || kind == HD_ARG_CONSTANT;
}

cl_int hd_kernel_set_svm(cl_kernel k, cl_uint index, const void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;

    if (hd_args_set(&k->args, index, sizeof address, &address) != HD_OK)
        return CL_INVALID_ARG_VALUE;
    set_mem(k, index, NULL);
    return CL_SUCCESS;
}

cl_int hd_kernel_check_exec_info(cl_uint param_name, size_t size, const void *value)
{
    if ((value != NULL) != (size > 0))
        return CL_INVALID_VALUE;
    switch (param_name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS: /* no pointers: takes back those that were given */
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    case HD_CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
        return size % sizeof(void *) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        return size == sizeof(cl_bool) ? CL_SUCCESS : CL_INVALID_VALUE;
    default: return CL_INVALID_VALUE;
    }
}

/* The memory that a pointer argument may access, which is none for NULL; false if unknown.
 */
static bool extent_of(const struct _cl_kernel *k, uint32_t index, HdLaunchSpan *out)
{
    const struct _cl_mem *m = k->mems[index];
    HdAllocation is;

    if (m != NULL) {
        *out = (HdLaunchSpan){(uint64_t)(uintptr_t)m->at, m->size};
        return true;
    }
    *out = (HdLaunchSpan){0, 0};
    memcpy(&out->at, k->args.block + k->info->args[index].offset, sizeof out->at);
    if (out->at == 0)
        return true;
    if (!hd_svm_find(k->program->context, (const void *)(uintptr_t)out->at, &is))
        return false;
    *out = (HdLaunchSpan){(uint64_t)(uintptr_t)is.at, is.size};
    return true;
}

bool hd_kernel_args_are_apart(const struct _cl_kernel *k, uint32_t *large)
{
    HdLaunchSpan spans[MOST_APART];
    unsigned count = 0;

    *large = 0;
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        if (!hd_kernel_arg_is_pointer(k, i))
            continue;
        if (count == MOST_APART || !extent_of(k, i, &spans[count]))
            return false;
        for (unsigned j = 0; j < count; j++)
            if (spans[j].at < spans[count].at + spans[count].bytes &&
                spans[count].at < spans[j].at + spans[j].bytes)
                return false;
        if (i < 32 && spans[count].bytes >= HD_LAUNCH_LARGE)
            *large |= (uint32_t)1 << i;
        count++;
    }
    return true;
}

/* ---- queries -------------------------------------------------------------------------------- */

bool hd_kernel_answer(cl_kernel k, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_KERNEL_FUNCTION_NAME: hd_answer_string(a, k->info->name); break;
    case CL_KERNEL_NUM_ARGS: hd_answer_uint(a, k->info->arg_count); break;
    case CL_KERNEL_REFERENCE_COUNT: hd_answer_uint(a, hd_object_api_refs(&k->object)); break;
    case CL_KERNEL_CONTEXT: hd_answer_handle(a, k->program->context); break;
    case CL_KERNEL_PROGRAM: hd_answer_handle(a, k->program); break;
    case CL_KERNEL_ATTRIBUTES: hd_answer_string(a, k->attributes); break;
    default: return false;
    }
    return true;
}

static cl_uint address_qualifier(const HdArgInfo *arg)
{
    switch (arg->kind) {
    case HD_ARG_GLOBAL:
    case HD_ARG_IMAGE:
    case HD_ARG_PIPE: return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case HD_ARG_CONSTANT: return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case HD_ARG_LOCAL: return CL_KERNEL_ARG_ADDRESS_LOCAL;
    case HD_ARG_VALUE:
    case HD_ARG_BYVAL:
    case HD_ARG_SAMPLER:
    case HD_ARG_QUEUE:
    case HD_ARG_BINDING: break;
    }
    return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static cl_uint access_qualifier(const HdArgInfo *arg)
{
    if (arg->kind != HD_ARG_IMAGE && arg->kind != HD_ARG_PIPE)
        return CL_KERNEL_ARG_ACCESS_NONE;
    switch (arg->access) {
    case SpvAccessQualifierWriteOnly: return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    case SpvAccessQualifierReadWrite: return CL_KERNEL_ARG_ACCESS_READ_WRITE;
    default: return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    }
}

static cl_ulong type_qualifiers(const HdArgInfo *arg)
{
    cl_ulong q = CL_KERNEL_ARG_TYPE_NONE;

    if (arg->kind == HD_ARG_PIPE)
        q |= CL_KERNEL_ARG_TYPE_PIPE;
    if (arg->is_const || arg->kind == HD_ARG_CONSTANT)
        q |= CL_KERNEL_ARG_TYPE_CONST;
    if (arg->is_restrict)
        q |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (arg->is_volatile)
        q |= CL_KERNEL_ARG_TYPE_VOLATILE;
    return q;
}

/* A type that SPIR-V has as the source has it: no sign, no name, no qualifier is lost. */
static bool has_own_type(const HdArgInfo *arg)
{
    return arg->has_source_type || arg->kind == HD_ARG_IMAGE || arg->kind == HD_ARG_SAMPLER ||
           arg->kind == HD_ARG_PIPE || arg->kind == HD_ARG_QUEUE;
}

/* The argument with its source's type; NULL: not known. */
static const HdArgInfo *described(cl_kernel k, cl_uint index)
{
    const HdKernelInfo *info = k->info;

    if (!has_own_type(&info->args[index]))
        info = hd_program_describe(k->program, k->executable, info->name);
    return info != NULL && index < info->arg_count && has_own_type(&info->args[index])
               ? &info->args[index]
               : NULL;
}

cl_int hd_kernel_arg_answer(cl_kernel k, cl_uint index, cl_uint query, HdAnswer *a)
{
    const HdArgInfo *arg = &k->info->args[index];

    if (query == CL_KERNEL_ARG_TYPE_NAME || query == CL_KERNEL_ARG_TYPE_QUALIFIER)
        arg = described(k, index);
    if (arg == NULL || (query == CL_KERNEL_ARG_NAME && arg->name[0] == '\0'))
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    switch (query) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: hd_answer_uint(a, address_qualifier(arg)); break;
    case CL_KERNEL_ARG_ACCESS_QUALIFIER: hd_answer_uint(a, access_qualifier(arg)); break;
    case CL_KERNEL_ARG_TYPE_NAME: hd_answer_string(a, arg->type_name); break;
    case CL_KERNEL_ARG_TYPE_QUALIFIER: hd_answer_ulong(a, type_qualifiers(arg)); break;
    case CL_KERNEL_ARG_NAME: hd_answer_string(a, arg->name); break;
    default: return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}

/* Private memory of a work-item, in the code that most launches need. */
static uint64_t private_bytes(cl_kernel k)
{
    HdProgram *program = k->executable->program;
    uint64_t bytes = 0;
    const HdKernelCode *code;
    HdDiags d;

    if (hd_limits_engine() != HD_ENGINE_COMPILED)
        return 0;
    hd_diags_init(&d);
    if (hd_program_code(program, k->info, hd_variant_usual(hd_program_cpu(program), k->info), &d,
                        &code) == HD_OK)
        bytes = (code->facts.private_bytes + code->facts.lanes - 1) / code->facts.lanes;
    hd_diags_drop(&d);
    return bytes;
}

static size_t most_items(const HdKernelInfo *k)
{
    uint32_t most = hd_device_get()->most_items;
    uint64_t items = 1;

    for (int i = 0; i < 3; i++)
        items *= k->most_local[i] != 0 && k->most_local[i] < most ? k->most_local[i] : most;
    return items < most ? (size_t)items : most;
}

bool hd_kernel_group_answer(cl_kernel k, cl_uint query, HdAnswer *a)
{
    const uint32_t *local = k->info->required_local;

    switch (query) {
    case CL_KERNEL_WORK_GROUP_SIZE: hd_answer_size(a, most_items(k->info)); break;
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: hd_answer_sizes(a, local[0], local[1], local[2]); break;
    case CL_KERNEL_LOCAL_MEM_SIZE:
        hd_answer_ulong(a, hd_args_local_bytes(k->info, k->args.local_sizes));
        break;
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: hd_answer_size(a, hd_kernel_width(k)); break;
    case CL_KERNEL_PRIVATE_MEM_SIZE: hd_answer_ulong(a, private_bytes(k)); break;
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL: hd_answer_ulong(a, 0); break;
    default: return false;
    }
    return true;
}
