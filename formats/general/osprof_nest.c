/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements about nesting in osprof's own format. */
#include "formats/general/osprof_reader.h"

bool osprof_take_decimal(struct osprof_reader *r, struct decimal *ret)
{
	struct cursor c = r->line;
	uint64_t whole;

	if (scan_short_u64(&c, &whole) && cursor_done(&c)) { /* nearly always */
		r->line = c;
		*ret = decimal_from_u64(whole);
		return true;
	}
	if (!decimal_parse(osprof_rest(r), ret))
		return osprof_fail(r, DIAG_NUMBER_BAD, "expected a decimal number below 1e29");
	osprof_skip_rest(r);
	return true;
}

/* A nest is complete when another statement follows it. */
void osprof_push_nest(struct osprof_reader *r)
{
	if (r->has_nest)
		build_nest(r->to, &r->nest);
	r->has_nest = false;
}

bool osprof_read_nest(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	struct nest *nest;
	const char *wrong;
	size_t n = 0;

	osprof_push_nest(r);
	wrong = nest_parse(r->arena, where, &nest, &n);
	if (wrong != NULL || n > 1)
		return osprof_fail(r, DIAG_NAME_BAD,
				   wrong != NULL ? wrong : "expected UPPER > LOWER, not a chain");
	osprof_skip_rest(r);
	r->nest = *nest;
	r->has_nest = true;
	return true;
}

/* `nested`: what per-call records say about the `nest` statement on the previous line. */
bool osprof_read_nested(struct osprof_reader *r)
{
	if (!r->has_nest || r->nest.measured)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
				   "belongs after a nest, once");
	if (!osprof_take_u64(r, &r->nest.reached))
		return false;
	scan_blanks(&r->line);
	if (!osprof_take_u64(r, &r->nest.calls))
		return false;
	scan_blanks(&r->line);
	if (!osprof_take_decimal(r, &r->nest.total))
		return false;
	r->nest.measured = true;
	return true;
}
