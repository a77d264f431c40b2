"""VMT (``.vmt``): transition systems as scripts of SMT-LIB with annotations."""
