"""Finds the lines of PyTorch code that make the CPU wait for the GPU, before the code runs."""

__version__ = "0.1.0"
