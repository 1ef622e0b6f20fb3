"""Who works here: staff, roles, secrets, tablets, signatures. It must not know tables or money."""
