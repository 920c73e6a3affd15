/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/run.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/platform.h"
#include "base/xalloc.h"

extern char **environ;

enum { MAX_WORDS = 2000 }; /* bytes of gnuplot's messages to report */

/* A process that runs one job. */
struct worker {
	pid_t pid; /* 0: none */
	size_t job;
	int script, figure, words;
};

/* --- files in memory ------------------------------------------------------------------------ */

static bool write_whole(int fd, struct str s)
{
	while (s.n > 0) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s = str_skip(s, (size_t)n);
	}
	return true;
}

/* Returns everything that was written to fd; on the heap. */
static char *read_back(int fd, size_t *ret_n)
{
	struct stat st;
	char *text;
	size_t n = 0;

	*ret_n = 0;
	if (fstat(fd, &st) != 0)
		return NULL;
	text = xcalloc((size_t)st.st_size + 1, 1);
	while (n < (size_t)st.st_size) {
		ssize_t got = pread(fd, text + n, (size_t)st.st_size - n, (off_t)n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	*ret_n = n;
	return text;
}

static void close_all(struct worker *w)
{
	int *const fds[] = { &w->script, &w->figure, &w->words };

	for (size_t i = 0; i < COUNT_OF(fds); i++) {
		if (*fds[i] >= 0)
			(void)close(*fds[i]);
		*fds[i] = -1;
	}
}

static bool open_all(struct worker *w, struct str script)
{
	w->script = platform_memory_file("script");
	w->figure = platform_memory_file("figure");
	w->words = platform_memory_file("words");
	if (w->script >= 0 && w->figure >= 0 && w->words >= 0 && write_whole(w->script, script) &&
	    lseek(w->script, 0, SEEK_SET) == 0)
		return true;
	close_all(w);
	return false;
}

/* --- one process ------------------------------------------------------------------------------ */

/* Returns the user's environment without variables that change figures, and with a fixed date. */
static char **gnuplot_environment(void)
{
	static char date[] = "SOURCE_DATE_EPOCH=0", locale[] = "LC_ALL=C.UTF-8";
	static const char *const without[] = { "GNUTERM=", "GNUPLOT_",
					       "SOURCE_DATE_EPOCH=", "LC_ALL=" };
	size_t n = 0, kept = 0;
	char **e;

	while (environ[n] != NULL)
		n++;
	e = xcalloc(n + 3, sizeof(*e));
	for (size_t i = 0; i < n; i++) {
		bool left_out = false;

		for (size_t k = 0; k < COUNT_OF(without); k++)
			left_out |= strncmp(environ[i], without[k], strlen(without[k])) == 0;
		if (!left_out)
			e[kept++] = environ[i];
	}
	e[kept++] = date;
	e[kept++] = locale;
	return e;
}

static int spawn_gnuplot(struct worker *w, const char *gnuplot)
{
	static char defaults[] = "--default-settings";
	char *program = xcalloc(strlen(gnuplot) + 1, 1);
	char *argv[] = { program, defaults, NULL };
	posix_spawn_file_actions_t actions;
	char **env = gnuplot_environment();
	int status;

	strcpy(program, gnuplot);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_adddup2(&actions, w->script, STDIN_FILENO);
	(void)posix_spawn_file_actions_adddup2(&actions, w->figure, STDOUT_FILENO);
	(void)posix_spawn_file_actions_adddup2(&actions, w->words, STDERR_FILENO);
	status = posix_spawnp(&w->pid, gnuplot, &actions, NULL, argv, env);
	(void)posix_spawn_file_actions_destroy(&actions);
	free(program);
	free(env);
	return status;
}

static bool begin_job(struct worker *w, const struct plot_runner *r, const struct plot_job *job,
		      size_t i, struct diag *diag)
{
	int status;

	w->job = i;
	if (!open_all(w, job[i].script)) {
		diag_plain(diag, DIAG_PLOT_FAILED, "%s: %s", job[i].name, strerror(errno));
		return false;
	}
	status = spawn_gnuplot(w, r->gnuplot);
	if (status == 0)
		return true;
	w->pid = 0;
	close_all(w);
	/* A search of PATH fails with EACCES when a folder is not readable or a file not
	 * executable, and no other folder has the program. */
	if (status == ENOENT || (status == EACCES && strchr(r->gnuplot, '/') == NULL))
		diag_plain(diag, DIAG_GNUPLOT_MISSING,
			   "%s: no such program; `apt-get install gnuplot-nox` installs it, "
			   "$OSPROF_GNUPLOT names another",
			   r->gnuplot);
	else
		diag_plain(diag, DIAG_PLOT_FAILED, "%s: %s: %s", job[i].name, r->gnuplot,
			   strerror(status));
	return false;
}

/* Reports gnuplot's messages without blank lines and the line of the caret, which are useless
 * without the script. */
static void report_words(struct worker *w, const struct plot_job *job, int status,
			 struct diag *diag)
{
	size_t n, kept = 0;
	char *words = read_back(w->words, &n);

	for (size_t i = 0; i < n && kept < MAX_WORDS; i++) {
		char c = words[i] == '\n' || words[i] == '\t' ? ' ' : words[i];

		if (c != ' ' || (kept > 0 && words[kept - 1] != ' '))
			words[kept++] = c;
	}
	while (kept > 0 && words[kept - 1] == ' ')
		kept--;
	if (kept > 0)
		diag_plain(diag, DIAG_PLOT_FAILED, "%s: gnuplot says: %.*s", job->name, (int)kept,
			   words);
	else if (WIFSIGNALED(status))
		diag_plain(diag, DIAG_PLOT_FAILED, "%s: gnuplot was ended by signal %d", job->name,
			   WTERMSIG(status));
	else
		diag_plain(diag, DIAG_PLOT_FAILED, "%s: gnuplot drew nothing (status %d)",
			   job->name, WEXITSTATUS(status));
	free(words);
}

static bool finish_job(struct worker *w, const struct plot_runner *r, const struct plot_job *job,
		       int status, struct diag *diag)
{
	struct str figure;
	char *bytes = read_back(w->figure, &figure.n);
	bool ok = status == 0 && figure.n > 0;

	figure.p = bytes;
	w->pid = 0;
	if (ok)
		ok = r->take(r->ctx, w->job, figure, diag);
	else
		report_words(w, &job[w->job], status, diag);
	free(bytes);
	close_all(w);
	return ok;
}

/* --- all of them ------------------------------------------------------------------------- */

/* Waits for a worker to end, and returns it. */
static struct worker *wait_for_one(struct worker *w, size_t n, int *ret_status)
{
	for (;;) {
		pid_t pid = waitpid(-1, ret_status, 0);

		if (pid < 0 && errno == EINTR)
			continue;
		for (size_t i = 0; i < n; i++) {
			if (pid < 0 ? w[i].pid > 0 : w[i].pid == pid)
				return &w[i];
		}
	}
}

static struct worker *idle_worker(struct worker *w, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (w[i].pid == 0)
			return &w[i];
	}
	return NULL;
}

bool plot_run(const struct plot_runner *r, const struct plot_job *job, size_t n, struct diag *diag)
{
	struct worker *w = xcalloc(r->at_once, sizeof(*w));
	size_t next = 0, running = 0;
	bool ok = true;

	for (size_t i = 0; i < r->at_once; i++)
		w[i].script = w[i].figure = w[i].words = -1;
	while ((ok && next < n) || running > 0) {
		struct worker *free_one = ok && next < n ? idle_worker(w, r->at_once) : NULL, *done;
		int status;

		if (free_one != NULL) {
			ok = begin_job(free_one, r, job, next++, diag);
			running += ok;
			continue;
		}
		done = wait_for_one(w, r->at_once, &status);
		if (!finish_job(done, r, job, status, diag))
			ok = false;
		running--;
	}
	free(w);
	return ok;
}
