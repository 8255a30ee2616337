"""Data about libraries, applied: results, conditions of catalogue entries, operators."""
