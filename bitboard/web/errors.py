"""What is wrong with a request."""

from __future__ import annotations


class RequestError(ValueError):
    """A request that cannot be answered; `status` is that of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
