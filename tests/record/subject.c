/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program to be recorded: it makes calls in known numbers, says what they gave, and
 * ends in many ways. What it prints must be the same whether it is recorded or not.
 *
 *	subject MODE
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *self;

static void say(const char *what, long value)
{
	(void)printf("%s %ld\n", what, value);
	(void)fflush(stdout);
}

static void read_nothing(int n)
{
	int fd = open("/dev/null", O_RDONLY);
	char byte;

	for (int i = 0; i < n; i++) {
		if (read(fd, &byte, 1) != 0)
			exit(9);
	}
	(void)close(fd);
}

static int ended(pid_t child)
{
	int status = -1;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* --- results, errno, variadic calls ---------------------------------------------------- */

static void files(void)
{
	int fd = open("made", O_RDWR | O_CREAT | O_EXCL, 0640), n = -1;
	struct stat st;
	char text[8] = "";

	errno = 0;
	say("mode", fstat(fd, &st) == 0 ? (long)(st.st_mode & 0777) : -1);
	say("errno after success", errno);
	say("written", write(fd, "abcdef", 6));
	say("sought", lseek(fd, 2, SEEK_SET));
	say("read", read(fd, text, sizeof(text)));
	(void)puts(text);
	say("at 1", pread(fd, text, 1, 1));
	say("close", close(fd));
	errno = 0;
	say("close again", close(fd));
	say("errno", errno);
	say("open", open("/nowhere/at/all", O_RDONLY));
	say("errno", errno);
	fd = openat(AT_FDCWD, "made", O_RDONLY);
	say("duplicated", fcntl(fd, F_DUPFD, 20));
	say("flags", fcntl(20, F_GETFD));
	say("set", fcntl(20, F_SETFD, FD_CLOEXEC));
	say("flags", fcntl(20, F_GETFD));
	say("ioctl", ioctl(fd, FIONREAD, &n));
	say("left", n);
	(void)close(20);
	(void)close(fd);
	say("unlink", unlink("made"));
}

static void memory(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *to = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, 7, 4096);
	p = mremap(p, 4096, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	say("moved", p == to && *(char *)p == 7);
	say("unmapped", munmap(p, 8192));
	say("wrong", mprotect((void *)1, 1, PROT_READ));
	say("errno", errno);
}

static void programs(void)
{
	char sh[] = "sh", c[] = "-c", command[] = "exit $((A+3))", a[] = "A=4";
	char *const arguments[] = { sh, c, command, NULL };
	char *const environment[] = { a, NULL };
	FILE *f;
	char line[16] = "";
	pid_t child;

	(void)setenv("A", "1", 1);
	if ((child = fork()) == 0)
		(void)execl("/bin/sh", "sh", "-c", "exit $((A+1))", (char *)NULL);
	say("execl", ended(child));
	if ((child = fork()) == 0)
		(void)execlp("sh", "sh", "-c", "exit $((A+2))", (char *)NULL);
	say("execlp", ended(child));
	if ((child = fork()) == 0)
		(void)execle("/bin/sh", "sh", "-c", "exit $((A+1))", (char *)NULL, environment);
	say("execle", ended(child));
	if ((child = vfork()) == 0) {
		(void)execv("/bin/sh", arguments);
		_exit(1);
	}
	say("vfork, execv", ended(child));
	if ((child = vfork()) == 0) {
		(void)execvp("nowhere-at-all", arguments);
		_exit(errno == ENOENT ? 33 : 34);
	}
	say("vfork, execvp of nothing", ended(child));
	say("posix_spawn", posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environment));
	say("ended", ended(child));
	say("posix_spawn of nothing",
	    posix_spawn(&child, "/nowhere", NULL, NULL, arguments, environ));
	say("system", WEXITSTATUS(system("exit 5")));
	f = popen("echo popened", "r");
	say("popen", f != NULL && fgets(line, sizeof(line), f) != NULL);
	say("pclose", pclose(f));
	(void)fputs(line, stdout);
}

static void calls(void)
{
	files();
	memory();
	programs();
	(void)fprintf(stdout, "%s %d %.2f\n", "printed", 42, 2.5);
}

/* --- signals and cancellation -------------------------------------------------------------- */

static volatile sig_atomic_t handled;

static void on_alarm(int number)
{
	char byte;

	(void)number;
	handled++;
	(void)!read(-1, &byte, 1); /* a call within a call, which fails */
}

static void interrupted(void)
{
	const struct sigaction action = { .sa_handler = on_alarm };
	int ends[2];
	char byte;

	(void)sigaction(SIGALRM, &action, NULL);
	if (pipe(ends) != 0)
		exit(9);
	(void)ualarm(20000, 20000);
	say("read", read(ends[0], &byte, 1));
	say("interrupted", errno == EINTR || handled == 0);
	(void)ualarm(0, 0);
}

