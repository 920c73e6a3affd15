/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library/context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "base/out.h"
#include "base/xalloc.h"

/* --- errors of GSL -------------------------------------------------------------------------------- */

/*
 * Where a function of GSL fails, the callers here want its result, which is not a number.  But GSL
 * calls its error handler first, also by the functions whose names end with _e, and that of a host
 * that has set none ends the program.  There is one handler for all threads, so it cannot be
 * switched off for a while; instead one is put before it that lets errors of calls from here pass.
 */
static _Atomic(gsl_error_handler_t *) handler_of_host;

static void pass_error(const char *reason, const char *file, int line, int number)
{
	gsl_error_handler_t *next = atomic_load(&handler_of_host);

	if (pool_is_running())
		return;
	if (next != NULL) {
		next(reason, file, line, number);
		return;
	}
	/* As GSL does without a handler, since the error is the host's own. */
	gsl_stream_printf("ERROR", file, line, reason);
	abort();
}

static void take_errors(void)
{
	gsl_error_handler_t *before = gsl_set_error_handler(pass_error);

	if (before != pass_error)
		atomic_store(&handler_of_host, before);
}

int call_run(struct pool *pool, void (*body)(void *arg), void *arg)
{
	return pool_run(pool, body, arg) ? OSC_OK : OSC_NO_MEMORY;
}

/* --- words ---------------------------------------------------------------------------------------- */

static const char *word_of(const char *const *words, size_t n, int i)
{
	return i >= 0 && (size_t)i < n && words[i] != NULL ? words[i] : "unknown";
}

const char *osc_version(void)
{
	return OSPROF_VERSION;
}

const char *osc_status_text(int status)
{
	static const char *const words[] = {
		[OSC_OK] = "success",
		[OSC_NO_MEMORY] = "out of memory",
		[OSC_INVALID] = "an argument is not valid",
		[OSC_OPTION] = "no such option, or not a value of it",
		[OSC_INPUT] = "the inputs cannot be read or compared",
		[OSC_STOPPED] = "stopped by a callback",
	};

	return word_of(words, COUNT_OF(words), status);
}

const char *osc_verdict_name(int verdict)
{
	static const char *const words[] = {
		[OSC_SAME] = "same",
		[OSC_CHANGED_SHAPE] = "changed-shape",
		[OSC_INCONCLUSIVE] = "inconclusive",
		[OSC_REGRESSED] = "regressed",
		[OSC_IMPROVED] = "improved",
		[OSC_NEW] = "new",
		[OSC_GONE] = "gone",
		[OSC_CHANGED] = "changed",
	};

	return word_of(words, COUNT_OF(words), verdict);
}

const char *osc_gate_name(int gate)
{
	static const char *const words[] = { [OSC_GATE_PASSED] = "passed",
					     [OSC_GATE_FAILED] = "failed",
					     [OSC_GATE_INCONCLUSIVE] = "inconclusive" };

	return word_of(words, COUNT_OF(words), gate);
}

/* --- making and freeing --------------------------------------------------------------------------- */

static char *copied_text(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = unnoted_calloc(n, 1);

	return copy != NULL ? memcpy(copy, s, n) : NULL;
}

/* Returns a copy of n items with room for one more; NULL: no memory. */
static void *one_more(const void *items, size_t n, size_t size)
{
	void *larger = unnoted_calloc(n + 1, size);

	if (larger != NULL && n > 0)
		memcpy(larger, items, n * size);
	return larger;
}

int osc_new(osc_context **ret)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	osc_context *context;

	if (ret == NULL)
		return OSC_INVALID;
	(void)pthread_once(&once, take_errors);
	context = unnoted_calloc(1, sizeof(*context));
	if (context == NULL)
		return OSC_NO_MEMORY;
	*ret = context;
	return OSC_OK;
}

