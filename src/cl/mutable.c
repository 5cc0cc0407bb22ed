/* cl/mutable.c -- recorded kernels that change between enqueues.
 *
 * A handle keeps a copy of the kernel with its current arguments. An update copies that copy,
 * changes it, and records it again through the buffer's recorder; only if all of an update's
 * commands could be created do they replace the old ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/mutable.h"

#include "base/memory.h"
#include "cl/properties.h"

cl_int hd_mutable_properties(const cl_properties *properties, cl_ulong *fields, bool *says_fields,
                             cl_ulong *asserts, size_t *count)
{
    HdBitsProperty rows[] = {
        {.name = HD_CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS,
         .known = HD_CL_MUTABLE_DISPATCH_ALL,
         .refusal = CL_INVALID_OPERATION},
        {.name = HD_CL_MUTABLE_DISPATCH_ASSERTS,
         .known = HD_CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS,
         .refusal = CL_INVALID_VALUE},
    };
    cl_int code = hd_read_bits_properties(properties, rows, 2, count);

    *says_fields = rows[0].is_given;
    if (rows[0].is_given)
        *fields = rows[0].bits;
    *asserts |= rows[1].bits;
    return code;
}

/* A private copy of a kernel; NULL without memory. */
static cl_kernel copy_kernel(cl_kernel from)
{
    cl_kernel k;

    if (hd_kernel_clone(from, &k) != CL_SUCCESS)
        return NULL;
    hd_object_own(&k->object);
    return k;
}

static void keep_sizes(size_t to[3], const size_t *from, cl_uint work_dim)
{
    for (cl_uint i = 0; i < work_dim && from != NULL; i++)
        to[i] = from[i];
}

static HdKeptRange keep_range(const HdRange *r)
{
    HdKeptRange kept = {.work_dim = r->work_dim, .has_local = r->local != NULL};

    keep_sizes(kept.offset, r->offset, r->work_dim);
    keep_sizes(kept.global, r->global, r->work_dim);
    keep_sizes(kept.local, r->local, r->work_dim);
    return kept;
}

static HdRange range_of(const HdKeptRange *kept)
{
    return (HdRange){.work_dim = kept->work_dim,
                     .offset = kept->offset,
                     .global = kept->global,
                     .local = kept->has_local ? kept->local : NULL};
}

HdMutableCommand hd_mutable_new(HdCommandBuffer b, size_t index, cl_kernel k, const HdRange *r,
                                const cl_properties *properties, size_t property_count,
                                cl_ulong fields)
{
    HdMutableCommand m = hd_alloc_zero(sizeof *m);
    bool done = m != NULL;

    if (done) {
        m->object.magic = HD_MAGIC_MUTABLE_COMMAND;
        m->buffer = b;
        m->index = index;
        m->of = k;
        hd_object_hold(&k->object);
        m->range = keep_range(r);
        m->fields = fields;
        m->kernel = copy_kernel(k);
        done = m->kernel != NULL;
    }
    if (done && property_count > 0) {
        m->property_array = hd_memdup(properties, property_count * sizeof *properties);
        m->property_count = property_count;
        done = m->property_array != NULL;
    }
    if (done && HD_PUSH(NULL, &b->handles, m))
        return m;
    hd_mutable_free(m);
    return NULL;
}

void hd_mutable_free(HdMutableCommand m)
{
    if (m == NULL)
        return;
    if (m->kernel != NULL)
        hd_object_drop(&m->kernel->object);
    hd_object_drop(&m->of->object);
    m->object.magic = 0;
    hd_free(m->property_array);
    hd_free(m);
}

HdMutableCommand hd_mutable_copy(HdCommandBuffer b, const struct _cl_mutable_command_khr *m,
                                 cl_uint place)
{
    HdRange r = range_of(&m->range);
    HdMutableCommand copy =
        hd_mutable_new(b, m->index, m->kernel, &r, m->property_array, m->property_count, m->fields);

    if (copy == NULL)
        return NULL;
    hd_object_hold(&m->of->object);
    hd_object_drop(&copy->of->object);
    copy->of = m->of;
    copy->place = place;
    return copy;
}

