/* ops/debug/debug_rule.c -- rules of debug information: OpenCL.DebugInfo.100,
 * NonSemantic.Shader.DebugInfo.100 and the older DebugInfo.
 *
 * The sets number their instructions alike and name operands alike, so most of the rules are a
 * table from an operand's name in the grammar to what the operand must be.
 *
 * Spec: OpenCL.DebugInfo.100, "Instructions"; NonSemantic.Shader.DebugInfo.100, "Instructions";
 * DebugInfo, "Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/debug/debug_rule.h"

#include <string.h>

#include "gen/extinst.h"

#define FIRST 5 /* word of the first operand after the instruction's number */
/* Name of an instruction that the sets have. */
#define DI(name) OpenCLDebugInfo100##name
#define NS(name) NonSemanticShaderDebugInfo100##name

typedef HdStatus Want(HdVal *v, const HdInst *in, HdId id, const char *name);

static bool is_set(const HdVal *v, const HdInst *in, unsigned set)
{
    return hd_module_extset(v->m, in->w[3]) == set;
}

static bool is_kernels(const HdVal *v, const HdInst *in)
{
    return is_set(v, in, HD_EXTSET_OpenCL_DebugInfo_100);
}

static bool is_shaders(const HdVal *v, const HdInst *in)
{
    return is_set(v, in, HD_EXTSET_NonSemantic_Shader_DebugInfo_100);
}

static bool is_older(const HdVal *v, const HdInst *in)
{
    return is_set(v, in, HD_EXTSET_DebugInfo);
}

/* The number of a debug instruction of the same set; UINT32_MAX for everything else. */
static uint32_t debug_number(const HdVal *v, const HdInst *in, HdId id)
{
    HdInst other;

    if (!hd_module_def(v->m, id, &other) ||
        (other.opix != HD_OPIX_ExtInst && other.opix != HD_OPIX_ExtInstWithForwardRefsKHR) ||
        hd_module_extset(v->m, other.w[3]) != hd_module_extset(v->m, in->w[3]))
        return UINT32_MAX;
    return other.w[4];
}

static bool is_none(const HdVal *v, const HdInst *in, HdId id)
{
    return debug_number(v, in, id) == DI(DebugInfoNone);
}

/* ---- what operands must be ----------------------------------------------------------------- */

static HdStatus want_string(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(hd_module_opix(v->m, id) == HD_OPIX_String, "debug.string", "%s is not an OpString",
            name);
    return HD_OK;
}

static HdStatus want_string_or_none(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return is_none(v, in, id) ? HD_OK : want_string(v, in, id, name);
}

/* What may be specialised. */
static HdStatus want_any_word(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    const HdType *t = hd_module_type_of(v->m, id);

    HD_RULE(hd_val_is_constant(v, id) && hd_is_int_scalar(t) && t->bits == 32, "debug.number",
            "%s is not a 32-bit integer constant", name);
    return HD_OK;
}

/* Lines, columns and flags of the non-semantic set: what the other one has as literals. */
static HdStatus want_word(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_TRY(want_any_word(v, in, id, name));
    HD_RULE(hd_module_opix(v->m, id) == HD_OPIX_Constant, "debug.number",
            "%s is a constant, but no OpConstant", name);
    return HD_OK;
}

static HdStatus want_size(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    const HdType *t = hd_module_type_of(v->m, id);

    HD_RULE(hd_val_is_constant(v, id) && hd_is_int_scalar(t) && (t->bits == 32 || t->bits == 64),
            "debug.number", "%s is not a 32- or 64-bit integer constant", name);
    return HD_OK;
}

/* Opaque composites have no size. */
static HdStatus want_size_or_none(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return is_none(v, in, id) ? HD_OK : want_size(v, in, id, name);
}

/* In DebugInfo it "is an OpSource", which has no id: the file that OpSource names represents it. */
static HdStatus want_source(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    if (is_older(v, in))
        return want_string_or_none(v, in, id, name);
    HD_RULE(debug_number(v, in, id) == DI(DebugSource), "debug.source", "%s is not a DebugSource",
            name);
    return HD_OK;
}

