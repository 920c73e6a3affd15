/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classifies calls by the values of a variable. */
#include <stdlib.h>
#include <string.h>

#include "analyze/values/values_parts.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* A sort key that ascends with the number: negative numbers have all bits inverted, others only the
 * sign. */
static uint64_t key_of(double number)
{
	uint64_t bits;

	number += 0.0; /* -0 is 0 */
	memcpy(&bits, &number, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

double sorted_number(const struct sorted_numbers *s, size_t i)
{
	uint64_t bits = s->item[i].key;
	double number;

	bits = bits >> 63 ? bits & ~(UINT64_C(1) << 63) : ~bits;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

static void sort_numbers(const struct variable *v, const struct grouped_calls *calls,
			 struct sorted_numbers *ret)
{
	*ret = (struct sorted_numbers){ xcalloc(calls->n + 1, sizeof(*ret->item)), 0 };
	for (size_t i = 0; i < calls->n; i++) {
		if (variable_kind(v, calls->call[i]) == CELL_NUMBER)
			ret->item[ret->n++] = (struct sort_item){ key_of(v->number[calls->call[i]]),
								  calls->group[i] };
	}
	sort_by_key(ret->item, ret->n);
}

static size_t end_of_equals(const struct sorted_numbers *s, size_t from)
{
	size_t to = from + 1;

	while (to < s->n && s->item[to].key == s->item[from].key)
		to++;
	return to;
}

static size_t count_distinct(const struct sorted_numbers *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i = end_of_equals(s, i))
		n++;
	return n;
}

static struct value_class *add_class(struct arena *a, struct separation *to,
				     enum value_class_kind kind, size_t n_groups)
{
	struct value_class *c = &to->class[to->n++];

	*c = (struct value_class){ .kind = kind, .of_group = arena_make(a, uint64_t, n_groups) };
	return c;
}

static void add_range(struct arena *a, struct separation *to, const struct sorted_numbers *s,
		      size_t from, size_t end, size_t n_groups)
{
	struct value_class *c = add_class(a, to, CLASS_RANGE, n_groups);

	c->low = sorted_number(s, from);
	c->high = sorted_number(s, end - 1);
	c->calls = end - from;
	for (size_t i = from; i < end; i++)
		c->of_group[s->item[i].number]++;
}

/* Makes ranges with about equally many calls; a very frequent value is a range of its own. */
static void add_ranges(struct arena *a, struct separation *to, const struct sorted_numbers *s,
		       size_t n_distinct, size_t n_groups, const struct value_rules *rules)
{
	size_t min = n_distinct <= rules->ranges ? 1 : s->n / rules->ranges + 1;
	size_t from = 0;

	for (size_t i = 0; i < s->n;) {
		size_t end = end_of_equals(s, i);

		if (end - i >= min && i > from) {
			add_range(a, to, s, from, i, n_groups);
			from = i;
		}
		if (end - from >= min || end == s->n) {
			add_range(a, to, s, from, end, n_groups);
			from = end;
		}
		i = end;
	}
}

/* --- names ------------------------------------------------------------------------ */

struct text_count {
	size_t text;
	uint64_t calls;
};

static int by_calls(const void *a, const void *b)
{
	const struct text_count *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

/* Makes a class for each of the most frequent texts, and one for all others; ret_class[] is the
 * class number of each text.  Returns the number of distinct texts. */
static size_t add_names(struct arena *a, const struct variable *v,
			const struct grouped_calls *calls, struct separation *to,
			const struct value_rules *rules, size_t *ret_class)
{
	struct text_count *count = xcalloc(v->texts.n + 1, sizeof(*count));
	size_t n = 0, others;

	for (size_t i = 0; i < v->texts.n; i++)
		count[i].text = i;
	for (size_t i = 0; i < calls->n; i++) {
		uint32_t kind = variable_kind(v, calls->call[i]);

		if (kind >= CELL_TEXT)
			count[kind - CELL_TEXT].calls++;
	}
	qsort(count, v->texts.n, sizeof(*count), by_calls);
	while (n < v->texts.n && count[n].calls > 0)
		n++;
	others = n > rules->max_texts ? to->n + rules->max_texts : SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (to->n < others)
			add_class(a, to, CLASS_TEXT, calls->n_groups)->text =
				v->texts.key[count[i].text];
		else if (to->n == others)
			add_class(a, to, CLASS_OTHERS, calls->n_groups);
		ret_class[count[i].text] = to->n - 1;
	}
	free(count);
	return n;
}

static void count_names(struct arena *a, const struct variable *v,
			const struct grouped_calls *calls, struct separation *to,
			const struct value_rules *rules)
{
	size_t *class_of = xcalloc(v->texts.n + 1, sizeof(*class_of));
	struct value_class *missing = NULL;

	to->n_values += add_names(a, v, calls, to, rules, class_of);
	for (size_t i = 0; i < calls->n; i++) {
		uint32_t kind = variable_kind(v, calls->call[i]);
		struct value_class *c;

		if (kind == CELL_NUMBER)
			continue;
		if (kind == CELL_MISSING && missing == NULL)
			missing = add_class(a, to, CLASS_MISSING, calls->n_groups);
		c = kind == CELL_MISSING ? missing : &to->class[class_of[kind - CELL_TEXT]];
		c->calls++;
		c->of_group[calls->group[i]]++;
	}
	to->n_missing = missing != NULL ? missing->calls : 0;
	free(class_of);
}

void values_classify(struct arena *a, const struct variable *v, const struct grouped_calls *calls,
		     const struct value_rules *rules, struct separation *to,
		     struct sorted_numbers *ret)
{
	size_t n_distinct;

	sort_numbers(v, calls, ret);
	n_distinct = count_distinct(ret);
	to->n_values = n_distinct;
	/* Ranges with at least their share of the calls, a smaller one before each; texts. */
	to->class = arena_make(a, struct value_class, 2 * rules->ranges + rules->max_texts + 4);
	add_ranges(a, to, ret, n_distinct, calls->n_groups, rules);
	count_names(a, v, calls, to, rules);
}
