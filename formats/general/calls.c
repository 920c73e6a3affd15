/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls: one record a call, written by `osprof record --calls`.
 *
 *	# osprof calls 1
 *	# lost: 12
 *	# command: sort words
 *	start_ns,process,thread,operation,number,site,latency_ns,cpu_ns,minor_faults, ...
 *	1042,871,871,read,1,sort.c:88 fill,5310,4700,1,0,0,0,0,,
 *	9377,871,871,fsync,1,sort+0x1f2c,1203400,41000,0,0,1,0,1162400,file,
 *
 * RFC 4180, the columns of formats/general/call_rows.h in that order.  Lines that begin with
 * "# " come before the header only; the first is the signature with its version.
 *
 * As a profile: operations by their call, in the layer `call`, intervals by start_ns.
 * What else a record holds is read by `osprof calls` (call_records_read()).
 *
 * The columns size and result are not in all files.
 *
 * Not supported: columns in another order, more of them.
 */
#include "formats/general/call_rows.h"
#include "formats/table/csv_rows.h"

/* Matches any version: the reader reports an unknown one, and no other format may claim the
 * file. */
static bool calls_is_one(struct str head)
{
	struct str version;

	return call_signature(head, &version);
}

static struct columns columns_of_calls(void)
{
	struct columns c = { .kind = KIND_SAMPLES, .n = N_CALL_COLUMNS };

	c.has[ROLE_OPERATION] = c.has[ROLE_LATENCY] = c.has[ROLE_START] = true;
	c.at[ROLE_OPERATION] = CALL_OPERATION;
	c.at[ROLE_LATENCY] = CALL_LATENCY;
	c.at[ROLE_START] = CALL_START;
	c.unit[ROLE_LATENCY] = c.unit[ROLE_START] = UNIT_NS;
	return c;
}

/* Excludes the parts of the latency, and columns that only repeat another: a call without a
 * resource did not block. */
static bool is_variable(struct str column)
{
	static const struct str parts[] = {
		STR_INIT("cpu_ns"), STR_INIT("blocked_ns"),	    STR_INIT("kernel_ns"),
		STR_INIT("number"), STR_INIT("voluntary_switches"),
	};

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		if (str_eq(parts[i], column))
			return false;
	}
	return true;
}

static bool read_calls(const struct read_task *task)
{
	struct rows r = { .in = task->in,
			  .options = task->options,
			  .to = task->to,
			  .diag = task->diag,
			  .columns = columns_of_calls(),
			  .layer = STR("call"),
			  .is_variable = is_variable };
	struct call_head head;
	bool ok = call_head_read(task->in, &r.table, &head, task->diag) &&
		  (head.lost == 0 || build_lost(task->to, head.lost, head.lost_at));

	if (ok) {
		r.columns.n = head.n_columns;
		ok = rows_read_samples(&r);
	}
	table_release(&r.table);
	return ok;
}

const struct format format_calls = {
	.name = "calls",
	.title = "per-call records of osprof record --calls",
	.versions = "1",
	.unit = "stated",
	.totals = "exact",
	.is_one = calls_is_one,
	.streams = true,
	.read = read_calls,
};
