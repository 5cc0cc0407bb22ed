/* tests/tool/value.c -- tool/value.c for the tests: it is in no library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/value.c"
