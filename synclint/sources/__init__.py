"""The Python in a file: its text, its cells and code blocks, its comments."""
