/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/utf8.h"
#include "base/xalloc.h"

enum { CONTEXT_BYTES = 100 }; /* maximum bytes shown of the input's line */

static const struct {
	enum severity severity;
	const char *name, *text;
} codes[] = {
#define DIAG(id, severity, name, text) [DIAG_##id] = { SEV_##severity, name, text },
#include "base/diag_codes.def"
#undef DIAG
};

const char *diag_name(enum diag_code code)
{
	return codes[code].name;
}

const char *diag_text(enum diag_code code)
{
	return codes[code].text;
}

enum severity diag_severity(enum diag_code code)
{
	return codes[code].severity;
}

static const char *severity_name(enum severity s)
{
	static const char *const names[] = { "note", "warning", "error" };

	return names[s];
}

static unsigned max_each(const struct diag *d)
{
	return d->max_each > 0 ? d->max_each : DIAG_MAX_EACH;
}

enum severity diag_severity_here(const struct diag *d, enum diag_code code)
{
	return d->lenient && code == DIAG_INPUT_TRUNCATED ? SEV_WARNING : diag_severity(code);
}

bool diag_is_reported(const struct diag *d, enum diag_code code)
{
	return d->emit != NULL && d->seen[diag_severity_here(d, code)] < max_each(d);
}

/* Counts a message.  Instead of the first one beyond the limit, emits DIAG_TOO_MANY. */
static void count_message(struct diag *d, enum severity severity)
{
	struct diag_msg last = {
		.code = DIAG_TOO_MANY,
		.severity = severity,
		.detail = "further messages of this kind are left out",
	};

	if (d->seen[severity]++ == max_each(d) && d->emit != NULL)
		d->emit(d->ctx, &last);
}

static void report_message(struct diag *d, struct diag_msg *msg, const char *fmt, va_list ap)
{
	struct out *detail;
	va_list again;
	char *text;
	bool is_reported = diag_is_reported(d, msg->code);
	int n;

	msg->severity = diag_severity_here(d, msg->code);
	d->truncated |= d->lenient && msg->code == DIAG_INPUT_TRUNCATED;
	count_message(d, msg->severity);
	if (!is_reported)
		return;
	detail = out_to_memory();
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	text = xcalloc((size_t)(n < 0 ? 0 : n) + 1, 1);
	(void)vsnprintf(text, (size_t)(n < 0 ? 0 : n) + 1, fmt, again);
	va_end(again);
	escape_terminal(detail, str_from(text));
	out_char(detail, '\0');
	msg->detail = out_memory(detail).p;
	d->emit(d->ctx, msg);
	free(text);
	out_free(detail);
}

void diag_at(struct diag *d, enum diag_code code, struct input *in, size_t at, size_t len,
	     const char *fmt, ...)
{
	struct diag_msg msg = { .code = code, .input = in, .at = at, .len = len };
	va_list ap;

	va_start(ap, fmt);
	report_message(d, &msg, fmt, ap);
	va_end(ap);
}

void diag_part(struct diag *d, enum diag_code code, struct input *in, struct str part,
	       const char *fmt, ...)
{
	struct diag_msg msg = { .code = code, .input = in, .at = DIAG_NOWHERE, .len = part.n };
	va_list ap;

	if (part.p != NULL)
		msg.at = (size_t)(part.p - in->bytes.p);

	va_start(ap, fmt);
	report_message(d, &msg, fmt, ap);
	va_end(ap);
}

void diag_file(struct diag *d, enum diag_code code, struct input *in, const char *fmt, ...)
{
	struct diag_msg msg = { .code = code, .input = in, .at = DIAG_NOWHERE };
	va_list ap;

	va_start(ap, fmt);
	report_message(d, &msg, fmt, ap);
	va_end(ap);
}

void diag_plain(struct diag *d, enum diag_code code, const char *fmt, ...)
{
	struct diag_msg msg = { .code = code };
	va_list ap;

	va_start(ap, fmt);
	report_message(d, &msg, fmt, ap);
	va_end(ap);
}

/* Returns where the character that contains byte `at` begins; `at` if there is none. */
static size_t char_start(struct str s, size_t at)
{
	for (size_t back = 0; back < 4 && back <= at; back++) {
		uint32_t code;
		size_t n;

		if (utf8_decode(str_skip(s, at - back), &code, &n))
			return n > back ? at - back : at;
	}
	return at;
}

/* Returns where the character before `at` ends. */
static size_t char_end(struct str s, size_t at)
{
	size_t start = char_start(s, at - 1), n;
	uint32_t code;

	return utf8_decode(str_skip(s, start), &code, &n) ? start + n : at;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Cuts the line, and begins and ends the caret, only between characters. */
static void render_caret(struct out *o, const struct diag_msg *msg, size_t column)
{
	struct str line = input_line(msg->input, msg->at);
	size_t at = char_start(line, min_size(column - 1, line.n));
	size_t from = at > CONTEXT_BYTES / 2 ? char_start(line, at - CONTEXT_BYTES / 2) : 0;
	size_t until = char_start(line, min_size(from + CONTEXT_BYTES, line.n));
	size_t end = msg->len < until - at ? at + msg->len : until, width;

	if (end > at)
		end = char_end(line, end);
	width = escape_terminal_width((struct str){ line.p + at, end - at });
	out_text(o, "    ");
	escape_terminal(o, (struct str){ line.p + from, until - from });
	out_text(o, "\n    ");
	out_repeat(o, ' ', escape_terminal_width((struct str){ line.p + from, at - from }));
	out_repeat(o, '^', width > 0 ? width : 1);
	out_char(o, '\n');
}

size_t diag_line(const struct diag_msg *msg)
{
	if (msg->rendered != NULL)
		return msg->line;
	if (msg->input == NULL || msg->at == DIAG_NOWHERE || msg->at > msg->input->bytes.n)
		return 0;
	return input_position(msg->input, msg->at).line;
}

void diag_render(struct out *o, const struct diag_msg *msg)
{
	bool placed = msg->input != NULL && msg->at != DIAG_NOWHERE;
	struct position where = { 0, 0 };

	if (msg->rendered != NULL) {
		out_text(o, msg->rendered);
		return;
	}
	if (msg->input != NULL)
		escape_terminal(o, msg->input->name);
	else
		out_text(o, "osprof");
	if (placed) {
		where = input_position(msg->input, msg->at);
		out_printf(o, ":%zu:%zu", where.line, where.column);
	}
	out_text(o, ": ");
	out_printf(o, "%s: %s: %s [%s]\n", severity_name(msg->severity), diag_text(msg->code),
		   msg->detail, diag_name(msg->code));
	if (placed && msg->len != DIAG_NO_CARET && msg->input->bytes.n > 0)
		render_caret(o, msg, where.column);
}
