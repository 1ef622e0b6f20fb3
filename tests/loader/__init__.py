"""A bulk loader of long history: for tests and the bench alone, as the database's superuser."""
