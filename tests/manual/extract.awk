# SPDX-License-Identifier: GPL-3.0-or-later
#
# Examples of a man page (mdoc) or of Markdown, as lines for run.sh:
#
#	begin LINE		a block of examples begins, at this line of the page
#	needs FORMAT		it reads this format
#	with COMMAND		it is run where this command succeeds
#	off			it is not run
#	cmd LINE STATUS COMMAND	what follows "$ ", and the exit status it must have
#	out TEXT		a line that it is shown to print
#	end
#	file NAME		a file that the examples use begins
#	text TEXT		a line of it
#
# What counts as an example is described in run.sh.

function mark(text) {
	if (text ~ /^file: /)
		file = substr(text, 7)
	else if (text ~ /^needs: /)
		needs = needs " " substr(text, 8)
	else if (text ~ /^with: /)
		with = substr(text, 7)
	else if (text ~ /^status: /)
		status = substr(text, 9)
	else if (text == "not run")
		off = 1
}

function begin() {
	inside = 1
	if (file != "") {
		print "file " file
		return
	}
	print "begin " FNR
	n = split(needs, need, " ")
	for (i = 1; i <= n; i++)
		print "needs " need[i]
	if (with != "")
		print "with " with
	if (off)
		print "off"
}

function finish() {
	print "end"
	folded = 0
	inside = off = status = 0
	file = needs = with = ""
}

function inner(text) {
	if (file != "")
		print "text " text
	else if (text ~ /^\$ / || folded) {
		if (folded)
			sub(/^[ \t]+/, "", text)
		else
			text = "cmd " FNR " " status " " substr(text, 3)
		folded = sub(/ \\$/, " ", text)
		printf(folded ? "%s" : "%s\n", text)
		status = 0
	} else
		print "out " text
}

# What roff makes of a line of a literal block.
function unroff(text) {
	gsub(/\\&/, "", text)
	gsub(/\\\(aq/, "'", text)
	gsub(/\\-/, "-", text)
	gsub(/\\e/, "\\", text)
	return text
}

BEGIN { inside = off = status = 0 }

mdoc && /^\.\\" / { mark(substr($0, 5)); next }
mdoc && !inside && /^\.Bd .*-literal/ { begin(); next }
mdoc && inside && /^\.Ed/ { finish(); next }
mdoc && inside { inner(unroff($0)); next }
# A mark is for the block that follows it at once.
mdoc && !inside { file = needs = with = ""; off = status = 0; next }

!inside && /^<!-- .* -->$/ { mark(substr($0, 6, length($0) - 9)); next }
!inside && (/^```console$/ || (/^```/ && file != "")) { begin(); next }
inside && /^```$/ { finish(); next }
inside { inner($0); next }
# Other fences are passed over.
/^```/ { fenced = !fenced; next }
!/^$/ { file = needs = with = ""; off = status = 0 }
