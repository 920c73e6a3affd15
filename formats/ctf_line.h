/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of babeltrace: an event's time, where it comes from, its name and its fields in
 * groups, which are contexts but for the last one.
 *
 *	[10:22:33.123456789] (+0.000000123) host name: { cpu_id = 1 }, { tid = 7 }, { fd = 3 }
 *	timestamp = 10:22:33.123456789, delta = +0.000000123, trace:hostname = host,
 *		name = name, stream.packet.context = { cpu_id = 1 }, event.fields = { fd = 3 }
 */
#ifndef FORMATS_CTF_LINE_H
#define FORMATS_CTF_LINE_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

enum { CTF_CONTEXTS = 4 };

struct ctf_line {
	struct str time;	   /* as printed, without brackets */
	struct str host;	   /* empty where it is not printed */
	struct str provider, name; /* "lttng_ust_libc:malloc"; the former may be empty */
	struct str context[CTF_CONTEXTS];
	size_t n_contexts;
	struct str payload; /* the event's own fields; each group is without its braces */
};

/* False when it is no such line. */
bool ctf_line(struct str line, struct ctf_line *ret);

/* The value of a group's field, as printed; false where it has none of that name. */
bool ctf_value(struct str group, struct str key, struct str *ret);
/* A value that is a number: decimal, hexadecimal, or an enumeration's. */
bool ctf_number(struct str group, struct str key, uint64_t *ret);
/* A value that is a string or an enumeration's label, without quotes; as printed otherwise. */
bool ctf_text(struct str group, struct str key, struct str *ret);

#endif
