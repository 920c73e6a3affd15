/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by report/history*.c only. */
#ifndef REPORT_HISTORY_JSON_H
#define REPORT_HISTORY_JSON_H

#include "analyze/history/history.h"

struct history_report;
struct out;

const char *change_kind_name(enum change_kind k); /* "step" */
void history_json(struct out *o, const struct history_report *c);

#endif
