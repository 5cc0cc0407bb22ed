/* val/rule.h -- what the rules of instructions see, and the helpers that they share.
 *
 * A rule checks one instruction. It may rely on the following: the reader's guarantees (module.h),
 * every id operand is defined, ids in type positions are valid types, and an existing result type
 * has an HdType. Everything else it checks itself.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VAL_RULE_H
#define HD_VAL_RULE_H

#include "base/array.h"
#include "base/map.h"
#include "module/cfg.h"
#include "module/constant.h"
#include "module/module.h"
#include "module/operands.h"
#include "module/source.h"
#include "module/type.h"
#include "val/val.h"

/* A function is an entry point of a model. */
typedef struct HdValModel {
    HdId function;
    uint32_t model;
} HdValModel;

/* A function uses a module-scope variable that entry points have to list. */
typedef struct HdValUse {
    uint32_t function; /* number */
    HdId variable;
    uint32_t word; /* of the first instruction that does */
} HdValUse;

/* Queries of rules about a type. */
typedef bool HdTypeTest(const HdType *);

typedef struct HdVal {
    const HdModule *m;
    HdDiags *d;
    HdArena *a;
    HdArena *pass; /* memory of one pass over the whole module; NULL in between */
    const HdValEnv *env;
    const HdValOptions *options;
    bool shader, kernel; /* the capability is declared, or implied by one that is */
    uint64_t *failed;    /* [bound] ids whose definition was found wrong: not reported again */
    const HdFunction *f; /* the function that the instruction is in; NULL outside */
    HdCfg *cfg;          /* its graph; NULL when it has none that is sound */
    uint32_t block;      /* index into m->blocks; UINT32_MAX outside */
    uint64_t *bad_words; /* [nwords] instructions whose rule is not run: their ids are wrong */
    bool *unusable; /* [HD_OPIX_COUNT] the same, of all instructions with this opcode: what they
                       need is missing, which was reported */
    uint64_t *announced; /* [bound] OpTypeForwardPointer has named it */
    uint64_t *limited;   /* [bound] types of numbers that can be stored but not computed with */
    struct HdValModel *models; /* see hd_val_next_model */
    uint32_t model_count;
    struct HdValHeld *held;   /* what hd_type_holds has answered */
    HdArena *fa;              /* memory of one function, and of what is outside functions */
    HdArena *brief;           /* memory of the function's predecessors, and of one step at a time of
                                 what is checked before its instructions */
    struct HdValDebug *debug; /* what ops/debug remembers, created on demand */
    struct HdVlaSaves *saves; /* what ops/vla knows of the function, created on demand in `fa` */
    uint64_t *extensions;     /* set of HdExtension declared */
    uint64_t *listed;         /* [bound] variables that entry points have to list; NULL: none */
    uint32_t function;        /* number of the one that ids.c is in */
    uint32_t *last_user;      /* [bound] number + 1 of the last function seen to use one of those */
    HD_ARRAY(HdValUse) uses;  /* in the order of functions */
    bool any_limited;         /* there are such types */
    uint64_t *small;          /* [bound] types that hold floats of other encodings; NULL: none */
    uint64_t *nibbles;        /* [bound] types whose numbers do not fill bytes; NULL: none */
    uint64_t *laid_out;       /* [bound] types whose parts have offsets; NULL: not needed */
    struct HdValBlock *blocks; /* [type number] built-ins of each; NULL: there are none */
    uint32_t *reach; /* [functions] models that reach each, HD_MODEL_…; NULL: not known */
    bool any_small;
    bool any_sampled;          /* there is an OpSampledImage */
    bool stop;                 /* no memory */
    HdSourceCursor told;       /* where the last finding was in the source */
    struct HdGuesses *guesses; /* names in findings, created on demand */
    size_t most;               /* errors that are kept, the first by place; SIZE_MAX: all */
    size_t begun;              /* where the list begins in d */
    size_t kept;               /* errors in it */
    size_t room;               /* when there are more, `last` is recomputed */
    uint32_t last; /* errors after this word are only counted: there are enough before it */
} HdVal;