static bool is_type(uint32_t number)
{
    return (number >= DI(DebugTypeBasic) && number <= DI(DebugTypeComposite)) ||
           number == DI(DebugTypePtrToMember) || number == DI(DebugTypeTemplate) ||
           (number >= NS(DebugTypeMatrix) && number != UINT32_MAX);
}

static bool is_template_parameter(uint32_t number)
{
    return number >= DI(DebugTypeTemplateParameter) && number <= DI(DebugTypeTemplateParameterPack);
}

static HdStatus want_type(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(is_type(debug_number(v, in, id)), "debug.type",
            "%s is not a debug instruction that represents a type", name);
    return HD_OK;
}

/* Pointers to void, enumerations without underlying type, removed types. */
static HdStatus want_type_or_none(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return is_none(v, in, id) ? HD_OK : want_type(v, in, id, name);
}

/* Inside templates: what producers emit for the type of a template parameter. */
static HdStatus want_type_in_template(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return is_template_parameter(debug_number(v, in, id)) ? HD_OK
                                                          : want_type_or_none(v, in, id, name);
}

static HdStatus want_return_type(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return hd_module_opix(v->m, id) == HD_OPIX_TypeVoid ? HD_OK
                                                        : want_type_in_template(v, in, id, name);
}

/* Producers of OpenCL's set name other types of functions that they know less of. */
static HdStatus want_function_type(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_TRY(want_type_or_none(v, in, id, name));
    HD_RULE(is_kernels(v, in) || debug_number(v, in, id) == DI(DebugTypeFunction) ||
                (is_older(v, in) && is_none(v, in, id)),
            "debug.function-type", "%s is not a DebugTypeFunction", name);
    return HD_OK;
}

static HdStatus want_composite(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(debug_number(v, in, id) == DI(DebugTypeComposite), "debug.composite",
            "%s is not a DebugTypeComposite", name);
    return HD_OK;
}

static bool is_scope(uint32_t number)
{
    switch (number) {
    case DI(DebugCompilationUnit):
    case DI(DebugFunction):
    case DI(DebugLexicalBlock):
    case DI(DebugLexicalBlockDiscriminator):
    case DI(DebugTypeComposite):
    case DI(DebugModuleINTEL):
    case DI(DebugInfoNone): return true; /* none: what was removed */
    default: return false;
    }
}

static HdStatus want_scope(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(is_scope(debug_number(v, in, id)), "debug.scope", "%s is not a lexical scope", name);
    return HD_OK;
}

/* One debug instruction and no other. */
static HdStatus want_number(HdVal *v, const HdInst *in, HdId id, const char *name, uint32_t number)
{
    const HdExtInst *e = hd_gram_extinst(hd_module_extset(v->m, in->w[3]), number);

    HD_RULE(debug_number(v, in, id) == number || is_none(v, in, id), "debug.operand",
            "%s is not %s", name, e != NULL ? e->name : "an instruction of this set");
    return HD_OK;
}

static HdStatus want_inlined(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugInlinedAt));
}

static HdStatus want_basic(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugTypeBasic));
}

static HdStatus want_local(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugLocalVariable));
}

static HdStatus want_expression(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugExpression));
}

static HdStatus want_declaration(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugFunctionDeclaration));
}

static HdStatus want_macro(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugMacroDef));
}

static HdStatus want_unit(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugCompilationUnit));
}

static HdStatus want_debug_function(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugFunction));
}

static HdStatus want_type_member(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    return want_number(v, in, id, name, DI(DebugTypeMember));
}

static HdStatus want_debug(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(debug_number(v, in, id) != UINT32_MAX, "debug.operand", "%s is not a debug instruction",
            name);
    return HD_OK;
}

static HdStatus want_function(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(hd_module_opix(v->m, id) == HD_OPIX_Function || is_none(v, in, id), "debug.function",
            "%s is not an OpFunction", name);
    return HD_OK;
}

