/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of bpftrace's maps tells what: a script names them as it likes, so a map
 * of sums is known as the totals of a histogram by its name and its keys.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "formats/bpftrace_entries.h"
#include "formats/format.h"

/* --- keys and histograms ------------------------------------------------------ */

/* What a key is known by, of all maps: until the next one. */
static struct str key_of(struct maps *m, const struct map *map, struct str text)
{
	size_t n = sizeof(map->number) + text.n;

	m->scratch = xgrow(m->scratch, &m->cap_scratch, n, 1);
	memcpy(m->scratch, &map->number, sizeof(map->number));
	if (text.n > 0)
		memcpy(m->scratch + sizeof(map->number), text.p, text.n);
	return (struct str){ m->scratch, n };
}

/* Maps tend to be printed in the same order: the key behind the last one found is
 * looked at first. */
static bool is_next(const struct map *map, struct str text)
{
	return map->next_key != NULL && str_eq(map->next_key->text, text);
}

static struct key *found(struct map *map, struct key *key)
{
	map->next_key = key->next != NULL ? key->next : map->keys;
	return key;
}

static struct key *find_key(struct maps *m, struct map *map, struct str text)
{
	size_t number;

	if (is_next(map, text))
		return found(map, map->next_key);
	return str_table_find(&m->key_names, key_of(m, map, text), &number)
		       ? found(map, m->key[number])
		       : NULL;
}

static struct key *add_key(struct maps *m, struct map *map, struct str text, bool keyed)
{
	struct key *key;
	size_t number;
	bool is_new;

	if (is_next(map, text))
		return found(map, map->next_key);
	number = str_table_add(&m->key_names, key_of(m, map, text), m->arena, &is_new);
	if (!is_new)
		return found(map, m->key[number]);
	key = arena_make(m->arena, struct key, 1);
	key->text = text;
	key->name = keyed ? text : map->name;
	key->least = key->most = NAN;
	m->key = xgrow(m->key, &m->cap_keys, number + 1, sizeof(struct key *));
	m->key[number] = key;
	if (map->last_key != NULL)
		map->last_key->next = key;
	else
		map->keys = key;
	map->last_key = key;
	return found(map, key);
}

void maps_index_histogram(struct maps *m, struct entry *e)
{
	e->of = add_key(m, e->map, e->key, e->keyed);
	if (!e->of->has_first) {
		e->of->has_first = true;
		e->of->first = (size_t)(e - m->entry);
	}
}

static void begin_roles(struct maps *m)
{
	for (struct map *map = m->first; map != NULL; map = map->next) {
		map->role = map->histogram ? ROLE_HISTOGRAM : ROLE_NONE;
		m->n_histograms += map->histogram;
		m->n_others += !map->histogram;
	}
}

static bool has_part(struct str name, struct str part)
{
	struct str head, rest = name;

	while (str_cut(rest, '_', &head, &rest)) {
		if (str_eq_nocase(head, part))
			return true;
	}
	return str_eq_nocase(rest, part);
}

/* How many letters of the parts of `name` are those of parts of `other`. */
static size_t common_letters(struct str name, struct str other)
{
	struct str head, rest = name;
	size_t n = 0;

	while (str_cut(rest, '_', &head, &rest))
		n += has_part(other, head) ? head.n : 0;
	return n + (has_part(other, rest) ? rest.n : 0);
}

/* The histograms that a map of numbers tells of, going by the names: those of
 * `@read_total` are in `@read_ns`.  NULL when that cannot be told. */
static struct map *choose_target(struct maps *m, const struct map *map)
{
	enum { LONGEST_NAME = 256, MOST_PAIRS = 1 << 18 };
	struct map *best = NULL;
	size_t most = 0;
	bool tie = false;

	if (m->n_histograms > 1 && m->n_histograms * m->n_others > MOST_PAIRS)
		return NULL;
	for (struct map *h = m->first; h != NULL; h = h->next) {
		size_t score = 1, common = 0;

		if (!h->histogram)
			continue;
		if (h->name.n <= LONGEST_NAME && map->name.n <= LONGEST_NAME)
			common = common_letters(map->name, h->name);
		/* In this order: common parts, the key, few other parts. */
		score += common * 4 * LONGEST_NAME;
		score += find_key(m, h, map->first_key) != NULL ? 2 * LONGEST_NAME : 0;
		score += common > 0 && common < h->name.n ? LONGEST_NAME - (h->name.n - common) : 0;
		score += common >= h->name.n ? LONGEST_NAME : 0;
		if (m->n_histograms > 1 && score == 1)
			continue;
		tie = score == most || (tie && score < most);
		best = score > most ? h : best;
		most = score > most ? score : most;
	}
	return tie ? NULL : best;
}

/* What a total of the calls in the rows of its first histogram can be. */
static void bound_total(const struct maps *m, struct key *key)
{
	const struct entry *first = &m->entry[key->first];

	if (!isnan(key->least))
		return;
	key->least = key->most = 0;
	for (size_t i = 0; i < first->n_rows; i++) {
		const struct map_row *row = &m->row[first->first_row + i];

		if (row->count > 0) {
			key->least += (double)row->count * row->low;
			key->most += (double)row->count * row->high;
		}
	}
}

static bool fits(const struct maps *m, struct key *key, double total)
{
	double slack = 1e-9 * fabs(total);

	bound_total(m, key);
	return total >= key->least - slack && total <= key->most + slack;
}

