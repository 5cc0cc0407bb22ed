/* tests/tool/run_args.c -- tool/run_args.c for the tests: it is in no library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/run_args.c"
