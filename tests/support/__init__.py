"""What tests share and no product code may import: databases of their own, servers, sites."""
