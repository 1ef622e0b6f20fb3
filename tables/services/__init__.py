"""The only writers of the floor: one public service is one transaction."""
