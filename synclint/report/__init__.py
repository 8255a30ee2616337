"""What a run found, in the forms that people and programs read."""
