/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of bpftrace's maps, and how repeated keys are found. */
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "formats/bpf/bpftrace_entries.h"
#include "formats/text.h"

/* --- their text -------------------------------------------------------------------- */

static bool is_odd_key(struct str raw)
{
	for (size_t i = 0; i < raw.n; i++) {
		if (raw.p[i] == '\n' || (raw.p[i] == ',' && i + 1 < raw.n && raw.p[i + 1] == ' '))
			return true;
	}
	return false;
}

/* Joins the lines of a stack with ';', unless a comma separates them already; `to` has room for
 * raw.n bytes. */
static struct str join_lines(char *to, struct str raw)
{
	struct str line;
	size_t n = 0;

	while (text_next(&raw, &line)) {
		line = str_trim(line);
		if (line.n == 0)
			continue;
		if (n > 0 && to[n - 1] != ',' && line.p[0] != ',')
			to[n++] = ';';
		memcpy(to + n, line.p, line.n);
		n += line.n;
	}
	return (struct str){ to, n };
}

/* Returns the name for a key: text has ", " between components and JSON ",", and neither can be
 * distinguished from a comma in a string, so blanks after commas are removed.  Valid until the next
 * call, unless it is `raw` itself. */
static struct str key_name(struct maps *m, struct str raw)
{
	size_t n = 0;

	if (!is_odd_key(raw))
		return raw;
	m->scratch = xgrow(m->scratch, &m->cap_scratch, raw.n, 1);
	if (memchr(raw.p, '\n', raw.n) != NULL)
		raw = join_lines(m->scratch, raw);
	for (size_t i = 0; i < raw.n; i++) {
		if (raw.p[i] != ' ' || n == 0 || m->scratch[n - 1] != ',')
			m->scratch[n++] = raw.p[i];
	}
	return (struct str){ m->scratch, n };
}

/* --- finding them ------------------------------------------------------------------ */

static bool is_key(const struct key *key, const struct map *map, enum entry_kind kind,
		   struct str text)
{
	return key->map == map && key->kind == kind && str_eq(key->text, text);
}

/* Maps are usually printed in the same order: the key that followed the current one is tried
 * first. */
static uint32_t expected_key(const struct maps *m, const struct map *map, enum entry_kind kind,
			     struct str text)
{
	uint32_t next = m->current != NO_KEY ? m->key[m->current].next : NO_KEY;

	return next != NO_KEY && is_key(&m->key[next], map, kind, text) ? next : NO_KEY;
}

static uint32_t hash_of(const struct maps *m, const struct map *map, enum entry_kind kind,
			struct str text)
{
	return hash_index_hash(&m->hash_index, text, (uint64_t)map->number * N_ENTRY_KINDS + kind);
}

/* Returns NO_KEY, and a free place in *ret_at, when the key is new. */
static uint32_t known_key(const struct maps *m, const struct map *map, enum entry_kind kind,
			  struct str text, uint32_t hash, size_t *ret_at)
{
	size_t number;

	*ret_at = hash_index_first(&m->hash_index, hash);
	while (hash_index_next(&m->hash_index, ret_at, hash, &number)) {
		if (is_key(&m->key[number], map, kind, text))
			return (uint32_t)number;
		++*ret_at;
	}
	return NO_KEY;
}

static uint32_t new_key(struct maps *m, const struct map_entry *e, enum entry_kind kind,
			struct str text)
{
	m->key = arena_grow(m->arena, m->key, &m->cap_keys, m->n_keys + 1, sizeof(*m->key));
	m->key[m->n_keys] = (struct key){
		.map = e->map,
		.text = text.p == m->scratch ? arena_str(m->arena, text) : text,
		.next = NO_KEY,
		.kind = kind,
		.keyed = e->keyed,
	};
	if (kind == ENTRY_HISTOGRAM)
		m->key[m->n_keys].first = m->n_entries;
	else
		m->key[m->n_keys].of = NO_KEY;
	return (uint32_t)m->n_keys++;
}

/* Finds or adds a key that is not the expected one as it stands, but may be after key_name(). */
static uint32_t any_key(struct maps *m, const struct map_entry *e, enum entry_kind kind)
{
	struct str text = e->keyed ? key_name(m, e->key) : STR("");
	uint32_t key = expected_key(m, e->map, kind, text), hash;
	size_t at;

	if (key != NO_KEY)
		return key;
	hash_index_reserve(&m->hash_index, m->n_keys);
	hash = hash_of(m, e->map, kind, text);
	key = known_key(m, e->map, kind, text, hash, &at);
	if (key != NO_KEY)
		return key;
	hash_index_take(&m->hash_index, at, hash, m->n_keys);
	return new_key(m, e, kind, text);
}

uint32_t maps_add_key(struct maps *m, const struct map_entry *e, enum entry_kind kind)
{
	uint32_t key = expected_key(m, e->map, kind, e->keyed ? e->key : STR(""));

	if (key == NO_KEY)
		key = any_key(m, e, kind);
	if (m->current != NO_KEY)
		m->key[m->current].next = key;
	return m->current = key;
}

uint32_t maps_find_key(struct maps *m, const struct map *map, struct str text)
{
	uint32_t key = expected_key(m, map, ENTRY_HISTOGRAM, text);
	size_t at;

	if (key == NO_KEY && m->n_keys > 0)
		key = known_key(m, map, ENTRY_HISTOGRAM, text,
				hash_of(m, map, ENTRY_HISTOGRAM, text), &at);
	if (key != NO_KEY)
		m->current = key;
	return key;
}
