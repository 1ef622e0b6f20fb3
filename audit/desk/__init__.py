"""The auditor's desk: days and their files. It reads everything below it and keeps nothing itself."""
