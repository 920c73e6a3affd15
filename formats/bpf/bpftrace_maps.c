/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bpf/bpftrace_maps.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "formats/bpf/bpftrace_entries.h"
#include "formats/format.h"

struct maps *maps_new(struct input *in, struct arena *arena, struct diag *diag)
{
	struct maps *m = xcalloc(1, sizeof(*m));

	m->in = in;
	m->arena = arena;
	m->diag = diag;
	m->current = NO_KEY;
	return m;
}

void maps_free(struct maps *m)
{
	if (m == NULL)
		return;
	str_table_release(&m->names);
	hash_index_release(&m->hash_index);
	free(m->map);
	free(m->scratch);
	free(m);
}

static struct map *add_map(struct maps *m, size_t number)
{
	struct map *map = arena_make(m->arena, struct map, 1);

	map->name = m->names.key[number];
	map->number = number;
	map->unit = unit_in_name(map->name);
	m->map = xgrow(m->map, &m->cap_maps, number + 1, sizeof(struct map *));
	m->map[number] = map;
	if (number > 0)
		m->map[number - 1]->next = map;
	else
		m->first = map;
	return map;
}

/* Tries the current map, and the next one, as snapshots have their maps in the same order. */
static struct map *expected_map(const struct maps *m, struct str name)
{
	struct map *next;

	if (m->last == NULL || str_eq(m->last->name, name))
		return m->last;
	next = m->last->next != NULL ? m->last->next : m->first;
	return str_eq(next->name, name) ? next : NULL;
}

struct map *maps_find(struct maps *m, struct str name)
{
	struct map *expected = expected_map(m, name);
	size_t number;
	bool is_new;

	if (expected == NULL) {
		number = str_table_add(&m->names, name, m->arena, &is_new);
		expected = is_new ? add_map(m, number) : m->map[number];
	}
	m->last = expected;
	return expected;
}

void map_is_average(struct map *map)
{
	map->average = true;
}

/* --- entries ----------------------------------------------------------------- */

static struct entry *add_entry(struct maps *m)
{
	struct entry *entry;

	m->entry = arena_grow(m->arena, m->entry, &m->cap_entries, m->n_entries + 1,
			      sizeof(*m->entry));
	entry = &m->entry[m->n_entries++];
	*entry = (struct entry){ .key = NO_KEY, .begins = m->print_begins };
	m->print_begins = false;
	return entry;
}

/* Marks a key that is repeated within a snapshot, if the reader knows where snapshots begin. */
static void note_repeat(struct maps *m, struct entry *e)
{
	struct key *key = &m->key[e->key];
	uint32_t number = (uint32_t)(e - m->entry);

	if (m->print > 0 && key->print == m->print) {
		e->repeats = true;
		m->entry[key->entry].again = number;
	}
	key->print = m->print;
	key->entry = number;
}

static struct entry *add_map_entry(struct maps *m, enum entry_kind kind, const struct map_entry *e)
{
	uint32_t key = maps_add_key(m, e, kind);
	struct entry *entry = add_entry(m);

	entry->key = key;
	note_repeat(m, entry);
	entry->where = e->where.p;
	entry->n_where = e->where.n < UINT32_MAX ? (uint32_t)e->where.n : UINT32_MAX;
	if (e->map->where.p == NULL)
		e->map->where = e->where;
	if (e->map->first_key.p == NULL)
		e->map->first_key = m->key[key].text;
	return entry;
}

void maps_histogram(struct maps *m, const struct map_entry *e)
{
	add_map_entry(m, ENTRY_HISTOGRAM, e)->first_row = m->n_rows;
	e->map->histogram = true;
}

static void note_top(struct maps *m, double low, double high, uint64_t count, struct str where)
{
	if (low >= MAPS_TOP_HIGH || (high > MAPS_TOP_HIGH && !isinf(high))) {
		m->above_top = true;
	} else if (low == MAPS_TOP_LOW && high == MAPS_TOP_HIGH && count > 0) {
		entry_key(m, &m->entry[m->n_entries - 1])->map->top_filled = true;
		m->top = m->top.p == NULL ? where : m->top;
	}
}

void maps_top_is_closed(struct maps *m)
{
	m->above_top = true;
}

void maps_row(struct maps *m, double low, double high, uint64_t count, struct str where)
{
	struct entry *e = &m->entry[m->n_entries - 1];

	m->row = arena_grow(m->arena, m->row, &m->cap_rows, m->n_rows + 1, sizeof(*m->row));
	m->row[m->n_rows++] = (struct map_row){ low, high, count, where };
	e->n_rows++;
	e->order += (double)count;
	if (high >= MAPS_TOP_HIGH)
		note_top(m, low, high, count, where);
}

