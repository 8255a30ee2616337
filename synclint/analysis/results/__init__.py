"""What the analysis has seen, as plain records that can be kept and joined."""