static bool is_member(uint32_t number, bool older)
{
    switch (number) {
    case DI(DebugTypeMember):
    case DI(DebugFunction):
    case DI(DebugTypeInheritance):
    case DI(DebugInfoNone): return true;
    case DI(DebugFunctionDeclaration):
    case DI(DebugTypeTemplate):
    case DI(DebugTypeComposite): return !older;
    default: return false;
    }
}

static HdStatus want_member(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(is_member(debug_number(v, in, id), is_older(v, in)), "debug.operand",
            "%s has what is not a member, function or inheritance", name);
    return HD_OK;
}

static HdStatus want_target(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    uint32_t n = debug_number(v, in, id);

    HD_RULE(n == DI(DebugTypeComposite) || n == DI(DebugFunction) ||
                n == DI(DebugFunctionDeclaration) || n == DI(DebugInfoNone),
            "debug.operand", "%s is not a composite type or function", name);
    return HD_OK;
}

static HdStatus want_parameter(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(is_template_parameter(debug_number(v, in, id)) || is_none(v, in, id), "debug.operand",
            "%s has what is not a parameter of a template", name);
    return HD_OK;
}

static HdStatus want_constant_or_none(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(hd_val_is_constant(v, id) || is_none(v, in, id), "debug.constant",
            "%s is not a constant or DebugInfoNone", name);
    return HD_OK;
}

static HdStatus want_constant(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(hd_val_is_constant(v, id), "debug.constant", "%s is not a constant", name);
    return HD_OK;
}

/* A value of the program, not a type and not debug information. */
static HdStatus want_value(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    const HdType *t = hd_module_type_of(v->m, id);

    HD_RULE(t != NULL && debug_number(v, in, id) == UINT32_MAX, "debug.value",
            "%s is not a value of the program", name);
    return HD_OK;
}

/* Where a local variable is: the parameter it comes as, too. */
static HdStatus want_variable(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    enum HdOpix opix = hd_module_opix(v->m, id);

    HD_RULE(opix == HD_OPIX_Variable || opix == HD_OPIX_UntypedVariableKHR ||
                opix == HD_OPIX_VariableLengthArrayINTEL || opix == HD_OPIX_FunctionParameter,
            "debug.value", "%s is not a variable or parameter", name);
    return HD_OK;
}

/* What a global variable's debug information is about. */
static HdStatus want_global(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    uint32_t n = debug_number(v, in, id);
    enum HdOpix opix = hd_module_opix(v->m, id);

    HD_RULE(n == DI(DebugExpression) || n == DI(DebugInfoNone) || opix == HD_OPIX_Variable ||
                opix == HD_OPIX_UntypedVariableKHR || opix == HD_OPIX_Function ||
                hd_val_is_constant(v, id),
            "debug.global", "%s is not a variable, constant or expression", name);
    return HD_OK;
}

static HdStatus want_index(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    uint32_t n = debug_number(v, in, id);

    HD_RULE(hd_is_int_scalar(hd_module_type_of(v->m, id)) || n == DI(DebugLocalVariable) ||
                n == DI(DebugGlobalVariable),
            "debug.index", "%s has what is not an integer scalar", name);
    return HD_OK;
}

static HdStatus want_operation(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    HD_RULE(debug_number(v, in, id) == DI(DebugOperation), "debug.operand",
            "%s has what is not a DebugOperation", name);
    return HD_OK;
}

/* An operand that is a literal in one set and a constant in the other; false when unknown. */
static bool value_of(const HdVal *v, const HdInst *in, uint32_t at, uint64_t *out)
{
    if (is_shaders(v, in))
        return hd_module_constant_u64(v->m, in->w[at], out) &&
               !hd_module_constant(v->m, in->w[at])->is_spec;
    *out = in->w[at];
    return true;
}

