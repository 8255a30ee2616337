"""The user's own run, its waits on the user's own lines."""
