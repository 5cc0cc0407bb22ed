// A structure by value is the callee's own, also where nothing writes to it: the caller's changes while the callee runs.
// ENGINES: compiled calls dispatch-calls interpreted
// RUN: heddle run %s k --cl -cl-opt-disable --global 4 --arg i32[4]=range --arg i32[12]
// RUN: heddle run %s k --global 4 --arg i32[4]=range --arg i32[12]
// CHECK: arg 1: i32[12] = 0, 7, 0, 1, 8, 1, 2, 9, 2, 3, 10, 3
typedef struct Pair { int first; int second[5]; } Pair;
typedef struct Frame { int before; Pair pair; } Frame;

int change(Frame *f, int by)
{
    f->pair.first += by;
    f->pair.second[2] += by;
    return f->pair.first;
}

/* Only reads its own. */
void look(Frame *f, Pair own, private int *seen)
{
    seen[0] = own.second[2];
    seen[1] = change(f, 7);
    seen[2] = own.first;
}

void hand_on(Frame *f, private int *seen)
{
    look(f, f->pair, seen);
}

kernel void k(global const int *in, global int *out)
{
    int i = get_global_id(0), seen[3];
    Frame f = {100, {in[i], {0, 0, in[i], 0, 0}}};

    hand_on(&f, seen);
    for (int j = 0; j < 3; j++)
        out[3 * i + j] = seen[j];
}