/* Elements of an array dimension: a constant, or a variable whose type counts. */
static HdStatus want_count(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    uint32_t n = debug_number(v, in, id);
    uint64_t encoding, size;
    HdInst x, t;

    if (n == DI(DebugInfoNone) || n == DI(DebugExpression))
        return HD_OK;
    if (is_older(v, in) || (n != DI(DebugLocalVariable) && n != DI(DebugGlobalVariable))) {
        /* Arrays of any length have no count in one set and the count 0 in the other. */
        HD_RULE(!is_kernels(v, in) || !hd_val_known_part(v, id, 0, &size) || size != 0 || v->kernel,
                "debug.count", "%s is 0", name);
        HD_RULE(is_shaders(v, in) || hd_module_opix(v->m, id) == HD_OPIX_Constant, "debug.count",
                "%s is not an OpConstant", name);
        return want_size(v, in, id, name);
    }
    if (!hd_module_def(v->m, id, &x) || debug_number(v, in, x.w[FIRST + 1]) != DI(DebugTypeBasic) ||
        !hd_module_def(v->m, x.w[FIRST + 1], &t))
        return hd_val_fail(v, in, "debug.count", "%s is a variable of no basic type", name);
    HD_RULE(!value_of(v, &t, FIRST + 2, &encoding) ||
                encoding == OpenCLDebugInfo100DebugBaseTypeAttributeEncoding_Unsigned,
            "debug.count", "%s is a variable that is not an unsigned integer", name);
    HD_RULE(!hd_val_known_part(v, t.w[FIRST + 1], 0, &size) || size == 32 || size == 64,
            "debug.count", "%s is a variable that has neither 32 nor 64 bits", name);
    return HD_OK;
}

/* ---- operands by name ---------------------------------------------------------------------- */

/* Rows with an instruction precede the row of the same name for all others. */
#define ANY UINT32_MAX
static const struct {
    uint32_t number;
    const char *name;
    Want *want;
} wants[] = {
    {DI(DebugLexicalBlock), "Name", want_string},
    {DI(DebugLexicalBlockDiscriminator), "Scope", want_source}, /* its name in DebugInfo */
    {ANY, "Name", want_string},
    {ANY, "Template Name", want_string_or_none},
    {ANY, "Linkage Name", want_string_or_none},
    {ANY, "File", want_string},
    {ANY, "Text", want_string},
    {ANY, "Identifier", want_string},
    {ANY, "Path", want_string},
    {ANY, "Compiler Signature", want_string},
    {ANY, "Command-line Arguments", want_string},
    {ANY, "ConfigurationMacros", want_string},
    {ANY, "IncludePath", want_string},
    {ANY, "APINotesFile", want_string},
    {ANY, "Source", want_source},
    {DI(DebugTypeComposite), "Size", want_size_or_none},
    {ANY, "Size", want_size},
    {ANY, "Offset", want_size},
    {ANY, "Component Counts", want_count},
    {DI(DebugTypeArray), "Base Type", want_type},
    {DI(DebugTypeVector), "Base Type", want_type},
    {ANY, "Base Type", want_type_or_none},
    {ANY, "Component Type", want_basic},
    {ANY, "Underlying Type", want_type_or_none},
    {ANY, "Actual Type", want_type_or_none},
    {ANY, "Member Type", want_type_or_none},
    {DI(DebugFunction), "Type", want_function_type},
    {DI(DebugFunctionDeclaration), "Type", want_function_type},
    {DI(DebugLocalVariable), "Type", want_type_in_template},
    {DI(DebugTypeMember), "Type", want_type_in_template},
    {ANY, "Type", want_type_or_none},
    {ANY, "Return Type", want_return_type},
    {ANY, "Parameter Types", want_type_in_template},
    {ANY, "Paramter Types", want_type_in_template}, /* so spelt in DebugInfo */
    {DI(DebugTypeInheritance), "Parent", want_composite},
    {DI(DebugTypeMember), "Parent", want_composite},
    {DI(DebugTypePtrToMember), "Parent", want_composite},
    {ANY, "Child", want_composite},
    {ANY, "Parent", want_scope},
    {NS(DebugTypeCooperativeMatrixKHR), "Scope", want_any_word},
    {NS(DebugTypeCooperativeMatrixKHR), "Rows", want_any_word},
    {NS(DebugTypeCooperativeMatrixKHR), "Columns", want_any_word},
    {NS(DebugTypeCooperativeMatrixKHR), "Use", want_any_word},
    {NS(DebugTypeVectorIdEXT), "Component Count", want_any_word},
    {ANY, "Scope", want_scope},
    {DI(DebugInlinedVariable), "Variable", want_local},
    {DI(DebugInlinedVariable), "Inlined", want_inlined},
    {ANY, "Inlined At", want_inlined},
    {ANY, "Inlined", want_inlined},
    {ANY, "Local Variable", want_local},
    {ANY, "Expression", want_expression},
    {DI(DebugGlobalVariable), "Variable", want_global},
    {DI(DebugDeclare), "Variable", want_variable},
    {ANY, "Variable", want_value},
    {NS(DebugFunctionDefinition), "Function", want_debug_function},
    {NS(DebugFunctionDefinition), "Definition", want_function},
    {ANY, "Function", want_function},
    {ANY, "Declaration", want_declaration},
    {ANY, "Entry Point", want_debug_function},
    {ANY, "Compilation Unit", want_unit},
    {ANY, "Members", want_member},
    {ANY, "Target", want_target},
    {ANY, "Parameters", want_parameter},
    {ANY, "Template Parameters", want_parameter},
    {DI(DebugMacroDef), "Value", want_string},
    {ANY, "Macro", want_macro},
    {DI(DebugValue), "Value", want_value},
    {DI(DebugTypeTemplateParameter), "Value", want_constant_or_none},
    {DI(DebugTypeMember), "Value", want_constant},
    {ANY, "Indexes", want_index},
    {DI(DebugExpression), "Operands ...", want_operation},
    {ANY, "Static Member Declaration", want_type_member},
    {ANY, "Entity", want_debug},
    {NS(DebugTypeMatrix), "Vector Type", want_type},
    {NS(DebugTypeMatrix), "Column Major", want_constant},
};

