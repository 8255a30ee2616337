"""What the interpreter knows while it runs, and how its parts reach one another."""
