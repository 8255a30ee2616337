"""Functions from which nothing may be reached that waits: what declares them, and whether they keep their word."""