#define WANT_COUNT (sizeof wants / sizeof *wants)

/* The row of an operand; WANT_COUNT: there is none. */
static size_t find_want(uint32_t number, const char *name)
{
    size_t i = 0;

    while (i < WANT_COUNT && ((wants[i].number != ANY && wants[i].number != number) ||
                              strcmp(wants[i].name, name) != 0))
        i++;
    return i;
}

/* The same, remembered: modules with debug information are mostly that. False: no memory. */
static bool recall_want(HdVal *v, uint32_t number, const HdOperand *o, uint64_t *want)
{
    uint64_t key = (uint64_t)(uintptr_t)o ^ (uint64_t)number << 48;
    struct HdValDebug *debug = hd_val_debug(v);

    if (debug == NULL)
        return false;
    if (hd_map_get(&debug->want_of, key, want))
        return true;
    *want = find_want(number, o->name);
    return hd_map_put(v->a, &debug->want_of, key, *want);
}

static HdStatus operand(HdVal *v, const HdInst *in, uint32_t at, const HdOperand *o)
{
    uint64_t i = 0;

    if (o->klass != HD_OPERAND_ID)
        return HD_OK;
    if (!recall_want(v, in->w[4], o, &i)) {
        v->stop = true;
        return HD_NO_MEMORY;
    }
    if (i < WANT_COUNT)
        return wants[i].want(v, in, in->w[at], o->name);
    return is_shaders(v, in) ? want_word(v, in, in->w[at], o->name) : HD_OK;
}

/* Pairs of a constant and its name. */
static HdStatus enumerators(HdVal *v, const HdInst *in, uint32_t from)
{
    for (uint32_t i = from; i + 1 < in->nwords; i += 2) {
        HD_RULE(hd_val_is_constant(v, in->w[i]) && hd_is_int_scalar(hd_val_operand(v, in, i)),
                "debug.number", "Value %u is not an integer constant", (unsigned)in->w[i]);
        HD_TRY(want_string(v, in, in->w[i + 1], "Name"));
    }
    return HD_OK;
}

/* ---- what concerns several operands --------------------------------------------------------- */

/* Words: 5 source, 6 line start, 7 line end, 8 column start, 9 column end. A location may end
 * behind its last character. */
