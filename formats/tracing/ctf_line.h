/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of babeltrace: an event's time, its origin, its name, and groups of fields.  All but the
 * last group are contexts.
 *
 *	[10:22:33.123456789] (+0.000000123) host name: { cpu_id = 1 }, { tid = 7 }, { fd = 3 }
 *	timestamp = 10:22:33.123456789, delta = +0.000000123, trace:hostname = host,
 *		name = name, stream.packet.context = { cpu_id = 1 }, event.fields = { fd = 3 }
 */
#ifndef FORMATS_TRACING_CTF_LINE_H
#define FORMATS_TRACING_CTF_LINE_H

#include <stdint.h>

#include "base/str.h"

enum { CTF_GROUPS = 4, CTF_FIELDS = 24 };

/* One field of an event; borrowed from the line. */
struct ctf_field {
	struct str key, value; /* as printed */
};

/* A group of fields between braces, parsed once because several are looked up. */
struct ctf_group {
	struct str text; /* the whole group, without the braces */
	struct ctf_field field[CTF_FIELDS];
	size_t n;	 /* number of fields that have a name */
	struct str rest; /* the fields after these; few events have so many */
};

/* A parsed line; strings are borrowed from it. */
struct ctf_line {
	struct str time;	   /* as printed, without brackets */
	struct str host;	   /* empty if not printed */
	struct str provider, name; /* "lttng_ust_libc:malloc"; the provider may be empty */
	size_t n_contexts;
	struct ctf_group group[CTF_GROUPS]; /* contexts, then the event's own fields */
};

/* Parses a line.  False when it is not such a line; *ret then has what was found nevertheless. */
bool ctf_line(struct str line, struct ctf_line *ret);

/* Returns the event's own fields. */
static inline const struct ctf_group *ctf_payload(const struct ctf_line *l)
{
	return &l->group[l->n_contexts];
}

/* Parses fields up to the end or an unmatched closing brace; returns how many bytes they take. */
size_t ctf_fields(struct str s, struct ctf_group *ret);

/* Finds a field's value, as printed; false when the group has no such field. */
bool ctf_value(const struct ctf_group *group, struct str key, struct str *ret);
/* Finds a value that is a number: decimal, hexadecimal, or that of an enumeration. */
bool ctf_number(const struct ctf_group *group, struct str key, uint64_t *ret);
/* Finds a value that is a string or an enumeration's label, and removes the quotes; returns other
 * values as printed. */
bool ctf_text(const struct ctf_group *group, struct str key, struct str *ret);

#endif