/* ---- updates --------------------------------------------------------------------------------- */

/* Are a configuration's fields among those that may change? */
static cl_int check_fields(const struct _cl_mutable_command_khr *m, const HdMutableConfig *c)
{
    cl_ulong wanted = 0;

    if (c->global_offset != NULL)
        wanted |= HD_CL_MUTABLE_DISPATCH_GLOBAL_OFFSET;
    if (c->global_size != NULL)
        wanted |= HD_CL_MUTABLE_DISPATCH_GLOBAL_SIZE;
    if (c->local_size != NULL)
        wanted |= HD_CL_MUTABLE_DISPATCH_LOCAL_SIZE;
    if (c->num_args > 0 || c->num_svm_args > 0)
        wanted |= HD_CL_MUTABLE_DISPATCH_ARGUMENTS;
    if (c->num_exec_infos > 0)
        wanted |= HD_CL_MUTABLE_DISPATCH_EXEC_INFO;
    if (c->work_dim != 0 && c->work_dim != m->range.work_dim)
        return CL_INVALID_OPERATION;
    if ((wanted & ~m->fields) != 0)
        return CL_INVALID_OPERATION;
    if ((c->num_args > 0) != (c->args != NULL) || (c->num_svm_args > 0) != (c->svm_args != NULL) ||
        (c->num_exec_infos > 0) != (c->exec_infos != NULL))
        return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

static cl_int set_args(cl_kernel k, const HdMutableConfig *c)
{
    cl_int code = CL_SUCCESS;

    for (cl_uint i = 0; i < c->num_args && code == CL_SUCCESS; i++) {
        const HdMutableArg *a = &c->args[i];

        code = a->index < k->info->arg_count ? hd_kernel_set_arg(k, a->index, a->size, a->value)
                                             : CL_INVALID_ARG_INDEX;
    }
    for (cl_uint i = 0; i < c->num_svm_args && code == CL_SUCCESS; i++) {
        const HdMutableArg *a = &c->svm_args[i];

        if (a->index >= k->info->arg_count)
            code = CL_INVALID_ARG_INDEX;
        else if (!hd_kernel_arg_is_pointer(k, a->index))
            code = CL_INVALID_ARG_VALUE;
        else
            code = hd_kernel_set_svm(k, a->index, a->value);
    }
    for (cl_uint i = 0; i < c->num_exec_infos && code == CL_SUCCESS; i++)
        code = hd_kernel_check_exec_info(c->exec_infos[i].param_name, c->exec_infos[i].size,
                                         c->exec_infos[i].value);
    return code;
}

/* Put a configuration into the next state of its command. */
static cl_int stage(HdCommandBuffer b, const HdMutableConfig *c)
{
    HdMutableCommand m = c->command;
    cl_int code;

    if (!hd_mutable_command_is(m) || m->buffer != b)
        return HD_CL_INVALID_MUTABLE_COMMAND;
    code = check_fields(m, c);
    if (code != CL_SUCCESS)
        return code;
    if (m->next_kernel == NULL) {
        m->next_kernel = copy_kernel(m->kernel);
        if (m->next_kernel == NULL)
            return CL_OUT_OF_HOST_MEMORY;
        m->next_range = m->range;
    }
    keep_sizes(m->next_range.offset, c->global_offset, m->range.work_dim);
    keep_sizes(m->next_range.global, c->global_size, m->range.work_dim);
    keep_sizes(m->next_range.local, c->local_size, m->range.work_dim);
    m->next_range.has_local = m->range.has_local || c->local_size != NULL;
    return set_args(m->next_kernel, c);
}

static bool is_uniform(const HdKeptRange *r)
{
    for (cl_uint i = 0; i < r->work_dim; i++)
        if (r->local[i] != 0 && r->global[i] % r->local[i] != 0)
            return false;
    return true;
}

/* Make the command of a next state. */
static cl_int remake(HdCommandBuffer b, HdMutableCommand m)
{
    cl_command_queue recorder = b->recorders[m->place];
    HdRange r = range_of(&m->next_range);
    cl_int code;

    if (m->range.has_local && m->next_range.has_local &&
        is_uniform(&m->range) != is_uniform(&m->next_range))
        return CL_INVALID_OPERATION;
    if (hd_args_missing(&m->next_kernel->args) != UINT32_MAX)
        return hd_kernel_check_unset(recorder, m->next_kernel, &r);
    recorder->recorded = &m->next;
    code = hd_kernel_enqueue(recorder, CL_COMMAND_NDRANGE_KERNEL, m->next_kernel, &r,
                             (HdEnqueue){.out = NULL});
    recorder->recorded = NULL;
    if (code == CL_SUCCESS)
        hd_object_own(&m->next->object);
    return code;
}

/* What was next is now; or it is given up. */
static void settle(HdCommandBuffer b, HdMutableCommand m, bool is_good)
{
    cl_event *place = &b->commands.at[m->index];
    cl_event old_event = is_good ? *place : m->next;
    cl_kernel old_kernel = is_good ? m->kernel : m->next_kernel;

    if (is_good) {
        *place = m->next;
        m->kernel = m->next_kernel;
        m->range = m->next_range;
    }
    m->next = NULL;
    m->next_kernel = NULL;
    if (old_event != NULL)
        hd_object_drop(&old_event->object);
    hd_object_drop(&old_kernel->object);
}

cl_int hd_mutable_update(HdCommandBuffer b, cl_uint count, const void *const *configs)
{
    cl_int code = CL_SUCCESS;

    pthread_mutex_lock(&b->lock);
    if (!b->is_final || (b->flags & HD_CL_COMMAND_BUFFER_MUTABLE) == 0)
        code = CL_INVALID_OPERATION;
    for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++)
        code = stage(b, configs[i]);
    for (size_t i = 0; i < b->handles.count && code == CL_SUCCESS; i++)
        if (b->handles.at[i]->next_kernel != NULL)
            code = remake(b, b->handles.at[i]);
    for (size_t i = 0; i < b->handles.count; i++)
        if (b->handles.at[i]->next_kernel != NULL)
            settle(b, b->handles.at[i], code == CL_SUCCESS);
    if (code == CL_SUCCESS) { /* enqueues to come run other commands */
        hd_recording_drop(b->recording);
        b->recording = NULL;
    }
    pthread_mutex_unlock(&b->lock);
    return code;
}