static HdStatus line_range(HdVal *v, const HdInst *in)
{
    uint64_t x[4];

    for (uint32_t i = 0; i < 4; i++)
        if (!value_of(v, in, FIRST + 1 + i, &x[i]))
            return HD_OK;
    if (x[0] == 0 && is_shaders(v, in)) /* glslang's, where there is no line */
        return hd_val_warn(v, in, "debug.line", "lines are counted from 1");
    HD_RULE(x[0] != 0, "debug.line", "lines are counted from 1");
    HD_RULE(x[1] >= x[0], "debug.line", "the line where the location ends is before its start");
    HD_RULE(x[1] != x[0] || x[3] >= x[2], "debug.line",
            "the column where the location ends is before its start");
    if (x[1] != x[0])
        HD_TRY(hd_rule_debug_text(v, in, in->w[FIRST], x[0], x[2]));
    return hd_rule_debug_text(v, in, in->w[FIRST], x[1], x[3] - (x[3] != 0));
}

static HdStatus vector_shape(HdVal *v, const HdInst *in)
{
    uint64_t n;

    if (!value_of(v, in, FIRST + 1, &n))
        return HD_OK;
    HD_RULE((n >= 1 && n <= 4) || n == 8 || n == 16 ||
                (n != 0 && hd_val_cap(v, SpvCapabilityLongVectorEXT)),
            "debug.vector-count", "there are no vectors of %llu components", (unsigned long long)n);
    return HD_OK;
}

static HdStatus matrix_shape(HdVal *v, const HdInst *in)
{
    uint64_t n;

    HD_RULE(debug_number(v, in, in->w[FIRST]) == DI(DebugTypeVector), "debug.matrix",
            "Vector Type is not a DebugTypeVector");
    HD_RULE(!value_of(v, in, FIRST + 1, &n) || (n != 0 && n <= 4), "debug.matrix",
            "a matrix has 1 to 4 columns");
    HD_RULE(hd_is_bool(hd_val_operand(v, in, FIRST + 2)), "debug.matrix",
            "Column Major is not a boolean");
    return HD_OK;
}

/* Words: 5 child, 6 parent. Unions take no part in inheritance. */
static HdStatus inheritance(HdVal *v, const HdInst *in)
{
    uint32_t count = is_shaders(v, in) ? 1 : 2;

    for (uint32_t i = FIRST; i < FIRST + count; i++) {
        HdInst c;
        uint64_t tag;

        if (hd_module_def(v->m, in->w[i], &c) && value_of(v, &c, FIRST + 1, &tag))
            HD_RULE(tag != OpenCLDebugInfo100DebugCompositeType_Union, "debug.inheritance",
                    "a union takes no part in inheritance");
    }
    return HD_OK;
}

/* Words: 11 size, 12 flags. Only what is declared and not defined has no size. */
static HdStatus enum_size(HdVal *v, const HdInst *in)
{
    uint64_t size = 1, flags = 0;

    HD_TRY(enumerators(v, in, FIRST + 8));
    if (hd_module_constant_u64(v->m, in->w[FIRST + 6], &size) && size == 0 &&
        value_of(v, in, FIRST + 7, &flags))
        HD_RULE((flags & OpenCLDebugInfo100DebugInfoFlags_FlagFwdDecl) != 0, "debug.enum-size",
                "an enumeration that is defined has a size");
    return HD_OK;
}

/* Words: 5 the DebugFunction, 6 the OpFunction. One for each function, in its first block. */
static HdStatus definition(HdVal *v, const HdInst *in)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (v->f == NULL)
        return HD_OK;
    HD_RULE(v->block == v->f->first_block, "debug.definition",
            "DebugFunctionDefinition belongs into the function's first block");
    HD_RULE(in->w[FIRST + 1] == v->f->id, "debug.definition", "Definition is another function");
    word = v->f->word;
    for (HdInst other; word < in->word && hd_module_next(v->m, &word, &other);)
        if (other.opix == HD_OPIX_ExtInst && other.w[3] == in->w[3])
            HD_RULE(other.w[4] != in->w[4], "debug.definition",
                    "the function has a DebugFunctionDefinition already");
    return HD_OK;
}