void maps_scalar(struct maps *m, const struct map_entry *e, struct decimal value)
{
	struct entry *entry = add_map_entry(m, ENTRY_SCALAR, e);

	entry->total = value;
	entry->order = decimal_f64(value);
	e->map->scalar = true;
}

void maps_stats(struct maps *m, const struct map_entry *e, uint64_t count, struct decimal total)
{
	struct entry *entry = add_map_entry(m, ENTRY_STATS, e);

	entry->count = count;
	entry->total = total;
	e->map->stats = true;
}

bool maps_join_stats(struct maps *m)
{
	static const struct str field[] = { STR_INIT("count"), STR_INIT("average"),
					    STR_INIT("total") };
	struct entry *entry;
	decimal_int count;

	if (m->n_entries < COUNT_OF(field))
		return false;
	entry = &m->entry[m->n_entries - COUNT_OF(field)];
	for (size_t i = 0; i < COUNT_OF(field); i++) {
		const struct key *key = entry_key(m, &entry[i]);

		if (key == NULL || key->kind != ENTRY_SCALAR || key->map != m->last ||
		    !str_eq(key->text, field[i]))
			return false;
	}
	count = entry[0].total.billionths / decimal_from_u64(1).billionths;
	if (count < 0 || count > UINT64_MAX)
		return false;
	entry[0].key = maps_add_key(m, &(struct map_entry){ .map = m->last }, ENTRY_STATS);
	m->last->first_key = STR("");
	entry[0].count = (uint64_t)count;
	entry[0].total = entry[2].total;
	m->n_entries -= 2;
	m->last->stats = true;
	m->last->scalar = false;
	return true;
}

void maps_other(struct maps *m, const struct map_entry *e)
{
	(void)m;
	e->map->other = true;
	if (e->map->where.p == NULL)
		e->map->where = e->where;
}

void maps_begin_snapshot(struct maps *m)
{
	m->print_begins = true;
	m->print++;
}

void maps_time(struct maps *m, double stamp)
{
	add_entry(m)->stamp = stamp;
}

/* --- the top bucket ---------------------------------------------------------- */

static bool is_plain_row(const struct map_row *row)
{
	int exponent;

	if (isinf(row->low))
		return row->high == 0;
	if (row->low == 0)
		return row->high == 1 || row->high == 2;
	return (row->high == 2 * row->low || isinf(row->high)) && frexp(row->low, &exponent) == 0.5;
}

static void look_at_rows(struct maps *m)
{
	for (size_t i = 0; i < m->n_entries; i++) {
		const struct entry *e = &m->entry[i];

		for (size_t k = 0; entry_is_histogram(m, e) && k < e->n_rows; k++) {
			const struct map_row *row = &m->row[e->first_row + k];
			struct map *map = m->key[e->key].map;
			double width = row->high - row->low;

			map->outlier_rows |= !is_plain_row(row);
			map->unit_rows |= width == 1 && row->low >= 2;
			map->wide_rows |= width > 1 && !isinf(width);
		}
	}
}

/* Up to 0.19, hist() ends at [2G, 4G), which also holds what lies above.  A higher bucket or
 * hist(v, k) shows that the version is newer. */
static void settle_top(struct maps *m)
{
	if (m->top.p == NULL || m->above_top)
		return;
	look_at_rows(m);
	for (struct map *map = m->first; map != NULL; map = map->next) {
		if (map->unit_rows && map->wide_rows)
			return;
	}
	for (struct map *map = m->first; map != NULL; map = map->next)
		map->top_open = map->top_filled && !map->outlier_rows;
	for (size_t i = 0; i < m->n_entries; i++) {
		const struct entry *e = &m->entry[i];

		if (!entry_is_histogram(m, e) || !m->key[e->key].map->top_open)
			continue;
		diag_at(m->diag, DIAG_TOP_OPEN, m->in, (size_t)(m->top.p - m->in->bytes.p),
			m->top.n, "bpftrace up to 0.19 counts everything from 2^31 on here");
		return;
	}
}

/* --- into the builder -------------------------------------------------------- */

struct push {
	const struct maps *m;
	struct builder *to;
	uint32_t interval; /* its number, from 1 */
};

static void next_interval(struct push *p, double stamp)
{
	build_next_interval(p->to, stamp);
	p->interval++;
}

/* Returns the value by which bpftrace sorts the entries of one snapshot. */
static double order_of(const struct entry *e, enum entry_kind kind)
{
	if (kind != ENTRY_STATS)
		return e->order;
	return e->count > 0 ? floor(decimal_f64(e->total) / (double)e->count) : 0;
}

