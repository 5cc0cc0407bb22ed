/* xform/repair.c -- known defects of shipping producers, repaired before validation: examining a
 * module, the order of its blocks and variables, and writing the repaired module. Single
 * instructions: repair_inst.c, repair_pointer.c, repair_atomic.c, repair_clang.c,
 * repair_builtin.c, repair_whole.c, repair_loop.c, repair_aligned.c. What it does not declare:
 * repair_needs.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/repair.h"

#include "base/bitset.h"
#include "module/cfg.h"
#include "xform/repair_state.h"

/* ---- finding ------------------------------------------------------------------------------------
 */

/* Does a way lead to each block that passes only blocks before it? Then those that dominate it,
 * which are on all ways, stand before it. `reached` has a bit for each block, 0. */
static bool is_in_order(const HdModule *m, const HdFunction *fn, uint64_t *reached)
{
    hd_bit_add(reached, 0);
    for (uint32_t b = 0; b < fn->block_count; b++) {
        HdTargets targets = hd_cfg_targets(m, m->blocks[fn->first_block + b].terminator);

        if (!hd_bit_has(reached, b))
            return false;
        for (HdId label; hd_targets_next(&targets, &label);) {
            uint32_t to = hd_module_block(m, label) - fn->first_block;

            if (to > b && to < fn->block_count)
                hd_bit_add(reached, to);
        }
    }
    return true;
}

/* `brief`: memory for this function alone. */
static HdStatus find_block_order(HdRepair *r, uint32_t f, HdArena *brief)
{
    const HdFunction *fn = &r->m->functions[f];
    uint64_t *reached;
    HdDiags quiet;
    HdCfg *g = NULL;
    bool wrong = false;
    uint32_t n = 0;
    HdStatus st;

    if (fn->block_count <= 1)
        return HD_OK;
    HD_TAKE(reached, HD_NEW(brief, uint64_t, HD_BITSET_WORDS(fn->block_count)));
    if (is_in_order(r->m, fn, reached))
        return HD_OK;
    hd_diags_init(&quiet);
    st = hd_cfg_build(r->m, fn, brief, &quiet, &g);
    hd_diags_drop(&quiet);
    if (st == HD_NO_MEMORY)
        return st;
    if (st != HD_OK)
        return HD_OK; /* validation will say what is wrong */
    for (uint32_t b = 0; b < g->count; b++)
        if (g->idom[b] != HD_NO_BLOCK && g->idom[b] > b)
            wrong = true;
    if (!wrong)
        return HD_OK;
    HD_TAKE(r->order[f], HD_NEW(r->a, uint32_t, g->count));
    for (uint32_t i = 0; i < g->reachable; i++)
        r->order[f][n++] = g->order[i];
    for (uint32_t b = 0; b < g->count; b++)
        if (g->rank[b] == HD_NO_BLOCK)
            r->order[f][n++] = b;
    hd_repair_note(r, HD_SLIP_BLOCK_ORDER, fn->word);
    return HD_OK;
}

/* A variable after another instruction of the first block, or in another block. */
static void find_late_variables(HdRepair *r, uint32_t f)
{
    const HdFunction *fn = &r->m->functions[f];
    bool behind = false;
    uint32_t word, end;

    if (fn->block_count == 0)
        return;
    word = r->m->blocks[fn->first_block].word;
    end = hd_block_end(r->m, &r->m->blocks[fn->first_block + fn->block_count - 1]);
    for (HdInst in; word < end && hd_module_next(r->m, &word, &in);) {
        if (hd_inst_is_variable(&in) && hd_repair_whole_id(r, in.w[2]) != 0)
            r->hoist[f] = true;
        if (hd_inst_is_variable(&in) && behind) {
            r->hoist[f] = true;
            hd_repair_note(r, HD_SLIP_VARIABLE, in.word);
        }
        behind = behind || !(hd_inst_is_variable(&in) || in.opix == HD_OPIX_Label ||
                             in.opix == HD_OPIX_Line || in.opix == HD_OPIX_NoLine);
    }
}

static HdStatus find_orders(HdRepair *r)
{
    HdArena *brief = hd_arena_open();
    HdStatus st = brief != NULL ? HD_OK : HD_NO_MEMORY;

    for (uint32_t f = 0; f < r->m->function_count && st == HD_OK; f++) {
        find_late_variables(r, f);
        st = find_block_order(r, f, brief);
        hd_arena_clear(brief);
    }
    hd_arena_drop(brief);
    return st;
}

