# three without -- are a mistake
osprof rank a b c
