/* xform/lower_pieces.c -- functions written in pieces, so that all work-items of a sub-group reach
 * its operations. What the pieces are: lower_parted.h.
 *
 *     state = 0
 *     round:  now = state; next = the least of all
 *             switch (next) { 0: begin; 1: first stop; …; else: leave }
 *     end:    state = number after the last stop; to round
 *     begin:  …
 *             state = n; to round
 *     stop n: here = now is n
 *             the operation, with a value that changes nothing where not here
 *             if here go on behind it, else to round
 *
 * Values that more than one piece uses are kept in variables, and so are the incoming values of
 * phis.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/lower_parted.h"

#define OP HD_LOWER_OP

typedef struct Pieces {
    HdLower *l;
    HdParted *p;
    HdPlace at;
    uint32_t *loaded_in; /* [bound] the piece that has loaded a kept value */
    HdId *loaded;        /* [bound] and what it loaded */
    HdInst merge;        /* of the block, to write before its branch; nwords 0: none */
    HdId here;           /* the parameter */
    bool by_group;       /* the region that a stop is in */
    bool has_failed;     /* no memory */
    HD_ARRAY(HdLowerWord) words;
} Pieces;

/* ---- small parts ---------------------------------------------------------------------------- */

static void write(Pieces *w, uint32_t opcode, const uint32_t *operands, size_t count)
{
    hd_writer_inst(w->l->at, opcode, operands, count);
}