static HdStatus find_slips(HdRepair *r)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    HD_TAKE(r->computed, HD_NEW(r->a, uint64_t, HD_BITSET_WORDS(r->m->bound)));
    HD_TAKE(r->null_index, HD_NEW(r->a, uint64_t, HD_BITSET_WORDS(r->m->bound)));
    HD_TAKE(r->order, HD_NEW(r->a, uint32_t *, r->m->function_count + 1u));
    for (HdInst in; hd_module_next(r->m, &word, &in);)
        if (hd_repair_menders[in.opix].find != NULL)
            HD_TRY(hd_repair_menders[in.opix].find(r, &in));
    HD_TAKE(r->hoist, HD_NEW(r->a, bool, r->m->function_count + 1u));
    return find_orders(r);
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void write_inst(HdRepair *r, const HdInst *in)
{
    const HdMender *mender = &hd_repair_menders[in->opix];

    if (mender->write == NULL || !mender->write(r, in))
        hd_writer_copy(r->out, in);
}

static void write_range(HdRepair *r, uint32_t from, uint32_t to)
{
    uint32_t word = from;

    for (HdInst in; word < to && hd_module_next(r->m, &word, &in);)
        write_inst(r, &in);
}

/* What of a block is written. */
typedef enum Part { VARIABLES, LABEL, REST } Part;

static Part part_of(const HdInst *in)
{
    return hd_inst_is_variable(in) ? VARIABLES : in->opix == HD_OPIX_Label ? LABEL : REST;
}

/* The word of a variable's initial value; 0: it has none. */
static unsigned initial_value(const HdInst *in)
{
    unsigned at = in->opix == HD_OPIX_Variable ? 4 : 5;

    return in->nwords > at ? at : 0;
}

/* A variable that stands in another block than the first begins anew each time that is entered. */
static void write_moved(HdRepair *r, const HdInst *in)
{
    unsigned at = initial_value(in);

    if (hd_repair_write_whole(r, in))
        return;
    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < (at != 0 ? at : in->nwords); i++)
        hd_writer_word(r->out, in->w[i]);
    hd_writer_end(r->out);
}

static void write_beginning(HdRepair *r, const HdInst *in)
{
    unsigned at = initial_value(in);

    if (at != 0)
        hd_writer_inst(r->out, SpvOpStore, (const uint32_t[]){in->w[2], in->w[at]}, 2);
}

static void write_part(HdRepair *r, const HdBlock *b, Part part)
{
    uint32_t word = b->word, end = hd_block_end(r->m, b);

    for (HdInst in; word < end && hd_module_next(r->m, &word, &in);)
        if (part_of(&in) == part)
            write_inst(r, &in);
}

static void write_whole_casts(HdRepair *r, uint32_t from, uint32_t to)
{
    uint32_t word = from;

    for (HdInst in; word < to && hd_module_next(r->m, &word, &in);)
        if (hd_inst_is_variable(&in))
            hd_repair_write_whole_cast(r, &in);
}

/* The first block of a function whose variables all go to its front. */
static void write_front(HdRepair *r, const HdFunction *fn)
{
    const HdBlock *blocks = &r->m->blocks[fn->first_block];
    uint32_t word = hd_block_end(r->m, &blocks[0]);
    uint32_t end = hd_block_end(r->m, &blocks[fn->block_count - 1]);

    write_part(r, &blocks[0], LABEL);
    write_part(r, &blocks[0], VARIABLES);
    for (HdInst in; word < end && hd_module_next(r->m, &word, &in);)
        if (hd_inst_is_variable(&in))
            write_moved(r, &in);
    write_whole_casts(r, blocks[0].word, end);
    write_part(r, &blocks[0], REST);
}

/* Another block of such a function. */
static void write_without_variables(HdRepair *r, const HdBlock *b)
{
    uint32_t word = b->word, end = hd_block_end(r->m, b);

    for (HdInst in; word < end && hd_module_next(r->m, &word, &in);) {
        if (hd_inst_is_variable(&in))
            write_beginning(r, &in);
        else
            write_inst(r, &in);
    }
}

