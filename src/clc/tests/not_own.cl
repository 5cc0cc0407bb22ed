// What is in a comment, in a string, or is not compiled gives a built-in no other meaning: Heddle still replaces what
// clang-22 compiles wrongly, also before a macro of the source has the name.
// RUN: heddle run %s --global 1 --arg i32[6]=zeros --arg u16[1]=0x4400 --arg i32=5 --expect 0=1,0,1,127,4,12
// CHECK-NOT: {{warning|redefined|prelude}}
/* int any(int4 v) { return 3; } */
constant char text[] = "int all(int4 v) { return 1; }";
#ifdef NEVER
int any(int4 v) { return v.x + v.y; }
char convert_char_sat(int x) { return 9; }
float vloada_half(size_t i, const global half *p) { return 1; }
#define all(x) 7
#endif
struct Both { int any; int4 all; };
static int early(int2 x) { return any(x); }
#define any(v) ((v).x + 1)

kernel void k(global int *o, const global half *h, int all)
{
    struct Both b = {5, (int4)(1)};

    o[0] = early((int2)(-1, 1)) + (text[0] != 'i');
    o[1] = early((int2)(1, 1));
    o[2] = all((int4){-1, -2, -3, -4});
    o[3] = convert_char_sat(300);
    o[4] = (int)vloada_half(0, h);
    o[5] = any(b.all) + b.any + all;
}
