/* interp/classify.h -- classification of invalid accesses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_CLASSIFY_H
#define HD_INTERP_CLASSIFY_H

#include "interp/facts.h"

/* No object of a host is in its first page. */
#define HD_FIRST_ADDRESS 4096u

typedef struct HdAccess {
    uint32_t storage;
    uint64_t address, bytes, align;
    HdEvalAccess how;
} HdAccess;

typedef enum HdPrivateState {
    HD_PRIVATE_FINE,
    HD_PRIVATE_OUTSIDE, /* of every variable, or of the one that the pointer comes from */
    HD_PRIVATE_DEAD,    /* the variable's life is over */
    HD_PRIVATE_LEFT     /* its function has been left, or its array has been freed */
} HdPrivateState;

/* May a lane do this? Errors are reported. */
bool hd_classify_access(HdEval *e, unsigned lane, const HdRoot *root, const HdAccess *a);
/* Lanes with an index outside its array or vector; they are reported. */
uint64_t hd_classify_index(HdEval *e, const HdRoot *root, HdEvalAccess how);
/* The memory that an argument may reach; NULL when the root is none, or it is not known. */
const HdRegion *hd_classify_bound(const HdEval *e, const HdRoot *root);
/* The local variable or argument that a pointer into local memory may reach. */
bool hd_classify_local(const HdEval *e, const HdRoot *root, uint64_t offset, uint64_t *first,
                       uint64_t *bytes);
/* `offset`: in the lane's private memory. */
HdPrivateState hd_classify_private(const HdEval *e, unsigned lane, const HdRoot *root,
                                   uint64_t offset, uint64_t bytes);

#endif
