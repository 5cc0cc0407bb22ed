/* interp/builtin.c -- built-in variables and Private variables of the module: private memory of
 * each lane, filled when it starts.
 *
 * Spec: SPIR-V, "BuiltIn"; OpenCL SPIR-V Environment, "Built-in Variables"; OpenCL C, "Work-Item
 * Functions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "interp/room.h"
#include "interp/shadow.h"
#include "interp/state.h"

/* Written as a whole: loading several numbers together after writing them one by one stalls. */
typedef uint64_t Ids __attribute__((vector_size(32)));

typedef struct Item {
    const HdInterpGroup *g;
    Ids local, global;
    uint32_t linear, lane, subgroup, subgroup_items, items;
} Item;

static uint64_t product(const uint64_t v[3])
{
    return v[0] * v[1] * v[2];
}

static bool is_mask(uint32_t builtin)
{
    return builtin == SpvBuiltInSubgroupEqMask || builtin == SpvBuiltInSubgroupGeMask ||
           builtin == SpvBuiltInSubgroupGtMask || builtin == SpvBuiltInSubgroupLeMask ||
           builtin == SpvBuiltInSubgroupLtMask;
}

/* Lanes of the widest sub-group in relation to this one. */
static uint64_t mask_of(const Item *x, uint32_t builtin)
{
    uint64_t all = x->g->width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << x->g->width) - 1;
    uint64_t own = UINT64_C(1) << x->lane, below = own - 1;

    switch (builtin) {
    case SpvBuiltInSubgroupEqMask: return own;
    case SpvBuiltInSubgroupGeMask: return all & ~below;
    case SpvBuiltInSubgroupGtMask: return all & ~below & ~own;
    case SpvBuiltInSubgroupLeMask: return below | own;
    default: return below;
    }
}

/* Ids and sizes with one component for each dimension; NULL when it is none of them. */
static const uint64_t *vector_of(const Item *x, uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInNumWorkgroups: return x->g->num_groups;
    case SpvBuiltInWorkgroupSize: return x->g->local_size;
    case SpvBuiltInWorkgroupId: return x->g->group_id;
    case SpvBuiltInLocalInvocationId: return (const uint64_t *)&x->local;
    case SpvBuiltInGlobalInvocationId: return (const uint64_t *)&x->global;
    case SpvBuiltInGlobalSize: return x->g->global_size;
    case SpvBuiltInEnqueuedWorkgroupSize: return x->g->enqueued_local_size;
    case SpvBuiltInGlobalOffset: return x->g->global_offset;
    default: return NULL;
    }
}

static bool scalar_of(const Item *x, uint32_t builtin, uint64_t *value)
{
    const HdInterpGroup *g = x->g;
    uint64_t at[3];

    switch (builtin) {
    case SpvBuiltInLocalInvocationIndex:
        *value = (x->local[2] * g->local_size[1] + x->local[1]) * g->local_size[0] + x->local[0];
        return true;
    case SpvBuiltInWorkDim: *value = g->work_dim; return true;
    case SpvBuiltInGlobalLinearId:
        for (unsigned i = 0; i < 3; i++)
            at[i] = x->global[i] - g->global_offset[i];
        *value = (at[2] * g->global_size[1] + at[1]) * g->global_size[0] + at[0];
        return true;
    case SpvBuiltInSubgroupSize: /* a shader's counts lanes that have no work-item */
        *value = g->kernel != NULL && g->kernel->is_shader ? g->width : x->subgroup_items;
        return true;
    case SpvBuiltInSubgroupMaxSize: *value = g->width; return true;
    case SpvBuiltInNumSubgroups: *value = (x->items + g->width - 1) / g->width; return true;
    case SpvBuiltInNumEnqueuedSubgroups:
        *value = (product(g->enqueued_local_size) + g->width - 1) / g->width;
        return true;
    case SpvBuiltInSubgroupId: *value = x->subgroup; return true;
    case SpvBuiltInSubgroupLocalInvocationId: *value = x->lane; return true;
    case SpvBuiltInDeviceIndex: *value = 0; return true; /* of the only device */
    default: return false;
    }
}

bool hd_interp_knows_input(const HdType *t, uint32_t builtin)
{
    const HdInterpGroup none = {.width = 1};
    const Item x = {.g = &none};
    uint64_t value;

    if (t == NULL || hd_type_scalar(t)->kind != HD_T_INT)
        return false;
    if (is_mask(builtin))
        return hd_type_lanes(t) == 4 && hd_type_scalar(t)->bits == 32;
    if (vector_of(&x, builtin) != NULL)
        return hd_type_lanes(t) == 3;
    return hd_type_lanes(t) == 1 && scalar_of(&x, builtin, &value);
}

