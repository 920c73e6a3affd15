/* SPDX-License-Identifier: MIT */
/*
 * A handler: tells the profiled program which of its operations got slower, and by what factor.
 * The program receives "alarm OPERATION RATIO" by osprof_message() of osprof(3).
 *
 *	cc -shared -fPIC $(pkg-config --cflags osprof-plugin) -o feedback.so feedback.c
 *	osprof rank --handler ./feedback.so usual.osprof pid:4711
 */
#include <osprof/plugin.h>

#include <stdio.h>

static const struct osprof_host *osprof;

static void on_alarm(const struct osprof_event *event, void *context)
{
	struct osprof_text source, operation;
	char to[256], message[240];
	double ratio;
	int n;

	(void)context;
	if (!osprof->text(event, "source", &source) ||
	    !osprof->text(event, "operation", &operation) ||
	    !osprof->number(event, "mean_ratio", &ratio) || source.size >= sizeof(to))
		return;
	(void)snprintf(to, sizeof(to), "%.*s", (int)source.size, source.bytes);
	n = snprintf(message, sizeof(message), "alarm %.*s %.2f",
		     operation.size < 200 ? (int)operation.size : 200, operation.bytes, ratio);
	if (!osprof->send(to, message, (size_t)n))
		(void)osprof->send("log", "too many alarms at once", 23);
}

static int enter(void)
{
	return osprof->on(OSPROF_ALARM, on_alarm, NULL);
}

const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host)
{
	static const struct osprof_plugin plugin = {
		.size = sizeof(plugin),
		.abi = OSPROF_PLUGIN_ABI,
		.name = "feedback",
		.title = "tells a program what got slower in it",
		.enter = enter,
	};

	osprof = host;
	return &plugin;
}
