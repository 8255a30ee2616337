"""Calls: of functions of the project, of torch, of Python and NumPy."""
