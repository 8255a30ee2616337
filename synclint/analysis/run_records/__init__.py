"""What an analysis came to, as records that outlive it, and their use where a function is edited."""
