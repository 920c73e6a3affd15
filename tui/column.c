/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/column.h"

#include <math.h>

#include "base/out.h"
#include "profile/quantity.h"

enum kind { KIND_TEXT, KIND_NUMBER, KIND_COUNT, KIND_LATENCY, KIND_SHARE };

struct column_row {
	const char *name, *title;
	enum kind kind;
	bool one_run; /* applies to one run, too */
	double (*value)(const struct study *s, const struct item *i);
};

static double rank_of(const struct study *s, const struct item *i)
{
	(void)s;
	return (double)i->index + 1;
}

static double score_of(const struct study *s, const struct item *i)
{
	(void)s;
	return i->ranked != NULL ? i->ranked->score : NAN;
}

static double calls_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_calls(i, SIDE_BEFORE);
}

static double calls_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_calls(i, SIDE_AFTER);
}

static double total_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_total(i, SIDE_BEFORE);
}

static double total_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_total(i, SIDE_AFTER);
}

static double self_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_self(i, SIDE_BEFORE);
}

static double self_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_self(i, SIDE_AFTER);
}

static double mean_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_mean(i, SIDE_BEFORE);
}

static double mean_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_mean(i, SIDE_AFTER);
}

static const struct column_row columns[] = {
	[COLUMN_RANK] = { "rank", "the order of the ranking", KIND_COUNT, true, rank_of },
	[COLUMN_NAME] = { "name", "name", KIND_TEXT, true, NULL },
	[COLUMN_LAYER] = { "layer", "layer", KIND_TEXT, true, NULL },
	[COLUMN_VERDICT] = { "verdict", "verdict", KIND_TEXT, false, NULL },
	[COLUMN_SCORE] = { "score", "score", KIND_NUMBER, false, score_of },
	[COLUMN_CHANGE] = { "change", "change of total latency", KIND_LATENCY, false, item_change },
	[COLUMN_SHARE] = { "share", "share of the run's latency", KIND_SHARE, true, item_share },
	[COLUMN_CALLS_BEFORE] = { "calls", "calls before", KIND_COUNT, true, calls_before },
	[COLUMN_CALLS_AFTER] = { "calls-after", "calls after", KIND_COUNT, false, calls_after },
	[COLUMN_TOTAL_BEFORE] = { "total", "total latency before", KIND_LATENCY, true,
				  total_before },
	[COLUMN_TOTAL_AFTER] = { "total-after", "total latency after", KIND_LATENCY, false,
				 total_after },
	[COLUMN_SELF_BEFORE] = { "self", "self time before", KIND_LATENCY, true, self_before },
	[COLUMN_SELF_AFTER] = { "self-after", "self time after", KIND_LATENCY, false, self_after },
	[COLUMN_MEAN_BEFORE] = { "mean", "mean latency before", KIND_LATENCY, true, mean_before },
	[COLUMN_MEAN_AFTER] = { "mean-after", "mean latency after", KIND_LATENCY, false,
				mean_after },
};

static bool is_metric(size_t column)
{
	return column >= COLUMN_METRICS;
}

static enum metric metric_of(size_t column)
{
	return (enum metric)(column - COLUMN_METRICS);
}

const char *column_name(size_t column)
{
	return is_metric(column) ? distance_at(metric_of(column))->name : columns[column].name;
}

const char *column_title(size_t column)
{
	return is_metric(column) ? distance_at(metric_of(column))->title : columns[column].title;
}

bool column_applies(const struct study *s, size_t column)
{
	if ((column == COLUMN_SELF_BEFORE || column == COLUMN_SELF_AFTER) && !s->nested)
		return false;
	return study_compares(s) || (!is_metric(column) && columns[column].one_run);
}

double column_value(const struct study *s, size_t column, const struct item *i)
{
	if (is_metric(column))
		return i->ranked != NULL ? i->ranked->metric[metric_of(column)] : NAN;
	return columns[column].value != NULL ? columns[column].value(s, i) : NAN;
}

/* --- order -------------------------------------------------------------------------- */

/* Sorts the largest number first and NAN last. */
static int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

static double sort_value(const struct study *s, size_t column, const struct item *i)
{
	double v = column_value(s, column, i);

	if (column == COLUMN_RANK)
		return -v;
	if (is_metric(column) &&
	    (metric_of(column) == METRIC_INTERSECTION || metric_of(column) == METRIC_CHI_SQUARE_P))
		return -v;
	return is_metric(column) || column == COLUMN_SCORE || column == COLUMN_CHANGE ? fabs(v) : v;
}

static int compare_text(size_t column, const struct item *a, const struct item *b)
{
	const struct operation *x = item_operation(a), *y = item_operation(b);

	if (column == COLUMN_VERDICT && a->ranked != NULL && b->ranked != NULL)
		return (int)a->ranked->verdict - (int)b->ranked->verdict;
	return column == COLUMN_LAYER ? str_cmp(x->layer, y->layer) : str_cmp(x->name, y->name);
}

int column_compare(const struct study *s, size_t column, const struct item *a, const struct item *b)
{
	int order;

	if (!is_metric(column) && columns[column].kind == KIND_TEXT)
		order = compare_text(column, a, b);
	else
		order = compare_numbers(sort_value(s, column, a), sort_value(s, column, b));
	return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/* --- text --------------------------------------------------------------------------- */

static void print_text(struct out *o, size_t column, const struct item *i)
{
	const struct operation *op = item_operation(i);

	if (column == COLUMN_VERDICT)
		out_text(o, i->ranked != NULL ? verdict_name(i->ranked->verdict) : "");
	else
		out_bytes(o, column == COLUMN_LAYER ? op->layer : op->name);
}

static void print_latency(struct out *o, const struct study *s, size_t column, double v,
			  const struct item *i)
{
	if (column == COLUMN_CHANGE && study_compares(s) && v >= 0)
		out_char(o, '+');
	quantity_latency(o, v, item_scale(s, i));
}

void column_print(struct out *o, const struct study *s, size_t column, const struct item *i)
{
	enum kind kind = is_metric(column) ? KIND_NUMBER : columns[column].kind;
	double v = kind == KIND_TEXT ? 0 : column_value(s, column, i);

	if (isnan(v)) {
		out_char(o, '-');
		return;
	}
	switch (kind) {
	case KIND_TEXT:
		print_text(o, column, i);
		break;
	case KIND_COUNT:
		quantity_count(o, v);
		break;
	case KIND_LATENCY:
		print_latency(o, s, column, v, i);
		break;
	case KIND_SHARE:
		quantity_percent(o, v);
		break;
	case KIND_NUMBER:
		if (isinf(v))
			out_f64(o, v);
		else
			out_digits(o, v, 4);
		break;
	}
}
