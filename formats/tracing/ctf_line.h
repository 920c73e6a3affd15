/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of babeltrace: an event's time, where it comes from, its name and its fields in
 * groups, which are contexts but for the last one.
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

/* Fields that stand between braces, taken apart once: each is asked for several times. */
struct ctf_group {
	struct str text; /* all of them, without the braces */
	struct ctf_field field[CTF_FIELDS];
	size_t n;	 /* of the fields that have a name */
	struct str rest; /* fields after these: few events have so many */
};

/* A line taken apart; strings are borrowed from it. */
struct ctf_line {
	struct str time;	   /* as printed, without brackets */
	struct str host;	   /* empty where it is not printed */
	struct str provider, name; /* "lttng_ust_libc:malloc"; the former may be empty */
	size_t n_contexts;
	struct ctf_group group[CTF_GROUPS]; /* contexts, and after them the event's own fields */
};

/* False when it is no such line; what was found of it stands in *ret all the same. */
bool ctf_line(struct str line, struct ctf_line *ret);

/* The group of fields that an event has of its own. */
static inline const struct ctf_group *ctf_payload(const struct ctf_line *l)
{
	return &l->group[l->n_contexts];
}

/* Takes fields, up to the end or to a brace that closes what is not theirs, apart; how many
 * bytes they have. */
size_t ctf_fields(struct str s, struct ctf_group *ret);

/* The value of a group's field, as printed; false where it has none of that name. */
bool ctf_value(const struct ctf_group *group, struct str key, struct str *ret);
/* A value that is a number: decimal, hexadecimal, or an enumeration's. */
bool ctf_number(const struct ctf_group *group, struct str key, uint64_t *ret);
/* A value that is a string or an enumeration's label, without quotes; as printed otherwise. */
bool ctf_text(const struct ctf_group *group, struct str key, struct str *ret);

#endif