int osc_clear(osc_context *context)
{
	if (context == NULL)
		return OSC_INVALID;
	for (size_t i = 0; i < context->n_inputs; i++)
		unnoted_free(context->input[i].name);
	unnoted_free(context->input);
	context->input = NULL;
	context->n_inputs = 0;
	return OSC_OK;
}

void osc_free(osc_context *context)
{
	if (context == NULL)
		return;
	(void)osc_clear(context);
	for (size_t i = 0; i < context->n_options; i++) {
		unnoted_free(context->option[i].name);
		unnoted_free(context->option[i].value);
	}
	unnoted_free(context->option);
	unnoted_free(context);
}

int osc_on_message(osc_context *context, osc_message_fn *function, void *arg)
{
	if (context == NULL)
		return OSC_INVALID;
	context->message = function;
	context->message_arg = arg;
	return OSC_OK;
}

/* --- inputs --------------------------------------------------------------------------------------- */

static int add_input(osc_context *context, const struct context_input *input)
{
	struct context_input *larger = one_more(context->input, context->n_inputs, sizeof(*larger));
	char *name = copied_text(input->name);

	if (larger == NULL || name == NULL) {
		unnoted_free(larger);
		unnoted_free(name);
		return OSC_NO_MEMORY;
	}
	unnoted_free(context->input);
	context->input = larger;
	context->input[context->n_inputs] = *input;
	context->input[context->n_inputs++].name = name;
	return OSC_OK;
}

static bool is_side(int side)
{
	return side == OSC_BEFORE || side == OSC_AFTER;
}

int osc_add_path(osc_context *context, int side, const char *path)
{
	if (context == NULL || path == NULL || *path == '\0' || !is_side(side) ||
	    strcmp(path, "-") == 0)
		return OSC_INVALID;
	return add_input(context,
			 &(struct context_input){ side, (char *)(uintptr_t)path, NULL, 0 });
}

int osc_add_memory(osc_context *context, int side, const char *name, const void *bytes, size_t n)
{
	if (context == NULL || name == NULL || *name == '\0' || !is_side(side) ||
	    (bytes == NULL && n > 0))
		return OSC_INVALID;
	return add_input(context, &(struct context_input){ side, (char *)(uintptr_t)name,
							   bytes != NULL ? bytes : "", n });
}

static size_t take_side(const struct osc_context *context, int side, struct load_options *q,
			struct memory_input *memory)
{
	size_t n = 0;

	for (size_t i = 0; i < context->n_inputs; i++) {
		const struct context_input *input = &context->input[i];
		char *name;

		if (input->side != side)
			continue;
		name = xstrdup(input->name);
		if (input->bytes != NULL)
			memory[q->n_memory++] =
				(struct memory_input){ name, { input->bytes, input->n } };
		q->operand[q->n_operands++] = name;
		n++;
	}
	return n;
}

bool context_set_inputs(const struct osc_context *context, bool both, struct load_options *ret,
			struct diag *diag)
{
	struct memory_input *memory = xcalloc(context->n_inputs + 1, sizeof(*memory));
	size_t n_after = 0;

	ret->operand = xcalloc(context->n_inputs + 1, sizeof(*ret->operand));
	ret->memory = memory;
	ret->n_before = take_side(context, OSC_BEFORE, ret, memory);
	if (both)
		n_after = take_side(context, OSC_AFTER, ret, memory);
	ret->separated = both;
	if (ret->n_before > 0 && (!both || n_after > 0))
		return true;
	diag_plain(diag, DIAG_USAGE, "no input is given for the side %s",
		   ret->n_before == 0 ? "before" : "after");
	return false;
}

/* --- options -------------------------------------------------------------------------------------- */

