/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The entries of bpftrace's maps as collected: shared by bpftrace_maps.c, which
 * takes them in and pushes them on, and bpftrace_roles.c, which finds out what
 * each map is to the profile.  Nobody else's.
 */
#ifndef FORMATS_BPFTRACE_ENTRIES_H
#define FORMATS_BPFTRACE_ENTRIES_H

#include "base/str_table.h"
#include "formats/bpftrace_maps.h"
#include "profile/unit.h"

enum entry_kind { ENTRY_HISTOGRAM, ENTRY_SCALAR, ENTRY_STATS, ENTRY_TIME };

/* What a map is to the profile. */
enum role {
	ROLE_NONE,
	ROLE_HISTOGRAM,
	ROLE_MOMENTS, /* stats() without a histogram: operations of their own */
	ROLE_STATS,   /* counts and totals of another map's operations */
	ROLE_TOTAL,
	ROLE_COUNT,
};
enum { ROLE_N = ROLE_COUNT + 1 };

/* A key of a map that makes operations. */
struct key {
	struct str text, name; /* name: of the operation */
	bool has_first;
	size_t first;		 /* histogram: its number among the entries */
	double least, most;	 /* what that allows as total; NAN until asked for */
	const struct map *tried; /* whose numbers were held against them last */
	size_t printed[ROLE_N];	 /* number of the interval it was last printed in, as what */
	struct key *next;	 /* of the map */
};

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
	size_t shared, fitting;	 /* keys that target has too; whose number could be a total */
	bool taken_total, taken_count;
	bool top_filled, top_open;
	bool odd_rows, unit_rows, wide_rows; /* not of hist(v); of width 1 from 2 on; wider */
	struct key *keys, *last_key;	     /* in the order of the file */
	struct key *next_key;		     /* the one behind the last that was looked for */
};

struct entry {
	enum entry_kind kind;
	bool begins; /* the reader says that a print begins here */
	bool keyed;
	struct map *map;
	struct str key;
	struct str where;
	struct key *of; /* what it tells of, if its map has such a part; maps_operation() */
	union {
		double calls;	/* of a histogram */
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

struct map_row {
	double low, high;
	uint64_t count;
	struct str where;
};

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
	struct str_table key_names; /* number of the map, text */
	struct key **key;	    /* by number */
	char *scratch;
	size_t cap_keys, cap_scratch;
	struct entry *entry; /* all, in the order of the file */
	size_t n_entries, cap_entries;
	struct map_row *row; /* of all histograms */
	size_t n_rows, cap_rows;
	struct str top; /* the first row of [2G, 4G) that is not empty */
	bool above_top, print_begins;
	size_t n_histograms, n_others; /* maps */
};

/* Where a histogram belongs: once its map and key are set. */
void maps_index_histogram(struct maps *m, struct entry *e);
/* Gives every map its role; notes what is left out. */
void maps_assign_roles(struct maps *m);
/* The operation that an entry tells of, once roles are assigned; NULL: none. */
struct key *maps_operation(struct maps *m, struct entry *e);

#endif
