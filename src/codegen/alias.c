/* codegen/alias.c -- alias information for LLVM.
 *
 * Pointer arguments do not point to local memory, and if launches guarantee disjoint memory for
 * each of them, they do not alias each other. The loads of such pointers are recorded when they are
 * emitted; when all code exists, each access whose address derives from only one of them becomes a
 * member of that memory's alias scope, and is marked noalias with the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/alias.h"

#include <string.h>

#include "codegen/values.h"
#include "ir/memory.h"

#define MARK      "heddle.memory"
#define MOST_LOOK 24u /* steps from an address to its origin */

/* Kinds of ir/memory.h, and those of arguments as many as there are. */
#define MOST_KINDS HD_GEN_MEM_UNKNOWN
#define UNKNOWN    HD_GEN_MEM_UNKNOWN

static unsigned metadata_kind(const HdGen *g, const char *name)
{
    return LLVMGetMDKindIDInContext(g->c, name, (unsigned)strlen(name));
}

void hd_gen_mark_memory(HdGen *g, HdIrRef r, LLVMValueRef loaded)
{
    const HdIrInst *in = &g->f->insts.at[r];
    unsigned kind = HD_IR_MEM_LOCAL;
    LLVMMetadataRef mark;

    if (in->op == HD_IR_KARG) {
        bool is_own =
            g->f->module->apart && in->sub == 0 && in->imm / 8 < MOST_KINDS - HD_IR_MEM_ARG;

        if (in->type != HD_IR_PTR)
            return;
        kind = is_own ? HD_IR_MEM_ARG + (unsigned)(in->imm / 8) : HD_IR_MEM_GLOBAL;
    }
    mark = LLVMValueAsMetadata(hd_gen_u32(g, kind));
    LLVMSetMetadata(loaded, metadata_kind(g, MARK),
                    LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, &mark, 1)));
}

/* What a load was marked with. */
static unsigned mark_of(const HdGen *g, LLVMValueRef load)
{
    LLVMValueRef mark = LLVMGetMetadata(load, metadata_kind(g, MARK)), kind;

    if (mark == NULL)
        return UNKNOWN;
    LLVMGetMDNodeOperands(mark, &kind);
    return (unsigned)LLVMConstIntGetZExtValue(kind);
}

/* The same place on the stack, in all lanes. */
static bool is_stack(LLVMValueRef at)
{
    if (LLVMIsAShuffleVectorInst(at) != NULL)
        at = LLVMGetOperand(at, 0);
    if (LLVMIsAInsertElementInst(at) != NULL)
        at = LLVMGetOperand(at, 1);
    return LLVMIsAAllocaInst(at) != NULL;
}

/* What an address is derived from, or itself. What may be on the stack instead shares no memory
 * with other kinds for that. */
static LLVMValueRef derived_from(LLVMValueRef address)
{
    switch (LLVMGetInstructionOpcode(address)) {
    case LLVMInsertElement:
        return LLVMIsPoison(LLVMGetOperand(address, 0)) ? LLVMGetOperand(address, 1) : address;
    case LLVMShuffleVector:
        return LLVMIsPoison(LLVMGetOperand(address, 1)) ? LLVMGetOperand(address, 0) : address;
    case LLVMSelect:
        return is_stack(LLVMGetOperand(address, 2)) ? LLVMGetOperand(address, 1) : address;
    case LLVMGetElementPtr: return LLVMGetOperand(address, 0);
    default: return address;
    }
}

unsigned hd_gen_kind_of(const HdGen *g, LLVMValueRef address)
{
    for (unsigned i = 0; i < MOST_LOOK && LLVMIsAInstruction(address) != NULL; i++)
        address = derived_from(address);
    return LLVMIsALoadInst(address) != NULL ? mark_of(g, address) : UNKNOWN;
}

