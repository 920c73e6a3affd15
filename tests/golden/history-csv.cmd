# one line a change; operations without one, too
osprof history -q --unit ns --format csv --op '[rw]*' data/runs/nightly
