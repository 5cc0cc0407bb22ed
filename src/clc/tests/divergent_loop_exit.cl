// A loop whose only exit lies on one side of a branch at which lanes part: both sides change a value that starts the same
// in all lanes, and the exiting side is reached by the other one only in a later iteration.
// RUN: heddle run %s k --global 8 --arg i32[8] --expect 0=-5,-4,-5,-3,-3,0,1,5
// RUN: heddle run %s two_exits --global 8 --arg i32[8] --expect 0=39,4,63,11,63,8,87,15
kernel void k(global int *o)
{
    int i = get_global_id(0), n = 0;

    for (int j = 0;; j++) {
        if ((i + j) & 1) {
            n += j;
        } else {
            n -= 3;
            if (j > i)
                break;
        }
    }
    o[i] = n;
}

/* Lanes leave by two exits, in different rounds, and meet behind a block that one exit leads through. */
kernel void two_exits(global int *o)
{
    int i = get_global_id(0), n = 1, x;

    for (int j = 0;; j++) {
        if (((i * 7 + j * 5) & 3) == 0) {
            n += 2 * j + i;
            if (j & 1) {
                x = n;
                break;
            }
        } else {
            n ^= j;
            if (j > 6) {
                x = n * 3;
                break;
            }
        }
    }
    o[i] = x;
}
