/* ops/pipe/pipe_rule.c -- rules of pipes.
 *
 * Spec: SPIR-V, "Pipe Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/pipe/pipe_side.h"
#include "ops/rules.h"
#include "ops/shader_rules.h"

static HdStatus kind(HdVal *v, const HdInst *in, uint32_t at, HdTypeKind k, const char *what)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(t != NULL && t->kind == k, "pipe.operand", "operand %u is not a %s",
            hd_val_number(in, at), what);
    return HD_OK;
}

/* OpTypePipe. */
HdStatus hd_rule_type_pipe(HdVal *v, const HdInst *in)
{
    HD_RULE(in->w[2] == SpvAccessQualifierReadOnly || in->w[2] == SpvAccessQualifierWriteOnly ||
                !hd_val_opencl(v),
            "pipe.type-access", "a pipe is read-only or write-only");
    return HD_OK;
}

/* A pipe with the access qualifier that the instruction needs. */
static HdStatus pipe(HdVal *v, const HdInst *in, uint32_t at, bool write)
{
    HD_TRY(kind(v, in, at, HD_T_PIPE, "pipe"));
    HD_RULE(hd_type_words(hd_val_operand(v, in, at))[2] ==
                (write ? SpvAccessQualifierWriteOnly : SpvAccessQualifierReadOnly),
            "pipe.access", "the pipe is not %s", write ? "write-only" : "read-only");
    return HD_OK;
}

static HdStatus word(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "pipe.word", "operand %u is not a 32-bit integer",
            hd_val_number(in, at));
    return HD_OK;
}

/* Size and alignment of a packet: behaviour is undefined unless one divides the other. */
static HdStatus packet(HdVal *v, const HdInst *in, uint64_t size, uint64_t align)
{
    if (align != 0 && size % align == 0)
        return HD_OK;
    return hd_val_warn(v, in, "pipe.alignment",
                       "the packet's alignment %llu does not divide its size %llu",
                       (unsigned long long)align, (unsigned long long)size);
}

static HdStatus sizes(HdVal *v, const HdInst *in, uint32_t at)
{
    uint64_t size, align;

    HD_TRY(word(v, in, at));
    HD_TRY(word(v, in, at + 1));
    if (!hd_val_known_part(v, in->w[at], 0, &size) ||
        !hd_val_known_part(v, in->w[at + 1], 0, &align))
        return HD_OK;
    return packet(v, in, size, align);
}

/* What a packet is read to or written from. */
static HdStatus packet_pointer(HdVal *v, const HdInst *in, uint32_t at)
{
    HD_RULE(hd_is_pointer(hd_val_operand(v, in, at)), "pipe.pointer",
            "the packet's operand is not a pointer");
    HD_RULE(hd_val_operand(v, in, at)->storage == SpvStorageClassGeneric, "pipe.storage",
            "the packet's pointer must be of storage class Generic");
    return HD_OK;
}

/* OpReadPipeBlockingALTERA, OpWritePipeBlockingALTERA: 1 pipe, 2 pointer, 3 size, 4 alignment.
 * Spec: SPV_ALTERA_blocking_pipes. */
HdStatus hd_rule_pipe_blocking(HdVal *v, const HdInst *in)
{
    HD_TRY(pipe(v, in, 1, in->opix == HD_OPIX_WritePipeBlockingALTERA));
    HD_TRY(packet_pointer(v, in, 2));
    return sizes(v, in, 3);
}

HdStatus hd_rule_pipe_access(HdVal *v, const HdInst *in)
{
    bool reserved = in->opix == HD_OPIX_ReservedReadPipe || in->opix == HD_OPIX_ReservedWritePipe;
    const HdType *t = hd_val_result(v, in);
    uint32_t at = 4;

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "pipe.result",
            "the result is not a 32-bit integer");
    HD_TRY(pipe(v, in, 3, hd_pipe_writes(in->opix)));
    if (reserved) {
        HD_TRY(kind(v, in, 4, HD_T_RESERVE_ID, "reservation"));
        HD_TRY(word(v, in, 5));
        at = 6;
    }
    HD_TRY(packet_pointer(v, in, at));
    return sizes(v, in, at + 1);
}

HdStatus hd_rule_pipe_reserve(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_val_result(v, in)->kind == HD_T_RESERVE_ID, "pipe.result",
            "the result is not a reservation");
    HD_TRY(pipe(v, in, 3, hd_pipe_writes(in->opix)));
    HD_TRY(word(v, in, 4));
    return sizes(v, in, 5);
}

HdStatus hd_rule_pipe_commit(HdVal *v, const HdInst *in)
{
    HD_TRY(pipe(v, in, 1, hd_pipe_writes(in->opix)));
    HD_TRY(kind(v, in, 2, HD_T_RESERVE_ID, "reservation"));
    return sizes(v, in, 3);
}

HdStatus hd_rule_pipe_valid(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "pipe.result",
            "the result is not a bool scalar");
    return kind(v, in, 3, HD_T_RESERVE_ID, "reservation");
}

HdStatus hd_rule_pipe_count(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "pipe.result",
            "the result is not a 32-bit integer");
    HD_TRY(kind(v, in, 3, HD_T_PIPE, "pipe"));
    HD_RULE(hd_type_words(hd_val_operand(v, in, 3))[2] != SpvAccessQualifierReadWrite,
            "pipe.access", "the pipe is neither read-only nor write-only");
    return sizes(v, in, 4);
}

HdStatus hd_rule_pipe_group_reserve(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_val_result(v, in)->kind == HD_T_RESERVE_ID, "pipe.result",
            "the result is not a reservation");
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_TRY(pipe(v, in, 4, hd_pipe_writes(in->opix)));
    HD_TRY(word(v, in, 5));
    return sizes(v, in, 6);
}

HdStatus hd_rule_pipe_group_commit(HdVal *v, const HdInst *in)
{
    HD_TRY(hd_val_scope_execution(v, in, 1));
    HD_TRY(pipe(v, in, 2, hd_pipe_writes(in->opix)));
    HD_TRY(kind(v, in, 3, HD_T_RESERVE_ID, "reservation"));
    return sizes(v, in, 4);
}

HdStatus hd_rule_constant_pipe_storage(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_val_result(v, in)->kind == HD_T_PIPE_STORAGE, "pipe.result",
            "the result is not a pipe storage");
    return packet(v, in, in->w[3], in->w[4]);
}

HdStatus hd_rule_pipe_from_storage(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_val_result(v, in)->kind == HD_T_PIPE, "pipe.result", "the result is not a pipe");
    return kind(v, in, 3, HD_T_PIPE_STORAGE, "pipe storage");
}
