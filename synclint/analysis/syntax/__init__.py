"""From text to trees: parsing, positions, and ways through a tree."""
