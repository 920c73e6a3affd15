/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * <osprof/compare.h>: latency profiles compared inside a program.
 *
 *	osc_context *context;
 *	osc_comparison *comparison;
 *	struct osc_gate gate = { .size = sizeof(gate) };
 *
 *	if (osc_new(&context) != OSC_OK)
 *		...
 *	osc_set(context, "min-effect", "5%");
 *	osc_add_path(context, OSC_BEFORE, "runs/old");
 *	osc_add_path(context, OSC_AFTER, "runs/new");
 *	if (osc_compare(context, &comparison) == OSC_OK) {
 *		osc_comparison_gate(comparison, &gate);
 *		osc_comparison_render(comparison, "json", write_to_file, file);
 *		osc_comparison_free(comparison);
 *	}
 *	osc_free(context);
 *
 * Compile and link with `pkg-config --cflags --libs osprof-compare`.  osc(3) is the manual.
 *
 * Every function that can fail returns OSC_OK or another enum osc_status, and leaves *ret as it was
 * on failure.  Nothing here prints, ends the program, starts threads, or changes the locale, the
 * umask or handlers of signals; when memory runs out, the call fails with OSC_NO_MEMORY, and all
 * that it had taken is given back.  An object may be used by one thread at a time; different
 * objects may be used by different threads at the same time.  Strings that are returned end with
 * NUL, and live as long as the object that they come from.
 *
 * Structures begin with their size, which the caller sets: they may get more members at their end.
 */
#ifndef OSPROF_COMPARE_H
#define OSPROF_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The interface, as counted by the soname: a program built with an older minor version works. */
#define OSC_INTERFACE_MAJOR 0
#define OSC_INTERFACE_MINOR 1

#if defined(__GNUC__)
#define OSC_API __attribute__((visibility("default")))
#else
#define OSC_API
#endif

enum osc_status {
	OSC_OK = 0,
	OSC_NO_MEMORY = 1,
	OSC_INVALID =
		2, /* an argument that no call may have: NULL, a size too small, no such item */
	OSC_OPTION = 3, /* no such option or output format, or a value that it does not take */
	OSC_INPUT = 4,	/* inputs are missing, unreadable, or cannot be compared */
	OSC_STOPPED = 5 /* a callback asked to stop */
};

enum osc_side { OSC_BEFORE = 0, OSC_AFTER = 1 };

enum osc_severity { OSC_NOTE = 0, OSC_WARNING = 1, OSC_ERROR = 2 };

enum osc_verdict {
	OSC_SAME = 0,
	OSC_CHANGED_SHAPE = 1,
	OSC_INCONCLUSIVE = 2,
	OSC_REGRESSED = 3,
	OSC_IMPROVED = 4,
	OSC_NEW = 5,
	OSC_GONE = 6,
	OSC_CHANGED = 7 /* only of a run: operations changed in both directions */
};

enum osc_gate_status {
	OSC_GATE_PASSED = 0,
	OSC_GATE_FAILED = 1,
	OSC_GATE_INCONCLUSIVE = 3 /* nothing failed, but something that matters is inconclusive */
};

typedef struct osc_context osc_context;
typedef struct osc_comparison osc_comparison;
typedef struct osc_profile osc_profile;

/* A message, which lives only during the call that it is passed to. */
struct osc_message {
	size_t size;
	int severity;	  /* enum osc_severity */
	const char *name; /* of the kind of message, as osprof-messages(7) lists them */
	/* As the programs print it: "FILE:LINE:COLUMN: error: ...", then, where it is about a part
	 * of a file, the line and a mark below that part; without a newline at the end. */
	const char *text;
	uint64_t line; /* from 1; 0: of no line */
};
typedef void osc_message_fn(void *arg, const struct osc_message *message);
/* Gets the next part of an output; returns 0 to go on. */
typedef int osc_write_fn(void *arg, const void *bytes, size_t n);

/* Returns the version of osprof: "0.2.0". */
OSC_API const char *osc_version(void);
/* Returns a status, a verdict or the result of a gate in words; "unknown" for others. */
OSC_API const char *osc_status_text(int status);
OSC_API const char *osc_verdict_name(int verdict);
OSC_API const char *osc_gate_name(int gate);

/* --- contexts: what to read, and how to compare ------------------------------------------------ */

OSC_API int osc_new(osc_context **ret);
OSC_API void osc_free(osc_context *context); /* NULL is fine */
/* Passes messages to a function, or to none: the default. */
OSC_API int osc_on_message(osc_context *context, osc_message_fn *function, void *arg);
/* Sets an option of osprof rank by its long name, without dashes; the value is NULL for options
 * without an argument.  Options that choose output files or colours are not there. */
OSC_API int osc_set(osc_context *context, const char *option, const char *value);
/* Adds a file or a folder of runs to a side. */
OSC_API int osc_add_path(osc_context *context, int side, const char *path);
/* Adds the bytes of a file, compressed or not, under a name for messages and reports.  They are not
 * copied, and must stay until the context is cleared or freed. */
