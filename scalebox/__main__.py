"""`python -m scalebox`: the same as the `scalebox` command."""

from scalebox.cli.main import main

if __name__ == "__main__":
    main()
