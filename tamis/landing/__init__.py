"""The engine of landing: find files, read them, settle which records are new, append those."""
