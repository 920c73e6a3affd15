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

# Build folders, whatever they are called, have a meson-private.
files=$(find . \( -path './.git' -o -path './build*' -o -type d -exec test -e '{}/meson-private' \; \) -prune -o -type f \
	\( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name meson.build \) -print |
	sed 's,^\./,,' | LC_ALL=C sort)
if [ -z "$files" ]; then
	echo "no sources in $PWD" >&2
	exit 1
fi

# shellcheck disable=SC2086 # one word a file
LC_ALL=C awk '
BEGIN {
	# Each folder: the folders it may include from, besides itself.  "analyze/" stands for
	# all below it.
	may["base"] = ""
	may["profile"] = "base"
	may["calls"] = "base profile"
	may["formats"] = "base profile calls"
	may["analyze/stats"] = "base profile calls"
	may["analyze"] = may["analyze/stats"] " analyze/stats"
	may["analyze/rank"] = may["analyze"] " analyze"
	n = split("calls causes history hosts layers values watch", wing, " ")
	for (i = 1; i <= n; i++)
		may["analyze/" wing[i]] = may["analyze/rank"] " analyze/rank"
	may["canvas"] = "base"
	may["plotting"] = "base canvas profile calls analyze/"
	may["report"] = "base profile calls analyze/"
	may["tui"] = "base canvas profile calls analyze/ report"
	may["watch"] = "base profile calls formats analyze/ report region plugin record"
	may["load"] = "base profile calls formats analyze/ report region plugin"
	may["compare"] = "base profile calls formats analyze/ report load"
	may["record"] = "base profile calls formats analyze/ collect"
	may["plotting/commands"] = "base profile calls formats analyze/ report plotting load compare"
	may["options"] = "base profile calls formats analyze/ report plugin load compare"
	may["library"] = "base profile calls formats analyze/ report plugin load compare options"
	may["program"] = "base profile calls formats analyze/ report plotting watch region plugin collect load compare record plotting/commands options"
	may["cli"] = may["program"] " program"
	may["browse"] = may["cli"] " tui"
	may["mpi"] = "base profile calls formats load options program"
	may["tests"] = "*"
	may["collect"] = ""
	may["plugin"] = "base profile calls formats"
	may["region"] = "base profile calls formats collect"

	# Each foreign header: the files that may know it.
	only["csv.h"] = "^(formats/table/table|tests/bench/raw_libcsv)[.]c$"
	only["gsl/"] = "^(analyze/(body|distance|period|slow_calls|calls/preempt|hosts/hosts_(outliers|tails)|stats/(binomial|poisson|significance|states)|watch/watch_track)[.]c$|(cli|browse|mpi)/main[.]c$|library/context[.]c$|tests/)"
	only["getopt.h"] = "^(base/platform|program/arguments)[.]c$"
	only["uthash.h"] = "^base/tables/hash[.]h$"
	only["curses.h"] = only["ncurses.h"] = "^tui/terminal[.]c$"
	only["uv.h"] = "^watch/loop[.]c$"
	only["elfutils/"] = "^record/debug_info[.]c$"
	only["cmocka.h"] = "^tests/"

	# Each name: where it may be used; elsewhere it is an error.
	user = "^(cli|program|browse|mpi|collect|plugin/samples|tests)/"
	where["printf"] = where["fprintf"] = where["vprintf"] = where["vfprintf"] = user
	where["puts"] = where["fputs"] = where["putchar"] = where["perror"] = user
	where["exit"] = where["secure_getenv"] = user
	where["abort"] = "^(cli|browse|mpi|collect|plugin/samples|tests|library)/"
	where["getenv"] = "^((cli|program|browse|mpi|collect|plugin/samples|tests|record)/|plotting/commands/figures[.]c$|base/input/seekable[.]c$)"
	where["stdout"] = where["stderr"] = user
	where["stdin"] = "^((cli|browse|mpi|collect|plugin/samples|tests)/|load/inputs[.]c$)"
	where["fopen"] = "^((cli|browse|mpi|collect|plugin/samples|tests)/|base/(host|outfile)[.]c$|load/inputs[.]c$|record/)"
	where["strtod"] = "^(base/(scan|out)[.]c$|collect/|tests/)"
	where["atoi"] = "^(collect|tests)/"
	where["strtol"] = where["strtoul"] = where["strtoll"] = where["strtoull"] = "^collect/"
	where["strtof"] = where["strtold"] = where["atol"] = where["atoll"] = "^$"
	where["atof"] = where["strtok"] = where["strtok_r"] = where["gets"] = "^$"
	where["sscanf"] = where["scanf"] = where["fscanf"] = where["sprintf"] = "^$"

	MAX_LINES = 600
	MAX_FILES = 60 # of sources in one folder: a wing takes what belongs together
}

function wrong(what)
{
	printf "%s:%d: %s\n", FILENAME, FNR, what
	bad = 1
}

# The folder of the map that holds a file.
function folder_of(path)
{
	while (sub(/\/[^\/]*$/, "", path)) {
		if (path in may)
			return path
	}
	return path
}

# Whether a list of folders has this one.
function may_include(list, target)
{
	if (index(" " list " ", " " target " "))
		return 1
	sub(/(\/.*)?$/, "/", target)
	return index(" " list " ", " " target " ")
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
	if (match(file, /.*\//) && file ~ /[.]([ch]|def)$/ && ++n_files[substr(file, 1, RLENGTH)] == MAX_FILES + 1)
		wrong("more than " MAX_FILES " files in this folder")
	folder = folder_of(file)
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
	target = folder_of(part[2])
	if (part[2] !~ /\//)
		wrong("include from the root: \"" part[2] "\"")
	else if (!(folder in may))
		wrong("a folder that tests/lint/includes.sh does not know")
	else if (target != folder && may[folder] != "*" && !may_include(may[folder], target))
		wrong(folder " may not include " part[2])
	else if (part[2] == "profile/builder/builder_parts.h" && folder != "profile")
		wrong("profile/builder/builder_parts.h is of profile/ alone")
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
