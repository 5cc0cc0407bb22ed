/* ops/pipe/pipe_eval.c -- pipes in the interpreter, a lane at a time.
 *
 * Checked runs report invalid uses of reservations, packets of another size than the pipe's, and,
 * when a work-group has ended, reservations that it has not committed. Packets carry which of their
 * bits are initialised. That the same pipe is not an argument for both of its ends is checked when
 * a launch begins.
 *
 * Spec: SPIR-V, "Pipe Instructions"; OpenCL C, "Pipe Functions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <sched.h>

#include "base/memory.h"
#include "ops/evals.h"
#include "ops/pipe/pipe_side.h"
#include "ops/subgroup/collective_eval.h"
#include "rt/pipe.h"

/* An instruction: which end of which pipes. */
typedef struct Use {
    HdEval *e;
    HdSlot pipe;
    bool writes;
    uint64_t bytes; /* of a packet, as the instruction says */
    /* Lanes: the pipe's packets have another size; the reservation is not held; the index is
     * outside of it, or was used before. */
    uint64_t unfit, unknown, outside, again;
} Use;

/* `pipe`, `size`: words of the pipe and of a packet's size. */
static HdStatus open_use(HdEval *e, const HdInst *in, unsigned pipe, unsigned size, Use *u)
{
    HdSlot bytes;

    *u = (Use){.e = e, .writes = hd_pipe_writes(in->opix)};
    HD_TRY(hd_eval_use(e, in->w[pipe], &u->pipe));
    HD_TRY(hd_eval_use(e, in->w[size], &bytes));
    u->bytes = hd_bits_get(hd_slot_at(&bytes, hd_lane_first(e->mask)), 4);
    return HD_OK;
}

static HdStatus pipe_of(Use *u, unsigned lane, HdPipe **out)
{
    *out = (HdPipe *)(uintptr_t)hd_bits_get(hd_slot_at(&u->pipe, lane), 8);
    if (*out == NULL)
        return hd_eval_bad(u->e, lane, "interp.pipe", "there is no pipe");
    if ((*out)->packet_bytes != u->bytes)
        u->unfit |= UINT64_C(1) << lane;
    return HD_OK;
}

static HdStatus tell(Use *u)
{
    HdEval *e = u->e;

    if (!e->is_checked)
        return HD_OK;
    if (u->unfit != 0)
        HD_TRY(hd_eval_defect(e, u->unfit, "check.pipe-packet",
                              "make the pipe with the size of the kernel's packets",
                              "a pipe whose packets are not of the instruction's size, %llu bytes",
                              (unsigned long long)u->bytes));
    if (u->unknown != 0)
        HD_TRY(hd_eval_defect(e, u->unknown, "check.pipe-reservation",
                              "ask is_valid_reserve_id first, and use a reservation in the "
                              "work-group and for the pipe that it was made for, until its commit",
                              "a reservation that is not held: it failed, is another pipe's or "
                              "work-group's, or has been committed"));
    if (u->outside != 0)
        HD_TRY(hd_eval_defect(e, u->outside, "check.pipe-index",
                              "indices of a reservation go from 0 to its packets less 1",
                              "an index outside of the reservation"));
    if (u->again != 0)
        hd_eval_note(e, u->again, "check.pipe-again", "is the index the one that was meant?",
                     "a packet of a reservation is %s a second time",
                     u->writes ? "written" : "read");
    return HD_OK;
}

/* ---- counting ------------------------------------------------------------------------------- */

