"""What is kept on disk between runs, and when it no longer holds."""
