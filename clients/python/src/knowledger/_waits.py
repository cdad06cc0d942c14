from __future__ import annotations

import random

import httpx

from .errors import KnowledgerError

#: Before the second attempt, and at most, in seconds. A service that asks for more is not waited for.
FIRST, LONGEST, LONGEST_ASKED = 0.5, 15.0, 60.0

#: What httpx raises where a connection fails.
LOST = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError)
#: Those among them after which the service has not seen the request.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def wait_before(error: Exception, attempt: int, is_repeatable: bool) -> float | None:
    """
    Seconds to wait before a request is sent again; None: it will not get better, or may have been done.

    `attempt` has failed, from 1. `is_repeatable`: sending it twice does no more than once.
    """
    grown: float = min(FIRST * 2 ** min(attempt - 1, 10), LONGEST) * random.uniform(0.5, 1)
    if isinstance(error, LOST):
        return grown if is_repeatable or isinstance(error, NOT_SENT) else None
    if not isinstance(error, KnowledgerError):
        return None
    # The first attempt with this Idempotency-Key is still at work.
    is_at_work = error.status == 409 and error.retry_after is not None and attempt > 1 and is_repeatable
    is_refused = error.status in (429, 503)
    if not is_at_work and not is_refused and not (is_repeatable and error.status in (502, 504)):
        return None
    asked = error.retry_after or 0.0
    return None if asked > LONGEST_ASKED else max(asked, grown)
