/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the role of each of bpftrace's maps.  Scripts name maps freely, so a map of sums is matched
 * to the histogram whose totals it has by its name and its keys.
 */
#include <math.h>

#include "formats/bpf/bpftrace_entries.h"
#include "formats/format.h"

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

/* Returns how many letters of `name` are in parts that `other` has as well. */
static size_t common_letters(struct str name, struct str other)
{
	struct str head, rest = name;
	size_t n = 0;

	while (str_cut(rest, '_', &head, &rest))
		n += has_part(other, head) ? head.n : 0;
	return n + (has_part(other, rest) ? rest.n : 0);
}

/* Returns the histogram that a map of numbers belongs to, judging by names: `@read_total` belongs
 * to `@read_ns`.  NULL when that is ambiguous. */
static struct map *choose_target(struct maps *m, const struct map *map)
{
	enum { LONGEST_NAME = 256, MAX_PAIRS = 1 << 18 };
	struct map *best = NULL;
	size_t max = 0;
	bool tie = false;

	if (m->n_histograms > 1 && m->n_histograms * m->n_others > MAX_PAIRS)
		return NULL;
	for (struct map *h = m->first; h != NULL; h = h->next) {
		size_t score = 1, common = 0;

		if (!h->histogram)
			continue;
		if (h->name.n <= LONGEST_NAME && map->name.n <= LONGEST_NAME)
			common = common_letters(map->name, h->name);
		/* By priority: common parts, the key, few other parts. */
		score += common * 4 * LONGEST_NAME;
		score += maps_find_key(m, h, map->first_key) != NO_KEY ? 2 * LONGEST_NAME : 0;
		score += common > 0 && common < h->name.n ? LONGEST_NAME - (h->name.n - common) : 0;
		score += common >= h->name.n ? LONGEST_NAME : 0;
		if (m->n_histograms > 1 && score == 1)
			continue;
		tie = score == max || (tie && score < max);
		best = score > max ? h : best;
		max = score > max ? score : max;
	}
	return tie ? NULL : best;
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

/* Finds the operations that entries of maps of numbers belong to. */
static void match_keys(struct maps *m)
{
	for (size_t i = 0; i < m->n_entries; i++) {
		const struct entry *e = &m->entry[i];
		struct key *key = entry_key(m, e);
		struct map *map;

		if (key == NULL || key->tried || key->map->target == NULL)
			continue;
		map = key->map;
		key->tried = true;
		key->of = maps_find_key(m, map->target, key->text);
		if (key->of == NO_KEY) {
			map->stray = map->stray.p == NULL ? entry_where(e) : map->stray;
			continue;
		}
		map->shared++;
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

/* Only one map may have the totals of a histogram map, and only one its counts. */
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

/* Returns whether `total` can be the total of the calls in a key's first histogram. */
static bool fits_total(const struct maps *m, const struct key *key, double total)
{
	const struct entry *first = &m->entry[key->first];
	double slack = 1e-9 * fabs(total), min = 0, max = 0;

	for (size_t i = 0; i < first->n_rows; i++) {
		const struct map_row *row = &m->row[first->first_row + i];

		if (row->count > 0) {
			min += (double)row->count * row->low;
			max += (double)row->count * row->high;
		}
	}
	return total >= min - slack && total <= max + slack;
}

/* Returns for how many keys of a map of numbers the first number fits. */
static size_t count_fitting(struct maps *m, const struct map *map)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_entries; i++) {
		const struct entry *e = &m->entry[i];
		struct key *key = entry_key(m, e);

		if (key == NULL || key->map != map || key->of == NO_KEY || key->weighed)
			continue;
		key->weighed = true;
		n += fits_total(m, &m->key[key->of], decimal_f64(e->total));
	}
	return n;
}

/* If there is one histogram map, and one map of numbers that could be its totals, takes it as such
 * whatever its name. */
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
	if (m->n_histograms == 1 && n == 1 && 2 * count_fitting(m, only) > only->shared)
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

/* Entries of maps without a role in the profile belong to no operation. */
struct key *maps_operation(const struct maps *m, const struct entry *e)
{
	struct key *key = entry_key(m, e);
	enum role role;

	if (key == NULL || key->kind == ENTRY_HISTOGRAM)
		return key;
	role = key->map->role;
	if (role == ROLE_SUMMARY && key->kind == ENTRY_STATS)
		return key;
	if (role == ROLE_NONE || (key->kind == ENTRY_STATS) != (role == ROLE_STATS) ||
	    key->of == NO_KEY)
		return NULL;
	return &m->key[key->of];
}

static void note_left_out(const struct maps *m, const struct map *map)
{
	struct str where = map->stray.p != NULL ? map->stray : map->where;
	const char *why;

	if (map->other)
		why = "neither buckets nor numbers";
	else if (map->role == ROLE_NONE)
		why = "numbers that are no histogram's totals or counts";
	else if (map->stray.p != NULL && map->role != ROLE_SUMMARY)
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
		/* stats() maps that belong to no other map make operations of their own. */
		if (map->role == ROLE_NONE && map->stats && map->shared == 0)
			map->role = ROLE_SUMMARY;
		note_left_out(m, map);
	}
}
