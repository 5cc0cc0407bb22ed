/* xform/interface.h -- completing the interfaces of entry points.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_INTERFACE_H
#define HD_XFORM_INTERFACE_H

#include "module/module.h"

/* Add to each entry point's interface the variables of module scope that what it reaches uses and
 * that it does not list: all of them from SPIR-V 1.4 on, before that those of Input and Output; and
 * list each once.
 *   words  of hd_alloc; replaced where something changes
 * Errors: HD_NO_MEMORY, HD_BAD_INPUT for a module that cannot be read; the words stay then.
 * Spec: OpEntryPoint, "Interface". */
HdStatus hd_xform_interfaces(uint32_t **words, size_t *nwords, HdDiags *d);

#endif
