#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes the report into the one comment of a pull request that is osprof's: the first push makes
# it, later ones change it. `gh` must be there, as on the runners of GitHub, and GH_TOKEN.
#
#	comment.sh PULL_REQUEST FILE
set -eu
comments=repos/$GITHUB_REPOSITORY/issues/$1/comments
id=$(gh api "$comments" --paginate --jq '.[] | select(.body | startswith("<!-- osprof: latency -->")) | .id' | head -n 1) || id=
if [ -n "$id" ]; then
	gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$2" && exit
else
	gh api --silent --method POST "$comments" -F "body=@$2" && exit
fi
# A pull request from a fork may not comment; the page of the job shows the same.
echo '::notice title=osprof::no permission to comment; the report is in the summary of the job'
