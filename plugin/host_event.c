/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/host_event.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/scan.h"
#include "formats/format.h"
#include "profile/profile.h"

/* Parses the flat object; values that are neither strings nor numbers are skipped. */
static bool read_fields(struct osprof_event *e, struct str line)
{
	struct diag silent = { .emit = NULL };
	struct input in;
	struct json j;
	struct str key;

	input_borrow(&in, "event", line.p, line.n);
	json_start(&j, cursor_on(&in), e->arena, &silent);
	if (json_open(&j, '{')) {
		while (json_key(&j, &key)) {
			struct str name = arena_str(e->arena, key), text = { NULL, 0 };

			if (!json_text_or_skip(&j, &text))
				break;
			if (text.p == NULL || e->n_fields == EVENT_FIELDS)
				continue;
			e->field[e->n_fields].name = name;
			e->field[e->n_fields++].text = arena_str(e->arena, text);
		}
	}
	input_release(&in);
	return !j.failed;
}

static bool read_profile(struct osprof_event *e, struct str text)
{
	const struct read_options options = { .numbering = NUMBERING_UNKNOWN };
	struct diag silent = { .emit = NULL };
	struct input in;

	input_borrow(&in, "profile", text.p, text.n);
	e->profile = format_read(format_by_name(STR("osprof")), &in, &options, &silent);
	input_release(&in);
	return e->profile != NULL;
}

bool host_event_init(struct osprof_event *e, int kind, struct str bytes)
{
	struct str line = bytes, text = { bytes.p + bytes.n, 0 };

	*e = (struct osprof_event){ .kind = kind, .arena = arena_new() };
	(void)str_cut(bytes, '\n', &line, &text);
	if (read_fields(e, line) && (text.n == 0 || read_profile(e, text)))
		return true;
	host_event_release(e);
	return false;
}

void host_event_release(struct osprof_event *e)
{
	profile_free(e->profile);
	arena_free(e->arena);
	*e = (struct osprof_event){ .kind = 0 };
}

int host_event_kind(const struct osprof_event *e)
{
	return e->kind;
}

int host_event_text(const struct osprof_event *e, const char *name, struct osprof_text *ret)
{
	for (size_t i = 0; i < e->n_fields; i++) {
		if (str_eq(e->field[i].name, str_from(name))) {
			*ret = (struct osprof_text){ e->field[i].text.p, e->field[i].text.n };
			return 1;
		}
	}
	return 0;
}

int host_event_number(const struct osprof_event *e, const char *name, double *ret)
{
	struct osprof_text text;

	return host_event_text(e, name, &text) &&
	       number_f64((struct str){ text.bytes, text.size }, ret) == NUMBER_OK;
}

size_t host_event_operations(const struct osprof_event *e)
{
	return e->profile != NULL ? e->profile->n_ops : 0;
}

/* Returns the upper edge of the bucket that holds this quantile. */
static double upper_quantile(const struct histogram *h, double share)
{
	const struct bucket *b = histogram_quantile(h, share);

	return b != NULL ? b->edges->high : NAN;
}

int host_event_operation(const struct osprof_event *e, size_t i, struct osprof_operation *ret)
{
	struct osprof_operation o = { .size = ret->size };
	const struct operation *op;

	if (i >= host_event_operations(e))
		return 0;
	op = &e->profile->op[i];
	o.layer = (struct osprof_text){ op->layer.p, op->layer.n };
	o.name = (struct osprof_text){ op->name.p, op->name.n };
	o.calls = operation_count(op);
	o.total = operation_total(op);
	o.mean = operation_mean(op);
	o.p50 = upper_quantile(&op->hist, 0.5);
	o.p99 = upper_quantile(&op->hist, 0.99);
	memcpy(ret, &o, ret->size < sizeof(o) ? ret->size : sizeof(o));
	return 1;
}
