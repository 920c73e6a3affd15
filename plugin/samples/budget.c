/* SPDX-License-Identifier: MIT */
/*
 * A handler: appends one line per comparison to a file, for other programs to watch.
 *
 *	budget.log:	number of alarms, worst operation, how many times slower its calls are
 *
 *	cc -shared -fPIC $(pkg-config --cflags osprof-plugin) -o budget.so budget.c
 *	BUDGET_LOG=budget.log osprof rank --handler ./budget.so before.osprof after.osprof
 */
#include <osprof/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct osprof_host *osprof;

static unsigned n_alarms;
static double worst;
static char worst_name[128];

/* The name comes from an untrusted file: only printable ASCII goes into the log. */
static void copy_plain(char *to, size_t room, struct osprof_text from)
{
	size_t n = from.size < room - 1 ? from.size : room - 1;

	for (size_t i = 0; i < n; i++)
		to[i] = from.bytes[i] > ' ' && from.bytes[i] < 0x7f ? from.bytes[i] : '_';
	to[n] = '\0';
}

static void on_alarm(const struct osprof_event *event, void *context)
{
	struct osprof_text name = { "", 0 };
	double ratio = 0;

	(void)context;
	n_alarms++;
	(void)osprof->text(event, "operation", &name);
	(void)osprof->number(event, "mean_ratio", &ratio);
	if (ratio < worst)
		return;
	worst = ratio;
	copy_plain(worst_name, sizeof(worst_name), name);
}

static void on_end(const struct osprof_event *event, void *context)
{
	const char *path = getenv("BUDGET_LOG");
	FILE *f = fopen(path != NULL ? path : "budget.log", "a");
	char line[200];
	int n = snprintf(line, sizeof(line), "%u %s %.3g", n_alarms,
			 n_alarms > 0 ? worst_name : "-", worst);

	(void)event;
	(void)context;
	if (f == NULL || fprintf(f, "%s\n", line) < 0 || fclose(f) != 0)
		(void)osprof->send("log", "the log cannot be written", 25);
	else
		(void)osprof->send("log", line, (size_t)n);
}

static int enter(void)
{
	return osprof->on(OSPROF_ALARM, on_alarm, NULL) && osprof->on(OSPROF_END, on_end, NULL);
}

const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host)
{
	static const struct osprof_plugin plugin = {
		.size = sizeof(plugin),
		.abi = OSPROF_PLUGIN_ABI,
		.name = "budget",
		.title = "a line a comparison, in a file",
		.enter = enter,
	};

	osprof = host;
	return &plugin;
}