static void write_function(HdRepair *r, uint32_t f)
{
    const HdFunction *fn = &r->m->functions[f];
    const HdBlock *blocks = &r->m->blocks[fn->first_block];

    if (fn->block_count == 0) {
        write_range(r, fn->word, fn->end);
        return;
    }
    write_range(r, fn->word, blocks[0].word);
    for (uint32_t i = 0; i < fn->block_count; i++) {
        uint32_t b = r->order[f] != NULL ? r->order[f][i] : i;

        if (!r->hoist[f])
            write_range(r, blocks[b].word, hd_block_end(r->m, &blocks[b]));
        else if (b == 0)
            write_front(r, fn);
        else
            write_without_variables(r, &blocks[b]);
    }
    write_range(r, hd_block_end(r->m, &blocks[fn->block_count - 1]), fn->end);
}

static void write_module(HdRepair *r)
{
    uint32_t at = r->m->first_function, word = HD_MODULE_FIRST_WORD;
    HdInst in;

    r->looked = 0; /* as far as when slips were looked for */
    hd_writer_start(r->out, hd_repair_version(r), r->m->generator, r->bound);
    for (uint32_t next = word; hd_module_next(r->m, &next, &in); word = next)
        if (in.opix != HD_OPIX_Capability)
            break;
    write_range(r, HD_MODULE_FIRST_WORD, word);
    hd_repair_write_needs(r);
    write_range(r, word, at);
    hd_writer_append(r->out, &r->globals);
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        /* Lines between functions go along. */
        write_range(r, at, r->m->functions[f].word);
        write_function(r, f);
        at = r->m->functions[f].end;
    }
    write_range(r, at, r->m->nwords);
    hd_writer_set_bound(r->out, r->bound);
}

