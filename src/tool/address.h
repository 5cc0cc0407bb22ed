/* tool/address.h -- device addresses on the command line: "&0.1+16" in buffers and push constants.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_ADDRESS_H
#define HD_TOOL_ADDRESS_H

#include "tool/run_args.h"
#include "tool/value.h"

/* A shader's arguments, and one more for each binding that addresses alone lead to: the shader has
 * no variable for it. They come last, so all else has its number and its place.
 *   out  keeps pointers into k; drop it with hd_addresses_drop. Errors: HD_NO_MEMORY. */
HdStatus hd_addresses_extend(const HdRunOptions *o, const HdKernelInfo *k, HdKernelInfo *out);
void hd_addresses_drop(HdKernelInfo *k);

/* Write the addresses that data names, now that everything is bound.
 *   all  [k->arg_count] what is bound. Errors: HD_BAD_INPUT where nothing is. */
HdStatus hd_addresses_fill(const HdKernelInfo *k, const HdData *all, HdData *data, HdDiags *d);

/* Print the elements of data that was given with addresses: numbers that lie in what is bound are
 * shown as such addresses again. limit, is_json: of hd_data_print. */
void hd_addresses_print(const HdKernelInfo *k, const HdData *all, const HdData *data,
                        uint64_t limit, bool is_json, HdStrbuf *out);

#endif
