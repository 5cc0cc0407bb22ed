/* lib/specialization.h -- specialisations of the public API as the rooms have them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_SPECIALIZATION_H
#define HD_LIB_SPECIALIZATION_H

#include "heddle/heddle.h"
#include "module/constant.h"

/* The bytes stay the caller's. */
static inline HdSpecialization hd_lib_specialization(const heddle_specialization *s)
{
    return (HdSpecialization){.spec_id = s->spec_id,
                              .size_bytes = s->size_bytes,
                              .bits = s->bits,
                              .more = s->size_bytes > sizeof s->bits ? s->bytes : NULL};
}

#endif
