// What all lanes store to one place: by the lanes that exist, by those of a branch that some take, and by nobody where
// nobody does; also whole structs. Sub-groups here are not full.
// RUN: heddle run %s k --global 5 --local 5 --arg u32[5]=0,1,2,3,4 --arg u32[8]=zeros --arg u32[51]=zeros --arg u32=3
// CHECK: arg 1: u32[8] = 3, 7, 11, 7, 0, 0, 0, 0
// CHECK: arg 2: u32[51] = 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0
typedef struct Big {
    uint a[17];
} Big;

kernel void k(global uint *in, global uint *out, global Big *big, uint some)
{
    uint x = in[get_global_id(0)];
    Big b = {{9}};

    b.a[16] = 8;
    big[0] = b;
    out[0] = some;
    out[1] = 7;
    if (x >= some) {
        out[2] = 11;
        out[3] = out[1];
        big[1] = b;
    }
    if (x > some + 1) {
        out[4] = 12;
        big[2] = b;
    }
}
