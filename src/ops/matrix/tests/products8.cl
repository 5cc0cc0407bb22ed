// Products of matrices by sub-groups of 8, of every type and number of rows, beside sums of single products.
// Spec: cl_intel_subgroup_matrix_multiply_accumulate.
// WIDTHS: 8
// ENGINES: compiled interpreted
// RUN: heddle run %s integers --local 8 --global 8 --arg u8[1024]=random:1 --arg u32[8]=zeros --expect 1=0,0,0,0,0,0,0,0
// RUN: heddle run %s floats --local 8 --global 8 --arg u8[1024]=random:2 --arg u32[8]=zeros --expect 1=0,0,0,0,0,0,0,0
#define N 8
#define PART  int
#define UPART uint
#include "products.clh"
