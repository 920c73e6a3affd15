/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event in osprof-plugin-host, and the functions by which a handler reads it. */
#ifndef PLUGIN_HOST_EVENT_H
#define PLUGIN_HOST_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"
#include "plugin/plugin.h"

struct arena;
struct profile;

enum { EVENT_FIELDS = 64 };

/* An event; handlers read it only by the functions of struct osprof_host. */
struct osprof_event {
	int kind;
	struct arena *arena;
	struct {
		struct str name, text;
	} field[EVENT_FIELDS];
	size_t n_fields;
	struct profile *profile; /* NULL: none */
};

/* Parses the bytes of a frame. Returns false if they are malformed. */
MUST_CHECK bool host_event_init(struct osprof_event *e, int kind, struct str bytes);
void host_event_release(struct osprof_event *e);

/* These implement the functions of struct osprof_host. */
int host_event_kind(const struct osprof_event *e);
int host_event_text(const struct osprof_event *e, const char *name, struct osprof_text *ret);
int host_event_number(const struct osprof_event *e, const char *name, double *ret);
size_t host_event_operations(const struct osprof_event *e);
int host_event_operation(const struct osprof_event *e, size_t i, struct osprof_operation *ret);

#endif
