"""Measuring recall: golden sets, pollution, rungs of curation, measures with intervals."""