static bool set_option(struct options *o, const struct context_option *given, struct diag *diag)
{
	const struct option_row *row = run_option_of(COMMAND_rank, given->name);
	char *value = given->value != NULL ? xstrdup(given->value) : NULL;

	if (row == NULL) {
		diag_plain(diag, DIAG_USAGE, "there is no option %s", given->name);
		return false;
	}
	if (value != NULL ? row->arg == NULL : row->arg != NULL && row->arg[0] != '[') {
		diag_plain(diag, DIAG_USAGE, "%s %s", given->name,
			   value != NULL ? "takes no argument" : "needs an argument");
		return false;
	}
	if (value != NULL && row->arg[0] == '[' && value[0] == '\0')
		value = NULL;
	return option_take(row, o, value, diag);
}

bool context_set_options(const struct osc_context *context, struct options *ret, struct diag *diag)
{
	*ret = options_default();
	for (size_t i = 0; i < context->n_options; i++) {
		if (!set_option(ret, &context->option[i], diag))
			return false;
	}
	return true;
}

struct setting {
	const struct osc_context *context;
	bool ok;
};

static void try_options(void *arg)
{
	struct setting *s = arg;
	struct diag diag = context_diag(s->context);
	struct options options;

	s->ok = context_set_options(s->context, &options, &diag);
	options_release(&options);
}

/* The option is the last one of the context. */
static int check_last_option(osc_context *context)
{
	struct setting s = { .context = context };
	struct pool *pool = pool_new();
	int status = pool != NULL ? call_run(pool, try_options, &s) : OSC_NO_MEMORY;

	pool_free(pool);
	return status != OSC_OK ? status : s.ok ? OSC_OK : OSC_OPTION;
}

int osc_set(osc_context *context, const char *option, const char *value)
{
	struct context_option *larger, added = { NULL, NULL };
	int status = OSC_NO_MEMORY;

	if (context == NULL || option == NULL)
		return OSC_INVALID;
	larger = one_more(context->option, context->n_options, sizeof(*larger));
	added.name = copied_text(option);
	added.value = value != NULL ? copied_text(value) : NULL;
	if (larger != NULL && added.name != NULL && (value == NULL || added.value != NULL)) {
		unnoted_free(context->option);
		context->option = larger;
		context->option[context->n_options++] = added;
		status = check_last_option(context);
		if (status == OSC_OK)
			return OSC_OK;
		context->n_options--;
	} else {
		unnoted_free(larger);
	}
	unnoted_free(added.name);
	unnoted_free(added.value);
	return status;
}

/* --- messages and outputs ------------------------------------------------------------------------- */

static void pass_message(void *ctx, const struct diag_msg *msg)
{
	const struct osc_context *context = ctx;
	struct osc_message message = { .size = sizeof(message) };
	struct out *o;

	if (context->message == NULL)
		return;
	o = out_to_memory();
	diag_render(o, msg);
	while (o->n > 0 && o->buf[o->n - 1] == '\n')
		o->n--;
	out_char(o, '\0');
	message.severity = (int)msg->severity;
	message.name = diag_name(msg->code);
	message.text = out_memory(o).p;
	message.line = diag_line(msg);
	context->message(context->message_arg, &message);
	out_free(o);
}

struct diag context_diag(const struct osc_context *context)
{
	return (struct diag){ .emit = pass_message, .ctx = (void *)(uintptr_t)context };
}

int rendering_run(struct rendering *r, void (*body)(void *arg), void *arg)
{
	struct pool *pool = pool_new();
	int status = pool != NULL ? call_run(pool, body, arg) : OSC_NO_MEMORY;

	pool_free(pool);
	return status != OSC_OK ? status : r->status;
}

void rendering_pass(struct rendering *r, struct out *o)
{
	struct str text = out_memory(o);

	if (text.n > 0 && r->to(r->to_arg, text.p, text.n) != 0)
		r->status = OSC_STOPPED;
	out_free(o);
}

bool copy_sized(void *to, size_t size, const void *from, size_t known, size_t first)
{
	if (size < first)
		return false;
	memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t),
	       (size < known ? size : known) - sizeof(size_t));
	if (size > known)
		memset((char *)to + known, 0, size - known);
	return true;
}
