"""From a finding to the edits that mend it: the rules' own ``fix.py``, and the concrete syntax that they change.

What to write is decided on ``ast`` and on what the analysis concluded; only the statement that is changed is parsed
with libcst, which is therefore imported for a file with something to fix and for no other.
"""
