"""What every app shares and nothing knows an app: errors, money, clock, text and strict JSON.

Pure: the standard library only. It must not import Django, read a clock, a setting or a file.
"""
