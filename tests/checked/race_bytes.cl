// Neighbouring bytes are places of their own; the same byte is not.
// RUN: heddle check %s bad --global 16 --local 16 --arg u8[16]
// EXIT: 1
// CHECK: a write of 1 byte races

kernel void bad(global uchar *out)
{
    out[get_global_id(0) / 2] = get_global_id(0);
}
