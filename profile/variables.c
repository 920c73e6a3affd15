/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/variables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/attr.h"
#include "base/decimal.h"
#include "base/scan.h"
#include "base/xalloc.h"

enum { PAIR_ROOM = 48, NUMBER_ROOM = 32 };

struct variables *variables_new(void)
{
	struct variables *v = xcalloc(1, sizeof(*v));

	v->arena = arena_new();
	return v;
}

void variables_free(struct variables *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; i < v->n_v; i++) {
		free(v->v[i]->kind);
		free(v->v[i]->number);
		free(v->v[i]->before);
		str_table_release(&v->v[i]->texts);
		str_table_release(&v->v[i]->streams);
	}
	str_table_release(&v->layers);
	str_table_release(&v->names);
	str_table_release(&v->pairs);
	free(v->operation);
	free(v->latency);
	free(v->operations);
	free(v->v);
	arena_free(v->arena);
	free(v);
}

void variables_next_run(struct variables *v)
{
	for (size_t i = 0; i < v->n_v; i++)
		str_table_release(&v->v[i]->streams);
}

/* --- calls ------------------------------------------------------------------------ */

static uint32_t operation_number(struct variables *v, struct str layer, struct str name)
{
	char room[PAIR_ROOM];
	bool fresh;
	size_t of_layer = str_table_add(&v->layers, layer, v->arena, &fresh), number;
	size_t of_name = str_table_add(&v->names, name, v->arena, &fresh);
	int n = snprintf(room, sizeof(room), "%zu/%zu", of_layer, of_name);

	number = str_table_add(&v->pairs, (struct str){ room, (size_t)n }, v->arena, &fresh);
	if (fresh) {
		v->operations = xgrow(v->operations, &v->cap_operations, number + 1,
				      sizeof(*v->operations));
		v->operations[v->n_operations++] =
			(struct traced_operation){ v->layers.key[of_layer], v->names.key[of_name] };
	}
	return (uint32_t)number;
}

/* Successive calls are mostly of the same operation. */
static uint32_t operation_of(struct variables *v, struct str layer, struct str name)
{
	uint32_t last = v->n > 0 ? v->operation[v->n - 1] : 0;

	if (v->n > 0 && str_eq(v->operations[last].name, name) &&
	    str_eq(v->operations[last].layer, layer))
		return last;
	return operation_number(v, layer, name);
}

void variables_call(struct variables *v, struct str layer, struct str name, double latency)
{
	uint32_t operation = operation_of(v, layer, name);

	v->operation = xgrow(v->operation, &v->cap_operation, v->n + 1, sizeof(*v->operation));
	v->latency = xgrow(v->latency, &v->cap_latency, v->n + 1, sizeof(*v->latency));
	v->operation[v->n] = operation;
	v->latency[v->n++] = latency;
}

/* --- variables -------------------------------------------------------------------- */

static struct variable *add_variable(struct variables *v, struct str name, enum variable_role role)
{
	struct variable *one = arena_make(v->arena, struct variable, 1);

	*one = (struct variable){ .name = arena_str(v->arena, name), .role = role };
	v->v = xgrow(v->v, &v->cap_v, v->n_v + 1, sizeof(struct variable *));
	v->v[v->n_v++] = one;
	return one;
}

static void add_derived(struct variables *v, struct variable *from, const char *words,
			enum variable_role role)
{
	struct str name = arena_printf(v->arena, words, STR_ARG(from->name));

	from->derived = add_variable(v, name, role);
	from->derived->from = from;
}

size_t variables_column(struct variables *v, struct str name, enum variable_role role)
{
	struct variable *one;
	size_t at;

	for (size_t i = 0; i < v->n_v; i++) {
		if (v->v[i]->from == NULL && str_eq(v->v[i]->name, name))
			return i;
	}
	at = v->n_v;
	one = add_variable(v, name, role);
	switch (role) {
	case VARIABLE_POSITION:
		add_derived(v, one, "distance of %.*s from the call before", VARIABLE_PLAIN);
		break;
	case VARIABLE_SIZE:
		add_derived(v, one, "size class of %.*s", VARIABLE_PLAIN);
		break;
	case VARIABLE_RESULT:
		add_derived(v, one, "%.*s is 0", VARIABLE_LABEL);
		break;
	case VARIABLE_PLAIN:
	case VARIABLE_LABEL:
		break;
	}
	return at;
}

/* --- cells --------------------------------------------------------------------------- */

static void make_room(const struct variables *v, struct variable *one)
{
	size_t need = v->n;

	one->kind = xgrow(one->kind, &one->cap_kind, need, sizeof(*one->kind));
	one->number = xgrow(one->number, &one->cap_number, need, sizeof(*one->number));
	for (; one->n < need; one->n++)
		one->kind[one->n] = CELL_MISSING;
}

static void set_number(const struct variables *v, struct variable *one, double number)
{
	make_room(v, one);
	one->kind[v->n - 1] = CELL_NUMBER;
	one->number[v->n - 1] = number;
}

