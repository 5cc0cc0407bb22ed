/* judge.h -- what a text of random_flow.py is to gcc: OpenCL C's words for a C compiler, and
 * work-items that are executed.
 *
 * Each work-item is a call of the kernel with a stack of its own. Between two barriers the
 * work-items of a group run one after the other, in the order that the caller asks for. What would
 * make a result undefined is seen on the way: a work-item that waits at another barrier than the
 * rest, or ends while they wait; two that meet in a cell of local memory between two barriers; a
 * cell that is read before it is written. So is a loop that takes too many rounds. Such a kernel is
 * rejected.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#define kernel
#define global
#define local
#define SHARED                    static
#define CLK_LOCAL_MEM_FENCE       1
#define CLK_GLOBAL_MEM_FENCE      2
#define TICK                      judge_tick()
#define AT(a, k)                  (*judge_access(&(a)[k], 'r'))
#define PUT(a, k, v)              (*judge_access(&(a)[k], 'w') = (v))
#define barrier(flags)            judge_barrier(__LINE__)
#define work_group_barrier(flags) judge_barrier(__LINE__)
#define get_global_id(d)          (judge.first + judge.at)
#define get_local_id(d)           (judge.at)
#define get_local_size(d)         (judge.size)
#define get_group_id(d)           (judge.group)
#define get_num_groups(d)         (judge.groups)
#define get_global_size(d)        (judge.total)
#define atomic_add(p, v)          (*judge_access(p, '+') += (v))
#define atomic_xor(p, v)          (*judge_access(p, '^') ^= (v))
#define atomic_or(p, v)           (*judge_access(p, '|') |= (v))

typedef uint32_t uint;
typedef uint64_t ulong;
typedef uint16_t ushort;
typedef uint8_t uchar;
#ifndef JUDGE_OWN_VECTORS
typedef uint32_t uint4 __attribute__((vector_size(16)));
#endif

enum {
    JUDGE_ITEMS = 128,
    JUDGE_STACK = 65536,
    JUDGE_CELLS = 4096,
    JUDGE_ROUNDS = 3000,
    JUDGE_PHASES = 600
};
enum { JUDGE_FINE, JUDGE_ENDLESS, JUDGE_UNEVEN, JUDGE_RACE, JUDGE_UNWRITTEN };

/* Who touched a cell of local memory between the last two barriers, and how: 0: nobody, 'r', 'w',
 * or an atomic's sign. */
typedef struct JudgeCell {
    const uint *cell;
    uint group_plus_1, phase, by, many;
    char how;
} JudgeCell;

static struct {
    size_t first, at, size, group, groups, total;
    uint phase, rounds[JUDGE_ITEMS],
        waits[JUDGE_ITEMS]; /* waits: the line of the barrier; 0: not begun; ~0: ended */
    int why;
    ucontext_t all, item[JUDGE_ITEMS];
    void (*run)(const uint *in, uint *out);
    const uint *in;
    uint *out;
    JudgeCell cells[JUDGE_CELLS];
    char stacks[JUDGE_ITEMS][JUDGE_STACK];
} judge;

/* Back to whoever runs the group; never returns when a kernel is rejected. */
static void judge_leave(int why)
{
    judge.why = why;
    swapcontext(&judge.item[judge.at], &judge.all);
}

static void judge_tick(void)
{
    if (++judge.rounds[judge.at] > JUDGE_ROUNDS)
        judge_leave(JUDGE_ENDLESS);
}

static void judge_barrier(uint line)
{
    judge.waits[judge.at] = line;
    judge_leave(JUDGE_FINE);
}

static JudgeCell *judge_cell(const uint *cell)
{
    size_t at = (size_t)((uintptr_t)cell / 4) % JUDGE_CELLS;

    while (judge.cells[at].cell != NULL && judge.cells[at].cell != cell)
        at = (at + 1) % JUDGE_CELLS;
    judge.cells[at].cell = cell;
    return &judge.cells[at];
}

/* how: 'r', 'w', or the sign of an atomic operation whose result nobody uses; those of one sign may
 * meet. */
static uint *judge_access(const uint *cell, char how)
{
    JudgeCell *c = judge_cell(cell);

    if (c->group_plus_1 != judge.group + 1 && how == 'r')
        judge_leave(JUDGE_UNWRITTEN);
    if (c->group_plus_1 != judge.group + 1 || c->phase != judge.phase) {
        *c = (JudgeCell){.cell = cell,
                         .group_plus_1 = (uint)judge.group + 1,
                         .phase = judge.phase,
                         .by = (uint)judge.at,
                         .how = how};
        return (uint *)cell;
    }
    if (c->by != judge.at)
        c->many = 1;
    if (c->how != how) {
        if (c->many)
            judge_leave(JUDGE_RACE);
        c->how = 'w'; /* all its own: as strict as a write from now on */
    } else if (c->many && how == 'w') {
        judge_leave(JUDGE_RACE);
    }
    return (uint *)cell;
}

static void judge_start(void)
{
    judge.run(judge.in, judge.out);
    judge.waits[judge.at] = ~0u;
    judge_leave(JUDGE_FINE);
}

/* Every work-item of a group up to its next barrier, or its end. order: 0 ascending, 1 descending,
 * others mixed. */
static int judge_phase(uint order)
{
    uint start = order * 7 % (uint)judge.size, line;

    judge.phase++;
    for (size_t k = 0; k < judge.size; k++) {
        judge.at = order == 1 ? judge.size - 1 - k : (k + start) % judge.size;
        swapcontext(&judge.all, &judge.item[judge.at]);
        if (judge.why != JUDGE_FINE)
            return judge.why;
    }
    line = judge.waits[0];
    for (size_t k = 0; k < judge.size; k++)
        if (judge.waits[k] != line)
            return JUDGE_UNEVEN;
    return judge.phase > JUDGE_PHASES ? JUDGE_ENDLESS : JUDGE_FINE;
}

static int judge_group(uint order)
{
    for (size_t k = 0; k < judge.size; k++) {
        judge.rounds[k] = judge.waits[k] = 0;
        getcontext(&judge.item[k]);
        judge.item[k].uc_stack.ss_sp = judge.stacks[k];
        judge.item[k].uc_stack.ss_size = JUDGE_STACK;
        judge.item[k].uc_link = NULL;
        makecontext(&judge.item[k], judge_start, 0);
    }
    do {
        int why = judge_phase(order);
        if (why != JUDGE_FINE)
            return why;
    } while (judge.waits[0] != ~0u);
    return JUDGE_FINE;
}

/* Runs a kernel; local sizes up to JUDGE_ITEMS, the last group may be smaller. Returns JUDGE_FINE,
 * or why it has no result. */
static int judge_launch(void (*run)(const uint *, uint *), size_t total, size_t size,
                        const uint *in, uint *out, uint order)
{
    judge.run = run, judge.in = in, judge.out = out;
    judge.total = total, judge.groups = (total + size - 1) / size, judge.why = JUDGE_FINE;
    memset(judge.cells, 0, sizeof judge.cells);
    for (judge.group = 0; judge.group < judge.groups; judge.group++) {
        int why;
        judge.first = judge.group * size;
        judge.size = total - judge.first < size ? total - judge.first : size;
        judge.phase = 0;
        why = judge_group(order);
        if (why != JUDGE_FINE)
            return why;
    }
    return JUDGE_FINE;
}
