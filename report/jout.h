/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JSON writer: takes care of commas, indentation and escapes. */
#ifndef REPORT_JOUT_H
#define REPORT_JOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct out;

/* The state of a JSON text that is being written to `out`, which is borrowed. */
struct jout {
	struct out *out;
	unsigned depth;
	bool fresh; /* nothing written yet in the innermost object or array */
	bool flat;  /* inside an object or array begun with jout_flat_*(): on one line */
	unsigned flat_depth;
};

/* Returns a writer that indents. */
struct jout jout_on(struct out *o);
/* Write the name and version of the program that writes, and begin the outermost object with its
 * schema and these. */
void jout_generator(struct jout *j);
void jout_document(struct jout *j, const char *schema);
void jout_finish(struct jout *j); /* ends the last line */

/* `key` is a constant of osprof and is not escaped; it is NULL inside an array and for the
 * outermost value. */
void jout_object(struct jout *j, const char *key);
void jout_array(struct jout *j, const char *key);
void jout_flat_object(struct jout *j, const char *key); /* on one line, with all its members */
void jout_flat_array(struct jout *j, const char *key);
/* Begins an object whose key is not a constant of osprof, and is escaped. */
void jout_named_object(struct jout *j, struct str name);
void jout_end_object(struct jout *j);
void jout_end_array(struct jout *j);

/* Write a member, or an array item when key is NULL; strings are escaped. */
void jout_str(struct jout *j, const char *key, struct str s);
void jout_text(struct jout *j, const char *key, const char *z); /* z NULL: null */
void jout_u64(struct jout *j, const char *key, uint64_t v);
void jout_f64(struct jout *j, const char *key, double v); /* infinite: "inf", "-inf"; NAN: null */
void jout_bool(struct jout *j, const char *key, bool v);
void jout_null(struct jout *j, const char *key);

#endif
