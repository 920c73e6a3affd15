/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/monitor/prometheus_series.h"

#include <math.h>

#include "base/arena.h"
#include "formats/monitor/prometheus_line.h"
#include "formats/monitor/prometheus_write.h"

/* Returns the value of a label in braces, with escapes decoded. */
static struct str label_value(struct str braced, struct str wanted, struct arena *a)
{
	struct str rest, name, value;
	char *copy;
	size_t n = 0;

	if (braced.n < 2)
		return STR("");
	rest = (struct str){ braced.p + 1, braced.n - 2 };
	while (prometheus_label(&rest, &name, &value)) {
		if (!str_eq(name, wanted) || value.p == NULL)
			continue;
		copy = arena_make(a, char, value.n + 1);
		for (size_t i = 0; i < value.n; i++) {
			bool escape = value.p[i] == '\\' && i + 1 < value.n;

			i += escape;
			copy[n++] = escape && value.p[i] == 'n' ? '\n' : value.p[i];
		}
		return (struct str){ copy, n };
	}
	return STR("");
}

struct prometheus_operation prometheus_operation(struct str series, size_t metric_bytes,
						 struct arena *a)
{
	struct str metric = { series.p, metric_bytes }, labels = str_skip(series, metric_bytes);
	struct prometheus_operation op = { .layer = STR(""),
					   .name = series,
					   .unit = unit_in_name(metric),
					   .unit_source = UNIT_GUESSED };

	if (prometheus_own_unit(metric, &op.unit)) {
		op.unit_source = UNIT_STATED;
		op.layer = label_value(labels, STR("layer"), a);
		op.name = label_value(labels, STR("operation"), a);
	} else if (op.unit == UNIT_UNKNOWN && (str_has_suffix(metric, STR("_bytes")) ||
					       str_has_suffix(metric, STR("_ratio")))) {
		op.unit = UNIT_PLAIN;
	}
	return op;
}

bool prometheus_count(struct input *in, struct diag *diag, struct str s, uint64_t *ret)
{
	enum number what = number_u64(s, ret);
	double v;

	if (what == NUMBER_OK)
		return true;
	if (what == NUMBER_TOO_LARGE)
		v = HUGE_VAL;
	else if (number_f64(s, &v) != NUMBER_OK || !(v >= 0))
		return format_fail(in, diag, DIAG_NUMBER_BAD, s, "expected a number of calls");
	else if (v != floor(v))
		return format_fail(
			in, diag, DIAG_NUMBER_BAD, s,
			"a fraction of calls, as rate() and increase() give it: query the "
			"counts themselves");
	if (v >= 0x1p64)
		return format_fail(in, diag, DIAG_COUNT_OVERFLOW, s, "more than 2^64-1");
	*ret = (uint64_t)v;
	return true;
}

bool prometheus_le(struct input *in, struct diag *diag, struct str s, double *ret)
{
	if (str_eq_nocase(s, STR("+inf")) || str_eq_nocase(s, STR("inf"))) {
		*ret = HUGE_VAL;
		return true;
	}
	return (number_f64(s, ret) == NUMBER_OK && isfinite(*ret)) ||
	       format_fail(in, diag, DIAG_NUMBER_BAD, s, "expected the upper edge of a bucket");
}

bool prometheus_sum(struct input *in, struct diag *diag, struct str s, bool *ret_has,
		    struct decimal *ret)
{
	*ret_has = !str_eq_nocase(s, STR("nan"));
	if (!*ret_has)
		return true;
	switch (number_decimal(s, ret)) {
	case NUMBER_OK:
		return true;
	case NUMBER_TOO_LARGE:
		return format_fail(in, diag, DIAG_NUMBER_RANGE, s, "beyond 1.7e29");
	case NUMBER_NONE:
		break;
	}
	return format_fail(in, diag, DIAG_NUMBER_BAD, s, "expected a sum");
}
