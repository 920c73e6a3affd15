/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gluster-xml: output of gluster --xml volume profile VOLUME info.
 *
 *	<volProfile>
 *	  <brick>
 *	    <brickName>server:/bricks/b1</brickName>
 *	    <cumulativeStats>
 *	      <fopStats>
 *	        <fop>
 *	          <name>MKDIR</name> <hits>4</hits> <avgLatency>165698.750000</avgLatency>
 *	          <minLatency>73201.000000</minLatency> <maxLatency>276111.000000</maxLatency>
 *
 * It has the same data as the text that `gluster` reads, but does not state the unit, which is ns
 * in 11.2.  Elements may be laid out in any way; entities in names are not decoded.
 *
 * Seen: 11.2.  Left out with a note: operations that were counted but not measured.  Not
 * supported: sizes of blocks.
 */
#include "formats/storage/gluster_stats.h"

struct element {
	struct str name; /* "/fop" for an end tag */
	struct str text; /* text up to the next tag */
};

/* Takes a tag and the text after it; false at the end, or if the tag is not closed. */
static bool take_element(struct str *rest, struct element *ret)
{
	size_t open = str_find(*rest, STR("<")), close;

	*rest = str_skip(*rest, open + 1);
	close = str_find(*rest, STR(">"));
	if (close == rest->n)
		return false;
	ret->name = (struct str){ rest->p, close };
	*rest = str_skip(*rest, close + 1);
	ret->text = str_trim((struct str){ rest->p, str_find(*rest, STR("<")) });
	return true;
}

static enum probe probe_gluster_xml(struct str head, struct clue *clue)
{
	size_t at = str_find(head, STR("<volProfile>"));

	if (at == head.n || !str_contains(head, STR("<cliOutput>")))
		return PROBE_NO;
	if (str_contains(head, STR("<brickName>")) &&
	    (str_contains(head, STR("<cumulativeStats>")) ||
	     str_contains(head, STR("<intervalStats>"))))
		return PROBE_MAGIC;
	*clue = (struct clue){ at, "a profile without statistics of bricks" };
	return PROBE_NO;
}

struct reader {
	struct gluster_stats stats;
	struct str rest;
	struct statistics row; /* statistics of the current operation */
	bool has_calls;
	bool ended; /* </cliOutput> was read */
};

static bool fail_xml(struct reader *r, enum diag_code code, struct str where, const char *expected)
{
	return format_fail(r->stats.in, r->stats.diag, code, where, "%s", expected);
}

static bool gluster_xml_read_time(struct reader *r, struct str s, struct decimal *ret)
{
	return (decimal_parse(s, ret) && ret->billionths >= 0) ||
	       fail_xml(r, DIAG_NUMBER_BAD, s, "expected a time");
}

/* Reads a member of <fop>. */
static bool gluster_xml_read_member(struct reader *r, const struct element *e)
{
	struct statistics *row = &r->row;

	if (str_eq(e->name, STR("name"))) {
		row->name = e->text;
	} else if (str_eq(e->name, STR("hits"))) {
		row->count_at = e->text;
		r->has_calls = number_u64(e->text, &row->count) == NUMBER_OK;
		return r->has_calls ||
		       fail_xml(r, DIAG_NUMBER_BAD, e->text, "expected a number of calls");
	} else if (str_eq(e->name, STR("avgLatency"))) {
		row->total_at = e->text;
		return gluster_xml_read_time(r, e->text, &row->total);
	} else if (str_eq(e->name, STR("minLatency"))) {
		return gluster_xml_read_time(r, e->text, &row->min);
	} else if (str_eq(e->name, STR("maxLatency"))) {
		return gluster_xml_read_time(r, e->text, &row->max);
	}
	return true;
}

static bool end_operation(struct reader *r, struct str where)
{
	if (r->row.name.n == 0 || !r->has_calls || r->row.total_at.p == NULL)
		return fail_xml(r, DIAG_LINE_UNEXPECTED, where,
				"an operation without its name, hits or avgLatency");
	return gluster_push(&r->stats, &r->row);
}

static bool read_operation(struct reader *r)
{
	struct element e;

	r->row = (struct statistics){ .count = 0 };
	r->has_calls = false;
	while (take_element(&r->rest, &e)) {
		if (str_eq(e.name, STR("/fop")))
			return end_operation(r, e.name);
		if (!gluster_xml_read_member(r, &e))
			return false;
	}
	return fail_xml(r, DIAG_INPUT_TRUNCATED, r->rest, "an operation without its end");
}

static bool read_element(struct reader *r, const struct element *e)
{
	uint64_t seconds;

	if (str_eq(e->name, STR("fop")))
		return read_operation(r);
	if (str_eq(e->name, STR("brickName")))
		gluster_begin_brick(&r->stats, e->text);
	else if (str_eq(e->name, STR("cumulativeStats")))
		gluster_begin_section(&r->stats, GLUSTER_CUMULATIVE);
	else if (str_eq(e->name, STR("intervalStats")))
		gluster_begin_section(&r->stats, GLUSTER_INTERVAL);
	else if (str_eq(e->name, STR("duration")) && number_u64(e->text, &seconds) == NUMBER_OK)
		gluster_duration(&r->stats, seconds);
	else if (str_eq(e->name, STR("cliOutput")))
		r->ended = false;
	else if (str_eq(e->name, STR("/cliOutput")))
		r->ended = true;
	return true;
}

static bool read_elements(struct reader *r)
{
	struct element e;

	while (take_element(&r->rest, &e)) {
		if (!read_element(r, &e))
			return false;
	}
	return r->ended || fail_xml(r, DIAG_INPUT_TRUNCATED, r->rest, "expected </cliOutput>");
}

static bool read_gluster_xml(const struct read_task *task)
{
	struct reader r = {
		.stats = { .in = task->in, .to = task->to, .diag = task->diag, .brick = STR("") },
		.rest = task->in->bytes,
	};
	bool ok;

	r.stats.unit = UNIT_UNKNOWN;
	ok = read_elements(&r);
	gluster_end(&r.stats, ok);
	return ok;
}

const struct format format_gluster_xml = {
	.name = "gluster-xml",
	.title = "gluster --xml volume profile: the same as XML",
	.versions = "11.2",
	.unit = "not stated, ns in 11.2: use --unit to set it",
	.totals = "from the mean",
	.probe = probe_gluster_xml,
	.read = read_gluster_xml,
};
