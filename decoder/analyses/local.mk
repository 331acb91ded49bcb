# Analyses: events -> figures.