OSC_API int osc_add_memory(osc_context *context, int side, const char *name, const void *bytes,
			   size_t n);
/* Forgets all inputs, but no option. */
OSC_API int osc_clear(osc_context *context);

/* --- comparisons ------------------------------------------------------------------------------- */

/* Compares the inputs of both sides.  The comparison does not need the context any more. */
OSC_API int osc_compare(osc_context *context, osc_comparison **ret);
OSC_API void osc_comparison_free(osc_comparison *comparison); /* NULL is fine */

/* Whether the comparison passes, by the options exit-code and policy. */
struct osc_gate {
	size_t size;
	int status;	   /* enum osc_gate_status */
	int run_failed;	   /* the run as a whole does */
	size_t n_failed;   /* operations that do */
	size_t n_expected; /* ... and those that only an annotation keeps from it */
};
OSC_API int osc_comparison_gate(const osc_comparison *comparison, struct osc_gate *ret);

/* The run as a whole. */
struct osc_run {
	size_t size;
	int verdict; /* enum osc_verdict */
	int replicated;
	const char *headline;		      /* one sentence */
	double elapsed_before, elapsed_after; /* seconds; NAN: not known */
	double shared_factor;		      /* by which most operations changed; NAN: by none */
	size_t n_operations;
	size_t n_runs_before, n_runs_after;
};
OSC_API int osc_comparison_run(osc_comparison *comparison, struct osc_run *ret);

/* An operation, most telling first.  Latencies are in the unit of the run before. */
struct osc_operation {
	size_t size;
	const char *name;  /* as in the file: any bytes; NUL follows */
	size_t name_bytes; /* a name may contain NUL */
	const char *layer; /* "": none */
	size_t layer_bytes;
	int verdict;  /* enum osc_verdict */
	int reported; /* it belongs to the selection */
	int failed;   /* the gate */
	double score; /* by the metric of the comparison; NAN: none */
	uint64_t calls_before, calls_after;
	double total_before, total_after; /* sum over the runs */
	double mean_before, mean_after;	  /* NAN without a call */
	size_t n_buckets_before, n_buckets_after;
	size_t n_facts;
	const char *text; /* what changed, in words */
};
OSC_API int osc_comparison_operation(osc_comparison *comparison, size_t i,
				     struct osc_operation *ret);

/* A bucket that has calls: low <= latency < high; either may be infinite. */
struct osc_bucket {
	size_t size;
	double low, high;
	uint64_t calls;
};
OSC_API int osc_comparison_bucket(const osc_comparison *comparison, size_t operation, int side,
				  size_t i, struct osc_bucket *ret);

/* Something that is known of an operation, most important first; osprof-json(5) lists the kinds. */
struct osc_fact {
	size_t size;
	const char *kind;		/* "mean", "quantile" ... */
	double before, after;		/* NAN: of no meaning for the kind */
	double change_low, change_high; /* 90 % interval of after / before; NAN: not known */
	double p_value;			/* NAN: not known */
	double at; /* of "quantile": from 0 to 1; "range", "slow": the latency from which on */
	const char *json; /* all of it, as in the JSON report */
};
OSC_API int osc_comparison_fact(osc_comparison *comparison, size_t operation, size_t i,
				struct osc_fact *ret);

/* Writes the report of osprof rank: "text", "json", "csv", "markdown", "junit", "html", "github",
 * "bmf" or "benchmark-action". */
OSC_API int osc_comparison_render(const osc_comparison *comparison, const char *format,
				  osc_write_fn *write, void *arg);

/* --- profiles ---------------------------------------------------------------------------------- */

/* Reads the inputs of the side before, and adds them up. */
OSC_API int osc_read(osc_context *context, osc_profile **ret);
OSC_API void osc_profile_free(osc_profile *profile); /* NULL is fine */

/* An operation of a profile, in its order in the file. */
struct osc_latencies {
	size_t size;
	const char *name, *layer; /* as above */
	size_t name_bytes, layer_bytes;
	uint64_t calls;
	double total, mean; /* NAN without a call */
	size_t n_buckets;
};
OSC_API const char *osc_profile_unit(const osc_profile *profile); /* "ns"; "": not known */
OSC_API size_t osc_profile_n_operations(const osc_profile *profile);
OSC_API int osc_profile_operation(const osc_profile *profile, size_t i, struct osc_latencies *ret);
OSC_API int osc_profile_bucket(const osc_profile *profile, size_t operation, size_t i,
			       struct osc_bucket *ret);
/* Writes the report of osprof show: "text", "json", "csv" or "markdown". */
OSC_API int osc_profile_render(const osc_profile *profile, const char *format, osc_write_fn *write,
			       void *arg);
/* Writes the profile as a file, as osprof convert does: "osprof", "csv" and others. */
OSC_API int osc_profile_write(const osc_profile *profile, const char *format, osc_write_fn *write,
			      void *arg);

#ifdef __cplusplus
}
#endif

#endif
