/* api/image_api.c -- images, samplers, pipes and OpenGL: the device has none of them
 * (CL_DEVICE_IMAGE_SUPPORT and CL_DEVICE_PIPE_SUPPORT are false), so making one is
 * CL_INVALID_OPERATION and no handle of theirs is ever valid.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/mem.h"

/* A maker: the context is looked at first. */
#define NO_MAKER(type, name, parameters, context)                                    \
    CL_API_ENTRY type CL_API_CALL hd_##name parameters                               \
    {                                                                                \
        HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret); \
        hd_api_set(errcode_ret, CL_INVALID_OPERATION);                               \
        return NULL;                                                                 \
    }

/* A command on images: the queue is looked at first. */
#define NO_COMMAND(name, parameters)                                                 \
    CL_API_ENTRY cl_int CL_API_CALL hd_##name parameters                             \
    {                                                                                \
        return hd_queue_is(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE; \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"

NO_MAKER(cl_mem, clCreateImage,
         (cl_context context, cl_mem_flags flags, const cl_image_format *format,
          const cl_image_desc *desc, void *host_ptr, cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreateImageWithProperties,
         (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
          const cl_image_format *format, const cl_image_desc *desc, void *host_ptr,
          cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreateImage2D,
         (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
          size_t height, size_t row_pitch, void *host_ptr, cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreateImage3D,
         (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
          size_t height, size_t depth, size_t row_pitch, size_t slice_pitch, void *host_ptr,
          cl_int *errcode_ret),
         context)
NO_MAKER(cl_sampler, clCreateSampler,
         (cl_context context, cl_bool normalized, cl_addressing_mode addressing,
          cl_filter_mode filter, cl_int *errcode_ret),
         context)
NO_MAKER(cl_sampler, clCreateSamplerWithProperties,
         (cl_context context, const cl_sampler_properties *properties, cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreatePipe,
         (cl_context context, cl_mem_flags flags, cl_uint packet_size, cl_uint max_packets,
          const cl_pipe_properties *properties, cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreateFromGLBuffer,
         (cl_context context, cl_mem_flags flags, cl_GLuint object, int *errcode_ret), context)
NO_MAKER(cl_mem, clCreateFromGLTexture,
         (cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint level,
          cl_GLuint texture, cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreateFromGLTexture2D,
         (cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint level,
          cl_GLuint texture, cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreateFromGLTexture3D,
         (cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint level,
          cl_GLuint texture, cl_int *errcode_ret),
         context)
NO_MAKER(cl_mem, clCreateFromGLRenderbuffer,
         (cl_context context, cl_mem_flags flags, cl_GLuint renderbuffer, cl_int *errcode_ret),
         context)

NO_COMMAND(clEnqueueReadImage,
           (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
            const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
            cl_uint num_events, const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueWriteImage,
           (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
            const size_t *region, size_t row_pitch, size_t slice_pitch, const void *ptr,
            cl_uint num_events, const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueCopyImage,
           (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
            const size_t *to_origin, const size_t *region, cl_uint num_events,
            const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueCopyImageToBuffer, (cl_command_queue queue, cl_mem from, cl_mem to,
                                        const size_t *origin, const size_t *region, size_t offset,
                                        cl_uint num_events, const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueCopyBufferToImage,
           (cl_command_queue queue, cl_mem from, cl_mem to, size_t offset, const size_t *origin,
            const size_t *region, cl_uint num_events, const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueFillImage,
           (cl_command_queue queue, cl_mem image, const void *colour, const size_t *origin,
            const size_t *region, cl_uint num_events, const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueAcquireGLObjects, (cl_command_queue queue, cl_uint count, const cl_mem *mems,
                                       cl_uint num_events, const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueReleaseGLObjects, (cl_command_queue queue, cl_uint count, const cl_mem *mems,
                                       cl_uint num_events, const cl_event *waits, cl_event *event))

CL_API_ENTRY void *CL_API_CALL hd_clEnqueueMapImage(cl_command_queue queue, cl_mem image,
                                                    cl_bool blocking, cl_map_flags flags,
                                                    const size_t *origin, const size_t *region,
                                                    size_t *row_pitch, size_t *slice_pitch,
                                                    cl_uint num_events, const cl_event *waits,
                                                    cl_event *event, cl_int *errcode_ret)
{
    hd_api_set(errcode_ret, hd_queue_is(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE);
    return NULL;
}

/* There are no formats: none is the answer, not an error. */
CL_API_ENTRY cl_int CL_API_CALL
hd_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                              cl_uint num_entries, cl_image_format *formats, cl_uint *num_formats)
{
    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    HD_REQUIRE(formats == NULL || num_entries > 0, CL_INVALID_VALUE);
    if (num_formats != NULL)
        *num_formats = 0;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetImageInfo(cl_mem image, cl_image_info param_name,
                                                  size_t room, void *value, size_t *size)
{
    return CL_INVALID_MEM_OBJECT;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t room,
                                                 void *value, size_t *size)
{
    return CL_INVALID_MEM_OBJECT;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainSampler(cl_sampler sampler)
{
    return CL_INVALID_SAMPLER;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseSampler(cl_sampler sampler)
{
    return CL_INVALID_SAMPLER;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                                    size_t room, void *value, size_t *size)
{
    return CL_INVALID_SAMPLER;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetGLObjectInfo(cl_mem mem, cl_gl_object_type *type,
                                                     cl_GLuint *name)
{
    return hd_mem_is(mem) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetGLTextureInfo(cl_mem mem, cl_gl_texture_info param_name,
                                                      size_t room, void *value, size_t *size)
{
    return hd_mem_is(mem) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetGLContextInfoKHR(const cl_context_properties *properties,
                                                         cl_gl_context_info param_name, size_t room,
                                                         void *value, size_t *size)
{
    return CL_INVALID_OPERATION;
}
