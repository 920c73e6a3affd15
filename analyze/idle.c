/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/idle.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/idle_names.h" /* made of idle.txt by the build */
#include "base/arena.h"
#include "base/glob.h"
#include "profile/profile.h"

struct idle_name {
	const char *name;
	enum wait_class class;
};

static const struct idle_name names[] = { IDLE_NAMES }; /* ascending */

/* Prefixes that collectors put before the name of a system call; longer ones come before those
 * that they contain. */
static const struct str prefixes[] = {
	STR_INIT("tracepoint:syscalls:"),
	STR_INIT("syscalls:"),
	STR_INIT("sys_enter_"),
	STR_INIT("sys_exit_"),
	STR_INIT("__x64_sys_"),
	STR_INIT("__arm64_sys_"),
	STR_INIT("__se_sys_"),
	STR_INIT("__ia32_sys_"),
	STR_INIT("__do_sys_"),
	STR_INIT("ksys_"),
	STR_INIT("do_sys_"),
	STR_INIT("sys_"),
	STR_INIT("SYS_"),
	STR_INIT("SyS_"),
	STR_INIT("__"),
};

struct str idle_bare_name(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
		if (str_has_prefix(name, prefixes[i]))
			name = str_skip(name, prefixes[i].n);
	}
	return name;
}

static int by_name(const void *key, const void *element)
{
	const struct str *name = key;
	const char *listed = ((const struct idle_name *)element)->name;
	int r = strncmp(name->p, listed, name->n);

	return r != 0 ? r : listed[name->n] == '\0' ? 0 : -1;
}

/* Removes what uftrace adds to linux:schedule where a thread lost its processor. */
static struct str without_reason(struct str name)
{
	static const struct str reason = STR_INIT(" (pre-empted)");

	return str_has_suffix(name, reason) ? (struct str){ name.p, name.n - reason.n } : name;
}

enum wait_class wait_class_of(struct str name)
{
	struct str bare = without_reason(idle_bare_name(name));
	const struct idle_name *found =
		bare.n == 0 ? NULL
			    : bsearch(&bare, names, COUNT_OF(names), sizeof(*names), by_name);

	return found != NULL ? found->class : WAIT_CLASS_NONE;
}

bool idle_by_name(struct str name)
{
	return wait_class_of(name) != WAIT_CLASS_NONE;
}

static bool matches_any(const char *pattern, struct str name)
{
	struct arena *a = arena_new();
	struct str rest = str_from(pattern), one, after;
	bool found = false, more = true;

	while (more && !found) {
		more = str_cut(rest, ',', &one, &after);
		found = glob_matches(arena_str(a, more ? one : rest).p, name);
		rest = after;
	}
	arena_free(a);
	return found;
}

void idle_mark(struct profile *p, const char *pattern)
{
	bool none = pattern != NULL && strcmp(pattern, "none") == 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation *op = &p->op[i];

		if (pattern == NULL)
			op->idle = !p->cpu_time && idle_by_name(op->name);
		else
			op->idle = !none && matches_any(pattern, op->name);
	}
}
