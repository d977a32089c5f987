"""Run tamis as `python -m tamis`."""

from tamis.cli import main

main()