static void set_text(struct variables *v, struct variable *one, struct str text)
{
	bool fresh;

	make_room(v, one);
	one->kind[v->n - 1] =
		CELL_TEXT + (uint32_t)str_table_add(&one->texts, text, v->arena, &fresh);
}

/* "0x1f00": an address, flags. */
static bool parse_hexadecimal(struct str s, double *ret)
{
	enum { MAX_DIGITS = 16 };
	uint64_t n = 0;

	if (!str_has_prefix(s, STR("0x")) || s.n == 2 || s.n > 2 + MAX_DIGITS)
		return false;
	for (size_t i = 2; i < s.n; i++) {
		char c = (char)(s.p[i] | 0x20);

		if (is_digit(s.p[i]))
			n = n << 4 | (uint64_t)(s.p[i] - '0');
		else if (c >= 'a' && c <= 'f')
			n = n << 4 | (uint64_t)(c - 'a' + 10);
		else
			return false;
	}
	*ret = (double)n;
	return true;
}

static bool parse_number(struct str s, double *ret)
{
	uint64_t whole;

	if (number_u64(s, &whole) == NUMBER_OK) {
		*ret = (double)whole;
		return true;
	}
	if (s.n > NUMBER_ROOM || !(is_digit(s.p[0]) || s.p[0] == '-' || s.p[0] == '.'))
		return false;
	return parse_hexadecimal(s, ret) || (number_f64(s, ret) == NUMBER_OK && isfinite(*ret));
}

static void set_distance(struct variables *v, struct variable *one, double position,
			 struct str stream)
{
	bool fresh;
	size_t of = str_table_add(&one->streams, stream, v->arena, &fresh);

	one->before = xgrow(one->before, &one->cap_before, of + 1, sizeof(*one->before));
	if (!fresh)
		set_number(v, one->derived, fabs(position - one->before[of]));
	one->before[of] = position;
}

static void set_derived(struct variables *v, struct variable *one, double number, struct str stream)
{
	switch (one->role) {
	case VARIABLE_POSITION:
		set_distance(v, one, number, stream);
		break;
	case VARIABLE_SIZE:
		set_number(v, one->derived, number >= 1 ? exp2(floor(log2(number))) : 0);
		break;
	case VARIABLE_RESULT:
		set_text(v, one->derived, number == 0 ? STR("yes") : STR("no"));
		break;
	case VARIABLE_PLAIN:
	case VARIABLE_LABEL:
		break;
	}
}

void variables_set(struct variables *v, size_t column, struct str value, struct str stream)
{
	struct variable *one = v->v[column];
	double number;

	if (value.n == 0)
		return;
	if (one->role == VARIABLE_LABEL || !parse_number(value, &number)) {
		set_text(v, one, value);
		return;
	}
	set_number(v, one, number);
	if (one->derived != NULL)
		set_derived(v, one, number, stream);
}

enum variable_role variable_role_of(struct str name)
{
	static const struct {
		struct str name;
		enum variable_role role;
	} usual[] = {
		{ STR_INIT("pid"), VARIABLE_LABEL },
		{ STR_INIT("tid"), VARIABLE_LABEL },
		{ STR_INIT("uid"), VARIABLE_LABEL },
		{ STR_INIT("process"), VARIABLE_LABEL },
		{ STR_INIT("thread"), VARIABLE_LABEL },
		{ STR_INIT("cpu"), VARIABLE_LABEL },
		{ STR_INIT("fd"), VARIABLE_LABEL },
		{ STR_INIT("disk"), VARIABLE_LABEL },
		{ STR_INIT("device"), VARIABLE_LABEL },
		{ STR_INIT("site"), VARIABLE_LABEL },
		{ STR_INIT("resource"), VARIABLE_LABEL },
		{ STR_INIT("host"), VARIABLE_LABEL },
		{ STR_INIT("sector"), VARIABLE_POSITION },
		{ STR_INIT("offset"), VARIABLE_POSITION },
		{ STR_INIT("off_kb"), VARIABLE_POSITION },
		{ STR_INIT("offset_b"), VARIABLE_POSITION },
		{ STR_INIT("lba"), VARIABLE_POSITION },
		{ STR_INIT("block"), VARIABLE_POSITION },
		{ STR_INIT("size"), VARIABLE_SIZE },
		{ STR_INIT("bytes"), VARIABLE_SIZE },
		{ STR_INIT("length"), VARIABLE_SIZE },
		{ STR_INIT("len"), VARIABLE_SIZE },
		{ STR_INIT("block size"), VARIABLE_SIZE },
		{ STR_INIT("result"), VARIABLE_RESULT },
		{ STR_INIT("ret"), VARIABLE_RESULT },
		{ STR_INIT("retval"), VARIABLE_RESULT },
		{ STR_INIT("return"), VARIABLE_RESULT },
		{ STR_INIT("status"), VARIABLE_RESULT },
	};

	for (size_t i = 0; i < COUNT_OF(usual); i++) {
		if (str_eq_nocase(usual[i].name, name))
			return usual[i].role;
	}
	return VARIABLE_PLAIN;
}
