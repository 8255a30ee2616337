"""From text to trees: parsing, positions, and walks through a tree."""
