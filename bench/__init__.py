"""Every figure that the README claims, each a command."""
