"""python -m lookup."""
from .cli import main

raise SystemExit(main())
