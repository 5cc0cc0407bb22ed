// With AVX2 bytes are looked up as bytes, sixteen words in two registers, more are gathered.
// RUN: heddle run %s bytes --dump asm
// RUN: heddle run %s words --dump asm
// CPU: znver3
// WIDTHS: 8
// ENGINES: compiled
// CHECK: {{vpshufb|vpermd|vpermps}}
// CHECK-NOT: gather
constant uchar digits[16] = {7, 1, 250, 3, 9, 5, 60, 7, 8, 99, 10, 11, 12, 13, 14, 15};
constant int numbers[16] = {7, 1, 250, 3, 9, 5, 60, 7, 8, 99, 10, 11, 12, 13, 14, 15};

kernel void bytes(global const uchar *in, global uchar *out)
{
    out[get_global_id(0)] = digits[in[get_global_id(0)] & 15];
}

kernel void words(global const int *in, global int *out)
{
    out[get_global_id(0)] = numbers[in[get_global_id(0)] & 15];
}