/* Returns whether a snapshot begins at entry i, which is not a time.  If the reader does not know:
 * within a snapshot, a map's entries are in ascending order. */
static bool print_begins(const struct maps *m, size_t i)
{
	const struct entry *e = &m->entry[i];
	const struct key *key = entry_key(m, e), *before;

	if (i == 0 || e->begins || m->print > 0)
		return i == 0 || e->begins;
	before = entry_key(m, e - 1);
	return before == NULL || key->map != before->map ||
	       order_of(e, key->kind) < order_of(e - 1, before->kind);
}

static enum part part_of(enum role role)
{
	switch (role) {
	case ROLE_TOTAL:
	case ROLE_STATS:
		return PART_TOTAL;
	case ROLE_COUNT:
		return PART_COUNT;
	case ROLE_NONE:
	case ROLE_HISTOGRAM:
	case ROLE_SUMMARY:
		break;
	}
	return PART_OWN;
}

/* Returns whether the snapshot that begins at entry i has a key that the interval already has. */
static bool print_repeats(const struct push *p, size_t i)
{
	const struct maps *m = p->m;
	enum part part = part_of(entry_key(m, &m->entry[i])->map->role);

	for (size_t k = i; k < m->n_entries; k++) {
		const struct key *of;

		if (k > i && (m->entry[k].key == NO_KEY || print_begins(m, k)))
			return false;
		of = maps_operation(m, &m->entry[k]);
		if (of != NULL && of->printed[part] == p->interval)
			return true;
	}
	return false;
}

static bool bpftrace_maps_push_rows(struct push *p, const struct entry *e, bool top_open)
{
	struct map_rows rows;
	bool ok = true;

	if (!maps_rows(p->m, e, p->to, &rows))
		return false;
	for (size_t i = 0; ok && i < rows.n; i++) {
		const struct map_row *row = &rows.row[i];
		bool open = top_open && row->low == MAPS_TOP_LOW;

		ok = build_range(p->to, row->low, open ? HUGE_VAL : row->high, row->count,
				 row->where);
	}
	free(rows.made);
	return ok;
}

static bool push_count(struct push *p, const struct entry *e, struct decimal number)
{
	const decimal_int one = decimal_from_u64(1).billionths;
	decimal_int count = number.billionths / one;

	if (count < 0 || count > UINT64_MAX || count * one != number.billionths)
		return format_fail(p->m->in, p->m->diag, DIAG_NUMBER_BAD, entry_where(e),
				   "expected a count");
	return build_count(p->to, (uint64_t)count, entry_where(e));
}

static bool push_numbers(struct push *p, const struct entry *e, enum role role)
{
	struct str where = entry_where(e);
	struct decimal total;
	uint64_t count;

	if (!maps_numbers(p->m, e, p->to, &total, &count))
		return false;
	if (role == ROLE_COUNT)
		return push_count(p, e, total);
	/* The probe that subtracts had no start, or one of another clock. */
	if (total.billionths < 0 && role != ROLE_TOTAL && count > 0)
		return build_impossible(p->to, count, decimal_f64(total) / (double)count, where);
	return build_total(p->to, total, where) &&
	       (role == ROLE_TOTAL || build_count(p->to, count, where));
}

static bool push_entry(struct push *p, const struct entry *e, struct key *of)
{
	struct str where = entry_where(e);
	enum role role = entry_key(p->m, e)->map->role;
	uint32_t *printed = &of->printed[part_of(role)];

	if (*printed == p->interval)
		next_interval(p, NAN);
	*printed = p->interval;
	if (!build_operation(p->to, of->map->name, of->keyed ? of->text : of->map->name, where))
		return false;
	build_unit(p->to, of->map->unit, UNIT_GUESSED);
	if (role == ROLE_HISTOGRAM)
		return build_histogram(p->to, where) &&
		       bpftrace_maps_push_rows(p, e, of->map->top_open);
	return push_numbers(p, e, role);
}

bool maps_push(struct maps *m, struct builder *to)
{
	struct push p = { m, to, 1 };

	maps_assign_roles(m);
	settle_top(m);
	build_drop_single_layer(to);
	for (size_t i = 0; i < m->n_entries; i++) {
		const struct entry *e = &m->entry[i];
		struct key *of = maps_operation(m, e);

		if (e->key == NO_KEY) {
			next_interval(&p, e->stamp);
			continue;
		}
		if (print_begins(m, i) && print_repeats(&p, i))
			next_interval(&p, NAN);
		if (of != NULL && !e->repeats && !push_entry(&p, e, of))
			return false;
	}
	return true;
}
