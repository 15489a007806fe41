"""What several test files share: a desk, opened once, that knows nothing of the owner's book of whoever runs the tests."""
from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from lookup.answer import Desk


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """The desk of the knowledge package."""
    before = os.environ.get("LAWSPEAKER_HOME")
    os.environ["LAWSPEAKER_HOME"] = str(tmp_path_factory.mktemp("home"))
    try:
        yield Desk.open()
    finally:
        if before is None:
            del os.environ["LAWSPEAKER_HOME"]
        else:
            os.environ["LAWSPEAKER_HOME"] = before
