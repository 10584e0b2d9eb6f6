# SPDX-License-Identifier: Apache-2.0

"""Functions written for firebase-functions, as an app's developers deploy them."""

import firebase_admin
from firebase_functions import https_fn, storage_fn, tasks_fn

firebase_admin.initialize_app()


@https_fn.on_call()
def add(request: https_fn.CallableRequest):
    return {"sum": request.data["a"] + request.data["b"], "data": request.data}


@https_fn.on_call()
def who(request: https_fn.CallableRequest):
    return {"uid": request.auth.uid if request.auth else None, "token": request.instance_id_token}


@https_fn.on_call()
def refuse(request: https_fn.CallableRequest):
    code = https_fn.FunctionsErrorCode(request.data)
    raise https_fn.HttpsError(code, f"refused: {request.data}", {"code": request.data, "list": [1, None, "ü"]})


@https_fn.on_call()
def crash(request: https_fn.CallableRequest):
    raise ValueError("a secret of the function")


@tasks_fn.on_task_dispatched()
def work(request: tasks_fn.CallableRequest):
    print("worked", request.data["order"], flush=True)


@storage_fn.on_object_finalized(bucket="shop")
def stored(event: storage_fn.CloudEvent[storage_fn.StorageObjectData]):
    file = event.data
    print("stored", file.bucket, file.name, file.size, file.content_type, file.metadata, event.type, event.subject, flush=True)


@storage_fn.on_object_deleted(bucket="shop")
def removed(event: storage_fn.CloudEvent[storage_fn.StorageObjectData]):
    print("removed", event.data.bucket, event.data.name, event.type, flush=True)
