"""What came of a file: its findings, which of them are shown, what belongs together, and what comes first."""
