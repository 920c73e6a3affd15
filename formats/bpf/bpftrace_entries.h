/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The collected entries of bpftrace's maps.  Shared only by bpftrace_maps.c, which collects and
 * pushes them, bpftrace_keys.c, which looks up their keys, bpftrace_repeats.c, and
 * bpftrace_roles.c, which finds the role of each map in the profile.
 */
#ifndef FORMATS_BPF_BPFTRACE_ENTRIES_H
#define FORMATS_BPF_BPFTRACE_ENTRIES_H

#include "base/tables/str_table.h"
#include "formats/bpf/bpftrace_maps.h"
#include "profile/unit.h"

/* What an entry of a map is: a histogram, a number, or stats(). */
enum entry_kind { ENTRY_HISTOGRAM, ENTRY_SCALAR, ENTRY_STATS };
enum { N_ENTRY_KINDS = ENTRY_STATS + 1 };

/* The role of a map in the profile. */
enum role {
	ROLE_NONE,
	ROLE_HISTOGRAM,
	ROLE_SUMMARY, /* stats() without a histogram: operations of their own */
	ROLE_STATS,   /* counts and totals of another map's operations */
	ROLE_TOTAL,
	ROLE_COUNT,
};

/* The parts of an operation in the profile, each from at most one map. */
enum part { PART_OWN, PART_TOTAL, PART_COUNT };
enum { N_PARTS = PART_COUNT + 1 };

/* A key of a map, of which there may be many entries. */
struct key {
	struct map *map;
	struct str text;
	union {
		size_t first; /* for a histogram: index of its first entry */
		uint32_t of;  /* for a number: the key of the histogram it belongs to, or NO_KEY */
	};
	uint32_t next;		   /* the key that followed it last, in any map; or NO_KEY */
	uint32_t printed[N_PARTS]; /* by part: number of the last interval that has it */
	uint32_t print, entry;	   /* numbers of the last snapshot and entry with this key */
	enum entry_kind kind;
	bool keyed;	     /* false: the map has no keys */
	bool tried, weighed; /* `of` was searched; its first number was checked */
};
#define NO_KEY UINT32_MAX

/* One map of the script: the kinds of its entries, and its role. */
struct map {
	struct map *next; /* in file order */
	struct str name;
	size_t number;
	enum unit unit; /* from the name */
	enum role role;
	bool histogram, scalar, stats, other, average;
	struct map *target;	  /* the histogram it describes; NULL: none */
	struct map *next_telling; /* the next one with a target */
	struct str first_key;
	struct str where, stray; /* the first entry; the first one whose key the target lacks */
	size_t shared;		 /* number of keys that the target has as well */
	bool taken_total, taken_count;
	bool top_filled, top_open;
	bool outlier_rows, unit_rows, wide_rows; /* rows that hist(v) cannot have; rows of width 1
						    from 2 on; wider rows */
};

/* One printed entry of a map, kept small, as a file may have millions. */
struct entry {
	const char *where; /* n_where bytes */
	uint32_t n_where;
	uint32_t key;	/* its index; NO_KEY: the entry is a time */
	uint32_t again; /* index of the next entry of this key in this snapshot; 0: none */
	bool begins;	/* a snapshot begins here, according to the reader */
	bool repeats; /* an earlier entry of this snapshot has the same key, and stands for both */
	union {
		double order; /* what bpftrace sorts by: the calls of a histogram, or the number */
		uint64_t count; /* of stats() */
		double stamp;
	};
	union {
		struct {
			size_t first_row, n_rows; /* in maps.row */
		};
		struct decimal total; /* of stats(), or the number itself */
	};
};

/* Returns the bytes that messages about an entry point at. */
static inline struct str entry_where(const struct entry *e)
{
	return (struct str){ e->where, e->n_where };
}

/* One row of a printed histogram. */
struct map_row {
	double low, high;
	uint64_t count;
	struct str where;
};

/* All maps of a file, with their keys and entries, while it is read; in its arena. */
struct maps {
	struct input *in;
	struct arena *arena;
	struct diag *diag;
	struct str_table names;
	struct map **map;    /* by number, which is file order */
	struct map *first;   /* the first of them */
	struct map *last;    /* the last one looked up */
	struct map *telling; /* the first with a target */
	size_t cap_maps;
	struct hash_index hash_index; /* of keys, by map, kind and text */
	struct key *key;	      /* by index */
	size_t n_keys, cap_keys;
	uint32_t current; /* the key added or found last; NO_KEY: none */
	char *scratch;	  /* for a key's text */
	size_t cap_scratch;
	struct entry *entry; /* all, in file order */
	size_t n_entries, cap_entries;
	struct map_row *row; /* of all histograms */
	size_t n_rows, cap_rows;
	struct str top; /* the first non-empty row of [2G, 4G) */
	bool above_top, print_begins;
	uint32_t print; /* number of the current snapshot; 0: the reader does not know where
			   snapshots begin */
	size_t n_histograms, n_others; /* numbers of maps */
};

/* NULL: the entry is a time. */
static inline struct key *entry_key(const struct maps *m, const struct entry *e)
{
	return e->key != NO_KEY ? &m->key[e->key] : NULL;
}

/* Returns whether an entry has rows of a histogram. */
static inline bool entry_is_histogram(const struct maps *m, const struct entry *e)
{
	return e->key != NO_KEY && m->key[e->key].kind == ENTRY_HISTOGRAM;
}

/* Returns the index of the key with this kind and text, which is new or known, for the next
 * entry. */
uint32_t maps_add_key(struct maps *m, const struct map_entry *e, enum entry_kind kind);
/* Returns the index of a map's histogram key; NO_KEY: none. */
uint32_t maps_find_key(struct maps *m, const struct map *map, struct str text);

/* The rows of a histogram, merged with those of entries that repeat its key. */
struct map_rows {
	const struct map_row *row;
	size_t n;
	struct map_row *made; /* to be freed by the caller; NULL: the rows are those of the maps */
};
/* Returns the rows of an entry, merged with those that repeat its key; `to` reports errors.  False
 * when an error was reported. */
MUST_CHECK bool maps_rows(const struct maps *m, const struct entry *first, struct builder *to,
			  struct map_rows *ret);
/* Does the same for numbers, which are added up; the count is 0 unless they are stats(). */
MUST_CHECK bool maps_numbers(const struct maps *m, const struct entry *first, struct builder *to,
			     struct decimal *ret_total, uint64_t *ret_count);

/* Gives every map its role, and notes what is left out. */
void maps_assign_roles(struct maps *m);
/* Returns the operation that an entry belongs to, after roles were assigned; NULL: none. */
struct key *maps_operation(const struct maps *m, const struct entry *e);

#endif
