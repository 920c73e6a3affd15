#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes the manual as HTML: a file for each page, NAME.SECTION.html, and index.html.
#
#	html.sh FOLDER PAGE...
#
# The pages need no other file and no script; they refer to each other.
set -eu
folder=$1
shift
mkdir -p "$folder"
style='body{max-width:52em;margin:1em auto;padding:0 1em;font-family:sans-serif;line-height:1.4}
pre,code{font-family:monospace;font-size:92%}pre{background:#8881;padding:.5em;overflow-x:auto}
table.head,table.foot{width:100%}td.head-rtitle,td.foot-os{text-align:right}td.head-vol{text-align:center}
.Nd,.Bl-compact>dd{display:inline}dt{font-weight:bold}a.permalink{color:inherit;text-decoration:none}'

# page TITLE: what is read from standard input, as a page.
page() {
	printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
	printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
	printf '<meta name="color-scheme" content="light dark">\n'
	printf '<title>%s</title>\n<style>\n%s\n</style>\n</head>\n<body>\n' "$1" "$style"
	cat
	printf '</body>\n</html>\n'
}

for file; do
	name=$(basename "$file")
	mandoc -T html -O 'fragment,man=%N.%S.html' "$file" | page "$name" >"$folder/$name.html"
done
for file; do
	name=$(basename "$file")
	# the one-line description: .Nd and what follows it
	about=$(sed -n 's/^\.Nd //p' "$file" | sed 's/&/\&amp;/g; s/</\&lt;/g')
	printf '<li><a href="%s.html">%s(%s)</a>: %s</li>\n' "$name" "${name%.*}" "${name##*.}" "$about"
done | sort -t'>' -k3 | { echo '<h1>osprof: the manual</h1><ul>' && cat && echo '</ul>'; } |
	page 'osprof: the manual' >"$folder/index.html"
