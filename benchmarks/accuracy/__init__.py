"""How often synclint is right: held against executions of packages, and against repositories that were read by hand."""
