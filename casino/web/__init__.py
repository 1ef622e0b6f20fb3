"""The frame of every page: base templates, styles, scripts, template tags.

It knows no table, no round and no log; pages of other apps bring their values with them.
"""
