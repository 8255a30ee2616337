"""Reading and writing files of which anybody may have made anything."""
