/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/call_rows.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/blocks.h"
#include "base/input/input_file.h"
#include "base/scan.h"
#include "formats/format.h"
#include "formats/text.h"

static const char *const columns[N_CALL_COLUMNS] = {
	[CALL_START] = "start_ns",
	[CALL_PROCESS] = "process",
	[CALL_THREAD] = "thread",
	[CALL_OPERATION] = "operation",
	[CALL_NUMBER] = "number",
	[CALL_SITE] = "site",
	[CALL_LATENCY] = "latency_ns",
	[CALL_CPU] = "cpu_ns",
	[CALL_MINOR_FAULTS] = "minor_faults",
	[CALL_MAJOR_FAULTS] = "major_faults",
	[CALL_VOLUNTARY] = "voluntary_switches",
	[CALL_INVOLUNTARY] = "involuntary_switches",
	[CALL_BLOCKED] = "blocked_ns",
	[CALL_RESOURCE] = "resource",
	[CALL_KERNEL] = "kernel_ns",
	[CALL_SIZE] = "size",
	[CALL_RESULT] = "result",
};

/* --- the lines before the header ------------------------------------------------------ */

bool call_signature(struct str head, struct str *ret_version)
{
	struct str rest = head, line;

	return text_next(&rest, &line) && text_value(line, STR("# osprof calls "), ret_version);
}

/* Returns what follows "# KEY:". */
static bool value_of(struct str line, struct str key, struct str *ret)
{
	return text_value(str_trim(str_skip(line, 1)), key, ret); /* after the # */
}

static bool read_comments(struct input *in, struct call_head *ret, struct diag *diag)
{
	struct str rest = in->bytes, line, value;

	*ret = (struct call_head){ .lost = 0 };
	while (text_next(&rest, &line)) {
		line = str_trim(line);
		if (line.n > 0 && line.p[0] != '#')
			break;
		(void)value_of(line, STR("command:"), &ret->command);
		(void)value_of(line, STR("clock:"), &ret->clock);
		if (value_of(line, STR("incomplete:"), &value))
			diag_at(diag, DIAG_NOT_RECORDED, in, (size_t)(value.p - in->bytes.p),
				value.n, "%.*s", STR_ARG(value));
		if (!value_of(line, STR("lost:"), &value))
			continue;
		ret->lost_at = value;
		if (number_u64(value, &ret->lost) != NUMBER_OK)
			return format_fail(in, diag, DIAG_NUMBER_BAD, value,
					   "expected how many calls were lost");
	}
	return true;
}

/* --- the header --------------------------------------------------------------------------- */

static bool check_header(struct table *t, size_t *ret_columns)
{
	bool few = t->n_fields <= MIN_CALL_COLUMNS;

	*ret_columns = few ? MIN_CALL_COLUMNS : N_CALL_COLUMNS;
	for (size_t i = 0; i < *ret_columns; i++) {
		if (i < t->n_fields && str_eq(t->field[i], str_from(columns[i])))
			continue;
		return format_fail(
			t->in, t->diag, DIAG_COLUMN_MISSING,
			i < t->n_fields ? table_where(t, i) : str_skip(t->record, t->record.n),
			"expected %s as column %zu of %zu", columns[i], i + 1, *ret_columns);
	}
	return t->n_fields == *ret_columns ||
	       format_fail(t->in, t->diag, DIAG_CSV_BAD, table_where(t, *ret_columns),
			   "%zu columns where there should be %zu", t->n_fields, *ret_columns);
}

static bool read_header(struct input *in, struct table *ret, size_t *ret_columns, struct diag *diag)
{
	enum table_next what;
	struct str version;

	table_start(ret, in, ',', diag);
	if (!call_signature(in->bytes, &version))
		return format_fail(in, diag, DIAG_LINE_UNEXPECTED,
				   (struct str){ in->bytes.p, in->bytes.n > 0 },
				   "expected `# osprof calls 1`");
	if (!str_eq(version, STR("1")))
		return format_fail(in, diag, DIAG_LINE_UNEXPECTED, version,
				   "a version other than 1");
	ret->comments = true;
	what = table_next(ret);
	ret->comments = false;
	if (what == TABLE_END)
		return format_fail(in, diag, DIAG_INPUT_TRUNCATED, str_skip(in->bytes, in->bytes.n),
				   "expected a header");
	return what == TABLE_RECORD && check_header(ret, ret_columns);
}

/* Returns whether the header is in the part of the file read so far. */
static bool is_begun(struct input *in, struct table *ret, size_t *ret_columns)
{
	struct diag ignored = { 0 };

	if (in->rest != NULL && read_header(in, ret, ret_columns, &ignored) && !ret->cut_short)
		return true;
	table_release(ret);
	return false;
}

bool call_head_read(struct input *in, struct table *ret_table, struct call_head *ret,
		    struct diag *diag)
{
	size_t n_columns = 0;

	*ret_table = (struct table){ .in = NULL };
	if (is_begun(in, ret_table, &n_columns))
		ret_table->diag = diag;
	else if (!input_complete(in, diag) || !read_header(in, ret_table, &n_columns, diag))
		return false;
	if (!read_comments(in, ret, diag))
		return false;
	ret->n_columns = n_columns;
	return true;
}

/* --- records -------------------------------------------------------------------------------- */

