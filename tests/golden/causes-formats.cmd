# JSON, CSV, Markdown, folded stacks.
osprof causes data/causes/shop.data --function handle --peak 2 --format json
osprof causes data/causes/shop.data --function handle --format csv
osprof causes data/causes/shop.data --function handle --format csv --section tree
osprof causes data/causes/shop.data --function handle --format csv --section values
osprof causes data/causes/shop.data --function handle --format markdown
osprof causes data/causes/shop.data --function handle --format folded
