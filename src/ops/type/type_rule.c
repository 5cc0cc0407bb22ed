/* ops/type/type_rule.c -- rules of types.
 *
 * Spec: SPIR-V, "Type-Declaration Instructions", "Universal Validation Rules" (Type Rules,
 * capabilities of widths); SPV_EXT_shader_image_int64; OpenCL SPIR-V Environment Specification for
 * kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "module/parts.h"
#include "ops/rules.h"

/* Spec: SPIR-V, "Universal Limits". */
#define MAX_MEMBERS    16383u
#define MAX_PARAMETERS 255u

static bool storage_caps(const HdVal *v, bool eight)
{
    return eight ? hd_val_cap(v, SpvCapabilityStorageBuffer8BitAccess) ||
                       hd_val_cap(v, SpvCapabilityUniformAndStorageBuffer8BitAccess) ||
                       hd_val_cap(v, SpvCapabilityStoragePushConstant8)
                 : hd_val_cap(v, SpvCapabilityStorageBuffer16BitAccess) ||
                       hd_val_cap(v, SpvCapabilityUniformAndStorageBuffer16BitAccess) ||
                       hd_val_cap(v, SpvCapabilityStoragePushConstant16) ||
                       hd_val_cap(v, SpvCapabilityStorageInputOutput16);
}

/* Rule ids: type.int-width, type.int-capability, type.signedness. */
HdStatus hd_rule_type_int(HdVal *v, const HdInst *in)
{
    uint32_t bits = in->w[2];

    HD_RULE(in->w[3] <= 1, "type.signedness", "signedness is 0 or 1");
    switch (bits) {
    case 32: break;
    case 8:
        HD_RULE(hd_val_cap(v, SpvCapabilityInt8) || storage_caps(v, true) ||
                    hd_val_cap(v, SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR),
                "type.int-capability", "8-bit integers need capability Int8");
        break;
    case 16:
        HD_RULE(hd_val_cap(v, SpvCapabilityInt16) || storage_caps(v, false) ||
                    hd_val_cap(v, SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR),
                "type.int-capability", "16-bit integers need capability Int16");
        break;
    case 64:
        HD_RULE(hd_val_cap(v, SpvCapabilityInt64), "type.int-capability",
                "64-bit integers need capability Int64");
        break;
    case 4:
        HD_RULE(hd_val_cap(v, SpvCapabilityInt4TypeINTEL) ||
                    hd_val_cap(v, SpvCapabilityArbitraryPrecisionIntegersALTERA),
                "type.int-width", "4-bit integers need capability Int4TypeINTEL");
        break;
    default:
        HD_RULE(hd_val_cap(v, SpvCapabilityArbitraryPrecisionIntegersALTERA) && bits != 0,
                "type.int-width", "there are no integers of %u bits", (unsigned)bits);
        break;
    }
    HD_RULE(!v->kernel || in->w[3] == 0, "type.kernel-signedness",
            "with capability Kernel the signedness must be 0");
    return HD_OK;
}

/* Each encoding has one width; its own capability has been checked.
 * Spec: SPV_KHR_bfloat16, SPV_EXT_float8, OpTypeFloat. */
static HdStatus encoded_float(HdVal *v, const HdInst *in)
{
    uint32_t bits = 0;

    switch (in->w[3]) {
    case SpvFPEncodingBFloat16KHR: bits = 16; break;
    case SpvFPEncodingFloat8E4M3EXT:
    case SpvFPEncodingFloat8E5M2EXT:
    case SpvFPEncodingFloat8UnsignedE8M0EXT:
    case SpvFPEncodingMXInt8EXT: bits = 8; break;
    case SpvFPEncodingFloat6E2M3EXT:
    case SpvFPEncodingFloat6E3M2EXT: bits = 6; break;
    case SpvFPEncodingFloat4E2M1EXT: bits = 4; break;
    default: break;
    }
    HD_RULE(bits == 0 || in->w[2] == bits, "type.float-encoding",
            "floats of this encoding have %u bits", (unsigned)bits);
    return HD_OK;
}

