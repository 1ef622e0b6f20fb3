"""Is an answer of the API what `docs/openapi.yaml` says of it?

Every test that calls the API through `ApiPerson` asks this of each answer. An object may hold what
the document names and nothing else, so that no member is served that nobody was told of.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # the package carries no types
import yaml

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "openapi.yaml"
_PROBLEM = {"$ref": "#/components/schemas/Problem"}

Schema = Any  # a part of the document: nested dicts and lists


def faults_of_answer(
    method: str, path: str, *, status: int, content_type: str, document: object
) -> list[str]:
    """Return what is otherwise than described; empty when the answer is as it should be."""
    expected = _content(method, path, status)
    if expected is None:
        return [f"{method} {path} answered {status}: not described"]
    kind, schema = expected
    faults = []
    if content_type.partition(";")[0] != kind:
        faults.append(f"content type {content_type}, expected {kind or 'none'}")
    if kind:
        for error in _validator(str(schema)).iter_errors(document):
            place = "/".join(str(part) for part in error.absolute_path)
            faults.append(f"at /{place}: {error.message[:300]}")
    return faults


def _content(method: str, path: str, status: int) -> tuple[str, Schema] | None:
    """Return content type and schema of an answer, "" for one without a body."""
    operation = _operation(method, path)
    if operation is None:
        return ("application/problem+json", _PROBLEM) if status in (404, 405) else None
    answer = operation["responses"].get(str(status))
    if answer is None:
        answer = operation["responses"]["default"] if status >= 400 else None
    if answer is None:
        return None
    for kind, body in answer.get("content", {}).items():
        return kind, body["schema"]
    return "", {}


@cache
def _operation(method: str, path: str) -> Schema:
    for pattern, operations in _addresses():
        if method.lower() in operations and pattern.fullmatch(path):
            return operations[method.lower()]
    return None


@cache
def _document() -> Schema:
    return yaml.safe_load(DOCUMENT.read_text())


@cache
def _addresses() -> list[tuple[re.Pattern[str], Schema]]:
    # What is spelt out goes before what a parameter would take as well.
    paths = sorted(_document()["paths"].items(), key=lambda each: each[0].count("{"))
    return [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), found) for path, found in paths]


@cache
def _schemas() -> Schema:
    return {name: _closed(each) for name, each in _document()["components"]["schemas"].items()}


@cache
def _validator(reference: str) -> Any:
    schema = {**_closed(yaml.safe_load(reference)), "components": {"schemas": _schemas()}}
    return jsonschema.Draft202012Validator(schema)


def _closed(schema: Schema) -> Schema:
    """Return OpenAPI 3.0 as JSON Schema, with every object closed that names its members."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _closed(value) for key, value in schema.items()}
    if "properties" in found and found.get("type") == "object":
        found.setdefault("additionalProperties", False)
    if not found.pop("nullable", False):
        return found
    return {"anyOf": [found, {"type": "null"}]}