/* The line and column of a declaration: operands of those names after a Source. */
static HdStatus declared_at(HdVal *v, const HdInst *in, const HdExtInst *e)
{
    if (is_older(v, in))
        return HD_OK; /* its sources have no text */
    for (uint32_t i = 0; i + 2 < e->operand_count && FIRST + i + 2 < in->nwords; i++) {
        uint64_t line, column;

        if (e->operands[i].name[0] == 'S' && strcmp(e->operands[i].name, "Source") == 0 &&
            strcmp(e->operands[i + 1].name, "Line") == 0 &&
            strcmp(e->operands[i + 2].name, "Column") == 0 &&
            value_of(v, in, FIRST + i + 1, &line) && value_of(v, in, FIRST + i + 2, &column))
            return hd_rule_debug_text(v, in, in->w[FIRST + i], line, column);
    }
    return HD_OK;
}

static HdStatus pointer_shape(HdVal *v, const HdInst *in)
{
    HD_RULE(is_shaders(v, in) || !hd_operands_is_no_class(HD_KIND_StorageClass, in->w[FIRST + 1]),
            "debug.operand", "Storage Class is not a storage class");
    return HD_OK;
}

/* Words of a DebugTypeComposite of DebugInfo: 5 name, 11 size, 13 on members. What has no size is
 * opaque. */
static HdStatus opaque(HdVal *v, const HdInst *in)
{
    HdInst name;

    if (!is_older(v, in) || !is_none(v, in, in->w[FIRST + 6]))
        return HD_OK;
    HD_RULE(in->nwords == FIRST + 8, "debug.opaque", "a type without Size has no Members");
    HD_RULE(!hd_module_def(v->m, in->w[FIRST], &name) || hd_inst_string(&name, 2)[0] == '@',
            "debug.opaque", "the Name of a type without Size must begin with @");
    return HD_OK;
}

/* Words: 5 operation, 6 on its operands. Spec: "Debug Operations". */
static HdStatus operation(HdVal *v, const HdInst *in)
{
    const HdEnumerant *e;
    uint64_t op;

    if (!value_of(v, in, FIRST, &op))
        return HD_OK;
    e = op > UINT32_MAX
            ? NULL
            : hd_gram_enumerant(HD_KIND_OpenCL_DebugInfo_100_DebugOperation, (uint32_t)op);
    HD_RULE(e != NULL, "debug.operation", "there is no operation %llu", (unsigned long long)op);
    HD_RULE(in->nwords == FIRST + 1 + e->parameter_count, "debug.operation",
            "the operation %s has %u operands", e->name, (unsigned)e->parameter_count);
    return HD_OK;
}

#define SHADERS "NonSemantic.Shader.DebugInfo."

static bool is_revision(const HdVal *v, const HdInst *in, const char *set)
{
    HdInst import;

    return hd_module_def(v->m, in->w[3], &import) && strcmp(hd_inst_string(&import, 2), set) == 0;
}

/* What the set's first revision, 100, does not have. */
static HdStatus later_revision(HdVal *v, const HdInst *in, const char *what)
{
    HD_RULE(!is_revision(v, in, SHADERS "100"), "debug.revision", "%s needs " SHADERS "101", what);
    return HD_OK;
}

/* Words: 7 encoding, 9 encoding of floats, of revision 101. */
static HdStatus basic_shape(HdVal *v, const HdInst *in)
{
    const uint32_t at = FIRST + 4;
    uint64_t encoding, floats;

    if (!is_shaders(v, in) || at >= in->nwords)
        return HD_OK;
    HD_TRY(later_revision(v, in, "FPEncoding"));
    HD_RULE(!value_of(v, in, FIRST + 2, &encoding) ||
                encoding == OpenCLDebugInfo100DebugBaseTypeAttributeEncoding_Float,
            "debug.fp-encoding", "FPEncoding is for types whose Encoding is Float");
    /* Revisions to come may have more. */
    HD_RULE(!is_revision(v, in, SHADERS "101") || !value_of(v, in, at, &floats) ||
                (floats <= UINT32_MAX &&
                 hd_gram_enumerant(HD_KIND_FPEncoding, (uint32_t)floats) != NULL),
            "debug.fp-encoding", "FPEncoding %llu is no encoding of floats",
            (unsigned long long)floats);
    return HD_OK;
}