typedef HdStatus HdRule(HdVal *v, const HdInst *in);

/* Begin a list of errors: all of them up to the last word are kept. */
void hd_val_begin_list(HdVal *v, HdDiags *d);

/* By HdOpix; defined by ops/index_rule.c. NULL: the grammar and the engine check all there is. */
extern HdRule *const hd_val_rules[HD_OPIX_COUNT];
/* What Vulkan adds to them, in its environments. */
extern HdRule *const hd_val_vulkan_rules[HD_OPIX_COUNT];
/* Section or extension that defines the instruction; NULL: no row, not supported in OpenCL. */
extern const char *const hd_val_specs[HD_OPIX_COUNT];

/* Report an error at an instruction. Always returns HD_BAD_INPUT. */
HdStatus hd_val_fail(HdVal *v, const HdInst *in, const char *rule, const char *fmt, ...)
    HD_PRINTF(4, 5);
/* The same with another section than the instruction's own. */
HdStatus hd_val_fail_spec(HdVal *v, const HdInst *in, const char *rule, const char *spec,
                          const char *fmt, ...) HD_PRINTF(5, 6);
/* Report a warning. Returns HD_OK. */
HdStatus hd_val_warn(HdVal *v, const HdInst *in, const char *rule, const char *fmt, ...)
    HD_PRINTF(4, 5);

/* "return an error unless": the first one ends the rule. */
#define HD_RULE(cond, ...)                          \
    do {                                            \
        if (!(cond))                                \
            return hd_val_fail(v, in, __VA_ARGS__); \
    } while (0)

/* Result type; type of the id at operand word i (NULL when it is no value). */
const HdType *hd_val_result(const HdVal *v, const HdInst *in);
const HdType *hd_val_operand(const HdVal *v, const HdInst *in, uint32_t i);
/* The number that a message gives an operand, "operand 1" being the first after the result (for an
 * extended instruction, after its number): the finding is marked there. `at`: its word. */
unsigned hd_val_number(const HdInst *in, uint32_t at);
/* The type of what a variable holds; NULL when it does not say, or is no variable. */
const HdType *hd_val_held(const HdVal *v, HdId variable);

/* ---- shapes of types ----------------------------------------------------------------------- */
/* Scalar or vector of that kind. */
bool hd_is_int(const HdType *t);
bool hd_is_float(const HdType *t);
bool hd_is_bool(const HdType *t);
/* Scalars only. */
bool hd_is_int_scalar(const HdType *t);
bool hd_is_float_scalar(const HdType *t);
bool hd_is_bool_scalar(const HdType *t);
bool hd_is_scalar(const HdType *t); /* bool, int or float */
bool hd_is_numeric(const HdType *t);
bool hd_is_pointer(const HdType *t);
bool hd_is_composite(const HdType *t);
/* Spec: "Concrete Type": numbers and pointers, and composites of them; not bool. */
bool hd_is_concrete(const HdVal *v, const HdType *t);
/* Bits of the scalar inside. */
uint32_t hd_type_bits(const HdType *t);
/* Does a type hold, at any depth through composites, something that `test` accepts? */
bool hd_type_holds(const HdVal *v, const HdType *t, HdTypeTest *test);
HdStatus hd_val_held_open(HdVal *v);
/* Same structure, ids aside (OpCopyLogical, forward declared pointers). */
bool hd_type_logically_equal(HdVal *v, const HdType *a, const HdType *b);