static void find_targets(struct maps *m)
{
	struct map **end = &m->telling;

	for (struct map *map = m->first; map != NULL; map = map->next) {
		if (map->histogram || (!map->scalar && !map->stats))
			continue;
		map->target = choose_target(m, map);
		if (map->target != NULL) {
			*end = map;
			end = &map->next_telling;
		}
	}
}

/* Finds the operations that maps of numbers tell of. */
static void match_keys(struct maps *m)
{
	for (size_t i = 0; i < m->n_entries; i++) {
		struct entry *e = &m->entry[i];

		if (e->kind == ENTRY_HISTOGRAM || e->kind == ENTRY_TIME || e->map->target == NULL)
			continue;
		e->of = find_key(m, e->map->target, e->key);
		if (e->of == NULL) {
			e->map->stray = e->map->stray.p == NULL ? e->where : e->map->stray;
			continue;
		}
		if (e->of->tried == e->map)
			continue; /* printed again */
		e->of->tried = e->map;
		e->map->shared++;
		e->map->fitting += fits(m, e->of, decimal_f64(e->total));
	}
}

static bool name_contains(struct str name, struct str word)
{
	for (; name.n >= word.n; name = str_skip(name, 1)) {
		if (str_eq_nocase((struct str){ name.p, word.n }, word))
			return true;
	}
	return false;
}

static enum role role_in_name(const struct map *map)
{
	bool total = name_contains(map->name, STR("total")) || name_contains(map->name, STR("sum"));
	bool count = name_contains(map->name, STR("count")) ||
		     name_contains(map->name, STR("calls")) || name_contains(map->name, STR("num"));

	if (total && count) /* "total_count", but not "account_total" */
		total = !has_part(map->name, STR("count")) && !has_part(map->name, STR("calls")) &&
			!has_part(map->name, STR("num"));
	return total ? ROLE_TOTAL : count ? ROLE_COUNT : ROLE_NONE;
}

/* Only one map tells the totals of a histogram map, only one its counts. */
static void take_role(struct map *map, enum role role)
{
	bool total = role == ROLE_TOTAL || role == ROLE_STATS;
	bool count = role == ROLE_COUNT || role == ROLE_STATS;

	if (map->shared == 0 || (total && map->target->taken_total) ||
	    (count && map->target->taken_count))
		return;
	map->target->taken_total |= total;
	map->target->taken_count |= count;
	map->role = role;
}

/* One histogram map and one map of numbers that could be its totals: then they
 * are, whatever the name. */
static void guess_total(struct maps *m)
{
	struct map *only = NULL;
	size_t n = 0;

	for (struct map *map = m->telling; map != NULL; map = map->next_telling) {
		if (map->role != ROLE_NONE || !map->scalar || map->average || map->other ||
		    map->shared == 0 || role_in_name(map) != ROLE_NONE)
			continue;
		only = map;
		n++;
	}
	if (m->n_histograms == 1 && n == 1 && 2 * only->fitting > only->shared)
		take_role(only, ROLE_TOTAL);
}

static void take_roles(struct maps *m)
{
	for (struct map *map = m->telling; map != NULL; map = map->next_telling) {
		if (map->stats)
			take_role(map, ROLE_STATS);
	}
	for (struct map *map = m->telling; map != NULL; map = map->next_telling) {
		enum role role;

		if (map->role != ROLE_NONE || !map->scalar || map->average)
			continue;
		role = role_in_name(map);
		if (role != ROLE_NONE)
			take_role(map, role);
	}
	guess_total(m);
}

/* Moments that are no other map's make operations of their own. */
static void take_moments(struct map *map)
{
	if (map->role == ROLE_NONE && map->stats && map->shared == 0)
		map->role = ROLE_MOMENTS;
}

/* Entries of maps without a part in the profile tell of no operation. */
struct key *maps_operation(struct maps *m, struct entry *e)
{
	if (e->kind == ENTRY_TIME || e->kind == ENTRY_HISTOGRAM)
		return e->of;
	if (e->map->role == ROLE_MOMENTS && e->kind == ENTRY_STATS)
		return e->of != NULL ? e->of : (e->of = add_key(m, e->map, e->key, e->keyed));
	if (e->map->role == ROLE_NONE || (e->kind == ENTRY_STATS) != (e->map->role == ROLE_STATS))
		return NULL;
	return e->of;
}

static void note_left_out(const struct maps *m, const struct map *map)
{
	struct str where = map->stray.p != NULL ? map->stray : map->where;
	const char *why;

	if (map->other)
		why = "neither buckets nor numbers";
	else if (map->role == ROLE_NONE)
		why = "numbers that are no histogram's totals or counts";
	else if (map->stray.p != NULL && map->role != ROLE_MOMENTS)
		why = "no histogram has this key";
	else
		return;
	if (map->other || map->role == ROLE_NONE)
		where = map->where;
	diag_at(m->diag, DIAG_NOT_A_HISTOGRAM, m->in, (size_t)(where.p - m->in->bytes.p), where.n,
		"@%.*s: %s", STR_ARG(map->name), why);
}

void maps_assign_roles(struct maps *m)
{
	begin_roles(m);
	find_targets(m);
	match_keys(m);
	take_roles(m);
	for (struct map *map = m->first; map != NULL; map = map->next) {
		take_moments(map);
		note_left_out(m, map);
	}
}
