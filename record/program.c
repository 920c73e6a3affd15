/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/platform.h"
#include "base/str.h"

enum { DEEPEST = 5 }; /* levels of scripts whose interpreters are scripts */

/* The contents of an executable file's header. */
struct program {
	unsigned char ident[EI_NIDENT];
	unsigned machine;
	bool is_elf, is_ours;	    /* is_ours: program headers have this program's size */
	char loader[PATH_MAX];	    /* "": statically linked */
	char interpreter[PATH_MAX]; /* of a script; "": not a script */
};

static bool refuse_program(struct diag *diag, const char *path, const char *why)
{
	diag_plain(diag, DIAG_NOT_RECORDABLE, "%s %s", path, why);
	return false;
}

/* --- reading ------------------------------------------------------------------------ */

static void read_loader(int fd, const ElfW(Ehdr) * head, struct program *ret)
{
	for (int i = 0; i < head->e_phnum; i++) {
		off_t at = (off_t)(head->e_phoff + (size_t)i * sizeof(ElfW(Phdr)));
		ElfW(Phdr) part;
		size_t n;

		if (pread(fd, &part, sizeof(part), at) != (ssize_t)sizeof(part))
			return;
		if (part.p_type != PT_INTERP)
			continue;
		n = part.p_filesz < sizeof(ret->loader) - 1 ? part.p_filesz
							    : sizeof(ret->loader) - 1;
		if (pread(fd, ret->loader, n, (off_t)part.p_offset) != (ssize_t)n)
			ret->loader[0] = '\0';
		return;
	}
}

/* Takes only the first word: in "#!/usr/bin/env python3", env is checked, not python3. */
static void read_interpreter(char *line, struct program *ret)
{
	char *path = line + 2, *rest;

	path += strspn(path, " \t");
	path[strcspn(path, "\r\n")] = '\0';
	rest = path + strcspn(path, " \t");
	if (*rest != '\0')
		*rest++ = '\0';
	(void)snprintf(ret->interpreter, sizeof(ret->interpreter), "%s", path);
}

static bool read_program(const char *path, struct program *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	union {
		ElfW(Ehdr) head;
		char line[512];
	} begin = { .line = { 0 } };
	ssize_t n;

	*ret = (struct program){ .machine = 0 };
	if (fd < 0)
		return false;
	n = pread(fd, begin.line, sizeof(begin.line) - 1, 0);
	if (n >= (ssize_t)sizeof(begin.head) && memcmp(begin.line, ELFMAG, SELFMAG) == 0) {
		ret->is_elf = true;
		memcpy(ret->ident, begin.head.e_ident, EI_NIDENT);
		ret->machine = begin.head.e_machine;
		ret->is_ours = begin.head.e_phentsize == sizeof(ElfW(Phdr));
		if (ret->is_ours)
			read_loader(fd, &begin.head, ret);
	} else if (n > 2 && begin.line[0] == '#' && begin.line[1] == '!') {
		read_interpreter(begin.line, ret);
	}
	(void)close(fd);
	return true;
}

/* --- checking ----------------------------------------------------------------------- */

/* Whether a program runs with other rights than its caller: it then ignores LD_PRELOAD. */
static bool changes_rights(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	return ((st.st_mode & S_ISUID) != 0 && st.st_uid != geteuid()) ||
	       ((st.st_mode & S_ISGID) != 0 && st.st_gid != getegid()) ||
	       (geteuid() != 0 && platform_gives_rights(path));
}

static bool check_elf(const char *path, const struct program *p, struct diag *diag)
{
	struct program own;

	if (!read_program("/proc/self/exe", &own) || !own.is_elf)
		return refuse_program(diag, path, "cannot be compared with this program: no /proc");
	if (memcmp(p->ident, own.ident, EI_VERSION) != 0 || p->machine != own.machine)
		return refuse_program(diag, path, "is a program of another kind of machine");
	if (p->loader[0] == '\0')
		return refuse_program(
			diag, path,
			"is statically linked: nothing can be preloaded; --kernel records it");
	if (strcmp(p->loader, own.loader) != 0)
		return refuse_program(diag, path, "uses another C library; --kernel records it");
	return true;
}

static bool check_path(const char *path, int depth, struct diag *diag)
{
	struct program p;

	if (access(path, X_OK) != 0)
		return refuse_program(diag, path, strerror(errno));
	if (changes_rights(path))
		return refuse_program(diag, path,
				      "runs with other rights (set-uid, set-gid or "
				      "capabilities): nothing is preloaded");
	if (!read_program(path, &p))
		return true; /* executable but not readable: a warning at the end will tell */
	if (p.is_elf)
		return check_elf(path, &p, diag);
	if (depth == DEEPEST)
		return refuse_program(diag, path, "has too many interpreters");
	return check_path(p.interpreter[0] != '\0' ? p.interpreter : "/bin/sh", depth + 1, diag);
}

bool program_check(const char *name, struct diag *diag)
{
	const char *path = getenv("PATH");
	char candidate[PATH_MAX];

	if (strchr(name, '/') != NULL)
		return check_path(name, 0, diag);
	for (path = path != NULL ? path : "/bin:/usr/bin"; name[0] != '\0';) {
		size_t n = strcspn(path, ":");
		struct stat st;

		(void)snprintf(candidate, sizeof(candidate), "%.*s%s%s", (int)n, path,
			       n > 0 ? "/" : "", name);
		if (access(candidate, X_OK) == 0 && stat(candidate, &st) == 0 &&
		    S_ISREG(st.st_mode))
			return check_path(candidate, 0, diag);
		if (path[n] == '\0')
			break;
		path += n + 1;
	}
	return refuse_program(diag, name, "is no program in PATH");
}
