/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles that are read, not compared. */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"
#include "library/context.h"
#include "load/load.h"

/* Lies in its own pool, as all that it has. */
struct osc_profile {
	struct pool *pool;
	struct options options;
	struct loaded loaded;
	struct osc_latencies *operation;
};

struct reading_call {
	const struct osc_context *context;
	struct pool *pool;
	struct osc_profile *ret;
	int status;
};

static struct osc_latencies latencies_of(const struct operation *op)
{
	return (struct osc_latencies){ .name = xmemdup(op->name.p, op->name.n),
				       .layer = xmemdup(op->layer.p, op->layer.n),
				       .name_bytes = op->name.n,
				       .layer_bytes = op->layer.n,
				       .calls = operation_count(op),
				       .total = operation_total(op),
				       .mean = operation_mean(op),
				       .n_buckets = op->hist.n };
}

static void read_inputs(void *arg)
{
	struct reading_call *call = arg;
	struct osc_profile *p = xcalloc(1, sizeof(*p));
	struct diag diag = context_diag(call->context);
	struct load_options *load = &p->options.load;

	call->status = OSC_OPTION;
	if (!context_set_options(call->context, &p->options, &diag))
		return;
	call->status = OSC_INPUT;
	if (!context_set_inputs(call->context, false, load, &diag) ||
	    !load_run(&p->loaded, load->operand, load->n_operands, load, &diag))
		return;
	report_unlike_files(&p->loaded, load, &diag);
	p->pool = call->pool;
	p->operation = xcalloc(p->loaded.profile->n_ops + 1, sizeof(*p->operation));
	for (size_t i = 0; i < p->loaded.profile->n_ops; i++)
		p->operation[i] = latencies_of(&p->loaded.profile->op[i]);
	call->ret = p;
	call->status = OSC_OK;
}

int osc_read(osc_context *context, osc_profile **ret)
{
	struct reading_call call = { .context = context };
	int status;

	if (context == NULL || ret == NULL)
		return OSC_INVALID;
	call.pool = pool_new();
	status = call.pool != NULL ? call_run(call.pool, read_inputs, &call) : OSC_NO_MEMORY;
	if (status == OSC_OK)
		status = call.status;
	if (status == OSC_OK)
		*ret = call.ret;
	else
		pool_free(call.pool);
	return status;
}

void osc_profile_free(osc_profile *profile)
{
	if (profile != NULL)
		pool_free(profile->pool);
}

const char *osc_profile_unit(const osc_profile *profile)
{
	if (profile == NULL || profile->loaded.profile->unit == UNIT_UNKNOWN)
		return "";
	return unit_name(profile->loaded.profile->unit);
}

size_t osc_profile_n_operations(const osc_profile *profile)
{
	return profile != NULL ? profile->loaded.profile->n_ops : 0;
}

int osc_profile_operation(const osc_profile *profile, size_t i, struct osc_latencies *ret)
{
	if (ret == NULL || i >= osc_profile_n_operations(profile))
		return OSC_INVALID;
	return copy_sized(ret, ret->size, &profile->operation[i], sizeof(*ret), sizeof(*ret))
		       ? OSC_OK
		       : OSC_INVALID;
}

int osc_profile_bucket(const osc_profile *profile, size_t operation, size_t i,
		       struct osc_bucket *ret)
{
	const struct bucket *bucket;
	struct osc_bucket b = { 0 };

	if (ret == NULL || operation >= osc_profile_n_operations(profile) ||
	    i >= profile->operation[operation].n_buckets)
		return OSC_INVALID;
	bucket = &profile->loaded.profile->op[operation].hist.bucket[i];
	b.low = bucket->edges->low;
	b.high = bucket->edges->high;
	b.calls = bucket->count;
	return copy_sized(ret, ret->size, &b, sizeof(b), sizeof(b)) ? OSC_OK : OSC_INVALID;
}

/* --- outputs -------------------------------------------------------------------------------------- */

struct showing {
	const struct osc_profile *profile;
	enum output_format output_format;
	const struct format *format;
	struct rendering to;
};

static void show_profile(void *arg)
{
	struct showing *call = arg;
	struct style style = { .output_format = call->output_format, .unicode = true };
	struct out *out = out_to_memory();

	report_show(out, &style, &call->profile->loaded.run, 1, NULL);
	rendering_pass(&call->to, out);
}

static void write_profile(void *arg)
{
	struct showing *call = arg;
	struct diag silent = { .emit = NULL };
	struct out *out = out_to_memory();

	if (call->format->write(call->profile->loaded.profile, out, &silent))
		rendering_pass(&call->to, out);
	else
		call->to.status = OSC_INPUT;
}

int osc_profile_render(const osc_profile *profile, const char *format, osc_write_fn *write,
		       void *arg)
{
	static const char *const names[] = { [OUTPUT_FORMAT_TEXT] = "text",
					     [OUTPUT_FORMAT_JSON] = "json",
					     [OUTPUT_FORMAT_CSV] = "csv",
					     [OUTPUT_FORMAT_MARKDOWN] = "markdown" };
	struct showing call = { .profile = profile, .to = { write, arg, OSC_OK } };

	if (profile == NULL || format == NULL || write == NULL)
		return OSC_INVALID;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (strcmp(names[i], format) != 0)
			continue;
		call.output_format = (enum output_format)i;
		return rendering_run(&call.to, show_profile, &call);
	}
	return OSC_OPTION;
}

int osc_profile_write(const osc_profile *profile, const char *format, osc_write_fn *write,
		      void *arg)
{
	struct showing call = { .profile = profile, .to = { write, arg, OSC_OK } };

	if (profile == NULL || format == NULL || write == NULL)
		return OSC_INVALID;
	call.format = format_by_name(str_from(format));
	if (call.format == NULL || call.format->write == NULL)
		return OSC_OPTION;
	return rendering_run(&call.to, write_profile, &call);
}
