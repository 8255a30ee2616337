"""What may stay: comments that suppress findings, baselines, and lines that have not changed."""
