/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes calls in known numbers from known places, to be recorded singly by calls.py.
 *
 *	caller MODE
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAP = 50000000, PAGES = 64, PAGE = 4096 };

static char byte;

static void check(int ok)
{
	if (!ok)
		_exit(9);
}

static void nap(void)
{
	const struct timespec t = { .tv_nsec = NAP };

	(void)nanosleep(&t, NULL);
}

/* A nap that begins when the parent waits already. */
static void nap_after_parent(void)
{
	char path[40], text[512], *state;
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)getppid());
	do {
		(void)usleep(1000);
		fd = open(path, O_RDONLY);
		n = read(fd, text, sizeof(text) - 1);
		check(n > 0);
		(void)close(fd);
		text[n] = '\0';
		state = strrchr(text, ')');
	} while (state == NULL || state[2] != 'S');
	nap();
}

/* A child that does something after a while; what the caller waits for until then. */
static pid_t later(void (*what)(int), int arg)
{
	pid_t child = fork();

	check(child >= 0);
	if (child == 0) {
		nap_after_parent();
		what(arg);
		_exit(0);
	}
	return child;
}

/* --- two places -------------------------------------------------------------------------- */

static void __attribute__((noinline)) read_here(int fd, int n)
{
	for (int i = 0; i < n; i++)
		check(read(fd, &byte, 1) == 0);
}

static void __attribute__((noinline)) read_there(int fd, int n)
{
	for (int i = 0; i < n; i++)
		check(read(fd, &byte, 1) == 0);
}

static void places(void)
{
	int fd = open("/dev/null", O_RDONLY);

	read_here(fd, 10);
	read_there(fd, 7);
	(void)close(fd);
}

/* --- sizes and results --------------------------------------------------------------------- */

/* Each result that calls.py knows: numbers, errors, pointers, the end of a directory. */
static void results(void)
{
	char room[64];
	int fd = open("/dev/zero", O_RDWR);
	FILE *f = fopen("/dev/zero", "r");
	DIR *d;

	check(open("/nowhere", O_RDONLY) == -1);
	check(read(fd, room, 48) == 48);
	check(read(-1, room, 7) == -1);
	check(write(fd, room, 5) == 5);
	check(lseek(fd, 0, SEEK_CUR) == 0);
	check(fopen("/nowhere", "r") == NULL);
	check(fread(room, 8, 4, f) == 4);
	check(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED);
	check(mkdir("empty", 0700) == 0);
	d = opendir("empty");
	while (readdir(d) != NULL)
		;
	(void)closedir(d);
	(void)rmdir("empty");
	(void)fclose(f);
	(void)close(fd);
}

/* --- waiting ----------------------------------------------------------------------------- */

static void write_to(int fd)
{
	const unsigned long one = 1;

	check(write(fd, &one, sizeof(one)) > 0);
}

static void read_from(int fd)
{
	unsigned long got;

	check(read(fd, &got, sizeof(got)) > 0);
}

static void end_it(int unused)
{
	(void)unused;
}

static void wait_for_descriptors(void)
{
	int ends[2], event = eventfd(0, 0), lock = open("lock", O_RDWR | O_CREAT, 0600);
	unsigned long got;
	pid_t child;

	check(pipe(ends) == 0);
	(void)later(write_to, ends[1]);
	read_from(ends[0]);
	check(wait(NULL) > 0);
	check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	(void)later(write_to, ends[1]);
	check(recv(ends[0], &got, sizeof(got), 0) == sizeof(got));
	check(wait(NULL) > 0);
	(void)later(write_to, event);
	check(pread(event, &byte, 1, 0) == -1 && errno == ESPIPE);
	read_from(event);
	check(wait(NULL) > 0);
	child = fork();
	if (child == 0) {
		check(flock(open("lock", O_RDWR), LOCK_EX) == 0);
		write_to(ends[1]);
		nap_after_parent();
		_exit(0);
	}
	read_from(ends[0]);
	check(flock(lock, LOCK_EX) == 0);
	check(wait(NULL) == child);
}

static void waits(void)
{
	wait_for_descriptors();
	(void)later(end_it, 0);
	check(waitpid(-1, NULL, 0) > 0);
	nap();
}

/* --- page faults ------------------------------------------------------------------------- */

static void faults(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	check(p != MAP_FAILED);
	(void)madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	check(read(fd, p, PAGES * PAGE) == PAGES * PAGE);
	check(read(fd, p, PAGES * PAGE) == PAGES * PAGE);
}

/* --- many -------------------------------------------------------------------------------- */

static void *read_much(void *unused)
{
	int fd = open("/dev/null", O_RDONLY);

	(void)unused;
	read_here(fd, 1000);
	(void)close(fd);
	return NULL;
}

static void with_threads(int n)
{
	pthread_t thread[8];

	for (int i = 0; i < n; i++)
		check(pthread_create(&thread[i], NULL, read_much, NULL) == 0);
	for (int i = 0; i < n; i++)
		(void)pthread_join(thread[i], NULL);
}

static void processes(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		if (child == 0) {
			with_threads(3);
			_exit(0);
		}
		check(waitpid(child, NULL, 0) == child);
	}
	with_threads(2);
}

static void many(void)
{
	with_threads(4);
}

static void *kill_all(void *unused)
{
	(void)read_much(unused);
	(void)kill(getpid(), SIGKILL);
	return NULL;
}

static void killed(void)
{
	pthread_t thread;

	check(pthread_create(&thread, NULL, kill_all, NULL) == 0);
	for (;;)
		(void)read_much(NULL);
}

/* The same process as another program. */
static void replaced(void)
{
	places();
	(void)execl("/nowhere", "nowhere", (char *)NULL);
	places();
	(void)execl("/proc/self/exe", "caller", "places", (char *)NULL);
}

/* Another program, with room for a profile, but not for a million records. */
static void tight(void)
{
	const struct rlimit some = { 128 << 20, 128 << 20 };

	places();
	(void)setrlimit(RLIMIT_AS, &some);
	(void)execl("/proc/self/exe", "caller", "places", (char *)NULL);
}

/* Whoever asks the kernel for more than to read and to end is killed. */
static void forbid_all_but_read(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = sizeof(filter) / sizeof(filter[0]),
					    .filter = filter };

	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void confine(int strictly)
{
	int fd = open("/dev/null", O_RDONLY);

	read_here(fd, 3);
	if (strictly)
		check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
	else
		forbid_all_but_read();
	read_here(fd, 4);
	(void)syscall(SYS_exit, 7);
}

static void confined(void)
{
	confine(0);
}

static void strictly(void)
{
	confine(1);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{ "places", places },	    { "waits", waits },	      { "faults", faults },
		{ "processes", processes }, { "many", many },	      { "killed", killed },
		{ "replaced", replaced },   { "confined", confined }, { "tight", tight },
		{ "strictly", strictly },   { "results", results },
	};

	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name) == 0) {
			modes[i].run();
			return 0;
		}
	}
	return 2;
}
