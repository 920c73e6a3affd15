# three operands, and the first is neither a file nor like a kind
osprof plot heatmap data/runs/randread-1/1.json data/runs/randread-2/1.json
