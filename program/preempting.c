/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/preempting.h"

#include <math.h>
#include <string.h>

#include "base/scan.h"

const struct preempting preempting_none = {
	.quantum = { NAN, UNIT_UNKNOWN },
	.tperiod = { NAN, UNIT_UNKNOWN },
	.tcpu = { NAN, UNIT_UNKNOWN },
	.yield = NAN,
};

const char *take_time(struct amount *to, const char *arg)
{
	struct amount a;

	if (!amount_parse(str_from(arg), &a) || !(a.value > 0))
		return "a time above 0, such as 4ms, or a number in the unit of the run";
	*to = a;
	return NULL;
}

const char *take_quantum(struct preempting *p, const char *arg)
{
	p->kernel = strcmp(arg, "kernel") == 0;
	if (p->kernel || take_time(&p->quantum, arg) == NULL)
		return NULL;
	return "a time above 0, such as 4ms, a number in the unit of the run, or kernel";
}

const char *take_yield(struct preempting *p, const char *arg)
{
	double v;

	if (number_f64(str_from(arg), &v) != NUMBER_OK || !(v >= 0 && v <= 1))
		return "a probability from 0 to 1";
	p->yield = v;
	return NULL;
}
