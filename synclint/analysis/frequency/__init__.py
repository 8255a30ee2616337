"""How often a line runs: what names, loops and tests say of it, and what follows through the calls of a project."""
