/* xform/zero.c -- zero-initialises a module's private memory.
 *
 * Variables and undefined values of types without a null (images, samplers, pipes) are unchanged:
 * they have no bytes that could be read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/zero.h"

#include "base/memory.h"
#include "module/edit.h"
#include "module/type.h"

typedef struct Zero {
    const HdModule *m;
    HdWriter head, body; /* what comes before the first function; functions */
    HdId *null_of;       /* [types by number] a constant in the head; 0: none yet */
    HdId next;
} Zero;

static bool has_null(const HdModule *m, const HdType *t)
{
    switch (t->kind) {
    case HD_T_BOOL:
    case HD_T_INT:
    case HD_T_FLOAT:
    case HD_T_VECTOR:
    case HD_T_POINTER: return true;
    case HD_T_ARRAY: return has_null(m, hd_type_element(t));
    case HD_T_STRUCT:
        for (uint32_t i = 0; i < t->count; i++)
            if (!has_null(m, hd_type_member(m, t, i)))
                return false;
        return true;
    default: return false;
    }
}

static void write_null(Zero *z, HdId type, HdId id)
{
    const uint32_t operands[2] = {type, id};

    hd_writer_inst(&z->head, SpvOpConstantNull, operands, 2);
}

static HdId null_of(Zero *z, const HdType *t)
{
    HdId *id = &z->null_of[hd_type_number(z->m, t)];

    if (*id == 0) {
        *id = z->next++;
        write_null(z, t->id, *id);
    }
    return *id;
}

/* What a variable of a function holds that has no initialiser; NULL: it has, or is none. */
static const HdType *content_of(const HdModule *m, const HdInst *in)
{
    if (in->opix == HD_OPIX_UntypedVariableKHR)
        return in->nwords == 5 ? hd_module_type(m, in->w[4]) : NULL;
    if (in->opix == HD_OPIX_Variable && in->nwords == 4) {
        const HdType *pointer = hd_module_type(m, in->w[1]);

        return pointer != NULL ? hd_type_element(pointer) : NULL;
    }
    return NULL;
}

static void copy_in_function(Zero *z, const HdInst *in)
{
    const HdType *t = content_of(z->m, in);

    if (t != NULL && has_null(z->m, t)) {
        hd_writer_begin(&z->body, in->opcode);
        hd_writer_words(&z->body, in->w + 1, in->nwords - 1u);
        hd_writer_word(&z->body, null_of(z, t));
        hd_writer_end(&z->body);
    } else if (in->opix != HD_OPIX_LifetimeStart && in->opix != HD_OPIX_LifetimeStop) {
        hd_writer_copy(&z->body, in);
    }
}

/* An undefined value, wherever it is, becomes a constant in the head. */
static bool is_undefined(const HdModule *m, const HdInst *in)
{
    const HdType *t = in->opix == HD_OPIX_Undef ? hd_module_type(m, in->w[1]) : NULL;

    return t != NULL && has_null(m, t);
}

HdStatus hd_xform_zero(const HdModule *m, uint32_t **words, size_t *nwords)
{
    Zero z = {.m = m, .next = m->bound};
    uint32_t word = HD_MODULE_FIRST_WORD;

    *words = NULL;
    *nwords = 0;
    HD_TAKE(z.null_of, hd_alloc_zero((hd_type_number_bound(m) + 1) * sizeof *z.null_of));
    hd_writer_start(&z.head, m->version, m->generator, m->bound);
    for (HdInst in; hd_module_next(m, &word, &in);) {
        if (is_undefined(m, &in))
            write_null(&z, in.w[1], in.w[2]);
        else if (in.word < m->first_function)
            hd_writer_copy(&z.head, &in);
        else
            copy_in_function(&z, &in);
    }
    hd_writer_set_bound(&z.head, z.next);
    hd_writer_append(&z.head, &z.body);
    hd_writer_free(&z.body);
    hd_free(z.null_of);
    if (z.head.failed) {
        hd_writer_free(&z.head);
        return HD_NO_MEMORY;
    }
    *words = z.head.words;
    *nwords = z.head.count;
    return HD_OK;
}
