"""The rules: what each says, how they are chosen, and what they make of sync events."""
