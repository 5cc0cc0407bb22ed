/* cl/program.c -- program objects: creation, queries, release. Building is in build.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/program.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cl/checked.h"
#include "cl/info.h"
#include "launch/hooks.h"
#include "launch/memory.h"
#include "launch/plan.h"
#include "module/decoration.h"
#include "xform/repair_words.h"

static void set_text(char **place, const char *text)
{
    hd_free(*place);
    *place = text != NULL ? hd_strdup(text) : NULL;
}

static void destroy(HdObject *o)
{
    cl_program p = (cl_program)o;

    for (size_t i = 0; i < p->specs.count; i++)
        hd_free((void *)(uintptr_t)p->specs.at[i].more);
    HD_ARRAY_FREE(&p->specs);
    if (p->executable != NULL)
        hd_executable_drop(p->executable);
    hd_free(p->devices);
    hd_free(p->source);
    hd_free(p->il.at);
    hd_free(p->readable.at);
    hd_free(p->words.at);
    hd_free(p->options);
    hd_free(p->log);
    hd_free(p->kernel_names);
    pthread_mutex_destroy(&p->lock);
    o->magic = 0;
    hd_object_drop(&p->context->object);
    hd_object_free(p);
}

static bool keep_devices(cl_program p, HdDeviceList devices)
{
    p->devices = hd_alloc(devices.count * sizeof *p->devices);
    for (cl_uint i = 0; p->devices != NULL && i < devices.count; i++) {
        if (hd_program_device_index(p, devices.at[i]) == p->device_count)
            p->devices[p->device_count++] = devices.at[i];
    }
    return p->devices != NULL;
}

cl_uint hd_program_device_index(const struct _cl_program *p, cl_device_id d)
{
    cl_uint i = 0;

    while (i < p->device_count && p->devices[i] != d)
        i++;
    return i;
}

cl_program hd_program_make(cl_context c, HdProgramKind kind, HdDeviceList devices)
{
    cl_program p = hd_alloc_zero(sizeof *p);

    if (p == NULL)
        return NULL;
    if (devices.count == 0)
        devices = (HdDeviceList){.count = c->device_count, .at = c->devices};
    if (!keep_devices(p, devices)) {
        hd_free(p);
        return NULL;
    }
    hd_object_init(&p->object, HD_MAGIC_PROGRAM, destroy);
    p->context = c;
    hd_object_hold(&c->object);
    p->kind = kind;
    p->status = CL_BUILD_NONE;
    p->binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    atomic_init(&p->kernels, 0);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

/* What destructors print. */
static void print(void *user, const char *text, size_t len)
{
    (void)user;
    fwrite(text, 1, len, stdout);
    fflush(stdout);
}

void hd_executable_close_memories(HdExecutable *x)
{
    while (x->memory_count > 0) {
        HdProgramMemory *m = &x->memories[--x->memory_count];

        hd_program_memory_finalize(m, print, NULL);
        hd_checked_variables_gone(m);
        hd_program_memory_close(m);
    }
    hd_free(x->memories);
}