/* The address that an instruction accesses memory at, NULL: none, or not that alone. */
static LLVMValueRef address_of(LLVMValueRef x)
{
    LLVMValueRef called;
    const char *name;
    size_t length;

    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMLoad: return LLVMGetOperand(x, 0);
    case LLVMStore: return LLVMGetOperand(x, 1);
    case LLVMCall: break;
    default: return NULL;
    }
    called = LLVMGetCalledValue(x);
    name = LLVMGetValueName2(called, &length);
    if (strncmp(name, "llvm.masked.load", 16) == 0 || strncmp(name, "llvm.masked.gather", 18) == 0)
        return LLVMGetOperand(x, 0);
    if (strncmp(name, "llvm.masked.store", 17) == 0 ||
        strncmp(name, "llvm.masked.scatter", 19) == 0)
        return LLVMGetOperand(x, 1);
    return NULL;
}

/* Other global memory may be an argument's as well. */
static bool may_meet(unsigned a, unsigned b)
{
    return a == b || (a != HD_IR_MEM_LOCAL && b != HD_IR_MEM_LOCAL &&
                      (a == HD_IR_MEM_GLOBAL || b == HD_IR_MEM_GLOBAL));
}

typedef struct Scopes {
    bool is_there[MOST_KINDS];
    LLVMValueRef own[MOST_KINDS], others[MOST_KINDS]; /* lists of scopes */
} Scopes;

static void make_scopes(HdGen *g, Scopes *s)
{
    LLVMMetadataRef domain = LLVMMDStringInContext2(g->c, "heddle", 6), scope[MOST_KINDS];

    domain = LLVMMDNodeInContext2(g->c, &domain, 1);
    for (unsigned k = 0; k < MOST_KINDS; k++) {
        char name[] = {(char)('!' + k)};
        LLVMMetadataRef parts[2];

        if (!s->is_there[k])
            continue;
        parts[0] = LLVMMDStringInContext2(g->c, name, 1);
        parts[1] = domain;
        scope[k] = LLVMMDNodeInContext2(g->c, parts, 2);
    }
    for (unsigned k = 0; k < MOST_KINDS; k++) {
        LLVMMetadataRef others[MOST_KINDS];
        unsigned count = 0;

        for (unsigned i = 0; s->is_there[k] && i < MOST_KINDS; i++)
            if (s->is_there[i] && !may_meet(k, i))
                others[count++] = scope[i];
        if (count == 0)
            continue;
        s->own[k] = LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, &scope[k], 1));
        s->others[k] = LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, others, count));
    }
}

typedef void Visit(HdGen *g, Scopes *s, LLVMValueRef access, unsigned kind);

static void note(HdGen *g, Scopes *s, LLVMValueRef access, unsigned kind)
{
    (void)g;
    (void)access;
    s->is_there[kind] = true;
}

static void tell(HdGen *g, Scopes *s, LLVMValueRef access, unsigned kind)
{
    if (s->own[kind] == NULL)
        return;
    LLVMSetMetadata(access, metadata_kind(g, "alias.scope"), s->own[kind]);
    LLVMSetMetadata(access, metadata_kind(g, "noalias"), s->others[kind]);
}

static void each_access(HdGen *g, Scopes *s, Visit *visit)
{
    LLVMValueRef fn, x;
    LLVMBasicBlockRef b;

    for (fn = LLVMGetFirstFunction(g->m); fn != NULL; fn = LLVMGetNextFunction(fn))
        for (b = LLVMGetFirstBasicBlock(fn); b != NULL; b = LLVMGetNextBasicBlock(b))
            for (x = LLVMGetFirstInstruction(b); x != NULL; x = LLVMGetNextInstruction(x)) {
                LLVMValueRef at = address_of(x);
                unsigned kind = at != NULL ? hd_gen_kind_of(g, at) : UNKNOWN;

                if (kind != UNKNOWN)
                    visit(g, s, x, kind);
            }
}

void hd_gen_tell_apart(HdGen *g)
{
    Scopes s = {.is_there = {false}};

    each_access(g, &s, note);
    make_scopes(g, &s);
    each_access(g, &s, tell);
}
