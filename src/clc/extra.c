/* clc/extra.c -- built-ins of extensions for which the compiler has no declarations.
 *
 * Its back end knows their names, so that declaring them is all that is missing. A source that does
 * not mention a family gets none of it. Parameters have names that no program defines as macros.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/extra.h"

#include "clc/matrices.h"

static const char *const kinds[] = {"reduce", "scan_inclusive", "scan_exclusive"};
static const char *const integers[] = {"int", "uint", "long", "ulong"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* cl_khr_work_group_uniform_arithmetic */
static void write_arithmetic(HdStrbuf *out)
{
    static const char *const ops[] = {"and", "or", "xor"};

    hd_strbuf_add(out, "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n");
    for (size_t k = 0; k < COUNT(kinds); k++) {
        for (size_t i = 0; i < COUNT(integers); i++) {
            const char *t = integers[i];

            hd_strbuf_printf(out, "HD_GROUP %s work_group_%s_mul(%s);\n", t, kinds[k], t);
            for (size_t o = 0; o < COUNT(ops); o++)
                hd_strbuf_printf(out, "HD_GROUP %s work_group_%s_%s(%s);\n", t, kinds[k], ops[o],
                                 t);
        }
        hd_strbuf_printf(out, "HD_GROUP float work_group_%s_mul(float);\n", kinds[k]);
        hd_strbuf_printf(
            out, "#ifdef cl_khr_fp16\nHD_GROUP half work_group_%s_mul(half);\n#endif\n", kinds[k]);
        hd_strbuf_printf(out,
                         "#ifdef cl_khr_fp64\nHD_GROUP double work_group_%s_mul(double);\n#endif\n",
                         kinds[k]);
        for (size_t o = 0; o < COUNT(ops); o++)
            hd_strbuf_printf(out, "HD_GROUP int work_group_%s_logical_%s(int);\n", kinds[k],
                             ops[o]);
    }
    hd_strbuf_add(out, "#endif\n");
}

/* Shuffles of cl_intel_subgroups and of those that add types to it. */
static void write_shuffles(const char *type, const char *size, HdStrbuf *out)
{
    static const char *const one[] = {"shuffle", "shuffle_xor"};
    static const char *const two[] = {"shuffle_down", "shuffle_up"};

    for (size_t i = 0; i < COUNT(one); i++)
        hd_strbuf_printf(out, "HD_GROUP %s%s intel_sub_group_%s(%s%s,uint);\n", type, size, one[i],
                         type, size);
    for (size_t i = 0; i < COUNT(two); i++)
        hd_strbuf_printf(out, "HD_GROUP %s%s intel_sub_group_%s(%s%s,%s%s,uint);\n", type, size,
                         two[i], type, size, type, size);
}

/* Block reads and writes of images that a kernel may read or write. */
static void write_image_blocks(const char *type, const char *suffix, const char *count,
                               HdStrbuf *out)
{
    static const char *const reads[] = {"read_only", "read_write"};
    static const char *const writes[] = {"write_only", "read_write"};

    for (size_t a = 0; a < COUNT(reads); a++) {
        hd_strbuf_add(out, a > 0 ? "#ifdef __opencl_c_read_write_images\n" : "");
        hd_strbuf_printf(out,
                         "HD_GROUP %s%s intel_sub_group_block_read%s%s(%s image2d_t,int2);\n"
                         "HD_GROUP void intel_sub_group_block_write%s%s(%s image2d_t,int2,%s%s);\n",
                         type, count, suffix, count, reads[a], suffix, count, writes[a], type,
                         count);
        hd_strbuf_add(out, a > 0 ? "#endif\n" : "");
    }
}

/* Block reads and writes of memory; the suffix is left out, too, for uint. */
static void write_memory_blocks(const char *type, const char *suffix, const char *count,
                                HdStrbuf *out)
{
    static const char *const spaces[] = {"__global", "__local"};

    for (size_t s = 0; s < COUNT(spaces); s++)
        hd_strbuf_printf(out,
                         "HD_GROUP %s%s intel_sub_group_block_read%s%s(const %s %s*);\n"
                         "HD_GROUP void intel_sub_group_block_write%s%s(%s %s*,%s%s);\n",
                         type, count, suffix, count, spaces[s], type, suffix, count, spaces[s],
                         type, type, count);
}

