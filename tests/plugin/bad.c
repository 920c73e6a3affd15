/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins that fail, one for each -DKIND: what must not harm who loads them. */
#include <osprof/plugin.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	CRASH = 1,	   /* when an alarm comes */
	CRASH_AT_LOAD,	   /* in osprof_plugin_1() */
	HANG,		   /* for ever */
	LEAK,		   /* all memory that there is */
	FLOOD,		   /* as many messages as it can send, and what is no message */
	PRINT,		   /* on what was standard output */
	REFUSE,		   /* enter() says no */
	EXIT,		   /* ends its process with status 0 */
	FORK,		   /* crashes, and leaves a child that has all that it has */
	LEAVE_GROUP,	   /* goes to the processes of who started it, and never ends */
	MANY,		   /* as many messages as it may, to MANY_TO */
	LONG,		   /* a message that is too long, and one to a stranger */
	NO_TABLE,	   /* does not want to be loaded */
	NO_NAME,	   /* has none */
	READER_SILENT,	   /* gives up without a word */
	READER_MIXED,	   /* latencies and histograms */
	READER_BUCKETS,	   /* buckets in falling order */
	READER_NUL,	   /* a name with a NUL byte in it */
	READER_OUTSIDE,	   /* blames bytes that are not in the file */
	READER_HISTOGRAMS, /* a good one, of histograms */
	OLDER,		   /* its table ends before enter(), after it is what is no function */
	NEWER,		   /* its table goes on after what is known today */
};

static const struct osprof_host *osprof;

static void flood(void)
{
	char line[4096];

	for (int i = 0; i < 1000; i++) {
		if (!osprof->send("log", "x", 1))
			break;
	}
	memset(line, 'x', sizeof(line));
	for (int fd = 3; fd < 20; fd++)
		(void)!write(fd, line, sizeof(line));
}

static void crash(void)
{
	volatile int *p = NULL;

	(void)signal(SIGSEGV, SIG_DFL); /* also where a sanitizer handles it */
	*p = 1;
}

static void send_many(void)
{
	while (osprof->send(getenv("MANY_TO"), "hello", 5))
		continue;
}

static void on_alarm(const struct osprof_event *event, void *context)
{
	(void)event;
	(void)context;
	if (KIND == CRASH || (KIND == FORK && fork() > 0))
		crash();
	if (KIND == LEAVE_GROUP) {
		(void)setpgid(0, getpgid(getppid()));
		flood();
	}
	while (KIND == HANG || KIND == FORK || KIND == LEAVE_GROUP)
		(void)sleep(1);
	while (KIND == LEAK) {
		char *more = malloc(1 << 20);

		memset(more, 1, 1 << 20); /* at the end that is NULL */
	}
	if (KIND == FLOOD)
		flood();
	if (KIND == MANY)
		send_many();
	if (KIND == PRINT)
		(void)!write(1, "{\"event\":\"done\",\"seq\":99}\n", 25);
	if (KIND == EXIT)
		exit(0);
	if (KIND == LONG) {
		char text[241] = "";

		if (!osprof->send("log", text, sizeof(text)))
			(void)osprof->send("pid:1", "hello", 5);
	}
}

static int enter(void)
{
	int event = KIND == MANY ? OSPROF_PROFILE : OSPROF_ALARM;

	return KIND != REFUSE && osprof->on(event, on_alarm, NULL);
}

static int probe(struct osprof_text head)
{
	return head.size > 3 && memcmp(head.bytes, "bad", 3) == 0 ? OSPROF_MINE : OSPROF_NOT_MINE;
}

static int read_all(struct osprof_input *in)
{
	static const char nul[] = "a\0b";
	struct osprof_text none = { "", 0 }, name = { "x", 1 }, line;

	(void)osprof->next_line(in, &line);
	switch (KIND) {
	case READER_MIXED:
		return osprof->latency(in, none, name, 1, 0) && osprof->operation(in, none, name);
	case READER_BUCKETS:
		return osprof->operation(in, none, name) && osprof->bucket(in, 8, 16, 1) &&
		       osprof->bucket(in, 2, 4, 1);
	case READER_NUL:
		name = (struct osprof_text){ nul, 3 };
		return osprof->latency(in, none, name, 1, 0);
	case READER_OUTSIDE:
		name = (struct osprof_text){ (const char *)(uintptr_t)16, SIZE_MAX - 20 };
		return osprof->fail(in, name, "not here");
	case READER_HISTOGRAMS:
	case OLDER:
	case NEWER:
		return osprof->unit(in, "us") && osprof->operation(in, none, name) &&
		       osprof->bucket(in, 2, 4, 5) && osprof->bucket(in, 4, 8, 2) &&
		       osprof->total(in, 27) && osprof->count(in, 7);
	default:
		return 0;
	}
}

const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host)
{
	static const struct osprof_plugin plugin = {
		.size = sizeof(plugin),
		.abi = OSPROF_PLUGIN_ABI,
		.name = KIND == NO_NAME ? "../x" : "bad",
		.probe = probe,
		.read = read_all,
		.enter = enter,
	};
	static struct {
		struct osprof_plugin known;
		void *more[100];
	} other;

	if (KIND == OLDER || KIND == NEWER) {
		memset(&other, 1, sizeof(other));
		other.known = plugin;
		other.known.size = sizeof(other);
		osprof = host;
		if (KIND == OLDER) {
			other.known.size = offsetof(struct osprof_plugin, enter);
			memset(&other.known.enter, 1, sizeof(other.known.enter));
		}
		return &other.known;
	}
	if (KIND == CRASH_AT_LOAD)
		abort();
	osprof = host;
	return KIND == NO_TABLE ? NULL : &plugin;
}
