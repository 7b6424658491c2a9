"""Routes for those who operate the service: whether it is well, where events are told, and which letters are dead."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from houseway.errors import InputError
from houseway.manager.http.event_routes import AFTER, event_number
from houseway.manager.http.own_book import Webhook
from houseway.manager.http.route_base import (
    Parameter,
    Route,
    giving,
    known_caller,
    single_arguments,
    told,
)
from houseway.manager.http.service import HttpService
from houseway.wording import suggestion

MOST_LETTERS: Final = 100


class WebhookView(msgspec.Struct, frozen=True, kw_only=True):
    """An address to which events are told, as far as others see it: it may hold a token of its owner's."""

    name: str
    host: str
    kinds: tuple[str, ...]
    told: int
    """Up to which event letters were written."""
    waiting: int
    dead: int
    stopped: str | None


class WebhooksPage(msgspec.Struct, frozen=True, kw_only=True):
    """All webhooks."""

    webhooks: tuple[WebhookView, ...]


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """A letter that is not tried again by itself."""

    webhook: str
    seq: int
    tries: int
    problem: str


class DeadLetters(msgspec.Struct, frozen=True, kw_only=True):
    """Letters that did not arrive; asked again with `next` as `after`, those behind them come."""

    letters: tuple[DeadLetter, ...]
    next: int | None


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the service does its work."""

    ready: bool


def operating_routes(service: HttpService) -> list[Route]:
    """The routes of webhooks and of the service's health."""

    async def webhooks(request: Request) -> Response:
        known_caller(service, request).check_webhooks()
        book = service.book
        views = [] if book is None else [_view(one, book.waiting(one.name)) for one in book.webhooks()]
        return told(WebhooksPage(webhooks=tuple(views)))

    async def dead_letters(request: Request) -> Response:
        known_caller(service, request).check_webhooks()
        found = single_arguments(request, frozenset({"webhook", "after"}))
        after = event_number("after", found.get("after", "0"))
        book, webhook = service.book, found.get("webhook")
        known = [] if book is None else [one.name for one in book.webhooks()]
        if webhook is not None and webhook not in known:
            message = f"there is no webhook {webhook[:60]!r}: {suggestion(webhook[:60], known)}"
            raise InputError.of("unknown-webhook", "webhook", message)
        letters = [] if book is None else book.dead(webhook, after, MOST_LETTERS)
        dead = tuple(
            DeadLetter(webhook=one.webhook, seq=one.seq, tries=one.tries, problem=one.problem) for one in letters
        )
        return told(DeadLetters(letters=dead, next=letters[-1].seq if len(letters) == MOST_LETTERS else None))

    async def live(request: Request) -> Response:  # noqa: ARG001 - as a route has it
        return told(Readiness(ready=True))

    async def ready(request: Request) -> Response:  # noqa: ARG001
        state = await service.manager_state()
        if state not in ("serving", "impaired"):
            raise InputError.of("store-unavailable", "", f"the manager is {state}")
        return told(Readiness(ready=True))

    of_webhook = Parameter("webhook", {"type": "string"}, "Of this webhook only.")
    is_ready = "Whether the manager is reached and carries commands out."
    return [
        giving(WebhooksPage, "GET", "/v1/webhooks", "list_webhooks", "webhooks", webhooks, _WEBHOOKS),
        giving(
            DeadLetters, "GET", "/v1/webhooks/dead-letters", "list_dead_letters", "webhooks", dead_letters, _DEAD,
            parameters=(of_webhook, AFTER), refusals=(404,),
        ),
        giving(
            Readiness, "GET", "/healthz", "is_alive", "service", live, "Whether this process answers.", is_open=True
        ),
        giving(Readiness, "GET", "/readyz", "is_ready", "service", ready, is_ready, is_open=True),
    ]  # fmt: skip


def _view(webhook: Webhook, waiting: tuple[int, int]) -> WebhookView:
    return WebhookView(
        name=webhook.name, host=urlsplit(webhook.url).hostname or "", kinds=webhook.kinds, told=webhook.told,
        waiting=waiting[0], dead=waiting[1], stopped=webhook.stopped,
    )  # fmt: skip


_WEBHOOKS: Final = """The addresses to which events are told.

The operator of the machine adds and removes them (`houseway http webhook`)."""
_DEAD: Final = """Letters that did not arrive and are not tried again by themselves.

`houseway http webhook resume` has them tried again."""