static void lock(HdPipe *p)
{
    while (__atomic_exchange_n(&p->lock, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static void unlock(HdPipe *p)
{
    __atomic_store_n(&p->lock, 0, __ATOMIC_RELEASE);
}

static HdPipeEnd *end_of(const Use *u, HdPipe *p)
{
    return u->writes ? &p->writes : &p->reads;
}

static uint64_t packets_in(const HdPipe *p)
{
    return p->writes.done - p->reads.taken;
}

static uint64_t room_in(const HdPipe *p)
{
    return p->max_packets - (p->writes.taken - p->reads.done);
}

/* Take packets; false when there are not as many. */
static bool take(const Use *u, HdPipe *p, uint32_t count, uint64_t *first)
{
    HdPipeEnd *end = end_of(u, p);
    bool fits;

    lock(p);
    fits = count <= (u->writes ? room_in(p) : packets_in(p));
    *first = end->taken;
    if (fits)
        __atomic_store_n(&end->taken, end->taken + count, __ATOMIC_RELEASE);
    unlock(p);
    return fits;
}

/* Packets are done: they count once all packets before them are. */
static void finish(const Use *u, HdPipe *p, uint64_t first, uint32_t count)
{
    uint32_t *early = hd_pipe_early(p);
    HdPipeEnd *end = end_of(u, p);

    lock(p);
    early[first % p->max_packets] = count;
    for (uint32_t *next = &early[end->done % p->max_packets]; end->done < end->taken && *next != 0;
         next = &early[end->done % p->max_packets]) {
        __atomic_store_n(&end->done, end->done + *next, __ATOMIC_RELEASE);
        *next = 0;
    }
    unlock(p);
}

static uint64_t reserve(const Use *u, HdPipe *p, uint32_t count)
{
    uint64_t first;

    if (!take(u, p, count, &first))
        return 0;
    return HD_PIPE_ID(first, count) | (u->writes ? HD_PIPE_WRITES : 0);
}

/* The reservation's first packet, when it is held. */
static bool find(const Use *u, HdPipe *p, uint64_t id, uint64_t *first)
{
    const HdPipeEnd *end = end_of(u, p);

    if ((id & HD_PIPE_VALID) == 0 || ((id & HD_PIPE_WRITES) != 0) != u->writes ||
        !hd_eval_holds(u->e, (uint64_t)(uintptr_t)p, id))
        return false;
    *first = hd_pipe_first(__atomic_load_n(&end->done, __ATOMIC_ACQUIRE), id);
    return *first + HD_PIPE_COUNT(id) <= __atomic_load_n(&end->taken, __ATOMIC_ACQUIRE);
}

/* ---- packets -------------------------------------------------------------------------------- */

/* Move one between the pipe and what the lane's pointer names. */
static HdStatus move(Use *u, HdPipe *p, unsigned lane, HdId pointer, uint64_t number)
{
    uint64_t bytes = u->bytes < p->packet_bytes ? u->bytes : p->packet_bytes;
    HdEvalSide side = {.pointer = pointer, .align = 1};
    HdSlot address;

    HD_TRY(hd_eval_use(u->e, pointer, &address));
    HD_TRY(hd_eval_storage(u->e, pointer, &side.storage));
    side.address = hd_bits_get(hd_slot_at(&address, lane), 8);
    return hd_eval_exchange(u->e, lane, &side, hd_pipe_packet(p, number), bytes, u->writes);
}

/* OpReadPipe, OpWritePipe.
 * Words: 1 type, 2 result, 3 pipe, 4 packet, 5 its size. */
static HdStatus access_next(HdEval *e, const HdInst *in)
{
    HdSlot r;
    Use u;

    HD_TRY(open_use(e, in, 3, 5, &u));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t number;
        bool is_there;
        HdPipe *p;

        HD_TRY(pipe_of(&u, lane, &p));
        is_there = take(&u, p, 1, &number);
        if (is_there) {
            HD_TRY(move(&u, p, lane, in->w[4], number));
            finish(&u, p, number, 1);
        }
        hd_bits_put(hd_slot_at(&r, lane), 4, is_there ? 0 : UINT32_MAX);
    }
    return tell(&u);
}

/* OpReservedReadPipe, OpReservedWritePipe.
 * Words: 1 type, 2 result, 3 pipe, 4 reservation, 5 index, 6 packet, 7 its size. */
static HdStatus access_reserved(HdEval *e, const HdInst *in)
{
    HdSlot r, ids, indexes;
    Use u;

    HD_TRY(hd_eval_needs(e, in->w[4], "which packet is meant depends on"));
    HD_TRY(hd_eval_needs(e, in->w[5], "which packet is meant depends on"));
    HD_TRY(open_use(e, in, 3, 7, &u));
    HD_TRY(hd_eval_use(e, in->w[4], &ids));
    HD_TRY(hd_eval_use(e, in->w[5], &indexes));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t id = hd_bits_get(hd_slot_at(&ids, lane), 8), first, bit = UINT64_C(1) << lane;
        uint32_t index = (uint32_t)hd_bits_get(hd_slot_at(&indexes, lane), 4);
        HdPipe *p;
        bool fits;

        HD_TRY(pipe_of(&u, lane, &p));
        fits = find(&u, p, id, &first);
        if (!fits)
            u.unknown |= bit;
        else if (index >= HD_PIPE_COUNT(id))
            u.outside |= bit;
        else if (!hd_eval_hold_first(e, (uint64_t)(uintptr_t)p, id, index))
            u.again |= bit;
        fits = fits && index < HD_PIPE_COUNT(id);
        if (fits)
            HD_TRY(move(&u, p, lane, in->w[6], first + index));
        hd_bits_put(hd_slot_at(&r, lane), 4, fits ? 0 : UINT32_MAX);
    }
    return tell(&u);
}

HdStatus hd_eval_pipe_access(HdEval *e, const HdInst *in)
{
    return in->opix == HD_OPIX_ReadPipe || in->opix == HD_OPIX_WritePipe ? access_next(e, in)
                                                                         : access_reserved(e, in);
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* For one lane. What is to be written has no value until it is. */
static HdStatus reserve_lane(Use *u, unsigned lane, const HdSlot *counts, uint64_t *id)
{
    uint32_t count = (uint32_t)hd_bits_get(hd_slot_at(counts, lane), 4);
    uint64_t first;
    HdPipe *p;

    HD_TRY(pipe_of(u, lane, &p));
    *id = reserve(u, p, count);
    if (*id == 0)
        return HD_OK;
    HD_TRY(hd_eval_hold(u->e, lane, (uint64_t)(uintptr_t)p, *id, count));
    if (u->writes && u->e->is_checked && find(u, p, *id, &first))
        for (uint32_t i = 0; i < count; i++)
            hd_eval_born(u->e, (uint64_t)(uintptr_t)hd_pipe_packet(p, first + i), p->packet_bytes);
    return HD_OK;
}

static HdStatus commit_lane(Use *u, unsigned lane, uint64_t id)
{
    uint64_t first;
    HdPipe *p;

    HD_TRY(pipe_of(u, lane, &p));
    if (!find(u, p, id, &first)) {
        u->unknown |= UINT64_C(1) << lane;
        return HD_OK;
    }
    hd_eval_let_go(u->e, (uint64_t)(uintptr_t)p, id);
    if (HD_PIPE_COUNT(id) > 0)
        finish(u, p, first, HD_PIPE_COUNT(id));
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pipe, 4 packets, 5 their size. */
HdStatus hd_eval_pipe_reserve(HdEval *e, const HdInst *in)
{
    HdSlot r, counts;
    Use u;

    HD_TRY(hd_eval_needs(e, in->w[4], "how much is reserved depends on"));
    HD_TRY(open_use(e, in, 3, 5, &u));
    HD_TRY(hd_eval_use(e, in->w[4], &counts));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t id;

        HD_TRY(reserve_lane(&u, lane, &counts, &id));
        hd_bits_put(hd_slot_at(&r, lane), 8, id);
    }
    return tell(&u);
}

/* Words: 1 pipe, 2 reservation, 3 size of packets. */
HdStatus hd_eval_pipe_commit(HdEval *e, const HdInst *in)
{
    HdSlot ids;
    Use u;

    HD_TRY(hd_eval_needs(e, in->w[2], "what is committed depends on"));
    HD_TRY(open_use(e, in, 1, 3, &u));
    HD_TRY(hd_eval_use(e, in->w[2], &ids));
    for (HD_EACH_LANE(lane, e->mask))
        HD_TRY(commit_lane(&u, lane, hd_bits_get(hd_slot_at(&ids, lane), 8)));
    return tell(&u);
}

/* Words: 1 type, 2 result, 3 reservation. */
HdStatus hd_eval_pipe_valid(HdEval *e, const HdInst *in)
{
    HdSlot r, ids;

    HD_TRY(hd_eval_use(e, in->w[3], &ids));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        *hd_slot_at(&r, lane) = hd_bits_get(hd_slot_at(&ids, lane), 8) != 0;
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pipe, 4 size of packets. */
HdStatus hd_eval_pipe_count(HdEval *e, const HdInst *in)
{
    HdSlot r;
    Use u;

    HD_TRY(open_use(e, in, 3, 4, &u));
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t count;
        HdPipe *p;

        HD_TRY(pipe_of(&u, lane, &p));
        lock(p);
        count = in->opix == HD_OPIX_GetMaxPipePackets ? p->max_packets : packets_in(p);
        unlock(p);
        hd_bits_put(hd_slot_at(&r, lane), 4, count);
    }
    return tell(&u);
}

/* ---- by groups ------------------------------------------------------------------------------- */

/* All work-items of the group must bring the same two operands. */
static HdStatus agree(HdEval *e, const HdSlot *x, const HdSlot *y, bool of_group)
{
    const unsigned lane = hd_lane_first(e->mask);
    uint64_t brought[HD_EVAL_BROUGHT] = {hd_bits_get(hd_slot_at(x, lane), hd_type_size(x->type)),
                                         hd_bits_get(hd_slot_at(y, lane), hd_type_size(y->type))};
    uint64_t odd = 0;

    for (HD_EACH_LANE(l, e->mask))
        odd |= (uint64_t)(hd_bits_get(hd_slot_at(x, l), hd_type_size(x->type)) != brought[0] ||
                          hd_bits_get(hd_slot_at(y, l), hd_type_size(y->type)) != brought[1])
               << l;
    if (odd == 0 && of_group && !hd_eval_agrees(e, brought))
        odd = e->mask;
    if (odd == 0)
        return HD_OK;
    return hd_eval_defect(e, odd, "check.non-uniform",
                          "all work-items of the group must bring the same operands",
                          "a reservation of a group whose work-items bring different pipes, "
                          "numbers of packets or reservations");
}

static HdStatus scope_of(HdEval *e, HdId id, bool *is_workgroup)
{
    uint64_t scope;

    if (!hd_module_constant_u64(e->m, id, &scope))
        return hd_eval_unsupported(e, "the execution scope is not a constant");
    *is_workgroup = scope == SpvScopeWorkgroup;
    return HD_OK;
}

/* The first work-item reserves; what it got goes to all.
 * Words: 1 type, 2 result, 3 scope, 4 pipe, 5 packets, 6 their size. */
HdStatus hd_eval_pipe_group_reserve(HdEval *e, const HdInst *in)
{
    const unsigned lane = hd_lane_first(e->mask);
    bool is_workgroup = false, done;
    HdGiven given = {0};
    HdSlot r, counts;
    uint64_t id = 0;
    uint32_t who;
    Use u;

    HD_TRY(scope_of(e, in->w[3], &is_workgroup));
    HD_TRY(hd_eval_needs(e, in->w[5], "how much is reserved depends on"));
    HD_TRY(open_use(e, in, 4, 6, &u));
    HD_TRY(hd_eval_use(e, in->w[5], &counts));
    HD_TRY(hd_eval_result(e, in, &r));
    who = is_workgroup ? 0 : lane;
    if (e->phase == 0) {
        if (e->is_checked)
            HD_TRY(agree(e, &u.pipe, &counts, is_workgroup));
        if (!is_workgroup || e->first + lane == 0)
            HD_TRY(reserve_lane(&u, lane, &counts, &id));
        hd_bits_put(hd_slot_at(&r, lane), 8, id);
        HD_TRY(tell(&u));
    }
    HD_TRY(hd_eval_gather(e, in->w[3], &r, &given, &done));
    if (!done)
        return HD_OK;
    id = given.at[who] != NULL ? hd_bits_get(given.at[who], 8) : 0;
    for (HD_EACH_LANE(l, e->mask))
        hd_bits_put(hd_slot_at(&r, l), 8, id);
    hd_free(given.at);
    return HD_OK;
}

/* When all have come the first work-item commits. Words: 1 scope, 2 pipe, 3 reservation, 4 size of
 * packets. */
HdStatus hd_eval_pipe_group_commit(HdEval *e, const HdInst *in)
{
    const unsigned lane = hd_lane_first(e->mask);
    bool is_workgroup = false, met = true;
    HdSlot ids;
    Use u;

    HD_TRY(scope_of(e, in->w[1], &is_workgroup));
    HD_TRY(hd_eval_needs(e, in->w[3], "what is committed depends on"));
    HD_TRY(open_use(e, in, 2, 4, &u));
    HD_TRY(hd_eval_use(e, in->w[3], &ids));
    if (e->phase == 0 && e->is_checked)
        HD_TRY(agree(e, &u.pipe, &ids, is_workgroup));
    if (is_workgroup)
        HD_TRY(hd_eval_meet(e, NULL, &met));
    if (!met || (is_workgroup && e->first + lane != 0))
        return HD_OK;
    HD_TRY(commit_lane(&u, lane, hd_bits_get(hd_slot_at(&ids, lane), 8)));
    return tell(&u);
}

/* ---- pipes of the program -------------------------------------------------------------------- */

/* Words: 1 type, 2 result, 3 storage. */
HdStatus hd_eval_pipe_from_storage(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_use(e, in->w[3], &x));
    HD_TRY(hd_eval_result(e, in, &r));
    hd_eval_copy(e, &r, &x);
    return HD_OK;
}
