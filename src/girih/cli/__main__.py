"""`python -m girih.cli` is the `girih` command."""

import sys

from girih.cli import main

sys.exit(main())