/* Rule ids: type.float-encoding, type.float-capability, type.float-width. */
HdStatus hd_rule_type_float(HdVal *v, const HdInst *in)
{
    uint32_t bits = in->w[2];

    if (in->nwords > 3)
        return encoded_float(v, in);
    switch (bits) {
    case 32: return HD_OK;
    case 16:
        HD_RULE(hd_module_has_extension(v->m, "SPV_AMD_gpu_shader_half_float") ||
                    hd_module_has_extension(v->m, "SPV_AMD_gpu_shader_half_float_fetch") ||
                    hd_val_cap(v, SpvCapabilityFloat16) ||
                    hd_val_cap(v, SpvCapabilityFloat16Buffer) || storage_caps(v, false) ||
                    hd_val_cap(v, SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR),
                "type.float-capability", "16-bit floats need capability Float16 or Float16Buffer");
        return HD_OK;
    case 64:
        HD_RULE(hd_val_cap(v, SpvCapabilityFloat64), "type.float-capability",
                "64-bit floats need capability Float64");
        return HD_OK;
    default:
        return hd_val_fail(v, in, "type.float-width", "there are no floats of %u bits",
                           (unsigned)bits);
    }
}

HdStatus hd_rule_type_vector(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);
    uint32_t count = in->w[3];

    HD_RULE(hd_is_scalar(t) ||
                (hd_is_pointer(t) && hd_val_cap(v, SpvCapabilityMaskedGatherScatterINTEL)),
            "type.vector-component", "id %u is not a scalar type", (unsigned)in->w[2]);
    if (count == 2 || count == 3 || count == 4)
        return HD_OK;
    if (count != 0 && hd_val_cap(v, SpvCapabilityLongVectorEXT))
        return HD_OK;
    if (count == 8 || count == 16) {
        HD_RULE(hd_val_cap(v, SpvCapabilityVector16) || hd_val_cap(v, SpvCapabilityVectorAnyINTEL),
                "type.vector-capability", "vectors of %u components need capability Vector16",
                (unsigned)count);
        return HD_OK;
    }
    HD_RULE(count > 1 && (hd_val_cap(v, SpvCapabilityVectorAnyINTEL) ||
                          hd_val_cap(v, SpvCapabilityVectorComputeINTEL)),
            "type.vector-count", "there are no vectors of %u components", (unsigned)count);
    return HD_OK;
}

HdStatus hd_rule_type_matrix(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);

    HD_RULE(t != NULL && t->kind == HD_T_VECTOR && hd_is_float(t), "type.matrix-column",
            "a matrix is made of float vectors");
    HD_RULE(hd_module_opix(v->m, t->id) == HD_OPIX_TypeVector && t->count >= 2 && t->count <= 4,
            "type.matrix-column", "a column has 2, 3 or 4 components");
    HD_RULE(in->w[3] >= 2 && in->w[3] <= 4, "type.matrix-count", "a matrix has 2, 3 or 4 columns");
    return HD_OK;
}

/* ---- arrays and structures ----------------------------------------------------------------- */

static HdStatus element(HdVal *v, const HdInst *in, HdId id)
{
    const HdType *t = hd_module_type(v->m, id);

    HD_RULE(t != NULL, "type.element", "id %u is not a valid type", (unsigned)id);
    HD_RULE(t->kind != HD_T_VOID && t->kind != HD_T_FUNCTION, "type.element",
            "void and functions cannot be part of another type");
    return HD_OK;
}

HdStatus hd_rule_type_array(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type_of(v->m, in->w[3]);
    const HdConstant *c = hd_module_constant(v->m, in->w[3]);
    int64_t n = 0;

    HD_TRY(element(v, in, in->w[2]));
    HD_RULE(hd_val_is_constant(v, in->w[3]), "type.array-length", "the length is not a constant");
    HD_RULE(hd_is_int_scalar(t) && (c != NULL || t->kind == HD_T_WIDE_INT ||
                                    hd_module_opix(v->m, in->w[3]) == HD_OPIX_SpecConstantOp),
            "type.array-length", "the length is not an integer scalar");
    if (c == NULL || hd_val_is_open(v, c))
        return HD_OK; /* the default may be anything; what is used is checked again */
    HD_RULE(hd_module_constant_i64(v->m, in->w[3], &n) &&
                (n > 0 || (!c->type->is_signed && c->bits != 0)),
            "type.array-length", "the length must be at least 1");
    return HD_OK;
}

HdStatus hd_rule_type_runtime_array(HdVal *v, const HdInst *in)
{
    return element(v, in, in->w[2]);
}

static HdStatus struct_builtins(HdVal *v, const HdInst *in, uint32_t members)
{
    uint32_t with = 0, last = UINT32_MAX;

    for (HdDecorations x = hd_module_decorations(v->m, in->w[1]); x.d != NULL;
         hd_decorations_step(&x))
        if (x.d->decoration == SpvDecorationBuiltIn && x.member != HD_NO_MEMBER &&
            x.member != last) {
            with++;
            last = x.member;
        }
    HD_RULE(with == 0 || with == members, "type.struct-builtins",
            "all members of a structure are built-ins or none is");
    return HD_OK;
}

