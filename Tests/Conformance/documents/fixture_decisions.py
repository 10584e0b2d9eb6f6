# SPDX-License-Identifier: Apache-2.0

"""The recorded cases in which a daemon differs on purpose, by fixture and reason; and what is not replayed."""

ANSWERED = "ours answers it: no query needs an index of a certain shape"
ENDED = "a transaction that has ended is INVALID_ARGUMENT, as at Google's service, whose clients repeat it by the message"
EMPTY_COMMIT = "a commit without writes has a time"
KEYS = "who asks without a key is told to send one"
LAST_SLASH = "a name whose last slash has no ID behind it is refused"
METHODS = "these are no routes; ours has another form of 404, and 501 in Google's form"
READ_TIME = "`readTime` works as documented; the emulator does not take it"
UNLOCKED = "transactions are optimistic: reads take no locks, and a commit is refused if something that was read has changed"
ELSEWHERE = "the path is not served, so pages may not ask there"

DIFFERENT = {
    "rest": {
        "a mask is applied beside `showMissing`, too": ["list with mask _none_ and showMissing (Emulator UI)"],
        "the version of the API is v1": ["v1beta1 and ?key="],
        "a parameter that the method does not have is refused, as by Google": ["unknown query parameter"],
        EMPTY_COMMIT: ["empty commit", "commit without a body", "commit with a text/plain body (web SDK)"],
        KEYS: ["listCollectionIds without auth"],
        "`:partitionQuery` works as documented": ["partitionQuery"],
        METHODS: [
            "get the database root", "unknown verb", "write is not REST", "listen is not REST", "PUT is not a method", "GET with a verb",
        ],
    },
    "document_writes": {
        EMPTY_COMMIT: ["empty commit"],
        READ_TIME: ["get with read_time before creation", "read_time around a commit"],
        KEYS: ["list collection ids"],
        "an app has the database (default) only": ["named database"],
        "users may send `:batchWrite`; rules decide about each write": ["batch write statuses"],
    },
    "queries": {
        ANSWERED: [
            "order by __name__ desc", "collection group p order by __name__ desc", "__name__ > p2 order by __name__ desc",
            "__name__ in + __name__ desc", "__name__ != p2 + __name__ desc", "a > 1 order by __name__ desc", "order by __name__ desc, a",
            "a != 2 + order by __name__", "a > 1 + order by a, __name__, b", "every descendant order by __name__ desc",
            "every collection order by a", "every collection where a == 2",
        ],
        "the status is INVALID_ARGUMENT, as for other refusals of conditions": [
            "two array-contains-any", "two array-contains", "array-contains + array-contains-any",
        ],
        "vectors are kept and ordered, and not searched": ["find_nearest"],
    },
    "aggregations": {"the limit of a count must be positive, as documented": ["count up to 0"]},
    "list_documents": {
        LAST_SLASH: ["root with a slash", "a document with a slash", "root with a slash, a page of 1", "root with a slash, a mask"],
        METHODS: ["root without a slash"],
        ANSWERED: ["collection, descending"],
    },
    "limits": {
        "elements of arrays have no paths; the emulator counts the name `array`": [
            "a name in an array of 1501 bytes", "a name in an array in a map of 1501 bytes",
        ],
    },
    "transactions": {
        UNLOCKED: [
            "an outside write waits for a read lock and proceeds when the transaction commits", "an outside write gives up after the lock timeout",
            "updates, deletes and creates all wait for read locks", "two transactions that read and then write the same document",
            "a read-write transaction reads the latest version of each document", "a commit waits for every target and stays atomic",
            "BatchWrite waits for each locked write in turn", "GetDocument in a transaction locks the document",
            "ListDocuments in a transaction locks every collection with that ID", "RunQuery in a transaction locks every collection with that ID",
            "a collection-group RunQuery in a transaction locks the collection ID", "RunQuery can start a transaction",
            "BatchGetDocuments can start a transaction", "a verify checks a precondition without writing",
            "the optimistic concurrency mode still locks",
        ],
        ENDED: [
            "rollback releases the locks and ends the transaction", "a transaction is single-use",
            "a read-only transaction takes no locks and reads one snapshot",
        ],
        "a commit ends its transaction, also if a write of it is invalid": ["a failed precondition ends the transaction, an invalid write does not"],
    },
    "cors": {
        ELSEWHERE: [
            "preflight on an unknown path", "preflight on /reset", "preflight on the WebChannel path", "GET / with an origin", "404 with an origin",
            "POST /reset with an origin",
        ],
        "test suites ask there, and not pages": ["preflight on /emulator/v1", "DELETE /emulator/v1 with an origin"],
        "the request says that it does not ask for it": ["private network asked false"],
        KEYS: ["GET with another origin", "GET with origin null"],
    },
}

NOT_REPLAYED = {
    "auth": "its cases are the emulator's `owner`, and tokens that it does not check; ours checks keys and tokens",
    "export_import": "`exports.py` compares documents that `ingestd documents import` reads of the emulator's exports",
    "find_nearest": "vectors are kept and ordered, and not searched",
    "grpc_settings": "gRPC is not spoken",
    "unsupported": "methods of gRPC that hidane refuses",
    "webchannel": "WebChannel is not spoken",
    "write_stream": "streams of writes are of gRPC and WebChannel",
    "list_documents: lists without a collection": "they have no form in REST but those with a slash at the end",
    "transactions: an idle transaction expires after 60 seconds": "it takes a minute, and is about locks",
}
