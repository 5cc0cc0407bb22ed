// A loop whose second iteration certainly leaves it, at a test that may leave in the first one as well: what the first
// round decides is not known when the loop is unrolled. In unoptimised code the value that it depends on is in memory.
// RUN: heddle run %s k --global 64 --arg u32[64]=random:5 --arg u32[64]=zeros --cl -cl-opt-disable
// RUN: heddle run %s k --global 64 --arg u32[64]=random:5 --arg u32[64]=zeros
kernel void k(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), a = in[i], n = 0, round = 0;

    while (round < 4) {
        round++;
        if (round > (a & 3))
            break; // in the first round where a & 3 is 0, else in the second
        a = 1;
        if (in[(i + round) & 63] & 4) {
            n += round;
            if (i & 1)
                break;
        }
    }
    out[i] = a + 16 * n + 256 * round;
}
