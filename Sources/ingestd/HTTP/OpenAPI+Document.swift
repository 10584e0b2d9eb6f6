// SPDX-License-Identifier: Apache-2.0

// Generated from docs/openapi.yaml by ./scripts/openapi.
// swift-format-ignore-file

extension OpenAPI {
    static let text = #"""
{
"openapi":"3.1.0",
"info":{
"title":"Signalbox",
"version":"0.2.0",
"description":"Stores analytics events, crashes and devices of apps, answers queries about them, and sends messages to devices.\n\n**Keys.** `Authorization: Bearer KEY`, or HTTP Basic with the key as user name. A key belongs to one app and has one role; `x-role` of\nan operation names the roles that may: `none` (no key), `any` (any valid key), `ingest`, `read`, `send`, `accounts`, `data`, `admin`,\n`metrics`, `user` (an ID token) or `operator`. An `admin` key may do what any role may. Operations tagged *operator* are served on the socket `control.sock` in the data\nfolder only, where the owner of the folder needs no key; elsewhere they answer 404. All other operations are served there too and take\n`?app=`.\n\n**ID tokens.** A user who signed in (`/v1/auth/sign-in`) has an ID token. As a bearer it is valid wherever an `ingest` key is, except\nwith integrations, and what is sent is the user's own: events, crash reports and registrations get the user ID, and those that name\nanother user are rejected or quarantined as `user_mismatch`. The restrictions, rates and revocation of the ingest key with which the\nsession was made or last refreshed apply. An expired token is 401 `token_expired`, one of an ended session 401 `session_ended`.\n\n**Answers** are JSON in UTF-8 and carry `X-Request-Id`. Refusals are problem details (RFC 9457) with a stable `code`. A write is\nanswered with 2xx only after it is durable. After a `429` or `503` with `Retry-After`, send the same request again. While the daemon\nshuts down, every operation that needs a key answers 503; the integrations of GA4 answer 429, and those of Sentry close the connection.\n\n**Requests** may be compressed: `Content-Encoding: gzip`, `deflate` (with or without zlib's frame), `br` or `zstd`, one at a time. A\nbody has at most 5 MiB on the wire and 5 MiB decoded (settings of the daemon). Bodies of the intake routes have at most 512 nested\nobjects and arrays, more are 400 `bad_request`; a stored value has at most 32, and a deeper value is left out (`corrected`). An object\nhas at most 65,536 members and a body 1,000,000 values and names; more are 413 `too_large`, and the message names the limit. An event, a\nuser or a crash with more than 1,000 members, or with more in its `params`, `properties` or `context`, is quarantined:\n`too_many_params`, `too_many_user_properties` or `too_many_entries`. A Sentry item has at most 1,000 members and an object in it 8,192,\nmore are 413. A crash report in text has at most 100,000 lines. At most 25 corrections are listed for an event. A request is 413\n`too_large` if its decoding takes more than 10,000 steps plus 64 for each value and name, which no SDK approaches. `HEAD` is supported\nwherever `GET` is, `OPTIONS` everywhere. Routes reject unknown query parameters, so that a typing error shows.\n\n**Lists** are `{\"items\": […], \"next\"?: cursor}`; send `next` as `after` to get the next page.\n\n**Web pages** of the origins in the setting `server.cors_origins` (default: any) may use the routes that are for ingest keys, with an\ningest key. Answers, also refusals, name the origin in `Access-Control-Allow-Origin`, allow credentials and vary by `Origin`; preflights\nare answered and may be cached for a day. Beacons and event sources, which set no header fields, put the ingest key into the query as\n`key`. Requests from a page of another origin with a key of another role, or from an origin that the setting does not allow, are 403\n`cross_origin`.\n"
},
"tags":[{"name":"ingest","description":"Intake of events, users and crashes."},{"name":"queries","description":"Queries."},{"name":"crashes","description":"Crash issues and symbol files."},{"name":"messages","description":"Devices, topics, messages and deliveries."},{"name":"integrations","description":"Integrations for the SDKs of other products."},{"name":"app","description":"The app of a key, and its settings."},{"name":"accounts","description":"Sign-up, sign-in, sessions and the administration of accounts."},{"name":"documents","description":"Documents in collections: commits, queries, aggregates."},{"name":"files","description":"Files of apps: upload, download, listing, links."},{"name":"functions","description":"Functions: definitions, tasks, runs and logs."},{"name":"operator","description":"For the operator, on the control socket only."},{"name":"running","description":"For probes, scrapers and tools."}],
"x-any-request":{
"400":{
"$ref":"#/components/responses/BadRequest"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/TooLarge"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/TooMany"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/InternalError"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
}
},
"x-with-key":{
"400":{
"$ref":"#/components/responses/BadRequest"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/TooLarge"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/TooMany"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/InternalError"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/Unauthorized"
},
"403":{
"$ref":"#/components/responses/Forbidden"
},
"503":{
"$ref":"#/components/responses/Unavailable"
}
},
"x-with-sentry-key":{
"400":{
"$ref":"#/components/responses/SentryRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/SentryRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/SentryTooMany"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/InternalError"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"403":{
"$ref":"#/components/responses/SentryRefusal"
}
},
"x-with-segment":{
"400":{
"$ref":"#/components/responses/SegmentRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/SegmentRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/SegmentRefusal"
},
"429":{
"$ref":"#/components/responses/SegmentRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/SegmentRefusal"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/SegmentRefusal"
},
"403":{
"$ref":"#/components/responses/SegmentRefusal"
},
"503":{
"$ref":"#/components/responses/SegmentRefusal"
},
"422":{
"$ref":"#/components/responses/SegmentRefusal"
}
},
"x-with-posthog":{
"400":{
"$ref":"#/components/responses/PostHogRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/PostHogRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/PostHogRefusal"
},
"429":{
"$ref":"#/components/responses/PostHogRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/PostHogRefusal"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/PostHogRefusal"
},
"403":{
"$ref":"#/components/responses/PostHogRefusal"
},
"503":{
"$ref":"#/components/responses/PostHogRefusal"
},
"422":{
"$ref":"#/components/responses/PostHogRefusal"
}
},
"x-with-sentry-program":{
"400":{
"$ref":"#/components/responses/SentryRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/SentryRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/SentryRefusal"
},
"429":{
"$ref":"#/components/responses/SentryTooMany"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/SentryRefusal"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/SentryRefusal"
},
"403":{
"$ref":"#/components/responses/SentryRefusal"
},
"422":{
"$ref":"#/components/responses/SentryRefusal"
},
"503":{
"$ref":"#/components/responses/SentryUnavailable"
}
},
"x-query-errors":{
"400":{
"$ref":"#/components/responses/BadRequest"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/TooLarge"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/TooMany"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/InternalError"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/Unauthorized"
},
"403":{
"$ref":"#/components/responses/Forbidden"
},
"503":{
"$ref":"#/components/responses/Unavailable"
},
"422":{
"$ref":"#/components/responses/Invalid"
}
},
"x-google":{
"400":{
"$ref":"#/components/responses/GoogleRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/TooLarge"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/GoogleRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/GoogleRefusal"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/GoogleRefusal"
},
"403":{
"$ref":"#/components/responses/GoogleRefusal"
},
"503":{
"$ref":"#/components/responses/GoogleRefusal"
},
"404":{
"$ref":"#/components/responses/GoogleRefusal"
},
"409":{
"$ref":"#/components/responses/GoogleRefusal"
}
},
"x-callable":{
"400":{
"$ref":"#/components/responses/CallFailed"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/CallFailed"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/CallFailed"
},
"429":{
"$ref":"#/components/responses/CallFailed"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/CallFailed"
},
"501":{
"$ref":"#/components/responses/CallFailed"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/CallFailed"
},
"403":{
"$ref":"#/components/responses/CallFailed"
},
"503":{
"$ref":"#/components/responses/CallFailed"
},
"404":{
"$ref":"#/components/responses/CallFailed"
},
"409":{
"$ref":"#/components/responses/CallFailed"
},
"499":{
"$ref":"#/components/responses/CallFailed"
},
"504":{
"$ref":"#/components/responses/CallFailed"
}
},
"x-firestore":{
"400":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"429":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"501":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"403":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"503":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"404":{
"$ref":"#/components/responses/FirestoreRefusal"
},
"409":{
"$ref":"#/components/responses/FirestoreRefusal"
}
},
"x-firebase-storage":{
"400":{
"$ref":"#/components/responses/StorageRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/StorageRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/StorageRefusal"
},
"429":{
"$ref":"#/components/responses/StorageRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/StorageRefusal"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/StorageRefusal"
},
"403":{
"$ref":"#/components/responses/StorageRefusal"
},
"503":{
"$ref":"#/components/responses/StorageRefusal"
},
"402":{
"$ref":"#/components/responses/StorageRefusal"
},
"404":{
"$ref":"#/components/responses/StorageRefusal"
},
"409":{
"$ref":"#/components/responses/StorageRefusal"
},
"412":{
"$ref":"#/components/responses/StorageRefusal"
}
},
"x-google-storage":{
"400":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"429":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"403":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"503":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"404":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"409":{
"$ref":"#/components/responses/GoogleStorageRefusal"
},
"412":{
"$ref":"#/components/responses/GoogleStorageRefusal"
}
},
"x-firestore-stream":{
"400":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"429":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"501":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"403":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"503":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"404":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
},
"409":{
"$ref":"#/components/responses/FirestoreStreamRefusal"
}
},
"x-identity":{
"400":{
"$ref":"#/components/responses/IdentityRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/IdentityRefusal"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/IdentityRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/IdentityRefusal"
},
"501":{
"$ref":"#/components/responses/IdentityRefusal"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/IdentityRefusal"
},
"403":{
"$ref":"#/components/responses/IdentityRefusal"
},
"503":{
"$ref":"#/components/responses/IdentityRefusal"
},
"404":{
"$ref":"#/components/responses/IdentityRefusal"
}
},
"x-instance-id":{
"400":{
"$ref":"#/components/responses/InstanceIDRefusal"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/TooLarge"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/InstanceIDRefusal"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/InstanceIDRefusal"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/InstanceIDRefusal"
},
"403":{
"$ref":"#/components/responses/InstanceIDRefusal"
},
"503":{
"$ref":"#/components/responses/InstanceIDRefusal"
},
"404":{
"$ref":"#/components/responses/InstanceIDRefusal"
}
},
"x-with-session":{
"400":{
"$ref":"#/components/responses/BadRequest"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/TooLarge"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/TooManyAttempts"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/InternalError"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"401":{
"$ref":"#/components/responses/NotSignedIn"
},
"403":{
"$ref":"#/components/responses/SignInForbidden"
},
"503":{
"$ref":"#/components/responses/Unavailable"
}
},
"x-by-operator":{
"400":{
"$ref":"#/components/responses/BadRequest"
},
"408":{
"$ref":"#/components/responses/SlowClient"
},
"413":{
"$ref":"#/components/responses/TooLarge"
},
"414":{
"$ref":"#/components/responses/URITooLong"
},
"415":{
"$ref":"#/components/responses/UnsupportedMediaType"
},
"429":{
"$ref":"#/components/responses/TooMany"
},
"431":{
"$ref":"#/components/responses/HeadersTooLarge"
},
"500":{
"$ref":"#/components/responses/InternalError"
},
"501":{
"$ref":"#/components/responses/NotImplemented"
},
"505":{
"$ref":"#/components/responses/VersionNotSupported"
},
"404":{
"$ref":"#/components/responses/NotFound"
},
"503":{
"$ref":"#/components/responses/Unavailable"
}
},
"security":[{"bearer":[]},{"basic":[]}],
"x-for-pages":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"paths":{
"/healthz":{
"get":{
"operationId":"alive",
"summary":"Reports that the process is alive.",
"tags":["running"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The process is alive.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"const":"alive"}}}}}}}
}
},
"/readyz":{
"get":{
"operationId":"ready",
"summary":"Reports whether the daemon accepts data.",
"tags":["running"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The daemon is ready.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status","reasons"],"additionalProperties":false,"properties":{"status":{"const":"ready"},"reasons":{"type":"array","maxItems":0}}}}}},"503":{"description":"A condition needs attention. Requests are rejected only while the disk is full or the daemon shuts down.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status","reasons"],"additionalProperties":false,"properties":{"status":{"const":"not ready"},"reasons":{"type":"array","minItems":1,"items":{"type":"string"}}}},"example":{"status":"not ready","reasons":["the disk is full"]}}}}}
}
},
"/metrics":{
"get":{
"operationId":"metrics",
"summary":"Metrics in the Prometheus text format.",
"description":"Open to loopback clients whose connection no proxy forwards, with a `Host` that is `localhost`, a loopback address or listed in the\nsetting `server.hosts`. Other clients send the token of the setting `metrics.token` as the bearer; then any `Host` is accepted.\n",
"tags":["running"],
"x-role":"metrics",
"security":[{},{"bearer":[]},{"basic":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The text format of Prometheus.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/plain":{"schema":{"type":"string"}}}},"401":{"$ref":"#/components/responses/Unauthorized"},"421":{"$ref":"#/components/responses/Misdirected"},"503":{"$ref":"#/components/responses/Unavailable"}}
}
},
"/v1/openapi.json":{
"get":{
"operationId":"describe",
"summary":"Returns this description.",
"tags":["running"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"An OpenAPI document.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["openapi","info","paths"],"properties":{"openapi":{"type":"string","pattern":"^3\\.1\\."}}}}}}}
}
},
"/v1/events":{
"post":{
"operationId":"sendEvents",
"summary":"Stores events.",
"description":"An event that breaks a rule is *quarantined* with its reason and its bytes. An event with a bad parameter is stored without it and\nreported as *corrected*. A repeated event is a *duplicate*. None of them fails the request. A request is rejected as a whole, and\nnothing of it stored, if it is not JSON, if a field around the events is wrong, or if a limit of size or rate is exceeded.\n\n**Once.** An event ID counts once per app, across requests, days and restarts, for at least 7 days of receipt. UUIDs compare by\nvalue and are returned in lower case. An empty ID is no ID; the daemon gives an event without one a new ID.\n\n**Order numbers.** The `transaction_id` of `purchase` and `in_app_purchase` counts once per app and person (user ID, else\ninstallation) for as long as raw events are kept. Purchases and refunds sent with a `send` or `admin` key are *trusted* (flag\n`trusted`): a trusted purchase counts once per app and *withdraws* the clients' purchases of its ID, earlier ones from all figures\nof events and money (they keep the flag `withdrawn` in exports), later ones as `transaction_duplicate`. A `send` key may report only\n`purchase`, `in_app_purchase` and `refund`; other events are quarantined as `forbidden_event`. Refunds are deduplicated by event ID\nonly.\n\n**Time.** If `sent_at` shows that the sender's clock is more than 150 seconds off, the excess is subtracted from the event times. A\ntime more than 23 hours ahead becomes the time of receipt (flag `clock`); one older than the app keeps data is quarantined as\n`too_old`; one later than the app's `lateness_hours` is stored with the flag `late`.\n",
"tags":["ingest"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"$ref":"#/components/parameters/sent-at"},{"$ref":"#/components/parameters/installation-id"},{"$ref":"#/components/parameters/user-id"},{"$ref":"#/components/parameters/session-id"},{"$ref":"#/components/parameters/platform"},{"$ref":"#/components/parameters/app-version"},{"$ref":"#/components/parameters/build"},{"$ref":"#/components/parameters/os-version"},{"$ref":"#/components/parameters/device-model"},{"$ref":"#/components/parameters/locale"},{"$ref":"#/components/parameters/country"},{"$ref":"#/components/parameters/environment"}],
"requestBody":{"required":true,"description":"At most 2,000 events. `application/ndjson` and `application/jsonl` are accepted like `application/x-ndjson`. A missing type,\n`text/plain` and `application/x-www-form-urlencoded` count as JSON, because a browser's beacon can declare no other type.\n","content":{"application/json":{"schema":{"$ref":"#/components/schemas/EventsBody"},"examples":{"envelope":{"value":{"sent_at":"2026-11-21T08:00:02Z","installation_id":"my-phone","context":{"platform":"ios","app_version":"2.1.0"},"events":[{"id":"0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d","name":"screen_view","timestamp":"2026-11-21T08:00:00Z","params":{"screen_name":"Home"}}]}},"array":{"value":[{"name":"level_up","installation_id":"my-phone","params":{"level":3}}]}}},"application/x-ndjson":{"x-item-schema":{"$ref":"#/components/schemas/Event"},"schema":{"type":"string","description":"One event a line. A line that is not JSON is quarantined as `invalid_json`."},"example":"{\"name\": \"level_up\", \"installation_id\": \"my-phone\"}\n{\"name\": \"level_up\", \"installation_id\": \"your-phone\"}\n"}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"}}
}
},
"/v1/debug/events":{
"post":{
"operationId":"checkEvents",
"summary":"Validates events and stores nothing.",
"description":"Like `POST /v1/events` on an empty app: only duplicates within the request are found. The key's rate limit is not charged.",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"$ref":"#/components/parameters/sent-at"},{"$ref":"#/components/parameters/installation-id"},{"$ref":"#/components/parameters/user-id"},{"$ref":"#/components/parameters/session-id"},{"$ref":"#/components/parameters/platform"},{"$ref":"#/components/parameters/app-version"},{"$ref":"#/components/parameters/build"},{"$ref":"#/components/parameters/os-version"},{"$ref":"#/components/parameters/device-model"},{"$ref":"#/components/parameters/locale"},{"$ref":"#/components/parameters/country"},{"$ref":"#/components/parameters/environment"}],
"requestBody":{"required":true,"description":"At most 2,000 events. `application/ndjson` and `application/jsonl` are accepted like `application/x-ndjson`. A missing type,\n`text/plain` and `application/x-www-form-urlencoded` count as JSON, because a browser's beacon can declare no other type.\n","content":{"application/json":{"schema":{"$ref":"#/components/schemas/EventsBody"},"examples":{"envelope":{"value":{"sent_at":"2026-11-21T08:00:02Z","installation_id":"my-phone","context":{"platform":"ios","app_version":"2.1.0"},"events":[{"id":"0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d","name":"screen_view","timestamp":"2026-11-21T08:00:00Z","params":{"screen_name":"Home"}}]}},"array":{"value":[{"name":"level_up","installation_id":"my-phone","params":{"level":3}}]}}},"application/x-ndjson":{"x-item-schema":{"$ref":"#/components/schemas/Event"},"schema":{"type":"string","description":"One event a line. A line that is not JSON is quarantined as `invalid_json`."},"example":"{\"name\": \"level_up\", \"installation_id\": \"my-phone\"}\n{\"name\": \"level_up\", \"installation_id\": \"your-phone\"}\n"}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"}}
}
},
"/v1/users":{
"get":{
"operationId":"listPersons",
"summary":"Lists users: those seen last first, or those whose ID begins with a text, by ID.",
"description":"`first_seen` and `last_seen` are starts of quarter-hours. Anonymised users are not listed; erased ones are gone. With `filter` a\npage compares at most 5,000 users and may have fewer items than `limit`; go on while there is `next`. A user who is seen again\nwhile you read pages moves to the front. Users whose data came before version 0.2.0 count as last seen when they were first seen,\nuntil they are seen again.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"by","in":"query","description":"With `installation`, installations that were seen without a user.","schema":{"enum":["user","installation"],"default":"user"}},{"name":"search","in":"query","description":"The beginning of the ID, compared byte by byte. The list is then ordered by ID.","schema":{"type":"string","minLength":1,"maxLength":1000}},{"name":"installation","in":"query","description":"The exact ID of an installation: the users it was seen with, or the installation itself if there are none. Only `limit` may be\ngiven with it.\n","schema":{"type":"string","minLength":1,"maxLength":1000}},{"name":"filter","in":"query","description":"A condition on a user property, such as `user.tier=free`; if repeated, all must match.","schema":{"type":"array","maxItems":20,"items":{"allOf":[{"$ref":"#/components/schemas/Filter"},{"pattern":"^user\\."}],"examples":["user.tier=free"]}}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of users.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/PersonPage"}],"unevaluatedProperties":false}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"setUserProperties",
"summary":"Sets user properties and pairs installations with users.",
"description":"The value with the newest `timestamp` wins, independent of the order of arrival; null removes a property. Properties belong to the\nuser if the entry names one, else to the installation. Invalid entries are quarantined and bad properties left out, as with events.\n",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/UsersBody"},"example":{"users":[{"user_id":"alice","installation_id":"my-phone","alias":true,"properties":{"tier":"gold","trial":null}}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"}}
}
},
"/v1/users/{id}":{
"get":{
"operationId":"showPerson",
"summary":"Returns a user's profile and a page of events, crashes and messages, the newest first.",
"description":"A user's events and crashes are those with the user ID, and those without a user ID of the installations that were seen with\nthe user. An installation's events and crashes are all with its ID. Messages of a user are those to devices that name the\nuser, and to devices without a user on installations that were seen with the user; messages of an installation are those to\nits devices. Beyond 1,000 devices, only the most recently registered ones count.\n\nItems are ordered by time of receipt, messages by send time. A crash refers to its `issue`, a message to its `message`.\n`last_seen` is the time of the newest event. `first_seen`, and both times of the IDs that the person was seen with, are starts of\nquarter-hours. `first_seen` remains after data retention has deleted the events.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","pattern":"^[0-9]+[.][0-9]+[.][0-9]+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The user or installation.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/PersonPage"}],"type":"object","required":["items"],"unevaluatedProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"anyOf":[{"$ref":"#/components/schemas/StoredEvent"},{"$ref":"#/components/schemas/Crash"},{"$ref":"#/components/schemas/PersonMessage"}]}},"next":{"type":"string","pattern":"^[0-9]+[.][0-9]+[.][0-9]+$","description":"The cursor of the next page, to be sent as `after`."}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"erasePerson",
"summary":"Erases a user and corrects every affected figure.",
"description":"By user ID: deletes all events with the ID, and all events of installations that never named another user, since their\nevents before the login belong to the same person. An installation shared with other users remains, with their events and\nthose without a user. By installation: deletes all of its events, of any user; the users remain.\n\nDeleted are events, purchases and refunds, crashes, quarantined events, properties, links and every ID; deleted data is\noverwritten in the files. Hashed keys that dedupe event and transaction IDs remain, as do counts of days past data\nretention, and older backups. Ingest continues: events of the person that are accepted after the erasure began may remain,\nunless `block` is set. An interrupted erasure leaves the stored data consistent; send the request again to complete it.\n",
"tags":["queries"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"},{"$ref":"#/components/parameters/dry-run"},{"name":"block","in":"query","description":"Also blocks later data of the user: its events are reported as quarantined with the code `blocked`, counted and not stored. Only\na hash of the ID is stored.\n","schema":{"type":"boolean","default":false}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The numbers of removed rows, or with `dry_run` of those that would be removed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Removal"}],"type":"object","required":["blocked"],"unevaluatedProperties":false,"properties":{"blocked":{"type":"boolean"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/users/{id}/export":{
"get":{
"operationId":"exportPerson",
"summary":"Exports all data of a user as one JSON document, streamed.",
"description":"Includes users with quarantined data only. A response without its last chunk was cut off.\n",
"tags":["queries"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The person with all their events and quarantined events, newest first; the devices registered for messages to them,\nwithout secrets; the messages to them with all delivery attempts; and their crashes with the stored reports and files.\nQuarantined events are those that erasure would delete; for a user they include those of installations that never\nnamed another user.\n","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/PersonPage"}],"type":"object","required":["app","events","quarantined","registrations","deliveries","crashes","attachments","minidumps","runs","function_logs"],"unevaluatedProperties":false,"properties":{"app":{"type":"integer","minimum":1},"events":{"type":"array","items":{"$ref":"#/components/schemas/StoredEvent"}},"quarantined":{"type":"array","items":{"$ref":"#/components/schemas/QuarantinedEvent"}},"registrations":{"type":"array","items":{"$ref":"#/components/schemas/Device"}},"deliveries":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/PersonMessageFields"}],"type":"object","required":["tries","attempts"],"unevaluatedProperties":false,"properties":{"data":{"type":"object","additionalProperties":{"type":"string"}},"tries":{"type":"integer","minimum":0,"description":"The number of attempts since it was created or redriven."},"attempts":{"$ref":"#/components/schemas/Attempts","description":"The last ten attempts, with 200 bytes of each response."}}}},"crashes":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/CrashFields"}],"type":"object","unevaluatedProperties":false,"properties":{"report":{"$ref":"#/components/schemas/CrashReport"}}}},"attachments":{"type":"array","description":"The stored files of these crashes, newest first.","items":{"type":"object","required":["id","crash","type","size","content"],"additionalProperties":false,"properties":{"id":{"type":"string"},"crash":{"type":"string","description":"The ID of its crash."},"name":{"type":"string"},"type":{"type":"string"},"content_type":{"type":"string"},"size":{"type":"integer","minimum":0},"content":{"type":"string","contentEncoding":"base64"}}}},"minidumps":{"type":"array","description":"The stored minidumps of these crashes, newest first.","items":{"type":"object","required":["crash","content"],"additionalProperties":false,"properties":{"crash":{"type":"string","description":"The ID of its crash."},"content":{"type":"string","contentEncoding":"base64"}}}},"accounts":{"type":"array","maxItems":1,"description":"The user's account; missing for an installation.","items":{"$ref":"#/components/schemas/Account"}},"account_mails":{"type":"array","description":"The last mails to the account, newest first; missing for an installation.","items":{"$ref":"#/components/schemas/AccountMail"}},"documents":{"type":"array","description":"Documents that belong to the user; missing for an installation.","items":{"$ref":"#/components/schemas/ExportedDocument"}},"files":{"type":"array","description":"Files of the user without their bytes; missing for an installation.","items":{"$ref":"#/components/schemas/File"}},"runs":{"type":"array","description":"Runs of functions that are about the user, and behind them those of others about documents and files at paths of the user, with their data.","items":{"$ref":"#/components/schemas/Run"}},"function_logs":{"type":"array","description":"Lines of functions' logs.","items":{"$ref":"#/components/schemas/LogLine"}},"account_events":{"type":"array","description":"What happened to the account, newest first; missing for an installation.","items":{"$ref":"#/components/schemas/AccountEvent"}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/users/{id}/anonymise":{
"post":{
"operationId":"anonymisePerson",
"summary":"Anonymises a user; no count changes.",
"description":"The user, the installations that never named another user, and their sessions get new keys that cannot be traced back. Their\nIDs, properties and links are deleted, as are quarantined events and the event parameters in the app's setting\n`private_params`. Crash reports lose IDs, local variables, logs, custom keys and the content of breadcrumbs. An installation shared with\nother users keeps its ID.\n\nThe person still counts as one person; later data with the old ID counts as a new person.\n",
"tags":["queries"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"},{"$ref":"#/components/parameters/dry-run"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The numbers of anonymised rows, or with `dry_run` of those that would be; quarantined events, properties and links are deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Removal"}],"type":"object","unevaluatedProperties":false}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/users/{id}/block":{
"delete":{
"operationId":"unblockPerson",
"summary":"Unblocks a user that was erased with `block`.",
"description":"The installations that were blocked with a user are unblocked too.",
"tags":["queries"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Data of the user is accepted again.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/crashes":{
"post":{
"operationId":"sendCrashes",
"summary":"Stores crashes, errors and hangs.",
"description":"A report counts once per app by its ID, across requests and restarts, as long as the app keeps data. It is *fatal* if an\nexception was not handled or its level is fatal, *anr* if the app did not respond, else *nonfatal*; `kind` overrides this.\nIt is grouped at once by the names it contains; if symbols are missing, it is shown unsymbolicated and symbolicated later.\nParts beyond a limit are cut: the report's result is `corrected`, and `cuts` lists the parts. If a report is still too\nlarge, threads that did not crash, breadcrumbs and images are dropped, in this order. A report without a type or a valid\ntime is quarantined.\n\nTimes are corrected by `sent_at`, as for events. A crash keeps its own time, however late it arrives, as long as the app\nkeeps data.\n",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"description":"At most 100 reports, and 5 MiB decoded. At most 1 MiB of a report is stored.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashesBody"},"example":{"sent_at":"2026-11-21T08:00:02Z","installation_id":"my-phone","release":"shop@2.1.0+57","context":{"platform":"ios","app_version":"2.1.0","os_version":"18.1","device_model":"iPhone17,1"},"crashes":[{"id":"0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d","timestamp":"2026-11-21T08:00:00Z","type":"EXC_BAD_ACCESS","handled":false,"frames":[{"function":"main","module":"shop","in_app":true},{"function":"Cart.checkout()","module":"shop","in_app":true,"filename":"Cart.swift","lineno":41}]}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The result of each report, in the order of the request.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashOutcome"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/crashes/report":{
"post":{
"operationId":"sendAppleReport",
"summary":"Stores an Apple crash report: `.ips` or text `.crash`.",
"description":"The incident ID is the crash ID. The user comes from the query, since the report does not contain it.",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"$ref":"#/components/parameters/installation-id"},{"$ref":"#/components/parameters/user-id"},{"$ref":"#/components/parameters/session-id"}],
"requestBody":{"required":true,"content":{"text/plain":{"schema":{"type":"string","maxLength":5242880}},"application/json":{"schema":{"type":"string","description":"An `.ips` file: two JSON documents, one after the other."}},"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The result.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashOutcome"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/mp/collect":{
"post":{
"operationId":"collectMeasurements",
"summary":"Stores events and user properties of the Google Analytics Measurement Protocol for app streams.",
"description":"`api_secret` is an ingest key. If `validation_behavior` (or `validationBehavior`) is `ENFORCE_RECOMMENDATIONS`, events that\ndo not follow Google's recommendations, or happened more than 72 hours ago, are quarantined; otherwise they are accepted.\n429 replaces 503.\n",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"api_secret","in":"query","description":"The key; it may also be sent as on other routes.","schema":{"type":"string","maxLength":64}},{"name":"firebase_app_id","in":"query","description":"The app stream, such as 1:1234:ios:abcd.","schema":{"type":"string"}},{"name":"measurement_id","in":"query","description":"The web stream.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Measurement"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/debug/mp/collect":{
"post":{
"operationId":"validateMeasurements",
"summary":"Validates a Measurement Protocol request like Google's validation server and stores nothing.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"api_secret","in":"query","description":"The key; it may also be sent as on other routes.","schema":{"type":"string","maxLength":64}},{"name":"firebase_app_id","in":"query","description":"The app stream, such as 1:1234:ios:abcd.","schema":{"type":"string"}},{"name":"measurement_id","in":"query","description":"The web stream.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Measurement"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/MeasurementMessages"},"403":{"$ref":"#/components/responses/MeasurementMessages"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/MeasurementMessages"}}
}
},
"/v1/batch":{
"post":{
"operationId":"segmentBatch",
"summary":"Stores a batch of Segment calls.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/b":{
"post":{
"operationId":"segmentBatchOfApps",
"summary":"Stores a batch of Segment calls.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/import":{
"post":{
"operationId":"segmentImport",
"summary":"Stores a batch of Segment calls.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/track":{
"post":{
"operationId":"segmentTrack",
"summary":"Stores a Segment `track` call.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/t":{
"post":{
"operationId":"segmentTrackShort",
"summary":"The short path of /v1/track, used by web pages.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/identify":{
"post":{
"operationId":"segmentIdentify",
"summary":"Stores a Segment `identify` call.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/i":{
"post":{
"operationId":"segmentIdentifyShort",
"summary":"The short path of /v1/identify, used by web pages.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/page":{
"post":{
"operationId":"segmentPage",
"summary":"Stores a Segment `page` call.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/p":{
"post":{
"operationId":"segmentPageShort",
"summary":"The short path of /v1/page, used by web pages.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/screen":{
"post":{
"operationId":"segmentScreen",
"summary":"Stores a Segment `screen` call.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/s":{
"post":{
"operationId":"segmentScreenShort",
"summary":"The short path of /v1/screen, used by web pages.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/group":{
"post":{
"operationId":"segmentGroup",
"summary":"Stores a Segment `group` call.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/g":{
"post":{
"operationId":"segmentGroupShort",
"summary":"The short path of /v1/group, used by web pages.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/alias":{
"post":{
"operationId":"segmentAlias",
"summary":"Stores a Segment `alias` call.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/a":{
"post":{
"operationId":"segmentAliasShort",
"summary":"The short path of /v1/alias, used by web pages.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/batch":{
"post":{
"operationId":"postHogBatch",
"summary":"Stores events of PostHog SDKs.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/batch/":{
"post":{
"operationId":"postHogBatchSlash",
"summary":"The same as `/batch`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/capture":{
"get":{
"operationId":"postHogGetCapture",
"summary":"Stores an event that a PostHog page sends in the query.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, plain or as Base64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogCapture",
"summary":"Stores events of PostHog SDKs.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/capture/":{
"get":{
"operationId":"postHogGetCaptureSlash",
"summary":"Stores an event that a PostHog page sends in the query.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, plain or as Base64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogCaptureSlash",
"summary":"The same as `/capture/`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/e":{
"get":{
"operationId":"postHogGetE",
"summary":"Stores an event that a PostHog page sends in the query.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, plain or as Base64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogE",
"summary":"Stores events of PostHog SDKs.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/e/":{
"get":{
"operationId":"postHogGetESlash",
"summary":"Stores an event that a PostHog page sends in the query.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, plain or as Base64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogESlash",
"summary":"The same as `/e/`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/i/v0/e":{
"get":{
"operationId":"postHogGetIV0E",
"summary":"Stores an event that a PostHog page sends in the query.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, plain or as Base64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogIV0E",
"summary":"Stores events of PostHog SDKs.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/i/v0/e/":{
"get":{
"operationId":"postHogGetIV0ESlash",
"summary":"Stores an event that a PostHog page sends in the query.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, plain or as Base64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogIV0ESlash",
"summary":"The same as `/i/v0/e/`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/track":{
"post":{
"operationId":"postHogTrack",
"summary":"Stores events of PostHog SDKs.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/track/":{
"post":{
"operationId":"postHogTrackSlash",
"summary":"The same as `/track`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/engage":{
"post":{
"operationId":"postHogEngage",
"summary":"Stores events of PostHog SDKs.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/engage/":{
"post":{
"operationId":"postHogEngageSlash",
"summary":"The same as `/engage`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/i/v1/analytics/events":{
"post":{
"operationId":"postHogCaptureWithResults",
"summary":"Stores events of PostHog SDKs and returns the result of each.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogResults"}}
}
},
"/flags":{
"post":{
"operationId":"postHogFlags",
"summary":"Returns an empty set of feature flags.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/flags/":{
"post":{
"operationId":"postHogFlagsSlash",
"summary":"The same as `/flags`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/decide":{
"post":{
"operationId":"postHogDecide",
"summary":"Returns an empty set of feature flags.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/decide/":{
"post":{
"operationId":"postHogDecideSlash",
"summary":"The same as `/decide`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/array/{token}/config":{
"get":{
"operationId":"postHogConfig",
"summary":"Returns a configuration with all features off; the key is in the path.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"path","required":true,"description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogConfiguration"}}
}
},
"/array/{token}/config.js":{
"get":{
"operationId":"postHogConfigScript",
"summary":"Returns the same configuration as a script, for web pages.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"path","required":true,"description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"A script that sets the SDK's configuration.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/javascript":{"schema":{"type":"string"}}}}}
}
},
"/api/surveys":{
"get":{
"operationId":"postHogSurveys",
"summary":"Returns an empty list of surveys.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["surveys"],"additionalProperties":false,"properties":{"surveys":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/surveys/":{
"get":{
"operationId":"postHogSurveysSlash",
"summary":"The same as `/api/surveys`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["surveys"],"additionalProperties":false,"properties":{"surveys":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/early_access_features":{
"get":{
"operationId":"postHogEarlyAccess",
"summary":"Returns an empty list of early access features.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["earlyAccessFeatures"],"additionalProperties":false,"properties":{"earlyAccessFeatures":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/early_access_features/":{
"get":{
"operationId":"postHogEarlyAccessSlash",
"summary":"The same as `/api/early_access_features`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["earlyAccessFeatures"],"additionalProperties":false,"properties":{"earlyAccessFeatures":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/web_experiments":{
"get":{
"operationId":"postHogExperiments",
"summary":"Returns an empty list of experiments.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["experiments"],"additionalProperties":false,"properties":{"experiments":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/web_experiments/":{
"get":{
"operationId":"postHogExperimentsSlash",
"summary":"The same as `/api/web_experiments`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["experiments"],"additionalProperties":false,"properties":{"experiments":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/product_tours":{
"get":{
"operationId":"postHogTours",
"summary":"Returns an empty list of product tours.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["product_tours"],"additionalProperties":false,"properties":{"product_tours":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/product_tours/":{
"get":{
"operationId":"postHogToursSlash",
"summary":"The same as `/api/product_tours`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"An empty list.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["product_tours"],"additionalProperties":false,"properties":{"product_tours":{"type":"array","maxItems":0}}}}}}}
}
},
"/s":{
"post":{
"operationId":"postHogRecording",
"summary":"Rejects a session recording; the SDK pauses recording instead of sending again.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"The recording is not stored.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status","quota_limited"],"additionalProperties":false,"properties":{"status":{"const":1},"quota_limited":{"type":"array","items":{"const":"recordings"}}}}}}}}
}
},
"/s/":{
"post":{
"operationId":"postHogRecordingSlash",
"summary":"The same as `/s`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"The recording is not stored.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status","quota_limited"],"additionalProperties":false,"properties":{"status":{"const":1},"quota_limited":{"type":"array","items":{"const":"recordings"}}}}}}}}
}
},
"/sourceConfig":{
"get":{
"operationId":"rudderStackSource",
"summary":"Returns the configuration that RudderStack's SDKs request first: a source without destinations.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"writeKey","in":"query","description":"The key, if it is not the user name of HTTP Basic.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"description":"The source.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["source"],"additionalProperties":false,"properties":{"source":{"type":"object","required":["enabled","config","destinations"],"additionalProperties":false,"properties":{"id":{"type":"string","description":"The ID of the app."},"name":{"type":"string","description":"The name of the app."},"enabled":{"const":true},"config":{"type":"object","description":"Turns off reports to RudderStack about the SDK itself."},"destinations":{"type":"array","maxItems":0}}}}}}}}}
}
},
"/sourceConfig/":{
"get":{
"operationId":"rudderStackSourceSlash",
"summary":"The same as `/sourceConfig`.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"writeKey","in":"query","description":"The key, if it is not the user name of HTTP Basic.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"description":"The source.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["source"],"additionalProperties":false,"properties":{"source":{"type":"object","required":["enabled","config","destinations"],"additionalProperties":false,"properties":{"id":{"type":"string","description":"The ID of the app."},"name":{"type":"string","description":"The name of the app."},"enabled":{"const":true},"config":{"type":"object","description":"Turns off reports to RudderStack about the SDK itself."},"destinations":{"type":"array","maxItems":0}}}}}}}}}
}
},
"/beacon/v1/batch":{
"post":{
"operationId":"rudderStackBeacon",
"summary":"Stores a batch of calls that RudderStack's SDK sends as a beacon, with the key in the query.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"writeKey","in":"query","description":"The key, if it is not the user name of HTTP Basic.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/projects/{token}/settings":{
"get":{
"operationId":"segmentSettings",
"summary":"Returns SDK settings that name this daemon; the key is in the path.",
"tags":["integrations"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"path","required":true,"description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"description":"Settings with this daemon as the only destination.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["integrations"],"properties":{"integrations":{"type":"object","required":["Segment.io"],"properties":{"Segment.io":{"type":"object","required":["apiKey"],"additionalProperties":false,"properties":{"apiKey":{"type":"string"},"apiHost":{"type":"string"},"protocol":{"const":"http","description":"Missing for HTTPS, which SDKs use by default."}}}}}}}}}}}
}
},
"/v1/projects/{app}/messages:send":{
"post":{
"operationId":"fcmSend",
"summary":"Sends a message in the format of FCM's HTTP v1 API.",
"description":"Names may be in snake or camel case. Platform fields (`android`, `apns`, `webpush`, `fcm_options`) are passed to receivers\nas `platform`, at most 12,288 bytes; time to live, priority, collapse key and label are read from them. A token that is not\nregistered is 404.\n",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSend"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The message is durable, or with `validate_only` valid.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string","pattern":"^projects/.+/messages/.+$"}}}}}}}
}
},
"/v1/projects/{app}/registrations/{token}/topicSubscriptions":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"$ref":"#/components/parameters/token"}],
"post":{
"operationId":"fcmSubscribe",
"summary":"Subscribes a registration to a topic; 409 if it is subscribed.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"name":"topic_name","in":"query","required":true,"description":"Also `topicName`.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The subscription.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSubscription"}}}}}
},
"get":{
"operationId":"fcmSubscriptions",
"summary":"Lists the topics of a registration, by name.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"name":"page_size","in":"query","description":"Also `pageSize`; 0 is 1,000, and more than 2,000 is 2,000.","schema":{"type":"integer","minimum":0,"maximum":2147483647}},{"name":"page_token","in":"query","description":"Also `pageToken`.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"A page of subscriptions.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["topic_subscriptions"],"additionalProperties":false,"properties":{"topic_subscriptions":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseSubscription"}},"next_page_token":{"type":"string"}}}}}}}
}
},
"/v1/projects/{app}/registrations/{token}/topicSubscriptions/{topic}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"$ref":"#/components/parameters/token"},{"name":"topic","in":"path","required":true,"description":"The topic; for POST followed by `:subscribe` or `:unsubscribe`.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"fcmSubscription",
"summary":"Returns a subscription with its creation time.",
"tags":["integrations"],
"x-role":"send",
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The subscription.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSubscription"}}}}}
},
"patch":{
"operationId":"fcmUpdateSubscription",
"summary":"Returns a subscription; with `allow_missing` it is created first.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"name":"allow_missing","in":"query","description":"Also `allowMissing`; with `true` a missing subscription is not an error.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The subscription.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSubscription"}}}}}
},
"delete":{
"operationId":"fcmUnsubscribe",
"summary":"Unsubscribes a registration from a topic.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"name":"allow_missing","in":"query","description":"Also `allowMissing`; with `true` a missing subscription is not an error.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
},
"post":{
"operationId":"fcmChangeOwnTopic",
"summary":"Subscribes or unsubscribes the own device of an SDK. The key may be in `X-Goog-Api-Key`.",
"tags":["integrations"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/bundle-id"}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/iid/v1:batchAdd":{
"post":{
"operationId":"iidBatchAdd",
"summary":"Subscribes up to 1,000 registrations to a topic.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/InstanceIDBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"An empty object or an error for each registration, in order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["results"],"additionalProperties":false,"properties":{"results":{"type":"array","maxItems":1000,"items":{"type":"object","additionalProperties":false,"properties":{"error":{"type":"string"}}}}}}}}}}
}
},
"/iid/v1:batchRemove":{
"post":{
"operationId":"iidBatchRemove",
"summary":"Unsubscribes up to 1,000 registrations from a topic.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/InstanceIDBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"An empty object or an error for each registration, in order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["results"],"additionalProperties":false,"properties":{"results":{"type":"array","maxItems":1000,"items":{"type":"object","additionalProperties":false,"properties":{"error":{"type":"string"}}}}}}}}}}
}
},
"/iid/v1/{token}/rel/topics/{topic}":{
"post":{
"operationId":"iidJoin",
"summary":"Subscribes a registration to a topic.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/token"},{"name":"topic","in":"path","required":true,"description":"The topic.","schema":{"type":"string","minLength":1}},{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"The registration is subscribed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/iid/info/{token}":{
"get":{
"operationId":"iidInfo",
"summary":"Returns a registration, with `details=true` also its topics.",
"tags":["integrations"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/token"},{"name":"details","in":"query","description":"Whether its topics are included.","schema":{"type":"string"}},{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"The registration.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["application","authorizedEntity","platform"],"additionalProperties":false,"properties":{"application":{"type":"string"},"authorizedEntity":{"type":"string"},"platform":{"type":"string"},"applicationVersion":{"type":"string"},"rel":{"type":"object","required":["topics"],"properties":{"topics":{"type":"object"}}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:signUp":{
"post":{
"operationId":"identitySignUp",
"summary":"Signs up with an address and a password, or anonymously.",
"description":"With `idToken` the user of the token, who has no address, gets one; that is how anonymous users upgrade.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"email":{"type":"string"},"password":{"type":"string"},"displayName":{"type":"string"},"idToken":{"type":"string"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","email","displayName","idToken","refreshToken","expiresIn"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"displayName":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser":{
"post":{
"operationId":"identitySignUpOlder",
"summary":"Signs up with an address and a password, or anonymously, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"email":{"type":"string"},"password":{"type":"string"},"displayName":{"type":"string"},"idToken":{"type":"string"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","email","displayName","idToken","refreshToken","expiresIn"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"displayName":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword":{
"post":{
"operationId":"identitySignIn",
"summary":"Signs in with an address and a password.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["email","password"],"properties":{"email":{"type":"string"},"password":{"type":"string"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","email","displayName","registered"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"displayName":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"registered":{"const":true},"mfaPendingCredential":{"type":"string","description":"In place of tokens, for an account with a second factor."},"mfaInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseFactor"}}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword":{
"post":{
"operationId":"identitySignInOlder",
"summary":"Signs in with an address and a password, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["email","password"],"properties":{"email":{"type":"string"},"password":{"type":"string"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","email","displayName","registered"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"displayName":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"registered":{"const":true},"mfaPendingCredential":{"type":"string","description":"In place of tokens, for an account with a second factor."},"mfaInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseFactor"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken":{
"post":{
"operationId":"identitySignInWithCustomToken",
"summary":"Signs in with a token that a server of the app signed.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["token"],"properties":{"token":{"type":"string"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","idToken","refreshToken","expiresIn","isNewUser"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"isNewUser":{"type":"boolean"}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyCustomToken":{
"post":{
"operationId":"identitySignInWithCustomTokenOlder",
"summary":"Signs in with a token that a server of the app signed, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["token"],"properties":{"token":{"type":"string"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","idToken","refreshToken","expiresIn","isNewUser"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"isNewUser":{"type":"boolean"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp":{
"post":{
"operationId":"identitySignInWithIdp",
"summary":"Signs in with the ID token of an identity provider, or links it.",
"description":"With `idToken`, an ID token of Signalbox, the identity is linked to its user. `needConfirmation` means that there is an account with the\ntoken's address, which the provider's word does not open. With `autoCreate: false` a new user of the provider is `USER_NOT_FOUND`.\nWith `returnIdpCredential` an identity of another account is `errorMessage`, otherwise `FEDERATED_USER_ID_ALREADY_LINKED`.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"postBody":{"type":"string","maxLength":24576,"description":"A form: `providerId`, `id_token`, and if there are any `nonce` (raw), `access_token`, `user` (a name as Apple sends it)."},"requestUri":{"type":"string"},"idToken":{"type":"string"},"autoCreate":{"type":"boolean","default":true},"returnIdpCredential":{"type":"boolean"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","providerId","oauthIdToken"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"providerId":{"type":"string"},"federatedId":{"type":"string"},"oauthIdToken":{"type":"string"},"oauthAccessToken":{"type":"string"},"localId":{"type":"string"},"email":{"type":"string"},"emailVerified":{"type":"boolean"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"rawUserInfo":{"type":"string"},"isNewUser":{"type":"boolean"},"needConfirmation":{"const":true},"errorMessage":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"mfaPendingCredential":{"type":"string","description":"In place of tokens, for an account with a second factor."},"mfaInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseFactor"}}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion":{
"post":{
"operationId":"identityVerifyAssertion",
"summary":"`accounts:signInWithIdp` by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"postBody":{"type":"string","maxLength":24576,"description":"A form: `providerId`, `id_token`, and if there are any `nonce` (raw), `access_token`, `user` (a name as Apple sends it)."},"requestUri":{"type":"string"},"idToken":{"type":"string"},"autoCreate":{"type":"boolean","default":true},"returnIdpCredential":{"type":"boolean"},"returnSecureToken":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","providerId","oauthIdToken"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"providerId":{"type":"string"},"federatedId":{"type":"string"},"oauthIdToken":{"type":"string"},"oauthAccessToken":{"type":"string"},"localId":{"type":"string"},"email":{"type":"string"},"emailVerified":{"type":"boolean"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"rawUserInfo":{"type":"string"},"isNewUser":{"type":"boolean"},"needConfirmation":{"const":true},"errorMessage":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"mfaPendingCredential":{"type":"string","description":"In place of tokens, for an account with a second factor."},"mfaInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseFactor"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:start":{
"post":{
"operationId":"identityStartFactor",
"summary":"Makes the secret of an authenticator app, which counts once its first code is confirmed.",
"description":"Needs a sign-in within the last five minutes.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"idToken":{"type":"string"},"totpEnrollmentInfo":{"type":"object"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["totpSessionInfo"],"properties":{"totpSessionInfo":{"type":"object","required":["sharedSecretKey","verificationCodeLength","hashingAlgorithm","periodSec","sessionInfo","finalizeEnrollmentTime"],"properties":{"sharedSecretKey":{"type":"string"},"verificationCodeLength":{"const":6},"hashingAlgorithm":{"const":"SHA1"},"periodSec":{"const":30},"sessionInfo":{"type":"string"},"finalizeEnrollmentTime":{"type":"string","format":"date-time"}}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:finalize":{
"post":{
"operationId":"identityConfirmFactor",
"summary":"Confirms an authenticator app by its first code. All other sessions end.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"idToken":{"type":"string"},"displayName":{"type":"string"},"totpVerificationInfo":{"type":"object","properties":{"sessionInfo":{"type":"string"},"verificationCode":{"type":"string"}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["idToken","refreshToken","expiresIn","totpAuthInfo"],"properties":{"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"totpAuthInfo":{"type":"object"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:withdraw":{
"post":{
"operationId":"identityRemoveFactor",
"summary":"Removes a second factor. All other sessions end.",
"description":"Needs a sign-in within the last five minutes.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"idToken":{"type":"string"},"mfaEnrollmentId":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["idToken","refreshToken","expiresIn"],"properties":{"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:start":{
"post":{
"operationId":"identityStartSecondFactor",
"summary":"Always 501: only codes by SMS are asked for, and second factors are authenticator apps.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"mfaPendingCredential":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"}}
}
},
"/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize":{
"post":{
"operationId":"identityFinishSecondFactor",
"summary":"Completes a sign-in with the code of an authenticator app, or with a recovery code.",
"description":"A pending sign-in lives for five minutes and five codes.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"mfaPendingCredential":{"type":"string"},"mfaEnrollmentId":{"type":"string"},"totpVerificationInfo":{"type":"object","properties":{"sessionInfo":{"type":"string"},"verificationCode":{"type":"string"}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["idToken","refreshToken","expiresIn"],"properties":{"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:sendOobCode":{
"post":{
"operationId":"identitySendCode",
"summary":"Sends a mail with a code; the response is the same for every address.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["requestType"],"properties":{"requestType":{"enum":["PASSWORD_RESET","EMAIL_SIGNIN","VERIFY_EMAIL","VERIFY_AND_CHANGE_EMAIL"]},"email":{"type":"string"},"idToken":{"type":"string","description":"Of the user whose address is verified or changed."},"newEmail":{"type":"string"},"continueUrl":{"type":"string","maxLength":1024},"canHandleCodeInApp":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","email"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"email":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:resetPassword":{
"post":{
"operationId":"identityResetPassword",
"summary":"Says what a code of a mail is for; with a new password, sets it.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["oobCode"],"properties":{"oobCode":{"type":"string"},"newPassword":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","requestType"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"email":{"type":"string"},"requestType":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:signInWithEmailLink":{
"post":{
"operationId":"identityEmailLink",
"summary":"Signs in with the link of a mail, or gives the user of an ID token its address.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["email","oobCode"],"properties":{"email":{"type":"string"},"oobCode":{"type":"string"},"idToken":{"type":"string","description":"Of the user who gets the address; an anonymous one keeps the user ID. `EMAIL_EXISTS` if another account has it."}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","email"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"isNewUser":{"type":"boolean"},"mfaPendingCredential":{"type":"string","description":"In place of tokens, for an account with a second factor."},"mfaInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseFactor"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:createAuthUri":{
"post":{
"operationId":"identityMethods",
"summary":"Answers alike for every address, so that nobody learns which ones have accounts.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["identifier"],"properties":{"identifier":{"type":"string"},"continueUri":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","sessionId"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"sessionId":{"type":"string"}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/getOobConfirmationCode":{
"post":{
"operationId":"identitySendCodeOlder",
"summary":"Sends a mail with a code; the response is the same for every address, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["requestType"],"properties":{"requestType":{"enum":["PASSWORD_RESET","EMAIL_SIGNIN","VERIFY_EMAIL","VERIFY_AND_CHANGE_EMAIL"]},"email":{"type":"string"},"idToken":{"type":"string","description":"Of the user whose address is verified or changed."},"newEmail":{"type":"string"},"continueUrl":{"type":"string","maxLength":1024},"canHandleCodeInApp":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","email"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"email":{"type":"string"}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/resetPassword":{
"post":{
"operationId":"identityResetPasswordOlder",
"summary":"Says what a code of a mail is for; with a new password, sets it, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["oobCode"],"properties":{"oobCode":{"type":"string"},"newPassword":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","requestType"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"email":{"type":"string"},"requestType":{"type":"string"}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/emailLinkSignin":{
"post":{
"operationId":"identityEmailLinkOlder",
"summary":"Signs in with the link of a mail, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["email","oobCode"],"properties":{"email":{"type":"string"},"oobCode":{"type":"string"},"idToken":{"type":"string","description":"Of the user who gets the address; an anonymous one keeps the user ID. `EMAIL_EXISTS` if another account has it."}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","email"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"const":"3600"},"isNewUser":{"type":"boolean"},"mfaPendingCredential":{"type":"string","description":"In place of tokens, for an account with a second factor."},"mfaInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseFactor"}}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/createAuthUri":{
"post":{
"operationId":"identityMethodsOlder",
"summary":"Answers alike for every address, so that nobody learns which ones have accounts, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["identifier"],"properties":{"identifier":{"type":"string"},"continueUri":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","sessionId"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"sessionId":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:lookup":{
"post":{
"operationId":"identityLookup",
"summary":"Returns the account of an ID token.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["idToken"],"properties":{"idToken":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","users"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"users":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseUser"}}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo":{
"post":{
"operationId":"identityLookupOlder",
"summary":"Returns the account of an ID token, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["idToken"],"properties":{"idToken":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","users"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"users":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseUser"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:update":{
"post":{
"operationId":"identityUpdate",
"summary":"Changes the profile or the password of the user of an ID token.",
"description":"A new password and `deleteProvider` need a sign-in within the last five minutes; the response then has new tokens. The last way to\nsign in stays. A user without an address gets one with `email` and `password`.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["idToken"],"properties":{"idToken":{"type":"string"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"email":{"type":"string"},"password":{"type":"string"},"deleteAttribute":{"type":"array","items":{"enum":["DISPLAY_NAME","PHOTO_URL"]}},"deleteProvider":{"type":"array","maxItems":20,"items":{"type":"string"}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","emailVerified","providerUserInfo"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"emailVerified":{"type":"boolean"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"providerUserInfo":{"type":"array"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"type":"string"}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/setAccountInfo":{
"post":{
"operationId":"identityUpdateOlder",
"summary":"Changes the profile or the password of the user of an ID token, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["idToken"],"properties":{"idToken":{"type":"string"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"email":{"type":"string"},"password":{"type":"string"},"deleteAttribute":{"type":"array","items":{"enum":["DISPLAY_NAME","PHOTO_URL"]}},"deleteProvider":{"type":"array","maxItems":20,"items":{"type":"string"}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","emailVerified","providerUserInfo"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"emailVerified":{"type":"boolean"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"providerUserInfo":{"type":"array"},"idToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/accounts:delete":{
"post":{
"operationId":"identityDelete",
"summary":"Deletes the account of the user of an ID token.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["idToken"],"properties":{"idToken":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/deleteAccount":{
"post":{
"operationId":"identityDeleteOlder",
"summary":"Deletes the account of the user of an ID token, by the word of the older API.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["idToken"],"properties":{"idToken":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects":{
"get":{
"operationId":"identityProject",
"summary":"Returns the configuration of the app for its clients.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","projectId","authorizedDomains"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"projectId":{"type":"string"},"authorizedDomains":{"type":"array","items":{"type":"string"}}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig":{
"get":{
"operationId":"identityProjectOlder",
"summary":"Returns the configuration of the app for its clients.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","projectId","authorizedDomains"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"projectId":{"type":"string"},"authorizedDomains":{"type":"array","items":{"type":"string"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/passwordPolicy":{
"get":{
"operationId":"identityPasswordPolicy",
"summary":"Returns the rules for passwords.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["customStrengthOptions","schemaVersion","enforcementState"],"properties":{"customStrengthOptions":{"type":"object"},"allowedNonAlphanumericCharacters":{"type":"array"},"schemaVersion":{"const":1},"enforcementState":{"const":"ENFORCE"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/recaptchaConfig":{
"get":{
"operationId":"identityRecaptcha",
"summary":"Says that no reCAPTCHA is enforced.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["recaptchaEnforcementState"],"properties":{"recaptchaEnforcementState":{"type":"array","maxItems":0}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/accounts:revokeToken":{
"post":{
"operationId":"identityRevokeToken",
"summary":"Always 501: revoking Apple's tokens needs Apple's client secret.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"providerId":{"type":"string"},"token":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"}}
}
},
"/securetoken.googleapis.com/v1/token":{
"post":{
"operationId":"identityToken",
"summary":"Exchanges a refresh token for new tokens.",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","required":["grant_type","refresh_token"],"properties":{"grant_type":{"const":"refresh_token"},"refresh_token":{"type":"string"}}}},"application/json":{"schema":{"type":"object","required":["grantType","refreshToken"],"properties":{"grantType":{"const":"refresh_token"},"refreshToken":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["access_token","expires_in","token_type","refresh_token","id_token","user_id","project_id"],"properties":{"access_token":{"type":"string"},"expires_in":{"const":"3600"},"token_type":{"const":"Bearer"},"refresh_token":{"type":"string"},"id_token":{"type":"string"},"user_id":{"type":"string"},"project_id":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts":{
"post":{
"operationId":"identityCreateAccount",
"summary":"Creates an account.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"localId":{"type":"string"},"email":{"type":"string"},"emailVerified":{"type":"boolean"},"password":{"type":"string"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"phoneNumber":{"type":"string"},"disabled":{"type":"boolean"},"customAttributes":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","email","displayName"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"displayName":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:lookup":{
"post":{
"operationId":"identityLookupAccounts",
"summary":"Finds up to 100 accounts by user ID, address, phone number or user of a provider; `users` is missing if there are none.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"localId":{"type":"array","items":{"type":"string"}},"email":{"type":"array","items":{"type":"string"}},"phoneNumber":{"type":"array","items":{"type":"string"}},"federatedUserId":{"type":"array","items":{"type":"object","properties":{"providerId":{"type":"string"},"rawId":{"type":"string"}}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"users":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseUser"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:update":{
"post":{
"operationId":"identityUpdateAccount",
"summary":"Changes an account.",
"description":"A new password, a new address, a removed provider, `disableUser` and `validSince` end all sessions. `linkProviderUserInfo` adds the\nuser of an identity provider; one that takes the place of another ends all sessions, too. `mfa` lists the second factors that stay,\nwith their names: an empty one removes all. Factors with a phone are refused.\n",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["localId"],"properties":{"localId":{"type":"string"},"email":{"type":"string"},"emailVerified":{"type":"boolean"},"password":{"type":"string"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"phoneNumber":{"type":"string"},"disableUser":{"type":"boolean"},"customAttributes":{"type":"string","description":"Claims as a text with a JSON object."},"validSince":{"type":"string","description":"Any time ends all sessions."},"deleteAttribute":{"type":"array"},"deleteProvider":{"type":"array","maxItems":20,"items":{"type":"string","description":"`phone`, `password` or an identity provider."}},"linkProviderUserInfo":{"type":"object","required":["providerId","rawId"],"properties":{"providerId":{"type":"string","maxLength":256},"rawId":{"type":"string","maxLength":256},"email":{"type":"string"}}},"mfa":{"type":"object","properties":{"enrollments":{"type":"array","maxItems":5,"items":{"type":"object","required":["mfaEnrollmentId"],"properties":{"mfaEnrollmentId":{"type":"string"},"displayName":{"type":"string"}}}}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","localId","providerUserInfo"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"localId":{"type":"string"},"email":{"type":"string"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"providerUserInfo":{"type":"array"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:delete":{
"post":{
"operationId":"identityDeleteAccount",
"summary":"Deletes an account.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["localId"],"properties":{"localId":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:batchGet":{
"get":{
"operationId":"identityListAccounts",
"summary":"Lists accounts in the order of their creation, without password hashes.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"maxResults","in":"query","description":"Accounts of a page.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":20}},{"name":"nextPageToken","in":"query","description":"The token of an earlier page.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"users":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseUser"}},"nextPageToken":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:batchCreate":{
"post":{
"operationId":"identityImportAccounts",
"summary":"Adds up to 1,000 accounts of another project with their password hashes.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["users"],"properties":{"users":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"object"}},"hashAlgorithm":{"type":"string"},"signerKey":{"type":"string"},"saltSeparator":{"type":"string"},"rounds":{"type":"integer"},"memoryCost":{"type":"integer"},"cpuMemCost":{"type":"integer"},"blockSize":{"type":"integer"},"parallelization":{"type":"integer"},"passwordHashOrder":{"enum":["SALT_AND_PASSWORD","PASSWORD_AND_SALT"]},"allowOverwrite":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"error":{"type":"array","items":{"type":"object","required":["index","message"],"properties":{"index":{"type":"integer"},"message":{"type":"string"}}}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:batchDelete":{
"post":{
"operationId":"identityDeleteAccounts",
"summary":"Deletes up to 1,000 accounts; without `force` only disabled ones.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["localIds"],"properties":{"localIds":{"type":"array","maxItems":1000,"items":{"type":"string"}},"force":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"errors":{"type":"array","items":{"type":"object","required":["index","message"],"properties":{"index":{"type":"integer"},"localId":{"type":"string"},"message":{"type":"string"}}}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:sendOobCode":{
"post":{
"operationId":"identityMakeCode",
"summary":"Sends a mail with a code, or with `returnOobLink` gives its link to a server that sends mails itself.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["requestType","email"],"properties":{"requestType":{"enum":["PASSWORD_RESET","EMAIL_SIGNIN","VERIFY_EMAIL","VERIFY_AND_CHANGE_EMAIL"]},"email":{"type":"string"},"newEmail":{"type":"string"},"returnOobLink":{"type":"boolean"},"continueUrl":{"type":"string","maxLength":1024},"canHandleCodeInApp":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","email"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"email":{"type":"string"},"oobCode":{"type":"string"},"oobLink":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}/accounts:query":{
"post":{
"operationId":"identityQueryAccounts",
"summary":"Finds accounts by user ID, address or phone number, or counts them.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":[],"properties":{"expression":{"type":"array","items":{"type":"object"}},"limit":{"type":"integer","minimum":1,"maximum":500},"returnUserInfo":{"type":"boolean"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","recordsCount"],"properties":{"kind":{"type":"string","pattern":"^identitytoolkit#"},"recordsCount":{"type":"string"},"userInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseUser"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/projects/{app}:createSessionCookie":{
"post":{
"operationId":"identityCreateCookie",
"summary":"Makes a session cookie of an ID token, for 5 minutes to 14 days.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["idToken"],"properties":{"idToken":{"type":"string"},"validDuration":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["sessionCookie"],"properties":{"sessionCookie":{"type":"string"}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/projects/{app}/config":{
"get":{
"operationId":"identityConfig",
"summary":"Returns the methods of signing in of a project.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["name","signIn","authorizedDomains"],"properties":{"name":{"type":"string"},"signIn":{"type":"object"},"authorizedDomains":{"type":"array","items":{"type":"string"}}}}}}}}
}
},
"/identitytoolkit.googleapis.com/v2/projects/{app}/{resource}":{
"get":{
"operationId":"identityResources",
"summary":"Lists tenants or providers, of which a project has none.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"resource","in":"path","required":true,"description":"`tenants`, `oauthIdpConfigs` or `inboundSamlConfigs`.","schema":{"enum":["tenants","oauthIdpConfigs","inboundSamlConfigs"]}}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
},
"post":{
"operationId":"identityCreateResource",
"summary":"Always 501: there are no tenants, and providers are settings of the daemon.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"resource","in":"path","required":true,"description":"`tenants`, `oauthIdpConfigs` or `inboundSamlConfigs`.","schema":{"enum":["tenants","oauthIdpConfigs","inboundSamlConfigs"]}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"}}
}
},
"/identitytoolkit.googleapis.com/v2/projects/{app}/{resource}/{id}":{
"get":{
"operationId":"identityResource",
"summary":"Always 501.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"resource","in":"path","required":true,"description":"`tenants`, `oauthIdpConfigs` or `inboundSamlConfigs`.","schema":{"enum":["tenants","oauthIdpConfigs","inboundSamlConfigs"]}},{"name":"id","in":"path","required":true,"description":"The ID.","schema":{"type":"string","minLength":1}}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"}}
},
"patch":{
"operationId":"identityUpdateResource",
"summary":"Always 501.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"resource","in":"path","required":true,"description":"`tenants`, `oauthIdpConfigs` or `inboundSamlConfigs`.","schema":{"enum":["tenants","oauthIdpConfigs","inboundSamlConfigs"]}},{"name":"id","in":"path","required":true,"description":"The ID.","schema":{"type":"string","minLength":1}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"}}
},
"delete":{
"operationId":"identityDeleteResource",
"summary":"Always 501.",
"tags":["integrations"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"resource","in":"path","required":true,"description":"`tenants`, `oauthIdpConfigs` or `inboundSamlConfigs`.","schema":{"enum":["tenants","oauthIdpConfigs","inboundSamlConfigs"]}},{"name":"id","in":"path","required":true,"description":"The ID.","schema":{"type":"string","minLength":1}}],
"responses":{"400":{"$ref":"#/components/responses/IdentityRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/IdentityRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/IdentityRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/IdentityRefusal"},"501":{"$ref":"#/components/responses/IdentityRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/IdentityRefusal"},"403":{"$ref":"#/components/responses/IdentityRefusal"},"503":{"$ref":"#/components/responses/IdentityRefusal"},"404":{"$ref":"#/components/responses/IdentityRefusal"}}
}
},
"/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com":{
"get":{
"operationId":"identityCertificates",
"summary":"Returns the public keys as certificates by key ID.",
"tags":["integrations"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"public, max-age=3600"}},"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"type":"string"}}}}}}
}
},
"/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com":{
"get":{
"operationId":"identityKeys",
"summary":"Returns the public keys as a JWK set.",
"tags":["integrations"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"public, max-age=3600"}},"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},"content":{"application/json":{"schema":{"type":"object","required":["keys"],"properties":{"keys":{"type":"array","items":{"type":"object","required":["kty","kid","n","e"]}}}}}}}}
}
},
"/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys":{
"get":{
"operationId":"identityCookieCertificates",
"summary":"Returns the public keys as certificates by key ID, of session cookies.",
"tags":["integrations"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"public, max-age=3600"}},"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"type":"string"}}}}}}
}
},
"/identitytoolkit.googleapis.com/v1/sessionCookiePublicKeys":{
"get":{
"operationId":"identityCookieKeys",
"summary":"Returns the public keys as a JWK set, of session cookies.",
"tags":["integrations"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"public, max-age=3600"}},"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},"content":{"application/json":{"schema":{"type":"object","required":["keys"],"properties":{"keys":{"type":"array","items":{"type":"object","required":["kty","kid","n","e"]}}}}}}}}
}
},
"/emulator/v1/projects/{app}/accounts":{
"delete":{
"operationId":"emulatorDeleteAccounts",
"summary":"Deletes all accounts of a project; only with `accounts.emulator` in development, from this machine.",
"tags":["integrations"],
"x-role":"emulator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/emulator/v1/projects/{app}:securityRules":{
"put":{
"operationId":"emulatorRules",
"summary":"Sets the security rules of a project; only with `accounts.emulator` in development, from this machine.",
"tags":["documents"],
"x-role":"emulator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["rules"],"properties":{"rules":{"type":"object","required":["files"],"properties":{"files":{"type":"array","minItems":1,"maxItems":1,"items":{"type":"object","required":["content"],"properties":{"name":{"type":"string"},"content":{"type":"string","maxLength":262144}}}}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/emulator/v1/projects/{app}/databases/{database}/documents":{
"delete":{
"operationId":"emulatorDeleteDocuments",
"summary":"Deletes all documents of a project; only in the emulator.",
"tags":["documents"],
"x-role":"emulator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"schema":{"const":"(default)"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/emulator/v1/projects/{app}/oobCodes":{
"get":{
"operationId":"emulatorCodes",
"summary":"Returns the codes of mails that can be redeemed; only in the emulator.",
"tags":["integrations"],
"x-role":"emulator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["oobCodes"],"properties":{"oobCodes":{"type":"array","items":{"type":"object","required":["email","requestType","oobCode","oobLink"],"properties":{"email":{"type":"string"},"requestType":{"type":"string"},"oobCode":{"type":"string"},"oobLink":{"type":"string"}}}}}}}}}}
}
},
"/emulator/v1/projects/{app}/config":{
"get":{
"operationId":"emulatorConfig",
"summary":"Returns the methods of signing in of a project; only in the emulator.",
"tags":["integrations"],
"x-role":"emulator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/IdentityRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["name","signIn","authorizedDomains"],"properties":{"name":{"type":"string"},"signIn":{"type":"object"},"authorizedDomains":{"type":"array","items":{"type":"string"}}}}}}}}
}
},
"/token":{
"post":{
"operationId":"exchangeAssertion",
"summary":"Exchanges a signed assertion of a service account for an access token (RFC 7523).",
"description":"The assertion is a JSON Web Token, signed with RS256, with the account's `client_email` as `iss`, its `token_uri` as `aud`,\nand a lifetime of at most an hour. The access token is accepted wherever the key is, and expires after an hour or with the\nkey.\n",
"tags":["integrations"],
"x-role":"none",
"security":[],
"requestBody":{"required":true,"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","required":["grant_type","assertion"],"properties":{"grant_type":{"const":"urn:ietf:params:oauth:grant-type:jwt-bearer"},"assertion":{"type":"string","maxLength":16384}}}}}},
"responses":{"400":{"description":"The assertion is rejected, or the request is malformed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["error","error_description"],"additionalProperties":false,"properties":{"error":{"type":"string"},"error_description":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The token.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["access_token","expires_in","token_type"],"additionalProperties":false,"properties":{"access_token":{"type":"string","pattern":"^sb_at_[0-9a-z_]+$","maxLength":64},"expires_in":{"const":3600},"token_type":{"const":"Bearer"}}}}}}}
}
},
"/v1/quarantine":{
"get":{
"operationId":"listQuarantine",
"summary":"Lists quarantined records with their reasons, the newest first.",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/reason"},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of quarantined records, and the counts by reason.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items","counts"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/QuarantinedEvent"}},"next":{"$ref":"#/components/schemas/Cursor"},"counts":{"type":"array","description":"By reason; records stored by a replay are not included.","items":{"type":"object","required":["code","kept","only_counted"],"additionalProperties":false,"properties":{"code":{"$ref":"#/components/schemas/Reason"},"kept":{"type":"integer","minimum":0},"only_counted":{"type":"integer","minimum":0,"description":"Beyond 100,000 rows or 256 MiB a day, records are counted and not stored."}}}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/quarantine/replay":{
"post":{
"operationId":"replayQuarantine",
"summary":"Replays quarantined records with the current rules.",
"description":"Records that pass are stored and leave the quarantine; others stay, and so do entries of `POST /v1/users`. The newest come first. A\nrequest replays one page: repeat it with `after` while the response has `next`.\n",
"tags":["queries"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/reason"},{"name":"limit","in":"query","description":"The maximum number of replayed records.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":1000}},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The results; `quarantined` is the number that stayed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["accepted","duplicates","quarantined"],"additionalProperties":false,"properties":{"accepted":{"type":"integer","minimum":0},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/query/series":{
"get":{
"operationId":"querySeries",
"summary":"Event counts over time.",
"description":"Every bucket has a point, 0 without events; at most 11,000 buckets and 100,000 points are returned. `revenue` is money, net of\nrefunds, in a series for each currency. With `breakdown` there is a series for each of the largest values and one, `(other)`, for\nthe rest together; events without the field are `(none)`. With several fields a series has their `values`. A figure over no\nnumbers is null, a sum 0.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/metric"},{"$ref":"#/components/parameters/event"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"$ref":"#/components/parameters/filter"},{"name":"breakdown","in":"query","description":"A series for each value of this field; if repeated, for each combination of the values of up to three fields.","schema":{"$ref":"#/components/schemas/FieldPaths"}},{"name":"limit","in":"query","description":"The number of values of a breakdown; the others are combined.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The series.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SeriesResult"}}}}}
},
"post":{
"operationId":"askSeries",
"summary":"Event counts over time.",
"description":"Every bucket has a point, 0 without events; at most 11,000 buckets and 100,000 points are returned. `revenue` is money, net of\nrefunds, in a series for each currency. With `breakdown` there is a series for each of the largest values and one, `(other)`, for\nthe rest together; events without the field are `(none)`. With several fields a series has their `values`. A figure over no\nnumbers is null, a sum 0.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The series.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SeriesResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SeriesQueryBody"},"example":{"metric":"users","interval":"week","from":"-28d","filter":["context.platform=ios|android"],"breakdown":"context.platform"}}}}
}
},
"/v1/query/top":{
"get":{
"operationId":"queryTop",
"summary":"The most frequent values of a field.",
"description":"The range is cut to quarter-hours. Values beyond the limit are combined as `(other)`; events without the field are `(none)`. With\na field of `items`, `revenue` is price times quantity of the items of purchases, net of refunds, by currency, and `quantity` their\nunits.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"field","in":"query","description":"The ranked field.","schema":{"$ref":"#/components/schemas/FieldPath","default":"name"}},{"$ref":"#/components/parameters/metric"},{"$ref":"#/components/parameters/event"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"name":"interval","in":"query","description":"Widens the range to whole buckets of this length, so that values agree with the totals of a series; default: to\nquarter-hours.\n","schema":{"enum":["minute","hour","day","week","month"]}},{"$ref":"#/components/parameters/filter"},{"name":"limit","in":"query","description":"The number of values; the others are combined.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The values, largest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/TopResult"}}}}}
},
"post":{
"operationId":"askTop",
"summary":"The most frequent values of a field.",
"description":"The range is cut to quarter-hours. Values beyond the limit are combined as `(other)`; events without the field are `(none)`. With\na field of `items`, `revenue` is price times quantity of the items of purchases, net of refunds, by currency, and `quantity` their\nunits.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The values, largest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/TopResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/TopQueryBody"},"example":{"field":"context.app_version","metric":"users","from":"-7d"}}}}
}
},
"/v1/query/active-users":{
"get":{
"operationId":"queryActiveUsers",
"summary":"Daily, weekly and monthly active users, and stickiness.",
"description":"For each day of the range, at most 400: `dau` is the number of users of the day, `wau` of the 7 days and `mau` of the 30 days ending\nwith it.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each day.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ActiveUsersResult"}}}}}
},
"post":{
"operationId":"askActiveUsers",
"summary":"Daily, weekly and monthly active users, and stickiness.",
"description":"For each day of the range, at most 400: `dau` is the number of users of the day, `wau` of the 7 days and `mau` of the 30 days ending\nwith it.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each day.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ActiveUsersResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ActiveUsersQueryBody"},"example":{"from":"-30d","tz":"Europe/Berlin"}}}}
}
},
"/v1/query/retention":{
"get":{
"operationId":"queryRetention",
"summary":"Cohort retention: users who returned, by period.",
"description":"A cohort consists of the users who started in a period of the range, at most 400; cell 0 is that period itself. A cell of an\nunfinished period has `complete: false`; a cell of a future period is missing.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"start","in":"query","description":"The start event, or `first_open` for a user's first appearance.","schema":{"$ref":"#/components/schemas/AskedEvent","default":"first_open"}},{"name":"return","in":"query","description":"The return event, or `any`.","schema":{"$ref":"#/components/schemas/AskedEvent","default":"any"}},{"name":"cohort","in":"query","description":"Whether a user belongs to the cohort of the first start only, or of each start.","schema":{"$ref":"#/components/schemas/CohortRule"}},{"$ref":"#/components/parameters/period"},{"name":"periods","in":"query","description":"The number of periods, including the first.","schema":{"$ref":"#/components/schemas/PeriodCount"}},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"name":"filter","in":"query","description":"Conditions on start and return events; for first_open, on an event of its period.","schema":{"$ref":"#/components/schemas/Filters"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A cohort for each period.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RetentionResult"}}}}}
},
"post":{
"operationId":"askRetention",
"summary":"Cohort retention: users who returned, by period.",
"description":"A cohort consists of the users who started in a period of the range, at most 400; cell 0 is that period itself. A cell of an\nunfinished period has `complete: false`; a cell of a future period is missing.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A cohort for each period.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RetentionResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RetentionQueryBody"},"example":{"interval":"week","periods":4,"from":"-28d"}}}}
}
},
"/v1/query/funnel":{
"get":{
"operationId":"queryFunnel",
"summary":"Funnel: conversion and time per step.",
"description":"The range is cut to quarter-hours and contains all steps of a conversion. A user's furthest attempt counts, and of those the\nearliest.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"steps","in":"query","required":true,"description":"The steps. In a query string, a step is a text and `steps` is repeated.","schema":{"$ref":"#/components/schemas/StepTexts"}},{"name":"window","in":"query","description":"The conversion window, at most 366d.","schema":{"$ref":"#/components/schemas/FunnelWindow"}},{"name":"order","in":"query","description":"Whether other events may occur between two steps.","schema":{"$ref":"#/components/schemas/FunnelOrder"}},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"name":"breakdown","in":"query","description":"Also a funnel for each value of this field of the first step's event, or for each combination of up to three fields.","schema":{"$ref":"#/components/schemas/FieldPaths"}},{"name":"limit","in":"query","description":"The number of values of a breakdown; the others are combined.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The steps in order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunnelResult"}}}}}
},
"post":{
"operationId":"askFunnel",
"summary":"Funnel: conversion and time per step.",
"description":"The range is cut to quarter-hours and contains all steps of a conversion. A user's furthest attempt counts, and of those the\nearliest.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The steps in order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunnelResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunnelQueryBody"},"example":{"steps":[{"event":"screen_view","filter":"params.screen_name=Cart"},{"event":"purchase"}],"window":"2h","from":"-7d"}}}}
}
},
"/v1/query/revenue":{
"get":{
"operationId":"queryRevenue",
"summary":"Revenue and refunds by currency, in total and per user.",
"description":"Money is exact decimal text, and currencies are never added together.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"$ref":"#/components/parameters/filter"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"All currencies in use.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RevenueResult"}}}}}
},
"post":{
"operationId":"askRevenue",
"summary":"Revenue and refunds by currency, in total and per user.",
"description":"Money is exact decimal text, and currencies are never added together.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"All currencies in use.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RevenueResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RevenueQueryBody"},"example":{"interval":"month","from":"-90d"}}}}
}
},
"/v1/query/sessions":{
"get":{
"operationId":"querySessions",
"summary":"Session count, length and engagement.",
"description":"A session contains the events of an installation, else of a user, with the same `session_id`, or, without one, events less\nthan the app's `session_timeout_seconds` apart. A session belongs to the bucket in which it begins, and counts for the user\nthat it named first.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"name":"filter","in":"query","description":"Only sessions with a matching event.","schema":{"$ref":"#/components/schemas/Filters"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SessionsResult"}}}}}
},
"post":{
"operationId":"askSessions",
"summary":"Session count, length and engagement.",
"description":"A session contains the events of an installation, else of a user, with the same `session_id`, or, without one, events less\nthan the app's `session_timeout_seconds` apart. A session belongs to the bucket in which it begins, and counts for the user\nthat it named first.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SessionsResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SessionsQueryBody"},"example":{"interval":"day","from":"-7d"}}}}
}
},
"/v1/query/lifecycle":{
"get":{
"operationId":"queryLifecycle",
"summary":"New, returning, resurrecting and dormant users.",
"description":"For each bucket of the range, at most 400.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/period"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/LifecycleResult"}}}}}
},
"post":{
"operationId":"askLifecycle",
"summary":"New, returning, resurrecting and dormant users.",
"description":"For each bucket of the range, at most 400.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/LifecycleResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/LifecycleQueryBody"},"example":{"interval":"week","from":"-28d"}}}}
}
},
"/v1/query/realtime":{
"get":{
"operationId":"queryRealtime",
"summary":"The last thirty minutes by minute.",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","description":"The number of top events and screens.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The last point is the current minute.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RealtimeResult"}}}}}
},
"post":{
"operationId":"askRealtime",
"summary":"The last thirty minutes by minute.",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The last point is the current minute.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RealtimeResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RealtimeQueryBody"},"example":{"limit":5}}}}
}
},
"/v1/query/crash-free":{
"get":{
"operationId":"queryCrashFree",
"summary":"Crash-free sessions and users by release, and the adoption of each release.",
"description":"Sessions are those of `/v1/query/sessions`. A fatal crash belongs to a session of its installation, or of its user if the\ninstallation is missing or sent no events: to the session it names, else to the session at its time.\nA crash outside of every session counts as a session, so that there are never more crashed sessions than sessions. Handled\nerrors and hangs do not count. A session's release is the `app_version` of its first event.\n\nSessions that servers report as counts are included, by quarter-hour, unless a filter is on anything but `context.app_version`\nand `context.environment`. Their users are unknown. A crash outside of every session is taken for one of the counted sessions of\nits release and bucket, and its user is then not among the users.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"name":"filter","in":"query","description":"Only sessions with a matching event.","schema":{"$ref":"#/components/schemas/Filters"}},{"name":"limit","in":"query","description":"The number of releases, those with the most sessions first.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket, and the same for each release.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashFreeResult"}}}}}
},
"post":{
"operationId":"askCrashFree",
"summary":"Crash-free sessions and users by release, and the adoption of each release.",
"description":"Sessions are those of `/v1/query/sessions`. A fatal crash belongs to a session of its installation, or of its user if the\ninstallation is missing or sent no events: to the session it names, else to the session at its time.\nA crash outside of every session counts as a session, so that there are never more crashed sessions than sessions. Handled\nerrors and hangs do not count. A session's release is the `app_version` of its first event.\n\nSessions that servers report as counts are included, by quarter-hour, unless a filter is on anything but `context.app_version`\nand `context.environment`. Their users are unknown. A crash outside of every session is taken for one of the counted sessions of\nits release and bucket, and its user is then not among the users.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket, and the same for each release.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashFreeResult"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashFreeQueryBody"},"example":{"interval":"day","from":"-7d"}}}}
}
},
"/v1/export":{
"get":{
"operationId":"exportEvents",
"summary":"Exports raw events in commit order, streamed.",
"description":"To resume an interrupted export, send the `seq` of the last whole line as `after`. A response without its last chunk was cut off. In\nCSV, a text that a spreadsheet would evaluate as a formula is preceded by an apostrophe.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"format","in":"query","schema":{"enum":["ndjson","csv"],"default":"ndjson"}},{"name":"from","in":"query","description":"Only events at or after this time.","schema":{"$ref":"#/components/schemas/Moment"}},{"name":"to","in":"query","description":"Only events before this time.","schema":{"$ref":"#/components/schemas/Moment"}},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The events.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/x-ndjson":{"x-item-schema":{"$ref":"#/components/schemas/StoredEvent"},"schema":{"type":"string"}},"text/csv":{"schema":{"type":"string","description":"Lines end with CRLF; the first names the columns: seq, id, name, timestamp, received_at, user_id, installation_id, session_id,\nplatform, app_version, build, os_version, device_model, locale, country, environment, params (as JSON), flags (separated by spaces).\n"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/tail":{
"get":{
"operationId":"tailRecords",
"summary":"Streams events, crashes and quarantined records as they arrive, as server-sent events.",
"description":"The stream begins with the next commit, or after a sequence number: stored records come first, then live ones, without gaps\nor duplicates. A client that reconnects sends the last `id` as `Last-Event-ID`, which overrides `after`.\n\n**Records.** `event: event` has a line of the export as data; `event: quarantine` has `seq`, `received_at`, `id`, `reason`,\n`field` and `message` of a quarantined event. Both have their `seq` as `id`. `event: gap` with `{\"missed\": N, \"after\": SEQ}`\nmeans that the client was too slow and N records of the app up to that number were skipped, before filters; it has no `id`,\nso that reconnecting with the last one returns them. A stream sustains some 2,000 records a second and bursts of 20,000; use\nthe export for more.\n\n**Crashes.** While the stream is open, `event: crash` has `id`, `issue`, `kind`, `title`, `culprit`, `timestamp`, `release`,\n`user_id` and `installation_id`, as far as known. Crashes have no `id` of the stream, so crashes missed by a disconnected\nclient are found in the issues. At most 100 are queued for a slow client; then `event: gap` has `{\"missed_crashes\": N}`.\n\n**Filters.** Conditions on events exclude quarantined events and crashes; with `kind=crashes`, `user` and `installation`\napply to crashes.\n\nA comment is sent after 15 s without other data. The stream ends when the daemon shuts down or its key is revoked. At most\n64 streams are open at once, 16 with one key (settings of the daemon).\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"kind","in":"query","description":"Default all.","schema":{"enum":["events","quarantine","crashes"]}},{"name":"event","in":"query","description":"Only events with one of these names; at most 20.","schema":{"type":"array","maxItems":20,"items":{"type":"string"}},"style":"form","explode":true},{"name":"user","in":"query","description":"Only events or crashes of this user.","schema":{"type":"string"}},{"name":"installation","in":"query","description":"Only events or crashes of this installation.","schema":{"type":"string"}},{"name":"filter","in":"query","description":"A filter on events, as in queries, without `user.…`.","schema":{"type":"array","maxItems":20,"items":{"type":"string"}},"style":"form","explode":true},{"name":"after","in":"query","description":"Starts after this `seq`.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}},{"name":"Last-Event-ID","in":"header","description":"The last `id` of an interrupted stream.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The stream.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/event-stream":{"schema":{"type":"string"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/cohorts":{
"get":{
"operationId":"listCohorts",
"summary":"Lists the cohorts by name.",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A page of cohorts.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/StoredCohort"}},"next":{"type":"string"}}}}}}}
}
},
"/v1/cohorts/{name}":{
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"name","in":"path","required":true,"description":"The name of the cohort.","schema":{"$ref":"#/components/schemas/SavedQueryName"}}],
"get":{
"operationId":"showCohort",
"summary":"Returns a cohort.",
"tags":["queries"],
"x-role":"read",
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The cohort.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StoredCohort"}}}},"404":{"$ref":"#/components/responses/NotFound"}}
},
"put":{
"operationId":"saveCohort",
"summary":"Stores a cohort under a name, in place of the one before.",
"description":"Members are found when a query runs: properties have their current value, and relative times count from then. Queries name\ncohorts in filters, as `cohort=NAME` or `cohort!=NAME`. An app may have 500 cohorts.\n",
"tags":["queries"],
"x-role":"admin",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Cohort"},"example":{"filter":["user.tier=pro"],"event":"purchase","event_filter":["params.value>=10"],"from":"-30d"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The cohort.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StoredCohort"}}}},"201":{"description":"The cohort.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StoredCohort"}}}},"409":{"$ref":"#/components/responses/Conflict"}}
},
"delete":{
"operationId":"deleteCohort",
"summary":"Deletes a cohort. Queries that name it are rejected from then on.",
"tags":["queries"],
"x-role":"admin",
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"}}
}
},
"/v1/saved-queries":{
"get":{
"operationId":"listSavedQueries",
"summary":"Lists the saved queries by name.",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A page of saved queries.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/SavedQuery"}},"next":{"type":"string"}}}}}}}
}
},
"/v1/saved-queries/{name}":{
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"name","in":"path","required":true,"description":"The name of the saved query.","schema":{"$ref":"#/components/schemas/SavedQueryName"}}],
"get":{
"operationId":"showSavedQuery",
"summary":"Returns a saved query.",
"tags":["queries"],
"x-role":"read",
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The saved query.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SavedQuery"}}}},"404":{"$ref":"#/components/responses/NotFound"}}
},
"put":{
"operationId":"saveQuery",
"summary":"Stores a query under a name, in place of the one before.",
"description":"The parameters are checked as those of the query are. An app may have 500 saved queries.",
"tags":["queries"],
"x-role":"admin",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["query"],"additionalProperties":false,"properties":{"query":{"$ref":"#/components/schemas/QueryName"},"parameters":{"$ref":"#/components/schemas/QueryParameters"}}},"example":{"query":"series","parameters":{"metric":"users","from":"-28d","breakdown":["context.platform","user.tier"]}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The saved query.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SavedQuery"}}}},"201":{"description":"The saved query.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SavedQuery"}}}},"409":{"$ref":"#/components/responses/Conflict"}}
},
"delete":{
"operationId":"deleteSavedQuery",
"summary":"Deletes a saved query.",
"tags":["queries"],
"x-role":"admin",
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"}}
}
},
"/v1/saved-queries/{name}/result":{
"get":{
"operationId":"runSavedQuery",
"summary":"Runs a saved query and returns its result.",
"description":"Relative times count from now. The result is that of `/v1/query/` and the name of the query.",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"name","in":"path","required":true,"description":"The name of the saved query.","schema":{"$ref":"#/components/schemas/SavedQueryName"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The result of the query.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"anyOf":[{"$ref":"#/components/schemas/SeriesResult"},{"$ref":"#/components/schemas/TopResult"},{"$ref":"#/components/schemas/ActiveUsersResult"},{"$ref":"#/components/schemas/RetentionResult"},{"$ref":"#/components/schemas/FunnelResult"},{"$ref":"#/components/schemas/RevenueResult"},{"$ref":"#/components/schemas/SessionsResult"},{"$ref":"#/components/schemas/LifecycleResult"},{"$ref":"#/components/schemas/RealtimeResult"},{"$ref":"#/components/schemas/CrashFreeResult"}]}}}},"404":{"$ref":"#/components/responses/NotFound"}}
}
},
"/v1/query/sql":{
"post":{
"operationId":"querySQL",
"summary":"Runs one SELECT over the app's rows.",
"description":"Requires the daemon's setting `sql.enabled`; else 404. The statement sees two tables, `events` and `users`, of this app only\n(columns in docs/guides/queries.md), and `json_each` and `json_tree`. It cannot write or open files. It is interrupted after\n`sql.timeout` (10 s) or beyond 128 MiB of memory; one query runs at a time. Errors contain SQLite's messages.\n",
"tags":["queries"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["sql"],"additionalProperties":false,"properties":{"sql":{"type":"string","description":"One statement in SQLite's SQL, at most 64 KiB."},"params":{"type":"array","maxItems":100,"items":{"type":["string","number","boolean","null"]},"description":"Values for `?1`, `?2` …"},"from":{"$ref":"#/components/schemas/Moment","description":"The earliest event time; default seven days ago."},"to":{"$ref":"#/components/schemas/Moment","description":"The end of the event times, exclusive, at most 31 days after `from`; default now."},"limit":{"type":"integer","minimum":1,"maximum":10000,"default":10000}}},"example":{"sql":"SELECT name, count(*) FROM events GROUP BY name ORDER BY 2 DESC","from":"-1d"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The rows, cut after `limit` or 8 MiB.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["columns","rows","truncated"],"additionalProperties":false,"properties":{"columns":{"type":"array","items":{"type":"string"}},"rows":{"type":"array","description":"Blobs are hexadecimal digits, infinite numbers are null.","items":{"type":"array","items":{"type":["string","number","null"]}}},"truncated":{"type":"boolean","description":"Whether the limit cut rows off."}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/system":{
"get":{
"operationId":"systemStatus",
"summary":"Returns the state of the daemon, and what an app sends and uses.",
"description":"An app's key sees the figures of its app. The operator, at the control socket, sees those of all apps and of the\nmachine, and with `app` those of one app. Counters start with the process.\n",
"tags":["queries"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Counts, sizes and times.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/System"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/app":{
"get":{
"operationId":"ownApp",
"summary":"Returns the app and the role of this key.",
"description":"A key with the role `ingest` or `accounts` sees the settings `tz`, `session_timeout_seconds`, `client_webhooks`, `local_variables` and `auth_methods` only.",
"tags":["app"],
"x-role":"any",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The app.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["app","name","created_at","settings","role"],"additionalProperties":false,"properties":{"app":{"type":"integer","minimum":1},"name":{"type":"string"},"created_at":{"type":"string","format":"date-time"},"settings":{"allOf":[{"$ref":"#/components/schemas/Settings"}],"required":["tz","session_timeout_seconds","client_webhooks","local_variables","auth_methods"]},"role":{"enum":["ingest","read","send","accounts","data","admin","operator"]}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"changeOwnApp",
"summary":"Changes settings of this key's app, all or none.",
"tags":["app"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SettingsChange"},"example":{"tz":"Europe/Berlin","retention_days":365}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/App"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues":{
"get":{
"operationId":"listIssues",
"summary":"Lists the app's crash issues.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"state","in":"query","description":"Only items in this state.","schema":{"$ref":"#/components/schemas/IssueState"}},{"name":"kind","in":"query","description":"Only issues of this kind.","schema":{"$ref":"#/components/schemas/CrashKind"}},{"name":"release","in":"query","description":"Only issues of this release: `2.1.0`, or as reports state it, `shop@2.1.0+57`; the build does not count.","schema":{"type":"string","maxLength":200}},{"name":"first_release","in":"query","description":"Only issues that first appeared in this release, in either form.","schema":{"type":"string","maxLength":200}},{"name":"environment","in":"query","description":"Only with a stored report of this environment.","schema":{"type":"string","maxLength":200}},{"name":"tag","in":"query","description":"Only with a stored report that has this tag or custom key, as `plan:pro`. Repeat it for several tags. One report must match all of\nthem, `environment` and `release`. Only reports received by version 0.2 or later are found.\n","schema":{"type":"array","maxItems":5,"items":{"type":"string","maxLength":2100,"pattern":"^[^:]+:"}}},{"name":"text","in":"query","description":"Only issues with this text in title or culprit.","schema":{"type":"string","maxLength":200}},{"name":"assignee","in":"query","description":"Only issues assigned to this person; empty for those assigned to nobody.","schema":{"type":"string","maxLength":200}},{"name":"user","in":"query","description":"Only issues that this user was affected by, or this installation in reports without a user. Only stored reports count.","schema":{"type":"string","maxLength":200}},{"name":"from","in":"query","description":"Only issues last seen at this time or later.","schema":{"$ref":"#/components/schemas/Moment"}},{"name":"to","in":"query","description":"Only issues last seen before this time.","schema":{"$ref":"#/components/schemas/Moment"}},{"name":"sort","in":"query","description":"The order: last or first seen most recently, most frequent, or most users first.","schema":{"enum":["last_seen","first_seen","count","users"],"default":"last_seen"}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","maxLength":200}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of issues.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Issue"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"changeIssues",
"summary":"Closes, mutes, opens or assigns up to 100 issues.",
"description":"Changes all issues that exist in one transaction, as `PATCH /v1/issues/{id}` changes one. The others are `not_found`.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["ids"],"anyOf":[{"required":["state"]},{"required":["assignee"]}],"additionalProperties":false,"properties":{"state":{"$ref":"#/components/schemas/IssueState"},"release":{"type":"string","minLength":1,"maxLength":200,"description":"With `closed`: fixed in this release; default the release or build after the newest one that crashed."},"until":{"type":"string","description":"With `muted`: a time, or relative to now such as `+7d`."},"until_count":{"type":"integer","minimum":1,"maximum":1000000000,"description":"With `muted`: the number of further crashes that unmute it."},"within":{"type":"integer","minimum":60,"maximum":31622400,"default":86400,"description":"With `until_count`: the window in seconds."},"assignee":{"type":["string","null"],"minLength":1,"maxLength":200,"description":"Who takes care of it, such as a name or an address; null for nobody."},"ids":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","minLength":1,"maxLength":256,"pattern":"^[^,]*$"}}}},"example":{"ids":["iss_11qP4WLyaXpe","iss_p76OfaZFVHyZ"],"state":"closed"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/IssueResults"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteIssues",
"summary":"Deletes up to 100 issues with their reports, notes and history.",
"description":"Deletes them one after the other, as `DELETE /v1/issues/{id}` deletes one. Those merged into others are `merged`. A request that was interrupted can be repeated.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"id","in":"query","required":true,"description":"The ID of an issue. Repeat it for several.","schema":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","maxLength":256}}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/IssueResults"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"get":{
"operationId":"showIssue",
"summary":"Returns an issue with its series, devices, variants and history.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Issue"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteIssue",
"summary":"Deletes an issue with its reports, notes and history.",
"description":"Later reports of its groups make a new issue. IDs of deleted reports stay deduplicated for at least seven days. Crash-free figures\nno longer include the reports. The ID of an issue that was merged into another is rejected\nwith 409, which names that issue. An interrupted deletion can be repeated.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"changeIssue",
"summary":"Closes, mutes, opens or assigns an issue.",
"description":"A closed issue opens again as *regressed* when it occurs in a release that is not older than the one it was fixed in; older releases\nleave it closed. A muted issue is counted without alerts, until a time or until a number of further crashes within a time.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","anyOf":[{"required":["state"]},{"required":["assignee"]}],"additionalProperties":false,"properties":{"state":{"$ref":"#/components/schemas/IssueState"},"release":{"type":"string","minLength":1,"maxLength":200,"description":"With `closed`: fixed in this release; default the release or build after the newest one that crashed."},"until":{"type":"string","description":"With `muted`: a time, or relative to now such as `+7d`."},"until_count":{"type":"integer","minimum":1,"maximum":1000000000,"description":"With `muted`: the number of further crashes that unmute it."},"within":{"type":"integer","minimum":60,"maximum":31622400,"default":86400,"description":"With `until_count`: the window in seconds."},"assignee":{"type":["string","null"],"minLength":1,"maxLength":200,"description":"Who takes care of it, such as a name or an address; null for nobody."}}},"example":{"state":"closed","release":"2.1.1"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Issue"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/events":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"get":{
"operationId":"listIssueEvents",
"summary":"Lists the crashes of an issue, the newest first.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"variant","in":"query","description":"Only crashes of this variant.","schema":{"type":"string","maxLength":64}},{"name":"release","in":"query","description":"Only crashes of this release: `2.1.0`, or as reports state it, `shop@2.1.0+57`; the build does not count.","schema":{"type":"string","maxLength":200}},{"name":"environment","in":"query","description":"Only with a stored report of this environment.","schema":{"type":"string","maxLength":200}},{"name":"tag","in":"query","description":"Only with a stored report that has this tag or custom key, as `plan:pro`. Repeat it for several tags. One report must match all of\nthem, `environment` and `release`. Only reports received by version 0.2 or later are found.\n","schema":{"type":"array","maxItems":5,"items":{"type":"string","maxLength":2100,"pattern":"^[^:]+:"}}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","maxLength":200}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of crashes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/Crash"}],"unevaluatedProperties":false}},"next":{"type":"string"}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/events/{event}":{
"parameters":[{"$ref":"#/components/parameters/issue-id"},{"name":"event","in":"path","required":true,"description":"The ID of a crash, or `latest` for the newest with a stored report.","schema":{"type":"string","minLength":1,"maxLength":64}}],
"get":{
"operationId":"showCrash",
"summary":"Returns a crash with its report and the preceding events of its session.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The crash.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/CrashFields"}],"type":"object","unevaluatedProperties":false,"properties":{"report":{"$ref":"#/components/schemas/CrashReport"},"before":{"type":"array","maxItems":100,"description":"Events of its session, or of its user in the half hour before, oldest first. Missing if they could not be read in time.","items":{"$ref":"#/components/schemas/StoredEvent"}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/attachments/{id}":{
"parameters":[{"name":"id","in":"path","required":true,"description":"The ID of an attachment of a crash.","schema":{"type":"string","minLength":1,"maxLength":64}}],
"get":{
"operationId":"downloadAttachment",
"summary":"Downloads a file that was sent with a crash.",
"description":"The bytes as sent, always as `application/octet-stream` and as a download, so that a browser neither shows nor runs them.\n404 also for files that are not stored; `GET /v1/issues/{id}/events` lists them with the reason.\n",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Content-Disposition":{"description":"`attachment` with the name of the file.","schema":{"type":"string"}},"X-Content-Type-Options":{"description":"`nosniff`","schema":{"type":"string"}}},"content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/events/{event}/minidump":{
"parameters":[{"$ref":"#/components/parameters/issue-id"},{"name":"event","in":"path","required":true,"description":"The ID of a crash.","schema":{"type":"string","minLength":1,"maxLength":64}}],
"get":{
"operationId":"downloadMinidump",
"summary":"Downloads the minidump of a crash.",
"description":"As sent, always as `application/octet-stream` and as a download. It has memory of the user's process. 404 also for\ndumps that are no longer stored.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The minidump.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Content-Disposition":{"description":"`attachment` with the crash's ID as the name.","schema":{"type":"string"}},"X-Content-Type-Options":{"description":"`nosniff`","schema":{"type":"string"}}},"content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/regroup":{
"post":{
"operationId":"regroupIssues",
"summary":"Divides issues by the newest grouping rule.",
"description":"Goes through up to 200 issues, a transaction each; send `next` as `after` for the others. Only\nwhat an older rule put together is divided: its largest part that belongs to no other issue keeps\nID, state, notes and older counts. Each other part becomes an issue in the same state, or joins\nthe issue that has it already. Merges and splits by users remain. No alerts are sent, and a\nrepetition changes nothing.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"dry_run","in":"query","description":"Shows what would change, and changes nothing.","schema":{"type":"boolean","default":false}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string","pattern":"^[0-9]{1,18}$"}}],
"requestBody":{"description":"May be empty.","required":false,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"dry_run":{"type":"boolean","default":false,"description":"As in the query."}}},"example":{"dry_run":true}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The issues that change.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/RegroupedIssue"}},"next":{"type":"string","description":"The cursor of the next page; absent behind the last issue."}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/merge":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"post":{
"operationId":"mergeIssues",
"summary":"Merges other issues into this one.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["issues"],"additionalProperties":false,"properties":{"issues":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","minLength":1,"maxLength":64}}}},"example":{"issues":["iss_7Qk2"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Issue"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/split":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"post":{
"operationId":"splitIssue",
"summary":"Splits a variant off into a new issue.",
"description":"The new issue has the ID of the merged issue that the variant came from, if it came from one and the ID is not in use again. Notes\nand history stay with this issue.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["variant"],"additionalProperties":false,"properties":{"variant":{"type":"string","minLength":1,"maxLength":64,"description":"The `id` of one of its variants."}}},"example":{"variant":"17"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Issue"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/notes":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"post":{
"operationId":"noteIssue",
"summary":"Adds a note to an issue.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["text"],"additionalProperties":false,"properties":{"text":{"type":"string","minLength":1,"maxLength":4000},"author":{"type":"string","minLength":1,"maxLength":100}}},"example":{"text":"Seen on the beta as well.","author":"ann"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Issue"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/symbols":{
"get":{
"operationId":"listSymbols",
"summary":"Lists the app's symbol files by debug ID.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","maxLength":48}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of symbol files.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/SymbolFile"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"putSourceMap",
"summary":"Uploads the source map of a release's minified file; waiting crashes are resolved again.",
"description":"For files without a debug ID. The map is used for frames of the release whose URL without query and fragment is `url`; `~/` stands\nfor any scheme and host, so `~/static/app.min.js` covers `https://shop.example/static/app.min.js` and `app:///static/app.min.js`.\nWith `dist`, the map is used for reports of that distribution only. It gets an ID made from release, distribution and URL.\nRepeating an upload is harmless. At most `crashes.symbol_file`, and 128 MiB, without a content coding (415).\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"release","in":"query","required":true,"description":"The release as reports state it.","schema":{"type":"string","minLength":1,"maxLength":250},"example":"shop@2.1.0"},{"name":"url","in":"query","required":true,"description":"The URL of the minified file.","schema":{"type":"string","minLength":1,"maxLength":1024},"example":"~/static/app.min.js"},{"name":"dist","in":"query","description":"The distribution or build as reports state it.","schema":{"type":"string","minLength":1,"maxLength":64}}],
"requestBody":{"required":true,"content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A map was stored before.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","minItems":1,"maxItems":16,"description":"One per build in the file; a fat file has several.","items":{"$ref":"#/components/schemas/SymbolFile"}}}}}}},"201":{"description":"The map is stored.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","minItems":1,"maxItems":16,"description":"One per build in the file; a fat file has several.","items":{"$ref":"#/components/schemas/SymbolFile"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/symbols/missing":{
"get":{
"operationId":"listMissingSymbols",
"summary":"Lists missing symbol files, those with the most waiting crashes first.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","maxLength":200,"pattern":"^[0-9]+[.].+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Only the app's own binaries, minified files and mappings; symbols of the system are not available.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":1000,"items":{"type":"object","required":["debug_id","crashes","first_seen","last_seen"],"additionalProperties":false,"properties":{"debug_id":{"$ref":"#/components/schemas/DebugID"},"name":{"type":"string"},"architecture":{"type":"string"},"crashes":{"type":"integer","minimum":1,"description":"The number of waiting crashes."},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"}}}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/symbols/{debug_id}":{
"parameters":[{"name":"debug_id","in":"path","required":true,"description":"The build's debug ID, as printed by `dwarfdump --uuid` and `readelf -n`, or in the `MODULE` line of a Breakpad file; the UUID of a mapping as the app reports it, or the ID of a source map.","schema":{"$ref":"#/components/schemas/DebugID"}}],
"put":{
"operationId":"putSymbols",
"summary":"Uploads the symbol file of a build; waiting crashes are symbolicated again.",
"description":"A Mach-O dSYM, thin or fat, an ELF file with DWARF, Breakpad's text, a source map, or a mapping of R8 or ProGuard. The format is\nrecognised by the content. The file must contain the debug ID of the path; a mapping and a source map without an ID of their own\nbelong to that ID. Repeating an upload is harmless. At most `crashes.symbol_file` (1 GiB), without a content coding (415). A source\nmap may have 128 MiB, a mapping 512 MiB.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The build's symbols were stored before.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","minItems":1,"maxItems":16,"description":"One per build in the file; a fat file has several.","items":{"$ref":"#/components/schemas/SymbolFile"}}}}}}},"201":{"description":"The file is stored.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","minItems":1,"maxItems":16,"description":"One per build in the file; a fat file has several.","items":{"$ref":"#/components/schemas/SymbolFile"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteSymbols",
"summary":"Deletes the symbols of a build. Symbolicated crashes stay.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/api/{app}/envelope/":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, if it is neither in `X-Sentry-Auth` nor in `Authorization`.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEnvelope",
"summary":"Stores an envelope of a Sentry SDK.",
"description":"Any Content-Type is read as an envelope. `event` items become crash reports. `session` items become the events\n`session_start` and, once ended, `session_end` or `session_crash`. An attachment of the type `event.minidump` completes the\nevent, or is one of its own, as at `/api/{app}/minidump/`. `sessions` and `client_report` items are counted; all other\nitems are skipped and counted by type in `signalbox_sentry_items_total`. An event has at most 1 MiB. While the daemon shuts\ndown, the connection ends without a response.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/x-sentry-envelope":{"schema":{"type":"string","format":"binary"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/{app}/store/":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, if it is neither in `X-Sentry-Auth` nor in `Authorization`.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEvent",
"summary":"Stores an event of a Sentry SDK.",
"description":"The format of older SDKs: JSON, or JSON compressed by zlib and encoded as Base64.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/{app}/minidump/":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, if it is neither in `X-Sentry-Auth` nor in `Authorization`.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryMinidump",
"summary":"Stores a minidump of Crashpad, Breakpad or sentry-native.",
"description":"A form with the dump as `upload_file_minidump`, in at most 256 parts and 16 MiB as sent and decompressed. The event may be JSON\nin `sentry` (long ones in `sentry__1`, `sentry__2`, …), fields such as `sentry[user][id]`, or MessagePack in `__sentry-event`.\nOther fields become custom keys, other files attachments. A dump without an event ID counts once by its content.\n\nThe dump becomes a fatal crash with its fault, threads and binaries. One that cannot be read becomes a crash with the title\n`Minidump that cannot be read` and the reason.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","required":["upload_file_minidump"],"properties":{"upload_file_minidump":{"type":"string","format":"binary"},"sentry":{"type":"string"}},"additionalProperties":true}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"description":"The crash and the dump are durable; the event's ID.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/plain":{"schema":{"type":"string"},"example":"7fd08401-fdfb-4f35-babf-279a338aec19"}}}}
}
},
"/api/0/organizations/{org}/chunk-upload/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"sentryUploadSettings",
"summary":"Returns the chunk limits for `sentry-cli`.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The limits and formats of chunks.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryUploadSettings"}}}}}
},
"post":{
"operationId":"sendSentryPieces",
"summary":"Stores chunks of symbol files, each under the SHA-1 of its uncompressed bytes.",
"description":"A chunk is stored for an hour; all chunks together have at most `crashes.symbol_file` bytes.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","additionalProperties":true}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The chunks are stored.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/api/0/projects/{org}/{app}/files/difs/assemble/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}},{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"assembleSentryFiles",
"summary":"Assembles symbol files from their chunks and stores them like `PUT /v1/symbols/{debug_id}`.",
"description":"A file without symbols, such as a stripped binary, is reported as `ok` and not stored.",
"tags":["integrations"],
"x-role":"admin",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","maxProperties":1000,"description":"By the SHA-1 of the whole file.","additionalProperties":{"type":"object","required":["chunks"],"properties":{"name":{"type":"string"},"debug_id":{"type":"string"},"chunks":{"type":"array","minItems":1,"maxItems":16384,"items":{"type":"string","pattern":"^[0-9a-f]{40}$"}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The state of each file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/SentryFileState"}}}}}}
}
},
"/api/0/organizations/{org}/artifactbundle/assemble/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"assembleSentryBundle",
"summary":"Assembles a bundle of source maps from its chunks and stores each map by debug ID, and by release and URL.",
"description":"`sentry-cli sourcemaps upload` sends a ZIP archive with a `manifest.json`. A map is stored together with its minified file,\nwhose declarations name functions. ZIP64 and encryption are rejected, and a bundle may unpack to `crashes.symbol_file`.\n",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["checksum","chunks"],"properties":{"checksum":{"type":"string","pattern":"^[0-9a-f]{40}$","description":"The SHA-1 of the bundle."},"chunks":{"type":"array","minItems":1,"maxItems":16384,"items":{"type":"string","pattern":"^[0-9a-f]{40}$"}},"projects":{"type":"array","maxItems":100,"items":{"type":["string","integer"]},"description":"If given, one of them is the name or number of the key's app."},"version":{"type":"string","minLength":1,"maxLength":250,"description":"The release."},"dist":{"type":"string","maxLength":64}}}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The state of the bundle.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryFileState"}}}}}
}
},
"/api/0/organizations/{org}/releases/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"listSentryReleases",
"summary":"Lists the 100 newest releases: those that were announced, and those that reports name.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The releases, the newest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","maxItems":100,"items":{"$ref":"#/components/schemas/SentryRelease"}}}}}}
},
"post":{
"operationId":"announceSentryRelease",
"summary":"Announces a release, as `sentry-cli releases new` does.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["version"],"properties":{"version":{"type":"string","minLength":1,"maxLength":250},"projects":{"type":"array","maxItems":100,"items":{"type":["string","integer"]},"description":"If given, one of them is the name or number of the key's app."},"dateStarted":{"type":"string","format":"date-time"},"dateReleased":{"type":"string","format":"date-time"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"201":{"description":"The release is stored.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryRelease"}}}}}
}
},
"/api/0/organizations/{org}/releases/{version}/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}},{"name":"version","in":"path","required":true,"description":"The release, such as `shop@2.1.0+57`.","schema":{"type":"string","minLength":1,"maxLength":250}}],
"get":{
"operationId":"getSentryRelease",
"summary":"Returns a release that was announced or that reports name.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The release.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryRelease"}}}},"404":{"$ref":"#/components/responses/SentryRefusal"}}
},
"put":{
"operationId":"changeSentryRelease",
"summary":"Finalizes a release, as `sentry-cli releases finalize` does. Commits are accepted but not stored.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"projects":{"type":"array","maxItems":100,"items":{"type":["string","integer"]},"description":"If given, one of them is the name or number of the key's app."},"dateStarted":{"type":"string","format":"date-time"},"dateReleased":{"type":"string","format":"date-time"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The release.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryRelease"}}}}}
},
"delete":{
"operationId":"deleteSentryRelease",
"summary":"Forgets an announced release. Its reports and source maps stay.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"204":{"$ref":"#/components/responses/Done"}}
}
},
"/api/0/organizations/{org}/releases/{version}/previous-with-commits/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}},{"name":"version","in":"path","required":true,"description":"The release, such as `shop@2.1.0+57`.","schema":{"type":"string","minLength":1,"maxLength":250}}],
"get":{
"operationId":"getSentryCommits",
"summary":"Returns an empty object: commits are not stored.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"No release.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/api/0/organizations/{org}/repos/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"listSentryRepositories",
"summary":"Returns an empty list: repositories are not stored.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"No repositories.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","maxItems":0}}}}}
}
},
"/api/0/projects/{org}/{app}/releases/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}},{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"listSentryReleasesOfProject",
"summary":"Lists the releases of the app in the path, like the list of the organization.",
"tags":["integrations"],
"x-role":"admin",
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The releases, the newest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","maxItems":100,"items":{"$ref":"#/components/schemas/SentryRelease"}}}}}}
}
},
"/api/{app}/envelope":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, if it is neither in `X-Sentry-Auth` nor in `Authorization`.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEnvelopePlain",
"summary":"Stores an envelope of a Sentry SDK.",
"description":"Any Content-Type is read as an envelope. `event` items become crash reports. `session` items become the events\n`session_start` and, once ended, `session_end` or `session_crash`. An attachment of the type `event.minidump` completes the\nevent, or is one of its own, as at `/api/{app}/minidump/`. `sessions` and `client_report` items are counted; all other\nitems are skipped and counted by type in `signalbox_sentry_items_total`. An event has at most 1 MiB. While the daemon shuts\ndown, the connection ends without a response.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/x-sentry-envelope":{"schema":{"type":"string","format":"binary"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/{app}/store":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, if it is neither in `X-Sentry-Auth` nor in `Authorization`.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEventPlain",
"summary":"Stores an event of a Sentry SDK.",
"description":"The format of older SDKs: JSON, or JSON compressed by zlib and encoded as Base64.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/{app}/minidump":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, if it is neither in `X-Sentry-Auth` nor in `Authorization`.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryMinidumpPlain",
"summary":"Stores a minidump of Crashpad, Breakpad or sentry-native.",
"description":"A form with the dump as `upload_file_minidump`, in at most 256 parts and 16 MiB as sent and decompressed. The event may be JSON\nin `sentry` (long ones in `sentry__1`, `sentry__2`, …), fields such as `sentry[user][id]`, or MessagePack in `__sentry-event`.\nOther fields become custom keys, other files attachments. A dump without an event ID counts once by its content.\n\nThe dump becomes a fatal crash with its fault, threads and binaries. One that cannot be read becomes a crash with the title\n`Minidump that cannot be read` and the reason.\n",
"tags":["integrations"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","required":["upload_file_minidump"],"properties":{"upload_file_minidump":{"type":"string","format":"binary"},"sentry":{"type":"string"}},"additionalProperties":true}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"description":"The crash and the dump are durable; the event's ID.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/plain":{"schema":{"type":"string"},"example":"7fd08401-fdfb-4f35-babf-279a338aec19"}}}}
}
},
"/api/0/organizations/{org}/chunk-upload":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"sentryUploadSettingsPlain",
"summary":"Returns the chunk limits for `sentry-cli`.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The limits and formats of chunks.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryUploadSettings"}}}}}
},
"post":{
"operationId":"sendSentryPiecesPlain",
"summary":"Stores chunks of symbol files, each under the SHA-1 of its uncompressed bytes.",
"description":"A chunk is stored for an hour; all chunks together have at most `crashes.symbol_file` bytes.",
"tags":["integrations"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","additionalProperties":true}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The chunks are stored.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/api/0/projects/{org}/{app}/files/difs/assemble":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}},{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"assembleSentryFilesPlain",
"summary":"Assembles symbol files from their chunks and stores them like `PUT /v1/symbols/{debug_id}`.",
"description":"A file without symbols, such as a stripped binary, is reported as `ok` and not stored.",
"tags":["integrations"],
"x-role":"admin",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","maxProperties":1000,"description":"By the SHA-1 of the whole file.","additionalProperties":{"type":"object","required":["chunks"],"properties":{"name":{"type":"string"},"debug_id":{"type":"string"},"chunks":{"type":"array","minItems":1,"maxItems":16384,"items":{"type":"string","pattern":"^[0-9a-f]{40}$"}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"The state of each file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/SentryFileState"}}}}}}
}
},
"/v1/devices":{
"post":{
"operationId":"registerDevice",
"summary":"Registers a device, or renews its registration.",
"description":"The same `token` renews a registration: given fields replace the stored ones, and its age starts over. So does `replaces`, the\ntoken that the device had: subscriptions and pending messages stay, and the device has `token`, or a generated one, from then\non. The old token is no longer valid. If both tokens are registered, one registration with the topics and pending messages of\nboth remains. A `send` or `admin` key also renews by installation and endpoint. The ID token of the device's owner does so, too; the\ndevice then gets a new token. Any other request makes a new registration.\n\n**Owner.** A device that is registered or changed with an ID token is *owned* by its user, until the session ends, the device names\nanother user, or `user_id` is null. One whose `user_id` comes with a `send` or `admin` key is owned by that user, too. Messages\nto `user` reach only owned devices, and pending ones are `removed` when the owner changes.\n\nApps register at every start. A device without contact for 30 days is stale, and after 270 days it is deleted (settings of the\ndaemon).\n\nThe token is a secret: its bearer may do everything that the device may. Messages to a `stream` are kept until they are\nread; messages to a `webhook` are posted, signed according to Standard Webhooks with `secret`. With an ingest key, webhooks\nare rejected with 403 unless the app's setting `client_webhooks` allows them, and their endpoints are verified first: until\nthen `state` is `pending` and messages wait.\n",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/NewDevice"},"examples":{"stream":{"value":{"installation_id":"my-phone","platform":"ios","app_version":"2.1.0","endpoint":{"type":"stream"}}},"webhook":{"value":{"platform":"server","endpoint":{"type":"webhook","url":"https://example.com/hook"}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The registration was renewed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Registered"},"example":{"token":"sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","state":"active"}}}},"201":{"description":"The registration is new.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Registered"},"example":{"token":"sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","secret":"whsec_Nj0VZ8yPq3WcX1sTf6uKbE5rLhMa7dQg2oCiYvJn4w4=","state":"active"}}},"links":{"subscribe":{"operationId":"changeTopicsOfDevice","parameters":{"token":"$response.body#/token"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"get":{
"operationId":"listDevices",
"summary":"Lists devices in the order of their registration.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"user","in":"query","description":"Only devices of this user.","schema":{"type":"string"}},{"name":"installation","in":"query","description":"Only devices of this installation.","schema":{"type":"string"}},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Devices"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/devices/{token}":{
"parameters":[{"$ref":"#/components/parameters/token"}],
"get":{
"operationId":"showDevice",
"summary":"Returns a device with its topics.",
"tags":["messages"],
"x-role":"ingest, read, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The device.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Device"}],"type":"object","required":["topics"],"unevaluatedProperties":false,"properties":{"topics":{"type":"array","description":"The topics, by name.","items":{"type":"string"}}}}}}},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"changeDevice",
"summary":"Changes the given fields of a device. An empty object renews its registration.",
"description":"If the endpoint changes, pending messages go to the new one. A `token` must equal the path's. `secret` is returned if a stream\nbecame a webhook.\n",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DeviceChange"},"example":{"user_id":"alice","app_version":"2.2.0"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The changed device.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Device"}],"type":"object","unevaluatedProperties":false,"properties":{"secret":{"$ref":"#/components/schemas/WebhookSecret"}}}}}},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"removeDevice",
"summary":"Removes a device; its pending messages are not sent.",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/devices/{token}/rotate-secret":{
"parameters":[{"$ref":"#/components/parameters/token"}],
"post":{
"operationId":"rotateSecret",
"summary":"Rotates a webhook's secret; the old one also signs for a day (a setting of the daemon).",
"description":"If the new secret is replaced again within its grace period, earlier secrets keep signing to the end of their own period,\nthe last four of them. A client that lost the response can therefore rotate again.\n\nWith an ingest key it is rejected with 403 unless the app's setting `client_webhooks` allows webhooks. A stream has no\nsecret and returns 409.\n",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/WebhookSecret"},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/devices/{token}/topics":{
"parameters":[{"$ref":"#/components/parameters/token"}],
"post":{
"operationId":"changeTopicsOfDevice",
"summary":"Subscribes a device to topics and unsubscribes it from others, all or none.",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","minProperties":1,"additionalProperties":false,"properties":{"subscribe":{"type":"array","maxItems":2000,"items":{"$ref":"#/components/schemas/TopicName"}},"unsubscribe":{"type":"array","maxItems":2000,"items":{"$ref":"#/components/schemas/TopicName"}}}},"example":{"subscribe":["news","weather.berlin"],"unsubscribe":["sport"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The numbers of new and removed subscriptions.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["subscribed","unsubscribed"],"additionalProperties":false,"properties":{"subscribed":{"type":"integer","minimum":0},"unsubscribed":{"type":"integer","minimum":0}}},"example":{"subscribed":2,"unsubscribed":1}}}},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/app/webhook-secret":{
"post":{
"operationId":"rotateAppSecret",
"summary":"Creates or rotates the app's webhook secret.",
"description":"The secret signs for webhooks that are registered from now on without their own secret or scheme. A replaced secret keeps\nsigning for a day (a setting of the daemon) in addition to the new one, as do the three before it, each to the end of its\nown day.\n",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"scheme":{"$ref":"#/components/schemas/SigningScheme"}}},"example":{"scheme":"v1"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/WebhookSecret"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/stream":{
"get":{
"operationId":"readStream",
"summary":"Streams the messages of a device without a webhook, or returns all pending ones.",
"description":"Without `poll`, server-sent events: waiting messages first, then new ones as they are sent. `event: message` has the message\nbody as data and a cursor as `id`. With `poll=1`, a line of JSON for each waiting message, with `cursor` added to the fields\nof the body; a response ends after 4 MiB, and the next one continues.\n\n`since` or `Last-Event-ID` acknowledges all messages up to that cursor; so does `POST /v1/stream/ack`. Unacknowledged\nmessages are delivered again by the next read, so a message may be delivered twice. At most 100 messages wait (a setting).\nBeyond that the oldest expire, and the next read begins with `event: gap` and `{\"missed\": N}`, or with the line `{\"cursor\":\n\"C\", \"type\": \"gap\", \"missed\": N}`, until that cursor or a later one is acknowledged.\n\nA comment is sent after 45 s without other data. A registration has at most four open streams; a fifth ends the first.\n",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"token","in":"query","required":true,"description":"The registration's token.","schema":{"$ref":"#/components/schemas/Token"}},{"name":"poll","in":"query","description":"`1` returns the pending messages and ends.","schema":{"enum":["0","1"]}},{"name":"since","in":"query","description":"The cursor to resume after; acknowledges all messages up to it.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}},{"name":"Last-Event-ID","in":"header","description":"Like `since`; browsers send it when they reconnect.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The messages.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/event-stream":{"schema":{"type":"string"}},"application/x-ndjson":{"schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/stream/ack":{
"post":{
"operationId":"acknowledgeStream",
"summary":"Acknowledges all messages up to a cursor.",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["token","cursor"],"additionalProperties":false,"properties":{"token":{"$ref":"#/components/schemas/Token"},"cursor":{"type":"string","pattern":"^[0-9]{1,18}$"}}},"example":{"token":"sbd_3kPzYb0Qx1mS9Lw7Nf4Td2VhRc6JgA8e","cursor":"4711"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Acknowledged; these messages are not delivered again."},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics":{
"get":{
"operationId":"listTopics",
"summary":"Lists topics with subscribers, by name.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of topics.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Topic"}},"next":{"type":"string","description":"The cursor of the next page, to be sent as `after`."}}},"example":{"items":[{"topic":"news","subscribers":1204,"created_at":"2026-11-21T08:33:29.071Z"}]}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}":{
"parameters":[{"$ref":"#/components/parameters/topic"}],
"get":{
"operationId":"showTopic",
"summary":"Returns a topic with its number of subscribers.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The topic.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Topic"}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}/subscribers":{
"parameters":[{"$ref":"#/components/parameters/topic"}],
"get":{
"operationId":"listSubscribers",
"summary":"Lists the devices of a topic in the order of their registration.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Devices"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}/subscribers/{token}":{
"parameters":[{"$ref":"#/components/parameters/topic"},{"$ref":"#/components/parameters/token"}],
"put":{
"operationId":"subscribeDevice",
"summary":"Subscribes a device to a topic; repeating it is harmless.",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"unsubscribeDevice",
"summary":"Unsubscribes a device from a topic; repeating it is harmless.",
"tags":["messages"],
"x-role":"ingest, send",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}/subscribe":{
"parameters":[{"$ref":"#/components/parameters/topic"}],
"post":{
"operationId":"subscribeMany",
"summary":"Subscribes up to 1,000 devices to a topic.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["tokens"],"additionalProperties":false,"properties":{"tokens":{"$ref":"#/components/schemas/Tokens"}}},"example":{"tokens":["sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","sbd_gone0000000000000000000000000000"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The result of each token, in order. Unregistered tokens are `refused`; the others are changed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["succeeded","failed","results"],"additionalProperties":false,"properties":{"succeeded":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"results":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"enum":["subscribed","unsubscribed","refused"]},"code":{"type":"string","description":"For a refused token: `unregistered` or `too_many_topics`."},"message":{"type":"string"}}}}}},"example":{"succeeded":1,"failed":1,"results":[{"result":"subscribed"},{"result":"refused","code":"unregistered","message":"There is no such registration."}]}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}/unsubscribe":{
"parameters":[{"$ref":"#/components/parameters/topic"}],
"post":{
"operationId":"unsubscribeMany",
"summary":"Unsubscribes up to 1,000 devices from a topic.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["tokens"],"additionalProperties":false,"properties":{"tokens":{"$ref":"#/components/schemas/Tokens"}}},"example":{"tokens":["sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","sbd_gone0000000000000000000000000000"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The result of each token, in order. Unregistered tokens are `refused`; the others are changed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["succeeded","failed","results"],"additionalProperties":false,"properties":{"succeeded":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"results":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"enum":["subscribed","unsubscribed","refused"]},"code":{"type":"string","description":"For a refused token: `unregistered` or `too_many_topics`."},"message":{"type":"string"}}}}}},"example":{"succeeded":1,"failed":1,"results":[{"result":"subscribed"},{"result":"refused","code":"unregistered","message":"There is no such registration."}]}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/messages":{
"post":{
"operationId":"publish",
"summary":"Sends a message to a topic, to tokens, to the devices that match a condition, or to those of a user.",
"description":"The response is sent when the message is durable, with the size of its audience; deliveries follow. Devices that subscribe later are\nnot reached, nor are devices that unsubscribe before their delivery is created. A topic without subscribers has an audience of 0, and\nso has a user without devices.\n\nWith `Idempotency-Key` a request can be retried: for 24 hours the same key and body return the same response and send once; the key\nwith another body is 409. With `send_at`, the audience is determined at that time; the response counts the current one.\n",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"Idempotency-Key","in":"header","description":"A key chosen by the client, unique per message.","schema":{"type":"string","minLength":1,"maxLength":255,"pattern":"^[ -~]+$"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/NewMessage"},"examples":{"topic":{"value":{"topic":"news","notification":{"title":"Breaking","body":"It rains"},"data":{"article":"17"},"label":"autumn"}},"tokens":{"value":{"tokens":["sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q"],"data":{"sync":"now"},"ttl":0}},"condition":{"value":{"condition":"'news' in topics && !('sport' in topics)","notification":{"title":"Quiz"},"send_at":"2026-12-01T08:00:00Z"}},"user":{"value":{"user":"kd93u5c1pz7w","notification":{"title":"Shipped","body":"Your order is on its way"}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The message is accepted, or with `validate_only` valid.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["id","audience"],"additionalProperties":false,"properties":{"id":{"type":"string","pattern":"^(msg_[0-9A-Za-z]+|validated)$"},"audience":{"type":"integer","minimum":0,"description":"The number of devices in the audience."},"unregistered":{"type":"array","description":"The indices in `tokens` of unregistered tokens, from 0.","minItems":1,"items":{"type":"integer","minimum":0,"maximum":999}}}},"example":{"id":"msg_3fGq9VxJ2LkPzR7cTn5YdW","audience":1204}}},"links":{"show":{"operationId":"showMessage","parameters":{"id":"$response.body#/id"}}}},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"get":{
"operationId":"listMessages",
"summary":"Lists the app's messages, the newest first.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of messages.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/Message"}],"unevaluatedProperties":false}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/messages/{id}":{
"parameters":[{"$ref":"#/components/parameters/message-id"}],
"get":{
"operationId":"showMessage",
"summary":"Returns a message with the counts of its deliveries by state, and of users who received and opened it.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The message.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Message"}],"type":"object","unevaluatedProperties":false,"properties":{"received":{"type":"integer","minimum":0,"description":"Users with an event `notification_receive` whose `message_id` is its ID. Missing if it could not be counted in time."},"opened":{"type":"integer","minimum":0,"description":"Users with an event `notification_open` whose `message_id` is its ID."}}},"example":{"id":"msg_3fGq9VxJ2LkPzR7cTn5YdW","target":{"topic":"news"},"notification":{"title":"Breaking","body":"It rains"},"data":{"article":"17"},"label":"autumn","priority":"normal","stage":"spread","created_at":"2026-11-21T08:33:29.071Z","sent_at":"2026-11-21T08:33:29.071Z","expires_at":"2026-12-19T08:33:29.071Z","audience":1204,"counts":{"pending":3,"retrying":1,"delivered":1200},"received":870,"opened":112}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"cancelMessage",
"summary":"Cancels a message; deliveries not sent yet are dropped.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/messages/{id}/redrive":{
"parameters":[{"$ref":"#/components/parameters/message-id"}],
"post":{
"operationId":"redriveMessage",
"summary":"Redrives all dead deliveries of a message; the time to live of an expired one starts again.",
"description":"If a device now reads a stream, they arrive there as new messages.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The number of redriven deliveries.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["redriven"],"additionalProperties":false,"properties":{"redriven":{"type":"integer","minimum":0}}},"example":{"redriven":3}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/deliveries":{
"get":{
"operationId":"listDeliveries",
"summary":"Lists deliveries, the newest first.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"message","in":"query","description":"Only deliveries of this message.","schema":{"type":"string"}},{"name":"device","in":"query","description":"Only deliveries to this device: its token, or the number at the end of its deliveries' IDs (`42` of `msg_…_42`), which works\nwhere tokens are masked and for devices that were removed.\n","schema":{"type":"string"}},{"name":"state","in":"query","description":"Only items in this state.","schema":{"$ref":"#/components/schemas/DeliveryState"}},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of deliveries.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Delivery"}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"404":{"description":"There is no such message (`not_found`) or device (`unregistered`) of the app.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":404},"code":{"enum":["not_found","unregistered"]}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/deliveries/{id}":{
"parameters":[{"$ref":"#/components/parameters/delivery-id"}],
"get":{
"operationId":"showDelivery",
"summary":"Returns a delivery with its attempts.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Delivery"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/deliveries/{id}/retry":{
"parameters":[{"$ref":"#/components/parameters/delivery-id"}],
"post":{
"operationId":"retryDelivery",
"summary":"Retries a dead or waiting delivery now.",
"description":"A delivery in another state, or of an unregistered device, is 409.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Delivery"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/apps":{
"get":{
"operationId":"listApps",
"summary":"Lists all apps.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of apps, ordered by ID.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/App"}],"unevaluatedProperties":false}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"createApp",
"summary":"Creates an app with a key for each role.",
"description":"The `read`, `send` and `admin` keys are shown only in this response.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/AppName"},"example":{"name":"My App"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The app and its keys.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/App"}],"required":["keys"],"unevaluatedProperties":false,"properties":{"keys":{"type":"object","required":["ingest","read","send","admin"],"additionalProperties":false,"properties":{"ingest":{"$ref":"#/components/schemas/Secret"},"read":{"$ref":"#/components/schemas/Secret"},"send":{"$ref":"#/components/schemas/Secret"},"admin":{"$ref":"#/components/schemas/Secret"}}}}}}}},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/apps/{app}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"get":{
"operationId":"showApp",
"summary":"Returns an app.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/App"}}
},
"patch":{
"operationId":"changeApp",
"summary":"Renames an app, or changes its settings.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"oneOf":[{"$ref":"#/components/schemas/AppName"},{"$ref":"#/components/schemas/SettingsChange"}]},"example":{"name":"Our App"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/App"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteApp",
"summary":"Deletes an app with its keys and users at once, and its events with the next retention round.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/v1/apps/{app}/keys":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"get":{
"operationId":"listKeys",
"summary":"Lists the keys of an app.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The keys; the secrets of `ingest` keys only, which are public by nature.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Key"}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"createKey",
"summary":"Creates a key.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/NewKey"},"example":{"role":"ingest","label":"the web page","origins":["https://example.com"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The key with its secret.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Key"}],"anyOf":[{"required":["key"]},{"required":["service_account"]}]}}},"links":{"revoke":{"operationId":"revokeKey","parameters":{"app":"$response.body#/app","key":"$response.body#/id"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/apps/{app}/keys/{key}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"key","in":"path","required":true,"description":"The `id` of a key.","schema":{"type":"integer","minimum":1,"maximum":9223372036854775807}}],
"delete":{
"operationId":"revokeKey",
"summary":"Revokes a key at once.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Revoked.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/v1/keys/{key}/rotate":{
"parameters":[{"name":"key","in":"path","required":true,"description":"The `id` of a key.","schema":{"type":"integer","minimum":1,"maximum":9223372036854775807}}],
"post":{
"operationId":"rotateKey",
"summary":"Creates the successor of a key; the old one stays valid for the overlap.",
"description":"The successor has the same role, label and restrictions. Without `expires_at` it lives as long as the old key was to live. A key has\none successor; rotate that one next. Service accounts cannot be rotated. The new key is shown only in this response, unless its role\nis `ingest`.\n",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"overlap":{"type":"string","pattern":"^[0-9]+[smhdw]$","default":"24h","description":"At most 90 days; `0s` ends the old key at once."},"expires_at":{"$ref":"#/components/schemas/Expiry"}}},"example":{"overlap":"7d"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The new key.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Key"}}}},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/audit":{
"get":{
"operationId":"listAuditEntries",
"summary":"Lists administrative actions, newest first.",
"description":"An entry names the action, its object, the key and role, the address, the time and the outcome. It is durable before the action\nbegins, and its outcome before the response. Exports go on without an entry while the disk is full. An entry whose outcome is\n`unfinished` belongs to an action that is running, or that the end of the daemon interrupted. Requests that a key's role does not allow are counted in one entry per key and hour, `role.denied`.\n\nEntries are kept for a year, at most 100,000 per app. Users and installations appear as keyed hashes, so that an erasure stays\none; `user` and `installation` find their entries by the ID. The operator also sees actions of the whole daemon, and entries of\ndeleted apps.\n",
"tags":["app"],
"x-role":"admin",
"parameters":[{"name":"app","in":"query","description":"For the operator: only entries of this app, by ID or name. A key sees its own app.","schema":{"type":"string"}},{"name":"action","in":"query","description":"Only this action.","schema":{"$ref":"#/components/schemas/AuditAction"}},{"name":"key_id","in":"query","description":"Only actions with the key of this ID.","schema":{"type":"integer","minimum":0}},{"name":"user","in":"query","description":"Only actions about this user.","schema":{"type":"string"}},{"name":"installation","in":"query","description":"Only actions about this installation.","schema":{"type":"string"}},{"name":"from","in":"query","description":"Only entries of this time or later.","schema":{"$ref":"#/components/schemas/Moment"}},{"name":"to","in":"query","description":"Only entries before this time.","schema":{"$ref":"#/components/schemas/Moment"}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","pattern":"^[0-9]+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of entries.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/AuditEntry"}}}},"example":{"items":[{"id":31,"at":"2026-11-21T12:00:00.123Z","action":"person.erase","app":1,"key":4,"role":"admin","address":"192.0.2.7","person":"9f86d081884c7d65","outcome":"done","status":200,"count":1}]}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/sign-up":{
"post":{
"operationId":"signUp",
"summary":"Creates an account with email address and password, and its first session.",
"description":"The address is not verified. An address that has an account is 409 `email_exists`. With the ID token of an anonymous user as bearer\nthat account gets the address and the password: 200, the same user ID, and all its earlier sessions end. With the app's setting\n`auth_verified_only` the response is 202 for every address, and a mail follows whose code creates the account or gives the anonymous\none its address (kind `sign_up`); `continue_url` and `locale` are for that mail.\n",
"tags":["accounts"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["email","password"],"additionalProperties":false,"properties":{"email":{"type":"string","minLength":3,"maxLength":254,"description":"An email address with a domain in ASCII. It is compared without regard to case, and stored in Unicode's form NFC."},"password":{"type":"string","minLength":6,"description":"8 to 1,024 bytes of UTF-8, 6 in development; the commonest passwords are rejected."},"name":{"type":["string","null"],"maxLength":256},"continue_url":{"type":"string","maxLength":1024},"locale":{"type":"string","maxLength":35},"installation_id":{"type":"string","minLength":1,"maxLength":256,"description":"The installation, which becomes the user's, and whose later sign-ins are limited apart from those of strangers."}}},"example":{"email":"ana@example.org","password":"correct horse battery"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Session"},"201":{"$ref":"#/components/responses/Session"},"202":{"$ref":"#/components/responses/MailRequested"},"409":{"$ref":"#/components/responses/EmailExists"},"422":{"$ref":"#/components/responses/InvalidAccount"}}
}
},
"/v1/auth/sign-in":{
"post":{
"operationId":"signIn",
"summary":"Begins a session.",
"description":"`password` takes `email` and `password`; a wrong password, an unknown address and an account without a password are the same 401\n`invalid_credentials` after the same time. `anonymous` makes an account without anything. `custom_token` takes `token`, a JWT that a\nserver signed with a service account of this app with the role `accounts` (RS256; `iss` and `sub` the account, `aud` Firebase's\n`…IdentityToolkit` or the issuer of ID tokens, `uid`, `claims`, at most an hour); a missing account is created. `id_token` takes\n`provider`, `token` (an ID token that Google, Apple or another provider issued for the app), the raw `nonce` if one was used, and\n`name`, which counts for a new account. It signs in to the account that has this user of the provider, else to the one whose address\nthe provider proves, else to a new one. A proved address that the account had never verified drops its password, identities and\nsessions first; an address of an account that is not proved is 409 `account_exists`. With an ID token of ours as bearer, a new user of\nthe provider is linked to its account. `code` takes `code`, from a mail of the kind `sign_in`: the text of its link, or its digits together\nwith `email`; a missing account is created. If nobody had proved the address before, everything that the account's maker could sign in\nwith is dropped. With an ID token of ours as bearer, `code` gives its user the address instead, which `email`\nthen repeats: an anonymous user becomes an account and\nkeeps the user ID, its earlier sessions end, and others need a sign-in within the last five minutes; an address of another account is 409\n`email_exists`, and the code stays valid. 201 means a new account. 202 asks for the code of a second factor, except with `custom_token`,\nfor which the server vouches. Methods must be named in the app's setting `auth_methods`.\n",
"tags":["accounts"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["method"],"additionalProperties":false,"properties":{"method":{"enum":["password","anonymous","custom_token","id_token","code"]},"email":{"type":"string"},"password":{"type":"string"},"token":{"type":"string","maxLength":16384},"code":{"type":"string"},"provider":{"type":"string","description":"Such as `google.com` or `oidc.corp`."},"nonce":{"type":"string","description":"The raw nonce; the token has it or its SHA-256 in hexadecimal."},"name":{"type":["string","null"],"maxLength":256,"description":"Of `id_token` only."},"installation_id":{"type":"string","minLength":1,"maxLength":256,"description":"The installation, which becomes the user's, and whose later sign-ins are limited apart from those of strangers."}}},"example":{"method":"password","email":"ana@example.org","password":"correct horse battery"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/ProviderUnavailable"},"200":{"$ref":"#/components/responses/Session"},"201":{"$ref":"#/components/responses/Session"},"202":{"$ref":"#/components/responses/PendingSignIn"},"409":{"$ref":"#/components/responses/IdentityTaken"},"422":{"$ref":"#/components/responses/InvalidMailCode"}}
}
},
"/v1/auth/second-factor":{
"post":{
"operationId":"finishSignIn",
"summary":"Finishes a sign-in with the code of a second factor.",
"description":"A code of an authenticator app counts half a minute before and after its time, and once. A recovery code counts once. A pending sign-in\ntakes five codes within five minutes, then it is 401 `session_ended`; an account takes ten codes in fifteen minutes.\n",
"tags":["accounts"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["pending","code"],"additionalProperties":false,"properties":{"pending":{"type":"string","description":"From the response of the sign-in."},"factor":{"type":"string","description":"The `id` of a factor, or `recovery` for a recovery code; any authenticator app of the account without it."},"code":{"type":"string"}}},"example":{"pending":"pending_9f2c…","code":"287082"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Session"},"409":{"$ref":"#/components/responses/IdentityTaken"},"422":{"$ref":"#/components/responses/InvalidCode"}}
}
},
"/v1/auth/codes":{
"post":{
"operationId":"requestCode",
"summary":"Sends a code by mail.",
"description":"The mail has a link, and eight digits to type. The response is the same for strangers, in content and time: 202 once the request is\ndurable. `verify_email` confirms the address of an account, `reset_password` sets a new password, and `sign_in` begins a session, of a\nnew account if the address has none. `change_email` needs the user's ID token as the bearer and a sign-in within the last five\nminutes; the mail goes to the new address. With `continue_url` the link opens that page of the app with the parameters `mode`,\n`oobCode`, `apiKey` and `lang`, otherwise a page of the daemon. Its origin must be in the app's setting `auth_origins`. 501 without a\nmail server.\n",
"tags":["accounts"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["kind"],"additionalProperties":false,"properties":{"kind":{"enum":["verify_email","reset_password","sign_in","change_email"]},"email":{"type":"string","description":"The address that the mail goes to. A user who verifies the own one need not name it."},"continue_url":{"type":"string","maxLength":1024},"locale":{"type":"string","maxLength":35,"description":"The language of the mail, such as `de` or `pt-BR`."}}},"example":{"kind":"reset_password","email":"ana@example.org"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"202":{"$ref":"#/components/responses/MailRequested"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/InvalidAccount"}}
}
},
"/v1/auth/codes/redeem":{
"post":{
"operationId":"redeemCode",
"summary":"Redeems a code of a mail, once.",
"description":"`code` is the text of the link (`oobCode`), or eight digits together with `email`. After five wrong digits for an address only links\nwork. A code that sets a password is redeemed with `new_password`; without it, the response says what the code is for. A `sign_in`\ncode is redeemed by `POST /v1/auth/sign-in` with the method `code`. Everything but `verify_email` and `sign_up` ends the sessions of\nthe account, except the one that asked for `change_email`.\n",
"tags":["accounts"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["code"],"additionalProperties":false,"properties":{"code":{"type":"string"},"email":{"type":"string"},"new_password":{"type":"string","minLength":6,"description":"8 to 1,024 bytes of UTF-8, 6 in development; the commonest passwords are rejected."}}},"example":{"code":"4821 0937","email":"ana@example.org","new_password":"correct horse battery"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What the code is for, and whether it was redeemed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RedeemedCode"}}}},"409":{"$ref":"#/components/responses/EmailExists"},"422":{"$ref":"#/components/responses/InvalidMailCode"}}
}
},
"/v1/auth/action":{
"get":{
"operationId":"showAction",
"summary":"The page that a mail's link opens. It uses nothing up.",
"tags":["accounts"],
"x-role":"none",
"security":[],
"parameters":[{"name":"oobCode","in":"query","description":"The code of the link.","schema":{"type":"string"}},{"name":"lang","in":"query","description":"The language of the page.","schema":{"type":"string"}},{"name":"mode","in":"query","description":"What the link is for, as Firebase's clients read it; not used.","schema":{"type":"string"}},{"name":"apiKey","in":"query","description":"The app's project, as Firebase's clients read it; not used.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"$ref":"#/components/responses/ActionPage"},"422":{"$ref":"#/components/responses/ActionPage"}}
},
"post":{
"operationId":"carryOutAction",
"summary":"The button of the page: redeems the code.",
"tags":["accounts"],
"x-role":"none",
"security":[],
"requestBody":{"required":true,"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"oobCode":{"type":"string"},"lang":{"type":"string"},"new_password":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/ActionPage"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"$ref":"#/components/responses/ActionPage"},"409":{"$ref":"#/components/responses/ActionPage"},"422":{"$ref":"#/components/responses/ActionPage"}}
}
},
"/v1/auth/token":{
"post":{
"operationId":"refreshSession",
"summary":"Uses a refresh token: returns a new ID token and the next refresh token.",
"description":"Each refresh token is used once. The one before the newest is answered again within a minute, and later if its answer was lost. Any\nother use shows that two parties hold tokens of the session: it ends, with 401 `session_ended`. The session then belongs to the ingest\nkey of this request.\n",
"tags":["accounts"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["refresh_token"],"additionalProperties":false,"properties":{"refresh_token":{"type":"string"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Session"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/sign-out":{
"post":{
"operationId":"signOut",
"summary":"Ends the session of a refresh token, or all sessions of its account.",
"description":"ID tokens of ended sessions are rejected at once. A session that ended before is no error.\n",
"tags":["accounts"],
"x-role":"ingest",
"security":[{"bearer":[]},{"basic":[]},{"ingest-key":[]}],
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["refresh_token"],"additionalProperties":false,"properties":{"refresh_token":{"type":"string"},"everywhere":{"type":"boolean","default":false}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/state":{
"get":{
"operationId":"readSessionState",
"summary":"Streams what a signed-in client must know of its session, or returns the present state.",
"description":"Server-sent events, each within a second of its cause. `event: changed`: the ID token is out of date, so refresh the session now.\n`event: signed_out`: the session has ended, with the reason as `{\"why\": \"disabled\"}`; then the stream ends. The same is sent at\nthe beginning if it happened before. With `poll=1` the present state as JSON.\n\nThe stream ends with the ID token, unless the session was refreshed meanwhile. Comments keep it open. A session has at most four\nstreams; a fifth ends the first. The token of a session that has ended is accepted here until it expires.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"parameters":[{"name":"poll","in":"query","description":"`1` returns the present state and ends.","schema":{"enum":["0","1"]}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The state.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/event-stream":{"schema":{"type":"string"}},"application/json":{"schema":{"$ref":"#/components/schemas/SessionState"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user":{
"get":{
"operationId":"ownAccount",
"summary":"Returns the signed-in user.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The user.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/UserAccount"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"changeOwnAccount",
"summary":"Changes name and picture of the signed-in user; null removes.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"name":{"type":["string","null"],"maxLength":256},"photo_url":{"type":["string","null"],"maxLength":2048,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://","description":"A URL of HTTP or HTTPS."}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The user.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/UserAccount"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteOwnAccount",
"summary":"Deletes the account of the signed-in user.",
"description":"Needs a sign-in within the last five minutes, unless the user is anonymous. All sessions end. The data under the user ID in other stores is\nerased, anonymised or kept, as the app's setting `on_account_deleted` says; data of installations without the user ID stays.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user/password":{
"post":{
"operationId":"setOwnPassword",
"summary":"Sets the password of the signed-in user.",
"description":"Needs a sign-in within the last five minutes. All other sessions end, and ID tokens from before are void for `/v1/auth/verify`.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["password"],"additionalProperties":false,"properties":{"password":{"type":"string","minLength":6,"description":"8 to 1,024 bytes of UTF-8, 6 in development; the commonest passwords are rejected."}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Session"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/InvalidAccount"}}
}
},
"/v1/auth/user/email":{
"post":{
"operationId":"changeOwnEmail",
"summary":"Sends a code to a new address of the signed-in user.",
"description":"As `change_email` of `POST /v1/auth/codes`. The address changes when the code is redeemed. The former address, if it was verified, gets\na mail with a link that undoes the change for seven days.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["email"],"additionalProperties":false,"properties":{"email":{"type":"string"},"continue_url":{"type":"string","maxLength":1024},"locale":{"type":"string","maxLength":35}}},"example":{"email":"ana@new.example"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"202":{"$ref":"#/components/responses/MailRequested"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/InvalidAccount"}}
}
},
"/v1/auth/user/factors":{
"get":{
"operationId":"listOwnFactors",
"summary":"Lists the second factors of the signed-in user.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The factors, without their secrets.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["factors","recovery_codes"],"additionalProperties":false,"properties":{"factors":{"type":"array","items":{"$ref":"#/components/schemas/SecondFactor"}},"recovery_codes":{"type":"integer","minimum":0,"maximum":10,"description":"Unused recovery codes."}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"addOwnFactor",
"summary":"Adds an authenticator app to the account of the signed-in user.",
"description":"Needs a sign-in within the last five minutes. The app is asked for once its first code is confirmed, within fifteen minutes. It replaces\none that was never confirmed. An account has at most five.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["kind"],"additionalProperties":false,"properties":{"kind":{"enum":["totp"]},"name":{"type":["string","null"],"maxLength":256}}},"example":{"kind":"totp","name":"Phone"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The factor with its secret, which no other response shows.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"no-store"}}},"content":{"application/json":{"schema":{"type":"object","required":["factor","secret","url"],"additionalProperties":false,"properties":{"factor":{"$ref":"#/components/schemas/SecondFactor"},"secret":{"type":"string","description":"In base 32, to be typed."},"url":{"type":"string","description":"`otpauth://…`, to be shown as a QR code."}}}}}},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user/factors/{id}":{
"parameters":[{"name":"id","in":"path","required":true,"description":"The `id` of a second factor.","schema":{"type":"string","minLength":1}}],
"delete":{
"operationId":"removeOwnFactor",
"summary":"Removes a second factor of the signed-in user; with the last one the recovery codes.",
"description":"Needs a sign-in within the last five minutes. All other sessions end.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user/factors/{id}/confirm":{
"parameters":[{"name":"id","in":"path","required":true,"description":"The `id` of a second factor.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"confirmOwnFactor",
"summary":"Confirms a second factor by its first code.",
"description":"Needs a sign-in within the last five minutes. All other sessions end. With the first confirmed factor the response has ten recovery codes,\nwhich no other response shows.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["code"],"additionalProperties":false,"properties":{"code":{"type":"string"}}},"example":{"code":"287082"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The factor.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"no-store"}}},"content":{"application/json":{"schema":{"type":"object","required":["factor"],"additionalProperties":false,"properties":{"factor":{"$ref":"#/components/schemas/SecondFactor"},"recovery_codes":{"type":"array","items":{"type":"string"},"description":"Only of the first confirmed factor."}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/InvalidCode"}}
}
},
"/v1/auth/user/recovery-codes":{
"post":{
"operationId":"makeRecoveryCodes",
"summary":"Makes ten recovery codes, which replace all earlier ones.",
"description":"Needs a sign-in within the last five minutes, and a confirmed second factor.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The codes, which no other response shows.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"no-store"}}},"content":{"application/json":{"schema":{"type":"object","required":["recovery_codes"],"additionalProperties":false,"properties":{"recovery_codes":{"type":"array","items":{"type":"string"}}}}}}},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user/identities":{
"get":{
"operationId":"listOwnIdentities",
"summary":"Lists the users of identity providers with which the signed-in user can sign in.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"All identities, by provider.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/AccountIdentity"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"linkIdentity",
"summary":"Links a user of an identity provider to the account of the signed-in user.",
"description":"Needs a sign-in within the last five minutes, unless the user is anonymous. An anonymous user keeps the user ID; its earlier sessions\nend. An account has one user of each provider.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["provider","token"],"additionalProperties":false,"properties":{"provider":{"type":"string"},"token":{"type":"string","maxLength":16384,"description":"An ID token that the provider issued for the app."},"nonce":{"type":"string"},"name":{"type":["string","null"],"maxLength":256,"description":"Kept if the account has no name."}}},"example":{"provider":"apple.com","token":"eyJ…","nonce":"6f1c…"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/ProviderUnavailable"},"200":{"$ref":"#/components/responses/Session"},"409":{"$ref":"#/components/responses/IdentityTaken"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user/identities/{provider}":{
"parameters":[{"name":"provider","in":"path","required":true,"description":"A way to sign in: an element of the user's `providers`.","schema":{"type":"string","minLength":1}}],
"delete":{
"operationId":"unlinkIdentity",
"summary":"Removes a way to sign in: a user of a provider, or `password`.",
"description":"Needs a sign-in within the last five minutes. The last way is 409. All other sessions end, and ID tokens from before are void for\n`/v1/auth/verify`.\n",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Session"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user/sessions":{
"get":{
"operationId":"listOwnSessions",
"summary":"Lists the sessions of the signed-in user, newest first.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"All sessions.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/AccountSession"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"endOtherSessions",
"summary":"Ends all sessions of the signed-in user but this one.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/user/sessions/{session}":{
"parameters":[{"name":"session","in":"path","required":true,"description":"The `id` of a session.","schema":{"type":"string"}}],
"delete":{
"operationId":"endOwnSession",
"summary":"Ends a session of the signed-in user.",
"tags":["accounts"],
"x-role":"user",
"security":[{"id-token":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/accounts":{
"get":{
"operationId":"listAccounts",
"summary":"Lists accounts in the order of their creation.",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"email","in":"query","description":"Only the account with this address.","schema":{"type":"string"}},{"name":"search","in":"query","description":"Only accounts with this user ID, or whose address begins with this text; without further pages.","schema":{"type":"string","maxLength":320}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","pattern":"^[0-9]+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of accounts.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/Account"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"createAccount",
"summary":"Creates an account.",
"description":"With `password` an address is required. In production passwords have at least 8 bytes.\n",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string","minLength":1,"maxLength":128},"email":{"type":"string"},"email_verified":{"type":"boolean"},"password":{"type":"string"},"name":{"type":["string","null"],"maxLength":256},"photo_url":{"type":["string","null"],"maxLength":2048,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://","description":"A URL of HTTP or HTTPS."},"phone":{"type":["string","null"],"pattern":"^\\+[0-9]{7,15}$"},"disabled":{"type":"boolean"},"invite":{"type":"boolean","default":false,"description":"Whether the user gets a mail to choose a password; needs `email`."},"claims":{"type":["object","null"],"description":"Further claims of ID tokens, at most 1,000 bytes, without names that tokens use themselves."}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The account.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Account"}}}},"409":{"$ref":"#/components/responses/EmailExists"},"422":{"$ref":"#/components/responses/InvalidAccount"}}
}
},
"/v1/auth/accounts/{uid}":{
"parameters":[{"name":"uid","in":"path","required":true,"description":"The `id` of an account.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"getAccount",
"summary":"Returns an account with its sessions.",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The account.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Account"}],"required":["sessions"]}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"changeAccount",
"summary":"Changes an account; null removes.",
"description":"A new password, a new address and `disabled` end all sessions.\n",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"email":{"type":["string","null"]},"email_verified":{"type":"boolean"},"password":{"type":["string","null"]},"name":{"type":["string","null"],"maxLength":256},"photo_url":{"type":["string","null"],"maxLength":2048,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://","description":"A URL of HTTP or HTTPS."},"phone":{"type":["string","null"],"pattern":"^\\+[0-9]{7,15}$"},"disabled":{"type":"boolean"},"claims":{"type":["object","null"],"description":"Further claims of ID tokens, at most 1,000 bytes, without names that tokens use themselves."}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The account.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Account"}}}},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/EmailExists"},"422":{"$ref":"#/components/responses/InvalidAccount"}}
},
"delete":{
"operationId":"deleteAccount",
"summary":"Deletes an account.",
"description":"The app's setting `on_account_deleted` decides about the data under the user ID in other stores.\n",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/accounts/{uid}/sign-out":{
"parameters":[{"name":"uid","in":"path","required":true,"description":"The `id` of an account.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"signOutAccount",
"summary":"Ends all sessions of an account.",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/accounts/{uid}/reset":{
"parameters":[{"name":"uid","in":"path","required":true,"description":"The `id` of an account.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"resetAccount",
"summary":"Sends the user of an account a mail for a new password.",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"202":{"$ref":"#/components/responses/MailRequested"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/accounts/{uid}/factors":{
"parameters":[{"name":"uid","in":"path","required":true,"description":"The `id` of an account.","schema":{"type":"string","minLength":1}}],
"delete":{
"operationId":"removeFactors",
"summary":"Removes the second factors and recovery codes of an account, for a user who lost them.",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/accounts/import":{
"post":{
"operationId":"importAccounts",
"summary":"Adds the accounts of another product or of an export, some thousand at a time.",
"description":"The body has at most 64 MiB: lines of JSON, a list of objects, or an export of Firebase (`{\"users\": […]}`). An entry has the fields of\nthe native API (`id`, `email`, `email_verified`, `name`, `photo_url`, `phone`, `anonymous`, `disabled`, `claims`, `created_at`,\n`last_sign_in_at`, `identities`, `password_hash`, `password_salt`), of Firebase (`localId`, `providerUserInfo`, `passwordHash`, …) or\nof Supabase (`encrypted_password`, `raw_user_meta_data`, …). An identity has `provider`, `subject` and `email`. A hash of bcrypt or Argon2 is a text as others store it; for other hashes the first\nentry must be `{\"hash\": {…}}` with `algorithm` (`SCRYPT`, `STANDARD_SCRYPT`, `BCRYPT`, `PBKDF_SHA1`, `PBKDF2_SHA256`, `SHA1`,\n`SHA256`, `SHA512`, `MD5`, `HMAC_…`), `signer_key`, `salt_separator`, `rounds`, `memory_cost`, `block_size`, `parallelization` and\n`order` (`salt_first`, `password_first`). Fast hashes are put inside Argon2id before they are stored, some 50 a second. Entries\nthat cannot be added are in `errors`; the others are added.\n",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"replace","in":"query","description":"Whether an account with the same ID is replaced; its sessions end.","schema":{"enum":["true","false"]}}],
"requestBody":{"required":true,"content":{"application/x-ndjson":{"schema":{"type":"string"}},"application/json":{"schema":{"type":"array","items":{"type":"object"}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The number of added accounts, and the first 100 errors.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["added","failed","errors"],"additionalProperties":false,"properties":{"added":{"type":"integer"},"failed":{"type":"integer"},"errors":{"type":"array","maxItems":100,"items":{"type":"object","required":["index","code","detail"],"additionalProperties":false,"properties":{"index":{"type":"integer","description":"The number of the entry, from 0."},"id":{"type":"string"},"code":{"enum":["invalid","id_taken","email_taken","phone_taken","identity_taken","factor_unreadable","being_erased"]},"detail":{"type":"string"}}}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/accounts/export":{
"get":{
"operationId":"exportAccounts",
"summary":"Streams all accounts as lines that an import reads.",
"description":"With `secrets=true`, for keys with the role `admin`, the lines have password hashes, second factors, recovery codes\n(hashed) and the newest sessions. The first line names the `accounts.key` that sealed them: such an export can be imported by a\ndaemon with the same key only.\n",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"secrets","in":"query","description":"Whether the lines have password hashes and the other parts.","schema":{"enum":["true","false"]}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The accounts in the order of their creation.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/x-ndjson":{"schema":{"type":"string"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/verify":{
"post":{
"operationId":"verifyIDToken",
"summary":"Checks an ID token of the app and returns its claims.",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["id_token"],"additionalProperties":false,"properties":{"id_token":{"type":"string"},"check_revoked":{"type":"boolean","default":false,"description":"Whether an ended session and a disabled or deleted account are errors, too."}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooManyAttempts"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/NotSignedIn"},"403":{"$ref":"#/components/responses/SignInForbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The claims as they were signed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/IDTokenClaims"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/figures":{
"get":{
"operationId":"accountFigures",
"summary":"Counts accounts, and sign-ups, sign-ins and failures by day and method.",
"description":"Days are those of UTC; the default range is the last 30. A failure is a wrong password of an existing account.\n",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"from","in":"query","description":"The start of the range.","schema":{"$ref":"#/components/schemas/Moment"}},{"name":"to","in":"query","description":"The end of the range, exclusive.","schema":{"$ref":"#/components/schemas/Moment"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The figures.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/AccountFigures"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/audit":{
"get":{
"operationId":"listAccountEvents",
"summary":"Lists what happened to accounts, newest first.",
"description":"Events are kept for 180 days (setting). After an erasure they name a random text instead of the user.\n",
"tags":["accounts"],
"x-role":"accounts",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"user","in":"query","description":"Only events of this account.","schema":{"type":"string"}},{"name":"event","in":"query","description":"Only this event.","schema":{"$ref":"#/components/schemas/AccountEventKind"}},{"name":"from","in":"query","description":"Only events of this time or later.","schema":{"$ref":"#/components/schemas/Moment"}},{"name":"to","in":"query","description":"Only events before this time.","schema":{"$ref":"#/components/schemas/Moment"}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The cursor of the previous page.","schema":{"type":"string","pattern":"^[0-9]+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of events.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/AccountEvent"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/keys":{
"get":{
"operationId":"listSigningKeys",
"summary":"Lists the keys that sign ID tokens.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"All keys.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/SigningKey"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/keys/rotate":{
"post":{
"operationId":"rotateSigningKeys",
"summary":"Replaces the key that signs ID tokens.",
"description":"The next key is published now and signs in a day. With `now` it signs at once, and all present ID tokens are void.\n",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"now":{"type":"boolean","default":false}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"All keys.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/SigningKey"}}}}}}},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/auth/{project}/.well-known/openid-configuration":{
"parameters":[{"name":"project","in":"path","required":true,"description":"The app's project: its setting, or its number.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"discoverIssuer",
"summary":"Describes the issuer of the app's ID tokens for OpenID Connect libraries.",
"tags":["accounts"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The document of OpenID Connect Discovery.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"public, max-age=3600"}},"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},"content":{"application/json":{"schema":{"type":"object","required":["issuer","jwks_uri"]}}}},"404":{"$ref":"#/components/responses/NotFound"}}
}
},
"/v1/auth/{project}/jwks.json":{
"parameters":[{"name":"project","in":"path","required":true,"description":"The app's project: its setting, or its number.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"listPublicKeys",
"summary":"Returns the public keys of ID tokens as a JWK set.",
"tags":["accounts"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The keys; none before the first account.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"public, max-age=3600"}},"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},"content":{"application/json":{"schema":{"type":"object","required":["keys"],"properties":{"keys":{"type":"array","items":{"type":"object","required":["kty","kid","n","e"]}}}}}}},"404":{"$ref":"#/components/responses/NotFound"}}
}
},
"/v1/auth/{project}/certs":{
"parameters":[{"name":"project","in":"path","required":true,"description":"The app's project: its setting, or its number.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"listCertificates",
"summary":"Returns the public keys of ID tokens as certificates.",
"tags":["accounts"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"Certificates in PEM by key ID.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"public, max-age=3600"}},"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"type":"string"}}}}},"404":{"$ref":"#/components/responses/NotFound"}}
}
},
"/v1/documents/{path}":{
"parameters":[{"name":"path","in":"path","required":true,"description":"The path of a document, such as `users/u1`, or of a collection, such as `users`. Its slashes are not encoded.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"getDocument",
"summary":"Returns a document, or a page of the documents of a collection in the order of their IDs.",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"at","in":"query","description":"The stamp of an earlier state, at most an hour old.","schema":{"type":"integer","minimum":0}},{"name":"fields","in":"query","description":"The path of a field to return; may be repeated.","schema":{"type":"array","maxItems":100,"items":{"type":"string"}}},{"name":"limit","in":"query","description":"For a collection.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}},{"name":"If-None-Match","in":"header","description":"The `ETag` of a document that the client has; 304 if that is still its state.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/TooExpensive"},"200":{"description":"The document, or the page.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"description":"The document's version, in quotes. A page has none.","schema":{"type":"string"}}},"content":{"application/json":{"schema":{"oneOf":[{"type":"object","required":["path","fields","version","created"],"additionalProperties":false,"properties":{"path":{"type":"string"},"fields":{"type":"object"},"version":{"$ref":"#/components/schemas/Stamp"},"created":{"$ref":"#/components/schemas/Stamp"}}},{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"type":"object","required":["path","fields","version","created"],"additionalProperties":false,"properties":{"path":{"type":"string"},"fields":{"type":"object"},"version":{"$ref":"#/components/schemas/Stamp"},"created":{"$ref":"#/components/schemas/Stamp"}}}},"next":{"type":"string"}}}]}}}},"304":{"description":"The client has the document already.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"setDocument",
"summary":"Replaces a document, with `merge` the fields of the body, or with `fields` those that are named.",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"merge","in":"query","schema":{"type":"boolean","default":false}},{"name":"fields","in":"query","description":"The path of a field to set, or to remove if the body lacks it; may be repeated, not beside `merge`. Other fields of the body count for nothing.","schema":{"type":"array","maxItems":100,"items":{"type":"string"}}},{"name":"If-Match","in":"header","description":"The version that the document must have, in quotes, or `*`.","schema":{"type":"string"}},{"name":"If-None-Match","in":"header","description":"`*` for a document that must not be there.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["fields"],"additionalProperties":false,"properties":{"fields":{"type":"object"}}},"example":{"fields":{"name":"Ann"}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["path","version"],"additionalProperties":false,"properties":{"path":{"type":"string"},"version":{"$ref":"#/components/schemas/Stamp"},"transforms":{"type":"array","items":{}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/DocumentConflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"updateDocument",
"summary":"Changes the fields of a document whose paths the body names.",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"If-Match","in":"header","description":"The version that the document must have, in quotes, or `*`.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["fields"],"additionalProperties":false,"properties":{"fields":{"type":"object"}}},"example":{"fields":{"address.city":"Bonn"}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["path","version"],"additionalProperties":false,"properties":{"path":{"type":"string"},"version":{"$ref":"#/components/schemas/Stamp"},"transforms":{"type":"array","items":{}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/DocumentConflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteDocument",
"summary":"Deletes a document. Its collections stay, unless `recursive` is true.",
"description":"With `recursive` a key with the role `data` also deletes all documents below it, in commits of at most 500, and the document itself\nlast. Documents that others add meanwhile may stay. The precondition is checked before and with the last commit. An interrupted request\nis sent again.\n",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"recursive","in":"query","description":"Whether documents below are deleted, too.","schema":{"type":"boolean","default":false}},{"name":"If-Match","in":"header","description":"The version that the document must have, in quotes, or `*`.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Durable; also if there was none.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/DocumentConflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"addDocument",
"summary":"Adds a document with an ID of the server to a collection.",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["fields"],"additionalProperties":false,"properties":{"fields":{"type":"object"}}},"example":{"fields":{"name":"Ann"}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"Durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["path","version"],"additionalProperties":false,"properties":{"path":{"type":"string"},"version":{"$ref":"#/components/schemas/Stamp"},"transforms":{"type":"array","items":{}}}}}}},"409":{"$ref":"#/components/responses/DocumentConflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:commit":{
"post":{
"operationId":"commitDocuments",
"summary":"Makes writes of documents, all or none.",
"description":"Each write has one of `set`, `update`, `delete` and `verify` with the document's path. `set` replaces all fields, with `merge` those\nthat it has; `update` takes paths such as `address.city` and needs the document. `if` is the precondition `{\"exists\": true}`,\n`{\"exists\": false}` or `{\"version\": V}`. The same commit with `client` and `batch` is applied once, however often it is sent, and\nalways gets the answer of the first time; a client numbers its batches in rising order.\n\nValues are JSON: a number with neither fraction nor exponent is an integer of 64 bits, all others are doubles. Other types are\ntags: `{\"$time\": \"2026-11-23T10:00:00.000001Z\"}`, `{\"$bytes\": base64}`, `{\"$ref\": \"users/u1\"}`, `{\"$geo\": [latitude, longitude]}`,\n`{\"$vector\": [1.5, 2]}` and `{\"$double\": \"NaN\"}` (also `\"Infinity\"`, `\"2\"`). In `fields` of a write, at any depth of maps, may also\nbe `{\"$now\": true}`, `{\"$increment\": 1}`, `{\"$max\": 9}`, `{\"$min\": 0}`, `{\"$union\": […]}`, `{\"$remove\": […]}`, and in updates and\nmerges `{\"$delete\": true}`. An update refuses a deletion within a map that it replaces as a whole; it takes the path, `\"a.b\"`. A field whose name begins with `$` is written with `$$`.\n\n`reads` (a path and the version that was read, 0 for none) and `queries` (a query and the stamp of its result) make the commit a\ntransaction: it is 409 `conflict` if one of them would be read differently now. Then read again with `retry`, and send the `hold`\nthat the answer has. A commit with a hold is made at once and ends it; others wait for the holds of their documents, for 2 s at most.\n",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"writes":{"type":"array","maxItems":5000,"items":{"type":"object","additionalProperties":false,"properties":{"set":{"$ref":"#/components/schemas/DocumentPath"},"update":{"$ref":"#/components/schemas/DocumentPath"},"delete":{"$ref":"#/components/schemas/DocumentPath"},"verify":{"$ref":"#/components/schemas/DocumentPath"},"fields":{"type":"object","description":"The fields of `set` and `update`."},"merge":{"type":"boolean","default":false,"description":"For `set`."},"if":{"type":"object","additionalProperties":false,"properties":{"exists":{"type":"boolean"},"version":{"$ref":"#/components/schemas/Stamp"}}}}}},"reads":{"type":"array","maxItems":5000,"items":{"type":"object","required":["path","version"],"additionalProperties":false,"properties":{"path":{"$ref":"#/components/schemas/DocumentPath"},"version":{"$ref":"#/components/schemas/Stamp"}}}},"queries":{"type":"array","maxItems":100,"items":{"type":"object","required":["query","stamp"],"additionalProperties":false,"properties":{"query":{"$ref":"#/components/schemas/DocumentQuery"},"stamp":{"$ref":"#/components/schemas/Stamp"}}}},"client":{"type":"string","minLength":1,"maxLength":128,"description":"An ID of the installation, with `batch`."},"batch":{"type":"integer","minimum":0},"hold":{"$ref":"#/components/schemas/DocumentHold"}}},"example":{"writes":[{"set":"users/u1","fields":{"name":"Ann","visits":{"$increment":1}},"merge":true},{"update":"orders/o7","fields":{"state":"paid","paid.at":{"$now":true}},"if":{"version":1795428000000001}}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Durable. `results` are those of the writes, in order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["stamp","results"],"additionalProperties":false,"properties":{"stamp":{"$ref":"#/components/schemas/Stamp"},"results":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{"version":{"allOf":[{"$ref":"#/components/schemas/Stamp"}],"description":"The document's version; missing if there is none now. A write that changes nothing keeps it."},"transforms":{"type":"array","description":"The results of transforms, in the order of their fields in the request; null for `$union` and `$remove`.","items":{}}}}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/DocumentConflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:get":{
"post":{
"operationId":"getDocuments",
"summary":"Returns documents by path, all of one version of the database.",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["paths"],"additionalProperties":false,"properties":{"paths":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/DocumentPath"}},"at":{"$ref":"#/components/schemas/PastStamp"},"retry":{"$ref":"#/components/schemas/TransactionRetry"},"hold":{"$ref":"#/components/schemas/DocumentHold"}}},"example":{"paths":["users/u1","users/u2"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The documents in the order of the paths; one that is not there has its path only.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["stamp","documents"],"additionalProperties":false,"properties":{"stamp":{"$ref":"#/components/schemas/Stamp"},"documents":{"type":"array","items":{"type":"object","required":["path"],"additionalProperties":false,"properties":{"path":{"type":"string"},"fields":{"type":"object"},"version":{"$ref":"#/components/schemas/Stamp"},"created":{"$ref":"#/components/schemas/Stamp"}}}},"hold":{"$ref":"#/components/schemas/DocumentHold"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:query":{
"post":{
"operationId":"queryDocuments",
"summary":"Returns the documents of a collection, or of all collections with an ID, that match conditions.",
"description":"Results are those of Firestore: a document without the field of an order or inequality is absent, `!=` and `not-in` leave out null,\nand fields of inequalities and the name are appended to the orders. `[\"x\", \"==\", null]` finds nulls.\n",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/DocumentQuery"}],"type":"object","properties":{"at":{"$ref":"#/components/schemas/PastStamp"},"explain":{"type":"boolean","default":false,"description":"Adds how the result was found; for keys with the role data."},"retry":{"$ref":"#/components/schemas/TransactionRetry"},"hold":{"$ref":"#/components/schemas/DocumentHold"}}},"example":{"from":"products","where":{"and":[["price",">=",10],["tags","contains","a"]]},"order":[["price","desc"]],"limit":20}}}},
"responses":{"400":{"$ref":"#/components/responses/QueryInvalid"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/TooExpensive"},"200":{"description":"The documents in order, all of one version of the database.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["stamp","documents"],"additionalProperties":false,"properties":{"stamp":{"$ref":"#/components/schemas/Stamp"},"documents":{"type":"array","items":{"type":"object","required":["path","fields","version","created"],"additionalProperties":false,"properties":{"path":{"type":"string"},"fields":{"type":"object"},"version":{"$ref":"#/components/schemas/Stamp"},"created":{"$ref":"#/components/schemas/Stamp"}}}},"hold":{"$ref":"#/components/schemas/DocumentHold"},"explain":{"$ref":"#/components/schemas/QueryExplanation"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:aggregate":{
"post":{
"operationId":"aggregateDocuments",
"summary":"Returns counts, sums, averages, minima and maxima over the result of a query.",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/DocumentQuery"}],"type":"object","required":["aggregates"],"properties":{"aggregates":{"type":"object","minProperties":1,"maxProperties":5,"description":"By a name of your own, one of `{\"count\": true}`, `{\"count\": LIMIT}`, `{\"sum\": FIELD}`, `avg`, `min` and `max`.","additionalProperties":{"type":"object","minProperties":1,"maxProperties":1,"additionalProperties":false,"properties":{"count":{"oneOf":[{"const":true},{"type":"integer","minimum":1}]},"sum":{"type":"string"},"avg":{"type":"string"},"min":{"type":"string"},"max":{"type":"string"}}}},"at":{"$ref":"#/components/schemas/PastStamp"},"explain":{"type":"boolean","default":false,"description":"Adds how the result was found; for keys with the role data."}}},"example":{"from":"orders","aggregates":{"orders":{"count":true},"revenue":{"sum":"amount"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/QueryInvalid"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/TooExpensive"},"200":{"description":"A value for each aggregate. Documents without a field of one of them do not count. The average, minimum and maximum of nothing are null.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["stamp","values"],"additionalProperties":false,"properties":{"stamp":{"$ref":"#/components/schemas/Stamp"},"values":{"type":"object"},"explain":{"$ref":"#/components/schemas/QueryExplanation"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:indexes":{
"get":{
"operationId":"listDocumentIndexes",
"summary":"Lists the indexes of documents.",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The indexes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentIndexes"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"declareDocumentIndexes",
"summary":"Replaces the indexes of documents by those of a `firestore.indexes.json`.",
"description":"Documents that exist get their entries in the background; queries examine all documents until then. Fields have no indexes by\nthemselves: declare one with `fieldOverrides`, or an index with one field.\nAn override with `ttl` sets the field of expiry of its collections, or with false removes it; one without indexes keeps queries from\nteaching an index on the field. Indexes for vectors, texts and other products of Google are left out and listed in the answer.\n",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"indexes":{"type":"array","maxItems":200,"items":{"$ref":"#/components/schemas/DocumentIndex"}},"fieldOverrides":{"type":"array","maxItems":200,"items":{"type":"object","required":["collectionGroup","fieldPath"]}}}},"example":{"indexes":[{"collectionGroup":"orders","queryScope":"COLLECTION","fields":[{"fieldPath":"user","order":"ASCENDING"},{"fieldPath":"at","order":"DESCENDING"}]}],"fieldOverrides":[]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The indexes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentIndexes"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:persons":{
"get":{
"operationId":"listDocumentPersons",
"summary":"Lists the patterns of documents that belong to persons.",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The patterns.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentPersons"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"setDocumentPersons",
"summary":"Replaces the patterns of documents that belong to persons.",
"description":"Erasure and anonymisation of a user, and the export of a user, take the documents that a pattern gives to the user ID. The log of\nchanges forgets them at once; streams that resume from before begin anew.\n",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentPersons"},"example":{"patterns":[{"path":"users/{uid}/**"},{"collection":"orders","field":"owner","private":["address"]}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The patterns.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentPersons"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/uploads/{app}":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The app's ID, name or project.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"createUpload",
"summary":"Begins a resumable upload by tus 1.0, with its first bytes if the request has a body.",
"description":"`Upload-Metadata` names the file: `path` (or `filename`), `type` (or `filetype`); the rest are its metadata. Storage rules decide about\nusers and ingest keys now and once more at the end. `OPTIONS` lists the extensions.\n",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"Tus-Resumable","in":"header","required":true,"schema":{"const":"1.0.0"}},{"name":"Upload-Length","in":"header","description":"Required without `Upload-Defer-Length`.","schema":{"type":"integer","minimum":0}},{"name":"Upload-Defer-Length","in":"header","description":"The length comes later.","schema":{"const":"1"}},{"name":"Upload-Metadata","in":"header","required":true,"schema":{"type":"string","maxLength":16384}},{"name":"Upload-Checksum","in":"header","description":"Of the body: `sha1`, `sha256` or `crc32c`, and the sum in Base64.","schema":{"type":"string"}}],
"requestBody":{"required":false,"content":{"application/offset+octet-stream":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FileTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The upload has begun.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Tus-Resumable":{"schema":{"const":"1.0.0"}},"Location":{"description":"The upload; of the first response alone.","schema":{"type":"string"}},"Upload-Offset":{"schema":{"type":"integer","minimum":0}},"Upload-Expires":{"description":"The upload is removed then, if no request came.","schema":{"type":"string"}},"Upload-Pending-Until":{"description":"The upload is a file, and unreadable until this function allows it.","schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"},"460":{"description":"The bytes do not have the checksum; none of them were kept.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/v1/uploads/{app}/{id}":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The app's ID, name or project.","schema":{"type":"string","minLength":1}},{"name":"id","in":"path","required":true,"description":"The upload's ID, from `Location`.","schema":{"type":"string","minLength":32,"maxLength":32}},{"name":"X-HTTP-Method-Override","in":"header","description":"With `POST` as the method: the one that is meant, for clients that cannot send it.","schema":{"enum":["HEAD","PATCH","DELETE"]}}],
"head":{
"operationId":"getUploadOffset",
"summary":"Returns up to where an upload is on the disk.",
"description":"A request that still sends bytes of the upload is ended.",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"Tus-Resumable","in":"header","required":true,"schema":{"const":"1.0.0"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The offset to go on from.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Tus-Resumable":{"schema":{"const":"1.0.0"}},"Upload-Offset":{"schema":{"type":"integer","minimum":0}},"Upload-Length":{"description":"Missing if it is not known yet.","schema":{"type":"integer","minimum":0}},"Upload-Defer-Length":{"description":"The length is not known yet.","schema":{"const":"1"}},"Upload-Metadata":{"schema":{"type":"string"},"description":"That of the start; `path` and `type` come first."},"Upload-Pending-Until":{"description":"The upload is a file, and unreadable until this function allows it.","schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"appendToUpload",
"summary":"Sends bytes from an offset on; they are on the disk on response.",
"description":"With its last byte the upload is a file. What arrived before a connection broke stays, unless the request has a checksum.",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"Tus-Resumable","in":"header","required":true,"schema":{"const":"1.0.0"}},{"name":"Upload-Offset","in":"header","required":true,"schema":{"type":"integer","minimum":0}},{"name":"Upload-Length","in":"header","description":"Of an upload that began without one; it cannot change.","schema":{"type":"integer","minimum":0}},{"name":"Upload-Checksum","in":"header","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/offset+octet-stream":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FileTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Received.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Tus-Resumable":{"schema":{"const":"1.0.0"}},"Location":{"description":"The upload; of the first response alone.","schema":{"type":"string"}},"Upload-Offset":{"schema":{"type":"integer","minimum":0}},"Upload-Expires":{"description":"The upload is removed then, if no request came.","schema":{"type":"string"}},"Upload-Pending-Until":{"description":"The upload is a file, and unreadable until this function allows it.","schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"},"460":{"description":"The bytes do not have the checksum; none of them were kept.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
},
"delete":{
"operationId":"endUpload",
"summary":"Ends an upload without a file.",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"Tus-Resumable","in":"header","required":true,"schema":{"const":"1.0.0"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Ended.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/call/{app}/{name}":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The app's ID, name or project.","schema":{"type":"string","minLength":1}},{"name":"name","in":"path","required":true,"description":"The name of a function.","schema":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9_-]{0,62}$"}}],
"post":{
"operationId":"callFunction",
"summary":"Calls a function, with Firebase's callable protocol, and returns its result.",
"description":"The function's `auth` says who may call it: users with an ID token (`user`), keys with the role ingest or admin too (`any`), or\neverybody, also with another key (`none`); a bad token is 401 always. With\n`Accept: text/event-stream` the status is always 200, and each line begins with `data:`: messages of the function, then its\nresult or its error.\n",
"tags":["functions"],
"x-role":"ingest, read, send, accounts, data",
"parameters":[{"name":"Accept","in":"header","schema":{"type":"string"}},{"name":"Signalbox-Depth","in":"header","description":"That of the request which a function got, when it calls another one. At 8 the call is refused.","schema":{"type":"integer","minimum":0}},{"name":"Firebase-Instance-ID-Token","in":"header","description":"Passed on to functions with the format `firebase`.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["data"],"additionalProperties":false,"properties":{"data":{"description":"Any JSON, passed on untouched."}}},"example":{"data":{"order":"o-7"}}}}},
"responses":{"400":{"$ref":"#/components/responses/CallFailed"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/CallFailed"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/CallFailed"},"429":{"$ref":"#/components/responses/CallFailed"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/CallFailed"},"501":{"$ref":"#/components/responses/CallFailed"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/CallFailed"},"403":{"$ref":"#/components/responses/CallFailed"},"503":{"$ref":"#/components/responses/CallFailed"},"404":{"$ref":"#/components/responses/CallFailed"},"409":{"$ref":"#/components/responses/CallFailed"},"499":{"$ref":"#/components/responses/CallFailed"},"504":{"$ref":"#/components/responses/CallFailed"},"200":{"description":"The result as the function wrote it, or the stream.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"description":"Any JSON."}}}},"text/event-stream":{"schema":{"type":"string"}}}}}
}
},
"/v1/functions":{
"get":{
"operationId":"listFunctions",
"summary":"Lists the functions of an app by name.",
"tags":["functions"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The functions.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Function"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/functions/{name}":{
"parameters":[{"$ref":"#/components/parameters/function"}],
"get":{
"operationId":"showFunction",
"summary":"Returns a function with its secret and the number of its runs.",
"tags":["functions"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Function"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"putFunction",
"summary":"Creates or replaces a function.",
"description":"Runs under way go on with the old definition; those that wait get the new one. A new function gets a secret, which signs its requests\nas in Standard Webhooks, and keeps it. Only the operator names programs and grants `accounts`.\n",
"tags":["functions"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunctionDefinition"},"example":{"url":"https://api.example/receipt","timeout":30,"order":"{params.account}"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Function"},"201":{"$ref":"#/components/responses/Function"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteFunction",
"summary":"Deletes a function, its runs and its log.",
"tags":["functions"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/functions/{name}/tasks":{
"parameters":[{"$ref":"#/components/parameters/function"}],
"post":{
"operationId":"addTask",
"summary":"Adds a task, which the function carries out once it is due.",
"description":"The response comes when the task is on the disk. A function that is called with `Signalbox-Depth` passes the field on, so that a loop of\nfunctions ends after 8 runs with 429 `limit_reached`.\n",
"tags":["functions"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"Signalbox-Depth","in":"header","description":"The depth of the run that adds the task.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"data":{"description":"Any JSON of up to 256 KiB."},"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{1,500}$","description":"A second task with it within 24 hours is the first one again."},"at":{"type":"string","description":"The time before which it is not carried out, within 30 days: `2026-11-27T09:00:00Z`."},"key":{"type":"string","minLength":1,"maxLength":256,"description":"Tasks with the same key are carried out one after the other."}}},"example":{"data":{"order":"o-7"},"id":"receipt-o-7"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Task"},"201":{"$ref":"#/components/responses/Task"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/functions/{name}/tasks/{id}":{
"parameters":[{"$ref":"#/components/parameters/function"},{"name":"id","in":"path","required":true,"description":"The ID that the response to the task named.","schema":{"type":"string"}}],
"delete":{
"operationId":"deleteTask",
"summary":"Deletes a task that has not begun, or waits for a retry.",
"tags":["functions"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/functions:statistics":{
"get":{
"operationId":"getFunctionStatistics",
"summary":"Returns how often functions ran, how long it took, what waits and what failed.",
"tags":["functions"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":500}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The functions in the order of their names.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunctionStatistics"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/functions/{name}/runs":{
"parameters":[{"$ref":"#/components/parameters/function"}],
"get":{
"operationId":"listRuns",
"summary":"Lists runs of a function, newest first.",
"tags":["functions"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"state","in":"query","schema":{"$ref":"#/components/schemas/RunState"}},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The runs.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Run"}},"next":{"type":"string"}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/functions/{name}/redrive":{
"parameters":[{"$ref":"#/components/parameters/function"}],
"post":{
"operationId":"redriveFunction",
"summary":"Carries all dead runs of a function out again.",
"tags":["functions"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The number of runs.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["redriven"],"additionalProperties":false,"properties":{"redriven":{"type":"integer","minimum":0}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/functions/{name}/logs":{
"parameters":[{"$ref":"#/components/parameters/function"}],
"get":{
"operationId":"readFunctionLog",
"summary":"Returns the newest lines of a function's log, or those after a cursor; with `Accept: text/event-stream` it goes on.",
"description":"The stream has an event `line` for each line, with its cursor as `id`.",
"tags":["functions"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"},{"name":"run","in":"query","description":"The ID of a run: only its lines.","schema":{"type":"string"}},{"name":"Last-Event-ID","in":"header","description":"Like `after`.","schema":{"type":"string","pattern":"^[0-9]+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Lines, oldest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/LogLine"}},"next":{"type":"string","description":"The cursor of the lines that follow, also of those that do not exist yet."}}}},"text/event-stream":{"schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/runs/{id}":{
"parameters":[{"$ref":"#/components/parameters/run"}],
"get":{
"operationId":"showRun",
"summary":"Returns a run with its data and its attempts.",
"tags":["functions"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Run"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/runs/{id}/retry":{
"parameters":[{"$ref":"#/components/parameters/run"}],
"post":{
"operationId":"retryRun",
"summary":"Carries a dead run out again, or one that waits for a retry at once.",
"tags":["functions"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Run"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/{app}/us-central1/{name}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"$ref":"#/components/parameters/function"}],
"post":{
"operationId":"callFunctionAsEmulator",
"summary":"Calls a function at the path of Firebase's emulator, otherwise as `/v1/call/{app}/{name}`.",
"tags":["integrations"],
"x-role":"ingest",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["data"],"additionalProperties":false,"properties":{"data":{"description":"Any JSON, passed on untouched."}}},"example":{"data":{"order":"o-7"}}}}},
"responses":{"400":{"$ref":"#/components/responses/CallFailed"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/CallFailed"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/CallFailed"},"429":{"$ref":"#/components/responses/CallFailed"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/CallFailed"},"501":{"$ref":"#/components/responses/CallFailed"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/CallFailed"},"403":{"$ref":"#/components/responses/CallFailed"},"503":{"$ref":"#/components/responses/CallFailed"},"404":{"$ref":"#/components/responses/CallFailed"},"409":{"$ref":"#/components/responses/CallFailed"},"499":{"$ref":"#/components/responses/CallFailed"},"504":{"$ref":"#/components/responses/CallFailed"},"200":{"description":"The result as the function wrote it, or the stream.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"description":"Any JSON."}}}},"text/event-stream":{"schema":{"type":"string"}}}}}
}
},
"/projects/{app}/locations/{location}/queues/{name}/tasks":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"location","in":"path","required":true,"description":"Any text, such as us-central1.","schema":{"type":"string"}},{"$ref":"#/components/parameters/function"}],
"post":{
"operationId":"cloudTasksCreate",
"summary":"Adds a task to a function in the format of Cloud Tasks, as its emulator answers; 409 if its ID is taken.",
"tags":["integrations"],
"x-role":"send",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["task"],"properties":{"task":{"type":"object","required":["httpRequest"],"properties":{"name":{"type":"string","description":"The resource of the task; its last part is the ID, which is taken once in 24 hours."},"scheduleTime":{"type":"string","format":"date-time"},"httpRequest":{"type":"object","properties":{"body":{"type":"string","contentEncoding":"base64","description":"JSON of up to 256 KiB."}}}}}}},"example":{"task":{"httpRequest":{"body":"eyJhIjoxfQ=="}}}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The task is durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["task"],"additionalProperties":false,"properties":{"task":{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"}}}}}}}}}
}
},
"/projects/{app}/locations/{location}/queues/{name}/tasks/{id}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"location","in":"path","required":true,"description":"Any text, such as us-central1.","schema":{"type":"string"}},{"$ref":"#/components/parameters/function"},{"name":"id","in":"path","required":true,"description":"The ID of the task.","schema":{"type":"string"}}],
"delete":{
"operationId":"cloudTasksDelete",
"summary":"Deletes a task that has not begun, in the format of Cloud Tasks.",
"tags":["integrations"],
"x-role":"send",
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The task is deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/v2/projects/{app}/locations/{location}/queues/{name}/tasks":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"location","in":"path","required":true,"description":"Any text, such as us-central1.","schema":{"type":"string"}},{"$ref":"#/components/parameters/function"}],
"post":{
"operationId":"cloudTasksV2Create",
"summary":"Adds a task to a function in the format of Cloud Tasks; 409 if its ID is taken.",
"tags":["integrations"],
"x-role":"send",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["task"],"properties":{"task":{"type":"object","required":["httpRequest"],"properties":{"name":{"type":"string","description":"The resource of the task; its last part is the ID, which is taken once in 24 hours."},"scheduleTime":{"type":"string","format":"date-time"},"httpRequest":{"type":"object","properties":{"body":{"type":"string","contentEncoding":"base64","description":"JSON of up to 256 KiB."}}}}}}},"example":{"task":{"httpRequest":{"body":"eyJhIjoxfQ=="}}}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The task is durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"}}}}}}}
}
},
"/v2/projects/{app}/locations/{location}/queues/{name}/tasks/{id}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"location","in":"path","required":true,"description":"Any text, such as us-central1.","schema":{"type":"string"}},{"$ref":"#/components/parameters/function"},{"name":"id","in":"path","required":true,"description":"The ID of the task.","schema":{"type":"string"}}],
"delete":{
"operationId":"cloudTasksV2Delete",
"summary":"Deletes a task that has not begun, in the format of Cloud Tasks.",
"tags":["integrations"],
"x-role":"send",
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The task is deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/v1/files-rules":{
"get":{
"operationId":"getFileRules",
"summary":"Returns the storage rules, newest revision first.",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":100,"default":1}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The revisions; none if no rules were set.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/RuleRevision"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"setFileRules",
"summary":"Sets the storage rules: a file `storage.rules` of version 1 or 2 as it is.",
"description":"They decide about requests with an ID token (`request.auth`) and with an ingest key alone (`request.auth == null`), from the next\nrequest on. Without rules such requests are denied. Rules of Firestore are refused here.\n",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["source"],"additionalProperties":false,"properties":{"source":{"type":"string","maxLength":262144}}},"example":{"source":"rules_version = '2';\nservice firebase.storage {\n  match /b/{bucket}/o {\n    match /users/{uid}/{file=**} { allow read, write: if request.auth.uid == uid; }\n  }\n}"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The rules are in force.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["revision"],"additionalProperties":false,"properties":{"revision":{"type":"integer","minimum":1},"warnings":{"type":"array","maxItems":100,"items":{"$ref":"#/components/schemas/RuleWarning"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files-rules/test":{
"post":{
"operationId":"testFileRules",
"summary":"Decides about a request that is not made, by the rules of the body or those of the app.",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["method","path"],"additionalProperties":false,"properties":{"source":{"type":"string","maxLength":262144,"description":"The rules; without it those of the app."},"method":{"enum":["get","list","create","update","delete"]},"path":{"type":"string","minLength":1,"maxLength":1024,"description":"The file there now is `resource`, except for `create`."},"auth":{"type":["object","null"],"required":["uid"],"additionalProperties":false,"properties":{"uid":{"type":"string"},"token":{"type":"object","description":"The claims of the user's ID token."}}},"size":{"type":"integer","minimum":0,"description":"Of the file that would be written."},"type":{"type":"string","default":"application/octet-stream","description":"Its content type."}}},"example":{"method":"create","path":"users/ann/photo.jpg","auth":{"uid":"ann"},"size":20480,"type":"image/jpeg"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The decision.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["allowed","errors"],"additionalProperties":false,"properties":{"allowed":{"type":"boolean"},"line":{"type":"integer","minimum":1,"description":"That of the statement that allows it, or of the last that does not; missing if none concerns it."},"errors":{"type":"array","items":{"type":"string"},"description":"Errors of conditions, with line and column."}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:usage":{
"get":{
"operationId":"getFileUsage",
"summary":"Returns what the files of an app and of its users take.",
"tags":["files"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}},{"name":"order","in":"query","description":"By ID, or the users with the most bytes, without further pages.","schema":{"type":"string","enum":["uid","bytes"],"default":"uid"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The usage of the app, and users in the order of their IDs.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FileUsage"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:folders":{
"get":{
"operationId":"getFileFolders",
"summary":"Returns the largest folders below a prefix, as they were within the last minutes.",
"tags":["files"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"prefix","in":"query","description":"A folder, such as `users/`; empty for the whole app.","schema":{"type":"string","maxLength":1024}},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":100,"default":20}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The folders, the largest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FileFolders"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:denials":{
"get":{
"operationId":"listFileDenials",
"summary":"Counts what each statement of the storage rules allowed, and denials by kind, since the daemon started.",
"description":"The counts begin anew with new rules. A denial has the method, the statement that was looked at last and whether it failed, but no\npaths and no values. The newest kinds come first.\n",
"tags":["files"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The counts; no revision without rules.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FileDenials"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:check":{
"get":{
"operationId":"checkFiles",
"summary":"Compares files on the disk with their entries in the database, up to 1,000 at a time.",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"deep","in":"query","description":"With `1` all bytes are read and compared with their sums; a page ends after 256 MiB.","schema":{"type":"string"}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The number of files, and those that are damaged.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FileCheck"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:persons":{
"get":{
"operationId":"listFilePersons",
"summary":"Lists the folders whose files belong to persons.",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The folders; `users/{uid}/` if none were set.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FilePersons"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"setFilePersons",
"summary":"Replaces the folders whose files belong to persons.",
"description":"Erasure, anonymisation and export of a user take these files and those that the user uploaded.",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FilePersons"},"example":{"paths":["users/{uid}/"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The folders.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FilePersons"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:pending":{
"get":{
"operationId":"listPendingFiles",
"summary":"Lists the files that wait for functions, and the folders where new files do.",
"description":"Their bytes are at `GET /v1/files/{app}/{path}?pending=GENERATION`. Only those in the state `waiting` are decided by their function:\nthere is no function of the name (`no_function`), its run is dead, it answered without `allow` or with more than 4 KiB\n(`no_answer`), or 8 runs led to the file, one by the other (`too_deep`).\n",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page, in the order of the paths.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["rules","items"],"additionalProperties":false,"properties":{"rules":{"type":"array","items":{"$ref":"#/components/schemas/FileWaitRule"}},"items":{"type":"array","items":{"type":"object","required":["file","state"],"additionalProperties":false,"properties":{"file":{"$ref":"#/components/schemas/File"},"state":{"enum":["waiting","dead","no_function","no_answer","too_deep"]},"run":{"type":"string","description":"The run of the function for this file."}}}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"setPendingRules",
"summary":"Replaces the folders in which new files of clients stay unreadable until a function allows them.",
"description":"They hold for uploads and copies with an ID token or an ingest key alone. Of several prefixes the longest applies. A function that is\nmissing lets files wait. Files that wait already go on to.\n",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FileWaitRules"},"example":{"rules":[{"prefix":"uploads/","pending_until":"scan"}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The rules.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FileWaitRules"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"decidePendingFile",
"summary":"Publishes or deletes a file that waits, in place of its function.",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["path","generation","allow"],"additionalProperties":false,"properties":{"path":{"type":"string","minLength":1,"maxLength":1024},"generation":{"type":"integer","minimum":1,"description":"Of the version that is meant."},"allow":{"type":"boolean"}}},"example":{"path":"uploads/a.png","generation":1795741200000000,"allow":true}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Published, with a new generation.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"204":{"description":"Deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:export":{
"get":{
"operationId":"exportFiles",
"summary":"Lists all files with their entries and download tokens, and the settings, for an import.",
"description":"The first page has the settings. Bytes are read by the path of a file with its `etag` in `If-Match`: 412 or 404 says that it was\nreplaced or deleted since. `ingestd files export` writes pages and bytes into a folder. Signed links are not in it.\nWith `pending` the pages have the files that wait for functions instead, whose bytes are at `?pending=GENERATION` of the path.\n",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}},{"name":"after","in":"query","description":"The path of the last file of the page before.","schema":{"type":"string","maxLength":1024}},{"name":"pending","in":"query","description":"With `1` the page has the files that wait for functions.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page, in the order of the paths.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"settings":{"type":"array","items":{"$ref":"#/components/schemas/FileSetting"},"description":"Without `after` and `pending` only."},"items":{"type":"array","items":{"$ref":"#/components/schemas/ExportedFile"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files:import":{
"post":{
"operationId":"importFileEntries",
"summary":"Applies settings of an export, and gives files that are here with their bytes their entries, up to 1,000 lines at a time.",
"description":"Lines of JSON: settings and files as an export has them. A file with the path, size and SHA-256 of a line gets its details, owner,\ndownload tokens and times. The lines of other files are in `missing`: send each with its bytes by `PUT`. Lines that are refused are in\n`errors`. An import may be repeated.\n",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/x-ndjson":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The number of files that are here, the lines of the others, and the first 100 errors.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FileImport"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"importFile",
"summary":"Stores a file of an export; durable on response.",
"description":"The body is the line of the file, a line feed, and the bytes. Other bytes than those of the line's `size` and `sha256` are refused. A\nfile at the path is replaced. Quotas of the app and of the owner hold. A file with `pending_until` waits for\nthat function; send it after the one at the same path that does not.\n",
"tags":["files"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FileTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"schema":{"type":"string"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"422":{"$ref":"#/components/responses/FileInvalid"}}
}
},
"/v1/files/{app}":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The app's ID, name or project.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"listFiles",
"summary":"Lists files and folders in the order of their names.",
"description":"Of users and ingest keys the storage rules must allow `list` on the folder of the prefix, and without `delimiter=/` on all below it by a match of every depth; a list is never filtered.",
"tags":["files"],
"x-role":"data, read, ingest",
"parameters":[{"name":"prefix","in":"query","description":"The beginning of all paths.","schema":{"type":"string"}},{"name":"delimiter","in":"query","description":"Shows what is behind it as folders, usually `/`.","schema":{"type":"string"}},{"name":"limit","in":"query","description":"Files and folders of a page.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items","folders"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/File"}},"folders":{"type":"array","items":{"type":"string"}},"next":{"type":"string"}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/files/{app}/{path}":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The app's ID, name or project.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file. Its slashes are not encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"get":{
"operationId":"getFile",
"summary":"Returns the bytes of a file, or its details.",
"description":"One range is answered with 206. Types that browsers could run, such as HTML, SVG and PDF, are always downloads.\nWithout a key the query must have a link: the parameters `e`, `g`, `d`, `r` and `s` of a URL that `POST …?link` returned.\n",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"info","in":"query","description":"Returns the details instead of the bytes.","schema":{"type":"integer","const":1}},{"name":"pending","in":"query","description":"Returns the bytes of the version with this generation, which waits for a function; for the roles `data` and `admin`.","schema":{"type":"integer","minimum":1}},{"name":"e","in":"query","description":"Of a link: the time at which it ends, in seconds.","schema":{"type":"integer"}},{"name":"g","in":"query","description":"Of a link: the version of the file.","schema":{"type":"integer"}},{"name":"d","in":"query","description":"Of a link: whether the file is shown or saved.","schema":{"enum":["inline","attachment"]}},{"name":"r","in":"query","description":"Of a link that can be revoked: its number.","schema":{"type":"integer"}},{"name":"s","in":"query","description":"Of a link: its signature.","schema":{"type":"string"}},{"name":"Range","in":"header","schema":{"type":"string"}},{"name":"If-None-Match","in":"header","schema":{"type":"string"}},{"name":"If-Match","in":"header","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The bytes, or the details.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"schema":{"type":"string"}}},"content":{"*/*":{"schema":{"type":"string","format":"binary"}},"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"206":{"description":"A part of the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},"304":{"description":"The client has the file already.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"307":{"description":"With `files.origin`: the bytes are there.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Location":{"schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"416":{"description":"No byte is in the range.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"421":{"$ref":"#/components/responses/Misdirected"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"putFile",
"summary":"Stores a file; durable on response.",
"description":"The body is kept as it is, with `Content-Type`, `Cache-Control`, `Content-Disposition`, `Content-Encoding`, `Content-Language` and\nthe metadata of `X-Meta-*`. `Content-Digest` with a SHA-256 is compared. Storage rules decide about users and ingest keys by the\ndeclared length before the body is read, and once more at the end. Without a declared length they decide at the end alone, about\n16 MiB at most.\n",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"If-None-Match","in":"header","description":"`*` for a path that must have no file.","schema":{"type":"string"}},{"name":"If-Match","in":"header","description":"The ETag of the file that is replaced, or `*`.","schema":{"type":"string"}},{"name":"Content-Digest","in":"header","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FileTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Replaced.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"201":{"description":"Created.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"202":{"description":"Stored, and unreadable until the function `pending_until` allows it.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/FileInvalid"}}
},
"patch":{
"operationId":"updateFile",
"summary":"Changes the details of a file; null removes one.",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"If-Match","in":"header","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"content_type":{"type":["string","null"]},"cache_control":{"type":["string","null"]},"content_disposition":{"type":["string","null"]},"content_encoding":{"type":["string","null"]},"content_language":{"type":["string","null"]},"metadata":{"type":"object","additionalProperties":{"type":["string","null"]}}}},"example":{"content_type":"image/png","metadata":{"album":"summer"}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FileTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteFile",
"summary":"Deletes a file, or revokes a link to it.",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"link","in":"query","description":"The `id` of a revocable link.","schema":{"type":"integer","minimum":1}},{"name":"If-Match","in":"header","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"copyOrLinkFile",
"summary":"Copies a file, or makes a link with which its holder may read it.",
"tags":["files"],
"x-role":"data, ingest",
"parameters":[{"name":"copy_to","in":"query","description":"The path of the copy.","schema":{"type":"string"}},{"name":"link","in":"query","description":"Makes a link.","schema":{"type":"string"}},{"name":"If-None-Match","in":"header","schema":{"type":"string"}}],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"expires_in":{"type":"integer","minimum":1,"maximum":604800,"default":3600,"description":"Seconds."},"disposition":{"enum":["inline","attachment"]},"revocable":{"type":"boolean","default":false},"generation":{"type":"integer","minimum":1,"description":"The version of the file; without it the newest."}}},"example":{"expires_in":600}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FileTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The copy, or the link.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"oneOf":[{"$ref":"#/components/schemas/File"},{"$ref":"#/components/schemas/FileLink"}]}}}},"202":{"description":"The copy, which waits for the function `pending_until`.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/File"}}}},"404":{"$ref":"#/components/responses/NotFound"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:ttl":{
"get":{
"operationId":"listDocumentExpiry",
"summary":"Lists the fields by which documents expire.",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The fields.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentExpiry"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"setDocumentExpiry",
"summary":"Replaces the fields by which documents expire.",
"description":"A document whose field has a time is deleted within a minute after it. Listeners and the log of changes see that. Each field gets an\nindex.\n",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["fields"],"additionalProperties":false,"properties":{"fields":{"type":"array","maxItems":50,"description":"At most one for the collections with an ID.","items":{"type":"object","required":["collection","field"],"additionalProperties":false,"properties":{"collection":{"type":"string","description":"The ID of the collections."},"field":{"type":"string","description":"The path of the field with the time."}}}}}},"example":{"fields":[{"collection":"sessions","field":"expires"}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The fields.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentExpiry"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:changes":{
"get":{
"operationId":"readDocumentChanges",
"summary":"Reads the log of changes of documents, in pages or as a stream.",
"description":"For servers that copy documents or act on changes. Keep the position of the last change that you have handled, and send it as `after`.\nThe log keeps changes for 24 hours, up to 1 GiB; an erasure removes all earlier ones of the app. Beyond that the response is 422:\nread the documents anew, then the changes after the stamp of that read.\n\nWith `Accept: text/event-stream` the response goes on: an event `change` for each change, its position as `id`; `current` once the\nchanges up to now have been sent; `reset`, before the end, where the log no longer has what comes next.\n",
"tags":["documents"],
"x-role":"data",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"after","in":"query","description":"The position of the last change that was handled, or a stamp. Without it the oldest changes of the log come first.","schema":{"type":"string","pattern":"^[0-9]+(-[0-9]+)?$"}},{"name":"Last-Event-ID","in":"header","description":"Like `after`.","schema":{"type":"string","pattern":"^[0-9]+(-[0-9]+)?$"}},{"name":"collection","in":"query","description":"The path of a collection. Without it the changes of all collections.","schema":{"type":"string","maxLength":6144}},{"name":"group","in":"query","description":"Means all collections with the ID.","schema":{"type":"boolean","default":false}},{"name":"limit","in":"query","description":"The most changes of a page; for a stream, of its first one.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Changes in the order of their commits. A page may have none before the log's end.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["changes","next","current"],"additionalProperties":false,"properties":{"changes":{"type":"array","items":{"$ref":"#/components/schemas/DocumentChange"}},"next":{"type":"string","description":"The position behind the page, for `after`."},"current":{"type":"boolean","description":"Whether the log had no more."}}}},"text/event-stream":{"schema":{"type":"string"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:export":{
"get":{
"operationId":"exportDocuments",
"summary":"Streams all documents with indexes, expiry, persons and rules, as lines that an import reads.",
"description":"The first line has the stamp from which `GET /v1/documents:changes` goes on; later changes may be in the export, too. Then come the\nsettings, the documents by the paths of their collections and their IDs, and a last line with `\"end\": true`. A response without it\nwas cut off: go on with the last document's path as `after`.\n",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"after","in":"query","description":"The path of the last document of an interrupted export.","schema":{"type":"string","maxLength":6144}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The lines.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/x-ndjson":{"schema":{"type":"string"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:import":{
"post":{
"operationId":"importDocuments",
"summary":"Writes documents and settings of an export, up to 16 MiB at a time.",
"description":"Lines of JSON: `{\"path\": …, \"fields\": {…}}` replaces a document, `{\"setting\": …, \"value\": {…}}` the `indexes`, `ttl`, `persons` or `rules`.\nA commit has up to 100 documents. Versions are those of the import. Lines that are refused are in `errors`; the others are written. An\nimport may be repeated.\n",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/x-ndjson":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The number of documents, and the first 100 errors.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentImport"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:statistics":{
"get":{
"operationId":"showDocumentStatistics",
"summary":"Shows the size of collections and their growth, the indexes, and the queries that cost most.",
"description":"Structure and counts, never values or IDs of documents. A query's shape is the query without its values:\n`users/*/orders where state == and at > limit`.\n",
"tags":["documents"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The statistics.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentStatistics"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:listeners":{
"get":{
"operationId":"showDocumentListeners",
"summary":"Shows how many streams listen to which kinds of queries.",
"tags":["documents"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The streams that are open now.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentListeners"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:listen":{
"post":{
"operationId":"listenToDocuments",
"summary":"Streams documents and results of queries as they change.",
"description":"Server-sent events:\n\n- `stream` with `{\"id\": \"str_…\"}`: the name for `POST /v1/documents:listen/{stream}`.\n- `target` with `{\"target\": 1, \"state\": \"added\"}`. `current`: the result is whole. `reset`: what the client has of it is void.\n  `removed`, with an `error` (`code`, `detail`) if rules do not allow the target, or no longer.\n- `change` with `{\"stamp\": …, \"changes\": […]}`. A change has `targets`, `kind` (`added`, `modified`, `removed`), and a `document`, or\n  the `path` of one that left the results.\n- `renew` with `{\"before\": …}`: the user's ID token ends then, and the stream with it. A request to `POST /v1/documents:listen/{stream}`\n  with a newer token takes its place.\n- `error` with `{\"code\": …, \"detail\": …}` before a stream ends that could not be served.\n\nAfterwards all current targets show the commit of the stamp. A client that is slow gets several commits as one change. The `id` of an\nevent is a token: with it as `resume`, and the same targets, a later stream begins with the net change since then.\n",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"Last-Event-ID","in":"header","description":"Like `resume`.","schema":{"type":"string","maxLength":1200}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["targets"],"additionalProperties":false,"properties":{"targets":{"$ref":"#/components/schemas/ListenTargets"},"resume":{"type":"string","maxLength":1200,"description":"The token of the last event that the client has handled. Targets without a result in it begin anew, with the state `reset`."}}},"example":{"targets":[{"target":1,"query":{"from":"messages","where":["room","==","a"],"order":[["sent","desc"]],"limit":20}},{"target":2,"document":"users/u1"}]}}}},
"responses":{"400":{"$ref":"#/components/responses/QueryInvalid"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The stream.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/event-stream":{"schema":{"type":"string"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:listen/{stream}":{
"post":{
"operationId":"changeDocumentStream",
"summary":"Adds targets to an open stream, and removes others.",
"description":"A newer ID token of the stream's user takes the place of the older one, also with an empty body `{}`. A target that rules do not allow\nis removed by the stream. Targets are added before others are removed: a number that the stream uses is refused with 422 in `add`,\nalso if `remove` has it, and then no target changes. To replace a target, add the new one with another number.\n",
"tags":["documents"],
"x-role":"ingest, data",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"stream","in":"path","required":true,"description":"The `id` of the event `stream`. Only the user or key that opened the stream may use it.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"add":{"$ref":"#/components/schemas/ListenTargets"},"remove":{"type":"array","maxItems":100,"items":{"type":"integer"},"description":"Numbers of targets. Unknown ones are ignored."}}},"example":{"add":[{"target":3,"document":"users/u2"}],"remove":[2]}}}},
"responses":{"400":{"$ref":"#/components/responses/QueryInvalid"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:rules":{
"get":{
"operationId":"getRules",
"summary":"Returns the security rules of documents, newest revision first.",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":100,"default":1}},{"name":"after","in":"query","description":"The `next` of the page before.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The revisions; none if no rules were set.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/RuleRevision"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"setRules",
"summary":"Sets the security rules of documents: a file `firestore.rules` of version 1 or 2 as it is.",
"description":"They decide about requests with an ID token (`request.auth`) and with an ingest key alone (`request.auth == null`), from the next\ncommit on. Without rules such requests are denied. A query must be proved by its own conditions; it is never filtered.\nWith `testCases`, or Firebase's `testSuite`, the rules are taken only if each case has the decision that it expects.\n",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["source"],"additionalProperties":false,"properties":{"source":{"type":"string","maxLength":262144},"testCases":{"type":"array","minItems":1,"maxItems":500,"items":{"type":"object","required":["expectation","request"]}},"testSuite":{"type":"object","description":"The `testCases` as Firebase has them, in an object."}}},"example":{"source":"rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n    match /users/{uid} { allow read, write: if request.auth.uid == uid; }\n  }\n}"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The rules are in force.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["revision"],"additionalProperties":false,"properties":{"revision":{"type":"integer","minimum":1},"warnings":{"type":"array","maxItems":100,"items":{"$ref":"#/components/schemas/RuleWarning"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:rules/test":{
"post":{
"operationId":"testRules",
"summary":"Runs test cases of security rules, with those of the body or of the app.",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"source":{"type":"string","maxLength":262144,"description":"The rules; without it those of the app."},"testCases":{"type":"array","minItems":1,"maxItems":500,"items":{"type":"object","required":["expectation","request"]}},"testSuite":{"type":"object","description":"The `testCases` as Firebase has them, in an object."}}},"example":{"testCases":[{"name":"owners read","expectation":"ALLOW","request":{"path":"users/ana","method":"get","auth":{"uid":"ana"}}}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The decisions.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["passed","failed","cases"],"additionalProperties":false,"properties":{"passed":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"cases":{"type":"array","items":{"type":"object","required":["name","expected","decision","errors"],"additionalProperties":false,"properties":{"name":{"type":"string"},"expected":{"enum":["ALLOW","DENY"]},"decision":{"enum":["ALLOW","DENY"]},"allowed_by":{"$ref":"#/components/schemas/RulePlace"},"errors":{"type":"array","items":{"type":"string"}}}}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:rules/explain":{
"post":{
"operationId":"explainRules",
"summary":"Decides about a request by the documents of the app, and shows the value of each expression.",
"description":"Nothing is written. The body has `get`, `query` or `write`.",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"as":{"description":"The user; null or missing for a request without one.","type":["object","null"],"required":["uid"],"additionalProperties":false,"properties":{"uid":{"type":"string"},"token":{"type":"object","description":"The claims of the ID token."}}},"get":{"$ref":"#/components/schemas/DocumentPath"},"query":{"type":"object"},"write":{"type":"object","description":"A write as `POST /v1/documents:commit` takes it."},"source":{"type":"string","maxLength":262144,"description":"Other rules than those of the app."}}},"example":{"as":{"uid":"ana"},"get":"users/ana"}}}},
"responses":{"400":{"$ref":"#/components/responses/QueryInvalid"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The decision.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["allowed","refused_by","errors","steps"],"additionalProperties":false,"properties":{"allowed":{"type":"boolean"},"allowed_by":{"$ref":"#/components/schemas/RulePlace"},"refused_by":{"type":"array","items":{"$ref":"#/components/schemas/RulePlace"}},"errors":{"type":"array","items":{"type":"string"}},"steps":{"type":"array","items":{"type":"object","required":["line","column","value"],"additionalProperties":false,"properties":{"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"value":{"type":"string"}}}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:rules/shadow":{
"post":{
"operationId":"beginShadowRules",
"summary":"Lets candidate rules decide beside those of the app for a while, without effect.",
"description":"Responses follow the rules of the app alone. Requests on which both decide differently are counted by kind. A candidate replaces\nan earlier one, and ends with its time or with the daemon. Candidates have a budget; requests beyond it are skipped.\nAt most 16 apps have one at the same time.\n",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["source"],"additionalProperties":false,"properties":{"source":{"type":"string","maxLength":262144},"hours":{"type":"integer","minimum":1,"maximum":168,"default":24}}},"example":{"source":"service cloud.firestore {\n  match /databases/{database}/documents {\n    match /users/{uid} { allow read, write: if request.auth.uid == uid; }\n  }\n}","hours":48}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The candidate and the counts.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RuleShadow"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"get":{
"operationId":"getShadowRules",
"summary":"Counts the requests on which the rules of the app and their candidate decided differently.",
"description":"The counts begin anew with new rules of the app. They stay when the time is over, until the candidate is ended or replaced.\nA difference has no IDs and no values. The newest kinds come first; 1,000 are kept.\n",
"tags":["documents"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The candidate and the counts.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RuleShadow"}}}}}
},
"delete":{
"operationId":"endShadowRules",
"summary":"Ends the candidate and forgets the counts.",
"tags":["documents"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"There is no candidate.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/v1/documents:denials":{
"get":{
"operationId":"listDenials",
"summary":"Counts what each statement of the rules allowed, decisions by collection, and denials by kind, since the daemon started.",
"description":"The counts begin anew with new rules. A denial has the method, the collection, the statement that was looked at last and whether it\nfailed, but no IDs and no values. The newest kinds come first; 1,000 are kept. Of collections, the 200 with most decisions are kept\nat least in half.\n",
"tags":["documents"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The counts; no revision without rules.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DocumentDenials"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/documents:collections":{
"post":{
"operationId":"listCollections",
"summary":"Lists the IDs of the collections at the top or below a document that have documents at any depth.",
"tags":["documents"],
"x-role":"data",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"under":{"$ref":"#/components/schemas/DocumentPath"},"limit":{"type":"integer","minimum":1,"maximum":1000,"default":100},"after":{"type":"string","description":"The `next` of the page before."}}},"example":{"under":"users/u1"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The IDs, in order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","items":{"type":"string"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v0/b/{bucket}/o":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"firebaseStorageList",
"summary":"Lists files and folders for Firebase's SDKs.",
"description":"Without a key, and with `Authorization: Firebase ID_TOKEN`, storage rules decide. Without `delimiter=/`, which the SDKs send, a match of every depth must allow it.",
"tags":["integrations"],
"x-role":"data, ingest",
"parameters":[{"name":"prefix","in":"query","schema":{"type":"string"}},{"name":"delimiter","in":"query","schema":{"type":"string"}},{"name":"pageToken","in":"query","description":"The `nextPageToken` of the page before.","schema":{"type":"string"}},{"name":"maxResults","in":"query","schema":{"type":"integer","minimum":1,"maximum":1000,"default":1000}}],
"responses":{"400":{"$ref":"#/components/responses/StorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/StorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/StorageRefusal"},"429":{"$ref":"#/components/responses/StorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/StorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/StorageRefusal"},"403":{"$ref":"#/components/responses/StorageRefusal"},"503":{"$ref":"#/components/responses/StorageRefusal"},"402":{"$ref":"#/components/responses/StorageRefusal"},"404":{"$ref":"#/components/responses/StorageRefusal"},"409":{"$ref":"#/components/responses/StorageRefusal"},"412":{"$ref":"#/components/responses/StorageRefusal"},"200":{"description":"A page.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["prefixes","items"],"additionalProperties":false,"properties":{"prefixes":{"type":"array","items":{"type":"string"}},"items":{"type":"array","items":{"type":"object","required":["name","bucket"],"additionalProperties":false,"properties":{"name":{"type":"string"},"bucket":{"type":"string"}}}},"nextPageToken":{"type":"string"}}}}}}}
},
"post":{
"operationId":"firebaseStorageUpload",
"summary":"Uploads a file of Firebase's SDKs: whole, with metadata before it, or in several requests.",
"description":"`X-Goog-Upload-Protocol` is `raw` (the default), `multipart` (`multipart/related`: JSON, then the bytes) or `resumable`. A resumable\nupload begins with `X-Goog-Upload-Command: start`; requests to its `X-Goog-Upload-URL` have the commands `upload`, `finalize`, both,\n`query` or `cancel`. Each response says `X-Goog-Upload-Status`: `active`, `final` or `cancelled`. A `multipart` body, and one of an\nundeclared length, is judged by the rules at its end, and may have 16 MiB unless the caller is a server.\n",
"tags":["integrations"],
"x-role":"data, ingest",
"parameters":[{"name":"name","in":"query","description":"The path of the file.","schema":{"type":"string","maxLength":1024}},{"name":"upload_id","in":"query","description":"The upload that the request goes on with.","schema":{"type":"string"}},{"name":"X-Goog-Upload-Protocol","in":"header","schema":{"enum":["raw","multipart","resumable"]}},{"name":"X-Goog-Upload-Command","in":"header","schema":{"type":"string"}},{"name":"X-Goog-Upload-Offset","in":"header","schema":{"type":"integer","minimum":0}},{"name":"X-Goog-Upload-Header-Content-Length","in":"header","schema":{"type":"integer","minimum":0}},{"name":"X-Goog-Upload-Header-Content-Type","in":"header","schema":{"type":"string"}}],
"requestBody":{"required":false,"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/StorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/StorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/StorageRefusal"},"429":{"$ref":"#/components/responses/StorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/StorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/StorageRefusal"},"403":{"$ref":"#/components/responses/StorageRefusal"},"503":{"$ref":"#/components/responses/StorageRefusal"},"402":{"$ref":"#/components/responses/StorageRefusal"},"404":{"$ref":"#/components/responses/StorageRefusal"},"409":{"$ref":"#/components/responses/StorageRefusal"},"412":{"$ref":"#/components/responses/StorageRefusal"},"200":{"description":"The file; of an upload that is not finished an empty body.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"X-Goog-Upload-Status":{"schema":{"enum":["active","final","cancelled"]}},"X-Goog-Upload-URL":{"description":"Of a new upload: the address of its further requests.","schema":{"type":"string"}},"X-Goog-Upload-Size-Received":{"description":"The bytes that are on the disk.","schema":{"type":"integer"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StorageObject"}}}}}
}
},
"/v0/b/{bucket}/o/{path}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"get":{
"operationId":"firebaseStorageGet",
"summary":"Returns the description of a file, or with `alt=media` its bytes.",
"tags":["integrations"],
"x-role":"data, ingest",
"parameters":[{"name":"alt","in":"query","schema":{"enum":["json","media"]}},{"name":"token","in":"query","description":"One of the file's `downloadTokens`: no rule is asked.","schema":{"type":"string"}},{"name":"Range","in":"header","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/StorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/StorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/StorageRefusal"},"429":{"$ref":"#/components/responses/StorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/StorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/StorageRefusal"},"403":{"$ref":"#/components/responses/StorageRefusal"},"503":{"$ref":"#/components/responses/StorageRefusal"},"402":{"$ref":"#/components/responses/StorageRefusal"},"404":{"$ref":"#/components/responses/StorageRefusal"},"409":{"$ref":"#/components/responses/StorageRefusal"},"412":{"$ref":"#/components/responses/StorageRefusal"},"200":{"description":"The description, or the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StorageObject"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},"206":{"description":"A part of the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},"304":{"description":"The client has the file already.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"307":{"description":"With `files.origin`: the bytes are there.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Location":{"schema":{"type":"string"}}}},"416":{"description":"No byte is in the range.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"421":{"$ref":"#/components/responses/StorageRefusal"}}
},
"patch":{
"operationId":"firebaseStorageUpdate",
"summary":"Changes the details of a file; null removes one.",
"tags":["integrations"],
"x-role":"data, ingest",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","description":"Other members are ignored.","properties":{"contentType":{"type":["string","null"]},"cacheControl":{"type":["string","null"]},"contentDisposition":{"type":["string","null"]},"contentEncoding":{"type":["string","null"]},"contentLanguage":{"type":["string","null"]},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}}},"example":{"contentType":"image/png","metadata":{"album":"summer"}}}}},
"responses":{"400":{"$ref":"#/components/responses/StorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/StorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/StorageRefusal"},"429":{"$ref":"#/components/responses/StorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/StorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/StorageRefusal"},"403":{"$ref":"#/components/responses/StorageRefusal"},"503":{"$ref":"#/components/responses/StorageRefusal"},"402":{"$ref":"#/components/responses/StorageRefusal"},"404":{"$ref":"#/components/responses/StorageRefusal"},"409":{"$ref":"#/components/responses/StorageRefusal"},"412":{"$ref":"#/components/responses/StorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StorageObject"}}}}}
},
"put":{
"operationId":"firebaseStorageReplaceDetails",
"summary":"The same as PATCH, for old clients.",
"tags":["integrations"],
"x-role":"data, ingest",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","description":"Other members are ignored.","properties":{"contentType":{"type":["string","null"]},"cacheControl":{"type":["string","null"]},"contentDisposition":{"type":["string","null"]},"contentEncoding":{"type":["string","null"]},"contentLanguage":{"type":["string","null"]},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}}},"example":{"contentType":"image/png","metadata":{"album":"summer"}}}}},
"responses":{"400":{"$ref":"#/components/responses/StorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/StorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/StorageRefusal"},"429":{"$ref":"#/components/responses/StorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/StorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/StorageRefusal"},"403":{"$ref":"#/components/responses/StorageRefusal"},"503":{"$ref":"#/components/responses/StorageRefusal"},"402":{"$ref":"#/components/responses/StorageRefusal"},"404":{"$ref":"#/components/responses/StorageRefusal"},"409":{"$ref":"#/components/responses/StorageRefusal"},"412":{"$ref":"#/components/responses/StorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StorageObject"}}}}}
},
"post":{
"operationId":"firebaseStorageTokens",
"summary":"Adds or revokes a download token of a file, or with `X-HTTP-Method-Override: PATCH` changes its details.",
"description":"Tokens are for servers, and need `files.download_tokens: \"permanent\"`.",
"tags":["integrations"],
"x-role":"data, ingest",
"parameters":[{"name":"create_token","in":"query","schema":{"const":"true"}},{"name":"delete_token","in":"query","schema":{"type":"string"}},{"name":"X-HTTP-Method-Override","in":"header","schema":{"const":"PATCH"}}],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/StorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/StorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/StorageRefusal"},"429":{"$ref":"#/components/responses/StorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/StorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/StorageRefusal"},"403":{"$ref":"#/components/responses/StorageRefusal"},"503":{"$ref":"#/components/responses/StorageRefusal"},"402":{"$ref":"#/components/responses/StorageRefusal"},"404":{"$ref":"#/components/responses/StorageRefusal"},"409":{"$ref":"#/components/responses/StorageRefusal"},"412":{"$ref":"#/components/responses/StorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StorageObject"}}}}}
},
"delete":{
"operationId":"firebaseStorageDelete",
"summary":"Deletes a file.",
"tags":["integrations"],
"x-role":"data, ingest",
"responses":{"400":{"$ref":"#/components/responses/StorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/StorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/StorageRefusal"},"429":{"$ref":"#/components/responses/StorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/StorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/StorageRefusal"},"403":{"$ref":"#/components/responses/StorageRefusal"},"503":{"$ref":"#/components/responses/StorageRefusal"},"402":{"$ref":"#/components/responses/StorageRefusal"},"404":{"$ref":"#/components/responses/StorageRefusal"},"409":{"$ref":"#/components/responses/StorageRefusal"},"412":{"$ref":"#/components/responses/StorageRefusal"},"204":{"description":"Deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/storage/v1/b/{bucket}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"googleStorageBucket",
"summary":"Describes the bucket of the app, for clients of Google's storage.",
"description":"Unknown parameters of Google's, such as `fields` and `projection`, are ignored on all of these routes.",
"tags":["integrations"],
"x-role":"data",
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","id","name","projectNumber","metageneration","location","locationType","storageClass","timeCreated","updated","etag"],"additionalProperties":false,"properties":{"kind":{"const":"storage#bucket"},"id":{"type":"string"},"name":{"type":"string","description":"As the request named it."},"projectNumber":{"type":"string","description":"The app's ID."},"metageneration":{"const":"1"},"location":{"const":"US"},"locationType":{"const":"region"},"storageClass":{"const":"STANDARD"},"timeCreated":{"type":"string","format":"date-time"},"updated":{"type":"string","format":"date-time"},"etag":{"type":"string"}}}}}}}
}
},
"/storage/v1/b/{bucket}/o":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"googleStorageList",
"summary":"Lists files and folders for clients of Google's storage.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"prefix","in":"query","schema":{"type":"string"}},{"name":"delimiter","in":"query","schema":{"type":"string"}},{"name":"startOffset","in":"query","description":"The first name of the list.","schema":{"type":"string"}},{"name":"endOffset","in":"query","description":"The name before which the list ends.","schema":{"type":"string"}},{"name":"matchGlob","in":"query","description":"A pattern with `*`, `**`, `?`, `[a-c]`, `{a,b}`. A page may be empty and have a `nextPageToken`.","schema":{"type":"string","maxLength":256}},{"name":"pageToken","in":"query","description":"The `nextPageToken` of the page before.","schema":{"type":"string"}},{"name":"maxResults","in":"query","description":"A page has 1,000 at most.","schema":{"type":"integer","minimum":1,"maximum":2147483647,"default":1000}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"A page.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","prefixes","items"],"additionalProperties":false,"properties":{"kind":{"const":"storage#objects"},"nextPageToken":{"type":"string"},"prefixes":{"type":"array","items":{"type":"string"}},"items":{"type":"array","items":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}}}}
}
},
"/storage/v1/b/{bucket}/o/{path}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"get":{
"operationId":"googleStorageGet",
"summary":"Returns the description of a file, or with `alt=media` its bytes.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"alt","in":"query","schema":{"enum":["json","media"]}},{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"Range","in":"header","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The description, or the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"X-Goog-Hash":{"description":"`crc32c=BASE64`, and `md5=BASE64` if it is known; of bytes only.","schema":{"type":"string"}},"X-Goog-Generation":{"description":"Of bytes only.","schema":{"type":"integer"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},"206":{"description":"A part of the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},"304":{"description":"The client has the file already.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"416":{"description":"No byte is in the range.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"421":{"$ref":"#/components/responses/GoogleStorageRefusal"}}
},
"patch":{
"operationId":"googleStorageUpdate",
"summary":"Changes the details of a file; null removes one.",
"description":"`metadata.firebaseStorageDownloadTokens` are the download tokens, if `files.download_tokens` is `permanent`; otherwise they are ignored.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","description":"Other members are ignored.","properties":{"contentType":{"type":["string","null"]},"cacheControl":{"type":["string","null"]},"contentDisposition":{"type":["string","null"]},"contentEncoding":{"type":["string","null"]},"contentLanguage":{"type":["string","null"]},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}}},"example":{"contentType":"image/png","metadata":{"album":"summer"}}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}
},
"put":{
"operationId":"googleStorageReplaceDetails",
"summary":"Makes the details of a file those of the body.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","description":"Other members are ignored.","properties":{"contentType":{"type":["string","null"]},"cacheControl":{"type":["string","null"]},"contentDisposition":{"type":["string","null"]},"contentEncoding":{"type":["string","null"]},"contentLanguage":{"type":["string","null"]},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}}},"example":{"contentType":"image/png","metadata":{"album":"summer"}}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}
},
"delete":{
"operationId":"googleStorageDelete",
"summary":"Deletes a file.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"204":{"description":"Deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/storage/v1/b/{bucket}/o/{path}/rewriteTo/b/{destination}/o/{name}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}},{"name":"destination","in":"path","required":true,"description":"The same app.","schema":{"type":"string","minLength":1}},{"name":"name","in":"path","required":true,"description":"The path of the copy.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"post":{
"operationId":"googleStorageRewrite",
"summary":"Copies a file within the app, at once.",
"description":"Details in the body take the place of those of the file.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"sourceGeneration","in":"query","description":"Another generation of the source is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The copy is durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","totalBytesRewritten","objectSize","done","resource"],"additionalProperties":false,"properties":{"kind":{"const":"storage#rewriteResponse"},"totalBytesRewritten":{"type":"string"},"objectSize":{"type":"string"},"done":{"const":true},"resource":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}}}
}
},
"/storage/v1/b/{bucket}/o/{path}/copyTo/b/{destination}/o/{name}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}},{"name":"destination","in":"path","required":true,"description":"The same app.","schema":{"type":"string","minLength":1}},{"name":"name","in":"path","required":true,"description":"The path of the copy.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"post":{
"operationId":"googleStorageCopy",
"summary":"Copies a file within the app, and returns the copy.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"sourceGeneration","in":"query","description":"Another generation of the source is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}
}
},
"/storage/v1/b/{bucket}/o/{path}/compose":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"post":{
"operationId":"googleStorageCompose",
"summary":"Is not supported: 501.",
"tags":["integrations"],
"x-role":"data",
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/GoogleStorageRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"}}
}
},
"/b/{bucket}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"googleStorageShortBucket",
"summary":"Describes the bucket of the app, for clients of Google's storage.",
"description":"Unknown parameters of Google's, such as `fields` and `projection`, are ignored on all of these routes.",
"tags":["integrations"],
"x-role":"data",
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","id","name","projectNumber","metageneration","location","locationType","storageClass","timeCreated","updated","etag"],"additionalProperties":false,"properties":{"kind":{"const":"storage#bucket"},"id":{"type":"string"},"name":{"type":"string","description":"As the request named it."},"projectNumber":{"type":"string","description":"The app's ID."},"metageneration":{"const":"1"},"location":{"const":"US"},"locationType":{"const":"region"},"storageClass":{"const":"STANDARD"},"timeCreated":{"type":"string","format":"date-time"},"updated":{"type":"string","format":"date-time"},"etag":{"type":"string"}}}}}}}
}
},
"/b/{bucket}/o":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"googleStorageShortList",
"summary":"Lists files and folders for clients of Google's storage.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"prefix","in":"query","schema":{"type":"string"}},{"name":"delimiter","in":"query","schema":{"type":"string"}},{"name":"startOffset","in":"query","description":"The first name of the list.","schema":{"type":"string"}},{"name":"endOffset","in":"query","description":"The name before which the list ends.","schema":{"type":"string"}},{"name":"matchGlob","in":"query","description":"A pattern with `*`, `**`, `?`, `[a-c]`, `{a,b}`. A page may be empty and have a `nextPageToken`.","schema":{"type":"string","maxLength":256}},{"name":"pageToken","in":"query","description":"The `nextPageToken` of the page before.","schema":{"type":"string"}},{"name":"maxResults","in":"query","description":"A page has 1,000 at most.","schema":{"type":"integer","minimum":1,"maximum":2147483647,"default":1000}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"A page.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","prefixes","items"],"additionalProperties":false,"properties":{"kind":{"const":"storage#objects"},"nextPageToken":{"type":"string"},"prefixes":{"type":"array","items":{"type":"string"}},"items":{"type":"array","items":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}}}}
}
},
"/b/{bucket}/o/{path}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"get":{
"operationId":"googleStorageShortGet",
"summary":"Returns the description of a file, or with `alt=media` its bytes.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"alt","in":"query","schema":{"enum":["json","media"]}},{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"Range","in":"header","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The description, or the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"X-Goog-Hash":{"description":"`crc32c=BASE64`, and `md5=BASE64` if it is known; of bytes only.","schema":{"type":"string"}},"X-Goog-Generation":{"description":"Of bytes only.","schema":{"type":"integer"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},"206":{"description":"A part of the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},"304":{"description":"The client has the file already.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"416":{"description":"No byte is in the range.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"421":{"$ref":"#/components/responses/GoogleStorageRefusal"}}
},
"patch":{
"operationId":"googleStorageShortUpdate",
"summary":"Changes the details of a file; null removes one.",
"description":"`metadata.firebaseStorageDownloadTokens` are the download tokens, if `files.download_tokens` is `permanent`; otherwise they are ignored.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","description":"Other members are ignored.","properties":{"contentType":{"type":["string","null"]},"cacheControl":{"type":["string","null"]},"contentDisposition":{"type":["string","null"]},"contentEncoding":{"type":["string","null"]},"contentLanguage":{"type":["string","null"]},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}}},"example":{"contentType":"image/png","metadata":{"album":"summer"}}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}
},
"put":{
"operationId":"googleStorageShortReplaceDetails",
"summary":"Makes the details of a file those of the body.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","description":"Other members are ignored.","properties":{"contentType":{"type":["string","null"]},"cacheControl":{"type":["string","null"]},"contentDisposition":{"type":["string","null"]},"contentEncoding":{"type":["string","null"]},"contentLanguage":{"type":["string","null"]},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}}},"example":{"contentType":"image/png","metadata":{"album":"summer"}}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}
},
"delete":{
"operationId":"googleStorageShortDelete",
"summary":"Deletes a file.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"204":{"description":"Deleted.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/b/{bucket}/o/{path}/rewriteTo/b/{destination}/o/{name}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}},{"name":"destination","in":"path","required":true,"description":"The same app.","schema":{"type":"string","minLength":1}},{"name":"name","in":"path","required":true,"description":"The path of the copy.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"post":{
"operationId":"googleStorageShortRewrite",
"summary":"Copies a file within the app, at once.",
"description":"Details in the body take the place of those of the file.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"sourceGeneration","in":"query","description":"Another generation of the source is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The copy is durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["kind","totalBytesRewritten","objectSize","done","resource"],"additionalProperties":false,"properties":{"kind":{"const":"storage#rewriteResponse"},"totalBytesRewritten":{"type":"string"},"objectSize":{"type":"string"},"done":{"const":true},"resource":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}}}
}
},
"/b/{bucket}/o/{path}/copyTo/b/{destination}/o/{name}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}},{"name":"destination","in":"path","required":true,"description":"The same app.","schema":{"type":"string","minLength":1}},{"name":"name","in":"path","required":true,"description":"The path of the copy.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"post":{
"operationId":"googleStorageShortCopy",
"summary":"Copies a file within the app, and returns the copy.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"sourceGeneration","in":"query","description":"Another generation of the source is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifSourceMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}}],
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}}}
}
},
"/b/{bucket}/o/{path}/compose":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"post":{
"operationId":"googleStorageShortCompose",
"summary":"Is not supported: 501.",
"tags":["integrations"],
"x-role":"data",
"requestBody":{"required":false,"content":{"application/json":{"schema":{"type":"object"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/GoogleStorageRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"}}
}
},
"/download/storage/v1/b/{bucket}/o/{path}":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}},{"name":"path","in":"path","required":true,"description":"The path of a file, whose slashes may be encoded.","schema":{"type":"string","minLength":1,"maxLength":1024}}],
"get":{
"operationId":"googleStorageDownload",
"summary":"Returns the bytes of a file.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"generation","in":"query","description":"Another generation is not found.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"Range","in":"header","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The description, or the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"X-Goog-Hash":{"description":"`crc32c=BASE64`, and `md5=BASE64` if it is known; of bytes only.","schema":{"type":"string"}},"X-Goog-Generation":{"description":"Of bytes only.","schema":{"type":"integer"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},"206":{"description":"A part of the bytes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},"304":{"description":"The client has the file already.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"416":{"description":"No byte is in the range.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"421":{"$ref":"#/components/responses/GoogleStorageRefusal"}}
}
},
"/upload/storage/v1/b/{bucket}/o":{
"parameters":[{"name":"bucket","in":"path","required":true,"description":"The app's ID, name or project, also with `.appspot.com` or `.firebasestorage.app`.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"googleStorageUpload",
"summary":"Uploads a file of Google's clients: whole, with metadata before it, or begins an upload of several requests.",
"description":"`uploadType` is `media` (the body is the file), `multipart` (`multipart/related`: JSON, then the bytes) or `resumable` (the body is JSON,\nand the response has the address of the upload as `Location`). With `upload_id` it is as PUT. `crc32c` and `md5Hash` of the JSON, and those of `X-Goog-Hash`, are compared.\n",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"uploadType","in":"query","schema":{"enum":["media","multipart","resumable"]}},{"name":"upload_id","in":"query","description":"The upload that the request goes on with, as with PUT.","schema":{"type":"string"}},{"name":"name","in":"query","description":"The path of the file, unless the JSON has it.","schema":{"type":"string","maxLength":1024}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"X-Upload-Content-Type","in":"header","schema":{"type":"string"}},{"name":"X-Upload-Content-Length","in":"header","schema":{"type":"integer","minimum":0}},{"name":"X-Goog-Hash","in":"header","description":"`crc32c=BASE64,md5=BASE64` of the whole file.","schema":{"type":"string"}}],
"requestBody":{"required":false,"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file; of a new upload of several requests an empty body.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Location":{"description":"Of a new upload: the address of its further requests.","schema":{"type":"string"}},"X-GUploader-UploadID":{"description":"Of a new upload.","schema":{"type":"string"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}},"308":{"description":"The upload goes on.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Range":{"description":"The bytes that are on the disk: `bytes=0-262143`. Missing if there are none.","schema":{"type":"string"}}}}}
},
"put":{
"operationId":"googleStorageUploadPiece",
"summary":"Sends a piece of an upload, or asks how far it is.",
"description":"`Content-Range: bytes 0-262143/*` is a piece, `bytes 262144-300000/300001` the last one, `bytes 262144-*/300001` or `bytes 262144-*/*` the rest of the file, and `bytes */300001` or `bytes */*` a question. Without the field the body is the rest of the file.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"upload_id","in":"query","required":true,"schema":{"type":"string"}},{"name":"ifGenerationMatch","in":"query","description":"Only if the file has this generation; 0 for no file.","schema":{"type":"integer","minimum":0}},{"name":"ifGenerationNotMatch","in":"query","description":"Only if there is a file of another generation.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationMatch","in":"query","description":"Only if the file has this metageneration.","schema":{"type":"integer","minimum":0}},{"name":"ifMetagenerationNotMatch","in":"query","description":"Only if the file has another metageneration.","schema":{"type":"integer","minimum":0}},{"name":"Content-Range","in":"header","schema":{"type":"string"}},{"name":"X-Goog-Hash","in":"header","description":"`crc32c=BASE64,md5=BASE64` of the whole file.","schema":{"type":"string"}},{"name":"X-GUploader-No-308","in":"header","description":"`yes`: 200 in place of 308.","schema":{"type":"string"}}],
"requestBody":{"required":false,"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"200":{"description":"The file is durable; or, with `X-HTTP-Status-Code-Override: 308`, as 308.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"X-HTTP-Status-Code-Override":{"schema":{"const":"308"}},"Range":{"description":"The bytes that are on the disk: `bytes=0-262143`. Missing if there are none.","schema":{"type":"string"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageObject"}}}},"308":{"description":"The upload goes on.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Range":{"description":"The bytes that are on the disk: `bytes=0-262143`. Missing if there are none.","schema":{"type":"string"}}}}}
},
"delete":{
"operationId":"googleStorageUploadCancel",
"summary":"Ends an upload without a file.",
"tags":["integrations"],
"x-role":"data",
"parameters":[{"name":"upload_id","in":"query","required":true,"schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"},"499":{"description":"The upload is cancelled.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/batch/storage/v1":{
"post":{
"operationId":"googleStorageBatch",
"summary":"Is not supported: 501.",
"tags":["integrations"],
"x-role":"data",
"requestBody":{"required":false,"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleStorageRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/GoogleStorageRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/GoogleStorageRefusal"},"429":{"$ref":"#/components/responses/GoogleStorageRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleStorageRefusal"},"501":{"$ref":"#/components/responses/GoogleStorageRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleStorageRefusal"},"403":{"$ref":"#/components/responses/GoogleStorageRefusal"},"503":{"$ref":"#/components/responses/GoogleStorageRefusal"},"404":{"$ref":"#/components/responses/GoogleStorageRefusal"},"409":{"$ref":"#/components/responses/GoogleStorageRefusal"},"412":{"$ref":"#/components/responses/GoogleStorageRefusal"}}
}
},
"/v1/projects/{app}/databases/{database}/documents:commit":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreCommit",
"summary":"Makes writes together or not at all.",
"description":"A write is `update` with `updateMask` and `updateTransforms`, `delete`, `verify` or `transform`, with `currentDocument`. In a transaction the commit is 409 `ABORTED` if something that it read was changed. Names of members and parameters may be in snake or camel case. A member that is not known is an error.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","properties":{"writes":{"type":"array","items":{"type":"object"}},"transaction":{"type":"string"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["commitTime"],"additionalProperties":false,"properties":{"writeResults":{"type":"array","items":{"$ref":"#/components/schemas/FirestoreWriteResult"}},"commitTime":{"$ref":"#/components/schemas/FirestoreTime"}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:batchWrite":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreBatchWrite",
"summary":"Makes writes one by one; each is of another document.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","properties":{"writes":{"type":"array","items":{"type":"object"}},"labels":{"type":"object"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Durable; `status` has an error for each write that was not made.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":[],"additionalProperties":false,"properties":{"writeResults":{"type":"array","items":{"$ref":"#/components/schemas/FirestoreWriteResult"}},"status":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{"code":{"type":"integer"},"message":{"type":"string"}}}}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:batchGet":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreBatchGet",
"summary":"Returns documents by name, all of one version.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/FirestoreReading"},{"type":"object","properties":{"documents":{"type":"array","maxItems":10000,"items":{"type":"string"}},"mask":{"type":"object","properties":{"fieldPaths":{"type":"array","maxItems":1000,"items":{"type":"string"}}}}}}]}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"429":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"501":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"403":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"503":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"404":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"409":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"200":{"description":"The documents, in the order of the names.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","items":{"type":"object","required":[],"additionalProperties":false,"properties":{"found":{"$ref":"#/components/schemas/FirestoreDocument"},"missing":{"type":"string"},"transaction":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"}}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:beginTransaction":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreBegin",
"summary":"Begins a transaction of at most 270 seconds, 60 between two requests.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","properties":{"options":{"$ref":"#/components/schemas/FirestoreOptions"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Its ID.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["transaction"],"additionalProperties":false,"properties":{"transaction":{"type":"string"}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:rollback":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreRollback",
"summary":"Ends a transaction without writes.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","required":["transaction"],"properties":{"transaction":{"type":"string"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":[],"additionalProperties":false,"properties":{}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:runQuery":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreQuery",
"summary":"Returns the result of a query.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/FirestoreReading"},{"type":"object","properties":{"structuredQuery":{"type":"object"},"explainOptions":{"type":"object","additionalProperties":false,"properties":{"analyze":{"type":"boolean","default":false,"description":"Whether the query runs; without it the answer is the plan."}}}}}]}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"429":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"501":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"403":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"503":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"404":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"409":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","items":{"type":"object","required":[],"additionalProperties":false,"properties":{"document":{"$ref":"#/components/schemas/FirestoreDocument"},"transaction":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"},"done":{"type":"boolean"},"explainMetrics":{"$ref":"#/components/schemas/FirestoreExplanation"}}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:runAggregationQuery":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreAggregate",
"summary":"Returns counts, sums and averages over a query.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/FirestoreReading"},{"type":"object","properties":{"structuredAggregationQuery":{"type":"object"},"explainOptions":{"type":"object","additionalProperties":false,"properties":{"analyze":{"type":"boolean","default":false,"description":"Whether the query runs; without it the answer is the plan."}}}}}]}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"429":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"501":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"403":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"503":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"404":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"409":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","items":{"type":"object","required":[],"additionalProperties":false,"properties":{"result":{"type":"object","required":["aggregateFields"],"additionalProperties":false,"properties":{"aggregateFields":{"$ref":"#/components/schemas/FirestoreFields"}}},"transaction":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"},"explainMetrics":{"$ref":"#/components/schemas/FirestoreExplanation"}}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:listCollectionIds":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestoreCollections",
"summary":"Lists the IDs of collections.",
"tags":["integrations"],
"x-role":"data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","properties":{"pageSize":{"type":"integer","minimum":0},"pageToken":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"collectionIds":{"type":"array","items":{"type":"string"}},"nextPageToken":{"type":"string"}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents:partitionQuery":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}}],
"post":{
"operationId":"firestorePartition",
"summary":"Returns positions that divide a query over a collection group.",
"tags":["integrations"],
"x-role":"data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","required":["structuredQuery","partitionCount"],"properties":{"structuredQuery":{"type":"object"},"partitionCount":{"type":["string","integer"]},"pageSize":{"type":"integer","minimum":0},"pageToken":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":[],"additionalProperties":false,"properties":{"partitions":{"type":"array","items":{"type":"object","required":["values"],"additionalProperties":false,"properties":{"values":{"type":"array","items":{"$ref":"#/components/schemas/FirestoreValue"}},"before":{"type":"boolean"}}}},"nextPageToken":{"type":"string"}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents/{path}:runQuery":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}},{"name":"path","in":"path","required":true,"description":"The path of a document, such as `users/u1`, or of a collection, such as `users`. Its slashes are not encoded.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"firestoreQueryBelow",
"summary":"Returns the result of a query below a document.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/FirestoreReading"},{"type":"object","properties":{"structuredQuery":{"type":"object"},"explainOptions":{"type":"object","additionalProperties":false,"properties":{"analyze":{"type":"boolean","default":false,"description":"Whether the query runs; without it the answer is the plan."}}}}}]}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"429":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"501":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"403":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"503":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"404":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"409":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","items":{"type":"object","required":[],"additionalProperties":false,"properties":{"document":{"$ref":"#/components/schemas/FirestoreDocument"},"transaction":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"},"done":{"type":"boolean"},"explainMetrics":{"$ref":"#/components/schemas/FirestoreExplanation"}}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents/{path}:runAggregationQuery":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}},{"name":"path","in":"path","required":true,"description":"The path of a document, such as `users/u1`, or of a collection, such as `users`. Its slashes are not encoded.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"firestoreAggregateBelow",
"summary":"Returns counts, sums and averages over a query below a document.",
"tags":["integrations"],
"x-role":"ingest, data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/FirestoreReading"},{"type":"object","properties":{"structuredAggregationQuery":{"type":"object"},"explainOptions":{"type":"object","additionalProperties":false,"properties":{"analyze":{"type":"boolean","default":false,"description":"Whether the query runs; without it the answer is the plan."}}}}}]}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"429":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"501":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"403":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"503":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"404":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"409":{"$ref":"#/components/responses/FirestoreStreamRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"array","items":{"type":"object","required":[],"additionalProperties":false,"properties":{"result":{"type":"object","required":["aggregateFields"],"additionalProperties":false,"properties":{"aggregateFields":{"$ref":"#/components/schemas/FirestoreFields"}}},"transaction":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"},"explainMetrics":{"$ref":"#/components/schemas/FirestoreExplanation"}}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents/{path}:listCollectionIds":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}},{"name":"path","in":"path","required":true,"description":"The path of a document, such as `users/u1`, or of a collection, such as `users`. Its slashes are not encoded.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"firestoreCollectionsBelow",
"summary":"Lists the IDs of collections below a document.",
"tags":["integrations"],
"x-role":"data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","properties":{"pageSize":{"type":"integer","minimum":0},"pageToken":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"collectionIds":{"type":"array","items":{"type":"string"}},"nextPageToken":{"type":"string"}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents/{path}:partitionQuery":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}},{"name":"path","in":"path","required":true,"description":"The path of a document, such as `users/u1`, or of a collection, such as `users`. Its slashes are not encoded.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"firestorePartitionBelow",
"summary":"Returns positions that divide a query over a collection group below a document.",
"tags":["integrations"],
"x-role":"data",
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"type":"object","required":["structuredQuery","partitionCount"],"properties":{"structuredQuery":{"type":"object"},"partitionCount":{"type":["string","integer"]},"pageSize":{"type":"integer","minimum":0},"pageToken":{"type":"string"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"}}}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":[],"additionalProperties":false,"properties":{"partitions":{"type":"array","items":{"type":"object","required":["values"],"additionalProperties":false,"properties":{"values":{"type":"array","items":{"$ref":"#/components/schemas/FirestoreValue"}},"before":{"type":"boolean"}}}},"nextPageToken":{"type":"string"}}}}}}}
}
},
"/v1/projects/{app}/databases/{database}/documents/{path}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"database","in":"path","required":true,"description":"Always `(default)`.","schema":{"const":"(default)"}},{"name":"path","in":"path","required":true,"description":"The path of a document, such as `users/u1`, or of a collection, such as `users`. Its slashes are not encoded.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"firestoreGet",
"summary":"Returns a document, or a page of a collection.",
"tags":["integrations"],
"x-role":"ingest, data",
"parameters":[{"name":"mask.fieldPaths","in":"query","description":"A field that the answer has; may be repeated.","schema":{"type":"array","maxItems":1000,"items":{"type":"string"}}},{"name":"transaction","in":"query","description":"The ID of an open transaction.","schema":{"type":"string"}},{"name":"readTime","in":"query","description":"A time of the last hour.","schema":{"type":"string"}},{"name":"pageSize","in":"query","description":"For a collection; 0 is 100, and more than 1,000 is 1,000.","schema":{"type":"integer","minimum":0,"maximum":2147483647}},{"name":"pageToken","in":"query","schema":{"type":"string"}},{"name":"orderBy","in":"query","description":"Such as `name desc, age`.","schema":{"type":"string"}},{"name":"showMissing","in":"query","description":"With `true` also documents that are not there but have documents below them; not with `orderBy`.","schema":{"type":"boolean"}}],
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"The document, or the page.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"oneOf":[{"$ref":"#/components/schemas/FirestoreDocument"},{"type":"object","additionalProperties":false,"properties":{"documents":{"type":"array","items":{"$ref":"#/components/schemas/FirestoreDocument"}},"nextPageToken":{"type":"string"}}}]}}}}}
},
"post":{
"operationId":"firestoreCreate",
"summary":"Creates a document in a collection.",
"tags":["integrations"],
"x-role":"ingest, data",
"parameters":[{"name":"documentId","in":"query","description":"Without it the server chooses an ID.","schema":{"type":"string"}},{"name":"mask.fieldPaths","in":"query","description":"A field that the answer has; may be repeated.","schema":{"type":"array","maxItems":1000,"items":{"type":"string"}}}],
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirestoreNamedDocument"}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirestoreDocument"}}}}}
},
"patch":{
"operationId":"firestorePatch",
"summary":"Sets the fields of the mask, or replaces the document.",
"tags":["integrations"],
"x-role":"ingest, data",
"parameters":[{"name":"updateMask.fieldPaths","in":"query","description":"A field that is set, or removed if the body lacks it; may be repeated.","schema":{"type":"array","maxItems":1000,"items":{"type":"string"}}},{"name":"mask.fieldPaths","in":"query","description":"A field that the answer has; may be repeated.","schema":{"type":"array","maxItems":1000,"items":{"type":"string"}}},{"name":"currentDocument.exists","in":"query","description":"Whether the document must be there.","schema":{"type":"boolean"}},{"name":"currentDocument.updateTime","in":"query","description":"The `updateTime` that the document must have.","schema":{"type":"string"}}],
"requestBody":{"description":"The media type does not matter; browsers send `text/plain`.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirestoreNamedDocument"}},"text/plain":{"schema":{"type":"string"}}}},
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Durable.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirestoreDocument"}}}}}
},
"delete":{
"operationId":"firestoreDelete",
"summary":"Deletes a document; collections below it stay.",
"tags":["integrations"],
"x-role":"ingest, data",
"parameters":[{"name":"currentDocument.exists","in":"query","description":"Whether the document must be there.","schema":{"type":"boolean"}},{"name":"currentDocument.updateTime","in":"query","description":"The `updateTime` that the document must have.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/FirestoreRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/FirestoreRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/FirestoreRefusal"},"429":{"$ref":"#/components/responses/FirestoreRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/FirestoreRefusal"},"501":{"$ref":"#/components/responses/FirestoreRefusal"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/FirestoreRefusal"},"403":{"$ref":"#/components/responses/FirestoreRefusal"},"503":{"$ref":"#/components/responses/FirestoreRefusal"},"404":{"$ref":"#/components/responses/FirestoreRefusal"},"409":{"$ref":"#/components/responses/FirestoreRefusal"},"200":{"description":"Durable; also if there was none.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":[],"additionalProperties":false,"properties":{}}}}}}
}
},
"/v1/backup":{
"post":{
"operationId":"makeBackup",
"summary":"Writes a consistent backup to a new or empty folder of this machine, or updates one.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["directory"],"additionalProperties":false,"properties":{"directory":{"type":"string","pattern":"^/","description":"An absolute path."},"passphrase":{"type":"string","minLength":12,"maxLength":1024,"description":"Encrypts the backup by a key that scrypt makes of the passphrase."},"key":{"type":"string","minLength":44,"maxLength":44,"description":"32 random bytes in Base64 that encrypt the backup; not together with `passphrase`."},"include_keys":{"type":"boolean","default":false,"description":"Whether an unencrypted backup contains `accounts.key`. Whoever has both can sign in as any user."},"update":{"type":"boolean","default":false,"description":"Whether a backup of this data folder in the directory is replaced, with only those files copied that it lacks."}}},"example":{"directory":"/var/backups/signalbox/2026-11-21"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The size of the backup.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["files","bytes"],"additionalProperties":false,"properties":{"files":{"type":"integer","minimum":1},"bytes":{"type":"integer","minimum":1},"key_apart":{"type":"string","description":"The file of the accounts' key, which the backup does not contain and a restoration needs. Keep a copy apart."}}}}}},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
}
},
"components":{
"securitySchemes":{
"bearer":{
"type":"http",
"scheme":"bearer",
"description":"A key: 1 to 64 letters, digits and underscores. Where an ingest key is accepted, also in integrations, the ID token of a signed-in user is, too."
},
"basic":{
"type":"http",
"scheme":"basic",
"description":"The key as user name; the password is ignored."
},
"id-token":{
"type":"http",
"scheme":"bearer",
"bearerFormat":"JWT",
"description":"The ID token of a signed-in user."
},
"ingest-key":{
"type":"apiKey",
"in":"query",
"name":"key",
"description":"An ingest key, for beacons and event sources of web pages."
},
"sentry":{
"type":"apiKey",
"in":"header",
"name":"X-Sentry-Auth",
"description":"`Sentry sentry_key=KEY, …`, also as `Authorization`, or `dsn` in the headers of an envelope."
}
},
"headers":{
"X-Request-Id":{
"description":"Identifies the request in the daemon's log.",
"required":true,
"schema":{"type":"string","pattern":"^[0-9a-f]{16}$"}
},
"Retry-After":{
"description":"Seconds after which the same request may succeed.",
"schema":{"type":"integer","minimum":1}
}
},
"parameters":{
"app":{
"name":"app",
"in":"query",
"description":"On the control socket, the app by ID or name, required. Ignored with a key.",
"schema":{"type":"string"}
},
"app-in-path":{
"name":"app",
"in":"path",
"required":true,
"description":"An app, by ID or name.",
"schema":{"type":"string","minLength":1}
},
"person":{
"name":"id",
"in":"path",
"required":true,
"description":"A user ID, or with `by=installation` an installation ID.",
"schema":{"type":"string","minLength":1}
},
"by":{
"name":"by",
"in":"query",
"description":"The kind of the ID in the path.",
"schema":{"enum":["user","installation"],"default":"user"}
},
"dry-run":{
"name":"dry_run",
"in":"query",
"description":"Counts without changing anything.",
"schema":{"type":"boolean","default":false}
},
"bundle-id":{
"name":"X-Bundle-Id",
"in":"header",
"description":"The app's bundle ID, for keys that are restricted to bundle IDs.",
"schema":{"type":"string"}
},
"token":{
"name":"token",
"in":"path",
"required":true,
"description":"A device's token.",
"schema":{"$ref":"#/components/schemas/Token"}
},
"topic":{
"name":"topic",
"in":"path",
"required":true,
"description":"The name of a topic; a percent sign is written `%25`. Topics that begin with `$` require a send or admin key.",
"schema":{"type":"string","minLength":1,"maxLength":900}
},
"message-id":{
"name":"id",
"in":"path",
"required":true,
"description":"The `id` of a message.",
"schema":{"type":"string","minLength":1}
},
"issue-id":{
"name":"id",
"in":"path",
"required":true,
"description":"The `id` of an issue.",
"schema":{"type":"string","minLength":1,"maxLength":64}
},
"function":{
"name":"name",
"in":"path",
"required":true,
"description":"The name of a function.",
"schema":{"type":"string"}
},
"run":{
"name":"id",
"in":"path",
"required":true,
"description":"The ID of a run.",
"schema":{"type":"string"}
},
"delivery-id":{
"name":"id",
"in":"path",
"required":true,
"description":"The `id` of a delivery; receivers see it as `webhook-id`.",
"schema":{"type":"string","minLength":1}
},
"reason":{
"name":"reason",
"in":"query",
"description":"Only records with this reason.",
"schema":{"$ref":"#/components/schemas/Reason"}
},
"limit":{
"name":"limit",
"in":"query",
"description":"The maximum number of items of a page.",
"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}
},
"after":{
"name":"after",
"in":"query",
"description":"The cursor of the previous page.",
"schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}
},
"from":{
"name":"from",
"in":"query",
"description":"The start of the range.",
"schema":{"$ref":"#/components/schemas/Moment","default":"-7d"}
},
"to":{
"name":"to",
"in":"query",
"description":"The end of the range, exclusive.",
"schema":{"$ref":"#/components/schemas/Moment","default":"now"}
},
"tz":{
"name":"tz",
"in":"query",
"description":"The time zone of hours and days; default the app's.",
"schema":{"$ref":"#/components/schemas/Zone"}
},
"interval":{
"name":"interval",
"in":"query",
"description":"The length of a bucket.",
"schema":{"$ref":"#/components/schemas/Interval"}
},
"period":{
"name":"interval",
"in":"query",
"description":"The length of a bucket.",
"schema":{"$ref":"#/components/schemas/Period"}
},
"metric":{
"name":"metric",
"in":"query",
"description":"The metric.",
"schema":{"$ref":"#/components/schemas/Metric"}
},
"event":{
"name":"event",
"in":"query",
"description":"Only events with this name; for sessions, those with such an event.",
"schema":{"$ref":"#/components/schemas/AskedEvent"}
},
"filter":{
"name":"filter",
"in":"query",
"description":"A filter on events; if repeated, all must match.",
"schema":{"$ref":"#/components/schemas/Filters"}
},
"sent-at":{
"name":"sent_at",
"in":"query",
"description":"The time of sending, by the sender's clock; an invalid time is ignored. If the body is an array or lines, this and the\nfollowing parameters replace the fields of the envelope; if it is an object, they are ignored.\n",
"schema":{"type":"string","examples":["2026-11-21T08:00:02Z"]}
},
"installation-id":{
"name":"installation_id",
"in":"query",
"schema":{"$ref":"#/components/schemas/Person"}
},
"user-id":{
"name":"user_id",
"in":"query",
"schema":{"$ref":"#/components/schemas/Person"}
},
"session-id":{
"name":"session_id",
"in":"query",
"schema":{"$ref":"#/components/schemas/Person"}
},
"platform":{
"name":"context.platform",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
},
"app-version":{
"name":"context.app_version",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
},
"build":{
"name":"context.build",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
},
"os-version":{
"name":"context.os_version",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
},
"device-model":{
"name":"context.device_model",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
},
"locale":{
"name":"context.locale",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
},
"country":{
"name":"context.country",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
},
"environment":{
"name":"context.environment",
"in":"query",
"schema":{"$ref":"#/components/schemas/ContextText"}
}
},
"schemas":{
"SegmentCall":{
"type":"object",
"description":"The format that Segment documents; only stored fields are listed here.",
"properties":{"writeKey":{"type":"string","description":"The key, if it is not the user name of HTTP Basic."},"messageId":{"type":"string"},"timestamp":{"type":"string"},"userId":{"description":"The user ID.","type":["string","integer","null"]},"anonymousId":{"description":"The installation.","type":["string","integer","null"]},"previousId":{"description":"For alias: the installation ID.","type":["string","integer","null"]},"event":{"type":"string","description":"For track: the event name. `Order Completed` is a purchase and `Order Refunded` a refund."},"name":{"type":"string","description":"For page and screen: the name."},"properties":{"type":"object"},"traits":{"type":"object","description":"For identify and group: the properties."},"context":{"type":"object","description":"`app`, `os`, `device`, `locale` and `location.country` are kept."}}
},
"SegmentBatch":{
"type":"object",
"required":["batch"],
"properties":{"writeKey":{"type":"string"},"sentAt":{"type":"string"},"batch":{"type":"array","maxItems":2000,"items":{"allOf":[{"$ref":"#/components/schemas/SegmentCall"}],"properties":{"type":{"enum":["track","identify","page","screen","group","alias"]}}}}}
},
"PostHogBatch":{
"type":"object",
"description":"An event, or an object with a list of events, in the format that PostHog documents; also as a form or compressed with gzip, as web pages send it.",
"properties":{"api_key":{"type":"string","description":"The key; also accepted as `token` and `properties.token`."},"batch":{"type":"array","maxItems":2000,"items":{"type":"object"}},"sent_at":{"type":"string"}}
},
"Measurement":{
"type":"object",
"description":"The format that Google documents; only stored fields are listed here, others are ignored.",
"required":["events"],
"properties":{"app_instance_id":{"type":"string","description":"The installation ID."},"client_id":{"type":"string","description":"The installation ID of a web stream."},"user_id":{"type":"string","maxLength":256},"timestamp_micros":{"description":"The time of events without their own, as a number or a string.","type":["integer","string"]},"validation_behavior":{"enum":["RELAXED","ENFORCE_RECOMMENDATIONS"],"default":"RELAXED"},"validationBehavior":{"enum":["RELAXED","ENFORCE_RECOMMENDATIONS"]},"user_properties":{"type":"object","description":"By name, each `{\"value\": …}` with an optional `timestamp_micros`."},"device":{"type":"object","description":"`operating_system`, `operating_system_version`, `model` and `language` are kept."},"user_location":{"type":"object","description":"`country_id` is kept."},"events":{"type":"array","maxItems":25,"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"params":{"type":"object","description":"`session_id` is the event's session, `timestamp_micros` its time."},"timestamp_micros":{"type":["integer","string"]}}}}}
},
"Person":{
"type":"string",
"description":"The ID of the user or installation; empty means none.",
"maxLength":256,
"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
},
"ContextText":{
"type":"string",
"maxLength":100,
"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
},
"Time":{
"description":"RFC 3339 (UTC if it has no offset), or a number since 1970: below 10¹¹ in seconds, below 10¹⁴ in milliseconds, below 10¹⁷ in\nmicroseconds. Null means no time.\n",
"anyOf":[{"type":"string"},{"type":"number","exclusiveMinimum":-1e+17,"exclusiveMaximum":1e+17},{"type":"null"}],
"examples":["2026-11-21T08:00:00.250Z",1795248000,1795248000250]
},
"Context":{
"type":["object","null"],
"description":"The context of the event. Numbers are stored as text, unknown fields are ignored, and null keeps the envelope's value.",
"properties":{"platform":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"app_version":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"build":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"os_version":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"device_model":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"locale":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"country":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"environment":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"}}
},
"EventsBody":{
"oneOf":[{"type":"object","title":"Envelope","description":"Its fields are defaults of every event; unknown fields are ignored. An invalid field rejects the request.","required":["events"],"properties":{"sent_at":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"The time of sending by the sender's clock; ignored if unreadable."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"context":{"$ref":"#/components/schemas/Context"},"events":{"$ref":"#/components/schemas/Events"}}},{"$ref":"#/components/schemas/Events"}]
},
"Events":{
"type":"array",
"maxItems":2000,
"items":{"$ref":"#/components/schemas/Event"}
},
"Event":{
"type":"object",
"description":"An event that does not match is quarantined or corrected. Lengths are the defaults of a new app; its settings change them.\nUnknown fields, also those of the context, are not stored and reported as one correction `unknown_field` per event, which names\nthe first and the number of others. Those of the shared context are reported with the first stored event.\n",
"required":["name"],
"properties":{"id":{"type":["string","null"],"maxLength":64,"description":"A UUID or any other text; counts once."},"name":{"type":"string","description":"Events with a meaning: `screen_view` (`screen_name`, `screen_class`), `purchase` and `in_app_purchase` (`value`,\n`currency`, `transaction_id`, `items`; the latter also `price` and `quantity`), `refund`, `app_error`\n(`error_description`, `error_context`), `session_start`, `user_engagement`, `first_open`, `notification_receive`,\n`notification_open`, `notification_dismiss`. The name `error` and names that begin with `_`, `firebase_`, `ga_`,\n`google_` or `gtag.` are reserved.\n","pattern":"^[A-Za-z][A-Za-z0-9_]*$","maxLength":40},"timestamp":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"The time of the event; default the time of receipt."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"context":{"$ref":"#/components/schemas/Context"},"params":{"$ref":"#/components/schemas/Params"}}
},
"Params":{
"type":["object","null"],
"description":"Null is a valid value. Strings have at most 100 characters; `page_title` 300, `page_referrer` 420, `page_location` 1,000,\n`reason`, `error_description` and `error_context` 8,192. Money is read from the digits as sent and kept in millionths; an\namount without `currency` is stored but is not revenue. Amounts are not negative (`negative_amount`): a negative `value` of a\n`refund` loses its sign; that of a `purchase`, and a negative `price` or `quantity`, is left out.\n",
"maxProperties":25,
"propertyNames":{"pattern":"^[A-Za-z][A-Za-z0-9_]*$","maxLength":40},
"properties":{"items":{"type":["array","null"],"maxItems":200,"items":{"type":"object","maxProperties":27,"additionalProperties":{"type":["string","number","boolean","null"]}}}},
"additionalProperties":{"type":["string","number","boolean","null"]}
},
"UsersBody":{
"type":"object",
"required":["users"],
"properties":{"sent_at":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"The time of sending by the sender's clock, as with events."},"users":{"type":"array","maxItems":1000,"items":{"type":"object","anyOf":[{"required":["user_id"]},{"required":["installation_id"]}],"properties":{"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"alias":{"type":["boolean","null"],"description":"Links the installation to the user; both IDs are required. Counts like an event with both IDs at the time, in figures of people."},"once":{"type":["boolean","null"],"description":"Sets only properties without a value; of several such entries the oldest wins."},"timestamp":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"The time of the change; default the time of receipt."},"properties":{"type":["object","null"],"maxProperties":25,"propertyNames":{"pattern":"^[A-Za-z][A-Za-z0-9_]*$","maxLength":24},"additionalProperties":{"type":["string","number","boolean","null"],"maxLength":36}}}}}}
},
"Moment":{
"description":"`now`, a time before now in seconds, minutes, hours, days or weeks such as `-7d`, or an RFC 3339 time (UTC if it has no offset).",
"anyOf":[{"const":"now"},{"type":"string","pattern":"^-[0-9]{1,6}[smhdw]$"},{"type":"string","format":"date-time"}],
"examples":["-7d","2026-11-21T00:00:00Z"]
},
"CrashKind":{
"description":"`anr` is a hang.",
"enum":["fatal","nonfatal","anr"]
},
"CrashLevel":{
"enum":["fatal","error","warning","info","debug"]
},
"IssueState":{
"enum":["open","closed","muted"]
},
"DebugID":{
"type":"string",
"description":"A UUID in any spelling, optionally followed by an age.",
"pattern":"^[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}(-?[0-9A-Fa-f]{1,8})?$",
"examples":["c0bcc3f1-9827-fe65-3058-404b2831d9e6"]
},
"CrashesBody":{
"oneOf":[{"type":"object","title":"Envelope","description":"Its fields are defaults of every report; unknown fields are ignored.","required":["crashes"],"properties":{"sent_at":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"The time of sending by the sender's clock; ignored if unreadable."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"release":{"type":["string","null"],"maxLength":200,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"context":{"$ref":"#/components/schemas/Context"},"crashes":{"$ref":"#/components/schemas/Crashes"}}},{"$ref":"#/components/schemas/Crashes"}]
},
"Crashes":{
"type":"array",
"maxItems":100,
"items":{"$ref":"#/components/schemas/CrashReport"}
},
"CrashReport":{
"type":"object",
"description":"The report. Names are those of Sentry, and so are the accepted spellings: lists may also be in an object with `values`,\naddresses may be numbers or strings such as `0x1000`. Unknown fields are ignored. Responses contain the report cut to the\nlimits, and symbolicated if symbols were available.\n",
"properties":{"id":{"type":["string","null"],"maxLength":64,"description":"A UUID or any other text; counts once."},"kind":{"anyOf":[{"$ref":"#/components/schemas/CrashKind"},{"type":"null"}]},"level":{"anyOf":[{"$ref":"#/components/schemas/CrashLevel"},{"type":"null"}]},"timestamp":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"The time of the event; default the time of receipt."},"type":{"type":["string","null"],"description":"The exception class or signal. Required unless an exception has a type."},"reason":{"type":["string","null"],"description":"Up to 8,192 characters are kept."},"handled":{"type":["boolean","null"]},"exceptions":{"type":["array","object","null"],"description":"The exceptions, outermost last. Each has `type`, `value`, `module`, `mechanism` and `frames`."},"threads":{"type":["array","object","null"],"description":"The threads. Each has `id`, `name`, `crashed`, `current` and `frames`."},"frames":{"type":["array","null"],"description":"Oldest first: `function`, `module`, `filename`, `abs_path`, `lineno`, `colno`, `in_app`, `package`, `instruction_addr`, `symbol_addr`, `image_addr`, `pre_context`, `context_line`, `post_context` (5 lines each, unless the setting `source_context` is off), `vars` (32 of a frame of the app, unless the setting `local_variables` is off). Frames of a minidump have `trust`, how they were found (`context`, `cfi`, `fp`, `scan`), and the innermost one of the crashed thread has `registers`."},"images":{"type":["array","object","null"],"description":"The loaded binaries: `type`, `debug_id`, `code_id`, `image_addr`, `image_size`, `image_vmaddr`, `code_file`, `debug_file`, `arch`."},"breadcrumbs":{"type":["array","object","null"],"description":"The newest 100 are kept."},"custom_keys":{"type":["object","null"],"description":"64 are kept, of 1,024 bytes each."},"logs":{"type":["string","array","null"],"description":"The newest 64 kB are kept."},"platform":{"type":["string","null"],"description":"The platform of frames that state none, in Sentry's words: `cocoa`, `native`, `java`, `csharp`, `go`, `python`, `ruby`, `php`, `javascript`, `node`, `dart`, `elixir`."},"message_template":{"type":["string","null"],"description":"The message without its arguments, as in `no user %s`. Reports with one template are grouped together."},"fingerprint":{"type":["array","null"],"description":"Groups reports with the same fingerprint; `{{ default }}` is the default grouping."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"release":{"type":["string","null"],"description":"The release, such as `shop@2.1.0+57`, which is release 2.1.0."},"context":{"$ref":"#/components/schemas/Context"}}
},
"CrashOutcome":{
"type":"object",
"required":["accepted","duplicates","quarantined","results"],
"additionalProperties":false,
"properties":{"accepted":{"type":"integer","minimum":0,"description":"Stored, including corrected ones."},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"results":{"type":"array","items":{"type":"object","required":["index","result"],"additionalProperties":false,"properties":{"index":{"type":"integer","minimum":0,"maximum":99},"id":{"type":"string"},"result":{"enum":["accepted","corrected","duplicate","quarantined"]},"issue":{"type":"string","description":"The ID of its issue; missing if it was quarantined."},"code":{"$ref":"#/components/schemas/Reason"},"number":{"type":"integer","description":"Firebase's number of the reason."},"field":{"type":"string"},"message":{"type":"string"}}}}}
},
"RegroupedIssue":{
"type":"object",
"required":["id","title","parts"],
"additionalProperties":false,
"properties":{"id":{"type":"string"},"title":{"type":"string"},"parts":{"type":"array","description":"The parts that leave the issue.","items":{"type":"object","required":["title","reports","is_new"],"additionalProperties":false,"properties":{"title":{"type":"string"},"culprit":{"type":"string"},"reports":{"type":"integer","minimum":1,"description":"The number of its stored reports."},"issue":{"type":"string","description":"The issue that has the part; absent for a new issue in a dry run."},"is_new":{"type":"boolean","description":"Whether the part becomes an issue of its own."}}}}}
},
"Issue":{
"type":"object",
"required":["id","title","kind","state","signals","count","users","first_seen","last_seen","grouped_by","notes_count"],
"additionalProperties":false,
"properties":{"id":{"type":"string"},"title":{"type":"string"},"culprit":{"type":"string","description":"The function where it occurs."},"kind":{"$ref":"#/components/schemas/CrashKind"},"state":{"$ref":"#/components/schemas/IssueState"},"signals":{"type":"array","uniqueItems":true,"items":{"enum":["fresh","early","repetitive","regressed"]},"description":"`fresh`: first seen within a week. `early`: mostly early in a session. `repetitive`: often for the same users. `regressed`: it returned after it was closed."},"count":{"type":"integer","minimum":0},"users":{"type":"integer","minimum":0,"description":"Distinct users of the stored reports."},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"first_release":{"type":"string"},"last_release":{"type":"string"},"grouped_by":{"type":"string","description":"The rule that groups these crashes."},"closed_in":{"type":"string","description":"Fixed in this release."},"closed_after":{"type":"string","description":"Fixed in any release after this one, and in any later build of it if `closed_build` is present."},"closed_build":{"type":"string","description":"The build of the release in `closed_in` or `closed_after`."},"muted_until":{"type":"string","format":"date-time"},"muted_count":{"type":"integer","minimum":1,"description":"The number of crashes within `muted_within` that unmutes it."},"muted_within":{"type":"integer","minimum":1,"description":"In seconds."},"notes_count":{"type":"integer","minimum":0},"assignee":{"type":"string","description":"Missing if it is assigned to nobody."}}
},
"IssueResults":{
"type":"object",
"required":["succeeded","failed","results"],
"additionalProperties":false,
"properties":{"succeeded":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"results":{"type":"array","minItems":1,"maxItems":100,"description":"In the order of the request.","items":{"type":"object","required":["id","result"],"additionalProperties":false,"properties":{"id":{"type":"string"},"result":{"enum":["changed","deleted","merged","not_found"]}}}}}
},
"WholeIssue":{
"type":"object",
"required":["id","title","kind","state","signals","count","users","first_seen","last_seen","grouped_by","notes_count","series","releases","os_versions","devices","variants","notes","history","former_ids"],
"additionalProperties":false,
"properties":{"id":{"type":"string"},"title":{"type":"string"},"culprit":{"type":"string","description":"The function where it occurs."},"kind":{"$ref":"#/components/schemas/CrashKind"},"state":{"$ref":"#/components/schemas/IssueState"},"signals":{"type":"array","uniqueItems":true,"items":{"enum":["fresh","early","repetitive","regressed"]},"description":"`fresh`: first seen within a week. `early`: mostly early in a session. `repetitive`: often for the same users. `regressed`: it returned after it was closed."},"count":{"type":"integer","minimum":0},"users":{"type":"integer","minimum":0,"description":"Distinct users of the stored reports."},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"first_release":{"type":"string"},"last_release":{"type":"string"},"grouped_by":{"type":"string","description":"The rule that groups these crashes."},"closed_in":{"type":"string","description":"Fixed in this release."},"closed_after":{"type":"string","description":"Fixed in any release after this one, and in any later build of it if `closed_build` is present."},"closed_build":{"type":"string","description":"The build of the release in `closed_in` or `closed_after`."},"muted_until":{"type":"string","format":"date-time"},"muted_count":{"type":"integer","minimum":1,"description":"The number of crashes within `muted_within` that unmutes it."},"muted_within":{"type":"integer","minimum":1,"description":"In seconds."},"notes_count":{"type":"integer","minimum":0},"assignee":{"type":"string","description":"Missing if it is assigned to nobody."},"series":{"type":"array","description":"Crashes by day in the app's time zone, of the last 30 days. Every day is present, today is the last one.","minItems":30,"maxItems":30,"items":{"type":"object","required":["t","value"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time"},"value":{"type":"integer","minimum":0}}}},"releases":{"type":"array","maxItems":20,"items":{"type":"object","required":["count"],"additionalProperties":false,"properties":{"value":{"type":"string","description":"Missing for crashes without a value."},"count":{"type":"integer","minimum":1}}}},"os_versions":{"type":"array","maxItems":20,"items":{"type":"object","required":["count"],"additionalProperties":false,"properties":{"value":{"type":"string","description":"Missing for crashes without a value."},"count":{"type":"integer","minimum":1}}}},"devices":{"type":"array","maxItems":20,"items":{"type":"object","required":["count"],"additionalProperties":false,"properties":{"value":{"type":"string","description":"Missing for crashes without a value."},"count":{"type":"integer","minimum":1}}}},"variants":{"type":"array","maxItems":200,"description":"The variants of an issue: crashes with different full stacks.","items":{"type":"object","required":["id","title","grouped_by","count","first_seen","last_seen"],"additionalProperties":false,"properties":{"id":{"type":"string"},"title":{"type":"string"},"culprit":{"type":"string"},"grouped_by":{"type":"string"},"count":{"type":"integer","minimum":0},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"}}}},"notes":{"type":"array","maxItems":100,"items":{"type":"object","required":["at","text"],"additionalProperties":false,"properties":{"at":{"type":"string","format":"date-time"},"author":{"type":"string"},"text":{"type":"string"}}}},"history":{"type":"array","maxItems":100,"items":{"type":"object","required":["at","what"],"additionalProperties":false,"properties":{"at":{"type":"string","format":"date-time"},"what":{"enum":["appeared","regressed","unmuted","opened","closed","muted","merged","split","symbolicated","spreading"]},"detail":{"type":"string","description":"A release or another issue."}}}},"former_ids":{"type":"array","maxItems":100,"description":"IDs of issues that were merged into this one. They still lead here.","items":{"type":"string"}}}
},
"Crash":{
"allOf":[{"$ref":"#/components/schemas/CrashFields"}],
"type":"object",
"unevaluatedProperties":false
},
"CrashFields":{
"type":"object",
"required":["id","issue","kind","timestamp","received_at","variant","late","kept","symbols"],
"properties":{"id":{"type":"string"},"kind":{"$ref":"#/components/schemas/CrashKind"},"timestamp":{"type":"string","format":"date-time"},"received_at":{"type":"string","format":"date-time"},"release":{"type":"string"},"platform":{"type":"string"},"os_version":{"type":"string"},"device_model":{"type":"string"},"issue":{"type":"string"},"variant":{"type":"string"},"late":{"type":"boolean","description":"Whether it arrived later than the app's `lateness_hours`."},"kept":{"type":"boolean","description":"Whether its report is stored; frequent issues store a sample."},"symbols":{"enum":["complete","waiting","missing"],"description":"`waiting`: being symbolicated. `missing`: waits for symbol files."},"attachments":{"type":"array","maxItems":31,"description":"Files sent with it; missing if there are none.","items":{"$ref":"#/components/schemas/Attachment"}}}
},
"Attachment":{
"type":"object",
"required":["id","type","size","kept"],
"additionalProperties":false,
"properties":{"id":{"type":"string","description":"For `GET /v1/attachments/{id}`."},"name":{"type":"string"},"type":{"type":"string","description":"The purpose as stated by the SDK.","examples":["event.attachment","event.minidump"]},"content_type":{"type":"string"},"size":{"type":"integer","minimum":0,"description":"In bytes."},"kept":{"type":"boolean","description":"Whether the file is stored."},"reason":{"enum":["too_large","report_full","evicted","anonymized"],"description":"Why it is not stored. `too_large`: larger than `crashes.attachment_bytes` or beyond the body's limit. `report_full`: the crash\nalready had 30 files or 64 MiB; further ones are not listed. `evicted`: removed by `crashes.kept_attachment_bytes`.\n"}}
},
"SymbolFile":{
"type":"object",
"required":["debug_id","format","bytes","created_at"],
"additionalProperties":false,
"properties":{"debug_id":{"$ref":"#/components/schemas/DebugID"},"format":{"enum":["macho","elf","breakpad","sourcemap","proguard"]},"architecture":{"type":"string"},"release":{"type":"string","description":"Of a source map that was uploaded for a release and a URL, like `dist` and `url`."},"dist":{"type":"string"},"url":{"type":"string"},"bytes":{"type":"integer","minimum":0},"created_at":{"type":"string","format":"date-time"}}
},
"Zone":{
"type":"string",
"description":"An IANA time zone.",
"examples":["Europe/Berlin"]
},
"Interval":{
"description":"Weeks begin on Monday.",
"enum":["minute","hour","day","week","month"],
"default":"day"
},
"Period":{
"description":"Weeks begin on Monday.",
"enum":["day","week","month"],
"default":"day"
},
"Metric":{
"description":"`users` counts distinct people. `sessions` are counted in the bucket in which they begin. `purchases` counts purchases,\n`revenue` is their money net of refunds, `quantity` the units of their items, net of refunds. `crashes` counts fatal crashes; they are not events, so `event` is not allowed, and\nfields are those of a crash: `context.platform`, `context.app_version` (its release), `context.os_version` and\n`context.device_model`.\n\n`sum`, `avg`, `min`, `max` and the percentiles `p50`, `p90`, `p95` and `p99` of a parameter are figures over the events whose\nparameter is a number, or the text of a decimal number, of a magnitude up to 1e300. They are binary fractions of 64 bits; use\n`revenue` for money. A percentile is the number at the nearest rank, not an interpolation. The total is the figure over the range.\n",
"anyOf":[{"enum":["events","users","sessions","screen_views","purchases","revenue","quantity","crashes"]},{"type":"string","pattern":"^(sum|avg|min|max|p50|p90|p95|p99)\\(params\\.[\\s\\S]{1,1000}\\)$","examples":["p95(params.load_ms)"]}],
"default":"events"
},
"AskedEvent":{
"type":"string",
"minLength":1,
"maxLength":1000,
"description":"The name of an event; at most 1000 bytes."
},
"FieldPath":{
"type":"string",
"description":"A field of an event. User properties have their current value. Fields of `items`, the items of purchases and refunds, are only for\nthe metrics `revenue` and `quantity`.\n",
"pattern":"^(name|context\\.(platform|app_version|build|os_version|device_model|locale|country|environment)|(params|user|items)\\.[\\s\\S]{1,1000})$",
"examples":["name","context.app_version","params.screen_name","user.tier","items.item_id"]
},
"FieldPaths":{
"type":"array",
"minItems":1,
"maxItems":3,
"uniqueItems":true,
"items":{"$ref":"#/components/schemas/FieldPath"}
},
"FieldOrFields":{
"description":"A field, or a list of up to three.",
"anyOf":[{"$ref":"#/components/schemas/FieldPath"},{"$ref":"#/components/schemas/FieldPaths"}]
},
"Filter":{
"type":"string",
"description":"A field, an operator and a value: `=`, `!=`, `~` (contains), `>`, `>=`, `<` or `<=`. Up to 100 values are separated by `|`; one\nof them must match (with `!=`, none). In a value `\\|` is a bar and `\\\\` a backslash. Two numbers compare by value, exactly; other\ntexts compare by their Unicode scalars. `name` and `context.…` are texts for `=` and `!=`: version `1.1` is not `1.10`. A missing\nfield matches only `!=`. `cohort=` and `cohort!=` with up to ten names separated by `|` are conditions on the event's\nperson.\n",
"maxLength":10000,
"pattern":"^(name|cohort(?=!?=)|context\\.(platform|app_version|build|os_version|device_model|locale|country|environment)|(params|user)\\.[^=!<>~]{1,1000})(!=|[<>]=?|=|~)",
"examples":["context.platform=ios|android","params.n>=3","user.tier!=free"]
},
"Filters":{
"type":"array",
"maxItems":20,
"items":{"$ref":"#/components/schemas/Filter"}
},
"FilterOrFilters":{
"description":"A filter, or a list of which all must match.",
"anyOf":[{"$ref":"#/components/schemas/Filter"},{"$ref":"#/components/schemas/Filters"}]
},
"TopLimit":{
"type":"integer",
"minimum":1,
"maximum":100,
"default":10
},
"CohortRule":{
"enum":["first_time","recurring"],
"default":"first_time"
},
"PeriodCount":{
"type":"integer",
"minimum":1,
"maximum":60,
"default":8
},
"FunnelWindow":{
"type":"string",
"pattern":"^[0-9]{1,8}[smhdw]$",
"default":"1d"
},
"FunnelOrder":{
"enum":["ordered","strict"],
"description":"With `strict`, the person's next event is the next step.",
"default":"ordered"
},
"StepText":{
"type":"string",
"description":"The name of an event, with filters after semicolons: `purchase;params.n>=3`. A literal semicolon is doubled.",
"minLength":1,
"examples":["screen_view","screen_view;params.screen_name=Cart"]
},
"StepTexts":{
"type":"array",
"minItems":2,
"maxItems":20,
"items":{"$ref":"#/components/schemas/StepText"}
},
"Step":{
"type":"object",
"required":["event"],
"additionalProperties":false,
"properties":{"event":{"$ref":"#/components/schemas/AskedEvent"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"}}
},
"Steps":{
"type":"array",
"minItems":2,
"maxItems":20,
"items":{"anyOf":[{"$ref":"#/components/schemas/Step"},{"$ref":"#/components/schemas/StepText"}]}
},
"SavedQueryName":{
"type":"string",
"pattern":"^[A-Za-z0-9._-]{1,64}$",
"examples":["weekly-users"]
},
"QueryName":{
"enum":["series","top","active-users","retention","funnel","revenue","sessions","lifecycle","realtime","crash-free"]
},
"QueryParameters":{
"type":"object",
"description":"The body that `POST` to the query takes, of at most 32 KiB; none by default."
},
"Cohort":{
"type":"object",
"description":"People with some user properties who, if an event is named, sent it within the range.",
"additionalProperties":false,
"anyOf":[{"required":["event"]},{"required":["filter"]}],
"properties":{"filter":{"$ref":"#/components/schemas/FilterOrFilters","description":"Conditions on user properties."},"event":{"$ref":"#/components/schemas/AskedEvent"},"event_filter":{"$ref":"#/components/schemas/FilterOrFilters","description":"Conditions on the event."},"from":{"$ref":"#/components/schemas/Moment","default":"-30d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"}}
},
"StoredCohort":{
"type":"object",
"required":["name","parameters","created_at","changed_at"],
"additionalProperties":false,
"properties":{"name":{"$ref":"#/components/schemas/SavedQueryName"},"parameters":{"$ref":"#/components/schemas/Cohort"},"created_at":{"type":"string","format":"date-time"},"changed_at":{"type":"string","format":"date-time"}}
},
"SavedQuery":{
"type":"object",
"required":["name","query","parameters","created_at","changed_at"],
"additionalProperties":false,
"properties":{"name":{"$ref":"#/components/schemas/SavedQueryName"},"query":{"$ref":"#/components/schemas/QueryName"},"parameters":{"$ref":"#/components/schemas/QueryParameters"},"created_at":{"type":"string","format":"date-time"},"changed_at":{"type":"string","format":"date-time"}}
},
"SeriesQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"metric":{"$ref":"#/components/schemas/Metric"},"event":{"$ref":"#/components/schemas/AskedEvent"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"},"breakdown":{"$ref":"#/components/schemas/FieldOrFields"},"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"TopQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"field":{"$ref":"#/components/schemas/FieldPath","default":"name"},"metric":{"$ref":"#/components/schemas/Metric"},"event":{"$ref":"#/components/schemas/AskedEvent"},"interval":{"enum":["minute","hour","day","week","month"]},"filter":{"$ref":"#/components/schemas/FilterOrFilters"},"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"ActiveUsersQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"}}
},
"RetentionQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"start":{"$ref":"#/components/schemas/AskedEvent","default":"first_open"},"return":{"$ref":"#/components/schemas/AskedEvent","default":"any"},"cohort":{"$ref":"#/components/schemas/CohortRule"},"interval":{"$ref":"#/components/schemas/Period"},"periods":{"$ref":"#/components/schemas/PeriodCount"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"}}
},
"FunnelQueryBody":{
"type":"object",
"required":["steps"],
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"steps":{"$ref":"#/components/schemas/Steps"},"window":{"$ref":"#/components/schemas/FunnelWindow"},"order":{"$ref":"#/components/schemas/FunnelOrder"},"breakdown":{"$ref":"#/components/schemas/FieldOrFields"},"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"RevenueQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"}}
},
"SessionsQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"}}
},
"LifecycleQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Period"}}
},
"RealtimeQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"CrashFreeQueryBody":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"},"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"Outcome":{
"type":"object",
"description":"The result of each event that was not simply accepted, in the order of the request.",
"required":["accepted","duplicates","quarantined","results"],
"additionalProperties":false,
"properties":{"accepted":{"type":"integer","minimum":0,"description":"Stored, including corrected ones."},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"results":{"type":"array","items":{"$ref":"#/components/schemas/Verdict"}}}
},
"Verdict":{
"allOf":[{"$ref":"#/components/schemas/ReasonWithNumber"}],
"type":"object",
"required":["index","result","code","field","message"],
"unevaluatedProperties":false,
"properties":{"index":{"type":"integer","minimum":0,"maximum":1999,"description":"The index of the event in the request, from 0."},"id":{"type":"string","description":"The event's ID if it had one, a UUID in lower case."},"result":{"enum":["corrected","duplicate","quarantined"]},"code":{"$ref":"#/components/schemas/Reason"},"number":{"type":"integer"},"field":{"type":"string","description":"The path of the field, such as `params.items[3].price`."},"message":{"type":"string"}}
},
"Reason":{
"description":"The reason of a correction, quarantine or duplicate.",
"enum":["invalid_json","not_an_object","duplicate_key","missing_name","bad_event_name","reserved_event_name","too_many_event_names","bad_id","bad_timestamp","too_old","bad_user_id","bad_installation_id","bad_session_id","bad_context","unknown_field","bad_params","missing_type","blocked","forbidden_event","user_mismatch","user_unproved","bad_param_name","reserved_param_name","value_too_long","bad_value","too_many_params","duplicate_param","number_out_of_range","bad_currency","bad_money","negative_amount","bad_items","too_many_items","too_many_entries","bad_user_property_name","user_property_too_long","too_many_user_properties","reserved_user_property_name","event_duplicate","crash_duplicate","transaction_duplicate"]
},
"ReasonWithNumber":{
"description":"Firebase's number of the reason, if it has one.",
"oneOf":[{"required":["number"],"properties":{"code":{"const":"bad_event_name"},"number":{"const":2}}},{"required":["number"],"properties":{"code":{"const":"bad_param_name"},"number":{"const":3}}},{"required":["number"],"properties":{"code":{"const":"value_too_long"},"number":{"const":4}}},{"required":["number"],"properties":{"code":{"const":"too_many_params"},"number":{"const":5}}},{"required":["number"],"properties":{"code":{"const":"bad_user_property_name"},"number":{"const":6}}},{"required":["number"],"properties":{"code":{"const":"user_property_too_long"},"number":{"const":7}}},{"required":["number"],"properties":{"code":{"const":"too_many_event_names"},"number":{"const":8}}},{"required":["number"],"properties":{"code":{"const":"too_many_user_properties"},"number":{"const":9}}},{"required":["number"],"properties":{"code":{"const":"reserved_event_name"},"number":{"const":13}}},{"required":["number"],"properties":{"code":{"const":"reserved_param_name"},"number":{"const":14}}},{"required":["number"],"properties":{"code":{"const":"reserved_user_property_name"},"number":{"const":15}}},{"not":{"required":["number"]}}]
},
"QuarantinedEvent":{
"allOf":[{"$ref":"#/components/schemas/ReasonWithNumber"}],
"type":"object",
"required":["seq","received_at","code","field","message","source","envelope","raw"],
"unevaluatedProperties":false,
"properties":{"seq":{"type":"integer","minimum":1},"received_at":{"type":"string","format":"date-time"},"timestamp":{"type":"string","format":"date-time","description":"The event's own time, if it is valid."},"id":{"type":"string"},"code":{"$ref":"#/components/schemas/Reason"},"number":{"type":"integer"},"field":{"type":"string"},"message":{"type":"string"},"source":{"enum":["events","users","crashes","server","open","trusted","orders"],"description":"The kind of record: an event, an entry of `POST /v1/users` or a crash, an integration's event with Google's naming rules (`server`) or free names (`open`), or an event sent with an admin (`trusted`) or send key (`orders`). User entries are not replayed."},"envelope":{"type":"object","description":"The fields of the request's envelope, named like the query parameters for an array.","additionalProperties":{"type":"string"}},"raw":{"type":"string","description":"The original bytes of the event. For an integration, the translated event, except for a Segment call of an unknown\nkind. Bytes that are not UTF-8 are shown as U+FFFD.\n"}}
},
"PersonPage":{
"type":"object",
"description":"Either `user_id` or `installation_id`, with the `installations` or `users` that were seen with it.",
"required":["properties"],
"properties":{"user_id":{"type":"string"},"installation_id":{"type":"string"},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"properties":{"type":"object","additionalProperties":{"type":"object","required":["value","timestamp"],"additionalProperties":false,"properties":{"value":{"type":["string","number","boolean"]},"timestamp":{"type":"string","format":"date-time"}}}},"installations":{"type":"array","items":{"type":"object","required":["alias"],"additionalProperties":false,"properties":{"installation_id":{"type":"string"},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"alias":{"type":"boolean","description":"Whether an alias of `POST /v1/users` links the two."}}}},"users":{"type":"array","items":{"type":"object","required":["alias"],"additionalProperties":false,"properties":{"user_id":{"type":"string"},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"alias":{"type":"boolean","description":"Whether an alias of `POST /v1/users` links the two."}}}}}
},
"PersonMessage":{
"allOf":[{"$ref":"#/components/schemas/PersonMessageFields"}],
"type":"object",
"unevaluatedProperties":false
},
"PersonMessageFields":{
"type":"object",
"description":"A message to a device of the user.",
"required":["id","message","timestamp","state","changed_at"],
"properties":{"id":{"type":"string","pattern":"^msg_[0-9A-Za-z]+_[0-9]+$","description":"The ID of the delivery."},"message":{"type":"string","pattern":"^msg_[0-9A-Za-z]+$"},"timestamp":{"type":"string","format":"date-time","description":"The time the message was sent."},"token":{"$ref":"#/components/schemas/MaskedToken","description":"The receiving device."},"topic":{"type":"string"},"condition":{"type":"string"},"label":{"type":"string"},"notification":{"type":"object"},"state":{"$ref":"#/components/schemas/DeliveryState"},"changed_at":{"type":"string","format":"date-time"}}
},
"Removal":{
"type":"object",
"required":["events","purchases","quarantined","properties","pairs","days","installations","registrations","deliveries","crashes","accounts","documents","files","runs","dry_run"],
"properties":{"events":{"type":"integer","minimum":0},"purchases":{"type":"integer","minimum":0,"description":"The number of purchases and refunds among the events."},"quarantined":{"type":"integer","minimum":0},"properties":{"type":"integer","minimum":0},"pairs":{"type":"integer","minimum":0,"description":"Aliases between users and installations."},"days":{"type":"integer","minimum":0,"description":"Days of receipt with data."},"installations":{"type":"integer","minimum":0,"description":"Installations erased with their user."},"registrations":{"type":"integer","minimum":0,"description":"Devices registered for messages."},"deliveries":{"type":"integer","minimum":0,"description":"Deleted messages to those devices; 0 for anonymisation, which keeps them."},"crashes":{"type":"integer","minimum":0},"accounts":{"type":"integer","minimum":0,"description":"The user's account, which leaves with the data; an installation has none."},"documents":{"type":"integer","minimum":0,"description":"Documents that the patterns of `/v1/documents:persons` give to the user; an installation has none."},"runs":{"type":"integer","minimum":0,"description":"Runs of functions that are about the user, and those of others about documents and files at paths of the user."},"files":{"type":"integer","minimum":0,"description":"Files that the user uploaded or that are below the user's folder; an installation has none."},"dry_run":{"type":"boolean"}}
},
"StoredEvent":{
"type":"object",
"description":"A stored event. Fields that were not sent are missing.",
"required":["seq","id","name","timestamp","received_at"],
"additionalProperties":false,
"properties":{"seq":{"type":"integer","minimum":1,"description":"The sequence number, which increases in commit order."},"id":{"type":"string"},"name":{"type":"string"},"timestamp":{"type":"string","format":"date-time"},"received_at":{"type":"string","format":"date-time"},"user_id":{"type":"string"},"installation_id":{"type":"string"},"session_id":{"type":"string"},"context":{"type":"object","minProperties":1,"additionalProperties":false,"properties":{"platform":{"type":"string"},"app_version":{"type":"string"},"build":{"type":"string"},"os_version":{"type":"string"},"device_model":{"type":"string"},"locale":{"type":"string"},"country":{"type":"string"},"environment":{"type":"string"}}},"params":{"type":"object","description":"The parameters as sent, without corrected ones."},"flags":{"type":"array","minItems":1,"uniqueItems":true,"items":{"enum":["late","clock","corrected","trusted","withdrawn"]},"description":"`trusted`: a purchase or refund sent with a `send` or `admin` key. `withdrawn`: a purchase that a trusted one replaced; it does not count."}}
},
"AnswerSource":{
"description":"Whether the result comes from counts made at intake (`rollup`) or from raw events (`raw`).",
"enum":["rollup","raw"]
},
"Share":{
"type":"number",
"minimum":0,
"maximum":1,
"description":"A share, to four decimals."
},
"Count":{
"type":"integer",
"minimum":0
},
"Decimal":{
"type":"string",
"pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]{0,5}[1-9])?$",
"examples":["19.99"]
},
"Figure":{
"description":"A count, a figure over numbers (null if there are none), units net of refunds, or money of `currency`.",
"anyOf":[{"type":["number","null"]},{"$ref":"#/components/schemas/Decimal"}]
},
"Currency":{
"type":"string",
"pattern":"^[A-Z]{3}$"
},
"SeriesResult":{
"type":"object",
"required":["from","to","tz","complete","source","series"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"series":{"type":"array","description":"One series; for money one per currency, and with a breakdown at most 100 and `(other)`.","items":{"type":"object","required":["points","total"],"additionalProperties":false,"properties":{"name":{"type":"string","description":"The value of the breakdown, or the event of the query. With several fields, a label of `values`."},"values":{"type":"array","minItems":2,"maxItems":3,"items":{"type":"string"},"description":"The values of the fields, if the breakdown has several."},"currency":{"$ref":"#/components/schemas/Currency"},"points":{"type":"array","minItems":1,"maxItems":11000,"items":{"$ref":"#/components/schemas/Point"}},"total":{"$ref":"#/components/schemas/Figure","description":"For users, the distinct count of the whole range, not a sum."}}}}}
},
"Point":{
"type":"object",
"required":["t","value"],
"additionalProperties":false,
"properties":{"t":{"type":"string","format":"date-time","description":"The start of the bucket."},"value":{"$ref":"#/components/schemas/Figure"}}
},
"TopResult":{
"type":"object",
"required":["from","to","tz","complete","source","items"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"items":{"type":"array","items":{"type":"object","required":["name","value"],"additionalProperties":false,"properties":{"name":{"type":"string"},"currency":{"$ref":"#/components/schemas/Currency"},"value":{"$ref":"#/components/schemas/Figure"}}}}}
},
"ActiveUsersResult":{
"type":"object",
"required":["from","to","tz","complete","source","points","total"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"type":"array","minItems":1,"maxItems":400,"items":{"type":"object","required":["t","dau","wau","mau","stickiness"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"The start of the bucket."},"dau":{"$ref":"#/components/schemas/Count"},"wau":{"$ref":"#/components/schemas/Count"},"mau":{"$ref":"#/components/schemas/Count"},"stickiness":{"description":"`dau` divided by `mau`, to four decimals. Above 1 if devices that count separately on the day belong to one person of the month.","type":"number","minimum":0}}}},"total":{"$ref":"#/components/schemas/Count","description":"Distinct users of the whole range."}}
},
"RetentionResult":{
"type":"object",
"required":["from","to","tz","complete","source","cohorts"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"cohorts":{"type":"array","minItems":1,"maxItems":400,"items":{"type":"object","required":["t","size","cells"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"The start of the bucket."},"size":{"$ref":"#/components/schemas/Count"},"cells":{"type":"array","maxItems":60,"items":{"type":"object","required":["period","people","share","complete"],"additionalProperties":false,"properties":{"period":{"type":"integer","minimum":0,"maximum":59},"people":{"$ref":"#/components/schemas/Count"},"share":{"$ref":"#/components/schemas/Share"},"complete":{"type":"boolean","description":"Whether the period has ended."}}}}}}}}
},
"FunnelResult":{
"type":"object",
"required":["from","to","tz","complete","source","steps"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"steps":{"type":"array","minItems":2,"maxItems":20,"items":{"type":"object","required":["event","people","share","step_share"],"additionalProperties":false,"properties":{"event":{"type":"string"},"people":{"$ref":"#/components/schemas/Count"},"share":{"$ref":"#/components/schemas/Share","description":"The share of the first step."},"step_share":{"$ref":"#/components/schemas/Share","description":"The share of the previous step."},"median_seconds":{"type":"number","minimum":0,"description":"The median time from the previous step; missing for the first step and for steps without users."}}}},"median_seconds":{"type":"number","minimum":0,"description":"The median time of complete conversions; missing without any."},"breakdown":{"type":"array","maxItems":101,"description":"The funnels of the values with the most people in the first step, and of `(other)`; missing without a breakdown.","items":{"type":"object","required":["name","steps"],"additionalProperties":false,"properties":{"name":{"type":"string","description":"The value with which the person's furthest attempt began. With several fields, a label of `values`."},"values":{"type":"array","minItems":2,"maxItems":3,"items":{"type":"string"}},"steps":{"type":"array","minItems":2,"maxItems":20,"items":{"type":"object","required":["event","people","share","step_share"],"additionalProperties":false,"properties":{"event":{"type":"string"},"people":{"$ref":"#/components/schemas/Count"},"share":{"$ref":"#/components/schemas/Share","description":"The share of the first step."},"step_share":{"$ref":"#/components/schemas/Share","description":"The share of the previous step."},"median_seconds":{"type":"number","minimum":0,"description":"The median time from the previous step; missing for the first step and for steps without users."}}}},"median_seconds":{"type":"number","minimum":0,"description":"The median time of complete conversions; missing without any."}}}}}
},
"RevenueResult":{
"type":"object",
"required":["from","to","tz","complete","source","currencies"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"users":{"$ref":"#/components/schemas/Count","description":"Distinct users of the range, buyers or not. It is missing, like `buyers`, `arpu` and `arppu`, if data retention has deleted events of the range: money was counted at intake, users of those days cannot be counted."},"currencies":{"type":"array","items":{"type":"object","required":["currency","gross","refunds","net","purchase_count","refund_count","points"],"additionalProperties":false,"properties":{"currency":{"$ref":"#/components/schemas/Currency"},"gross":{"$ref":"#/components/schemas/Decimal"},"refunds":{"$ref":"#/components/schemas/Decimal"},"net":{"$ref":"#/components/schemas/Decimal"},"purchase_count":{"$ref":"#/components/schemas/Count"},"refund_count":{"$ref":"#/components/schemas/Count"},"buyers":{"$ref":"#/components/schemas/Count"},"arpu":{"$ref":"#/components/schemas/Decimal","description":"Net revenue per user."},"arppu":{"$ref":"#/components/schemas/Decimal","description":"Net revenue per buyer."},"points":{"type":"array","minItems":1,"maxItems":11000,"items":{"type":"object","required":["t","gross","refunds","net"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"The start of the bucket."},"gross":{"$ref":"#/components/schemas/Decimal"},"refunds":{"$ref":"#/components/schemas/Decimal"},"net":{"$ref":"#/components/schemas/Decimal"}}}}}}}}
},
"SessionsResult":{
"type":"object",
"required":["from","to","tz","complete","source","points","total"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"type":"array","minItems":1,"maxItems":11000,"items":{"type":"object","required":["t","sessions","users","median_seconds","p90_seconds","engaged","engaged_share","per_user"],"additionalProperties":false,"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"users":{"$ref":"#/components/schemas/Count"},"median_seconds":{"type":"number","minimum":0},"p90_seconds":{"type":"number","minimum":0},"engaged":{"$ref":"#/components/schemas/Count","description":"Sessions longer than 10 s, with at least two screens, or with a purchase."},"engaged_share":{"$ref":"#/components/schemas/Share"},"per_user":{"type":"number","minimum":0},"t":{"type":"string","format":"date-time","description":"The start of the bucket."}}}},"total":{"type":"object","required":["sessions","users","median_seconds","p90_seconds","engaged","engaged_share","per_user"],"additionalProperties":false,"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"users":{"$ref":"#/components/schemas/Count"},"median_seconds":{"type":"number","minimum":0},"p90_seconds":{"type":"number","minimum":0},"engaged":{"$ref":"#/components/schemas/Count","description":"Sessions longer than 10 s, with at least two screens, or with a purchase."},"engaged_share":{"$ref":"#/components/schemas/Share"},"per_user":{"type":"number","minimum":0}}}}
},
"CrashFreeFigures":{
"type":"object",
"required":["sessions","crashed_sessions","users","crashed_users"],
"unevaluatedProperties":false,
"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"crashed_sessions":{"$ref":"#/components/schemas/Count"},"crash_free_sessions":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing without sessions."},"users":{"$ref":"#/components/schemas/Count"},"crashed_users":{"$ref":"#/components/schemas/Count"},"crash_free_users":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing without users."},"counted_sessions":{"$ref":"#/components/schemas/Count","description":"Of the sessions, those that servers reported as counts, without users; missing if there are none."}}
},
"CrashFreePoints":{
"type":"array",
"minItems":1,
"maxItems":11000,
"items":{"type":"object","required":["t","sessions","crashed_sessions","users","crashed_users"],"additionalProperties":false,"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"crashed_sessions":{"$ref":"#/components/schemas/Count"},"crash_free_sessions":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing without sessions."},"users":{"$ref":"#/components/schemas/Count"},"crashed_users":{"$ref":"#/components/schemas/Count"},"crash_free_users":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing without users."},"counted_sessions":{"$ref":"#/components/schemas/Count","description":"Of the sessions, those that servers reported as counts, without users; missing if there are none."},"t":{"type":"string","format":"date-time","description":"The start of the bucket."}}}
},
"CrashFreeResult":{
"type":"object",
"required":["from","to","tz","complete","source","points","total","releases"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"$ref":"#/components/schemas/CrashFreePoints"},"total":{"$ref":"#/components/schemas/CrashFreeFigures"},"releases":{"type":"array","maxItems":100,"items":{"type":"object","required":["adoption","user_adoption","total","points"],"additionalProperties":false,"properties":{"release":{"type":"string","description":"Missing for sessions without a release."},"adoption":{"$ref":"#/components/schemas/Share","description":"Its share of all sessions."},"user_adoption":{"$ref":"#/components/schemas/Share","description":"The share of users with a session of this release."},"new_issues":{"$ref":"#/components/schemas/Count","description":"Issues of any kind that first appeared within the range, in this release. Missing in a query with filters."},"total":{"$ref":"#/components/schemas/CrashFreeFigures"},"points":{"$ref":"#/components/schemas/CrashFreePoints"}}}}}
},
"LifecycleResult":{
"type":"object",
"required":["from","to","tz","complete","source","points"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"type":"array","minItems":1,"maxItems":400,"items":{"type":"object","required":["t","new","returning","resurrecting","dormant"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"The start of the bucket."},"new":{"$ref":"#/components/schemas/Count","description":"Active for the first time."},"returning":{"$ref":"#/components/schemas/Count","description":"Active in this bucket and in the previous one."},"resurrecting":{"$ref":"#/components/schemas/Count","description":"Active in this bucket and earlier, but not in the previous one."},"dormant":{"$ref":"#/components/schemas/Count","description":"Active in the previous bucket, but not in this one."}}}}}
},
"RealtimeResult":{
"type":"object",
"required":["from","to","tz","complete","source","events","users","users_since","points","top_events","top_screens"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"The start of the first bucket."},"to":{"type":"string","format":"date-time","description":"The end of the last bucket."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket has ended."},"source":{"$ref":"#/components/schemas/AnswerSource"},"events":{"$ref":"#/components/schemas/Count"},"users":{"$ref":"#/components/schemas/Count","description":"Distinct users since `users_since`."},"users_since":{"type":"string","format":"date-time","description":"The start of the thirty minutes. In the first half hour after a start, or beyond 500,000 people: the start of the quarter-hour in which they begin."},"points":{"type":"array","minItems":30,"maxItems":30,"items":{"$ref":"#/components/schemas/Point"}},"top_events":{"type":"array","maxItems":100,"items":{"type":"object","required":["name","count"],"additionalProperties":false,"properties":{"name":{"type":"string"},"count":{"$ref":"#/components/schemas/Count"}}}},"top_screens":{"type":"array","maxItems":100,"items":{"type":"object","required":["name","count"],"additionalProperties":false,"properties":{"name":{"type":"string"},"count":{"$ref":"#/components/schemas/Count"}}}}}
},
"System":{
"type":"object",
"required":["version","ready","reasons","events","reads_dwarf"],
"additionalProperties":false,
"properties":{"version":{"type":"string"},"ready":{"type":"boolean"},"reasons":{"type":"array","items":{"type":"string"},"description":"The reasons for which data is rejected."},"events":{"type":"object","required":["accepted","duplicates","quarantined","last_seq","per_second"],"additionalProperties":false,"properties":{"accepted":{"type":"integer","minimum":0},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"last_seq":{"type":"integer","minimum":0,"description":"The newest `seq`, of an event or a quarantined record."},"per_second":{"type":"number","minimum":0,"description":"Events accepted a second, over the last minute."}}},"usage":{"type":"object","description":"What the app uses of the operator's limits; absent for the operator without `app`. A missing `max_…` is no limit.","required":["day","events","bytes","devices","storage_bytes"],"additionalProperties":false,"properties":{"day":{"type":"string","format":"date","description":"The running UTC day."},"events":{"type":"integer","minimum":0,"description":"Events, users and crashes sent today."},"bytes":{"type":"integer","minimum":0,"description":"Bytes of decoded request bodies sent today."},"devices":{"type":"integer","minimum":0},"storage_bytes":{"type":"integer","minimum":0,"description":"Bytes on the disk, measured once a minute. The file of a day is divided by the apps' numbers of rows."},"max_events_per_day":{"type":"integer","minimum":1},"max_bytes_per_day":{"type":"integer","minimum":1},"max_devices":{"type":"integer","minimum":1},"max_storage_bytes":{"type":"integer","minimum":1}}},"symbol_failure":{"type":"string","description":"Why functions of crash reports are incomplete; absent while the programs that name them work."},"confinement_failure":{"type":"string","description":"Why the readers of symbol files are not fully confined; absent if they are."},"worker_group_failure":{"type":"string","description":"Why workers of functions have no control groups, or lack some limits; absent if they have, and before the first one."},"reads_dwarf":{"type":"boolean","description":"Whether `llvm-symbolizer` is installed; without it only Breakpad symbols are used."},"machine":{"type":"object","description":"Figures of the whole machine. Absent for keys of apps.","required":["uptime_seconds","connections","commits","queue","wal_bytes","free_disk_bytes","main_bytes","messages_bytes","crashes_bytes","partitions"],"additionalProperties":false,"properties":{"uptime_seconds":{"type":"integer","minimum":0},"connections":{"type":"integer","minimum":0},"commits":{"type":"object","required":["count","failed","mean_milliseconds","p50_milliseconds","p99_milliseconds"],"additionalProperties":false,"properties":{"count":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"mean_milliseconds":{"type":"integer","minimum":0},"p50_milliseconds":{"type":"number","minimum":0,"description":"The median commit time since the start, from a histogram."},"p99_milliseconds":{"type":"number","minimum":0}}},"queue":{"type":"object","required":["events","bytes","refused"],"additionalProperties":false,"properties":{"events":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0},"refused":{"type":"integer","minimum":0,"description":"Requests rejected because the queue was full."}}},"wal_bytes":{"type":"integer","minimum":0},"free_disk_bytes":{"type":"integer","minimum":0},"main_bytes":{"type":"integer","minimum":0},"messages_bytes":{"type":"integer","minimum":0,"description":"Registrations, topics, messages and deliveries."},"crashes_bytes":{"type":"integer","minimum":0,"description":"Issues, crashes and their reports, without symbol files."},"partitions":{"type":"array","description":"The days of receipt with a file.","items":{"type":"object","required":["day","bytes"],"additionalProperties":false,"properties":{"day":{"type":"string","format":"date"},"bytes":{"type":"integer","minimum":0}}}}}}}
},
"Cursor":{
"type":"string",
"pattern":"^[0-9]+$",
"description":"The cursor of the next page, to be sent as `after`."
},
"Token":{
"type":"string",
"minLength":8,
"maxLength":2048,
"pattern":"^[!-~]+$",
"description":"Identifies a device and authorises changes to it."
},
"Tokens":{
"type":"array",
"minItems":1,
"maxItems":1000,
"items":{"$ref":"#/components/schemas/Token"}
},
"MaskedToken":{
"type":"string",
"description":"Masked for `read` keys: both ends, joined by `…`."
},
"TopicName":{
"type":"string",
"description":"The rule of FCM. Topics of the daemon begin with `$`: `$alerts.crashes`, `$alerts.delivery`, `$alerts.ingest`,\n`$alerts.system` and `$accounts`. Subscribing to them requires a send or admin key, and clients cannot publish to them.\n",
"pattern":"^([a-zA-Z0-9_.~%-]{1,900}|\\$alerts\\.(crashes|delivery|ingest|system)|\\$accounts)$",
"examples":["news","weather.berlin"]
},
"SigningScheme":{
"description":"`v1` signs with HMAC-SHA256 over a shared secret, `v1a` with Ed25519, whose public key is returned.",
"enum":["v1","v1a"],
"default":"v1"
},
"WebhookSecret":{
"type":"string",
"description":"The secret that verifies signatures: `whsec_` and a shared secret, or with the scheme `v1a` `whpk_` and a public key, as Base64. Returned only once.",
"pattern":"^wh(sec|pk)_[A-Za-z0-9+/]+=*$"
},
"NewEndpoint":{
"oneOf":[{"type":"object","required":["type"],"additionalProperties":false,"properties":{"type":{"const":"stream"}}},{"type":"object","required":["type","url"],"additionalProperties":false,"properties":{"type":{"const":"webhook"},"url":{"type":"string","format":"uri","maxLength":2048,"description":"Absolute, http or https, without user, password or fragment."},"secret":{"type":"string","description":"The receiver's own secret: `whsec_` and the Base64 of 24 to 64 random bytes, or `whsk_` and that of an Ed25519 key. Default: a generated secret, or the app's."},"scheme":{"$ref":"#/components/schemas/SigningScheme","description":"The scheme of a generated secret; not allowed with `secret`."}}}]
},
"DeviceChange":{
"type":"object",
"additionalProperties":false,
"properties":{"token":{"$ref":"#/components/schemas/Token"},"kind":{"enum":["own","fid","token"],"description":"The origin of the token: the daemon, a Firebase installation ID, or another service."},"installation_id":{"type":"string","minLength":1,"maxLength":256},"user_id":{"type":["string","null"],"minLength":1,"maxLength":256,"description":"The user of the device; null removes it."},"platform":{"enum":["ios","android","macos","web","linux","windows","server"]},"endpoint":{"$ref":"#/components/schemas/NewEndpoint"},"app_version":{"type":"string","minLength":1,"maxLength":100}}
},
"NewDevice":{
"type":"object",
"description":"A new device requires `platform` and `endpoint`. Without `token` one is generated.",
"additionalProperties":false,
"properties":{"token":{"$ref":"#/components/schemas/Token"},"kind":{"enum":["own","fid","token"],"description":"The origin of the token: the daemon, a Firebase installation ID, or another service."},"installation_id":{"type":"string","minLength":1,"maxLength":256},"user_id":{"type":["string","null"],"minLength":1,"maxLength":256,"description":"The user of the device; null removes it."},"platform":{"enum":["ios","android","macos","web","linux","windows","server"]},"endpoint":{"$ref":"#/components/schemas/NewEndpoint"},"app_version":{"type":"string","minLength":1,"maxLength":100},"replaces":{"type":"string","minLength":8,"maxLength":2048,"pattern":"^[!-~]+$","description":"The token that the device had until now."}}
},
"Registered":{
"type":"object",
"required":["token","state"],
"additionalProperties":false,
"properties":{"token":{"$ref":"#/components/schemas/Token"},"secret":{"$ref":"#/components/schemas/WebhookSecret"},"state":{"$ref":"#/components/schemas/DeviceState"}}
},
"DeviceState":{
"description":"`pending`: the endpoint is not verified yet; messages wait. `refused`: the verification failed. `disabled`: all deliveries\nfailed for days. A refused or disabled device receives messages again once it is registered again.\n",
"enum":["active","pending","disabled","refused"]
},
"Device":{
"type":"object",
"required":["token","kind","platform","endpoint","state","stale","created_at","seen_at"],
"properties":{"token":{"$ref":"#/components/schemas/MaskedToken"},"kind":{"enum":["own","fid","token"]},"installation_id":{"type":"string"},"user_id":{"type":"string"},"platform":{"enum":["ios","android","macos","web","linux","windows","server"]},"endpoint":{"type":"object","required":["type"],"additionalProperties":false,"properties":{"type":{"enum":["webhook","stream"]},"url":{"type":"string","description":"The webhook's URL; keys with the role `read` see only scheme, host and port."}}},"app_version":{"type":"string"},"state":{"$ref":"#/components/schemas/DeviceState"},"stale":{"type":"boolean","description":"Whether the device has had no contact for long. It still receives messages."},"created_at":{"type":"string","format":"date-time"},"seen_at":{"type":"string","format":"date-time","description":"The time it was last registered or changed, or read its stream."},"failing_since":{"type":"string","format":"date-time","description":"The start of the current series of failed deliveries."}}
},
"Topic":{
"type":"object",
"required":["topic","subscribers","created_at"],
"additionalProperties":false,
"properties":{"topic":{"$ref":"#/components/schemas/TopicName"},"subscribers":{"type":"integer","minimum":0},"created_at":{"type":"string","format":"date-time"}}
},
"NewMessage":{
"type":"object",
"description":"One of `topic`, `token`, `tokens`, `condition` and `user`; and `notification`, `data` or both, which have at most 4,096 bytes\ntogether as compact JSON.\n",
"oneOf":[{"required":["topic"]},{"required":["token"]},{"required":["tokens"]},{"required":["condition"]},{"required":["user"]}],
"anyOf":[{"required":["notification"]},{"required":["data"]}],
"additionalProperties":false,
"properties":{"topic":{"$ref":"#/components/schemas/TopicName"},"token":{"$ref":"#/components/schemas/Token"},"tokens":{"$ref":"#/components/schemas/Tokens"},"condition":{"type":"string","maxLength":5000,"description":"Topics as `'name' in topics` with `&&`, `||`, `!` and parentheses; at most five topics, and parentheses wherever\n`&&` and `||` are mixed. It is evaluated for every device, including those without topics.\n","examples":["('news' in topics || 'weather' in topics) && !('sport' in topics)"]},"user":{"type":"string","minLength":1,"maxLength":256,"description":"A user ID: all devices whose owner was proved to be this user."},"notification":{"type":"object","description":"The content shown to the user.","minProperties":1,"additionalProperties":false,"properties":{"title":{"type":"string"},"body":{"type":"string"},"image":{"type":"string"}}},"data":{"type":"object","description":"Data for the app. FCM's reserved keys are rejected: `from`, `message_type`, `gcm`, and keys that begin with `google` or `gcm.notification.`.","additionalProperties":{"type":"string"}},"platform":{"type":"object","description":"Platform-specific fields, passed to receivers unchanged. At most 12,288 bytes as compact JSON."},"ttl":{"description":"The time to live in seconds, also as a string such as `3600s`; 0 means a single attempt now.","default":2419200,"oneOf":[{"type":"integer","minimum":0,"maximum":2419200},{"type":"string","pattern":"^[0-9]+s$"}]},"collapse_key":{"type":"string","minLength":1,"maxLength":64,"description":"A device receives only the newest pending message with the same key."},"priority":{"enum":["normal","high"],"default":"normal"},"send_at":{"description":"RFC 3339 (UTC if it has no offset), or a number since 1970 as in events. At most 30 days ahead; a past time means now.","type":["string","number"],"examples":["2026-12-01T08:00:00Z"]},"label":{"type":"string","pattern":"^[a-zA-Z0-9_.~%-]{1,50}$","description":"The name of a campaign."},"validate_only":{"type":"boolean","default":false,"description":"Validates and counts without sending; the ID is `validated`."}}
},
"Message":{
"type":"object",
"required":["id","target","priority","stage","created_at","expires_at","audience","counts"],
"properties":{"id":{"type":"string","pattern":"^msg_[0-9A-Za-z]+$"},"target":{"type":"object","minProperties":1,"maxProperties":1,"additionalProperties":false,"properties":{"topic":{"type":"string"},"condition":{"type":"string","description":"The normalized condition, without redundant blanks and parentheses."},"user":{"type":"string"},"tokens":{"type":"integer","minimum":0,"description":"The number of addressed tokens with a device."}}},"notification":{"type":"object"},"data":{"type":"object","additionalProperties":{"type":"string"}},"platform":{"type":"object"},"text":{"type":"string","description":"For messages of the daemon, a summary."},"label":{"type":"string"},"collapse_key":{"type":"string"},"priority":{"enum":["normal","high"]},"stage":{"description":"`scheduled`: waits for `send_at`. `spreading`: its deliveries are being created. `spread`: each of its devices has a\ndelivery. `cancelling`, `cancelled`: it was cancelled. `over`: it has expired.\n","enum":["scheduled","spreading","cancelling","spread","cancelled","over"]},"created_at":{"type":"string","format":"date-time"},"send_at":{"type":"string","format":"date-time"},"sent_at":{"type":"string","format":"date-time","description":"The time the audience was determined; missing while it is scheduled, or if it was cancelled before."},"expires_at":{"type":"string","format":"date-time"},"audience":{"type":"integer","minimum":0,"description":"The size of the audience when it was sent."},"counts":{"type":"object","description":"The number of deliveries by state; states without deliveries are missing.","propertyNames":{"$ref":"#/components/schemas/DeliveryState"},"additionalProperties":{"type":"integer","minimum":1}}}
},
"DeliveryState":{
"description":"`pending`: waits to be sent or read. `sending`: being posted. `sent`: written to a stream and not acknowledged yet.\n`retrying`: waits for the next attempt. `delivered`. `dead`: every attempt failed. `expired`: its time to live has passed.\n`cancelled`: cancelled, or replaced by a newer message with the same collapse key. `removed`: the device was deleted first.\n",
"enum":["pending","sending","sent","retrying","delivered","dead","expired","cancelled","removed"]
},
"Delivery":{
"type":"object",
"required":["id","message","state","tries","changed_at","attempts"],
"additionalProperties":false,
"properties":{"id":{"type":"string","pattern":"^msg_[0-9A-Za-z]+_[0-9]+$","description":"The same for all attempts and redrives; receivers see it as `webhook-id`."},"message":{"type":"string"},"token":{"$ref":"#/components/schemas/MaskedToken","description":"Missing if the device is deleted."},"url":{"type":"string","description":"The webhook's URL; keys with the role `read` see only scheme, host and port."},"state":{"$ref":"#/components/schemas/DeliveryState"},"tries":{"type":"integer","minimum":0,"description":"The number of attempts since it was created or redriven."},"due_at":{"type":"string","format":"date-time","description":"The time of the next attempt."},"changed_at":{"type":"string","format":"date-time"},"attempts":{"$ref":"#/components/schemas/Attempts","description":"In a list, the last ten with 200 bytes of each response; for one delivery, the last hundred."}}
},
"Attempts":{
"type":"array",
"description":"Attempts at a webhook, the newest last.",
"items":{"type":"object","required":["at","milliseconds"],"additionalProperties":false,"properties":{"at":{"type":"string","format":"date-time"},"milliseconds":{"type":"integer","minimum":0},"status":{"type":"integer","minimum":100,"maximum":999,"description":"Missing without a response."},"error":{"type":"string","description":"A stable word if there was no response or it was rejected, such as `timed_out`."},"response":{"type":"string","description":"The first 4 KiB of the response, up to invalid UTF-8."}}}
},
"Function":{
"type":"object",
"required":["name","definition","secret","created_at","updated_at","runs"],
"additionalProperties":false,
"properties":{"name":{"type":"string"},"definition":{"$ref":"#/components/schemas/FunctionDefinition"},"secret":{"type":"string","pattern":"^whsec_","description":"Verifies requests, as in Standard Webhooks."},"created_at":{"type":"string","format":"date-time"},"updated_at":{"type":"string","format":"date-time"},"runs":{"type":"object","description":"The number of runs by state.","propertyNames":{"$ref":"#/components/schemas/RunState"},"additionalProperties":{"type":"integer","minimum":1}}}
},
"FunctionDefinition":{
"type":"object",
"description":"A function has one target: `url`, `topic` or, if the operator named a program, `worker`.",
"additionalProperties":false,
"properties":{"url":{"type":"string","maxLength":2048,"description":"The address that runs are sent to."},"topic":{"type":"string","maxLength":900,"description":"The topic on which each run is published as a message. Such a function cannot be called."},"worker":{"type":"object","description":"The program that carries the function out. Only the operator sets and replaces it.","required":["protocol","command"],"additionalProperties":false,"properties":{"protocol":{"enum":["lines","lambda"]},"command":{"type":"array","minItems":1,"maxItems":64,"items":{"type":"string","maxLength":4096},"description":"The absolute path of the program, then its arguments."},"folder":{"type":"string","maxLength":4096,"description":"The folder in which it runs, and which it may read; by default that of the program."}}},"format":{"enum":["signalbox","firebase"],"default":"signalbox","description":"`firebase` for functions of firebase-functions: tasks with the headers of Cloud Tasks, triggers as CloudEvents with Google's types."},"auth":{"enum":["any","user","none"],"default":"user","description":"The proof that a caller needs."},"timeout":{"type":"integer","minimum":1,"maximum":1800,"default":60,"description":"Seconds until an attempt has failed."},"concurrency":{"type":"integer","minimum":1,"maximum":1000,"default":80,"description":"Calls and runs under way at once, and instances of a worker; 4 by default for one."},"waiting":{"type":"integer","minimum":0,"maximum":10000,"default":100},"retries":{"type":"integer","minimum":0,"maximum":20,"description":"Retries of a run; by default those of webhooks."},"order":{"type":"string","maxLength":200,"description":"A template of the key of runs that triggers make: `{params.account}`."},"may":{"type":"array","items":{"enum":["send","data","accounts"]}},"triggers":{"type":"array","maxItems":20,"description":"What makes runs besides tasks. A change makes one run of a function, even if several triggers accept it.","items":{"type":"object","required":["on"],"properties":{"on":{"enum":["event","issue","user","document","file","schedule"]},"name":{"type":"string","description":"Of an event."},"filter":{"description":"Conditions on an event, as in queries: `params.total>=100`. Not on persons.","oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},"what":{"type":"string","description":"The change: `new`, `regressed`, `spreading`; `created`, `deleted`; `updated`, `written`; `finalized`."},"path":{"type":"string","description":"A pattern of paths: `users/{uid}/{rest=**}`."},"cron":{"type":"string","description":"Five fields: `0 9 * * 1-5`."},"tz":{"type":"string"},"missed":{"enum":["once","skip"]},"overlap":{"type":"boolean"}}}}}
},
"RunState":{
"description":"`waiting`: for its time, a place, or an earlier run of its key. `running`: sent, or about to be. `retrying`: waits for the next attempt.\n`done`. `dead`: a final status, or every attempt failed. `cancelled`: the task was deleted.\n",
"enum":["waiting","running","retrying","done","dead","cancelled"]
},
"Run":{
"type":"object",
"required":["id","function","type","state","tries","depth","created_at","changed_at"],
"additionalProperties":false,
"properties":{"id":{"type":"string","pattern":"^run_[0-9A-Za-z]+$","description":"The same for all attempts; functions see it as `webhook-id`."},"function":{"type":"string"},"type":{"type":"string","description":"What made the run, such as `task`, `event` or `file.finalized`."},"subject":{"type":"string","description":"The path, name or ID of the thing that the run is about."},"task":{"type":"string","description":"The ID that a client gave the task."},"key":{"type":"string"},"user":{"type":"string","description":"The user that the run is about."},"state":{"$ref":"#/components/schemas/RunState"},"tries":{"type":"integer","minimum":0,"description":"The number of attempts since it was created or redriven."},"depth":{"type":"integer","minimum":1,"description":"The number of runs that led to it, itself included."},"due_at":{"type":"string","format":"date-time","description":"The time of the next attempt, or the end of the time for the one under way."},"created_at":{"type":"string","format":"date-time"},"changed_at":{"type":"string","format":"date-time"},"data":{"type":"string","description":"The data as JSON text; only of a single run, and of one about a document only for an `admin` key."},"attempts":{"$ref":"#/components/schemas/Attempts","description":"Only of a single run."}}
},
"LogLine":{
"type":"object",
"required":["at","level","line"],
"additionalProperties":false,
"properties":{"at":{"type":"string","format":"date-time"},"level":{"enum":["debug","info","warning","error"]},"line":{"type":"string"},"run":{"type":"string","description":"The run that the line is about; missing for a call."}}
},
"AccountFigures":{
"type":"object",
"required":["accounts","verified","anonymous","disabled","second_factor","days"],
"additionalProperties":false,
"properties":{"accounts":{"type":"integer","minimum":0},"verified":{"type":"integer","minimum":0,"description":"Accounts with a verified email address."},"anonymous":{"type":"integer","minimum":0},"disabled":{"type":"integer","minimum":0},"second_factor":{"type":"integer","minimum":0,"description":"Accounts with a confirmed second factor."},"days":{"type":"array","description":"Days with any of them, newest first, one item for each method.","items":{"type":"object","required":["day","method","sign_ups","sign_ins","failures"],"additionalProperties":false,"properties":{"day":{"type":"string","format":"date"},"method":{"type":"string"},"sign_ups":{"type":"integer","minimum":0},"sign_ins":{"type":"integer","minimum":0},"failures":{"type":"integer","minimum":0}}}}}
},
"SessionState":{
"type":"object",
"required":["state"],
"additionalProperties":false,
"properties":{"state":{"enum":["signed_in","signed_out"]},"changed":{"type":"boolean","description":"Whether the ID token is out of date; only while signed in."},"why":{"type":"string","description":"The event that ended the session, such as `signed_out`, `disabled` or `refresh_reused`."}}
},
"UserAccount":{
"type":"object",
"description":"An account as its user sees it.",
"required":["id","email_verified","anonymous","claims","providers","created_at"],
"additionalProperties":false,
"properties":{"id":{"type":"string","description":"The user ID, which events and messages name."},"email":{"type":"string"},"email_verified":{"type":"boolean"},"name":{"type":"string"},"photo_url":{"type":"string"},"phone":{"type":"string"},"anonymous":{"type":"boolean"},"claims":{"type":"object","description":"Further claims of ID tokens."},"providers":{"type":"array","items":{"type":"string"},"description":"Ways in which the user can sign in."},"created_at":{"type":"string","format":"date-time"},"last_sign_in_at":{"type":"string","format":"date-time"}}
},
"Account":{
"type":"object",
"description":"An account as an administrator sees it.",
"required":["id","email_verified","anonymous","disabled","claims","providers","created_at","valid_since"],
"additionalProperties":false,
"properties":{"id":{"type":"string","description":"The user ID, which events and messages name."},"email":{"type":"string"},"email_verified":{"type":"boolean"},"name":{"type":"string"},"photo_url":{"type":"string"},"phone":{"type":"string"},"anonymous":{"type":"boolean"},"claims":{"type":"object","description":"Further claims of ID tokens."},"providers":{"type":"array","items":{"type":"string"},"description":"Ways in which the user can sign in."},"created_at":{"type":"string","format":"date-time"},"last_sign_in_at":{"type":"string","format":"date-time"},"disabled":{"type":"boolean"},"valid_since":{"type":"string","format":"date-time","description":"ID tokens that were issued before are void."},"identities":{"type":"array","items":{"$ref":"#/components/schemas/AccountIdentity"},"description":"Only of one account."},"factors":{"type":"array","items":{"$ref":"#/components/schemas/SecondFactor"},"description":"Second factors, only of one account."},"recovery_codes":{"type":"integer","minimum":0,"maximum":10,"description":"Unused recovery codes, only of one account."},"sessions":{"type":"array","items":{"$ref":"#/components/schemas/AccountSession"},"description":"Only of one account."}}
},
"AccountIdentity":{
"type":"object",
"description":"A user of an identity provider that an account has.",
"required":["provider","subject","linked_at"],
"additionalProperties":false,
"properties":{"provider":{"type":"string"},"subject":{"type":"string","description":"The provider's ID of the user."},"email":{"type":"string","description":"The address that the provider named last."},"linked_at":{"type":"string","format":"date-time"}}
},
"SecondFactor":{
"type":"object",
"description":"A second factor of an account, without its secret.",
"required":["id","kind","created_at"],
"additionalProperties":false,
"properties":{"id":{"type":"string"},"kind":{"enum":["totp"]},"name":{"type":"string"},"created_at":{"type":"string","format":"date-time"},"confirmed_at":{"type":"string","format":"date-time","description":"Missing until its first code, before which it is not asked for."}}
},
"AccountSession":{
"type":"object",
"required":["id","created_at","last_used_at","method"],
"additionalProperties":false,
"properties":{"id":{"type":"string"},"created_at":{"type":"string","format":"date-time"},"last_used_at":{"type":"string","format":"date-time"},"method":{"type":"string","description":"The way of signing in."},"client":{"type":"string","description":"The `User-Agent` of the sign-in."},"place":{"type":"string","description":"The network of the sign-in: /24 of IPv4, /56 of IPv6."},"second_factor":{"enum":["totp","recovery"],"description":"The second factor with which it began."},"current":{"type":"boolean","description":"Whether the request belongs to this session; only in the user's own list."}}
},
"AccountEventKind":{
"enum":["created","signed_in","sign_in_failed","signed_out","session_ended","refresh_reused","password_changed","email_verified","email_changed","upgraded","identity_linked","identity_unlinked","credentials_dropped","factor_added","factor_removed","recovery_codes_made","recovery_code_used","changed","disabled","enabled","deleted"]
},
"AccountEvent":{
"type":"object",
"required":["id","at","user","event","method","count"],
"additionalProperties":false,
"properties":{"id":{"type":"integer","minimum":1},"at":{"type":"string","format":"date-time"},"user":{"type":"string"},"event":{"$ref":"#/components/schemas/AccountEventKind"},"method":{"type":"string","description":"The way of signing in (of `id_token` the provider), `second_factor`, `refresh`, `user` or `admin`."},"place":{"type":"string"},"session":{"type":"string"},"count":{"type":"integer","minimum":1,"description":"Failed sign-ins are counted together for at most a minute."}}
},
"AccountMail":{
"type":"object",
"required":["at","kind","receiver","state"],
"additionalProperties":false,
"properties":{"at":{"type":"string","format":"date-time"},"kind":{"enum":["verify_email","reset_password","sign_in","change_email","sign_up","invite","email_changed","password_changed","new_device","second_factor_changed","account_exists"]},"receiver":{"type":"string"},"state":{"enum":["due","handed","sent","failed","expired","unknown"],"description":"`unknown`: the connection broke after the last byte."}}
},
"RedeemedCode":{
"type":"object",
"required":["kind","redeemed"],
"additionalProperties":false,
"properties":{"kind":{"enum":["verify_email","reset_password","sign_in","change_email","undo_email","sign_up","invite"]},"email":{"type":"string","description":"The address that the mail went to; missing for `sign_in`."},"redeemed":{"type":"boolean"},"user":{"type":"string","description":"The `id` of the account, once redeemed."}}
},
"SigningKey":{
"type":"object",
"required":["id","signs_from","signs_until","known_until","signing"],
"additionalProperties":false,
"properties":{"id":{"type":"string","description":"The `kid` of its tokens."},"signs_from":{"type":"string","format":"date-time"},"signs_until":{"type":"string","format":"date-time"},"known_until":{"type":"string","format":"date-time"},"signing":{"type":"boolean"}}
},
"IDTokenClaims":{
"type":"object",
"description":"The claims of an ID token; those of the account stand beside them.",
"required":["iss","aud","sub","user_id","iat","exp","auth_time","sb_app","firebase"],
"properties":{"iss":{"type":"string"},"aud":{"type":"string"},"sub":{"type":"string"},"user_id":{"type":"string"},"iat":{"type":"integer"},"exp":{"type":"integer"},"auth_time":{"type":"integer","description":"The time of the sign-in."},"sb_app":{"type":"integer"},"firebase":{"type":"object"}}
},
"App":{
"type":"object",
"required":["app","name","created_at","settings"],
"properties":{"app":{"type":"integer","minimum":1},"name":{"type":"string"},"created_at":{"type":"string","format":"date-time"},"settings":{"allOf":[{"$ref":"#/components/schemas/Settings"}],"required":["tz","retention_days","lateness_hours","session_timeout_seconds","client_webhooks","private_params","local_variables","source_context","events_per_minute","name_length","params","param_name_length","value_length","items","user_properties","user_property_name_length","user_property_value_length","event_names","project","max_events_per_day","max_bytes_per_day","max_devices","max_storage_bytes","max_retention_days","auth_methods","auth_origins","auth_verified_only","users","on_account_deleted","auth_events","strict_rules"]}}
},
"AppName":{
"type":"object",
"required":["name"],
"additionalProperties":false,
"properties":{"name":{"type":"string","minLength":1,"maxLength":64,"description":"Printable, without leading or trailing blanks, not just a number, and different from other apps' names regardless of\ncase.\n"}}
},
"Settings":{
"type":"object",
"description":"The settings of an app with the defaults of a new app. The integrations for Segment and PostHog use only the limit `event_names`; their other limits are fixed.",
"additionalProperties":false,
"properties":{"tz":{"type":"string","default":"UTC","description":"The IANA time zone of the app's days."},"retention_days":{"type":"integer","minimum":1,"maximum":3650,"default":90,"description":"Days for which raw events are kept."},"lateness_hours":{"type":"integer","minimum":1,"maximum":72,"default":72,"description":"Hours after which an event counts as late."},"session_timeout_seconds":{"type":"integer","minimum":1,"maximum":86400,"default":1800,"description":"Seconds without an event that end a session."},"client_webhooks":{"type":"boolean","default":false,"description":"Whether ingest keys may register webhook endpoints."},"private_params":{"type":"array","description":"Parameters that anonymising removes; together at most 4,096 bytes.","default":[],"maxItems":100,"items":{"$ref":"#/components/schemas/ListedText"}},"local_variables":{"type":"boolean","default":true,"description":"Whether crash reports keep the local variables of their frames."},"source_context":{"type":"boolean","default":true,"description":"Whether crash reports keep the source lines of their frames."},"events_per_minute":{"type":"integer","minimum":0,"maximum":100000000,"default":0,"description":"Events a minute that one ingest key may send; 0 is unlimited."},"name_length":{"type":"integer","minimum":1,"maximum":200,"default":40,"description":"Characters of an event name."},"params":{"type":"integer","minimum":1,"maximum":256,"default":25,"description":"Parameters of an event."},"param_name_length":{"type":"integer","minimum":1,"maximum":200,"default":40,"description":"Characters of a parameter name."},"value_length":{"type":"integer","minimum":1,"maximum":8192,"default":100,"description":"Characters of a parameter value."},"items":{"type":"integer","minimum":1,"maximum":1000,"default":200,"description":"Items of a purchase."},"user_properties":{"type":"integer","minimum":1,"maximum":256,"default":25,"description":"Properties of a user in one request."},"user_property_name_length":{"type":"integer","minimum":1,"maximum":200,"default":24,"description":"Characters of a user property's name."},"user_property_value_length":{"type":"integer","minimum":1,"maximum":8192,"default":36,"description":"Characters of a user property's value."},"event_names":{"type":"integer","minimum":1,"maximum":100000,"default":2000,"description":"Distinct event names in a day."},"project":{"type":"string","default":"","pattern":"^([a-z][a-z0-9-]{2,61}[a-z0-9])?$","description":"The project ID that clients of Firebase name in paths and tokens; empty for the app's number. Only the operator may change it. It\nmust differ from the names of other apps, from every project ID that another app has or had, and from words of the API.\n"},"max_events_per_day":{"type":"integer","minimum":0,"maximum":1000000000000,"default":0,"description":"Events, users and crashes that a UTC day may bring; 0 is no limit. Beyond it requests are 429 with the code `limit_reached`. Only the operator may set it."},"max_bytes_per_day":{"type":"integer","minimum":0,"maximum":1000000000000000,"default":0,"description":"Bytes of decoded request bodies that a UTC day may bring; as `max_events_per_day`."},"max_devices":{"type":"integer","minimum":0,"maximum":100000,"default":0,"description":"Registered devices; 0 is no limit. Beyond it new registrations are 429 with `limit_reached`. Only the operator may set it."},"max_storage_bytes":{"type":"integer","minimum":0,"maximum":1000000000000000,"default":0,"description":"Bytes on the disk, measured once a minute: events, crash reports with their files, symbol files, and documents; 0 is no limit. Beyond it data is 429 with `limit_reached`, except commits that only delete documents or fields. Only the operator may set it."},"max_retention_days":{"type":"integer","minimum":0,"maximum":3650,"default":0,"description":"The highest value that `retention_days` can be set to; 0 is no limit. Only the operator may set it."},"auth_methods":{"type":"array","default":[],"uniqueItems":true,"items":{"enum":["password","anonymous","custom_token","id_token","code"]},"description":"Ways in which users may sign in to accounts; none by default, all in development."},"auth_origins":{"type":"array","default":[],"items":{"type":"string"},"description":"Origins of the app's pages that links of mails may open, such as `https://shop.example` or `https://*.shop.example`."},"auth_verified_only":{"type":"boolean","default":false,"description":"Whether a sign-up creates the account only once its address is proved by a mail."},"users":{"enum":["open","proved"],"default":"open","description":"Whether an ingest key alone may name users. With `proved`, entries that do are quarantined as `user_unproved`; ID tokens prove\ntheir user, and keys with the roles `send` and `admin` may name any.\n"},"on_account_deleted":{"enum":["erase","anonymise","keep"],"default":"erase","description":"What happens to the data under the user ID of a deleted account."},"auth_events":{"type":"boolean","default":false,"description":"Whether sign-ins are stored as events: `sign_up` with the first one and `login` with others, with the parameter `method`."},"strict_rules":{"type":"boolean","default":false,"description":"Whether security rules allow a query only where Google's emulator takes its conditions for a proof, and only if the rule depends on\nno field that the query does not name. Without it a condition with a double also implies a comparison with an integer,\n`array-contains` a `hasAll` of the one value, and `resource.data.get(\"private\", false) == false` holds for a query that does not\nname `private`, as in the emulator.\n"}}
},
"SettingsChange":{
"description":"The settings to change. Numbers, booleans and lists may also be strings, lists with commas.",
"allOf":[{"$ref":"#/components/schemas/Settings"}],
"minProperties":1
},
"Expiry":{
"description":"A time in the future, or a span from now such as `90d`.",
"anyOf":[{"type":"string","pattern":"^[0-9]{1,8}[smhdw]$"},{"type":"string","format":"date-time"}],
"examples":["90d","2027-01-31T00:00:00Z"]
},
"AuditAction":{
"description":"The name of an audited action.",
"enum":["app.create","app.change","app.delete","key.create","key.rotate","key.revoke","person.erase","person.anonymise","person.unblock","person.export","events.export","quarantine.replay","issue.change","issue.delete","issue.regroup","issue.merge","issue.split","issue.note","symbols.store","symbols.delete","release.change","query.store","query.delete","cohort.store","cohort.delete","webhook_secret.rotate","backup.create","backup.restore","account.create","account.change","account.delete","account.sign_out","account.reset","account.code","account.import","account.export","account.factors.remove","account.keys.rotate","documents.indexes.change","rules.store","rules.shadow","documents.persons.change","files.rules.store","files.persons.change","function.store","function.delete","documents.ttl.change","documents.import","documents.export","role.denied"]
},
"AuditEntry":{
"type":"object",
"required":["id","at","action","role","address","outcome","count"],
"additionalProperties":false,
"properties":{"id":{"type":"integer","minimum":1},"at":{"type":"string","format":"date-time","description":"The start of the action; of `role.denied` the start of the hour."},"action":{"$ref":"#/components/schemas/AuditAction"},"app":{"type":"integer","minimum":1,"description":"Missing for an action of the whole daemon."},"key":{"type":"integer","minimum":1,"description":"The ID of the key; missing for the operator."},"role":{"enum":["ingest","read","send","accounts","data","admin","operator"]},"address":{"type":"string","description":"The client's address, or `control socket`."},"person":{"type":"string","pattern":"^[0-9a-f]{16}$","description":"The keyed hash of a user or installation ID."},"detail":{"type":"string","maxLength":200,"description":"The object of the action, such as the names of changed settings."},"outcome":{"enum":["unfinished","done","rejected","failed"]},"status":{"type":"integer","minimum":100,"maximum":599,"description":"The HTTP status of the response; missing without one."},"count":{"type":"integer","minimum":1,"description":"The number of requests of `role.denied`, otherwise 1."}}
},
"Key":{
"type":"object",
"required":["id","app","role","label","hint","created_at","bundle_ids","origins","events_per_minute"],
"additionalProperties":false,
"properties":{"id":{"type":"integer","minimum":1},"app":{"type":"integer","minimum":1},"role":{"enum":["ingest","read","send","accounts","data","admin"]},"label":{"type":"string"},"hint":{"type":"string","description":"The masked secret: its ends."},"key":{"$ref":"#/components/schemas/Secret"},"dsn":{"type":"string","format":"uri","description":"For an ingest key, the DSN of Sentry SDKs, with the address that this daemon listens on, or `localhost` if it listens on a socket file."},"created_at":{"type":"string","format":"date-time"},"bundle_ids":{"type":"array","items":{"type":"string"}},"origins":{"type":"array","items":{"type":"string"}},"events_per_minute":{"type":"integer","minimum":0},"last_used_at":{"type":"string","format":"date-time","description":"The start of the hour of the last request; missing if there was none."},"expires_at":{"type":"string","format":"date-time","description":"The time from which the key is rejected; missing if it never expires."},"replaces":{"type":"integer","minimum":1,"description":"The key that a rotation replaced by this one."},"service_account":{"type":"object","description":"The fields of a service account file except for its private key.","required":["project_id","private_key_id","client_email","client_id","token_uri"],"additionalProperties":false,"properties":{"project_id":{"type":"string"},"private_key_id":{"type":"string"},"client_email":{"type":"string"},"client_id":{"type":"string"},"token_uri":{"type":"string"}}}}
},
"RuleShadow":{
"type":"object",
"required":["active","compared","skipped","newly_allowed","newly_denied","items"],
"additionalProperties":false,
"properties":{"active":{"type":"boolean","description":"Whether a candidate decides now."},"since":{"type":"string","format":"date-time","description":"Missing without a candidate."},"until":{"type":"string","format":"date-time"},"revision":{"type":"integer","minimum":0,"description":"The revision of the rules with which the candidate was compared last; 0 if the app had none."},"compared":{"type":"integer","minimum":0,"description":"Requests on which both decided."},"skipped":{"type":"integer","minimum":0,"description":"Requests on which the candidate did not decide, as they were beyond its budget."},"newly_allowed":{"type":"integer","minimum":0},"newly_denied":{"type":"integer","minimum":0},"items":{"type":"array","items":{"type":"object","required":["method","collection","signed_in","candidate","failed","count","first","last"],"additionalProperties":false,"properties":{"method":{"enum":["get","list","create","update","delete"]},"collection":{"type":"string","description":"With `*` for IDs: `users/*/orders`."},"signed_in":{"type":"boolean"},"candidate":{"enum":["ALLOW","DENY"],"description":"The decision of the candidate; that of the rules is the other one."},"by":{"$ref":"#/components/schemas/RulePlace"},"candidate_by":{"$ref":"#/components/schemas/RulePlace"},"failed":{"type":"boolean","description":"Whether a statement of the candidate could not be evaluated."},"count":{"type":"integer","minimum":1},"first":{"type":"string","format":"date-time"},"last":{"type":"string","format":"date-time"}}}}}
},
"RulePlace":{
"description":"Line and column in the text of the rules.",
"type":"string",
"pattern":"^[0-9]+:[0-9]+$"
},
"DocumentPath":{
"type":"string",
"minLength":3,
"maxLength":6144,
"description":"IDs of collections and documents in turn, such as `users/u1/orders/o7`."
},
"Stamp":{
"type":"integer",
"minimum":0,
"description":"A time in microseconds since 1970. Stamps of commits grow; a document's version is the stamp of the commit that last changed it."
},
"RuleRevision":{
"type":"object",
"required":["revision","at","source"],
"additionalProperties":false,
"properties":{"revision":{"type":"integer","minimum":1},"at":{"type":"string","format":"date-time"},"by":{"type":"object","description":"The caller that set the revision, as in the audit log; missing if an earlier version of the daemon stored it.","required":["role"],"additionalProperties":false,"properties":{"role":{"enum":["admin","operator"]},"key":{"type":"integer","minimum":1,"description":"The ID of the key; missing for the operator."}}},"source":{"type":"string"}}
},
"RuleWarning":{
"type":"object",
"required":["line","column","message"],
"additionalProperties":false,
"description":"A statement that allows everyone, or a name that does not exist, whose evaluation is an error that denies.",
"properties":{"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"message":{"type":"string"}}
},
"PastStamp":{
"type":"integer",
"minimum":0,
"description":"The stamp of an earlier state to read, at most an hour old."
},
"TransactionRetry":{
"type":"boolean",
"default":false,
"description":"For a transaction that is repeated after a conflict: waits for the documents, 10 s at most, and holds them until the commit, 2 s at most."
},
"DocumentHold":{
"type":"string",
"description":"The hold of a repeated transaction, for its commit and further reads; missing in an answer if nothing is held."
},
"QueryExplanation":{
"type":"object",
"required":["plan","examined"],
"additionalProperties":false,
"properties":{"plan":{"enum":["scan","index"]},"examined":{"type":"integer","minimum":0,"description":"The number of documents that were examined."},"indexes":{"type":"array","items":{"$ref":"#/components/schemas/DocumentIndex"}}}
},
"DocumentIndex":{
"type":"object",
"required":["collectionGroup","queryScope","fields"],
"description":"As in `firestore.indexes.json`.",
"properties":{"collectionGroup":{"type":"string"},"queryScope":{"enum":["COLLECTION","COLLECTION_GROUP"]},"fields":{"type":"array","items":{"type":"object","required":["fieldPath"],"properties":{"fieldPath":{"type":"string"},"order":{"enum":["ASCENDING","DESCENDING"]},"arrayConfig":{"enum":["CONTAINS"]}}}}}
},
"DocumentIndexes":{
"type":"object",
"required":["indexes","exemptions"],
"additionalProperties":false,
"properties":{"exemptions":{"type":"array","description":"Fields by which queries teach no index; `*` stands for all.","items":{"type":"object","required":["collectionGroup","fieldPath","indexes"],"additionalProperties":false,"properties":{"collectionGroup":{"type":"string"},"fieldPath":{"type":"string"},"indexes":{"type":"array","maxItems":0,"items":{}}}}},"leftOut":{"type":"array","description":"Indexes of the file that were not made, with the property that indexes here do not have.","items":{"type":"object","required":["place","collectionGroup","property"],"additionalProperties":false,"properties":{"place":{"type":"string"},"collectionGroup":{"type":"string"},"property":{"enum":["queryScope","apiScope","unique","vectorConfig","searchConfig","fieldPath"]}}}},"indexes":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/DocumentIndex"}],"type":"object","required":["state","progress","origin"],"properties":{"state":{"enum":["building","ready"],"description":"Queries use an index that is ready."},"origin":{"$ref":"#/components/schemas/DocumentIndexOrigin"},"reason":{"type":"string","description":"Why an index was learned."},"progress":{"type":"number","minimum":0,"maximum":1}}}}}
},
"DocumentPersons":{
"type":"object",
"required":["patterns"],
"additionalProperties":false,
"properties":{"patterns":{"type":"array","maxItems":50,"items":{"type":"object","additionalProperties":false,"description":"Either `path`, or `collection` and `field`.","properties":{"path":{"type":"string","maxLength":1500,"description":"The path of documents with `{uid}` once as an ID and `{name}` for any other; with `/**` at the end all documents below, too."},"collection":{"type":"string","description":"The path of a collection; its ID for a group."},"group":{"type":"boolean","default":false,"description":"Means all collections with the ID."},"field":{"type":"string","description":"The field that has the user ID."},"private":{"type":"array","maxItems":50,"items":{"type":"string"},"description":"The fields that an anonymisation removes; it replaces the user ID and keeps the document. `field` is none of them. Without the list it deletes the document."}}}}}
},
"FunctionStatistics":{
"type":"object",
"required":["items","sources"],
"additionalProperties":false,
"properties":{"items":{"type":"array","items":{"type":"object","required":["name","target","triggers","per_minute","failures","calls_under_way","calls_waiting","runs"],"additionalProperties":false,"properties":{"name":{"type":"string"},"target":{"type":"string","description":"Where calls and runs go, without the path: `https://api.example`, `topic orders`, `worker`."},"triggers":{"type":"array","items":{"type":"string"},"description":"Such as `event purchase`."},"per_minute":{"type":"array","description":"Ended calls and attempts of runs in each of the last 60 minutes since the start, oldest first.","items":{"type":"integer","minimum":0}},"failures":{"type":"integer","minimum":0,"description":"Those of them that failed."},"median_milliseconds":{"type":"number","description":"Of the last minutes."},"slow_milliseconds":{"type":"number","description":"99 of 100 took at most as long."},"calls_under_way":{"type":"integer","minimum":0},"calls_waiting":{"type":"integer","minimum":0},"broken_until":{"type":"string","format":"date-time","description":"Calls are refused until then, because the target failed too often."},"runs":{"type":"object","description":"The number of runs by state.","additionalProperties":{"type":"integer","minimum":0}}}}},"sources":{"type":"array","description":"The sources of triggers.","items":{"type":"object","required":["source","lag_seconds"],"additionalProperties":false,"properties":{"source":{"type":"string"},"lag_seconds":{"type":"number","minimum":0,"description":"Age of the changes that triggers have not seen yet."}}}},"next":{"type":"string"}}
},
"FileUsage":{
"type":"object",
"required":["bytes","files","open_uploads","reserved_bytes","traffic","most_bytes","items"],
"additionalProperties":false,
"properties":{"bytes":{"type":"integer","minimum":0},"files":{"type":"integer","minimum":0},"open_uploads":{"type":"integer","minimum":0},"reserved_bytes":{"type":"integer","minimum":0,"description":"The declared lengths of open uploads."},"traffic":{"type":"object","description":"Stored uploads and begun downloads in each of the last 60 minutes since the start, oldest first.","required":["uploads","uploaded_bytes","downloads","downloaded_bytes"],"additionalProperties":false,"properties":{"uploads":{"type":"array","items":{"type":"integer","minimum":0}},"uploaded_bytes":{"type":"array","items":{"type":"integer","minimum":0}},"downloads":{"type":"array","items":{"type":"integer","minimum":0}},"downloaded_bytes":{"type":"array","items":{"type":"integer","minimum":0}}}},"most_bytes":{"type":"integer","minimum":0,"description":"The quota of the app."},"items":{"type":"array","items":{"type":"object","required":["uid","bytes","files","open_uploads","reserved_bytes"],"additionalProperties":false,"properties":{"uid":{"type":"string"},"bytes":{"type":"integer","minimum":0},"files":{"type":"integer","minimum":0},"open_uploads":{"type":"integer","minimum":0},"reserved_bytes":{"type":"integer","minimum":0}}}},"next":{"type":"string"}}
},
"FileFolders":{
"type":"object",
"required":["prefix","bytes","files","items","complete","at"],
"additionalProperties":false,
"properties":{"prefix":{"type":"string"},"bytes":{"type":"integer","minimum":0,"description":"Bytes of the files that are in none of the folders."},"files":{"type":"integer","minimum":0},"items":{"type":"array","items":{"type":"object","required":["path","bytes","files"],"additionalProperties":false,"properties":{"path":{"type":"string","description":"Such as `users/ann/`."},"bytes":{"type":"integer","minimum":0,"description":"Bytes of all files in it and in its folders."},"files":{"type":"integer","minimum":0}}}},"complete":{"type":"boolean","description":"False if counting took too long; then the first files in the order of paths were counted."},"at":{"type":"string","format":"date-time","description":"When they were counted."}}
},
"FileDenials":{
"type":"object",
"required":["statements","items"],
"additionalProperties":false,
"properties":{"revision":{"type":"integer","minimum":1},"since":{"type":"string","format":"date-time"},"statements":{"type":"array","description":"All `allow` statements in the order of the file.","items":{"type":"object","required":["line","column","allowed"],"additionalProperties":false,"properties":{"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"allowed":{"type":"integer","minimum":0}}}},"items":{"type":"array","items":{"type":"object","required":["method","failed","signed_in","count","first","last"],"additionalProperties":false,"properties":{"method":{"enum":["get","list","create","update","delete"]},"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"failed":{"type":"boolean","description":"Whether a statement could not be evaluated."},"signed_in":{"type":"boolean"},"count":{"type":"integer","minimum":1},"first":{"type":"string","format":"date-time"},"last":{"type":"string","format":"date-time"}}}}}
},
"FileCheck":{
"type":"object",
"required":["files","bytes","items"],
"additionalProperties":false,
"properties":{"files":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0,"description":"The bytes that were read."},"items":{"type":"array","maxItems":1000,"items":{"type":"object","required":["path","what"],"additionalProperties":false,"properties":{"path":{"type":"string"},"what":{"enum":["missing","size","sum","unreadable"]}}}},"next":{"type":"string"}}
},
"DocumentDenials":{
"type":"object",
"required":["statements","collections","items"],
"additionalProperties":false,
"properties":{"revision":{"type":"integer","minimum":1},"since":{"type":"string","format":"date-time"},"statements":{"type":"array","description":"All `allow` statements in the order of the file.","items":{"type":"object","required":["line","column","allowed"],"additionalProperties":false,"properties":{"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"allowed":{"type":"integer","minimum":0}}}},"collections":{"type":"array","maxItems":200,"description":"Collections with the same ID are one entry; those with most decisions come first.","items":{"type":"object","required":["collection","allowed","denied"],"additionalProperties":false,"properties":{"collection":{"type":"string","description":"Empty for queries of all collections."},"allowed":{"type":"integer","minimum":0},"denied":{"type":"integer","minimum":0}}}},"items":{"type":"array","maxItems":1000,"items":{"type":"object","required":["method","collection","failed","signed_in","count","first","last"],"additionalProperties":false,"properties":{"method":{"enum":["get","list","create","update","delete"]},"collection":{"type":"string","description":"With `*` for IDs: `users/*/orders`."},"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"failed":{"type":"boolean","description":"Whether a statement could not be evaluated."},"limit":{"enum":["expressions","calls","reads","work","expressions_of_batch","reads_of_batch","work_of_batch"],"description":"The limit of rules that the requests exceeded. Those of batches are of all operations of a request."},"signed_in":{"type":"boolean"},"count":{"type":"integer","minimum":1},"first":{"type":"string","format":"date-time"},"last":{"type":"string","format":"date-time"}}}}}
},
"DocumentIndexOrigin":{
"enum":["declared","ttl","learned"],
"description":"Why there is an index: it is declared, documents expire by it, or queries examined too many documents without it."
},
"DocumentStatistics":{
"type":"object",
"required":["documents","bytes","index_bytes","person_patterns","growth","days","collections","indexes","queries"],
"additionalProperties":false,
"properties":{"documents":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0,"description":"Of the documents' bodies."},"index_bytes":{"type":"integer","minimum":0},"person_patterns":{"type":"integer","minimum":0,"description":"The patterns of `PUT /v1/documents:persons`. Without any, erasures leave all documents."},"growth":{"type":"array","maxItems":3,"description":"The change since the end of the day (UTC) that was 1, 7 and 30 days ago. Periods before the first sizes are missing.","items":{"$ref":"#/components/schemas/DocumentGrowth"}},"days":{"type":"array","maxItems":90,"description":"The size at the ends of earlier days, oldest first, for as long as the app keeps events. Days on which the daemon did not run are missing.","items":{"type":"object","required":["day","documents","bytes"],"additionalProperties":false,"properties":{"day":{"type":"string","format":"date","description":"A day of UTC."},"documents":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0}}}},"collections":{"type":"array","maxItems":100,"description":"The largest; collections with the same ID are one entry.","items":{"type":"object","required":["collection","collections","documents","bytes","growth"],"additionalProperties":false,"properties":{"collection":{"type":"string"},"collections":{"type":"integer","minimum":0},"documents":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0},"growth":{"type":"array","maxItems":3,"description":"A period is also missing if the collection may have been among the small ones, which are noted together.","items":{"$ref":"#/components/schemas/DocumentGrowth"}}}}},"indexes":{"type":"array","items":{"type":"object","required":["collection","group","fields","origin","progress","entries","bytes"],"additionalProperties":false,"properties":{"collection":{"type":"string"},"group":{"type":"boolean"},"fields":{"type":"array","items":{"type":"string"},"description":"Paths of fields, with ` desc` or ` contains`."},"origin":{"$ref":"#/components/schemas/DocumentIndexOrigin"},"reason":{"type":"string"},"progress":{"type":"number","minimum":0,"maximum":1},"entries":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0},"last_used_at":{"type":"string","format":"date-time","description":"To the hour; when it was made, if no query read it."}}}},"queries":{"type":"array","maxItems":50,"description":"Shapes of queries that examined many documents or took long, since the start of the daemon.","items":{"type":"object","required":["shape","queries","examined","results","slowest_milliseconds","uses_index"],"additionalProperties":false,"properties":{"shape":{"type":"string"},"queries":{"type":"integer","minimum":0},"examined":{"type":"integer","minimum":0},"results":{"type":"integer","minimum":0},"slowest_milliseconds":{"type":"integer","minimum":0},"uses_index":{"type":"boolean","description":"Whether the last one read an index."}}}}}
},
"DocumentGrowth":{
"type":"object",
"required":["days","documents","bytes"],
"additionalProperties":false,
"properties":{"days":{"type":"integer","minimum":1,"maximum":30,"description":"1, 7 or 30."},"documents":{"type":"integer","description":"Negative if there are fewer."},"bytes":{"type":"integer"}}
},
"DocumentListeners":{
"type":"object",
"required":["streams","targets","listeners","shapes"],
"additionalProperties":false,
"properties":{"streams":{"type":"integer","minimum":0},"targets":{"type":"integer","minimum":0,"description":"Different queries and documents."},"listeners":{"type":"integer","minimum":0,"description":"The targets of all streams."},"shapes":{"type":"array","maxItems":50,"items":{"type":"object","required":["shape","targets","listeners"],"additionalProperties":false,"properties":{"shape":{"type":"string"},"targets":{"type":"integer","minimum":0},"listeners":{"type":"integer","minimum":0}}}}}
},
"DocumentImport":{
"type":"object",
"required":["documents","failed","errors"],
"additionalProperties":false,
"properties":{"documents":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"errors":{"type":"array","maxItems":100,"items":{"type":"object","required":["line","detail"],"additionalProperties":false,"properties":{"line":{"type":"integer","minimum":1,"description":"The number of the line in the body."},"detail":{"type":"string"}}}}}
},
"DocumentChange":{
"type":"object",
"required":["place","stamp","kind","path"],
"additionalProperties":false,
"properties":{"place":{"type":"string","description":"The position behind the change."},"stamp":{"$ref":"#/components/schemas/Stamp"},"kind":{"enum":["created","updated","deleted"]},"path":{"type":"string"},"before":{"$ref":"#/components/schemas/DocumentState","description":"Missing if the document was created."},"after":{"$ref":"#/components/schemas/DocumentState","description":"Missing if the document was deleted."}}
},
"DocumentState":{
"type":"object",
"required":["fields","version","created"],
"additionalProperties":false,
"properties":{"fields":{"type":"object"},"version":{"$ref":"#/components/schemas/Stamp"},"created":{"$ref":"#/components/schemas/Stamp"}}
},
"DocumentExpiry":{
"type":"object",
"required":["fields"],
"additionalProperties":false,
"properties":{"fields":{"type":"array","items":{"type":"object","required":["collection","field","state","progress"],"additionalProperties":false,"properties":{"collection":{"type":"string"},"field":{"type":"string"},"state":{"enum":["building","active"],"description":"Documents expire once the index is built."},"progress":{"type":"number","minimum":0,"maximum":1}}}}}
},
"FilePersons":{
"type":"object",
"required":["paths"],
"additionalProperties":false,
"properties":{"paths":{"type":"array","maxItems":50,"items":{"type":"string"},"description":"Folders that end with `{uid}/`."}}
},
"FileLink":{
"type":"object",
"required":["url","expires_at"],
"additionalProperties":false,
"properties":{"url":{"type":"string","description":"Relative to the address of the server."},"expires_at":{"type":"string","format":"date-time"},"id":{"type":"integer","minimum":1,"description":"The number to revoke it by."}}
},
"File":{
"type":"object",
"description":"A file without its bytes.",
"required":["path","size","type","sha256","crc32c","generation","metageneration","etag","created_at","updated_at","metadata"],
"additionalProperties":false,
"properties":{"path":{"type":"string","minLength":1,"maxLength":1024},"size":{"type":"integer","minimum":0},"type":{"type":"string","description":"The media type."},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"crc32c":{"type":"string","pattern":"^[0-9a-f]{8}$","description":"CRC-32C (Castagnoli)."},"generation":{"type":"integer","minimum":1,"description":"The version of the bytes in microseconds. It rises with each change in the app."},"metageneration":{"type":"integer","minimum":1,"description":"The number of changes of the details, from 1."},"etag":{"type":"string"},"created_at":{"type":"string","format":"date-time"},"updated_at":{"type":"string","format":"date-time"},"owner":{"type":"string","description":"The user who uploaded it; missing if a server did."},"cache_control":{"type":"string"},"content_disposition":{"type":"string"},"content_encoding":{"type":"string"},"content_language":{"type":"string"},"metadata":{"type":"object","additionalProperties":{"type":"string"}},"pending_until":{"type":"string","description":"The function that must allow it; missing if it is readable."}}
},
"FileWaitRule":{
"type":"object",
"required":["prefix","pending_until"],
"additionalProperties":false,
"properties":{"prefix":{"type":"string","maxLength":1024,"description":"The beginning of the paths: a folder such as `uploads/`, or empty for all files."},"pending_until":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9_-]{0,62}$","description":"The name of the function."}}
},
"FileWaitRules":{
"type":"object",
"required":["rules"],
"additionalProperties":false,
"properties":{"rules":{"type":"array","maxItems":50,"items":{"$ref":"#/components/schemas/FileWaitRule"}}}
},
"ExportedFile":{
"type":"object",
"required":["file"],
"additionalProperties":false,
"properties":{"file":{"$ref":"#/components/schemas/File"},"md5":{"type":"string","pattern":"^[0-9a-f]{32}$","description":"Missing if it was never computed."},"download_tokens":{"type":"string","description":"Permanent tokens of Firebase's SDKs, separated by commas. Each opens the file."}}
},
"FileSetting":{
"type":"object",
"required":["setting","value"],
"additionalProperties":false,
"properties":{"setting":{"enum":["persons","pending","rules"]},"value":{"type":"object","additionalProperties":false,"properties":{"paths":{"type":"array","items":{"type":"string"},"description":"Of `persons`."},"source":{"type":"string","description":"Of `rules`: the newest revision."},"rules":{"type":"array","items":{"$ref":"#/components/schemas/FileWaitRule"},"description":"Of `pending`."}}}}
},
"FileImport":{
"type":"object",
"required":["files","missing","failed","errors"],
"additionalProperties":false,
"properties":{"files":{"type":"integer","minimum":0,"description":"Files that are here with their bytes."},"missing":{"type":"array","items":{"type":"integer","minimum":1},"description":"The numbers of the lines in the body whose bytes are not here."},"failed":{"type":"integer","minimum":0},"errors":{"type":"array","maxItems":100,"items":{"type":"object","required":["line","detail"],"additionalProperties":false,"properties":{"line":{"type":"integer","minimum":1,"description":"The number of the line in the body."},"detail":{"type":"string"}}}}}
},
"ExportedDocument":{
"type":"object",
"required":["path","fields","version","created"],
"additionalProperties":false,
"properties":{"path":{"type":"string"},"fields":{"type":"object"},"version":{"$ref":"#/components/schemas/Stamp"},"created":{"$ref":"#/components/schemas/Stamp"}}
},
"ListenTargets":{
"type":"array",
"maxItems":100,
"items":{"type":"object","required":["target"],"additionalProperties":false,"properties":{"target":{"type":"integer","minimum":1,"maximum":2147483647,"description":"A number that the stream does not use for another target."},"document":{"type":"string","description":"The path of a document. Beside it there is no query."},"query":{"$ref":"#/components/schemas/DocumentQuery"},"known":{"type":"object","maxProperties":10000,"additionalProperties":{"$ref":"#/components/schemas/Stamp"},"description":"Versions of the result's documents that the client has, by path. Only newer ones are sent. A result with a limit needs them to go on; others go on by the token."}}}
},
"DocumentQuery":{
"type":"object",
"required":["from"],
"properties":{"from":{"type":"string","description":"A collection, such as `users` or `users/u1/orders`."},"under":{"allOf":[{"$ref":"#/components/schemas/DocumentPath"}],"description":"The document that the collections are below."},"group":{"type":"boolean","default":false,"description":"Whether all collections with the ID are queried, at any depth."},"where":{"description":"A condition `[field, operator, value]` with `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not-in`, `contains` or `contains-any`; or `{\"and\": […]}`, `{\"or\": […]}` of them."},"order":{"type":"array","maxItems":100,"description":"Fields, or `[field, \"desc\"]`.","items":{}},"startAt":{"$ref":"#/components/schemas/DocumentCursor"},"startAfter":{"$ref":"#/components/schemas/DocumentCursor"},"endAt":{"$ref":"#/components/schemas/DocumentCursor"},"endBefore":{"$ref":"#/components/schemas/DocumentCursor"},"limit":{"type":"integer","minimum":0},"offset":{"type":"integer","minimum":0,"default":0},"select":{"type":"array","maxItems":1000,"description":"The fields of the result; all without it.","items":{"type":"string"}}}
},
"DocumentCursor":{
"description":"Values of the orders. `POST /v1/documents:query` also takes a document that the caller may get, as `{\"path\": \"products/p1\"}`.",
"oneOf":[{"type":"array","maxItems":100,"items":{}},{"type":"object","required":["path"],"additionalProperties":false,"properties":{"path":{"type":"string"}}}]
},
"NewKey":{
"type":"object",
"required":["role"],
"additionalProperties":false,
"properties":{"role":{"enum":["ingest","read","send","accounts","data","admin"]},"label":{"type":"string","maxLength":100,"default":""},"bundle_ids":{"type":"array","description":"The bundle IDs (`X-Bundle-Id`) that may use the key; empty for any.","maxItems":100,"items":{"$ref":"#/components/schemas/ListedText"}},"origins":{"type":"array","description":"The web origins that may use the key, such as `https://shop.example` or `https://*.shop.example`; empty for any.","maxItems":100,"items":{"$ref":"#/components/schemas/ListedText"}},"events_per_minute":{"type":"integer","minimum":0,"maximum":100000000,"default":0,"description":"The rate limit; 0 uses the app's setting."},"expires_at":{"$ref":"#/components/schemas/Expiry"},"service_account":{"type":"object","description":"Makes the key a service account with the role `send`. It has no secret; the owner of the private key gets access tokens at `/token`.","required":["public_key"],"additionalProperties":false,"properties":{"public_key":{"type":"string","maxLength":2048,"description":"An RSA key of 2,048 to 4,096 bits: Base64 of DER (SubjectPublicKeyInfo)."},"token_uri":{"type":"string","format":"uri","pattern":"^http","maxLength":2048,"description":"The URL of `/token` for clients; default: the daemon's address, or `localhost` if it listens on a socket file."}}}}
},
"FirebaseSend":{
"type":"object",
"required":["message"],
"properties":{"validate_only":{"type":"boolean"},"message":{"type":"object","description":"Exactly one of `token`, `fid`, `topic` and `condition`.","properties":{"token":{"type":"string"},"fid":{"type":"string"},"topic":{"type":"string"},"condition":{"type":"string"},"notification":{"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"},"image":{"type":"string"}}},"data":{"type":"object","additionalProperties":{"type":"string"}},"android":{"type":"object"},"apns":{"type":"object"},"webpush":{"type":"object"},"fcm_options":{"type":"object","properties":{"analytics_label":{"type":"string"}}}}}}
},
"FirebaseSubscription":{
"type":"object",
"required":["name","topic_name","create_time"],
"additionalProperties":false,
"properties":{"name":{"type":"string"},"topic_name":{"type":"string"},"create_time":{"type":"string","format":"date-time"}}
},
"FirebaseUser":{
"type":"object",
"required":["localId","emailVerified","disabled","createdAt","validSince","providerUserInfo"],
"additionalProperties":false,
"properties":{"localId":{"type":"string"},"email":{"type":"string"},"emailVerified":{"type":"boolean"},"displayName":{"type":"string"},"photoUrl":{"type":"string"},"phoneNumber":{"type":"string"},"passwordHash":{"const":"UkVEQUNURUQ=","description":"`REDACTED` in base64, if there is a password."},"salt":{"const":"UkVEQUNURUQ="},"disabled":{"type":"boolean"},"createdAt":{"type":"string","description":"Milliseconds since 1970."},"lastLoginAt":{"type":"string","description":"Milliseconds since 1970."},"lastRefreshAt":{"type":"string","format":"date-time"},"validSince":{"type":"string","description":"Seconds since 1970."},"customAttributes":{"type":"string","description":"Claims as a text with a JSON object."},"providerUserInfo":{"type":"array","items":{"type":"object","required":["providerId","rawId"],"properties":{"providerId":{"type":"string"},"rawId":{"type":"string"},"federatedId":{"type":"string"},"email":{"type":"string"},"phoneNumber":{"type":"string"},"displayName":{"type":"string"},"photoUrl":{"type":"string"}}}},"mfaInfo":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseFactor"},"description":"The second factors, if there are any."}}
},
"FirebaseFactor":{
"type":"object",
"description":"A second factor: an authenticator app.",
"required":["mfaEnrollmentId","enrolledAt","totpInfo"],
"additionalProperties":false,
"properties":{"mfaEnrollmentId":{"type":"string"},"displayName":{"type":"string"},"enrolledAt":{"type":"string","format":"date-time"},"totpInfo":{"type":"object"}}
},
"IdentityError":{
"type":"object",
"required":["error"],
"additionalProperties":false,
"properties":{"error":{"type":"object","required":["code","message","errors","status"],"additionalProperties":false,"properties":{"code":{"type":"integer"},"message":{"type":"string","description":"A word, or a word and details: `WEAK_PASSWORD : The password must have at least 8 bytes.`"},"errors":{"type":"array","items":{"type":"object","required":["message","domain","reason"],"properties":{"message":{"type":"string"},"domain":{"const":"global"},"reason":{"type":"string"}}}},"status":{"type":"string"}}}}
},
"InstanceIDBatch":{
"type":"object",
"required":["to","registration_tokens"],
"properties":{"to":{"type":"string","description":"The topic, as `/topics/NAME`."},"registration_tokens":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"string"}}}
},
"GoogleError":{
"type":"object",
"required":["error"],
"additionalProperties":false,
"properties":{"error":{"type":"object","required":["code","message","status"],"additionalProperties":false,"properties":{"code":{"type":"integer"},"message":{"type":"string"},"status":{"enum":["INVALID_ARGUMENT","UNAUTHENTICATED","PERMISSION_DENIED","NOT_FOUND","ALREADY_EXISTS","RESOURCE_EXHAUSTED","UNAVAILABLE","INTERNAL"]},"details":{"type":"array","items":{"type":"object","required":["@type"]}}}}}
},
"CallError":{
"type":"object",
"required":["error"],
"additionalProperties":false,
"properties":{"error":{"type":"object","required":["status","message"],"additionalProperties":false,"properties":{"status":{"enum":["INVALID_ARGUMENT","FAILED_PRECONDITION","OUT_OF_RANGE","UNAUTHENTICATED","PERMISSION_DENIED","NOT_FOUND","ALREADY_EXISTS","ABORTED","RESOURCE_EXHAUSTED","CANCELLED","UNKNOWN","INTERNAL","DATA_LOSS","UNIMPLEMENTED","UNAVAILABLE","DEADLINE_EXCEEDED"]},"message":{"type":"string"},"details":{"description":"Any JSON of the function's."}}}}
},
"StorageError":{
"description":"An error of Google's storage.",
"type":"object",
"required":["error"],
"additionalProperties":false,
"properties":{"error":{"type":"object","required":["code","message"],"additionalProperties":false,"properties":{"code":{"type":"integer"},"message":{"type":"string"}}}}
},
"StorageObject":{
"description":"A file as Google's clients describe one. Numbers are texts.",
"type":"object",
"required":["name","bucket","generation","metageneration","contentType","timeCreated","updated","storageClass","size","crc32c","etag"],
"additionalProperties":false,
"properties":{"name":{"type":"string"},"bucket":{"type":"string","description":"As the request named it."},"generation":{"type":"string"},"metageneration":{"type":"string"},"contentType":{"type":"string"},"timeCreated":{"type":"string","format":"date-time"},"updated":{"type":"string","format":"date-time"},"storageClass":{"const":"STANDARD"},"size":{"type":"string"},"crc32c":{"type":"string","description":"Base64, the most significant byte first."},"md5Hash":{"type":"string","description":"Base64; only of files whose uploader sent it."},"etag":{"type":"string"},"contentEncoding":{"type":"string"},"contentDisposition":{"type":"string"},"contentLanguage":{"type":"string"},"cacheControl":{"type":"string"},"downloadTokens":{"type":"string","description":"Separated by commas. By default they end after seven days (`files.download_tokens`)."},"metadata":{"type":"object","additionalProperties":{"type":"string"}}}
},
"GoogleStorageObject":{
"description":"A file in Google's JSON API. Numbers are texts; `metadata.firebaseStorageDownloadTokens` are permanent download tokens.",
"type":"object",
"required":["kind","id","name","bucket","generation","metageneration","contentType","timeCreated","updated","storageClass","size","crc32c","etag"],
"additionalProperties":false,
"properties":{"name":{"type":"string"},"bucket":{"type":"string","description":"As the request named it."},"generation":{"type":"string"},"metageneration":{"type":"string"},"contentType":{"type":"string"},"timeCreated":{"type":"string","format":"date-time"},"updated":{"type":"string","format":"date-time"},"storageClass":{"const":"STANDARD"},"size":{"type":"string"},"crc32c":{"type":"string","description":"Base64, the most significant byte first."},"md5Hash":{"type":"string","description":"Base64; only of files whose uploader sent it."},"etag":{"type":"string"},"contentEncoding":{"type":"string"},"contentDisposition":{"type":"string"},"contentLanguage":{"type":"string"},"cacheControl":{"type":"string"},"downloadTokens":{"type":"string","description":"Separated by commas. By default they end after seven days (`files.download_tokens`)."},"metadata":{"type":"object","additionalProperties":{"type":"string"}},"kind":{"const":"storage#object"},"id":{"type":"string"}}
},
"GoogleStorageError":{
"type":"object",
"required":["error"],
"additionalProperties":false,
"properties":{"error":{"type":"object","required":["code","message","errors"],"additionalProperties":false,"properties":{"code":{"type":"integer"},"message":{"type":"string"},"errors":{"type":"array","items":{"type":"object","required":["domain","reason","message"],"additionalProperties":false,"properties":{"domain":{"const":"global"},"reason":{"enum":["authError","backendError","conditionNotMet","conflict","forbidden","internalError","invalid","notFound","notImplemented","quotaExceeded","rateLimitExceeded","uploadTooLarge"]},"message":{"type":"string"}}}}}}}
},
"FirestoreError":{
"type":"object",
"required":["error"],
"additionalProperties":false,
"properties":{"error":{"type":"object","required":["code","message","status"],"additionalProperties":false,"properties":{"code":{"type":"integer"},"message":{"type":"string","description":"Clients compare some of them: `Document already exists: {name}`, `No document to update: {name}`."},"status":{"enum":["INVALID_ARGUMENT","FAILED_PRECONDITION","UNAUTHENTICATED","PERMISSION_DENIED","NOT_FOUND","ALREADY_EXISTS","ABORTED","RESOURCE_EXHAUSTED","INTERNAL","UNIMPLEMENTED","UNAVAILABLE","DEADLINE_EXCEEDED"]}}}}
},
"FirestoreDocument":{
"type":"object",
"required":["name"],
"additionalProperties":false,
"description":"A document; one that is not there but has documents below it has its name only.",
"properties":{"name":{"type":"string"},"fields":{"$ref":"#/components/schemas/FirestoreFields"},"createTime":{"$ref":"#/components/schemas/FirestoreTime"},"updateTime":{"$ref":"#/components/schemas/FirestoreTime"}}
},
"FirestoreFields":{
"type":"object",
"description":"Values by name.",
"additionalProperties":{"$ref":"#/components/schemas/FirestoreValue"}
},
"FirestoreValue":{
"type":"object",
"minProperties":1,
"maxProperties":1,
"additionalProperties":false,
"properties":{"nullValue":{},"booleanValue":{"type":"boolean"},"integerValue":{"type":["string","integer"]},"doubleValue":{"type":["number","string"],"description":"Also `NaN`, `Infinity` and `-Infinity`."},"timestampValue":{"$ref":"#/components/schemas/FirestoreTime"},"stringValue":{"type":"string"},"bytesValue":{"type":"string","description":"Base64."},"referenceValue":{"type":"string","description":"The full name of a document."},"geoPointValue":{"type":"object","additionalProperties":false,"properties":{"latitude":{"type":"number"},"longitude":{"type":"number"}}},"arrayValue":{"type":"object","additionalProperties":false,"properties":{"values":{"type":"array","items":{"type":"object"}}}},"mapValue":{"type":"object","additionalProperties":false,"properties":{"fields":{"type":"object"}}}}
},
"FirestoreTime":{
"type":"string",
"description":"A time in UTC with up to six digits of a second: `2026-11-23T10:00:00.000001Z`."
},
"FirestoreWriteResult":{
"type":"object",
"additionalProperties":false,
"properties":{"updateTime":{"$ref":"#/components/schemas/FirestoreTime"},"transformResults":{"type":"array","items":{"$ref":"#/components/schemas/FirestoreValue"}}}
},
"FirestoreNamedDocument":{
"type":"object",
"properties":{"name":{"type":"string"},"fields":{"$ref":"#/components/schemas/FirestoreFields"}}
},
"FirestoreExplanation":{
"description":"How a result was found; for servers, in the last element of an answer with `explainOptions`.",
"type":"object",
"required":["planSummary"],
"additionalProperties":false,
"properties":{"planSummary":{"type":"object","required":["indexesUsed"],"additionalProperties":false,"properties":{"indexesUsed":{"description":"`(__name__ ASC)` if every document of the collections is examined.","type":"array","items":{"type":"object","required":["query_scope","properties"],"additionalProperties":false,"properties":{"query_scope":{"enum":["Collection","Collection group"]},"properties":{"type":"string"}}}}}},"executionStats":{"type":"object","required":["resultsReturned","executionDuration","readOperations","debugStats"],"additionalProperties":false,"properties":{"resultsReturned":{"type":"string"},"executionDuration":{"type":"string","description":"Seconds, as in `0.001500s`."},"readOperations":{"type":"string"},"debugStats":{"type":"object","properties":{"documents_scanned":{"type":"string"}}}}}}
},
"FirestoreReading":{
"type":"object",
"properties":{"transaction":{"type":"string","description":"The ID of an open transaction."},"newTransaction":{"$ref":"#/components/schemas/FirestoreOptions"},"readTime":{"$ref":"#/components/schemas/FirestoreTime"}}
},
"FirestoreOptions":{
"type":"object",
"properties":{"readOnly":{"type":"object"},"readWrite":{"type":"object"}}
},
"ListedText":{
"type":"string",
"minLength":1,
"maxLength":256,
"pattern":"^[^,]*$",
"description":"At most 256 bytes."
},
"Secret":{
"type":"string",
"pattern":"^sb_(ingest|read|send|data|accounts|admin)_[0-9A-Za-z]+$",
"maxLength":64
},
"Problem":{
"type":"object",
"description":"A rejected request (RFC 9457).",
"required":["type","title","status","code","detail"],
"additionalProperties":false,
"properties":{"type":{"const":"about:blank"},"title":{"type":"string","description":"A short text, the same for all problems with the code."},"status":{"type":"integer"},"code":{"description":"A stable code for programs.","enum":["bad_request","invalid_json","unauthorized","forbidden","cross_origin","not_found","unregistered","method_not_allowed","slow_client","conflict","too_large","uri_too_long","unsupported_media_type","misdirected_request","invalid","headers_too_large","rate_limited","limit_reached","overloaded","internal_error","not_implemented","draining","storage_full","storage_failed","version_not_supported","invalid_credentials","email_exists","weak_password","invalid_email","token_expired","session_ended","account_disabled","method_off","recent_login_required","bad_identity_token","invalid_code","identity_linked","account_exists","provider_unavailable","permission_denied","exists","precondition_failed","query_invalid","too_expensive","quota_exceeded","checksum_mismatch","too_many_attempts","code_expired"]},"detail":{"type":"string","description":"The cause of this rejection."},"hint":{"type":"string","description":"The next step."},"errors":{"type":"array","minItems":1,"items":{"type":"object","required":["field","code","message"],"additionalProperties":false,"properties":{"field":{"type":"string"},"code":{"type":"string"},"message":{"type":"string"}}}}},
"example":{"type":"about:blank","title":"The request is invalid","status":422,"code":"invalid","detail":"limit must be a whole number from 1 to 1000.","errors":[{"field":"limit","code":"out_of_range","message":"must be a whole number from 1 to 1000"}]}
},
"SentryProblem":{
"type":"object",
"required":["detail","causes"],
"additionalProperties":false,
"properties":{"detail":{"type":"string"},"causes":{"type":"array","items":{"type":"string"}}}
},
"SentryUploadSettings":{
"type":"object",
"required":["url","chunkSize","chunksPerRequest","maxFileSize","maxRequestSize","concurrency","hashAlgorithm","compression","accept"],
"additionalProperties":false,
"properties":{"url":{"type":"string"},"chunkSize":{"type":"integer","minimum":1,"description":"A power of two."},"chunksPerRequest":{"type":"integer","minimum":1},"maxFileSize":{"type":"integer","minimum":1},"maxRequestSize":{"type":"integer","minimum":1},"concurrency":{"type":"integer","minimum":1},"hashAlgorithm":{"const":"sha1"},"compression":{"type":"array","items":{"const":"gzip"}},"accept":{"type":"array","items":{"enum":["debug_files","sources","proguard","artifact_bundles","artifact_bundles_v2"]}}}
},
"SentryRelease":{
"type":"object",
"required":["version","shortVersion","dateCreated","dateReleased","url","lastEvent","newGroups","projects"],
"additionalProperties":false,
"properties":{"version":{"type":"string"},"shortVersion":{"type":"string"},"dateCreated":{"type":"string","format":"date-time","description":"The time of its announcement, else of its first report."},"dateReleased":{"type":["string","null"],"format":"date-time"},"url":{"type":"null"},"lastEvent":{"type":"null"},"newGroups":{"const":0},"projects":{"type":"array","items":{"type":"object","required":["slug","name"],"additionalProperties":false,"properties":{"slug":{"type":"string"},"name":{"type":"string"}}}}}
},
"SentryFileState":{
"type":"object",
"required":["state","missingChunks"],
"additionalProperties":false,
"properties":{"state":{"enum":["ok","not_found","error"]},"detail":{"type":"string"},"missingChunks":{"type":"array","items":{"type":"string"}},"dif":{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string"},"uuid":{"type":"string"},"debugId":{"type":"string"},"objectName":{"type":"string"},"cpuName":{"type":"string"},"symbolType":{"type":"string"},"sha1":{"type":"string"},"size":{"type":"integer"},"dateCreated":{"type":"string","format":"date-time"},"headers":{"type":"object"},"data":{"type":"object"}}}}
}
},
"responses":{
"SegmentDone":{
"description":"All data is durable.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["success"],"additionalProperties":false,"properties":{"success":{"const":true}}}}}
},
"GoogleRefusal":{
"description":"An error in the format of Google's APIs. 429 and 503 have `Retry-After`; an overload is always 429, since clients retry a 503 by themselves.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleError"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"CallFailed":{
"description":"An error of the function or of the call, in the format of the callable protocol.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CallError"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"StorageRefusal":{
"description":"An error in the format of Google's storage; clients of Firebase map the status alone. 402 is a quota.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/StorageError"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"GoogleStorageRefusal":{
"description":"An error in the format of Google's JSON API, with its `reason`.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleStorageError"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"FirestoreRefusal":{
"description":"An error in the format of Firestore. 429 and 503 have `Retry-After`.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirestoreError"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"FirestoreStreamRefusal":{
"description":"An error in the format of Firestore, in an array as the method's answer.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"array","minItems":1,"maxItems":1,"items":{"$ref":"#/components/schemas/FirestoreError"}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"IdentityRefusal":{
"description":"An error in the format of Firebase Authentication: `message` is a word such as `EMAIL_EXISTS`, with details behind ` : `. Errors of\naccounts are 400, an overload is 429, and what there is not is 501.\n",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/IdentityError"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"InstanceIDRefusal":{
"description":"The error as a word.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["error"],"additionalProperties":false,"properties":{"error":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"SegmentRefusal":{
"description":"An error in the format of Segment's SDKs; a problem (RFC 9457) if it occurred before routing.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["success","code","message"],"additionalProperties":false,"properties":{"success":{"const":false},"code":{"type":"string"},"message":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"PostHogDone":{
"description":"All data is durable.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"const":1}}}}}
},
"PostHogResults":{
"description":"The result of each event, by `uuid`.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["results"],"additionalProperties":false,"properties":{"results":{"type":"object","additionalProperties":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"enum":["ok","warning","drop"],"description":"Stored, stored without a part, or quarantined."},"details":{"type":"string","description":"The code of the reason."}}}}}}}}
},
"PostHogFlags":{
"description":"No feature flags.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["flags","errorsWhileComputingFlags"],"properties":{"flags":{"type":"object","maxProperties":0},"errorsWhileComputingFlags":{"const":false}}}}}
},
"PostHogConfiguration":{
"description":"A configuration with all features off.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["supportedCompression"],"properties":{"supportedCompression":{"type":"array","items":{"type":"string"}}}}}}
},
"PostHogRefusal":{
"description":"An error in the format of PostHog's SDKs; a problem (RFC 9457) if it occurred before routing.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["type","code","detail","error","error_description"],"additionalProperties":false,"properties":{"type":{"type":"string"},"code":{"type":"string"},"detail":{"type":"string"},"error":{"type":"string"},"error_description":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"MeasurementMessages":{
"description":"The findings; empty if the request is valid.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["validationMessages"],"additionalProperties":false,"properties":{"validationMessages":{"type":"array","items":{"type":"object","required":["fieldPath","description","validationCode"],"additionalProperties":false,"properties":{"fieldPath":{"type":"string"},"description":{"type":"string"},"validationCode":{"enum":["VALUE_INVALID","VALUE_REQUIRED","NAME_INVALID","NAME_RESERVED","VALUE_OUT_OF_BOUNDS","EXCEEDED_MAX_ENTITIES","NAME_DUPLICATED"]}}}}}},"example":{"validationMessages":[{"fieldPath":"events[0].name","description":"events[0] has an invalid name: This name is reserved.","validationCode":"NAME_RESERVED"}]}}}
},
"Outcome":{
"description":"The data is durable, except for `/v1/debug/events`, which stores nothing.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Outcome"},"example":{"accepted":2,"duplicates":1,"quarantined":0,"results":[{"index":1,"result":"corrected","code":"value_too_long","number":4,"field":"params.text","message":"Has more than 100 characters."},{"index":2,"id":"7","result":"duplicate","code":"event_duplicate","field":"id","message":"An event with this ID is already stored."}]}}}
},
"App":{
"description":"The changed app.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/App"}],"unevaluatedProperties":false}}}
},
"Done":{
"description":"Done.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}
},
"Devices":{
"description":"A page of devices.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/Device"}],"unevaluatedProperties":false}},"next":{"$ref":"#/components/schemas/Cursor"}}},"example":{"items":[{"token":"sbd_…Ha1Q","kind":"own","installation_id":"my-phone","platform":"ios","endpoint":{"type":"stream"},"state":"active","stale":false,"created_at":"2026-11-21T08:33:29.071Z","seen_at":"2026-11-21T08:33:29.071Z"}]}}}
},
"WebhookSecret":{
"description":"The new secret.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["secret"],"additionalProperties":false,"properties":{"secret":{"$ref":"#/components/schemas/WebhookSecret"}}},"example":{"secret":"whsec_Nj0VZ8yPq3WcX1sTf6uKbE5rLhMa7dQg2oCiYvJn4w4="}}}
},
"IssueResults":{
"description":"The result for each issue.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/IssueResults"}}}
},
"Issue":{
"description":"The issue.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/WholeIssue"}}}
},
"Delivery":{
"description":"The delivery.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Delivery"},"example":{"id":"msg_3fGq9VxJ2LkPzR7cTn5YdW_17","message":"msg_3fGq9VxJ2LkPzR7cTn5YdW","token":"sbd_…Ha1Q","url":"https://example.com/…","state":"retrying","tries":1,"due_at":"2026-11-21T08:33:34.618Z","changed_at":"2026-11-21T08:33:29.500Z","attempts":[{"at":"2026-11-21T08:33:29.071Z","milliseconds":429,"status":503,"response":"Please come back later."}]}}}
},
"Function":{
"description":"The function.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Function"}}}
},
"Task":{
"description":"The task is stored; 200 if it was before.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["id"],"additionalProperties":false,"properties":{"id":{"type":"string"}}}}}
},
"Run":{
"description":"The run.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Run"}}}
},
"BadRequest":{
"description":"The request, its query or its body is malformed.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":400},"code":{"enum":["bad_request","invalid_json"]}}}}}
},
"Unauthorized":{
"description":"The key is missing or unknown, or the ID token is not valid.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"WWW-Authenticate":{"required":true,"schema":{"enum":["Bearer","Bearer error=\"invalid_token\""]}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":401},"code":{"enum":["unauthorized","token_expired","session_ended"]}}}}}
},
"Forbidden":{
"description":"The key's role or restrictions do not allow this request, or it comes from a web page that may not send it.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":403},"code":{"enum":["forbidden","cross_origin","permission_denied"]}}}}}
},
"NotFound":{
"description":"The object does not exist or belongs to another app.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":404},"code":{"const":"not_found"}}}}}
},
"Unregistered":{
"description":"The token is not registered, or none of the tokens is.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":404},"code":{"const":"unregistered"}}}}}
},
"MethodNotAllowed":{
"description":"The path does not support the method.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Allow":{"required":true,"description":"The supported methods.","schema":{"type":"string"}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":405},"code":{"const":"method_not_allowed"}}}}}
},
"SlowClient":{
"description":"The request did not arrive within the time limit; the connection is closed.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":408},"code":{"const":"slow_client"}}}}}
},
"Conflict":{
"description":"The request conflicts with the current state, such as a name in use.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":409},"code":{"const":"conflict"}}}}}
},
"TooLarge":{
"description":"The body is too large, compressed or decoded, or has too many events or users.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":413},"code":{"const":"too_large"}}}}}
},
"FileTooLarge":{
"description":"The file is larger than one may be, or no space is left for it.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":413},"code":{"enum":["too_large","quota_exceeded"]}}}}}
},
"FileInvalid":{
"description":"A header or the path is invalid, or the bytes do not have the checksum that was sent.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":422},"code":{"enum":["invalid","checksum_mismatch"]}}}}}
},
"URITooLong":{
"description":"The request line is too long.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":414},"code":{"const":"uri_too_long"}}}}}
},
"UnsupportedMediaType":{
"description":"The content type or encoding is not supported.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":415},"code":{"const":"unsupported_media_type"}}}}}
},
"Misdirected":{
"description":"The Host header does not name this machine, which is required of clients without the token.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":421},"code":{"const":"misdirected_request"}}}}}
},
"Invalid":{
"description":"A parameter or field is missing, unknown or out of range; `errors` names it.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":422},"code":{"const":"invalid"}}}}}
},
"Session":{
"description":"The session with its tokens. Keep the refresh token; it replaces the one that was sent.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"no-store"}}},
"content":{"application/json":{"schema":{"type":"object","required":["id_token","refresh_token","expires_at","is_new","user"],"additionalProperties":false,"properties":{"id_token":{"type":"string","description":"A JWT (RS256), valid for an hour."},"refresh_token":{"type":"string"},"expires_at":{"type":"string","format":"date-time","description":"The end of the ID token."},"is_new":{"type":"boolean","description":"Whether this request created the account."},"user":{"$ref":"#/components/schemas/UserAccount"}}}}}
},
"PendingSignIn":{
"description":"The sign-in waits for the code of a second factor.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"no-store"}}},
"content":{"application/json":{"schema":{"type":"object","required":["second_factor"],"additionalProperties":false,"properties":{"second_factor":{"type":"object","required":["pending","expires_at","factors"],"additionalProperties":false,"properties":{"pending":{"type":"string","description":"Sent to `/v1/auth/second-factor` with the code."},"expires_at":{"type":"string","format":"date-time"},"factors":{"type":"array","items":{"$ref":"#/components/schemas/SecondFactor"}}}}}}}}
},
"InvalidCode":{
"description":"The code is wrong, or a field is missing or invalid.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":422},"code":{"enum":["invalid_code","invalid"]}}}}}
},
"NotSignedIn":{
"description":"The key, the ID token, the refresh token or the credentials are not valid.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":401},"code":{"enum":["unauthorized","invalid_credentials","token_expired","session_ended","bad_identity_token"]}}}}}
},
"SignInForbidden":{
"description":"The key or its restrictions, the account, or the app do not allow this.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":403},"code":{"enum":["forbidden","cross_origin","account_disabled","method_off","recent_login_required"]}}}}}
},
"TooManyAttempts":{
"description":"Too many attempts from this address or for this account, or the daemon is overloaded.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":429},"code":{"enum":["too_many_attempts","rate_limited","overloaded"]}}}}}
},
"EmailExists":{
"description":"Another account has the address or the user ID.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":409},"code":{"enum":["email_exists","conflict"]}}}}}
},
"IdentityTaken":{
"description":"The user of the provider, or the address, belongs to an account that this request does not open.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":409},"code":{"enum":["identity_linked","account_exists","email_exists"]}}}}}
},
"InvalidAccount":{
"description":"A field is missing or invalid, the address is none, or the password is weak.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":422},"code":{"enum":["invalid","weak_password","invalid_email"]}}}}}
},
"InvalidMailCode":{
"description":"The code is wrong, used or expired, a field is missing or invalid, or the password is weak.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":422},"code":{"enum":["invalid","invalid_code","code_expired","weak_password"]}}}}}
},
"MailRequested":{
"description":"The request is durable; the mail follows.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}
},
"ActionPage":{
"description":"A page without scripts.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Cache-Control":{"required":true,"schema":{"const":"no-store"}},"Content-Security-Policy":{"required":true,"schema":{"type":"string"}},"Referrer-Policy":{"required":true,"schema":{"const":"no-referrer"}},"X-Content-Type-Options":{"required":true,"schema":{"const":"nosniff"}},"X-Frame-Options":{"required":true,"schema":{"const":"DENY"}}},
"content":{"text/html":{"schema":{"type":"string"}}}
},
"SentryTaken":{
"description":"All supported items are durable; contains the event's ID if it has one.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string"}}},"example":{"id":"7fd08401fdfb4f35babf279a338aec19"}}}
},
"SentryRefusal":{
"description":"An error in the format of Sentry's clients; a problem (RFC 9457) if it occurred before routing.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryProblem"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"SentryTooMany":{
"description":"The key's rate limit is exceeded, or nothing can be stored now; `X-Sentry-Rate-Limits` names the categories to pause and for how many seconds.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}},"X-Sentry-Rate-Limits":{"schema":{"type":"string","pattern":"^[0-9]+:[a-z;]*:[a-z]+$"}}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryProblem"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"SentryUnavailable":{
"description":"The daemon is shutting down, the disk is full, or storage failed.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryProblem"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"TooMany":{
"description":"The key's rate limit is exceeded, the write queue is full, or there are too many queries or connections at once.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":429},"code":{"enum":["rate_limited","limit_reached","overloaded"]}}}}}
},
"HeadersTooLarge":{
"description":"The request header is too large or has too many fields.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":431},"code":{"const":"headers_too_large"}}}}}
},
"InternalError":{
"description":"An internal error. Search the log for the request ID.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":500},"code":{"const":"internal_error"}}}}}
},
"NotImplemented":{
"description":"The transfer coding or method is not implemented.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":501},"code":{"const":"not_implemented"}}}}}
},
"Unavailable":{
"description":"The daemon is shutting down, the disk is full, or storage failed; nothing of the request was stored.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":503},"code":{"enum":["draining","storage_full","storage_failed"]}}}}}
},
"TooExpensive":{
"description":"The query examined more than its budget, or as `Unavailable`.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":503},"code":{"enum":["too_expensive","draining","storage_full","storage_failed"]}}}}}
},
"QueryInvalid":{
"description":"The request is malformed, or the query is one that Firestore refuses, too.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":400},"code":{"enum":["bad_request","invalid_json","query_invalid"]}}}}}
},
"DocumentConflict":{
"description":"A document exists that must not, or something that the commit depends on was changed; nothing was written.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":409},"code":{"enum":["conflict","exists"]}}}}}
},
"PreconditionFailed":{
"description":"The document or file is not in the state that the precondition names; nothing was written.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":412},"code":{"const":"precondition_failed"}}}}}
},
"ProviderUnavailable":{
"description":"The keys of the identity provider could not be fetched, or as `Unavailable`.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":503},"code":{"enum":["provider_unavailable","draining","storage_full","storage_failed"]}}}}}
},
"VersionNotSupported":{
"description":"Only HTTP/1.1 and HTTP/1.0 are supported.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":505},"code":{"const":"version_not_supported"}}}}}
}
}
}
}
"""#
}
