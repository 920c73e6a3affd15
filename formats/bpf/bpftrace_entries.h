/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The entries of bpftrace's maps as collected: shared by bpftrace_maps.c, which
 * takes them in and pushes them on, bpftrace_keys.c, which knows them by their keys,
 * and bpftrace_roles.c, which finds out what each map is to the profile.  Nobody else's.
 */
#ifndef FORMATS_BPF_BPFTRACE_ENTRIES_H
#define FORMATS_BPF_BPFTRACE_ENTRIES_H

#include "base/str_table.h"
#include "formats/bpf/bpftrace_maps.h"
#include "profile/unit.h"

/* What an entry of a map prints: a histogram, one number, or stats(). */
enum entry_kind { ENTRY_HISTOGRAM, ENTRY_SCALAR, ENTRY_STATS };
enum { N_ENTRY_KINDS = ENTRY_STATS + 1 };

/* What a map is to the profile. */
enum role {
	ROLE_NONE,
	ROLE_HISTOGRAM,
	ROLE_SUMMARY, /* stats() without a histogram: operations of their own */
	ROLE_STATS,   /* counts and totals of another map's operations */
	ROLE_TOTAL,
	ROLE_COUNT,
};

/* What is reported an operation, each by one map at most. */
enum part { PART_OWN, PART_TOTAL, PART_COUNT };
enum { N_PARTS = PART_COUNT + 1 };

/* A key of a map, and what is printed under it; of each of them there may be many entries. */
struct key {
	struct map *map;
	struct str text;
	union {
		size_t first; /* of a histogram: number of its first entry */
		uint32_t of;  /* of a number: the histogram's key that it tells of; or NO_KEY */
	};
	uint32_t next;		   /* what came after it last, of whatever map; or NO_KEY */
	uint32_t printed[N_PARTS]; /* number of the interval it was last printed in, as what */
	uint32_t print, entry;	   /* the last print and entry that have it, by number */
	enum entry_kind kind;
	bool keyed;	     /* false: the map has no keys */
	bool tried, weighed; /* `of` was looked for; its first number compared with that */
};
#define NO_KEY UINT32_MAX

/* One map of the script: what its entries look like, and what becomes of them. */
struct map {
	struct map *next; /* in file order */
	struct str name;
	size_t number;
	enum unit unit; /* that the name says */
	enum role role;
	bool histogram, scalar, stats, other, average;
	struct map *target;	  /* whose operations it tells of; NULL: nobody's */
	struct map *next_telling; /* that has a target */
	struct str first_key;
	struct str where, stray; /* the first entry; the first one that target lacks */
	size_t shared;		 /* keys that target has too */
	bool taken_total, taken_count;
	bool top_filled, top_open;
	bool outlier_rows, unit_rows, wide_rows; /* not of hist(v); of width 1 from 2 on; wider */
};

/* One printed entry of a map, as small as can be: a file may hold millions. */
struct entry {
	const char *where; /* n_where bytes */
	uint32_t n_where;
	uint32_t key;	/* its number; NO_KEY: it is a time */
	uint32_t again; /* number of the next entry of this key in this print; 0: none */
	bool begins;	/* the reader says that a print begins here */
	bool repeats;	/* one before it in this print has its key, and stands for both */
	union {
		double order;	/* what bpftrace sorts by: a histogram's calls, a number */
		uint64_t count; /* of stats() */
		double stamp;
	};
	union {
		struct {
			size_t first_row, n_rows; /* among all */
		};
		struct decimal total; /* also a number that stands alone */
	};
};

/* The bytes that a message about an entry points to. */
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

/* All maps of a file, with their keys and entries, while it is read; lives in its arena. */
struct maps {
	struct input *in;
	struct arena *arena;
	struct diag *diag;
	struct str_table names;
	struct map **map;    /* by number: in file order */
	struct map *first;   /* of them */
	struct map *last;    /* asked for */
	struct map *telling; /* those with a target */
	size_t cap_maps;
	struct hash_index hash_index; /* of keys, by map, kind and text */
	struct key *key;	      /* by number */
	size_t n_keys, cap_keys;
	uint32_t current; /* added or found last; NO_KEY: none */
	char *scratch;	  /* of the text of a key */
	size_t cap_scratch;
	struct entry *entry; /* all, in the order of the file */
	size_t n_entries, cap_entries;
	struct map_row *row; /* of all histograms */
	size_t n_rows, cap_rows;
	struct str top; /* the first row of [2G, 4G) that is not empty */
	bool above_top, print_begins;
	uint32_t print; /* its number; 0: the reader does not know where prints begin */
	size_t n_histograms, n_others; /* maps */
};

/* NULL: the entry is a time. */
static inline struct key *entry_key(const struct maps *m, const struct entry *e)
{
	return e->key != NO_KEY ? &m->key[e->key] : NULL;
}

/* Whether an entry has rows of a histogram. */
static inline bool entry_is_histogram(const struct maps *m, const struct entry *e)
{
	return e->key != NO_KEY && m->key[e->key].kind == ENTRY_HISTOGRAM;
}

/* The number of the key of this kind and text, new or known, for the next entry. */
uint32_t maps_add_key(struct maps *m, const struct map_entry *e, enum entry_kind kind);
/* That of the histograms' key of a map; or NO_KEY. */
uint32_t maps_find_key(struct maps *m, const struct map *map, struct str text);

/* The rows of a histogram, with those of entries that repeat its key. */
struct map_rows {
	const struct map_row *row;
	size_t n;
	struct map_row *made; /* to be freed; NULL: the maps' own */
};
/* Pushes the rows of an entry; false when an error was reported. */
MUST_CHECK bool maps_rows(const struct maps *m, const struct entry *first, struct builder *to,
			  struct map_rows *ret);
/* The same of numbers; the count of those that are no stats() is 0. */
MUST_CHECK bool maps_numbers(const struct maps *m, const struct entry *first, struct builder *to,
			     struct decimal *ret_total, uint64_t *ret_count);

/* Gives every map its role; notes what is left out. */
void maps_assign_roles(struct maps *m);
/* The operation that an entry tells of, once roles are assigned; NULL: none. */
struct key *maps_operation(const struct maps *m, const struct entry *e);

#endif
