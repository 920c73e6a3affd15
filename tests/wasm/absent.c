/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the engine calls and a system without processes does not have: regions of running programs,
 * plug-ins, and the commands that start something. Each says so.
 */
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/str.h"
#include "plugin/handler.h"
#include "plugin/reader.h"
#include "program/command.h"
#include "region/region.h"

/* In the headers of emscripten 3.1, but not in its library. */
void *reallocarray(void *p, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, n * size);
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid, (void)size, (void)set;
	errno = ENOSYS;
	return -1;
}

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
	(void)size, (void)set;
	return 1;
}

bool region_is_source(const char *operand)
{
	return strncmp(operand, "pid:", 4) == 0 || strncmp(operand, "region:", 7) == 0;
}

bool region_open(struct region_source *ret, const char *name, struct diag *diag)
{
	(void)ret;
	diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: there are no regions here", name);
	return false;
}

void region_close(struct region_source *r)
{
	(void)r;
}

bool region_text(struct region_source *r, char **ret, size_t *ret_n, struct diag *diag)
{
	(void)r, (void)ret, (void)ret_n, (void)diag;
	return false;
}

bool region_send(const char *name, const void *bytes, size_t n, struct diag *diag)
{
	(void)bytes, (void)n;
	diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: there are no regions here", name);
	return false;
}

char *plugin_find(const char *name, const char *folder, struct diag *diag)
{
	(void)folder;
	diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: there are no plug-ins here", name);
	return NULL;
}

bool plugins_add(struct plugins *all, const char *name, const char *folder, struct diag *diag)
{
	(void)all;
	free(plugin_find(name, folder, diag));
	return false;
}

void plugins_release(struct plugins *all)
{
	(void)all;
}

const struct format *plugins_format(const struct plugins *all, struct str name)
{
	(void)all, (void)name;
	return NULL;
}

bool plugins_reads_events(const struct format *f)
{
	(void)f;
	return false;
}

/* As plugin/reader.c where no plug-in was named. */
struct profile *plugins_read(const struct plugins *all, const struct format *f, struct input *in,
			     const struct read_options *options, struct diag *diag)
{
	(void)all;
	return format_read(f, in, options, diag);
}

struct handler *handler_new(const char *program, const char *path,
			    const struct handler_calls *calls)
{
	(void)program, (void)path, (void)calls;
	return NULL;
}

void handler_free(struct handler *h)
{
	(void)h;
}

void handler_post(struct handler *h, int kind, struct str object, struct str profile)
{
	(void)h, (void)kind, (void)object, (void)profile;
}

void handler_put_text(struct out *object, const char *key, struct str text)
{
	(void)object, (void)key, (void)text;
}

void handler_put_number(struct out *object, const char *key, double v)
{
	(void)object, (void)key, (void)v;
}

bool handler_finish(struct handler *h, double seconds)
{
	(void)h, (void)seconds;
	return true;
}

static enum exit_status run_nothing(struct context *cx, const struct settings *s)
{
	(void)s;
	diag_plain(cx->diag, DIAG_USAGE, "this command starts programs, which cannot be done here");
	return EXIT_ERROR;
}

#define ABSENT(id)                                                                                 \
	const struct command command_##id = { .name = #id,                                         \
					      .summary = "not here",                               \
					      .run = run_nothing }
ABSENT(demo);
ABSENT(plot);
ABSENT(record);
ABSENT(send);
ABSENT(watch);
