/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/str.h"
#include "base/trust.h"

typedef const struct osprof_plugin *plugin_entry(const struct osprof_host *host);

char *plugin_find(const char *name, const char *folder, struct diag *diag)
{
	struct out *path = out_to_memory();
	char *real;

	if (strchr(name, '/') == NULL)
		out_printf(path, "%s/%s%s", folder, name,
			   str_has_suffix(str_from(name), STR(".so")) ? "" : ".so");
	else
		out_text(path, name);
	out_char(path, '\0');
	if (strchr(name, '/') == NULL && access(out_memory(path).p, F_OK) != 0) {
		diag_plain(diag, DIAG_PLUGIN_BAD, "%s: %s; a path needs a slash: ./%s",
			   out_memory(path).p, strerror(errno), name);
		real = NULL;
	} else {
		real = trust_file(out_memory(path).p, TRUST_CODE, diag);
	}
	out_free(path);
	return real;
}

static bool is_name(const char *name)
{
	size_t n = 0;

	if (name == NULL)
		return false;
	for (; name[n] != '\0'; n++) {
		if (!is_letter(name[n]) && !is_digit(name[n]) && name[n] != '-')
			return false;
	}
	return n > 0 && n <= 32;
}

/* Copies as much of the table as the plug-in has. Returns what is wrong with it, or NULL. */
static const char *take_table(struct osprof_plugin *ret, const struct osprof_plugin *t)
{
	if (t == NULL)
		return "it does not want to be loaded";
	if (t->size < offsetof(struct osprof_plugin, probe))
		return "its table is too small";
	memcpy(ret, t, t->size < sizeof(*ret) ? t->size : sizeof(*ret));
	if (!is_name(ret->name))
		return "it has no name of letters, digits and '-'";
	if ((ret->probe == NULL) != (ret->read == NULL))
		return "a reader has both a probe and a read function";
	return NULL;
}

/* A plug-in of another major version exports another symbol. */
static const char *why_no_entry(void *library)
{
	static const char *const others[] = { "osprof_plugin_0", "osprof_plugin_2",
					      "osprof_plugin_3", "osprof_plugin_4" };

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		if (dlsym(library, others[i]) != NULL)
			return "it was built for another major version of plug-ins; this osprof "
			       "takes 1.x";
	}
	return "no plug-in of osprof: it has no osprof_plugin_1()";
}

bool plugin_load(struct plugin *ret, const char *name, const char *folder,
		 const struct osprof_host *host, struct diag *diag)
{
	struct plugin p = { .path = plugin_find(name, folder, diag) };
	const char *wrong;
	plugin_entry *entry;

	if (p.path == NULL)
		return false;
	p.library = dlopen(p.path, RTLD_NOW | RTLD_LOCAL);
	if (p.library == NULL) {
		diag_plain(diag, DIAG_PLUGIN_BAD, "%s", dlerror());
		free(p.path);
		return false;
	}
	*(void **)&entry = dlsym(p.library, "osprof_plugin_1");
	wrong = entry != NULL ? take_table(&p.table, entry(host)) : why_no_entry(p.library);
	if (wrong != NULL) {
		diag_plain(diag, DIAG_PLUGIN_BAD, "%s: %s", name, wrong);
		plugin_unload(&p);
		return false;
	}
	*ret = p;
	return true;
}

void plugin_unload(struct plugin *p)
{
	if (p->library != NULL)
		(void)dlclose(p->library);
	free(p->path);
	*p = (struct plugin){ .path = NULL };
}
