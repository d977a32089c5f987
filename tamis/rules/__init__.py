"""The reviewed rows of seeds/ that judge texts, and the macros that they become."""