static bool read_u32(struct table *t, enum call_column column, uint32_t *ret)
{
	uint64_t v;

	if (!table_u64(t, column, &v))
		return false;
	*ret = (uint32_t)v;
	return v <= UINT32_MAX || format_fail(t->in, t->diag, DIAG_NUMBER_RANGE,
					      table_where(t, column), "more than 2^32-1");
}

static bool read_number(struct table *t, uint64_t *ret)
{
	return table_u64(t, CALL_NUMBER, ret) &&
	       (*ret > 0 || format_fail(t->in, t->diag, DIAG_NUMBER_RANGE,
					table_where(t, CALL_NUMBER), "calls are numbered from 1"));
}

static bool read_kernel(struct table *t, uint64_t *ret)
{
	*ret = CALL_NO_TIME;
	return t->field[CALL_KERNEL].n == 0 || table_u64(t, CALL_KERNEL, ret);
}

static bool read_result(struct table *t)
{
	struct str digits = t->field[CALL_RESULT];
	uint64_t v;

	if (digits.n > 1 && digits.p[0] == '-')
		digits = str_skip(digits, 1);
	return number_u64(digits, &v) == NUMBER_OK ||
	       table_bad_number(t, CALL_RESULT, "a whole number");
}

/* Both may be empty: the call concerned no bytes, or its result is unknown.  osprof values reads
 * them as it reads any other column. */
static bool check_outcome(struct table *t)
{
	uint64_t size;

	if (t->n_fields < N_CALL_COLUMNS)
		return true;
	return (t->field[CALL_SIZE].n == 0 || table_u64(t, CALL_SIZE, &size)) &&
	       (t->field[CALL_RESULT].n == 0 || read_result(t));
}

static bool check_width(struct table *t, size_t n_columns)
{
	bool few = t->n_fields < n_columns;

	if (t->n_fields == n_columns)
		return true;
	/* A file that was cut off ends within a row. */
	return format_fail(t->in, t->diag,
			   few && t->cut_short ? DIAG_INPUT_TRUNCATED : DIAG_CSV_BAD,
			   few ? t->record : table_where(t, n_columns),
			   "%zu fields where the header has %zu", t->n_fields, n_columns);
}

static bool read_record(struct table *t, size_t n_columns, struct calls *to)
{
	uint32_t process, thread;
	struct call c;

	if (!check_width(t, n_columns) || !table_u64(t, CALL_START, &c.start) ||
	    !read_u32(t, CALL_PROCESS, &process) || !read_u32(t, CALL_THREAD, &thread) ||
	    !read_number(t, &c.number) || !table_u64(t, CALL_LATENCY, &c.latency) ||
	    !table_u64(t, CALL_CPU, &c.cpu) || !read_u32(t, CALL_MINOR_FAULTS, &c.minor_faults) ||
	    !read_u32(t, CALL_MAJOR_FAULTS, &c.major_faults) ||
	    !read_u32(t, CALL_VOLUNTARY, &c.voluntary) ||
	    !read_u32(t, CALL_INVOLUNTARY, &c.involuntary) ||
	    !table_u64(t, CALL_BLOCKED, &c.blocked) || !read_kernel(t, &c.kernel) ||
	    !check_outcome(t))
		return false;
	c.operation = calls_name(to, &to->operations, t->field[CALL_OPERATION]);
	c.site = calls_name(to, &to->sites, t->field[CALL_SITE]);
	c.resource = calls_name(to, &to->resources, t->field[CALL_RESOURCE]);
	calls_add(to, &c, process, thread);
	return true;
}

static bool call_rows_read_block(struct table *t, size_t n_columns, struct block *block,
				 struct calls *to, size_t max, struct diag *diag)
{
	enum table_next what;

	table_continue(t, &block->part, diag);
	while ((what = table_next(t)) == TABLE_RECORD) {
		if (!read_record(t, n_columns, to))
			return false;
		if (to->n > max)
			return format_fail(t->in, diag, DIAG_INPUT_LARGE, t->record,
					   "more than %zu records; --max-input raises the limit",
					   max);
	}
	return what == TABLE_END;
}

static size_t max_records(size_t max_bytes)
{
	size_t max = max_bytes / sizeof(struct call);

	return max < UINT32_MAX ? max : UINT32_MAX;
}

static void keep_head(struct calls *to, const struct call_head *head)
{
	to->lost += head->lost;
	if (to->command.n == 0)
		to->command = arena_str(to->arena, head->command);
	if (to->clock.n == 0)
		to->clock = arena_str(to->arena, head->clock);
}

bool call_records_read(struct calls *to, struct input *in, size_t max_bytes, struct diag *diag)
{
	struct block block = { .room = NULL };
	enum block_next what = BLOCK_FAILED;
	struct call_head head;
	struct blocks blocks;
	struct table t;

	calls_next_run(to);
	if (call_head_read(in, &t, &head, diag)) {
		keep_head(to, &head);
		blocks_start(&blocks, in, t.at, '"');
		while ((what = blocks_next(&blocks, &block, diag)) == BLOCK_TAKEN &&
		       call_rows_read_block(&t, head.n_columns, &block, to, max_records(max_bytes),
					    diag))
			;
		block_release(&block);
		blocks_release(&blocks);
	}
	table_release(&t);
	return what == BLOCK_END;
}