static int cleaned;

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *read_for_ever(void *fd)
{
	char byte;

	pthread_cleanup_push(clean, NULL);
	(void)!read(*(const int *)fd, &byte, 1);
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancelled(void)
{
	pthread_t thread;
	void *result;
	int ends[2];

	if (pipe(ends) != 0 || pthread_create(&thread, NULL, read_for_ever, &ends[0]) != 0)
		exit(9);
	(void)usleep(20000);
	say("cancel", pthread_cancel(thread));
	say("join", pthread_join(thread, &result));
	say("cancelled", result == PTHREAD_CANCELED);
	say("cleaned", cleaned);
}

/* --- many -------------------------------------------------------------------------------- */

static void *read_some(void *unused)
{
	(void)unused;
	read_nothing(10000);
	return NULL;
}

static void with_threads(void)
{
	pthread_t thread[8];

	for (int i = 0; i < 8; i++)
		if (pthread_create(&thread[i], NULL, read_some, NULL) != 0)
			exit(9);
	for (int i = 0; i < 8; i++)
		(void)pthread_join(thread[i], NULL);
}

/* Forks while other threads call, and the children call, too. */
static void fork_with_threads(void)
{
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, read_some, NULL) != 0)
			exit(9);
	for (int i = 0; i < 50; i++) {
		pid_t child = fork();

		if (child == 0) {
			read_nothing(100);
			_exit(0);
		}
		if (ended(child) != 0)
			exit(9);
	}
	for (int i = 0; i < 4; i++)
		(void)pthread_join(thread[i], NULL);
}

/* A thousand children; every other one is killed, and so hands nothing on. */
static void storm(void)
{
	for (int i = 0; i < 1000; i++) {
		pid_t child = fork();

		if (child == 0) {
			read_nothing(10);
			if (i % 2)
				(void)raise(SIGKILL);
			_exit(0);
		}
		(void)ended(child);
	}
}

/* --- ends -------------------------------------------------------------------------------- */

static void close_all(void)
{
	for (int fd = 3; fd < 1024; fd++)
		(void)syscall(SYS_close, fd);
	read_nothing(500);
	say("first descriptor", open("/dev/null", O_RDONLY));
}

static void no_descriptors(void)
{
	const struct rlimit one = { 4, 4 };

	(void)setrlimit(RLIMIT_NOFILE, &one);
	say("open", open("/dev/null", O_RDONLY));
	say("open", open("/dev/null", O_RDONLY));
	say("errno", errno);
	say("close", close(3));
	(void)execl(self, self, "exit", (char *)NULL);
}

/* No room for the recorder in the next program. */
static void no_memory(void)
{
	const struct rlimit some = { 16 << 20, 16 << 20 };

	read_nothing(10);
	(void)setrlimit(RLIMIT_AS, &some);
	(void)execl(self, self, "exit", (char *)NULL);
}

static void no_files(void)
{
	const struct rlimit none = { 0, 0 };

	(void)signal(SIGXFSZ, SIG_IGN);
	(void)setrlimit(RLIMIT_FSIZE, &none);
	read_nothing(500);
}

static void changed_root(void)
{
	read_nothing(500);
	if (chroot("/proc/self/fdinfo") == 0)
		say("open", open("/dev/null", O_RDONLY));
	_exit(0);
}

static void killed(void)
{
	read_nothing(500);
	(void)raise(SIGKILL);
}

static void crashed(void)
{
	read_nothing(500);
	(void)raise(SIGSEGV);
}

static void *kill_all(void *unused)
{
	(void)unused;
	read_nothing(1000);
	(void)kill(getpid(), SIGKILL);
	return NULL;
}

/* All threads at once, wherever they are. */
static void killed_in_threads(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, kill_all, NULL) != 0)
		exit(9);
	for (;;)
		read_nothing(1000);
}

static void quick(void)
{
	read_nothing(500);
	_exit(7);
}

static void plain_exit(void)
{
	read_nothing(500);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{ "calls", calls },
		{ "interrupted", interrupted },
		{ "cancelled", cancelled },
		{ "threads", with_threads },
		{ "fork-threads", fork_with_threads },
		{ "storm", storm },
		{ "close-all", close_all },
		{ "no-descriptors", no_descriptors },
		{ "no-memory", no_memory },
		{ "no-files", no_files },
		{ "chroot", changed_root },
		{ "killed", killed },
		{ "crashed", crashed },
		{ "killed-threads", killed_in_threads },
		{ "quick", quick },
		{ "exit", plain_exit },
	};

	self = argv[0];
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name) == 0) {
			modes[i].run();
			return 0;
		}
	}
	return 2;
}
