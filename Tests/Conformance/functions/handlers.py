# SPDX-License-Identifier: Apache-2.0

"""Functions of AWS Lambda, for awslambdaric."""

import time


class NOT_FOUND(Exception):
    pass


def add(event, context):
    return {"sum": event["a"] + event["b"], "event": event}


def describe(event, context):
    return {
        "id": context.aws_request_id, "name": context.function_name, "arn": context.invoked_function_arn,
        "left": context.get_remaining_time_in_millis(), "custom": context.client_context.custom["signalbox"],
    }


def fail(event, context):
    print("about to fail")
    if event == "missing":
        raise NOT_FOUND("no order")
    return {}["order"]


def sleep(event, context):
    time.sleep(event)
