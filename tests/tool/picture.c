/* tests/tool/picture.c -- tool/picture.c for the tests: it is in no library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/picture.c"
