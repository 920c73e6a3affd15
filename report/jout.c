/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/jout.h"

#include <math.h>

#include "base/escape.h"
#include "base/out.h"

struct jout jout_on(struct out *o)
{
	return (struct jout){ .out = o, .fresh = true };
}

void jout_finish(struct jout *j)
{
	out_char(j->out, '\n');
}

static void break_line(struct jout *j)
{
	if (j->flat)
		return;
	out_char(j->out, '\n');
	out_repeat(j->out, ' ', j->depth);
}

static void begin_member(struct jout *j)
{
	if (!j->fresh)
		out_text(j->out, j->flat ? ", " : ",");
	if (j->depth > 0)
		break_line(j);
	j->fresh = false;
}

static void begin_value(struct jout *j, const char *key)
{
	begin_member(j);
	if (key == NULL)
		return;
	out_char(j->out, '"');
	out_text(j->out, key);
	out_text(j->out, "\": ");
}

static void open_bracket(struct jout *j, char bracket)
{
	out_char(j->out, bracket);
	j->depth++;
	j->fresh = true;
}

static void begin_brackets(struct jout *j, const char *key, char bracket)
{
	begin_value(j, key);
	open_bracket(j, bracket);
}

static void begin_flat(struct jout *j, const char *key, char bracket)
{
	begin_brackets(j, key, bracket);
	if (!j->flat)
		j->flat_depth = j->depth;
	j->flat = true;
}

static void end_brackets(struct jout *j, char bracket)
{
	bool empty = j->fresh, flat = j->flat;

	if (j->flat && j->depth == j->flat_depth)
		j->flat = false;
	j->depth--;
	if (!empty && !flat)
		break_line(j);
	out_char(j->out, bracket);
	j->fresh = false;
}

void jout_object(struct jout *j, const char *key)
{
	begin_brackets(j, key, '{');
}

void jout_named_object(struct jout *j, struct str name)
{
	begin_member(j);
	escape_json(j->out, name);
	out_text(j->out, ": ");
	open_bracket(j, '{');
}

void jout_array(struct jout *j, const char *key)
{
	begin_brackets(j, key, '[');
}

void jout_flat_object(struct jout *j, const char *key)
{
	begin_flat(j, key, '{');
}

void jout_flat_array(struct jout *j, const char *key)
{
	begin_flat(j, key, '[');
}

void jout_end_object(struct jout *j)
{
	end_brackets(j, '}');
}

void jout_end_array(struct jout *j)
{
	end_brackets(j, ']');
}

void jout_generator(struct jout *j)
{
	jout_flat_object(j, "generator");
	jout_text(j, "name", "osprof");
	jout_text(j, "version", OSPROF_VERSION);
	jout_end_object(j);
}

void jout_document(struct jout *j, const char *schema)
{
	jout_object(j, NULL);
	jout_text(j, "schema", schema);
	jout_generator(j);
}

void jout_str(struct jout *j, const char *key, struct str s)
{
	begin_value(j, key);
	escape_json(j->out, s);
}

void jout_text(struct jout *j, const char *key, const char *z)
{
	if (z == NULL)
		jout_null(j, key);
	else
		jout_str(j, key, str_from(z));
}

void jout_u64(struct jout *j, const char *key, uint64_t v)
{
	begin_value(j, key);
	out_u64(j->out, v);
}

void jout_f64(struct jout *j, const char *key, double v)
{
	begin_value(j, key);
	if (isnan(v)) {
		out_text(j->out, "null");
		return;
	}
	if (isinf(v))
		out_char(j->out, '"');
	out_f64(j->out, v);
	if (isinf(v))
		out_char(j->out, '"');
}

void jout_bool(struct jout *j, const char *key, bool v)
{
	begin_value(j, key);
	out_text(j->out, v ? "true" : "false");
}

void jout_null(struct jout *j, const char *key)
{
	begin_value(j, key);
	out_text(j->out, "null");
}
