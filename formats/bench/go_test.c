/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * go-test: Go benchmarks, in the format that go test -bench prints and benchstat reads.
 *
 *	goos: linux
 *	pkg: example.org/text
 *	BenchmarkRepeat/n=1-2  	 1334073	        16.37 ns/op	       8 B/op
 *	PASS
 *
 * An operation is the name without "Benchmark", including the number of processors at its end; the
 * layer is the package.  Only means are printed: the number of calls is the iterations, and the
 * total is ns/op times iterations.  Repetitions (-count) are runs.  Other units are left out,
 * as are, with a note, results without ns/op and failed benchmarks.
 *
 * Seen: 1.19.  Not supported: go test -json.
 */
#include "formats/lines.h"
#include "formats/text.h"

struct result {
	struct str name, iterations, ns; /* ns empty: none */
	bool whole;			 /* each value has a unit */
};

/* Go's rule for benchmark names: "Benchmark" is not followed by a lower-case letter. */
static bool is_name(struct str line)
{
	struct str rest = str_skip(line, STR("Benchmark").n);

	return str_has_prefix(line, STR("Benchmark")) &&
	       !(rest.n > 0 && rest.p[0] >= 'a' && rest.p[0] <= 'z');
}

/* Parses a name and a number; false for other text, or a name alone, which -v prints. */
static bool scan_result(struct str line, struct result *ret)
{
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);
	struct str value, unit;
	uint64_t n;

	*ret = (struct result){ .whole = true };
	if (!is_name(line) || !scan_word(&c, &ret->name) || !scan_word(&c, &ret->iterations) ||
	    number_u64(ret->iterations, &n) == NUMBER_NONE)
		return false;
	while (scan_word(&c, &value)) {
		ret->whole = scan_word(&c, &unit);
		if (ret->whole && str_eq(unit, STR("ns/op")))
			ret->ns = value;
	}
	return true;
}

static bool is_result(struct str line)
{
	struct result b;

	return scan_result(line, &b) && b.whole;
}

static bool is_time(struct str line)
{
	struct result b;

	return scan_result(line, &b) && b.whole && b.ns.n > 0;
}

static bool is_system(struct str line)
{
	return str_has_prefix(line, STR("goos: ")) || str_has_prefix(line, STR("goarch: "));
}

static enum probe probe_go_test(struct str head, struct clue *clue)
{
	if (text_has(head, is_system)) {
		if (text_has(head, is_result))
			return PROBE_MAGIC;
		*clue = (struct clue){ 0, "go test without results of benchmarks" };
		return PROBE_NO;
	}
	return text_has(head, is_time) ? PROBE_MARKS : PROBE_NO;
}

struct reader {
	struct lines lines;
	struct str package;
	size_t n_failed;
};

static struct str go_test_name_of(const struct result *b)
{
	struct str name = str_skip(b->name, STR("Benchmark").n);

	return name.n > 0 ? name : b->name;
}

static bool push_to(struct builder *to, const struct reader *r, const struct result *b,
		    struct decimal total, uint64_t n)
{
	if (!build_operation_in(to, UNIT_NS, r->package, go_test_name_of(b), r->lines.text))
		return false;
	build_fixed_duration(to);
	build_rounded_totals(to);
	return build_total(to, total, b->ns) && build_count(to, n, r->lines.text);
}

static bool go_test_push(struct reader *r, const struct result *b)
{
	const struct lines *l = &r->lines;
	struct decimal mean, total;
	uint64_t n;

	if (!lines_count(l, b->iterations, &n, "expected a number of iterations"))
		return false;
	if (number_decimal(b->ns, &mean) != NUMBER_OK || mean.billionths < 0)
		return lines_fail(l, DIAG_NUMBER_BAD, b->ns, "expected ns from 0 on");
	if (!decimal_times(mean, n, &total))
		return lines_fail(l, DIAG_TOTAL_OVERFLOW, b->ns, "ns/op times iterations");
	if (!push_to(l->to, r, b, total, n))
		return false;
	(void)push_to(build_repetition(l->to), r, b, total, n);
	return true;
}

static bool go_test_line(void *reader)
{
	struct reader *r = reader;
	struct str line = r->lines.text;
	struct result b;

	(void)text_value(line, STR("pkg: "), &r->package);
	r->n_failed += str_has_prefix(line, STR("--- FAIL: Benchmark"));
	if (!scan_result(line, &b))
		return true;
	if (!b.whole || (b.ns.n == 0 && r->lines.cut))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected name, iterations, and values with their units");
	if (b.ns.n > 0)
		return go_test_push(r, &b);
	r->lines.left_out++;
	return true;
}

static bool go_test_end(void *reader)
{
	const struct reader *r = reader;

	if (r->n_failed > 0)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "benchmarks that failed: %zu", r->n_failed);
	return true;
}

const struct format format_go_test = {
	.name = "go-test",
	.title = "go test -bench: summary statistics",
	.versions = "1.19",
	.unit = "ns, always",
	.totals = "ns/op times iterations",
	.probe = probe_go_test,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = go_test_line,
					     .end = go_test_end,
					     .drop_single_layer = true,
					     .left_out = "results without ns/op:" },
};
