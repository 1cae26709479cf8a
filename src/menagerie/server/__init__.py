"""How people meet: the site's server, on top of everything that plays."""
