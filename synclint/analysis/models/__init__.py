"""What the functions of torch, Python and NumPy return, and which of their arguments the host reads."""
