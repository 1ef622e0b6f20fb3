"""The auditor's desk: days and their files. It reads everything below and keeps nothing."""
