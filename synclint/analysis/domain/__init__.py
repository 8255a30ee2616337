"""The abstract values that expressions stand for."""