/* Block reads and writes of memory and images. */
static void write_blocks(const char *type, const char *suffix, bool has_16, HdStrbuf *out)
{
    static const char *const counts[] = {"", "2", "4", "8", "16"};

    for (size_t i = 0; i < COUNT(counts) - (has_16 ? 0 : 1); i++) {
        write_memory_blocks(type, suffix, counts[i], out);
        write_image_blocks(type, suffix, counts[i], out);
    }
}

/* What cl_intel_subgroups_char and _short add under separate names is mapped to the other names,
 * which are all that the back end accepts. */
static void write_narrow(HdStrbuf *out)
{
    static const char *const ops[] = {"add", "min", "max"};

    hd_strbuf_add(out, "#define intel_sub_group_broadcast sub_group_broadcast\n");
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t o = 0; o < COUNT(ops); o++)
            hd_strbuf_printf(out, "#define intel_sub_group_%s_%s sub_group_%s_%s\n", kinds[k],
                             ops[o], kinds[k], ops[o]);
}

/* cl_intel_subgroup_buffer_prefetch: the back end lacks the instruction; each work-item prefetches
 * its own part of the block. */
static void write_prefetches(HdStrbuf *out)
{
    static const char *const types[] = {"uchar", "ushort", "uint", "ulong"};
    static const char *const suffixes[] = {"uc", "us", "ui", "ul"};
    static const char *const counts[] = {"", "2", "4", "8", "16"};

    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t i = 0; i < COUNT(counts) - (t < 2 ? 0 : 1); i++)
            hd_strbuf_printf(
                out,
                "HD_OWN void intel_sub_group_block_prefetch_%s%s(const __global %s*hd_p)"
                "{prefetch(hd_p,%u);}\n",
                suffixes[t], counts[i], types[t], 1u << i);
}

static void write_intel(HdStrbuf *out)
{
    static const char *const vectors[] = {"char", "uchar", "short", "ushort",
                                          "int",  "uint",  "float"};
    static const char *const sizes[] = {"", "2", "3", "4", "8", "16"};

    for (size_t t = 0; t < COUNT(vectors); t++)
        for (size_t s = 0; s < COUNT(sizes); s++)
            write_shuffles(vectors[t], sizes[s], out);
    write_shuffles("long", "", out);
    write_shuffles("ulong", "", out);
    hd_strbuf_add(out, "#ifdef cl_khr_fp16\n");
    write_shuffles("half", "", out);
    hd_strbuf_add(out, "#endif\n#ifdef cl_khr_fp64\n");
    write_shuffles("double", "", out);
    hd_strbuf_add(out, "#endif\n");
    write_blocks("uint", "", false, out);
    /* The back end takes the name without the suffix only. */
    for (size_t n = 1; n <= 8; n *= 2) {
        char count[4] = "";

        if (n > 1)
            count[0] = (char)('0' + n);
        hd_strbuf_printf(out,
                         "#define intel_sub_group_block_read_ui%s intel_sub_group_block_read%s\n",
                         count, count);
        hd_strbuf_printf(out,
                         "#define intel_sub_group_block_write_ui%s intel_sub_group_block_write%s\n",
                         count, count);
    }
    write_blocks("uchar", "_uc", true, out);
    write_blocks("ushort", "_us", false, out);
    write_blocks("ulong", "_ul", false, out);
    write_narrow(out);
    write_prefetches(out);
}

/* Types with atomic forms; the last two have guards. */
static const char *const atomics[] = {"int", "uint", "long", "ulong", "float", "double", "half"};

static const char *guard_of(size_t atomic)
{
    return atomic == 5 ? "#ifdef cl_khr_fp64\n" : atomic == 6 ? "#ifdef cl_khr_fp16\n" : "";
}

static const char *guard_end(size_t atomic)
{
    return atomic >= 5 ? "#endif\n" : "";
}

