// Products of matrices by sub-groups of 16, of every type and number of rows, beside sums of single products.
// Spec: cl_intel_subgroup_matrix_multiply_accumulate, cl_intel_subgroup_matrix_multiply_accumulate_tf32.
// WIDTHS: 16
// ENGINES: compiled interpreted
// RUN: heddle run %s integers --local 16 --global 16 --arg u8[1024]=random:1 --arg u32[16]=zeros --expect 1=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s floats --local 16 --global 16 --arg u8[1024]=random:2 --arg u32[16]=zeros --expect 1=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
#define N 16
#define PART  short
#define UPART ushort
#include "products.clh"
