"""Run the command as a module."""

from menagerie.cli import main

main()
