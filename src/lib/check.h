/* lib/check.h -- heddle_check inside the library.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_CHECK_H
#define HD_LIB_CHECK_H

#include "check/check.h"
#include "heddle/heddle.h"

struct heddle_check {
    HdCheck *check;
};

#endif
