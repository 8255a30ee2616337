"""From source to sync events: knows what code does, nothing of rules or of output."""
