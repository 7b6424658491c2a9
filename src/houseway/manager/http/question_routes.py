"""A route for every question: arguments in the query, the answer as its view, and an ETag by the last event in it."""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from houseway.manager.http.route_base import (
    Endpoint,
    Parameter,
    Route,
    known_caller,
    ref,
    single_arguments,
    summary_and_text,
    told,
    whole_number,
)
from houseway.manager.http.service import HttpService
from houseway.manager.http.type_examples import example_of, named_example
from houseway.manager.views.answers import AnswerView
from houseway.manager.views.floor_questions import QUESTIONS, EventsQuestion, KeyQuestion, Question, question
from houseway.manager.views.view_base import FloorView

QuestionT = TypeVar("QuestionT", bound=Question[FloorView])

ELSEWHERE: Final = frozenset({EventsQuestion, KeyQuestion})
"""Questions with a route of their own kind: events are told as CloudEvents, keys are the person's own."""


def question_routes(service: HttpService) -> list[Route]:
    """The routes of all questions but those with one of their own kind."""
    return [_route(service, name, kind) for name, kind in QUESTIONS.items() if kind not in ELSEWHERE]


def whole_arguments(kind: type[Question[FloorView]]) -> frozenset[str]:
    """The arguments of a question that are whole numbers."""
    return frozenset(field.name for field in msgspec.structs.fields(kind) if "int" in str(field.type))


def asked_by(kind: type[QuestionT], request: Request) -> QuestionT:
    """The question of a request."""
    whole = whole_arguments(kind)
    found = single_arguments(request, frozenset(kind.__struct_fields__))
    arguments = {name: whole_number(name, value) if name in whole else value for name, value in found.items()}
    asked = question(str(kind.__struct_config__.tag), **arguments)
    return msgspec.convert(asked, kind)


def argument_parameters(kind: type[Question[FloorView]]) -> tuple[Parameter, ...]:
    """The arguments of a question as they are described."""
    whole = whole_arguments(kind)
    return tuple(
        Parameter(
            field.name,
            {"type": "integer" if field.name in whole else "string"},
            f"`{field.name}` of the question",
            is_required=field.required,
            example=named_example(field.name) if field.required else None,
        )
        for field in msgspec.structs.fields(kind)
    )


def _route(service: HttpService, name: str, kind: type[Question[FloorView]]) -> Route:
    has_etag = issubclass(kind.answer, AnswerView)
    return Route(
        "GET", f"/v1/{name}", f"ask_{name}", "questions", _endpoint(service, kind), summary_and_text(kind.__doc__),
        parameters=argument_parameters(kind), gives=ref(kind.answer), types=(kind.answer,),
        example_given=example_of(kind.answer), has_etag=has_etag, refusals=(404, 409),
    )  # fmt: skip


def _endpoint(service: HttpService, kind: type[Question[FloorView]]) -> Endpoint:
    async def answered(request: Request) -> Response:
        caller = known_caller(service, request)
        caller.check_ask(kind)
        answer = await service.ask(asked_by(kind, request), caller)
        if not isinstance(answer, AnswerView):
            return told(answer)
        tag = etag_of(answer)
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if tag in [one.strip() for one in request.headers.get("if-none-match", "").split(",")]:
            return Response(None, 304, headers)
        return told(answer, headers=headers)

    return answered


def etag_of(answer: AnswerView) -> str:
    """The tag of an answer: as long as no event is written, what it says is the same but for the time of the clock."""
    return f'W/"{answer.seq}-{answer.at}"'
