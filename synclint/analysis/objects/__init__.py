"""Objects and classes: what their attributes hold, what iterating over them gives, what parameters are."""
