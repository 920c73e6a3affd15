/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"

/* Reads the model of the first processor from /proc/cpuinfo; not all architectures have it. */
static bool read_model(char *line, size_t room, struct str *ret)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	struct str key, value;
	bool found = false;

	while (f != NULL && !found && fgets(line, (int)room, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		found = str_cut(str_from(line), ':', &key, &value) &&
			str_eq(str_trim(key), STR("model name"));
	}
	if (f != NULL)
		(void)fclose(f);
	if (found)
		*ret = str_trim(value);
	return found;
}

struct str host_machine(struct arena *a)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	struct utsname name = { .machine = "" };
	struct str model;
	char line[256];

	if (!read_model(line, sizeof(line), &model)) {
		(void)uname(&name);
		model = str_from(name.machine);
	}
	return arena_printf(a, "%.*s, %ld processor%s", STR_ARG(model), n, n == 1 ? "" : "s");
}

struct str host_kernel(struct arena *a)
{
	struct utsname name;

	if (uname(&name) != 0)
		return STR("");
	return arena_printf(a, "%s %s %s", name.sysname, name.release, name.machine);
}