static HdStatus shape(HdVal *v, const HdInst *in)
{
    switch (in->w[4]) {
    case DI(DebugTypeBasic): return basic_shape(v, in);
    case DI(DebugTypePointer): return pointer_shape(v, in);
    case DI(DebugTypeVector): return vector_shape(v, in);
    case DI(DebugTypeInheritance): return inheritance(v, in);
    case DI(DebugTypeEnum): return enum_size(v, in);
    case DI(DebugTypeComposite): return opaque(v, in);
    case DI(DebugOperation): return operation(v, in);
    case NS(DebugTypeMatrix): return matrix_shape(v, in);
    case NS(DebugTypeVectorIdEXT):
    case NS(DebugTypeCooperativeMatrixKHR): return later_revision(v, in, "this instruction");
    case NS(DebugLine): return line_range(v, in);
    case NS(DebugFunctionDefinition): return definition(v, in);
    default: return HD_OK;
    }
}

/* ---- place ---------------------------------------------------------------------------------- */

static bool in_blocks(uint32_t number)
{
    switch (number) {
    case DI(DebugScope):
    case DI(DebugNoScope):
    case DI(DebugDeclare):
    case DI(DebugValue):
    case NS(DebugFunctionDefinition):
    case NS(DebugLine):
    case NS(DebugNoLine): return true;
    default: return false;
    }
}

static HdStatus place(HdVal *v, const HdInst *in, const char *name)
{
    bool inside = v->f != NULL && v->block != UINT32_MAX;

    /* Descriptions of parameters may follow them. */
    if (v->f != NULL && (in->w[4] == DI(DebugDeclare) || in->w[4] == DI(DebugValue)))
        return HD_OK;
    if (in_blocks(in->w[4]))
        HD_RULE(inside, "debug.place", "%s must be inside a block", name);
    else
        HD_RULE(v->f == NULL, "debug.place", "%s must be outside functions", name);
    return HD_OK;
}

HdStatus hd_rule_forward_refs(HdVal *v, const HdInst *in)
{
    const char *spec = "SPV_KHR_relaxed_extended_instruction";
    HdInst import;
    bool forward = false;

    if (hd_module_def(v->m, in->w[3], &import) &&
        strncmp(hd_inst_string(&import, 2), "NonSemantic.", 12) != 0)
        return hd_val_fail_spec(v, in, "debug.forward", spec,
                                "ids that come later are for non-semantic instructions");
    for (uint32_t i = FIRST; i < in->nwords; i++)
        forward = forward || (in->w[i] < v->m->bound && v->m->def[in->w[i]] > in->word);
    if (!forward)
        return hd_val_fail_spec(v, in, "debug.forward", spec, "no operand comes later");
    return HD_OK;
}

/* DebugInfo's DebugValue begins with a Local Variable, which the grammar forgot. */
static const HdExtInst *row_of(const HdVal *v, const HdInst *in)
{
    unsigned set = hd_module_extset(v->m, in->w[3]);

    if (is_older(v, in) && in->w[4] == DI(DebugValue))
        set = HD_EXTSET_OpenCL_DebugInfo_100;
    return hd_gram_extinst(set, in->w[4]);
}

HdStatus hd_rule_debug(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdExtInst *e = row_of(v, in);
    uint32_t at = 0;

    if (e == NULL)
        return HD_OK;
    HD_RULE(in->w[4] != DI(DebugValue) || in->nwords >= FIRST + 3, "debug.operand",
            "there is no Expression");
    HD_RULE(t->kind == HD_T_VOID, "debug.result", "the result is not void");
    HD_TRY(place(v, in, e->name));
    for (uint32_t i = FIRST; i < in->nwords && at < e->operand_count; i++) {
        if (in->w[4] == DI(DebugTypeEnum) && i >= FIRST + 8)
            break; /* pairs */
        HD_TRY(operand(v, in, i, &e->operands[at]));
        at += at + 1 < e->operand_count;
    }
    HD_TRY(declared_at(v, in, e));
    return shape(v, in);
}
