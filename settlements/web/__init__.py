"""Pages of this app: parse, call, render."""
