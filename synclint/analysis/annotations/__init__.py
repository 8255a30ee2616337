"""What annotations, docstrings and names say of values."""
