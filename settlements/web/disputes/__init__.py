"""The pages of disputes: opened, kept on file, ruled, listed."""
