"""The queue of follow-up work: a row written in the transaction that makes the work necessary.

The broker only rings the bell. A worker claims rows for a few seconds with a lease number, does the
work, and deletes the row in the transaction that stores the result, which succeeds only while that
lease number still holds. Killing a worker at any line therefore loses nothing and doubles nothing.

Follow-up work of an app is written by its service and done by its handler; no service imports a
task, and this app knows no topic by name.
"""
