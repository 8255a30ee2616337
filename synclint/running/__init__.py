"""A run over many files: which they are, how they are shared among processes, and what to do when one fails."""
