"""The log: entries in hash-chained streams, and the guards that tie facts and heads to them.

It knows no other app. Each app registers its tables with `audit.log.registry` and writes through
`audit.log.services.append`, one statement that holds the entry and everything it explains.
"""
