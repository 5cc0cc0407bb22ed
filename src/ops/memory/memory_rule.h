/* ops/memory/memory_rule.h -- rules of pointers that other families use too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_MEMORY_MEMORY_RULE_H
#define HD_OPS_MEMORY_MEMORY_RULE_H

#include "val/rule.h"

/* An instruction that makes or compares variable pointers of a type (it may be no pointer): in
 * logical addressing, is the storage class one that the declared capabilities have them for? */
HdStatus hd_rule_variable_pointer(HdVal *v, const HdInst *in, const HdType *t);
/* A pointer that becomes a variable one: selected, merged, returned or stored. */
HdStatus hd_rule_variable_source(HdVal *v, const HdInst *in, HdId pointer);
/* A pointer that is passed: is it one that must not become variable, and does the function make its
 * parameter so? */
HdStatus hd_rule_variable_argument(HdVal *v, const HdInst *in, HdId pointer, const HdFunction *f,
                                   uint32_t number);
/* Two pointers of which one is taken: may they point into different buffers? */
HdStatus hd_rule_variable_pair(HdVal *v, const HdInst *in, HdId x, HdId y);
/* A variable (of storage class word 3) that holds pointers: which, by addressing and capabilities.
 */
HdStatus hd_rule_pointers_held(HdVal *v, const HdInst *in, const HdType *data);
/* May a type be in memory of a storage class: long vectors, numbers that do not fill bytes?
 * `allocated`: by a variable. */
HdStatus hd_rule_storage_of(HdVal *v, const HdInst *in, const HdType *t, uint32_t storage,
                            bool allocated);
/* Numbers that the declared capabilities only store are where those say. */
HdStatus hd_rule_variable_narrow(HdVal *v, const HdInst *in, uint32_t storage, const HdType *t);
/* OpCopyMemorySized: bytes that are no whole words are for storage that may hold such numbers. */
HdStatus hd_rule_copied_narrow(HdVal *v, const HdInst *in, const HdType *p, uint64_t bytes);
/* What shaders load, store and copy through an untyped pointer: is its layout said, are its numbers
 * in the storage class, and is a matrix part of a structure? */
HdStatus hd_rule_untyped_data(HdVal *v, const HdInst *in, const HdType *data, HdId pointer);
/* Are the numbers that a type has, of 8 or 16 bits, in a storage class that the declared
 * capabilities have them in? */
HdStatus hd_rule_untyped_narrow(HdVal *v, const HdInst *in, uint32_t storage, const HdType *t);
/* An untyped chain of shaders from word 4: its Base Type has its layout said, and arrays of blocks
 * are reached from their variable only. */
HdStatus hd_rule_untyped_blocks(HdVal *v, const HdInst *in, const HdType *base_type);
/* OpUntypedArrayLengthKHR: is the pointer's value a descriptor's? */
HdStatus hd_rule_untyped_descriptor(HdVal *v, const HdInst *in, HdId pointer);
/* An access through a pointer: a warning where it is known to be null. */
HdStatus hd_rule_known_null(HdVal *v, const HdInst *in, HdId pointer);
/* Is the id a variable pointer by the instruction that makes it? */
bool hd_is_variable_pointer(const HdVal *v, HdId id);

#endif
