"""What waits inside the calls of libraries: summaries that synclint makes of their sources."""
