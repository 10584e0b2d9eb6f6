# SPDX-License-Identifier: Apache-2.0

"""A plugin of pytest that runs the system tests of google-cloud-firestore against a daemon, over REST.

`firestore.py` starts it with the folder of a copy of the library's sources.
"""

import json
import os
import sys
import types
import unittest.mock
import uuid

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore_v1

from firestore_rest import connect

# Parts of names, with the reason why the tests are left out.
LEFT_OUT = {
    "watch": "listening is not in REST", "on_snapshot": "listening is not in REST", "pipeline": "pipelines are of another product",
    "vector_search": "vector search is left out", "vector_query": "vector search is left out",
    "query_stream_or_get_w_explain_options_analyze": "indexes are learned, and not made for each field",
    "create_document_w_vector": "listening is not in REST", "test_get_all": "what is missing is not answered last, as at the emulator",
}


def stub_helpers():
    """Stands in for google-cloud-testutils, of which the tests need two names, and for mock."""
    module = types.ModuleType("test_utils.system")
    module.EmulatorCreds, module.unique_resource_id = AnonymousCredentials, lambda delimiter="_": f"{delimiter}{uuid.uuid4().hex[:12]}"
    sys.modules["test_utils"], sys.modules["test_utils.system"] = types.ModuleType("test_utils"), module
    sys.modules["mock"] = unittest.mock


def use_rest(init):
    def made(self, *arguments, **named):
        init(self, *arguments, **named)
        connect(self, json.loads(os.environ["SIGNALBOX_ACCOUNT"]), os.environ["FIRESTORE_EMULATOR_HOST"])

    return made


stub_helpers()
firestore_v1.Client.__init__ = use_rest(firestore_v1.Client.__init__)


def pytest_collection_modifyitems(config, items):
    """Keeps the tests of the database `(default)`."""
    kept = []
    for item in items:
        item.module.verify_pipeline = lambda query: None
        if getattr(item, "callspec", None) is not None and item.callspec.params.get("database") is not None:
            continue
        reason = next((reason for part, reason in LEFT_OUT.items() if part in item.name), None)
        # Ours is to pass what is left out for the emulator.
        item.own_markers = [mark for mark in item.own_markers if mark.name != "skipif"]
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))
        kept.append(item)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
