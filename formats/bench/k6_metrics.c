/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/k6_metrics.h"

#include "base/attr.h"

bool k6_is_time(struct str metric)
{
	static const char *const times[] = {
		"http_req_duration",
		"http_req_blocked",
		"http_req_looking_up",
		"http_req_connecting",
		"http_req_tls_handshaking",
		"http_req_sending",
		"http_req_waiting",
		"http_req_receiving",
		"iteration_duration",
		"group_duration",
		"ws_connecting",
		"ws_ping",
		"ws_session_duration",
		"grpc_req_duration",
		"browser_http_req_duration",
		"browser_web_vital_fcp",
		"browser_web_vital_fid",
		"browser_web_vital_inp",
		"browser_web_vital_lcp",
		"browser_web_vital_ttfb",
	};

	for (size_t i = 0; i < COUNT_OF(times); i++) {
		if (str_eq(metric, str_from(times[i])))
			return true;
	}
	return false;
}
