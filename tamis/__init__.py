"""A sieve for agent memory."""