#define SINCE_2_0 "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"

/* The compiler lacks atomic_init for half, and one overload hides all of its own. The name is
 * another one, because its own declarations are external. */
static void write_init(HdStrbuf *out)
{
    hd_strbuf_add(out, SINCE_2_0);
    for (size_t i = 0; i < COUNT(atomics); i++)
        hd_strbuf_printf(
            out,
            "%s__attribute__((internal_linkage,overloadable,always_inline,nodebug,unused)) void "
            "heddle_atomic_init(volatile atomic_%s*hd_p,%s hd_v){*(volatile %s*)hd_p=hd_v;}\n%s",
            guard_of(i), atomics[i], atomics[i], atomics[i], guard_end(i));
    hd_strbuf_add(out, "#define atomic_init heddle_atomic_init\n#endif\n");
}

/* The back end takes the order of a load for its scope and the scope for the order, and drops both
 * of a store; it takes SPIR-V's own instructions as they are. What an order or scope must not be is
 * as strong as possible. */
static void write_orders(HdStrbuf *out)
{
    static const char *const spaces[] = {"global", "local", "generic"};

    hd_strbuf_add(
        out, SINCE_2_0
        "#define HD_SCOPE(s) ((s)==__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES?0u:"
        "(s)==__OPENCL_MEMORY_SCOPE_DEVICE?1u:(s)==__OPENCL_MEMORY_SCOPE_SUB_GROUP?3u:2u)\n"
        "#define HD_ORDER(o,a,b) ((o)==__ATOMIC_RELAXED?0u:(o)==a?b:16u)\n"
        "#define HD_LOAD(p,o,s,...) "
        "__spirv_AtomicLoad(p,HD_SCOPE(s),HD_ORDER(o,__ATOMIC_ACQUIRE,2u))\n"
        "#define HD_STORE(p,v,o,s,...) "
        "__spirv_AtomicStore(p,HD_SCOPE(s),HD_ORDER(o,__ATOMIC_RELEASE,4u),v)\n"
        "#define atomic_load_explicit(...) HD_LOAD(__VA_ARGS__,__OPENCL_MEMORY_SCOPE_DEVICE,)\n"
        "#define atomic_store_explicit(...) HD_STORE(__VA_ARGS__,__OPENCL_MEMORY_SCOPE_DEVICE,)\n"
        "#define HD_ATOMIC __attribute__((overloadable))\n");
    for (size_t s = 0; s < COUNT(spaces); s++) {
        if (s == 2)
            hd_strbuf_add(out, "#if __OPENCL_C_VERSION__ == 200 || "
                               "defined(__opencl_c_generic_address_space) || "
                               "defined(__OPENCL_CPP_VERSION__)\n");
        for (size_t i = 0; i < COUNT(atomics); i++)
            hd_strbuf_printf(
                out,
                "%sHD_ATOMIC %s __spirv_AtomicLoad(volatile __%s atomic_%s*,uint,uint);\n"
                "HD_ATOMIC void __spirv_AtomicStore(volatile __%s atomic_%s*,uint,uint,%s"
                ");\n%s",
                guard_of(i), atomics[i], spaces[s], atomics[i], spaces[s], atomics[i], atomics[i],
                guard_end(i));
    }
    hd_strbuf_add(out, "#endif\n#endif\n");
}