HdStatus hd_rule_type_struct(HdVal *v, const HdInst *in)
{
    uint32_t members = hd_parts_count(v->m, in, 2);

    /* SPV_INTEL_long_composites is there for more. */
    HD_RULE(members <= MAX_MEMBERS || members > in->nwords - 2u, "type.struct-members",
            "a structure has at most 16383 members");
    for (uint32_t i = 0; i < members; i++) {
        HdId member = hd_parts_at(in->w, 2, i);

        HD_TRY(element(v, in, member));
        HD_RULE(hd_module_member_decoration(v->m, member, 0, SpvDecorationBuiltIn) == NULL,
                "type.struct-nested", "a structure of built-ins must not be a member of another");
    }
    return struct_builtins(v, in, members);
}

/* ---- images -------------------------------------------------------------------------------- */

/* Spec: SPIR-V, "Capability". That it is not declared misleads no implementation. */
static HdStatus image_basic(HdVal *v, const HdInst *in)
{
    if (hd_val_cap(v, SpvCapabilityImageBasic))
        return HD_OK;
    return hd_val_warn(v, in, "type.image-basic",
                       "images and samplers in kernels need capability ImageBasic");
}

/* Words: 2 sampled type, 3 Dim, 4 depth, 5 arrayed, 6 MS, 7 sampled, 8 format, 9 access. */
static HdStatus kernel_image(HdVal *v, const HdInst *in, const HdType *sampled)
{
    uint32_t dim = in->w[3];

    HD_RULE(sampled->kind == HD_T_VOID, "type.image-sampled-type",
            "in OpenCL the sampled type must be void");
    HD_RULE(in->w[7] == 0, "type.image-sampled", "in OpenCL Sampled must be 0");
    HD_RULE(in->w[8] == SpvImageFormatUnknown, "type.image-format",
            "in OpenCL the format must be Unknown");
    HD_RULE(in->nwords > 9, "type.image-access", "in OpenCL an access qualifier is needed");
    (void)image_basic(v, in);
    HD_RULE(in->w[9] != SpvAccessQualifierReadWrite || hd_val_cap(v, SpvCapabilityImageReadWrite),
            "type.image-capability",
            "images that kernels read and write need capability ImageReadWrite");
    HD_RULE(dim == SpvDim1D || dim == SpvDim2D || dim == SpvDim3D || dim == SpvDimBuffer,
            "type.image-dim", "OpenCL has no images of this dimensionality");
    /* Multi-sampled images may be of depth with the extension that brings them. */
    HD_RULE(in->w[4] == 0 || (in->w[4] == 1 && dim == SpvDim2D &&
                              (hd_val_has(v, "cl_khr_depth_images") ||
                               (in->w[6] && hd_val_has(v, "cl_khr_gl_msaa_sharing")))),
            "type.image-depth", "depth images are 2D and need cl_khr_depth_images");
    HD_RULE(!in->w[5] || dim == SpvDim1D || dim == SpvDim2D, "type.image-arrayed",
            "only 1D and 2D images can be arrayed");
    HD_RULE(!in->w[6] || (dim == SpvDim2D && hd_val_has(v, "cl_khr_gl_msaa_sharing")),
            "type.image-ms", "multi-sampled images are 2D and need cl_khr_gl_msaa_sharing");
    return HD_OK;
}

HdStatus hd_rule_type_image(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);

    HD_RULE(t != NULL && (t->kind == HD_T_VOID || t->kind == HD_T_INT || t->kind == HD_T_FLOAT),
            "type.image-sampled-type", "the sampled type is not a number or void");
    HD_RULE(t->kind != HD_T_INT || t->bits != 64 || hd_val_cap(v, SpvCapabilityInt64ImageEXT),
            "type.image-sampled-type", "64-bit texels need capability Int64ImageEXT");
    HD_RULE(in->w[4] <= 2, "type.image-depth", "Depth is 0, 1 or 2");
    HD_RULE(in->w[5] <= 1, "type.image-arrayed", "Arrayed is 0 or 1");
    HD_RULE(in->w[6] <= 1, "type.image-ms", "MS is 0 or 1");
    HD_RULE(in->w[7] <= 2, "type.image-sampled", "Sampled is 0, 1 or 2");
    if (in->w[3] == SpvDimSubpassData) {
        HD_RULE(in->w[7] == 2, "type.image-subpass", "a SubpassData image has Sampled 2");
        HD_RULE(in->w[8] == SpvImageFormatUnknown, "type.image-subpass",
                "a SubpassData image has format Unknown");
    }
    if (in->w[3] == SpvDimTileImageDataEXT)
        HD_RULE(
            t->kind != HD_T_VOID && in->w[7] == 2 && in->w[8] == SpvImageFormatUnknown &&
                in->w[4] == 0 && in->w[5] == 0,
            "type.image-tile",
            "a tile image has a sampled type, Sampled 2, format Unknown, no depth and no layers");
    if (in->w[6] == 1 && in->w[7] == 2 && in->w[3] != SpvDimSubpassData &&
        in->w[3] != SpvDimTileImageDataEXT)
        HD_RULE(hd_val_cap(v, SpvCapabilityStorageImageMultisample), "type.image-ms-storage",
                "a multi-sampled storage image needs capability StorageImageMultisample");
    if (in->w[6] == 1 && in->w[7] == 2 && in->w[5] == 1)
        HD_RULE(hd_val_cap(v, SpvCapabilityImageMSArray), "type.image-ms-array",
                "a multi-sampled array needs capability ImageMSArray");
    return hd_val_opencl(v) ? kernel_image(v, in, t) : HD_OK;
}

