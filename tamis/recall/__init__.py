"""Finding facts again, and measuring how well that goes before and after curation."""
