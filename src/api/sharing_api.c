/* api/sharing_api.c -- OpenGL: the device shares no objects with it, so creating one is
 * CL_INVALID_OPERATION and no such handle is ever valid.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/mem.h"

/* Creation: the context is checked first. */
#define NO_MAKER(type, name, parameters, context)                                    \
    CL_API_ENTRY type CL_API_CALL hd_##name parameters                               \
    {                                                                                \
        HD_TRACED;                                                                   \
        HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret); \
        hd_api_set(errcode_ret, CL_INVALID_OPERATION);                               \
        return NULL;                                                                 \
    }

/* A command on shared objects: the queue is checked first. */
#define NO_COMMAND(name, parameters)                                                 \
    CL_API_ENTRY cl_int CL_API_CALL hd_##name parameters                             \
    {                                                                                \
        HD_TRACED;                                                                   \
        return hd_queue_is(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE; \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"

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

NO_COMMAND(clEnqueueAcquireGLObjects, (cl_command_queue queue, cl_uint count, const cl_mem *mems,
                                       cl_uint num_events, const cl_event *waits, cl_event *event))
NO_COMMAND(clEnqueueReleaseGLObjects, (cl_command_queue queue, cl_uint count, const cl_mem *mems,
                                       cl_uint num_events, const cl_event *waits, cl_event *event))

CL_API_ENTRY cl_int CL_API_CALL hd_clGetGLObjectInfo(cl_mem mem, cl_gl_object_type *type,
                                                     cl_GLuint *name)
{
    HD_TRACED;
    return hd_mem_is(mem) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetGLTextureInfo(cl_mem mem, cl_gl_texture_info param_name,
                                                      size_t room, void *value, size_t *size)
{
    HD_TRACED;
    return hd_mem_is(mem) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetGLContextInfoKHR(const cl_context_properties *properties,
                                                         cl_gl_context_info param_name, size_t room,
                                                         void *value, size_t *size)
{
    HD_TRACED;
    return CL_INVALID_OPERATION;
}
