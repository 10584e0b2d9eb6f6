# SPDX-License-Identifier: Apache-2.0

"""google-cloud-firestore over REST, which the library does not choose by itself."""

from google.api_core import exceptions
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports.rest import FirestoreRestTransport
from google.oauth2 import service_account

# Without scopes the client signs tokens itself, which Google's servers take in place of access tokens.
SCOPES = ["https://www.googleapis.com/auth/datastore"]
BY_STATUS = {
    "ALREADY_EXISTS": exceptions.AlreadyExists, "FAILED_PRECONDITION": exceptions.FailedPrecondition,
    "INVALID_ARGUMENT": exceptions.InvalidArgument, "ABORTED": exceptions.Aborted, "NOT_FOUND": exceptions.NotFound,
}
plain_error = exceptions.from_http_response


def error_of(response):
    """The error of a response as it is with gRPC. Over REST the library looks at the code only, repeats no transaction, and adds the URL."""
    error = plain_error(response)
    try:
        answer = response.json()
        found = (answer[0] if isinstance(answer, list) else answer)["error"]
        status, message = found["status"], found["message"]
    except (ValueError, KeyError, IndexError, TypeError):
        return error
    return BY_STATUS[status](message, response=response) if status in BY_STATUS else error


def connect(client, account, host):
    """Sends the requests of a client over HTTP, as a service account."""
    exceptions.from_http_response = error_of
    identity = service_account.Credentials.from_service_account_info(account, scopes=SCOPES)
    client._firestore_api_internal = FirestoreClient(transport=FirestoreRestTransport(host=host, url_scheme="http", credentials=identity))
