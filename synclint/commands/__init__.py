"""The commands of the program, each loaded only when it is asked for."""
