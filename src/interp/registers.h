/* interp/registers.h -- variables that need no memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_REGISTERS_H
#define HD_INTERP_REGISTERS_H

#include "interp/state.h"

/* Find those of a function. Errors: HD_NO_MEMORY. */
HdStatus hd_registers_find(HdInterpProgram *p, const HdFunction *f);
/* Say an instruction that concerns one in other words; *is_gone: nothing is left to do. */
HdStatus hd_registers_rewrite(HdInterpProgram *p, HdInst *in, bool *is_gone);
/* What a load gives, if its variable is set once before all of them; 0: not known. */
HdId hd_registers_content(const HdInterpProgram *p, const HdInst *load);
/* Bytes that a load, store or initialiser of one would access in memory; else 0. */
void hd_registers_bytes(const HdInterpProgram *p, const HdInst *in, uint32_t *loaded,
                        uint32_t *stored);
/* Was the instruction a load, or did a variable begin with it, before it was said in other words?
 */
bool hd_registers_is_load(const HdModule *m, const HdInst *in);
bool hd_registers_is_variable(const HdModule *m, const HdInst *in);

#endif
