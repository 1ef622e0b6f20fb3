"""The pages of irregularities: recorded, shown, listed, amended."""
