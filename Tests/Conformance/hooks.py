# SPDX-License-Identifier: Apache-2.0

"""Teaches schemathesis JSON lines, how to send them and a check of each received line, and pieces of uploads."""

import json

import jsonschema_rs
import schemathesis


def as_bytes(value):
    if isinstance(value, bytes):
        return value
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return as_bytes(value)


@schemathesis.serializer("application/offset+octet-stream")
def pieces(context, value):
    return as_bytes(value)


@schemathesis.check
def every_line_is_as_described(context, response, case):
    media_type = "application/x-ndjson"
    if case.operation.path != "/v1/export" or response.headers.get("content-type", [""])[0] != media_type:
        return
    schema = case.operation.schema.raw_schema["components"]["schemas"]["StoredEvent"]
    for line in response.content.decode().removesuffix("\n").split("\n"):
        if line:
            jsonschema_rs.validate(schema, json.loads(line))
