/* tests/grammar/grammar_dump.c -- all that the grammar tables say, one fact a line.
 *
 * Every row is also looked up by number and by name; a look-up that answers something else is
 * reported and makes the exit status 1.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "grammar/grammar.h"

static int wrong;

static void complain(const char *what, const char *name)
{
    fprintf(stderr, "%s: look-up of %s answers another row\n", what, name);
    wrong = 1;
}

static void print_operands(const HdOperand *o, unsigned count)
{
    printf("[");
    for (unsigned i = 0; i < count; i++)
        printf("%s%u/%u/%s/%s", i > 0 ? ";" : "", o[i].klass, o[i].quantifier,
               o[i].klass == HD_OPERAND_ENUM || o[i].klass == HD_OPERAND_MASK
                   ? hd_gram_kinds[o[i].kind].name
                   : "",
               o[i].name);
    printf("]");
}

static void print_needs(const HdNeeds *n)
{
    printf(" caps=");
    for (unsigned i = 0; i < n->capability_count; i++)
        printf("%s%u", i > 0 ? "," : "", n->capabilities[i]);
    printf(" exts=");
    for (unsigned i = 0; i < n->extension_count; i++) {
        const char *name = hd_gram_extension_name(n->extensions[i]);

        printf("%s%s", i > 0 ? "," : "", name);
        if (hd_gram_extension(name, strlen(name)) != n->extensions[i])
            complain("extension", name);
    }
    printf(" %#x %#x %d\n", n->min_version, n->max_version, n->provisional);
}

/* Names of enum HdInstClass in order, as the JSON spells them. */
static const char *class_name(unsigned klass)
{
    switch (klass) {
#define CLASS(name) \
    case HD_CLASS_##name: return #name;
        CLASS(Miscellaneous)
        CLASS(Debug)
        CLASS(Extension)
        CLASS(Mode_Setting)
        CLASS(Type_Declaration)
        CLASS(Constant_Creation)
        CLASS(Function)
        CLASS(Memory)
        CLASS(Annotation)
        CLASS(Composite)
        CLASS(Image)
        CLASS(Conversion)
        CLASS(Arithmetic)
        CLASS(Bit)
        CLASS(Relational_and_Logical)
        CLASS(Derivative)
        CLASS(Primitive)
        CLASS(Barrier)
        CLASS(Atomic)
        CLASS(Control_Flow)
        CLASS(Group)
        CLASS(Pipe)
        CLASS(Device_Side_Enqueue)
        CLASS(Non_Uniform)
        CLASS(Tensor)
        CLASS(Graph)
        CLASS(Reserved)
        CLASS(Excluded)
#undef CLASS
    default: return "?";
    }
}

static void dump_insts(void)
{
    for (unsigned i = 1; i < HD_OPIX_COUNT; i++) {
        const HdGramInst *g = &hd_gram_insts[i];

        printf("inst %s %u %s ", g->name, g->opcode, class_name(g->klass));
        print_operands(g->operands, g->operand_count);
        print_needs(&g->needs);
        if (hd_gram_find(g->opcode) != i || hd_gram_find_name(g->name, strlen(g->name)) != i ||
            hd_gram_find_name(g->name + 2, strlen(g->name) - 2) != i)
            complain("instruction", g->name);
    }
    if (hd_gram_find_name("OpNothing", 9) != HD_OPIX_NONE || hd_gram_find(0xffff) != HD_OPIX_NONE ||
        hd_gram_find_name("Op", 2) != HD_OPIX_NONE || hd_gram_find_name("", 0) != HD_OPIX_NONE)
        complain("instruction", "nothing");
}

static void dump_kinds(void)
{
    for (size_t k = 0; k < hd_gram_kind_count; k++) {
        const HdKind *kind = &hd_gram_kinds[k];
        const char *owner = "";

        if (k >= HD_KIND_DebugInfo_DebugInfoFlags) /* the first that belongs to a set */
            owner = "set";
        for (unsigned i = 0; i < kind->count; i++) {
            const HdEnumerant *e = &kind->enumerants[i];
            const HdEnumerant *by_value = hd_gram_enumerant((uint16_t)k, e->value);

            printf("enum %s:%s %d %s %u ", owner, kind->name, kind->is_mask, e->name, e->value);
            print_operands(e->parameters, e->parameter_count);
            print_needs(&e->needs);
            if (hd_gram_enumerant_name((uint16_t)k, e->name, strlen(e->name)) != e ||
                by_value == NULL || by_value->value != e->value || by_value > e ||
                (by_value != kind->enumerants && by_value[-1].value == e->value))
                complain(kind->name, e->name);
            if (i > 0 && kind->enumerants[i - 1].value > e->value)
                complain(kind->name, e->name);
        }
    }
}

static void dump_sets(void)
{
    for (unsigned s = 1; s < HD_EXTSET_COUNT; s++) {
        const HdExtSetTable *set = &hd_gram_extsets[s];

        if (hd_gram_extset(set->name, strlen(set->name)) != s)
            complain("set", set->name);
        for (unsigned i = 0; i < set->count; i++) {
            const HdExtInst *e = &set->insts[i];

            printf("ext %s %s %u ", set->name, e->name, e->number);
            print_operands(e->operands, e->operand_count);
            print_needs(&e->needs);
            if (hd_gram_extinst(s, e->number) != e ||
                hd_gram_extinst_name(s, e->name, strlen(e->name)) != e)
                complain(set->name, e->name);
        }
    }
}

/* Names from standard input, to see what the aliases lead to. */
static void look_up_names(void)
{
    char name[128];

    while (scanf("%127s", name) == 1)
        printf("opname %s %u\n", name,
               (unsigned)hd_gram_insts[hd_gram_find_name(name, strlen(name))].opcode);
}

int main(void)
{
    look_up_names();
    dump_insts();
    dump_kinds();
    dump_sets();
    return wrong;
}