/* ND-ranges of arrays, which the back end cannot make: written into clang's structure. */
static void write_ranges(HdStrbuf *out)
{
    hd_strbuf_add(
        out,
        "#ifdef __opencl_c_device_enqueue\n"
        "#define HD_RANGE static __attribute__((overloadable,always_inline,nodebug,unused)) "
        "ndrange_t\n"
        "#define HD_SIZE(to,from,i) hd_r.to[i]=from&&i<hd_n?from[i]:0;\n"
        "#define HD_SIZES(i) HD_SIZE(globalWorkOffset,hd_o,i)HD_SIZE(globalWorkSize,hd_g,i)"
        "HD_SIZE(localWorkSize,hd_l,i)\n"
        "HD_RANGE heddle_ndrange(uint hd_n,const size_t*hd_o,const size_t*hd_g,const size_t*hd_l)"
        "{ndrange_t hd_r;hd_r.workDimension=hd_n;HD_SIZES(0)HD_SIZES(1)HD_SIZES(2)return hd_r;}\n"
        "#define HD_RANGES(n,name)"
        "HD_RANGE name(const size_t*hd_g){return heddle_ndrange(n,0,hd_g,0);}"
        "HD_RANGE name(const size_t*hd_g,const size_t*hd_l)"
        "{return heddle_ndrange(n,0,hd_g,hd_l);}"
        "HD_RANGE name(const size_t*hd_o,const size_t*hd_g,const size_t*hd_l)"
        "{return heddle_ndrange(n,hd_o,hd_g,hd_l);}\n"
        "HD_RANGES(2,heddle_ndrange_2D)HD_RANGES(3,heddle_ndrange_3D)\n"
        "#define ndrange_2D heddle_ndrange_2D\n#define ndrange_3D heddle_ndrange_3D\n"
        "#endif\n");
}

/* Numbers of cl_intel_bfloat16_conversions, which are kept as ushort, and conversions of
 * cl_intel_subgroup_matrix_multiply_accumulate_tf32. */
static void write_bfloat16(HdStrbuf *out)
{
    static const char *const counts[] = {"", "2", "3", "4", "8", "16"};

    for (size_t i = 0; i < COUNT(counts); i++) {
        const char *n = counts[i];

        hd_strbuf_printf(out,
                         "__attribute__((overloadable,const)) "
                         "ushort%s intel_convert_bfloat16%s_as_ushort%s(float%s);\n"
                         "__attribute__((overloadable,const)) "
                         "float%s intel_convert_as_bfloat16%s_float%s(ushort%s);\n",
                         n, n, n, n, n, n, n, n);
        hd_strbuf_printf(out,
                         "__attribute__((overloadable,const)) float%s "
                         "__spirv_RoundFToTF32INTEL(float%s);\n"
                         "#define intel_convert_tfloat32%s_as_float%s(x) "
                         "__spirv_RoundFToTF32INTEL(x)\n",
                         n, n, n, n);
    }
}

/* cl_khr_extended_async_copies and cl_khr_async_work_group_copy_fence: a copy of each line, and a
 * wait for no event at all. The first line's event is that of all: one that goes around the loop
 * would begin as a null, which the back end cannot make. */
static void write_copies(HdStrbuf *out)
{
    static const char *const spaces[][2] = {{"local", "global"}, {"global", "local"}};

    hd_strbuf_add(
        out, "#define HD_COPY __attribute__((internal_linkage,overloadable,always_inline,nodebug,"
             "convergent,unused))\n"
             "#define HD_LINE(l,p,n,e) async_work_group_copy("
             "(HD_TO uchar*)hd_d+(hd_i+(p)*hd_dp+(l)*hd_dl)*hd_b,"
             "(const HD_FROM uchar*)hd_s+(hd_j+(p)*hd_sp+(l)*hd_sl)*hd_b,n,e)\n");
    for (size_t i = 0; i < COUNT(spaces); i++)
        hd_strbuf_printf(
            out,
            "#define HD_TO __%s\n"
            "#define HD_FROM __%s\n"
            "HD_COPY event_t async_work_group_copy_3D3D(HD_TO void*hd_d,size_t hd_i,"
            "const HD_FROM void*hd_s,size_t hd_j,size_t hd_b,size_t hd_n,size_t hd_y,size_t hd_z,"
            "size_t hd_sl,size_t hd_sp,size_t hd_dl,size_t hd_dp,event_t hd_e)"
            "{size_t hd_m=hd_y*hd_z;event_t hd_r=HD_LINE(0,0,hd_m==0?0:hd_n*hd_b,hd_e);"
            "for(size_t hd_k=1;hd_k<hd_m;hd_k++)HD_LINE(hd_k%%hd_y,hd_k/hd_y,hd_n*hd_b,hd_r);"
            "return hd_r;}\n"
            "HD_COPY event_t async_work_group_copy_2D2D(HD_TO void*hd_d,size_t hd_i,"
            "const HD_FROM void*hd_s,size_t hd_j,size_t hd_b,size_t hd_n,size_t hd_y,size_t hd_sl,"
            "size_t hd_dl,event_t hd_e){return async_work_group_copy_3D3D(hd_d,hd_i,hd_s,hd_j,hd_b,"
            "hd_n,hd_y,1,hd_sl,0,hd_dl,0,hd_e);}\n"
            "#undef HD_TO\n#undef HD_FROM\n",
            spaces[i][0], spaces[i][1]);
    hd_strbuf_add(out, "HD_COPY void async_work_group_copy_fence(cl_mem_fence_flags hd_f)"
                       "{wait_group_events(0,(event_t*)0);}\n");
}