/* The ids of an item by its place in the group. */
static void find_ids(Item *x)
{
    const HdInterpGroup *g = x->g;
    uint64_t id[3];

    hd_kernel_local_id(g->kernel, x->linear, g->local_size, id);
    for (unsigned i = 0; i < 3; i++) {
        x->local[i] = id[i];
        x->global[i] = g->global_offset[i] + g->group_id[i] * g->enqueued_local_size[i] + id[i];
    }
}

/* The next lane's ids. */
static void step(Item *x)
{
    const Ids first = {1};

    x->linear++;
    x->lane++;
    if (x->g->kernel->quads == HD_QUADS_SQUARE) {
        find_ids(x);
        return;
    }
    x->local += first;
    x->global += first;
    for (unsigned i = 0; i < 3 && x->local[i] == x->g->local_size[i]; i++) {
        x->global[i] -= x->local[i];
        x->local[i] = 0;
        if (i < 2) {
            x->local[i + 1]++;
            x->global[i + 1]++;
        }
    }
}

/* What a lane's variable holds. `v`: of the three numbers of a vector, `bytes` each; or NULL. */
static void put(const Item *x, uint32_t builtin, const uint64_t *v, uint64_t bytes,
                unsigned char *to)
{
    uint64_t value = 0;

    if (v != NULL && bytes == sizeof *v) {
        memcpy(to, v, 3 * sizeof *v);
    } else if (v != NULL) {
        for (unsigned i = 0; i < 3; i++)
            hd_bits_put(to + i * bytes, bytes, v[i]);
    } else if (is_mask(builtin)) {
        const uint64_t parts[2] = {mask_of(x, builtin), 0};

        memcpy(to, parts, sizeof parts);
    } else {
        scalar_of(x, builtin, &value);
        hd_bits_put(to, bytes, value);
    }
}

/* One built-in variable of all lanes from `first` on; lanes' variables are lane_bytes apart. */
static void put_lanes(const Item *first, const HdInput *input, uint32_t width, unsigned char *to,
                      uint64_t lane_bytes, uint64_t *places)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(input->type));
    Item x = *first;
    const uint64_t *v = vector_of(&x, input->builtin);

    for (uint32_t lane = 0; lane < width; lane++, to += lane_bytes, step(&x)) {
        places[lane] = (uint64_t)(uintptr_t)to;
        put(&x, input->builtin, v, bytes, to);
    }
}

/* A Private variable of all lanes begins to live. */
static HdStatus begin_private(HdInterpRun *r, HdInterpSub *s, const HdInput *input,
                              uint64_t *places)
{
    const uint64_t bytes = hd_type_size(input->type);
    unsigned char *to = s->private_at + input->offset;

    for (uint32_t lane = 0; lane < r->g->width; lane++, to += r->private_lane) {
        places[lane] = (uint64_t)(uintptr_t)to;
        if (input->first != NULL &&
            !hd_constant_write(r->p->m, input->first, to, hd_interp_address, r))
            return HD_NO_MEMORY;
        if (s->e.watch != NULL)
            hd_shadow_memory_define(&s->e, places[lane], bytes, input->first != NULL);
    }
    return HD_OK;
}

unsigned hd_interp_builtin(const HdInterpRun *r, uint32_t item, uint32_t builtin, unsigned char *to)
{
    HdInterpGroup g = *r->g;
    Item x = {.g = &g, .linear = item, .items = r->items};
    const uint64_t *v;

    g.width = g.subgroup_width != 0 ? g.subgroup_width : g.width;
    x.lane = item % g.width;
    x.subgroup = item / g.width;
    find_ids(&x);
    v = vector_of(&x, builtin);
    put(&x, builtin, v, sizeof(uint32_t), to);
    return is_mask(builtin) ? 4 : v != NULL ? 3 : 1;
}

HdStatus hd_interp_inputs(HdInterpRun *r, HdInterpSub *s)
{
    const HdInterpProgram *p = r->p;
    const HdInterpGroup *g = r->g;
    uint32_t width = g->width, rest = r->items - s->e.first, first = s->e.first;
    Item x = {.g = g,
              .linear = first,
              .subgroup = s->e.subgroup,
              .subgroup_items = rest < width ? rest : width,
              .items = r->items};

    HD_TAKE(s->inputs, hd_room_take(r->room, (p->input_count + 1) * width * sizeof *s->inputs));
    find_ids(&x);
    for (size_t i = 0; i < p->input_count; i++) {
        if (p->inputs[i].builtin == HD_INPUT_PRIVATE)
            HD_TRY(begin_private(r, s, &p->inputs[i], s->inputs + i * width));
        else
            put_lanes(&x, &p->inputs[i], width, s->private_at + p->inputs[i].offset,
                      r->private_lane, s->inputs + i * width);
    }
    return HD_OK;
}
