/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up and adds the layers and operations of a profile that is being built. */
#include <limits.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"

/* The layer is mostly that of the previous operation. */
struct layer_builder *find_layer(struct builder *b, struct str name)
{
	struct layer_builder *l;
	size_t number;
	bool is_new;

	if (b->op != NULL && str_eq(b->of_op->layer->name, name))
		return b->of_op->layer;
	number = str_table_add(&b->layer_names, name, b->arena, &is_new);
	if (!is_new)
		return b->layer[number];
	l = arena_make(b->scratch, struct layer_builder, 1);
	l->name = b->layer_names.key[number];
	l->number = number;
	l->last = WHOLE_RUN;
	l->first_end = INT_MAX;
	inference_start(&l->rows);
	b->layer = xgrow(b->layer, &b->cap_layers, number + 1, sizeof(*b->layer));
	b->layer[number] = l;
	return l;
}

static bool is_operation(const struct builder *b, size_t number, const struct layer_builder *layer,
			 struct str name)
{
	return b->op_builder[number].layer == layer && str_eq(b->profile->op[number].name, name);
}

void build_room_for_operations(struct builder *b, size_t n)
{
	struct profile *p = b->profile;

	b->op_builder = arena_grow(b->scratch, b->op_builder, &b->cap_op_builders, n,
				   sizeof(*b->op_builder));
	p->op = arena_grow(b->arena, p->op, &b->cap_ops, n, sizeof(*p->op));
}

static size_t add_operation(struct builder *b, struct layer_builder *layer, struct str name)
{
	struct profile *p = b->profile;
	size_t n = p->n_ops++;

	build_room_for_operations(b, n + 1);
	b->op_builder[n] = (struct op_builder){ .layer = layer };
	p->op[n] = (struct operation){ .layer = layer->name,
				       .name = arena_str(b->arena, name),
				       .hist = { .scheme = &bucket_octaves } };
	return n;
}

/* Whether an operation is known; if not, *ret_at is the slot for it in the hash index. */
static bool is_known(const struct builder *b, const struct layer_builder *layer, struct str name,
		     uint32_t hash, size_t *ret_number, size_t *ret_at)
{
	*ret_at = hash_index_first(&b->hash_index, hash);
	while (hash_index_next(&b->hash_index, ret_at, hash, ret_number)) {
		if (is_operation(b, *ret_number, layer, name))
			return true;
		++*ret_at;
	}
	return false;
}

static uint32_t hash_of(const struct builder *b, const struct layer_builder *layer, struct str name)
{
	return hash_index_hash(&b->hash_index, name, layer->number);
}

bool find_added(struct builder *b)
{
	for (; b->n_found < b->profile->n_ops; b->n_found++) {
		const struct op_builder *d = &b->op_builder[b->n_found];
		struct str name = b->profile->op[b->n_found].name;
		size_t number, at;
		uint32_t hash;

		hash_index_reserve(&b->hash_index, b->n_found);
		hash = hash_of(b, d->layer, name);
		if (is_known(b, d->layer, name, hash, &number, &at))
			return build_fail(b, DIAG_OPERATION_TWICE, d->where, "%.*s", STR_ARG(name));
		hash_index_take(&b->hash_index, at, hash, b->n_found);
	}
	b->all_differ = b->ascend = false;
	return true;
}

/* Whether an operation sorts after the last one, by the order in which layers came, then by
 * name. */
static bool comes_last(const struct builder *b, const struct layer_builder *layer, struct str name)
{
	size_t n = b->profile->n_ops;
	const struct layer_builder *last = n > 0 ? b->op_builder[n - 1].layer : NULL;

	return n == 0 || layer->number > last->number ||
	       (layer == last && str_cmp(name, b->profile->op[n - 1].name) > 0);
}

/* Checks operations in batches: a lookup waits for memory, and prefetched ones wait together. */
static bool expect_added(struct builder *b, const struct layer_builder *layer, struct str name)
{
	enum { AT_ONCE = 32 };

	if (b->all_differ)
		return true;
	b->ascend = b->ascend && comes_last(b, layer, name);
	if (b->ascend)
		return true;
	if (b->profile->n_ops - b->n_found >= AT_ONCE && !find_added(b))
		return false;
	hash_index_reserve(&b->hash_index, b->n_found);
	hash_index_prefetch(&b->hash_index, hash_of(b, layer, name));
	return true;
}

bool add_new_operation(struct builder *b, struct layer_builder *layer, struct str name, size_t *ret)
{
	if (!expect_added(b, layer, name))
		return false;
	*ret = add_operation(b, layer, name);
	return true;
}

/* The snapshots of a capture mostly list operations in the same order, so the next one is tried
 * first. */
bool find_operation(struct builder *b, struct layer_builder *layer, struct str name, size_t *ret,
		    bool *ret_new)
{
	size_t next = b->op != NULL ? (size_t)(b->op - b->profile->op) + 1 : 0;
	size_t at;
	uint32_t hash;

	if (!find_added(b))
		return false;
	*ret = next;
	*ret_new = false;
	if (next < b->profile->n_ops && is_operation(b, next, layer, name))
		return true;
	hash_index_reserve(&b->hash_index, b->n_found);
	hash = hash_of(b, layer, name);
	if (is_known(b, layer, name, hash, ret, &at))
		return true;
	hash_index_take(&b->hash_index, at, hash, b->n_found++);
	*ret = add_operation(b, layer, name);
	*ret_new = true;
	return true;
}