HdStatus hd_rule_type_sampler(HdVal *v, const HdInst *in)
{
    return hd_val_opencl(v) ? image_basic(v, in) : HD_OK;
}

HdStatus hd_rule_type_sampled_image(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);

    HD_RULE(t != NULL && t->kind == HD_T_IMAGE, "type.sampled-image", "id %u is not an image type",
            (unsigned)in->w[2]);
    HD_RULE(hd_type_words(t)[7] != 2, "type.sampled-image", "the image's Sampled must be 0 or 1");
    HD_RULE(hd_type_words(t)[3] != SpvDimSubpassData, "type.sampled-image",
            "the image must not be SubpassData");
    HD_RULE(hd_type_words(t)[3] != SpvDimBuffer || v->m->version < 0x10600, "type.sampled-image",
            "from SPIR-V 1.6 on the image must not be a Buffer");
    return HD_OK;
}

/* ---- pointers and functions ---------------------------------------------------------------- */

/* Spec: OpTypeFunction, "OpFunction is the only valid use of OpTypeFunction";
 * SPV_INTEL_function_pointers. */
HdStatus hd_rule_type_pointer(HdVal *v, const HdInst *in)
{
    const HdType *pointee = hd_module_type(v->m, in->w[3]);

    HD_RULE(pointee != NULL, "type.pointee", "id %u is not a valid type", (unsigned)in->w[3]);
    HD_RULE(pointee->kind != HD_T_FUNCTION || hd_val_cap(v, SpvCapabilityFunctionPointersINTEL),
            "type.function-pointer", "pointers to functions need capability FunctionPointersINTEL");
    if (v->m->def[in->w[1]] == in->word && hd_module_type(v->m, in->w[1]) != NULL)
        HD_RULE(hd_module_type(v->m, in->w[1])->storage == in->w[2], "type.forward-storage",
                "the pointer was announced with another storage class");
    return HD_OK;
}

HdStatus hd_rule_type_forward_pointer(HdVal *v, const HdInst *in)
{
    HdInst p;

    HD_RULE(hd_module_def(v->m, in->w[1], &p) &&
                (p.opix == HD_OPIX_TypePointer || p.opix == HD_OPIX_TypeUntypedPointerKHR),
            "type.forward-pointer", "id %u is not a pointer type", (unsigned)in->w[1]);
    HD_RULE(p.w[2] == in->w[2], "type.forward-storage",
            "the pointer type has another storage class");
    HD_RULE(p.opix == HD_OPIX_TypeUntypedPointerKHR || v->options->to_build ||
                hd_module_opix(v->m, p.w[3]) == HD_OPIX_TypeStruct,
            "type.forward-pointee", "an announced pointer must point to a structure");
    return HD_OK;
}

HdStatus hd_rule_type_function(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);

    HD_RULE(t != NULL && t->kind != HD_T_FUNCTION, "type.function-result",
            "id %u is not a type that can be returned", (unsigned)in->w[2]);
    HD_RULE(in->nwords - 3u <= MAX_PARAMETERS, "type.function-parameters",
            "a function has at most 255 parameters");
    for (uint32_t i = 3; i < in->nwords; i++) {
        const HdType *p = hd_module_type(v->m, in->w[i]);

        HD_RULE(p != NULL && p->kind != HD_T_VOID && p->kind != HD_T_FUNCTION,
                "type.function-parameter", "id %u is not a type of a parameter",
                (unsigned)in->w[i]);
    }
    return HD_OK;
}
