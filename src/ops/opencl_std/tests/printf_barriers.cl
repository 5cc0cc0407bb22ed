// What is printed in front of a barrier comes before what is printed behind it, in a loop that work-items leave and
// continue at different places, with a partial sub-group: the work-items of a round print the same text.
// RUN: heddle run %s k --global 5 --local 5 --arg i32[5] --arg local[20]
// CHECK: round 0: begins
// CHECK-NEXT: round 0: begins
// CHECK-NEXT: round 0: begins
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 0: sums
// CHECK-NEXT: round 1: begins
// CHECK-NEXT: round 1: begins
// CHECK-NEXT: round 1: begins
// CHECK-NEXT: round 1: begins
// CHECK-NEXT: round 1: sums
// CHECK-NEXT: round 1: sums
// CHECK-NEXT: round 1: sums
// CHECK-NEXT: round 1: sums
// CHECK-NEXT: arg 0: i32[5] = 33, 31, 36, 18, 20
kernel void k(global int *o, local int *cells)
{
    int i = get_local_id(0), n = get_local_size(0), sum = 0;

    for (int round = 0; round < 2; round++) {
        if ((i + round) % 3 != 0)
            printf("round %d: begins\n", round);
        cells[i] = i + 1 + 10 * round;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = i; j < n; j += 2) {
            sum += cells[j];
            if (j % 4 == 1) {
                sum -= round;
                continue;
            }
            if (sum > 20 + 3 * i)
                break;
            printf("round %d: sums\n", round);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[i] = sum;
}
