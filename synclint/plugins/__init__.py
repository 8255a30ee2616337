"""Rules that other packages bring along: found among what is installed, read as data, and matched by libcst."""
