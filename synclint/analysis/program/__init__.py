"""The modules of a project as they stand in the source, and which of them have torch in reach."""