/* cl_intel_split_work_group_barrier */
static void write_split(HdStrbuf *out)
{
    static const char *const halves[] = {"arrive", "wait"};

    for (size_t i = 0; i < COUNT(halves); i++)
        hd_strbuf_printf(out,
                         "HD_GROUP void intel_work_group_barrier_%s(cl_mem_fence_flags);\n"
                         "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"
                         "HD_GROUP void intel_work_group_barrier_%s(cl_mem_fence_flags,"
                         "memory_scope);\n"
                         "#endif\n",
                         halves[i], halves[i]);
}

/* cl_intel_media_block_io */
static void write_media(HdStrbuf *out)
{
    static const char *const types[] = {"uchar", "ushort", "uint"};
    static const char *const suffixes[] = {"uc", "us", "ui"};
    static const char *const counts[] = {"", "2", "4", "8", "16"};
    static const char *const reads[] = {"read_only", "read_write"};
    static const char *const writes[] = {"write_only", "read_write"};

    for (size_t a = 0; a < COUNT(reads); a++) {
        hd_strbuf_add(out, a > 0 ? "#ifdef __opencl_c_read_write_images\n" : "");
        for (size_t t = 0; t < COUNT(types); t++)
            for (size_t i = 0; i < COUNT(counts); i++)
                hd_strbuf_printf(out,
                                 "HD_GROUP %s%s intel_sub_group_media_block_read_%s%s(int2,int,int,"
                                 "%s image2d_t);\n"
                                 "HD_GROUP void intel_sub_group_media_block_write_%s%s(int2,int,"
                                 "int,%s%s,%s image2d_t);\n",
                                 types[t], counts[i], suffixes[t], counts[i], reads[a], suffixes[t],
                                 counts[i], types[t], counts[i], writes[a]);
        hd_strbuf_add(out, a > 0 ? "#endif\n" : "");
    }
}

void hd_clc_extra(unsigned families, HdStrbuf *out)
{
    if ((families & HD_CLC_RANGES) != 0)
        write_ranges(out);
    if ((families & HD_CLC_BFLOAT16) != 0)
        write_bfloat16(out);
    if ((families & HD_CLC_COPIES) != 0)
        write_copies(out);
    if ((families & ~(unsigned)(HD_CLC_RANGES | HD_CLC_BFLOAT16 | HD_CLC_COPIES)) == 0)
        return;
    hd_strbuf_add(out, "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
                       "#define HD_GROUP __attribute__((overloadable,convergent))\n"
                       "#define HD_OWN __attribute__((internal_linkage,overloadable,always_inline,"
                       "nodebug,convergent,unused))\n");
    if ((families & HD_CLC_ARITHMETIC) != 0)
        write_arithmetic(out);
    if ((families & HD_CLC_INTEL) != 0)
        write_intel(out);
    if ((families & HD_CLC_SPLIT) != 0)
        write_split(out);
    if ((families & HD_CLC_INIT) != 0)
        write_init(out);
    if ((families & HD_CLC_ORDERS) != 0)
        write_orders(out);
    if ((families & HD_CLC_MATRICES) != 0)
        hd_clc_matrices(out);
    if ((families & HD_CLC_BLOCKS_2D) != 0)
        hd_clc_blocks_2d(out);
    if ((families & HD_CLC_MEDIA) != 0)
        write_media(out);
}
