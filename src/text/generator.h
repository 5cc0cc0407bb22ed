/* text/generator.h -- names of the tools that have a generator number.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_GENERATOR_H
#define HD_TEXT_GENERATOR_H

#include <stdint.h>

/* The vendor's and tool's name, NULL when the number is not registered. */
const char *hd_text_generator(uint32_t tool);

#endif
