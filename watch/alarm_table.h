/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alarms as rows of a Markdown table, and the words that rows and lines share. */
#ifndef WATCH_ALARM_TABLE_H
#define WATCH_ALARM_TABLE_H

#include "watch/report.h"

void alarm_say_time(struct out *o, double time); /* "2026-11-22 18:00:10  " */
void alarm_say_operation(struct out *o, const struct watch_event *e);
/* "latency 2.1x higher", "calls 12 % lower" */
void alarm_say_effect(struct out *o, const struct watch_event *e);

void alarm_table_add(struct reporter *r, const struct reported_alarm *a);
void alarm_table_resolve(struct reporter *r, const struct watch_event *e, double time);

#endif
