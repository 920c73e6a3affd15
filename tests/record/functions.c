/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be compiled with -finstrument-functions: functions that are called a known number of
 * times, one of them left by longjmp. */
#include <setjmp.h>
#include <stdio.h>

int f_outer(int n);
int f_quiet(int n);
int f_deep(int n);
int f_left(int n);
int g_other(int n);

static jmp_buf back;

static __attribute__((noinline)) int f_static(int n)
{
	return n + 1;
}

__attribute__((noinline)) int f_quiet(int n)
{
	return n;
}

__attribute__((noinline)) int f_outer(int n)
{
	return f_static(n) + f_static(f_quiet(n));
}

__attribute__((noinline)) int f_deep(int n)
{
	return n > 1 ? f_deep(n - 1) + 1 : 1;
}

__attribute__((noinline)) int f_left(int n)
{
	longjmp(back, n);
}

__attribute__((noinline)) int g_other(int n)
{
	return n;
}

int main(void)
{
	volatile int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += f_outer(i);
	if (setjmp(back) == 0)
		(void)f_left(1);
	for (int i = 0; i < 10; i++)
		sum += f_outer(i) + g_other(i);
	sum += f_deep(150);
	(void)printf("%d\n", sum);
	return 0;
}