/* ---- queries --------------------------------------------------------------------------------- */

static void answer_sizes(HdAnswer *a, HdMutableCommand m, const size_t sizes[3])
{
    pthread_mutex_lock(&m->buffer->lock);
    hd_answer_sizes(a, sizes[0], sizes[1], sizes[2]);
    pthread_mutex_unlock(&m->buffer->lock);
    a->size = m->range.work_dim * sizeof(size_t);
}

bool hd_mutable_answer(HdMutableCommand m, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case HD_CL_MUTABLE_COMMAND_COMMAND_QUEUE:
        hd_answer_handle(a, m->buffer->queues[m->place]);
        break;
    case HD_CL_MUTABLE_COMMAND_COMMAND_BUFFER: hd_answer_handle(a, m->buffer); break;
    case HD_CL_MUTABLE_COMMAND_COMMAND_TYPE: hd_answer_uint(a, CL_COMMAND_NDRANGE_KERNEL); break;
    case HD_CL_MUTABLE_COMMAND_PROPERTIES_ARRAY:
        hd_answer_bytes(a, m->property_array, m->property_count * sizeof *m->property_array);
        break;
    case HD_CL_MUTABLE_DISPATCH_KERNEL: hd_answer_handle(a, m->of); break;
    case HD_CL_MUTABLE_DISPATCH_DIMENSIONS: hd_answer_uint(a, m->range.work_dim); break;
    case HD_CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET: answer_sizes(a, m, m->range.offset); break;
    case HD_CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE: answer_sizes(a, m, m->range.global); break;
    case HD_CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE: answer_sizes(a, m, m->range.local); break;
    default: return false;
    }
    return true;
}