/* ---- environments -------------------------------------------------------------------------- */
bool hd_val_cap(const HdVal *v, uint32_t capability);
/* One of those that something needs, or nothing needed? */
bool hd_val_any_cap(const HdVal *v, const HdNeeds *n);
/* Is none declared of the capabilities that an enumerant needs? Then needs.c has reported it. */
bool hd_val_lacks(const HdVal *v, uint16_t kind, uint32_t value);
bool hd_val_ext(const HdVal *v, int extension); /* HD_EXT_…: declared by the module */
/* OpenCL environment (at least that version). */
bool hd_val_opencl(const HdVal *v);
bool hd_val_has(const HdVal *v, const char *cl_extension);
/* Vulkan environment; one with that feature, HD_VULKAN_…. */
static inline bool hd_val_vulkan(const HdVal *v)
{
    return v->env->vulkan != 0;
}
static inline bool hd_val_feature(const HdVal *v, uint32_t feature)
{
    return (v->env->features & feature) != 0;
}
/* Sections of the Vulkan specification that findings name: the identifier of the statement. */
#define HD_VUID(of, name, number)   "VUID-" of "-" name "-" number
#define HD_VUID_SPIRV(name, number) HD_VUID("StandaloneSpirv", name, number)

/* ---- checks that many instructions share --------------------------------------------------- */
/* Scope <id> at operand word i: any, of execution, of memory. Rule ids scope.…. */
HdStatus hd_val_scope(HdVal *v, const HdInst *in, uint32_t i);
HdStatus hd_val_scope_execution(HdVal *v, const HdInst *in, uint32_t i);
HdStatus hd_val_scope_memory(HdVal *v, const HdInst *in, uint32_t i);
/* Memory semantics <id> at operand word i; scope_at: operand word of the memory scope. */
HdStatus hd_val_semantics(HdVal *v, const HdInst *in, uint32_t i, uint32_t scope_at);
/* Memory operands that begin at operand word i (may be past the end). */
HdStatus hd_val_memory_operands(HdVal *v, const HdInst *in, uint32_t i);
/* A constant instruction in the specification's words, those of specialisation included: OpUndef
 * and OpPoisonKHR are none. */
static inline bool hd_opix_is_constant(enum HdOpix opix)
{
    return hd_gram_insts[opix].klass == HD_CLASS_Constant_Creation ||
           opix == HD_OPIX_ConstantFunctionPointerINTEL || opix == HD_OPIX_ConstantPipeStorage;
}
/* What composites of constants are made of: those, too. */
static inline bool hd_opix_is_constituent(enum HdOpix opix)
{
    return hd_opix_is_constant(opix) || opix == HD_OPIX_Undef || opix == HD_OPIX_PoisonKHR;
}
/* Is the id that of a constant instruction? */
bool hd_val_is_constant(const HdVal *v, HdId id);
/* May the constant still be specialised? Not when the module is to be built. */
bool hd_val_is_open(const HdVal *v, const HdConstant *c);
/* Is the type an array whose length may still be specialised? */
bool hd_val_is_open_length(const HdVal *v, const HdType *t);
/* Part i of a constant that is a scalar or vector and not specialised: its bits. False when it is
 * not known. */
bool hd_val_known_part(const HdVal *v, HdId id, uint32_t i, uint64_t *bits);
/* The execution models that a function is an entry point of, each once: call with *at = 0 until it
 * returns false. */
bool hd_val_next_model(const HdVal *v, HdId function, uint32_t *at, uint32_t *model);
/* May an entry point have this execution mode more than once? */
bool hd_val_mode_repeats(uint32_t mode);
/* Is it said once for each width, or type, that its first operand names? */
bool hd_val_mode_per_type(uint32_t mode);
/* Instructions without type that are named as operands all the same: labels, strings … */
bool hd_val_names_things(enum HdOpix user, enum HdOpix thing);

/* ---- passes (val.c calls them in this order) ------------------------------------------------ */
HdStatus hd_val_layout(HdVal *v);
HdStatus hd_val_needs(HdVal *v);
HdStatus hd_val_ids(HdVal *v);
/* Instructions from `word` up to `end`, whole functions. `probing`: end with HD_BAD_INPUT at the
 * first wrong one; nothing that threads share is written. hd_val_listed has been called. */
HdStatus hd_val_ids_range(HdVal *v, uint32_t word, uint32_t end, bool probing);
/* Fills v->listed. */
HdStatus hd_val_listed(HdVal *v);
HdStatus hd_val_entries(HdVal *v);
HdStatus hd_val_modes(HdVal *v);
HdStatus hd_val_calls(HdVal *v);
HdStatus hd_val_decorations(HdVal *v);
/* Every instruction's own rule: of those outside functions, and of OpFunction. */
HdStatus hd_val_body_outside(HdVal *v);
/* Of the others from `word` up to `end`, whole functions; there definitions have to dominate uses,
 * too. */
