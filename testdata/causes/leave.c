/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>
#define APART __attribute__((noinline))
static jmp_buf back;
APART void pause_for(int us)
{
	usleep(us);
}
APART void deep(int n)
{
	if (n > 0)
		deep(n - 1);
	else
		longjmp(back, 1);
	__asm__ volatile("");
}
APART void parse(void)
{
	pause_for(100);
	deep(2);
	__asm__ volatile("");
}
APART void recover(void)
{
	pause_for(2000);
	__asm__ volatile("");
}
APART void answer(void)
{
	pause_for(200);
	__asm__ volatile("");
}
APART void serve(int i)
{
	if (i == 1) {
		if (setjmp(back) == 0)
			parse();
		else
			recover();
	}
	if (i == 2) {
		if (setjmp(back) == 0)
			longjmp(back, 1);
		else
			recover();
	}
	if (i == 4)
		raise(SIGKILL);
	answer();
	__asm__ volatile("");
}
int main(void)
{
	for (int i = 0; i < 5; i++)
		serve(i);
	return 0;
}
