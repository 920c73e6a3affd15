/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing JSON: commas, indentation and escapes in one place. */
#ifndef REPORT_JOUT_H
#define REPORT_JOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct out;

/* A JSON text while it is written to `out`, which is borrowed. */
struct jout {
	struct out *out;
	unsigned depth;
	bool fresh; /* nothing written yet in the innermost object or array */
	bool flat;  /* on one line: inside an object or array begun with jout_flat_*() */
	unsigned flat_depth;
};

/* A writer of JSON that indents. */
struct jout jout_on(struct out *o);
void jout_finish(struct jout *j); /* ends the last line */

/* `key` is one of ours, with nothing to escape; NULL inside an array and for the outermost
 * value. */
void jout_object(struct jout *j, const char *key);
void jout_array(struct jout *j, const char *key);
void jout_flat_object(struct jout *j, const char *key); /* all that is in it on one line */
void jout_flat_array(struct jout *j, const char *key);
void jout_end_object(struct jout *j);
void jout_end_array(struct jout *j);

/* A member, or an item where key is NULL; the string is escaped. */
void jout_str(struct jout *j, const char *key, struct str s);
void jout_text(struct jout *j, const char *key, const char *z); /* NULL: null */
void jout_u64(struct jout *j, const char *key, uint64_t v);
void jout_f64(struct jout *j, const char *key, double v); /* "inf", "-inf"; NAN: null */
void jout_bool(struct jout *j, const char *key, bool v);
void jout_null(struct jout *j, const char *key);

#endif