HdStatus hd_val_body_range(HdVal *v, uint32_t word, uint32_t end);
/* Types: duplicates, and which have limited uses (fills v->limited). */
HdStatus hd_val_types(HdVal *v);
/* Types of what shaders keep in buffers: offsets and strides. */
HdStatus hd_val_explicit(HdVal *v);
/* The sizes of work-groups in Vulkan. */
HdStatus hd_val_vulkan_entries(HdVal *v);
/* Vulkan's built-in variables, where they are declared. */
HdStatus hd_val_vulkan_builtins(HdVal *v);
/* Alignments in blocks, and what has no layout. */
HdStatus hd_val_vulkan_layout(HdVal *v);
/* One instruction's uses of module variables, where Vulkan limits them to execution models. */
HdStatus hd_val_vulkan_uses(HdVal *v, const HdInst *in);
/* Uses of such values by one instruction. */
HdStatus hd_val_limited_uses(HdVal *v, const HdInst *in, const HdOperandTypes *types);
/* Uses of floats of other encodings, where v->any_small. */
HdStatus hd_val_small_uses(HdVal *v, const HdInst *in);
/* The predecessors of a block of the current function, which has a graph. Errors: HD_NO_MEMORY. */
HdStatus hd_val_predecessors(HdVal *v, uint32_t block, const uint32_t **preds, uint32_t *count);
/* Give up what is in v->brief where that is worth it, the predecessors too. */
void hd_val_empty_brief(HdVal *v);
/* Control flow of the current function: v->f and v->cfg are set; numbers its dominator tree. */
HdStatus hd_val_flow(HdVal *v);
/* The same, and what shaders ask of it besides. */
HdStatus hd_val_structure(HdVal *v);

/* ---- Vulkan: parts of hd_val_scope_execution, hd_val_scope_memory, hd_val_semantics -----------
 */
HdStatus hd_val_vulkan_execution(HdVal *v, const HdInst *in, uint32_t scope);
HdStatus hd_val_vulkan_memory(HdVal *v, const HdInst *in, uint32_t scope);
HdStatus hd_val_vulkan_semantics(HdVal *v, const HdInst *in, uint32_t i, uint32_t scope_at,
                                 uint32_t value);

/* ---- by several threads --------------------------------------------------------------------- */
/* Are there several, and is the module large enough for them? */
bool hd_val_has_team(const HdVal *v);
/* hd_val_layout, hd_val_needs, hd_val_ids. */
HdStatus hd_val_team_first(HdVal *v);
/* hd_val_body_range of all functions. */
HdStatus hd_val_team_body(HdVal *v);

/* May a module in this environment declare the capability; use the SPIR-V extension; import the
 * extended instructions? m NULL: is there such a module? */
bool hd_val_env_capability(const HdValEnv *env, const HdModule *m, uint32_t capability);
bool hd_val_env_spirv(const HdValEnv *env, const char *extension);
/* The section of a finding in an environment of Vulkan: its own, or that of vulkan_sections.def. */
const char *hd_val_vulkan_section(const char *rule, const char *sentence, const char *section);
/* The same in an environment of Vulkan; and its part of hd_val_env_find and hd_val_env_extend. */
bool hd_val_vulkan_find(const char *name, HdValEnv *out);
bool hd_val_vulkan_extend(HdValEnv *env, const char *name, size_t len);
bool hd_val_vulkan_capability(const HdValEnv *env, const HdModule *m, uint32_t capability);
bool hd_val_vulkan_spirv(const HdValEnv *env, const char *extension);
bool hd_val_env_set(const HdValEnv *env, const char *name);
/* The SPIR-V version that includes the extension (capabilities that a module declares are checked
 * all the same); UINT32_MAX: none that matters in OpenCL. */
uint32_t hd_val_env_promoted(const char *extension);

#endif
