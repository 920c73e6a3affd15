#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Who may include whom, what belongs to one place only, and how large files get.
#
#	tests/lint/includes.sh [ROOT]
#
# Prints FILE:LINE: what is wrong; status 1 when anything is.
set -eu
cd "${1:-$(dirname "$0")/../..}"

files=$(find . -path './.git' -prune -o -path './build*' -prune -o -type f \
	\( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name meson.build \) -print |
	sed 's,^\./,,' | LC_ALL=C sort)
if [ -z "$files" ]; then
	echo "no sources in $PWD" >&2
	exit 1
fi

# shellcheck disable=SC2086 # one word a file
LC_ALL=C awk '
BEGIN {
	# Each folder: the folders it may include from, besides itself.
	may["base"] = ""
	may["profile"] = "base"
	may["formats"] = "base profile"
	may["analyze"] = "base profile"
	may["plotting"] = "base profile analyze"
	may["report"] = "base profile analyze"
	may["tui"] = "base profile analyze report"
	may["watch"] = "base profile formats analyze report region plugin"
	may["cli"] = may["mpi"] = may["tests"] = "*"
	may["collect"] = ""
	may["plugin"] = "base profile formats"
	may["region"] = "base profile formats collect"

	# Each foreign header: the files that may know it.
	only["csv.h"] = "^(formats/table|tests/bench/raw_libcsv)[.]c$"
	only["gsl/"] = "^(analyze/(body|distance|hosts_outliers|period|poisson|preempt|significance|slow_calls|watch_track)[.]c$|(cli/(browse_)?|mpi/)main[.]c$|tests/)"
	only["getopt.h"] = "^cli/arguments[.]c$"
	only["uthash.h"] = "^base/hash[.]h$"
	only["curses.h"] = only["ncurses.h"] = "^tui/terminal[.]c$"
	only["uv.h"] = "^watch/loop[.]c$"
	only["elfutils/"] = "^cli/sites[.]c$"
	only["cmocka.h"] = "^tests/"

	# Each name: where it may be used; elsewhere it is an error.
	user = "^(cli|mpi|collect|plugin/samples|tests)/"
	where["printf"] = where["fprintf"] = where["vprintf"] = where["vfprintf"] = user
	where["puts"] = where["fputs"] = where["putchar"] = where["perror"] = user
	where["exit"] = where["abort"] = where["getenv"] = where["secure_getenv"] = user
	where["stdin"] = where["stdout"] = where["stderr"] = where["fopen"] = user
	where["strtod"] = "^(base/(scan|out)[.]c$|collect/|tests/)"
	where["strtod_l"] = where["strtod"]
	where["atoi"] = "^(collect|tests)/"
	where["strtol"] = where["strtoul"] = where["strtoll"] = where["strtoull"] = "^collect/"
	where["strtof"] = where["strtold"] = where["atol"] = where["atoll"] = "^$"
	where["atof"] = where["strtok"] = where["strtok_r"] = where["gets"] = "^$"
	where["sscanf"] = where["scanf"] = where["fscanf"] = where["sprintf"] = "^$"

	MAX_LINES = 600
}

function wrong(what)
{
	printf "%s:%d: %s\n", FILENAME, FNR, what
	bad = 1
}

function finish()
{
	if (file == "")
		return
	if (!spdx)
		print file ": no SPDX-License-Identifier in its first lines"
	if (file ~ /[.][ch]$/ && lines > MAX_LINES)
		print file ": " lines " lines, more than " MAX_LINES
	if (!spdx || (file ~ /[.][ch]$/ && lines > MAX_LINES))
		bad = 1
}

# The line without comments and strings; remembers an open comment.
function code_of(line,    out, at)
{
	gsub(/\\["\\]/, "", line)
	gsub(/"[^"]*"/, "\"\"", line)
	gsub(/\047[^\047]*\047/, "0", line)
	while (line != "") {
		if (comment) {
			at = index(line, "*/")
			if (at == 0)
				return out
			line = substr(line, at + 2)
			comment = 0
		} else {
			at = index(line, "/*")
			if (at == 0)
				return out line
			out = out substr(line, 1, at - 1) " "
			line = substr(line, at + 2)
			comment = 1
		}
	}
	return out
}

FNR == 1 {
	finish()
	file = FILENAME
	folder = file
	sub(/\/.*/, "", folder)
	spdx = comment = lines = 0
	if (file ~ /(^|\/)utils?[.]/)
		wrong("no file is named util: say what it does")
}

{ lines = FNR }
FNR <= 3 && /SPDX-License-Identifier: GPL-3.0-or-later/ { spdx = 1 }
FNR <= 3 && /SPDX-License-Identifier: MIT/ && (folder == "collect" || file ~ /(^|\/)plugin[.\/]/) { spdx = 1 } # goes into others
file !~ /[.]([ch]|def)$/ { next }

/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, part, "\"")
	target = part[2]
	sub(/\/.*/, "", target)
	if (part[2] !~ /\//)
		wrong("include from the root: \"" folder "/" part[2] "\"")
	else if (!(folder in may))
		wrong("a folder that tests/lint/includes.sh does not know")
	else if (target != folder && may[folder] != "*" && !index(" " may[folder] " ", " " target " "))
		wrong(folder " may not include " part[2])
	else if (part[2] == "profile/builder_parts.h" && folder != "profile")
		wrong("profile/builder_parts.h is of profile/ alone")
}

/^[ \t]*#[ \t]*include[ \t]*</ {
	split($0, part, /[<>]/)
	for (header in only) {
		if (index(part[2], header) == 1 && file !~ only[header])
			wrong("<" part[2] "> is for " only[header] " alone")
	}
	next
}

{
	rest = code_of($0)
	while (match(rest, /[A-Za-z_][A-Za-z_0-9]*/)) {
		name = substr(rest, RSTART, RLENGTH)
		before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : ""
		rest = substr(rest, RSTART + RLENGTH)
		called = name ~ /^std(in|out|err)$/ || rest ~ /^[ \t]*[(]/
		if (name in where && called && before !~ /[.>]/ && file !~ where[name])
			wrong(name " does not belong here")
	}
}

END {
	finish()
	exit bad
}
' $files