static void warn(HdRepair *r, HdSlip slip)
{
    static const struct {
        const char *rule, *text;
    } texts[HD_SLIP_COUNT] = {
        {"repair.block-order", "blocks stand before the blocks that dominate them; reordered"},
        {"repair.phi", "OpPhi names a predecessor several times; repetitions dropped"},
        {"repair.shift", "the base of a shift is wider than its result; truncated first"},
        {"repair.width", "an operand is wider than the result; taken modulo the result's width"},
        {"repair.null-index", "a struct member is chosen by OpConstantNull; taken as 0"},
        {"repair.copy-size", "number of elements and stride of a copy differ in width; widened"},
        {"repair.copy-type", "an asynchronous copy through pointers to arrays or structs; cast"},
        {"repair.variable",
         "a variable stands behind other instructions; moved to the front of its function"},
        {"repair.vector-count", "a vector of neither 2, 3, 4, 8 nor 16 components; allowed"},
        {"repair.shuffle", "a vector that a shuffle takes nothing from has other components; left "
                           "out"},
        {"repair.initializer", "a variable starts with the null of another type; taken as its own"},
        {"repair.null-part",
         "a constant contains the null of another type; taken as that of its own part"},
        {"repair.pointer-part", "a constant contains or is a pointer to another type than it is "
                                "declared with; cast"},
        {"repair.computed-part", "a constant that contains an OpSpecConstantOp is no "
                                 "OpSpecConstantComposite; made one"},
        {"repair.byte-offset", "a constant chain counts bytes in a larger type; cast first"},
        {"repair.constant-cast",
         "a constant cast changes storage class and pointee at once; cast in two steps"},
        {"repair.address", "a constant address as an integer is cast to its own type, or defined "
                           "in a function; taken "
                           "from its pointer"},
        {"repair.no-constructors",
         "an empty list of constructors is a variable of each function that is exported; taken as "
         "not exported"},
        {"repair.pointee", "a pointer leads to another type than its instruction accesses; cast"},
        {"repair.pointer-types", "pointers to different types are compared; cast"},
        {"repair.chain-type", "the result of an access chain points to another type than its "
                              "indexes lead to; cast"},
        {"repair.broadcast", "the lane that is read from is not a constant; taken as SPIR-V 1.5"},
        {"repair.weak", "OpAtomicCompareExchangeWeak behind SPIR-V 1.3; made the other one"},
        {"repair.exchange", "a compare-exchange of floats; made one of their bits"},
        {"repair.single", "a vector of one component; allowed"},
        {"repair.int64-atomics", "a 64-bit atomic without capability Int64Atomics; declared"},
        {"repair.debug-class", "debug information says that a pointer has no storage class; taken "
                               "as Function"},
        {"repair.exponent", "ldexp of a vector and one integer; each component scaled by it"},
        {"repair.barrier", "a barrier of more or less than a work-group or sub-group; taken as the "
                           "work-group's"},
        {"repair.builtin", "a built-in variable is in a storage class of memory; taken as Input"},
        {"repair.interface",
         "before SPIR-V 1.4 an interface holds Input and Output variables only; others left out"},
        {"repair.no-wrap", "NoSignedWrap or NoUnsignedWrap without its extension; declared"},
        {"repair.storage-buffer", "storage class StorageBuffer without its extension; declared"},
        {"repair.float-controls",
         "FPFastMathDefault without capability FloatControls2 and its extension; declared"},
        {"repair.subgroup-size",
         "execution mode SubgroupSize without capability SubgroupDispatch; declared"},
        {"repair.extension", "a capability without the extension that brings it; declared"},
        {"repair.alias-order",
         "a list of what does not alias stands before what it lists; moved behind it"},
        {"repair.rounding", "a conversion between integers has a rounding mode; left out"},
        {"repair.merge", "OpLoopMerge stands several times before one branch; the last is kept"},
        {"repair.media-image", "the image of a media block comes after its coordinate; put first"},
        {"repair.component",
         "a component is taken that its vector does not have; those of numbers of work-items are 1 "
         "of sizes, 0 of others"},
        {"repair.loop-hint",
         "hints about a loop name no merge block of its own, or are not before its "
         "branch; left out"},
        {"repair.alignment",
         "an alignment of 128 bytes is written as a negative number; taken as 128"},
        {"repair.no-alignment",
         "clang-22 leaves the alignment of a vector of other than 2, 3, 4, 8 or 16 components to "
         "chance, and of one of 256 and more writes the lowest byte; taken as 4096, of private "
         "vectors as 128"},
        {"repair.load", "an atomic load has OpenCL C's order and scope; made SPIR-V's"},
        {"repair.memory", "a barrier or fence orders no memory, as clang-22 writes flags that are "
                          "not constant; taken as all memory"},
        {"repair.any", "any or all of integers; made a test of their highest bits"},
        {"repair.channel-type", "the data type of an image's channels is SPIR-V's; made OpenCL's"},
        {"repair.copy-alignment", "a copy from a variable states a larger alignment than the "
                                  "variable's own; the smaller one "
                                  "is taken"},
        {"repair.zero-alignment", "a copy states an alignment of 0; taken as 1"},
        {"repair.access-alignment",
         "a load or store promises more alignment than its variable has, "
         "which states none; that of its type is taken"},
        {"repair.whole", "a variable is declared with a part of its type; made an array"},
        {"repair.same-type", "a number is converted to its own type; taken as it is"},
        {"repair.funnel", "a funnel shift by no bits shifts one side by all of them, which is "
                          "undefined; made nothing of that side"},
        {"repair.compared", "integers of two widths are compared; the wider one is taken modulo "
                            "the other's width"},
        {"repair.wide-part", "an integer that is put into a vector is wider than its components; "
                             "taken modulo their width"},
        {"repair.saturation",
         "clang-22 writes the saturating conversions of signed and of unsigned integers alike: the "
         "result is wrong where both sides have a sign, or neither; not repaired"}};
    HdDiag diag = {.severity = HD_WARNING, .rule = texts[slip].rule, .word = r->where[slip]};

    if (r->where[slip] != 0)
        hd_diags_add(r->d, &diag, "%s", texts[slip].text);
}

static HdStatus repair(HdRepair *r, bool *done)
{
    HD_TRY(find_slips(r));
    for (int s = 0; s < HD_SLIP_COUNT; s++) {
        warn(r, (HdSlip)s);
        *done = *done || (r->where[s] != 0 && s != HD_SLIP_SATURATION);
    }
    if (!*done)
        return HD_OK;
    write_module(r);
    return r->declared.failed ? HD_NO_MEMORY : hd_writer_finish(r->out, r->d);
}

HdStatus hd_xform_repair(const HdModule *m, bool is_compiled, HdDiags *d, HdWriter *out, bool *done)
{
    HdRepair r = {.m = m,
                  .a = hd_arena_open(),
                  .d = d,
                  .out = out,
                  .is_compiled = is_compiled,
                  .bound = m->bound};
    HdStatus st;

    *done = false;
    *out = (HdWriter){0};
    if (r.a == NULL)
        return HD_NO_MEMORY;
    r.declared = (HdDeclared){.arena = r.a, .out = &r.globals, .next = &r.bound};
    st = repair(&r, done);
    hd_writer_free(&r.globals);
    hd_arena_drop(r.a);
    if (st != HD_OK)
        hd_writer_free(out);
    return st;
}