#define WRITE(w, opcode, ...)                             \
    write((w), (opcode), (const uint32_t[]){__VA_ARGS__}, \
          sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static HdId number(Pieces *w, uint32_t value)
{
    return hd_lower_constant(w->l, 32, value);
}

static HdId type_of(const Pieces *w, HdId id)
{
    return hd_lower_use(w->l, hd_module_type_id(w->l->m, id));
}

/* An id as this piece has it. */
static HdId use(Pieces *w, HdId id)
{
    const HdParted *p = w->p;

    if (!p->is_cut || id >= w->l->m->bound || p->variable[id] == 0 || p->part_of[id] == w->at.part)
        return hd_lower_use(w->l, id);
    if (w->loaded_in[id] != w->at.part) {
        w->loaded_in[id] = w->at.part;
        w->loaded[id] = OP(w->l, 0, SpvOpLoad, type_of(w, id), p->variable[id]);
    }
    return w->loaded[id];
}

static void set_word(Pieces *w, uint32_t at, uint32_t word)
{
    HdLowerWord one = {at, word};

    if (!HD_PUSH(w->l->arena, &w->words, one))
        w->has_failed = true;
}

/* Load what an instruction uses, into w->words. */
static void load_operands(Pieces *w, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;

    w->words.count = 0;
    hd_operands_start(&walk, &w->l->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        HdId id = in->w[part.at], made;

        if (part.klass > HD_OPERAND_SEMANTICS_ID || part.at == hd_gram_forms[in->opix].result_at)
            continue;
        made = use(w, id);
        if (made != id)
            set_word(w, part.at, made);
    }
}

static void keep(Pieces *w, const HdInst *in)
{
    HdId result = hd_inst_result(in);

    if (w->p->is_cut && result != 0 && w->p->variable[result] != 0)
        WRITE(w, SpvOpStore, w->p->variable[result], result);
}

static void copy(Pieces *w, const HdInst *in)
{
    load_operands(w, in);
    hd_lower_copy_with(w->l, in, w->words.at, w->words.count);
    keep(w, in);
}

/* ---- operations that all make ---------------------------------------------------------------- */

/* Where not here: another value. */
static HdId where_here(Pieces *w, HdId type, const HdType *t, HdId here, HdId value, HdId other)
{
    HdId condition = here, parts[16];

    if (t->kind == HD_T_VECTOR) {
        for (uint32_t i = 0; i < t->count && i < 16; i++)
            parts[i] = here;
        condition = hd_lower_emit(w->l, 0, SpvOpCompositeConstruct,
                                  hd_lower_vector(w->l, hd_lower_bool(w->l), t->count), parts,
                                  t->count < 16 ? t->count : 16);
    }
    return OP(w->l, 0, SpvOpSelect, type, condition, value, other);
}

/* The number of a lane, the same for all: the least of those that are here; 0 when none is, which
 * happens where sub-groups go through the pieces together. */
static HdId least(Pieces *w, HdId scope, HdId here, HdId value)
{
    HdId u32 = hd_lower_int(w->l, 32), most = number(w, UINT32_MAX), found;

    hd_lower_need(w->l, HD_LOWER_GROUPS);
    value = OP(w->l, 0, SpvOpSelect, u32, here, value, most);
    value = OP(w->l, 0, SpvOpGroupUMin, u32, scope, SpvGroupOperationReduce, value);
    if (!w->by_group)
        return value;
    found = OP(w->l, 0, SpvOpINotEqual, hd_lower_bool(w->l), value, most);
    return OP(w->l, 0, SpvOpSelect, u32, found, value, number(w, 0));
}

static HdId first_lane(Pieces *w, HdId scope, HdId here)
{
    return least(w, scope, here, hd_lower_load(w->l, HD_LOWER_LANE));
}

/* An operation that all come to, though the flow does not show it. */
static void together(Pieces *w, HdId result)
{
    if (!hd_map_put(w->l->arena, &w->l->together, result, 1))
        w->has_failed = true;
}

static HdId broadcast(Pieces *w, HdId result, HdId type, HdId scope, HdId value, HdId lane)
{
    result = OP(w->l, result, SpvOpGroupNonUniformBroadcast, type, scope, value, lane);
    together(w, result);
    return result;
}

/* The lane of a broadcast is the same for those that are here: for all, then. */
static HdId same_lane(Pieces *w, const HdInst *in, HdId here)
{
    const HdType *t = hd_module_type_of(w->l->m, in->w[5]);
    HdId lane = use(w, in->w[5]);

    if (hd_module_opix(w->l->m, in->w[5]) == HD_OPIX_Constant)
        return lane;
    if (t != NULL && t->bits != 32)
        lane = OP(w->l, 0, SpvOpUConvert, hd_lower_int(w->l, 32), lane);
    return least(w, use(w, in->w[3]), here, lane);
}

/* The operation's value for all; 0: unchanged. `at` becomes its word. */
static HdId value_of_all(Pieces *w, const HdInst *in, HdId here, uint32_t *at)
{
    HdLower *l = w->l;
    HdId flag = hd_lower_bool(l), scope = use(w, in->w[3]), type, value, other;
    const HdType *t;

    *at = 4;
    switch (in->opix) {
    case HD_OPIX_GroupNonUniformAll:
        value = OP(l, 0, SpvOpLogicalNot, flag, here);
        return OP(l, 0, SpvOpLogicalOr, flag, value, use(w, in->w[4]));
    case HD_OPIX_GroupNonUniformAny:
    case HD_OPIX_GroupNonUniformBallot:
        return OP(l, 0, SpvOpLogicalAnd, flag, here, use(w, in->w[4]));
    case HD_OPIX_GroupNonUniformAllEqual: break;
    case HD_OPIX_GroupNonUniformShuffle:
    case HD_OPIX_GroupNonUniformShuffleXor:
    case HD_OPIX_GroupNonUniformShuffleUp:
    case HD_OPIX_GroupNonUniformShuffleDown:
    case HD_OPIX_GroupNonUniformRotateKHR: return 0;
    default: *at = 5; break;
    }
    t = hd_module_type_of(l->m, in->w[*at]);
    type = type_of(w, in->w[*at]);
    value = use(w, in->w[*at]);
    if (t == NULL)
        return 0;
    if (*at == 4)
        other = broadcast(w, 0, type, scope, value, first_lane(w, scope, here));
    else if (in->opix == HD_OPIX_GroupNonUniformFAdd && in->w[4] == SpvGroupOperationExclusiveScan)
        other = hd_lower_null(l, type); /* which such a scan begins with */
    else
        other = hd_lower_neutral(l, in->opix, type, t);
    return where_here(w, type, t, here, value, other);
}

static void operate(Pieces *w, const HdInst *in, HdId here)
{
    HdLower *l = w->l;
    HdId type = hd_lower_use(l, in->w[1]), scope = use(w, in->w[3]), value;
    uint32_t at;

    switch (in->opix) {
    case HD_OPIX_GroupNonUniformElect:
        OP(l, in->w[2], SpvOpIEqual, type, hd_lower_load(l, HD_LOWER_LANE),
           first_lane(w, scope, here));
        return;
    case HD_OPIX_GroupNonUniformBroadcast:
        broadcast(w, in->w[2], type, scope, use(w, in->w[4]), same_lane(w, in, here));
        return;
    case HD_OPIX_GroupNonUniformBroadcastFirst:
        broadcast(w, in->w[2], type, scope, use(w, in->w[4]), first_lane(w, scope, here));
        return;
    default: break;
    }
    value = value_of_all(w, in, here, &at);
    load_operands(w, in);
    if (value != 0)
        set_word(w, at, value);
    hd_lower_copy_with(l, in, w->words.at, w->words.count);
    together(w, in->w[2]);
}

/* A call of a function that has one more parameter. */
static void call(Pieces *w, const HdInst *in, HdId here)
{
    load_operands(w, in);
    hd_lower_copy_with(w->l, in, w->words.at, w->words.count);
    if (w->l->at->failed)
        return;
    w->l->at->words[w->l->at->count - in->nwords] += 1u << 16;
    hd_writer_word(w->l->at, here);
}

/* ---- the loop of a region -------------------------------------------------------------------- */

static void go(Pieces *w, const HdRegion *r, uint32_t state)
{
    WRITE(w, SpvOpStore, r->state, number(w, state));
    WRITE(w, SpvOpBranch, r->again);
}

static void write_leave(Pieces *w, const HdRegion *r)
{
    const HdParted *p = w->p;

    WRITE(w, SpvOpLabel, r->leave);
    if (p->result != 0)
        WRITE(w, SpvOpReturnValue,
              OP(w->l, 0, SpvOpLoad, hd_lower_use(w->l, p->f->result_type), p->result));
    else
        write(w, SpvOpReturn, NULL, 0);
}

static void write_switch(Pieces *w, const HdRegion *r, HdId next)
{
    hd_writer_begin(w->l->at, SpvOpSwitch);
    hd_writer_word(w->l->at, next);
    hd_writer_word(w->l->at, r->leave);
    hd_writer_word(w->l->at, 0);
    hd_writer_word(w->l->at, r->begin);
    for (uint32_t i = 0; i < r->stop_count; i++) {
        const HdStop *s = &w->p->stops.at[r->first_stop + i];

        hd_writer_word(w->l->at, s->number);
        hd_writer_word(w->l->at, s->here);
    }
    hd_writer_end(w->l->at);
}

static void begin_region(Pieces *w, const HdRegion *r)
{
    HdLower *l = w->l;
    HdId u32 = hd_lower_int(l, 32), none = number(w, 0), next, first, last;
    HdId scope = number(w, r->by_group ? SpvScopeWorkgroup : SpvScopeSubgroup);

    last = number(w, r->stop_count + 1);
    first = w->here != 0 ? OP(l, 0, SpvOpSelect, u32, w->here, none, last) : none;
    WRITE(w, SpvOpStore, r->state, first);
    WRITE(w, SpvOpBranch, r->round);
    WRITE(w, SpvOpLabel, r->round);
    OP(l, r->now, SpvOpLoad, u32, r->state);
    hd_lower_need(l, HD_LOWER_GROUPS);
    next = OP(l, 0, SpvOpGroupUMin, u32, scope, SpvGroupOperationReduce, r->now);
    write_switch(w, r, next);
    WRITE(w, SpvOpLabel, r->begin);
    if (w->here != 0) {
        first = OP(l, 0, SpvOpIEqual, hd_lower_bool(l), r->now, none);
        WRITE(w, SpvOpBranchConditional, first, l->next, r->again);
        WRITE(w, SpvOpLabel, l->next);
        l->next++;
    }
}

/* Behind all blocks that may dominate them. */
static void end_regions(Pieces *w)
{
    for (size_t i = 0; i < w->p->regions.count; i++) {
        const HdRegion *r = &w->p->regions.at[i];

        if (!r->is_cut)
            continue;
        WRITE(w, SpvOpLabel, r->end);
        go(w, r, r->stop_count + 1);
        WRITE(w, SpvOpLabel, r->again);
        WRITE(w, SpvOpBranch, r->round);
        if (r->to == HD_NO_BLOCK)
            write_leave(w, r);
    }
}

static HdId is_here(Pieces *w, const HdRegion *r, const HdStop *s)
{
    return OP(w->l, 0, SpvOpIEqual, hd_lower_bool(w->l), r->now, number(w, s->number));
}

static void write_stop(Pieces *w, const HdInst *in, const HdStop *s)
{
    const HdRegion *r = &w->p->regions.at[s->region];
    HdId here;

    w->by_group = r->by_group;
    go(w, r, s->number);
    WRITE(w, SpvOpLabel, s->here);
    here = is_here(w, r, s);
    if (s->kind == HD_STOP_OPERATION)
        operate(w, in, here);
    else if (s->kind == HD_STOP_CALL)
        call(w, in, here);
    WRITE(w, SpvOpBranchConditional, here, s->behind, r->again);
    WRITE(w, SpvOpLabel, s->behind);
    if (s->kind == HD_STOP_MEETING)
        copy(w, in);
    else
        keep(w, in);
}

/* ---- ends of blocks -------------------------------------------------------------------------- */

/* What the block gives the phis of those that follow it: all loaded before any is stored. */
static void give_phis(Pieces *w, uint32_t b)
{
    const HdModule *m = w->l->m;
    const HdCfg *g = w->p->g;
    HdId label = hd_block_label(m, &m->blocks[w->p->f->first_block + b]);

    w->words.count = 0;
    for (uint32_t s = g->succ_first[b]; s < g->succ_first[b + 1]; s++) {
        const HdBlock *to = &m->blocks[w->p->f->first_block + g->succ[s]];
        uint32_t word = to->word, end = hd_block_end(m, to);

        for (HdInst in; word < end && hd_module_next(m, &word, &in);)
            for (uint32_t i = 3; in.opix == HD_OPIX_Phi && i + 1 < in.nwords; i += 2)
                if (in.w[i + 1] == label) {
                    set_word(w, w->p->incoming[in.w[2]], use(w, in.w[i]));
                    break;
                }
    }
    for (size_t i = 0; i < w->words.count; i++)
        WRITE(w, SpvOpStore, w->words.at[i].at, w->words.at[i].word);
}

/* Where a branch to a block of the function goes now. */
static HdId target_of(const Pieces *w, const HdInst *in, const HdRegion *r, uint32_t block)
{
    const HdModule *m = w->l->m;
    HdId label = hd_block_label(m, &m->blocks[w->p->f->first_block + block]);

    if (block == r->to)
        return r->end;
    for (uint32_t i = 0; i < r->stop_count; i++) {
        const HdStop *s = &w->p->stops.at[r->first_stop + i];

        if (s->kind == HD_STOP_BACK && s->word == in->word && s->target == label)
            return s->wait;
    }
    return label;
}

static void write_branch(Pieces *w, const HdInst *in, const HdRegion *r)
{
    HdOperandWalk walk;
    HdOperandPart part;

    load_operands(w, in);
    hd_operands_start(&walk, &w->l->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        uint32_t block;

        if (part.klass != HD_OPERAND_ID)
            continue;
        block = hd_module_block(w->l->m, in->w[part.at]) - w->p->f->first_block;
        if (block < w->p->g->count)
            set_word(w, part.at, target_of(w, in, r, block));
    }
    hd_lower_copy_with(w->l, in, w->words.at, w->words.count);
    for (uint32_t i = 0; i < r->stop_count; i++) {
        const HdStop *s = &w->p->stops.at[r->first_stop + i];

        if (s->kind != HD_STOP_BACK || s->word != in->word)
            continue;
        WRITE(w, SpvOpLabel, s->wait);
        go(w, r, s->number);
        WRITE(w, SpvOpLabel, s->here);
        WRITE(w, SpvOpBranchConditional, is_here(w, r, s), s->target, r->again);
    }
}

/* The region that the walk is in. */
static const HdRegion *region(const Pieces *w)
{
    const HdParted *p = w->p;

    for (size_t i = 0; i < p->regions.count; i++)
        if (p->region_of[w->at.block] == i ||
            (p->regions.at[i].is_cut &&
             hd_module_block_before(w->l->m, p->regions.at[i].start) - p->f->first_block ==
                 w->at.block))
            return &p->regions.at[i];
    return NULL;
}

static void end_block(Pieces *w, const HdInst *in)
{
    const HdRegion *r = w->at.is_cut ? region(w) : NULL;

    give_phis(w, w->at.block);
    if (r == NULL) {
        load_operands(w, in);
        if (w->merge.nwords != 0)
            hd_lower_copy(w->l, &w->merge);
        w->merge.nwords = 0;
        hd_lower_copy_with(w->l, in, w->words.at, w->words.count);
    } else if (in->opix == HD_OPIX_Return || in->opix == HD_OPIX_ReturnValue) {
        if (in->opix == HD_OPIX_ReturnValue)
            WRITE(w, SpvOpStore, w->p->result, use(w, in->w[1]));
        WRITE(w, SpvOpBranch, r->end);
    } else {
        write_branch(w, in, r);
    }
}

/* ---- functions ------------------------------------------------------------------------------ */

static void write_variable(HdLower *l, HdId type, HdId variable)
{
    type = hd_lower_use(l, type);
    OP(l, variable, SpvOpVariable, hd_lower_pointer(l, SpvStorageClassFunction, type),
       SpvStorageClassFunction, hd_lower_null(l, type));
}

static void write_variables(Pieces *w)
{
    HdLower *l = w->l;
    HdParted *p = w->p;
    HdId u32 = hd_lower_int(l, 32);

    for (size_t i = 0; i < p->regions.count; i++)
        if (p->regions.at[i].is_cut) {
            OP(l, p->regions.at[i].state, SpvOpVariable,
               hd_lower_pointer(l, SpvStorageClassFunction, u32), SpvStorageClassFunction);
            if (p->regions.at[i].to == HD_NO_BLOCK &&
                hd_module_type(l->m, p->f->result_type)->kind != HD_T_VOID)
                p->result = l->next++;
        }
    if (p->result != 0)
        write_variable(l, p->f->result_type, p->result);
    for (size_t i = 0; i < p->kept.count; i++)
        write_variable(l, p->kept.at[i].type, p->kept.at[i].variable);
}

/* OpFunction with the parameter in its type. */
static HdStatus write_head(Pieces *w, const HdInst *in)
{
    HdInst type;
    HdLowerWord word = {4, 0};
    HD_ARRAY(uint32_t) operands = {0};

    if (!w->p->takes_here || !hd_module_def(w->l->m, in->w[4], &type)) {
        hd_lower_copy(w->l, in);
        return HD_OK;
    }
    for (uint32_t i = 2; i < type.nwords; i++)
        HD_TRY_PUSH(w->l->arena, &operands, hd_lower_use(w->l, type.w[i]));
    HD_TRY_PUSH(w->l->arena, &operands, hd_lower_bool(w->l));
    word.word = hd_declared_type(&w->l->declared, SpvOpTypeFunction, operands.at, operands.count);
    hd_lower_copy_with(w->l, in, &word, 1);
    return HD_OK;
}

/* A function without regions that are cut: only its calls may change. */
static void write_other(Pieces *w, const HdInst *in)
{
    const HdFunction *to =
        in->opix == HD_OPIX_FunctionCall ? hd_module_function(w->l->m, in->w[3]) : NULL;

    if (to != NULL && hd_lower_takes_here(w->l, to))
        call(w, in, hd_lower_true(w->l));
    else
        copy(w, in);
}

/* Blocks that nothing leads to stay as labels. */
static void write_unreached(Pieces *w, const HdInst *in)
{
    HdId result = hd_inst_result(in);

    if (in->opix == HD_OPIX_Label) {
        hd_writer_copy(w->l->at, in);
        write(w, SpvOpUnreachable, NULL, 0);
    } else if (result != 0) {
        hd_bit_add(w->l->gone, result);
    }
}

static void write_cut(Pieces *w, const HdInst *in)
{
    uint64_t i;

    if (hd_map_get(&w->p->start_at, in->word, &i))
        begin_region(w, &w->p->regions.at[i]);
    if (hd_map_get(&w->p->stop_at, in->word, &i)) {
        write_stop(w, in, &w->p->stops.at[i]);
    } else if (in->opix == HD_OPIX_Phi) {
        OP(w->l, in->w[2], SpvOpLoad, hd_lower_use(w->l, in->w[1]), w->p->incoming[in->w[2]]);
        keep(w, in);
    } else if (hd_inst_is_terminator(in)) {
        end_block(w, in);
    } else if (in->opix == HD_OPIX_SelectionMerge || in->opix == HD_OPIX_LoopMerge) {
        if (!w->at.is_cut)
            w->merge = *in;
    } else {
        write_other(w, in);
    }
    if (in->opix == HD_OPIX_Label && w->at.block == 0)
        write_variables(w);
}

static HdStatus write_function(Pieces *w)
{
    const HdModule *m = w->l->m;
    uint32_t word = w->p->f->word;
    bool is_open = false; /* after the parameters */

    w->at = (HdPlace){.block = HD_NO_BLOCK, .is_reached = true};
    w->here = 0;
    for (HdInst in; word < w->p->f->end && hd_module_next(m, &word, &in);) {
        if (in.opix == HD_OPIX_Label && !is_open && w->p->takes_here) {
            w->here = w->l->next++;
            WRITE(w, SpvOpFunctionParameter, hd_lower_bool(w->l), w->here);
        }
        is_open |= in.opix == HD_OPIX_Label;
        if (w->p->is_cut)
            hd_parted_step(w->p, &in, &w->at);
        if (in.opix == HD_OPIX_FunctionEnd) {
            end_regions(w);
            hd_lower_copy(w->l, &in);
        } else if (in.opix == HD_OPIX_Function) {
            HD_TRY(write_head(w, &in));
        } else if (!w->p->is_cut) {
            write_other(w, &in);
        } else if (!w->at.is_reached) {
            write_unreached(w, &in);
        } else {
            write_cut(w, &in);
        }
    }
    return HD_OK;
}

HdStatus hd_lower_write_pieces(HdLower *l)
{
    Pieces w = {.l = l};

    l->at = &l->functions;
    HD_TAKE(w.loaded_in, HD_NEW(l->arena, uint32_t, l->m->bound));
    HD_TAKE(w.loaded, HD_NEW(l->arena, HdId, l->m->bound));
    for (uint32_t i = 0; i < l->m->function_count; i++) {
        HdParted p;

        HD_TRY(hd_lower_plan_parted(l, &l->m->functions[i], &p));
        w.p = &p;
        HD_TRY(write_function(&w));
    }
    return w.has_failed ? HD_NO_MEMORY : HD_OK;
}
