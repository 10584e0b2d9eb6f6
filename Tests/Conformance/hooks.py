# SPDX-License-Identifier: Apache-2.0

"""Teaches schemathesis JSON lines: how to send them, and a check of each received line."""

import json

import jsonschema_rs
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.check
def every_line_is_as_described(context, response, case):
    media_type = "application/x-ndjson"
    if case.operation.path != "/v1/export" or response.headers.get("content-type", [""])[0] != media_type:
        return
    schema = case.operation.schema.raw_schema["components"]["schemas"]["StoredEvent"]
    for line in response.content.decode().removesuffix("\n").split("\n"):
        if line:
            jsonschema_rs.validate(schema, json.loads(line))