void hd_executable_drop(HdExecutable *x)
{
    if (atomic_fetch_sub_explicit(&x->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (uint32_t i = 0; i < hd_program_layout(x->program)->kernel_count; i++)
        hd_launch_plans_close(&x->plans[i]);
    hd_free(x->plans);
    hd_executable_close_memories(x);
    hd_program_close(x->program);
    if (x->described != NULL)
        hd_program_close(x->described);
    hd_free(x);
}

HdExecutable *hd_program_executable(cl_program p)
{
    HdExecutable *x;

    pthread_mutex_lock(&p->lock);
    x = p->status == CL_BUILD_SUCCESS ? p->executable : NULL;
    if (x != NULL)
        atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed);
    pthread_mutex_unlock(&p->lock);
    return x;
}

/* ---- makers --------------------------------------------------------------------------------- */

cl_int hd_program_new_source(cl_context c, cl_uint count, const char **strings,
                             const size_t *lengths, cl_program *out)
{
    cl_program p = hd_program_make(c, HD_PROGRAM_SOURCE, (HdDeviceList){0});
    HdStrbuf s = {0};

    *out = NULL;
    if (p == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++) {
        size_t len = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);

        hd_strbuf_add_bytes(&s, strings[i], len);
    }
    p->source = hd_strbuf_take(&s);
    if (p->source == NULL) {
        hd_object_drop(&p->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *out = p;
    return CL_SUCCESS;
}

/* Is all that is wrong with words that they name what is not known here? A newer SPIR-V may: the
 * build says what it is. */
static bool is_newer(const HdDiags *d)
{
    const char *rule = d->count != 0 ? d->at[0].rule : "";

    return strcmp(rule, "module.enumerant") == 0 || strcmp(rule, "module.ext-inst") == 0;
}

/* A copy of a module that can be read where the one that was given cannot, if that is how it is. */
static HdStatus shorten(const void *il, size_t length, HdWords *out)
{
    if (length % 4 != 0 || (uintptr_t)il % 4 != 0 || !hd_xform_has_long_nulls(il, length / 4))
        return HD_OK;
    HD_TAKE(out->at, hd_alloc(length));
    memcpy(out->at, il, length);
    out->count = length / 4;
    hd_xform_shorten_nulls(out->at, &out->count);
    return HD_OK;
}

cl_int hd_program_new_il(cl_context c, const void *il, size_t length, cl_program *out)
{
    const void *words = il;
    HdDiags d;
    HdWords readable = {0};
    HdModule *m = NULL;
    HdStatus st;
    cl_program p;

    *out = NULL;
    hd_diags_init(&d);
    d.limit = 1;
    st = shorten(il, length, &readable);
    if (st == HD_OK)
        st = readable.at != NULL ? hd_module_read(readable.at, readable.count, false, &d, &m)
                                 : hd_module_read_bytes(il, length, &d, &m);
    if (st == HD_OK && readable.at == NULL)
        words = m->words; /* in the host's order */
    else if (st == HD_BAD_INPUT && is_newer(&d))
        st = HD_OK;
    hd_diags_drop(&d);
    if (st != HD_OK) {
        hd_free(readable.at);
        return st == HD_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_VALUE;
    }
    p = hd_program_make(c, HD_PROGRAM_IL, (HdDeviceList){0});
    if (p == NULL) {
        hd_free(readable.at);
    } else {
        p->readable = readable;
        p->il.at = hd_alloc(length);
        p->il.count = length / 4;
        p->il_bytes = length;
        if (p->il.at != NULL)
            memcpy(p->il.at, words, length);
    }
    hd_module_drop(m);
    if (p == NULL || p->il.at == NULL) {
        if (p != NULL)
            hd_object_drop(&p->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *out = p;
    return CL_SUCCESS;
}

cl_int hd_program_new_binary(cl_context c, HdDeviceList devices, const unsigned char *bytes,
                             size_t length, cl_program *out)
{
    cl_program p = hd_program_make(c, HD_PROGRAM_BINARY, devices);
    HdStatus st;

    *out = NULL;
    if (p == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    st = hd_binary_read(bytes, length, &p->binary_type, &p->options, &p->words);
    if (st != HD_OK) {
        hd_object_drop(&p->object);
        return st == HD_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_BINARY;
    }
    *out = p;
    return CL_SUCCESS;
}

/* ---- what a build leaves -------------------------------------------------------------------- */

void hd_program_set_words(cl_program p, HdWords words, cl_program_binary_type type)
{
    pthread_mutex_lock(&p->lock);
    hd_free(p->words.at);
    p->words = words;
    p->binary_type = type;
    pthread_mutex_unlock(&p->lock);
}

void hd_program_set_options(cl_program p, char *options)
{
    pthread_mutex_lock(&p->lock);
    hd_free(p->options);
    p->options = options;
    pthread_mutex_unlock(&p->lock);
}

static char *join_names(const HdExecutable *x)
{
    const HdBuildLayout *l = hd_program_layout(x->program);
    HdStrbuf s = {0};

    for (uint32_t i = 0; i < l->kernel_count; i++)
        hd_strbuf_printf(&s, "%s%s", i > 0 ? ";" : "", l->kernels[i].name);
    return hd_strbuf_take(&s);
}

void hd_program_set_result(cl_program p, cl_build_status status, HdStrbuf *log, HdExecutable *x)
{
    HdExecutable *old;

    pthread_mutex_lock(&p->lock);
    old = p->executable;
    p->executable = x;
    p->status = status;
    set_text(&p->log, log != NULL ? hd_strbuf_text(log) : "");
    hd_free(p->kernel_names);
    p->kernel_names = x != NULL ? join_names(x) : NULL;
    pthread_mutex_unlock(&p->lock);
    if (old != NULL)
        hd_executable_drop(old);
}

/* Size in bytes of the specialisation constant with that SpecId; 0 = there is none. */
static uint64_t spec_size(const HdModule *m, cl_uint spec_id)
{
    const HdType *t = hd_module_type_of(m, hd_module_decorated(m, SpvDecorationSpecId, spec_id));

    if (t == NULL)
        return 0;
    return t->kind == HD_T_BOOL ? 1 : hd_type_size(t);
}

/* Keep a value instead of the one with its SpecId, if there is one; it is the program's then. */
static cl_int keep_spec(cl_program p, const HdSpecialization *s)
{
    cl_int code = CL_SUCCESS;
    size_t i = 0;

    pthread_mutex_lock(&p->lock);
    while (i < p->specs.count && p->specs.at[i].spec_id != s->spec_id)
        i++;
    if (i == p->specs.count) {
        if (!HD_PUSH(NULL, &p->specs, *s))
            code = CL_OUT_OF_HOST_MEMORY;
    } else {
        hd_free((void *)(uintptr_t)p->specs.at[i].more);
        p->specs.at[i] = *s;
    }
    pthread_mutex_unlock(&p->lock);
    return code;
}

cl_int hd_program_specialize(cl_program p, cl_uint spec_id, size_t size, const void *value)
{
    HdSpecialization s = {.spec_id = spec_id, .size_bytes = (uint32_t)size};
    uint64_t wanted = 0;
    void *more = NULL;
    HdDiags d;
    HdModule *m;
    cl_int code;

    hd_diags_init(&d);
    if (hd_module_read(hd_program_il(p)->at, hd_program_il(p)->count, true, &d, &m) == HD_OK) {
        wanted = spec_size(m, spec_id);
        hd_module_drop(m);
    }
    hd_diags_drop(&d);
    if (wanted == 0)
        return CL_INVALID_SPEC_ID;
    if (size != wanted)
        return CL_INVALID_VALUE;
    if (size > sizeof s.bits) {
        more = hd_alloc(size);
        if (more == NULL)
            return CL_OUT_OF_HOST_MEMORY;
    }
    memcpy(more != NULL ? more : &s.bits, value, size);
    s.more = more;
    code = keep_spec(p, &s);
    if (code != CL_SUCCESS)
        hd_free(more);
    return code;
}

/* ---- queries -------------------------------------------------------------------------------- */

/* The program's one binary; *bytes is NULL when it has none. */
static cl_int make_binary(cl_program p, unsigned char **bytes, size_t *count)
{
    *bytes = NULL;
    *count = 0;
    if (p->words.at != NULL && hd_binary_write(p->binary_type, p->options != NULL ? p->options : "",
                                               p->words, bytes, count) != HD_OK)
        return CL_OUT_OF_HOST_MEMORY;
    return CL_SUCCESS;
}

/* CL_PROGRAM_BINARIES: the host gives a pointer for each device, NULL skips.
 * CL_PROGRAM_BINARY_SIZES: a size for each. */
static cl_int give_binaries(cl_program p, cl_uint query, size_t room, void *value, size_t *size)
{
    size_t count, whole = p->device_count * sizeof count;
    unsigned char *bytes;
    cl_int code;

    _Static_assert(sizeof(size_t) == sizeof bytes, "sizes and pointers");
    if (size != NULL)
        *size = whole;
    if (value == NULL)
        return CL_SUCCESS;
    if (room < whole)
        return CL_INVALID_VALUE;
    code = make_binary(p, &bytes, &count);
    for (cl_uint i = 0; code == CL_SUCCESS && i < p->device_count; i++) {
        unsigned char *to = ((unsigned char **)value)[i];

        if (query == CL_PROGRAM_BINARY_SIZES)
            ((size_t *)value)[i] = count;
        else if (to != NULL && bytes != NULL)
            memcpy(to, bytes, count);
    }
    hd_free(bytes);
    return code;
}

static cl_int answer(cl_program p, cl_uint query, HdAnswer *a)
{
    bool is_kernel_query = query == CL_PROGRAM_NUM_KERNELS || query == CL_PROGRAM_KERNEL_NAMES;

    if (is_kernel_query && p->executable == NULL)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    switch (query) {
    case CL_PROGRAM_REFERENCE_COUNT: hd_answer_uint(a, hd_object_api_refs(&p->object)); break;
    case CL_PROGRAM_CONTEXT: hd_answer_handle(a, p->context); break;
    case CL_PROGRAM_NUM_DEVICES: hd_answer_uint(a, p->device_count); break;
    case CL_PROGRAM_DEVICES:
        hd_answer_bytes(a, p->devices, p->device_count * sizeof *p->devices);
        break;
    case CL_PROGRAM_SOURCE: hd_answer_string(a, p->source); break;
    case CL_PROGRAM_IL: hd_answer_bytes(a, p->il.at, p->il_bytes); break;
    case CL_PROGRAM_NUM_KERNELS:
        hd_answer_size(a, hd_program_layout(p->executable->program)->kernel_count);
        break;
    case CL_PROGRAM_KERNEL_NAMES: hd_answer_string(a, p->kernel_names); break;
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: hd_answer_bool(a, false); break;
    default: return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}

cl_int hd_program_info(cl_program p, cl_uint query, size_t room, void *value, size_t *size)
{
    HdAnswer a = {0};
    cl_int code;

    pthread_mutex_lock(&p->lock);
    if (query == CL_PROGRAM_BINARIES || query == CL_PROGRAM_BINARY_SIZES) {
        code = give_binaries(p, query, room, value, size);
    } else {
        code = answer(p, query, &a);
        if (code == CL_SUCCESS)
            code = hd_answer_give(&a, room, value, size);
    }
    pthread_mutex_unlock(&p->lock);
    return code;
}

cl_int hd_program_build_info(cl_program p, cl_uint query, size_t room, void *value, size_t *size)
{
    HdAnswer a = {0};
    cl_int code = CL_SUCCESS;

    pthread_mutex_lock(&p->lock);
    switch (query) {
    case CL_PROGRAM_BUILD_STATUS: hd_answer_int(&a, p->status); break;
    case CL_PROGRAM_BUILD_OPTIONS: hd_answer_string(&a, p->options); break;
    case CL_PROGRAM_BUILD_LOG: hd_answer_string(&a, p->log); break;
    case CL_PROGRAM_BINARY_TYPE: hd_answer_uint(&a, p->binary_type); break;
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        hd_answer_size(&a, p->executable != NULL
                               ? (size_t)hd_program_layout(p->executable->program)->image_bytes
                               : 0);
        break;
    default: code = CL_INVALID_VALUE;
    }
    if (code == CL_SUCCESS)
        code = hd_answer_give(&a, room, value, size);
    pthread_mutex_unlock(&p->lock);
    return code;
}
