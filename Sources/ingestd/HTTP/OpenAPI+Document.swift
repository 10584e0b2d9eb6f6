// SPDX-License-Identifier: Apache-2.0

// Made of docs/openapi.yaml by ./scripts/openapi.
// swift-format-ignore-file

extension OpenAPI {
    static let text = #"""
{
"openapi":"3.1.0",
"info":{
"title":"Signalbox",
"version":"0.2.0",
"description":"Takes in analytics events and answers questions about them; keeps devices and topics, and sends messages to them.\n\n**Keys.** `Authorization: Bearer KEY`, or HTTP Basic with the key as user name. A key belongs to one app and has one role; `x-role` of an\noperation names the roles that may: `none` (no key), `any` (any valid key), `ingest`, `read`, `send`, `admin`, `metrics` or `operator`. An\n`admin` key may do what any role may. Operations tagged *operator* are reached only by the socket `control.sock` in the data folder, whose owner\nneeds no key; to everybody else they answer 404. By that socket every other operation is open, too, and takes `?app=` for the app it is about.\n\n**Answers** are JSON in UTF-8 and carry `X-Request-Id`. Refusals are problem details (RFC 9457) with a stable `code`. A write is answered with\n2xx only after it is on the disk. Where a `429` or `503` has `Retry-After`, it is worth sending the same request again.\nWhile the daemon shuts down, everything that needs a key answers 503, but for the doors of GA4 (429) and Sentry (no answer).\n\n**Requests** may be compressed: `Content-Encoding: gzip`, `deflate` (with or without zlib's frame), `br` or `zstd`, one at a time. A body may have\n5 MiB on the wire and 5 MiB when decoded (settings of the daemon). What brings events, users and crashes may have 512 levels of objects and arrays one\ninside the other, more are 400 `bad_request`; what is kept of a single value has 32, and a value with more is left out (`corrected`).\nOne object of a body may have 65,536 members, and a body 1,000,000 values and names; more are 413 `too_large`, and the message names the limit.\nAn event, a user or a crash with more than 1,000 members, or with more in its `params`, `properties` or `context`, is quarantined: `too_many_params`,\n`too_many_user_properties` or `too_many_entries`. An item of Sentry's may have 1,000 members and an object in it 8,192, more are 413. A crash report that is text may have 100,000 lines. Of one event 25 corrections are listed.\nA request whose decoding takes more steps than 10,000 and 64 for each value and name is 413 `too_large`; none of the SDKs' comes near that.\n`HEAD` is taken wherever `GET` is, `OPTIONS` everywhere.\nRoutes that ask refuse query parameters they do not know, so that a typing error shows.\n\n**Lists** are `{\"items\": […], \"next\"?: cursor}`; send `next` back as `after` for the page behind it.\n\n**Pages of other origins** may use the routes that are for ingest keys if the setting `server.cors_origins` names them; preflights are answered.\n"
},
"tags":[{"name":"ingest","description":"Taking data in."},{"name":"ask","description":"Questions about what was taken in."},{"name":"crashes","description":"What goes wrong in the app, and the symbols that make it readable."},{"name":"messages","description":"Devices, topics, and messages to them."},{"name":"doors","description":"For the SDKs of other products, in their words."},{"name":"app","description":"The app of a key, and its settings."},{"name":"operator","description":"For the operator of the machine, by the control socket only."},{"name":"running","description":"For probes, scrapers and tools."}],
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
"x-asked":{
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
"paths":{
"/healthz":{
"get":{
"operationId":"alive",
"summary":"Whether the process answers.",
"tags":["running"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"It does.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"const":"alive"}}}}}}}
}
},
"/readyz":{
"get":{
"operationId":"ready",
"summary":"Whether all is well for taking events in.",
"tags":["running"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"It is.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status","reasons"],"additionalProperties":false,"properties":{"status":{"const":"ready"},"reasons":{"type":"array","maxItems":0}}}}}},"503":{"description":"Something is wrong that does not pass by itself. Requests are refused only while the disk is full or the daemon shuts down.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["status","reasons"],"additionalProperties":false,"properties":{"status":{"const":"not ready"},"reasons":{"type":"array","minItems":1,"items":{"type":"string"}}}},"example":{"status":"not ready","reasons":["the disk is full"]}}}}}
}
},
"/metrics":{
"get":{
"operationId":"metrics",
"summary":"Everything counted and measured, for Prometheus.",
"description":"Open to this machine, by a connection that no proxy forwards and a `Host` that is `localhost`, a loopback address or listed in the setting\n`server.hosts`. Other clients send the token of the setting `metrics.token` where a key would stand; with it any `Host` will do.\n",
"tags":["running"],
"x-role":"metrics",
"security":[{},{"bearer":[]},{"basic":[]}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The text format of Prometheus.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/plain":{"schema":{"type":"string"}}}},"401":{"$ref":"#/components/responses/Unauthorized"},"421":{"$ref":"#/components/responses/Misdirected"},"503":{"$ref":"#/components/responses/Unavailable"}}
}
},
"/v1/openapi.json":{
"get":{
"operationId":"describe",
"summary":"This page.",
"tags":["running"],
"x-role":"none",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"An OpenAPI document.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["openapi","info","paths"],"properties":{"openapi":{"type":"string","pattern":"^3\\.1\\."}}}}}}}
}
},
"/v1/events":{
"post":{
"operationId":"sendEvents",
"summary":"Takes events in.",
"description":"An event that cannot be counted is *quarantined* with its reason and its bytes; one with a bad parameter is stored without that parameter\nand reported as *corrected*; one that was there before is a *duplicate*. None of them makes the request fail. Only what is wrong with the\nrequest as a whole is refused, and then nothing of it is stored: a document that is not JSON, a bad field around the events, too many\nevents, too fast.\n\n**Once.** An event id counts once per app, across requests, days and restarts, for at least 7 days of receipt. UUIDs compare by value and\nare returned in lower case. An empty id is none, and an event without one gets one here. The `transaction_id` of `purchase` and\n`in_app_purchase` counts once for as long as raw events are kept.\n\n**Time.** Where `sent_at` shows that the sender's clock is more than 150 seconds off, the rest of the error is taken out of the event times. A\ntime more than 23 hours ahead becomes the time of receipt (flag `clock`); one older than the app keeps data is quarantined as `too_old`; one\nlater than the app's `lateness_hours` is stored with the flag `late`.\n",
"tags":["ingest"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"$ref":"#/components/parameters/sent-at"},{"$ref":"#/components/parameters/installation-id"},{"$ref":"#/components/parameters/user-id"},{"$ref":"#/components/parameters/session-id"},{"$ref":"#/components/parameters/platform"},{"$ref":"#/components/parameters/app-version"},{"$ref":"#/components/parameters/build"},{"$ref":"#/components/parameters/os-version"},{"$ref":"#/components/parameters/device-model"},{"$ref":"#/components/parameters/locale"},{"$ref":"#/components/parameters/country"},{"$ref":"#/components/parameters/environment"}],
"requestBody":{"required":true,"description":"At most 2,000 events. `application/ndjson` and `application/jsonl` are taken like `application/x-ndjson`. A missing type, `text/plain` and\n`application/x-www-form-urlencoded` are taken for JSON, because a browser's beacon can name no other.\n","content":{"application/json":{"schema":{"$ref":"#/components/schemas/EventsBody"},"examples":{"envelope":{"value":{"sent_at":"2026-11-21T08:00:02Z","installation_id":"my-phone","context":{"platform":"ios","app_version":"2.1.0"},"events":[{"id":"0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d","name":"screen_view","timestamp":"2026-11-21T08:00:00Z","params":{"screen_name":"Home"}}]}},"array":{"value":[{"name":"level_up","installation_id":"my-phone","params":{"level":3}}]}}},"application/x-ndjson":{"x-item-schema":{"$ref":"#/components/schemas/Event"},"schema":{"type":"string","description":"One event a line. A line that is not JSON is quarantined as `invalid_json`."},"example":"{\"name\": \"level_up\", \"installation_id\": \"my-phone\"}\n{\"name\": \"level_up\", \"installation_id\": \"your-phone\"}\n"}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"}}
}
},
"/v1/debug/events":{
"post":{
"operationId":"checkEvents",
"summary":"Tells what would become of events, and stores nothing.",
"description":"Like `POST /v1/events`, as if these were the first events ever; repetitions within the request are found. No rate is taken from the key.",
"tags":["ingest"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"$ref":"#/components/parameters/sent-at"},{"$ref":"#/components/parameters/installation-id"},{"$ref":"#/components/parameters/user-id"},{"$ref":"#/components/parameters/session-id"},{"$ref":"#/components/parameters/platform"},{"$ref":"#/components/parameters/app-version"},{"$ref":"#/components/parameters/build"},{"$ref":"#/components/parameters/os-version"},{"$ref":"#/components/parameters/device-model"},{"$ref":"#/components/parameters/locale"},{"$ref":"#/components/parameters/country"},{"$ref":"#/components/parameters/environment"}],
"requestBody":{"required":true,"description":"At most 2,000 events. `application/ndjson` and `application/jsonl` are taken like `application/x-ndjson`. A missing type, `text/plain` and\n`application/x-www-form-urlencoded` are taken for JSON, because a browser's beacon can name no other.\n","content":{"application/json":{"schema":{"$ref":"#/components/schemas/EventsBody"},"examples":{"envelope":{"value":{"sent_at":"2026-11-21T08:00:02Z","installation_id":"my-phone","context":{"platform":"ios","app_version":"2.1.0"},"events":[{"id":"0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d","name":"screen_view","timestamp":"2026-11-21T08:00:00Z","params":{"screen_name":"Home"}}]}},"array":{"value":[{"name":"level_up","installation_id":"my-phone","params":{"level":3}}]}}},"application/x-ndjson":{"x-item-schema":{"$ref":"#/components/schemas/Event"},"schema":{"type":"string","description":"One event a line. A line that is not JSON is quarantined as `invalid_json`."},"example":"{\"name\": \"level_up\", \"installation_id\": \"my-phone\"}\n{\"name\": \"level_up\", \"installation_id\": \"your-phone\"}\n"}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"}}
}
},
"/v1/users":{
"post":{
"operationId":"setUserProperties",
"summary":"Sets properties of persons, and pairs installations with users.",
"description":"The property with the newest `timestamp` wins, in whatever order they arrive; null removes it. Properties belong to the user where one is\nnamed, else to the installation. Entries that say nothing usable are quarantined, bad properties left out, as with events.\n",
"tags":["ingest"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/UsersBody"},"example":{"users":[{"user_id":"alice","installation_id":"my-phone","alias":true,"properties":{"tier":"gold","trial":null}}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"}}
}
},
"/v1/users/{id}":{
"get":{
"operationId":"showPerson",
"summary":"What is known of a person, with a page of their events, crashes and messages, the newest first.",
"description":"A user's events and crashes are those with the user id, and of the installations that were seen with it those without any. An installation's\nare all of its own. Messages are those to devices: a user's to the ones that name the user, and to the ones that name nobody on the installations\nthat were seen with it, an installation's to all that name it; beyond 1,000 devices to the ones that were registered last. They come in the order\nin which they were received, messages by when they were sent; crashes are told by their `issue`, messages by their `message`. `first_seen` and `last_seen` are the beginnings of quarter-hours; the first stays when retention has dropped the events.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"Where the page before ended.","schema":{"type":"string","pattern":"^[0-9]+[.][0-9]+[.][0-9]+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The person.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/PersonPage"}],"type":"object","required":["items"],"unevaluatedProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"anyOf":[{"$ref":"#/components/schemas/StoredEvent"},{"$ref":"#/components/schemas/Crash"},{"$ref":"#/components/schemas/PersonMessage"}]}},"next":{"type":"string","pattern":"^[0-9]+[.][0-9]+[.][0-9]+$","description":"There may be more; send this back as `after`."}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"erasePerson",
"summary":"Removes everything that is kept of a person, and corrects every figure they were counted in.",
"description":"By user id: every event that carries it, and all events of the installations that never named another user, for what those did before the\nlogin was done by the same hands. An installation that others used as well stays, with their events and with those that name nobody. By\ninstallation: all of its events, whoever they name; the users stay.\n\nRemoved are events, purchases and refunds, crashes, quarantined events, properties, pairs and every id; what was deleted is overwritten in the\nfiles. What remains are the hashed keys that keep a repeated event or transaction from counting again, the counts of days whose events\nretention has dropped already, and older backups. Ingest goes on meanwhile: events of the person that are accepted after the erasure\nbegan may stay, unless `block` is set. If it is cut short, what is stored stays consistent: ask again and it is done to the end.\n",
"tags":["ask"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"},{"$ref":"#/components/parameters/dry-run"},{"name":"block","in":"query","description":"Also takes in nothing more of the person: their events are answered as quarantined with the code `blocked`, counted, and not kept. Only a\nhash of the id is remembered, so a line that is no JSON at all is quarantined as ever.\n","schema":{"type":"boolean","default":false}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What was removed, or with `dry_run` would be.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Departure"}],"type":"object","required":["blocked"],"unevaluatedProperties":false,"properties":{"blocked":{"type":"boolean"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/users/{id}/export":{
"get":{
"operationId":"exportPerson",
"summary":"Everything that is kept of a person as one JSON document, streamed.",
"description":"Also of somebody of whom nothing was taken in, but something is quarantined. Where the answer ends without its last chunk, it was cut off.\n",
"tags":["ask"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The person, with all their events and all that was quarantined of them, the newest first, the devices that are registered for\nmessages to them, without their secrets, the messages to those with what was tried for each, and their crashes, with the reports that\nare kept. What was quarantined is what erasure would remove, with a user also that of the installations which never named another.\n","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/PersonPage"}],"type":"object","required":["app","events","quarantined","registrations","deliveries","crashes"],"unevaluatedProperties":false,"properties":{"app":{"type":"integer","minimum":1},"events":{"type":"array","items":{"$ref":"#/components/schemas/StoredEvent"}},"quarantined":{"type":"array","items":{"$ref":"#/components/schemas/QuarantinedEvent"}},"registrations":{"type":"array","items":{"$ref":"#/components/schemas/Device"}},"deliveries":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/PersonMessageFields"}],"type":"object","required":["tries","attempts"],"unevaluatedProperties":false,"properties":{"data":{"type":"object","additionalProperties":{"type":"string"}},"tries":{"type":"integer","minimum":0,"description":"Attempts since it was made or redriven."},"attempts":{"$ref":"#/components/schemas/Attempts","description":"The last ten, with 200 bytes of each answer."}}}},"crashes":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/CrashFields"}],"type":"object","unevaluatedProperties":false,"properties":{"report":{"$ref":"#/components/schemas/CrashReport"}}}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/users/{id}/anonymise":{
"post":{
"operationId":"anonymisePerson",
"summary":"Takes a person's name off everything that is kept of them; no count changes.",
"description":"The user, the installations that never named another user, and their sessions get new keys to which nothing leads. Their ids, properties and\npairs go, so do quarantined events, and of their events the parameters of the app's setting `private_params`. Reports of crashes lose ids, logs,\ncustom keys, and what breadcrumbs say. An installation that others\nused as well keeps its id. The same person stays one person; whoever comes back with the old id is somebody new.\n",
"tags":["ask"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"},{"$ref":"#/components/parameters/dry-run"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Of how much the name was taken, or with `dry_run` would be; what was quarantined, the properties and pairs were removed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Departure"}],"type":"object","unevaluatedProperties":false}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/users/{id}/block":{
"delete":{
"operationId":"unblockPerson",
"summary":"Accepts data again from a person erased with `block`.",
"description":"With a user come the installations that were blocked with them.",
"tags":["ask"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/person"},{"$ref":"#/components/parameters/by"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"What comes of the person is taken in again.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/crashes":{
"post":{
"operationId":"sendCrashes",
"summary":"Takes crashes, errors and hangs in.",
"description":"Each report counts once per app by its id, across requests and restarts, for as long as the app keeps data. It is *fatal* where an exception was\nnot handled or its level is fatal, *anr* where the app did not answer, else *nonfatal*; `kind` says so outright. Its issue is found at once,\nfrom the names it brings; where symbols are still to come it is shown as it is, and again when they have. What is beyond a limit is cut, and the\nreport is answered as `corrected` and says in `cuts` what was; of one that is too large all the same, threads that did not crash, breadcrumbs\nand images are left out, in this order. One without a type or a time that can be read is quarantined.\n\nTimes are corrected by `sent_at` as those of events. A crash keeps its own time, however late it comes, as long as the app keeps data.\n",
"tags":["ingest"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"description":"At most 100 reports, and 5 MiB decoded. Of a report 1 MiB is kept.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashesBody"},"example":{"sent_at":"2026-11-21T08:00:02Z","installation_id":"my-phone","release":"shop@2.1.0+57","context":{"platform":"ios","app_version":"2.1.0","os_version":"18.1","device_model":"iPhone17,1"},"crashes":[{"id":"0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d","timestamp":"2026-11-21T08:00:00Z","type":"EXC_BAD_ACCESS","handled":false,"frames":[{"function":"main","module":"shop","in_app":true},{"function":"Cart.checkout()","module":"shop","in_app":true,"filename":"Cart.swift","lineno":41}]}]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What became of each of them, in the order of the request.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashOutcome"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/crashes/report":{
"post":{
"operationId":"sendAppleReport",
"summary":"Takes a report of Apple's in, an `.ips` or a text `.crash` as a device or Xcode hands them out.",
"description":"Its incident id is its id. Who had it and when is asked of the query, since the report does not know.",
"tags":["ingest"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"$ref":"#/components/parameters/installation-id"},{"$ref":"#/components/parameters/user-id"},{"$ref":"#/components/parameters/session-id"}],
"requestBody":{"required":true,"content":{"text/plain":{"schema":{"type":"string","maxLength":5242880}},"application/json":{"schema":{"type":"string","description":"An `.ips`: two documents of JSON, one after the other."}},"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What became of it.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashOutcome"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/mp/collect":{
"post":{
"operationId":"collectMeasurements",
"summary":"Takes events and user properties in as Google Analytics' Measurement Protocol has them for app streams.",
"description":"`api_secret` is an ingest key. Where the body says `validation_behavior` (or `validationBehavior`) `ENFORCE_RECOMMENDATIONS`, events that do\nnot follow Google's recommendations, or happened more than 72 hours ago, are quarantined; without it they are taken as they are.\nWhat is 503 elsewhere is 429 here.\n",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"api_secret","in":"query","description":"The key; it may also stand where it does everywhere.","schema":{"type":"string","maxLength":64}},{"name":"firebase_app_id","in":"query","description":"The app stream, such as 1:1234:ios:abcd.","schema":{"type":"string"}},{"name":"measurement_id","in":"query","description":"The web stream.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Measurement"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Outcome"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/debug/mp/collect":{
"post":{
"operationId":"validateMeasurements",
"summary":"Says of a request of the Measurement Protocol what Google's validation server would, and keeps nothing.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"api_secret","in":"query","description":"The key; it may also stand where it does everywhere.","schema":{"type":"string","maxLength":64}},{"name":"firebase_app_id","in":"query","description":"The app stream, such as 1:1234:ios:abcd.","schema":{"type":"string"}},{"name":"measurement_id","in":"query","description":"The web stream.","schema":{"type":"string"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Measurement"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/MeasurementMessages"},"403":{"$ref":"#/components/responses/MeasurementMessages"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/MeasurementMessages"}}
}
},
"/v1/batch":{
"post":{
"operationId":"segmentBatch",
"summary":"Takes calls of Segment's SDKs in, many at once.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/b":{
"post":{
"operationId":"segmentBatchOfApps",
"summary":"Takes calls of Segment's SDKs in, many at once.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/import":{
"post":{
"operationId":"segmentImport",
"summary":"Takes calls of Segment's SDKs in, many at once.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/track":{
"post":{
"operationId":"segmentTrack",
"summary":"Takes one call of Segment's in, an event.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/t":{
"post":{
"operationId":"segmentTrackShort",
"summary":"The same as /v1/track, as pages write it.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/identify":{
"post":{
"operationId":"segmentIdentify",
"summary":"Takes one call of Segment's in, who somebody is.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/i":{
"post":{
"operationId":"segmentIdentifyShort",
"summary":"The same as /v1/identify, as pages write it.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/page":{
"post":{
"operationId":"segmentPage",
"summary":"Takes one call of Segment's in, a page that was looked at.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/p":{
"post":{
"operationId":"segmentPageShort",
"summary":"The same as /v1/page, as pages write it.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/screen":{
"post":{
"operationId":"segmentScreen",
"summary":"Takes one call of Segment's in, a screen that was looked at.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/s":{
"post":{
"operationId":"segmentScreenShort",
"summary":"The same as /v1/screen, as pages write it.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/group":{
"post":{
"operationId":"segmentGroup",
"summary":"Takes one call of Segment's in, whom somebody belongs to.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/g":{
"post":{
"operationId":"segmentGroupShort",
"summary":"The same as /v1/group, as pages write it.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/alias":{
"post":{
"operationId":"segmentAlias",
"summary":"Takes one call of Segment's in, that two ids are one.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/v1/a":{
"post":{
"operationId":"segmentAliasShort",
"summary":"The same as /v1/alias, as pages write it.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SegmentCall"}}}},
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"$ref":"#/components/responses/SegmentDone"}}
}
},
"/batch":{
"post":{
"operationId":"postHogBatch",
"summary":"Takes in what PostHog's SDKs capture.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/batch/":{
"post":{
"operationId":"postHogBatchSlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/capture":{
"get":{
"operationId":"postHogGetCapture",
"summary":"Takes in what PostHog's pages put into the query.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, as it is or in base 64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogCapture",
"summary":"Takes in what PostHog's SDKs capture.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/capture/":{
"get":{
"operationId":"postHogGetCaptureSlash",
"summary":"Takes in what PostHog's pages put into the query.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, as it is or in base 64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogCaptureSlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/e":{
"get":{
"operationId":"postHogGetE",
"summary":"Takes in what PostHog's pages put into the query.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, as it is or in base 64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogE",
"summary":"Takes in what PostHog's SDKs capture.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/e/":{
"get":{
"operationId":"postHogGetESlash",
"summary":"Takes in what PostHog's pages put into the query.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, as it is or in base 64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogESlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/i/v0/e":{
"get":{
"operationId":"postHogGetIV0E",
"summary":"Takes in what PostHog's pages put into the query.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, as it is or in base 64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogIV0E",
"summary":"Takes in what PostHog's SDKs capture.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/i/v0/e/":{
"get":{
"operationId":"postHogGetIV0ESlash",
"summary":"Takes in what PostHog's pages put into the query.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"data","in":"query","description":"The JSON, as it is or in base 64.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
},
"post":{
"operationId":"postHogIV0ESlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/track":{
"post":{
"operationId":"postHogTrack",
"summary":"Takes in what PostHog's SDKs capture.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/track/":{
"post":{
"operationId":"postHogTrackSlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/engage":{
"post":{
"operationId":"postHogEngage",
"summary":"Takes in what PostHog's SDKs capture.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/engage/":{
"post":{
"operationId":"postHogEngageSlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogDone"}}
}
},
"/i/v1/analytics/events":{
"post":{
"operationId":"postHogCaptureWithResults",
"summary":"Takes in what PostHog's SDKs capture, and says what became of each event.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogResults"}}
}
},
"/flags":{
"post":{
"operationId":"postHogFlags",
"summary":"Says that there are no feature flags.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/flags/":{
"post":{
"operationId":"postHogFlagsSlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/decide":{
"post":{
"operationId":"postHogDecide",
"summary":"Says that there are no feature flags.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/decide/":{
"post":{
"operationId":"postHogDecideSlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/PostHogBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogFlags"}}
}
},
"/array/{token}/config":{
"get":{
"operationId":"postHogConfig",
"summary":"Says that nothing is switched on; the key stands in the path.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"path","required":true,"description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"$ref":"#/components/responses/PostHogConfiguration"}}
}
},
"/array/{token}/config.js":{
"get":{
"operationId":"postHogConfigScript",
"summary":"The same as a script, which pages load first.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"path","required":true,"description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"A script that leaves the configuration where the SDK looks for it.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/javascript":{"schema":{"type":"string"}}}}}
}
},
"/api/surveys":{
"get":{
"operationId":"postHogSurveys",
"summary":"Says that there are no surveys.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"None.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["surveys"],"additionalProperties":false,"properties":{"surveys":{"type":"array","maxItems":0}}}}}}}
}
},
"/api/surveys/":{
"get":{
"operationId":"postHogSurveysSlash",
"summary":"The same.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"query","description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/PostHogRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/PostHogRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/PostHogRefusal"},"429":{"$ref":"#/components/responses/PostHogRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/PostHogRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/PostHogRefusal"},"403":{"$ref":"#/components/responses/PostHogRefusal"},"503":{"$ref":"#/components/responses/PostHogRefusal"},"422":{"$ref":"#/components/responses/PostHogRefusal"},"200":{"description":"None.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["surveys"],"additionalProperties":false,"properties":{"surveys":{"type":"array","maxItems":0}}}}}}}
}
},
"/v1/projects/{token}/settings":{
"get":{
"operationId":"segmentSettings",
"summary":"Tells SDKs that ask where to send to send here; the key stands in the path.",
"tags":["doors"],
"x-role":"ingest",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"},{"name":"token","in":"path","required":true,"description":"The key.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/SegmentRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SegmentRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SegmentRefusal"},"429":{"$ref":"#/components/responses/SegmentRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SegmentRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SegmentRefusal"},"403":{"$ref":"#/components/responses/SegmentRefusal"},"503":{"$ref":"#/components/responses/SegmentRefusal"},"422":{"$ref":"#/components/responses/SegmentRefusal"},"200":{"description":"No destinations but this one.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["integrations"],"properties":{"integrations":{"type":"object","required":["Segment.io"],"properties":{"Segment.io":{"type":"object","required":["apiKey"],"additionalProperties":false,"properties":{"apiKey":{"type":"string"},"apiHost":{"type":"string"}}}}}}}}}}}
}
},
"/v1/projects/{app}/messages:send":{
"post":{
"operationId":"fcmSend",
"summary":"Sends a message as FCM's HTTP v1 API takes it.",
"description":"Names may be in snake or camel case. What is for one platform alone (`android`, `apns`, `webpush`, `fcm_options`) is handed on to receivers as\n`platform`, at most 12,288 bytes; time to live, priority, collapse key and label are taken from it. A token that reaches nobody is 404.\n",
"tags":["doors"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSend"}}}},
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"It is on the disk, or with `validate_only` it would be.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string","pattern":"^projects/.+/messages/.+$"}}}}}}}
}
},
"/v1/projects/{app}/registrations/{token}/topicSubscriptions":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"$ref":"#/components/parameters/token"}],
"post":{
"operationId":"fcmSubscribe",
"summary":"Takes a registration into a topic; 409 where it is in it.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"name":"topic_name","in":"query","required":true,"description":"Also `topicName`.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The subscription.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSubscription"}}}}}
},
"get":{
"operationId":"fcmSubscriptions",
"summary":"The topics of a registration, by name.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"name":"page_size","in":"query","description":"Also `pageSize`; 0 is 1,000, and more than 2,000 is 2,000.","schema":{"type":"integer","minimum":0,"maximum":2147483647}},{"name":"page_token","in":"query","description":"Also `pageToken`.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"A page of them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["topic_subscriptions"],"additionalProperties":false,"properties":{"topic_subscriptions":{"type":"array","items":{"$ref":"#/components/schemas/FirebaseSubscription"}},"next_page_token":{"type":"string"}}}}}}}
}
},
"/v1/projects/{app}/registrations/{token}/topicSubscriptions/{topic}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"$ref":"#/components/parameters/token"},{"name":"topic","in":"path","required":true,"description":"The topic; for POST followed by `:subscribe` or `:unsubscribe`.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"fcmSubscription",
"summary":"Since when a registration is in a topic.",
"tags":["doors"],
"x-role":"send",
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The subscription.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSubscription"}}}}}
},
"patch":{
"operationId":"fcmUpdateSubscription",
"summary":"Since when a registration is in a topic; with `allow_missing` it is taken into it first.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"name":"allow_missing","in":"query","description":"Also `allowMissing`; with `true` it need not be in it.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"The subscription.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FirebaseSubscription"}}}}}
},
"delete":{
"operationId":"fcmUnsubscribe",
"summary":"Takes a registration out of a topic.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"name":"allow_missing","in":"query","description":"Also `allowMissing`; with `true` it need not be in it.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"It is done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
},
"post":{
"operationId":"fcmChangeOwnTopic",
"summary":"What an app's own SDK does for its device. The key may stand in `X-Goog-Api-Key`.",
"tags":["doors"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/bundle-id"}],
"responses":{"400":{"$ref":"#/components/responses/GoogleRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/GoogleRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/GoogleRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/GoogleRefusal"},"403":{"$ref":"#/components/responses/GoogleRefusal"},"503":{"$ref":"#/components/responses/GoogleRefusal"},"404":{"$ref":"#/components/responses/GoogleRefusal"},"409":{"$ref":"#/components/responses/GoogleRefusal"},"200":{"description":"It is done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/iid/v1:batchAdd":{
"post":{
"operationId":"iidBatchAdd",
"summary":"Takes up to 1,000 registrations into a topic.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/InstanceIDBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"For each of the registrations, in order, an empty object or an error.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["results"],"additionalProperties":false,"properties":{"results":{"type":"array","maxItems":1000,"items":{"type":"object","additionalProperties":false,"properties":{"error":{"type":"string"}}}}}}}}}}
}
},
"/iid/v1:batchRemove":{
"post":{
"operationId":"iidBatchRemove",
"summary":"Takes up to 1,000 registrations out of a topic.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/InstanceIDBatch"}}}},
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"For each of the registrations, in order, an empty object or an error.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["results"],"additionalProperties":false,"properties":{"results":{"type":"array","maxItems":1000,"items":{"type":"object","additionalProperties":false,"properties":{"error":{"type":"string"}}}}}}}}}}
}
},
"/iid/v1/{token}/rel/topics/{topic}":{
"post":{
"operationId":"iidJoin",
"summary":"Takes a registration into a topic.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/token"},{"name":"topic","in":"path","required":true,"description":"The topic.","schema":{"type":"string","minLength":1}},{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"It is in it.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/iid/info/{token}":{
"get":{
"operationId":"iidInfo",
"summary":"What is known of a registration, with `details=true` also its topics.",
"tags":["doors"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/token"},{"name":"details","in":"query","description":"Whether its topics are told.","schema":{"type":"string"}},{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/InstanceIDRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/InstanceIDRefusal"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InstanceIDRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/InstanceIDRefusal"},"403":{"$ref":"#/components/responses/InstanceIDRefusal"},"503":{"$ref":"#/components/responses/InstanceIDRefusal"},"404":{"$ref":"#/components/responses/InstanceIDRefusal"},"200":{"description":"The registration.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["application","authorizedEntity","platform"],"additionalProperties":false,"properties":{"application":{"type":"string"},"authorizedEntity":{"type":"string"},"platform":{"type":"string"},"applicationVersion":{"type":"string"},"rel":{"type":"object","required":["topics"],"properties":{"topics":{"type":"object"}}}}}}}}}
}
},
"/token":{
"post":{
"operationId":"exchangeAssertion",
"summary":"Gives a service account an access token for what it has signed (RFC 7523).",
"description":"The assertion is a JSON Web Token, signed with RS256, with the account's `client_email` as `iss`, its `token_uri` as `aud`, and a life of at most an\nhour. The access token stands for the key wherever a key may stand, and ends after an hour or with the key.\n",
"tags":["doors"],
"x-role":"none",
"security":[],
"requestBody":{"required":true,"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","required":["grant_type","assertion"],"properties":{"grant_type":{"const":"urn:ietf:params:oauth:grant-type:jwt-bearer"},"assertion":{"type":"string","maxLength":16384}}}}}},
"responses":{"400":{"description":"The assertion is not taken, or the request cannot be read.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["error","error_description"],"additionalProperties":false,"properties":{"error":{"type":"string"},"error_description":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"200":{"description":"The token.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["access_token","expires_in","token_type"],"additionalProperties":false,"properties":{"access_token":{"type":"string","pattern":"^sb_at_[0-9a-z_]+$","maxLength":64},"expires_in":{"const":3600},"token_type":{"const":"Bearer"}}}}}}}
}
},
"/v1/quarantine":{
"get":{
"operationId":"listQuarantine",
"summary":"What was refused and why, the newest first.",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/reason"},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of quarantined events, and how many there were for each reason.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items","counts"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/QuarantinedEvent"}},"next":{"$ref":"#/components/schemas/Cursor"},"counts":{"type":"array","description":"By reason; those taken in by a replay have left.","items":{"type":"object","required":["code","kept","only_counted"],"additionalProperties":false,"properties":{"code":{"$ref":"#/components/schemas/Reason"},"kept":{"type":"integer","minimum":0},"only_counted":{"type":"integer","minimum":0,"description":"Past 100,000 rows or 256 MiB a day, events are counted and not kept."}}}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/quarantine/replay":{
"post":{
"operationId":"replayQuarantine",
"summary":"Runs quarantined events through the rules of today.",
"description":"Those that pass are stored and leave the quarantine; the others stay, as do entries of `POST /v1/users`, which are kept to be looked at. The newest come first. A page is tried at a time: ask again with\n`after` for as long as there is a `next`.\n",
"tags":["ask"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/reason"},{"name":"limit","in":"query","description":"How many are tried at most.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":1000}},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What became of them; `quarantined` is how many stayed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["accepted","duplicates","quarantined"],"additionalProperties":false,"properties":{"accepted":{"type":"integer","minimum":0},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/query/series":{
"get":{
"operationId":"querySeries",
"summary":"Event counts over time.",
"description":"Every bucket has its point, with 0 where nothing was; at most 11,000 buckets and 100,000 points are answered. `revenue` is money, net of\nrefunds, in a series for each currency. With `breakdown` there is a series for each of the largest values and one, `(other)`, for the rest\ntogether; events without the field are `(none)`.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/metric"},{"$ref":"#/components/parameters/event"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"$ref":"#/components/parameters/filter"},{"name":"breakdown","in":"query","description":"A series for each value of this field.","schema":{"$ref":"#/components/schemas/FieldPath"}},{"name":"limit","in":"query","description":"With a breakdown, how many values; the others are counted together.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The series.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SeriesAnswer"}}}}}
},
"post":{
"operationId":"askSeries",
"summary":"Event counts over time.",
"description":"Every bucket has its point, with 0 where nothing was; at most 11,000 buckets and 100,000 points are answered. `revenue` is money, net of\nrefunds, in a series for each currency. With `breakdown` there is a series for each of the largest values and one, `(other)`, for the rest\ntogether; events without the field are `(none)`.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The series.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SeriesAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SeriesQuestion"},"example":{"metric":"users","interval":"week","from":"-28d","filter":["context.platform=ios|android"],"breakdown":"context.platform"}}}}
}
},
"/v1/query/top":{
"get":{
"operationId":"queryTop",
"summary":"The most frequent values of a field.",
"description":"The range is cut to quarter-hours. After the largest values comes `(other)`, all others together, where there are more; events without the\nfield are `(none)`.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"field","in":"query","description":"Whose values are ranked.","schema":{"$ref":"#/components/schemas/FieldPath","default":"name"}},{"$ref":"#/components/parameters/metric"},{"$ref":"#/components/parameters/event"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/filter"},{"name":"limit","in":"query","description":"How many values; the others are counted together.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The values, largest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/TopAnswer"}}}}}
},
"post":{
"operationId":"askTop",
"summary":"The most frequent values of a field.",
"description":"The range is cut to quarter-hours. After the largest values comes `(other)`, all others together, where there are more; events without the\nfield are `(none)`.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The values, largest first.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/TopAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/TopQuestion"},"example":{"field":"context.app_version","metric":"users","from":"-7d"}}}}
}
},
"/v1/query/active-users":{
"get":{
"operationId":"queryActiveUsers",
"summary":"Daily, weekly and monthly active users, and stickiness.",
"description":"Of each day of the range, at most 400: `dau` are its people, `wau` those of the 7 days and `mau` those of the 30 days that end with it.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each day.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ActiveUsersAnswer"}}}}}
},
"post":{
"operationId":"askActiveUsers",
"summary":"Daily, weekly and monthly active users, and stickiness.",
"description":"Of each day of the range, at most 400: `dau` are its people, `wau` those of the 7 days and `mau` those of the 30 days that end with it.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each day.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ActiveUsersAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/ActiveUsersQuestion"},"example":{"from":"-30d","tz":"Europe/Berlin"}}}}
}
},
"/v1/query/retention":{
"get":{
"operationId":"queryRetention",
"summary":"Cohort retention: users who returned, by period.",
"description":"A cohort is who began in a period of the range, at most 400; cell 0 is that period itself. A cell whose period is not over has `complete: false`,\none whose period has not begun is missing.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"start","in":"query","description":"What begins, the name of an event, or `first_open` for the first time a person was there.","schema":{"$ref":"#/components/schemas/AskedEvent","default":"first_open"}},{"name":"return","in":"query","description":"What counts as coming back, the name of an event, or `any`.","schema":{"$ref":"#/components/schemas/AskedEvent","default":"any"}},{"name":"cohort","in":"query","description":"Whether a person belongs to the period of the first time alone, or to each period with a start.","schema":{"$ref":"#/components/schemas/CohortRule"}},{"$ref":"#/components/parameters/period"},{"name":"periods","in":"query","description":"How many periods are looked at, the first included.","schema":{"$ref":"#/components/schemas/PeriodCount"}},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"name":"filter","in":"query","description":"What must hold of the starting and the returning events; of first_open, an event of its period.","schema":{"$ref":"#/components/schemas/Filters"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A cohort for each period.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RetentionAnswer"}}}}}
},
"post":{
"operationId":"askRetention",
"summary":"Cohort retention: users who returned, by period.",
"description":"A cohort is who began in a period of the range, at most 400; cell 0 is that period itself. A cell whose period is not over has `complete: false`,\none whose period has not begun is missing.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A cohort for each period.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RetentionAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RetentionQuestion"},"example":{"interval":"week","periods":4,"from":"-28d"}}}}
}
},
"/v1/query/funnel":{
"get":{
"operationId":"queryFunnel",
"summary":"Funnel: conversion and time per step.",
"description":"The range is cut to quarter-hours, and all of a way lies in it. Of a person's ways the one that leads furthest counts, and of those the earliest.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"steps","in":"query","required":true,"description":"The steps. In a query a step is a text, and `steps` is given once for each.","schema":{"$ref":"#/components/schemas/StepTexts"}},{"name":"window","in":"query","description":"How long the whole way may take, at most 366d.","schema":{"$ref":"#/components/schemas/FunnelWindow"}},{"name":"order","in":"query","description":"Whether other events may lie between two steps.","schema":{"$ref":"#/components/schemas/FunnelOrder"}},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The steps in their order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunnelAnswer"}}}}}
},
"post":{
"operationId":"askFunnel",
"summary":"Funnel: conversion and time per step.",
"description":"The range is cut to quarter-hours, and all of a way lies in it. Of a person's ways the one that leads furthest counts, and of those the earliest.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The steps in their order.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunnelAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/FunnelQuestion"},"example":{"steps":[{"event":"screen_view","filter":"params.screen_name=Cart"},{"event":"purchase"}],"window":"2h","from":"-7d"}}}}
}
},
"/v1/query/revenue":{
"get":{
"operationId":"queryRevenue",
"summary":"Revenue and refunds by currency, in total and per user.",
"description":"Money is exact decimal text, and currencies are never added together.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"$ref":"#/components/parameters/filter"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"Every currency that was used.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RevenueAnswer"}}}}}
},
"post":{
"operationId":"askRevenue",
"summary":"Revenue and refunds by currency, in total and per user.",
"description":"Money is exact decimal text, and currencies are never added together.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"Every currency that was used.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RevenueAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RevenueQuestion"},"example":{"interval":"month","from":"-90d"}}}}
}
},
"/v1/query/sessions":{
"get":{
"operationId":"querySessions",
"summary":"Session count, length and engagement.",
"description":"Events with the same `session_id`, else those less than the app's `session_timeout_seconds` apart. A session belongs to the bucket it begins in.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"name":"filter","in":"query","description":"Only sessions with an event of which this holds.","schema":{"$ref":"#/components/schemas/Filters"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SessionsAnswer"}}}}}
},
"post":{
"operationId":"askSessions",
"summary":"Session count, length and engagement.",
"description":"Events with the same `session_id`, else those less than the app's `session_timeout_seconds` apart. A session belongs to the bucket it begins in.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SessionsAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SessionsQuestion"},"example":{"interval":"day","from":"-7d"}}}}
}
},
"/v1/query/lifecycle":{
"get":{
"operationId":"queryLifecycle",
"summary":"New, returning, resurrecting and dormant users.",
"description":"Of each bucket of the range, at most 400.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/period"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/LifecycleAnswer"}}}}}
},
"post":{
"operationId":"askLifecycle",
"summary":"New, returning, resurrecting and dormant users.",
"description":"Of each bucket of the range, at most 400.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/LifecycleAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/LifecycleQuestion"},"example":{"interval":"week","from":"-28d"}}}}
}
},
"/v1/query/realtime":{
"get":{
"operationId":"queryRealtime",
"summary":"The last thirty minutes by minute.",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"limit","in":"query","description":"How many events and screens are named.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The minute under way is the last point.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RealtimeAnswer"}}}}}
},
"post":{
"operationId":"askRealtime",
"summary":"The last thirty minutes by minute.",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"The minute under way is the last point.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RealtimeAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/RealtimeQuestion"},"example":{"limit":5}}}}
}
},
"/v1/query/crash-free":{
"get":{
"operationId":"queryCrashFree",
"summary":"Crash-free sessions and users by release, and the adoption of each release.",
"description":"Sessions are those of `/v1/query/sessions`. A fatal crash belongs to the session it names, else to the one it falls into; one that falls into\nnone is a session of its own, so that more can never have crashed than there were. Errors that the app survived and hangs do not count.\nA session's release is the `app_version` of its first event.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/from"},{"$ref":"#/components/parameters/to"},{"$ref":"#/components/parameters/tz"},{"$ref":"#/components/parameters/interval"},{"name":"filter","in":"query","description":"Only sessions with an event of which this holds.","schema":{"$ref":"#/components/schemas/Filters"}},{"name":"limit","in":"query","description":"How many releases, those with the most sessions first.","schema":{"$ref":"#/components/schemas/TopLimit"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket, and the same for each release.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashFreeAnswer"}}}}}
},
"post":{
"operationId":"askCrashFree",
"summary":"Crash-free sessions and users by release, and the adoption of each release.",
"description":"Sessions are those of `/v1/query/sessions`. A fatal crash belongs to the session it names, else to the one it falls into; one that falls into\nnone is a session of its own, so that more can never have crashed than there were. Errors that the app survived and hangs do not count.\nA session's release is the `app_version` of its first event.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"422":{"$ref":"#/components/responses/Invalid"},"200":{"description":"A point for each bucket, and the same for each release.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashFreeAnswer"}}}}},
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/CrashFreeQuestion"},"example":{"interval":"day","from":"-7d"}}}}
}
},
"/v1/export":{
"get":{
"operationId":"exportEvents",
"summary":"Raw events in the order they were committed, streamed.",
"description":"To go on where an export was cut off, send the `seq` of the last whole line as `after`. Where the answer ends without its last chunk,\nit was cut off. In CSV, a text that a spreadsheet would take for a formula has an apostrophe before it.\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"format","in":"query","schema":{"enum":["ndjson","csv"],"default":"ndjson"}},{"name":"from","in":"query","description":"Only events that happened then or later.","schema":{"$ref":"#/components/schemas/Moment"}},{"name":"to","in":"query","description":"Only events that happened before.","schema":{"$ref":"#/components/schemas/Moment"}},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The events.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/x-ndjson":{"x-item-schema":{"$ref":"#/components/schemas/StoredEvent"},"schema":{"type":"string"}},"text/csv":{"schema":{"type":"string","description":"Lines end with CRLF; the first names the columns: seq, id, name, timestamp, received_at, user_id, installation_id, session_id,\nplatform, app_version, build, os_version, device_model, locale, country, environment, params (as JSON).\n"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/tail":{
"get":{
"operationId":"tailRecords",
"summary":"What comes in, while it comes in, as server-sent events.",
"description":"Begins with the next commit, or behind a number: what was stored since is read first, then it goes on live, without a gap and without\ntelling anything twice. A client that reconnects sends the last `id` it got as `Last-Event-ID`; that counts more than `after`.\n\nOf crashes it tells while it is open, `event: crash` with `id`, `issue`, `kind`, `title`, `culprit`, `timestamp`, `release`, `user_id` and\n`installation_id`, as far as they are known. They have no `id` of the stream: coming back goes by the numbers of events, and what crashed\nmeanwhile is found among the issues. 100 wait for a client that is slow; of more it is told `event: gap` with `{\"missed_crashes\": N}`.\n\nMessages: `event: event` with one line of an export as data; `event: quarantine` with `seq`, `received_at`, `id`, `reason`, `field` and\n`message` of what was refused; both with their `seq` as `id`. `event: gap` with `{\"missed\": N, \"after\": SEQ}` where the client was too\nslow: so many records of the app were passed over without a look at the filters, up to that number; it has no `id`, so that coming\nback with the last one brings them. Some 2,000 records a second are told for long, and a rush of 20,000 at once; who wants all\nof more takes an export. A comment comes every 15 s where nothing else does. The stream ends when the daemon shuts down, and once its\nkey was revoked, instead of what it would tell next.\n\nWhat is asked of an event leaves out what was refused, and crashes; with `kind=crashes`, `user` and `installation` are asked of those. At most 64 streams are open at once, 16 with one key (settings of the daemon).\n",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"kind","in":"query","description":"All of them where it is missing.","schema":{"enum":["events","quarantine","crashes"]}},{"name":"event","in":"query","description":"Only events of this name, or of one of these; at most 20.","schema":{"type":"array","maxItems":20,"items":{"type":"string"}},"style":"form","explode":true},{"name":"user","in":"query","description":"Only events, or crashes, that name this user.","schema":{"type":"string"}},{"name":"installation","in":"query","description":"Only events, or crashes, that name this installation.","schema":{"type":"string"}},{"name":"filter","in":"query","description":"What must hold of an event, as of a question; of persons (`user.…`) nothing can be asked.","schema":{"type":"array","maxItems":20,"items":{"type":"string"}},"style":"form","explode":true},{"name":"after","in":"query","description":"Begins behind this number.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}},{"name":"Last-Event-ID","in":"header","description":"The last `id` of a stream that broke off.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The stream.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/event-stream":{"schema":{"type":"string"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/query/sql":{
"post":{
"operationId":"querySQL",
"summary":"One SELECT over the app's own rows.",
"description":"Only where the daemon's setting `sql.enabled` is true; else 404. The statement sees two tables, `events` and `users`, of this app alone\n(columns in docs/queries.md), and `json_each` and `json_tree`. It can neither write nor open anything. It is given up after\n`sql.timeout` (10 s) or when it needs more than 128 MiB, and one is answered at a time. Its errors come in SQLite's words.\n",
"tags":["ask"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["sql"],"additionalProperties":false,"properties":{"sql":{"type":"string","description":"One statement in SQLite's SQL, at most 64 KiB."},"params":{"type":"array","maxItems":100,"items":{"type":["string","number","boolean","null"]},"description":"Values for `?1`, `?2` …"},"from":{"$ref":"#/components/schemas/Moment","description":"Events that happened then or later are there; seven days ago where it is missing."},"to":{"$ref":"#/components/schemas/Moment","description":"And only those before; at most 31 days after `from`. Now where it is missing."},"limit":{"type":"integer","minimum":1,"maximum":10000,"default":10000}}},"example":{"sql":"SELECT name, count(*) FROM events GROUP BY name ORDER BY 2 DESC","from":"-1d"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The rows, cut after `limit` or 8 MiB.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["columns","rows","truncated"],"additionalProperties":false,"properties":{"columns":{"type":"array","items":{"type":"string"}},"rows":{"type":"array","description":"Blobs come as hexadecimal digits, infinite numbers as null.","items":{"type":"array","items":{"type":["string","number","null"]}}},"truncated":{"type":"boolean","description":"There would have been more."}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/system":{
"get":{
"operationId":"systemStatus",
"summary":"How the daemon is doing.",
"description":"Of the daemon as a whole, not of one app. Counts are since the start.",
"tags":["ask"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Counts, sizes and times.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/System"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/app":{
"get":{
"operationId":"ownApp",
"summary":"The app of this key, and the key's role.",
"tags":["app"],
"x-role":"any",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The app.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/App"}],"required":["role"],"properties":{"role":{"enum":["ingest","read","send","admin","operator"]}},"unevaluatedProperties":false}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"changeOwnApp",
"summary":"Changes settings of this key's app, all that are named or none.",
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
"summary":"What goes wrong in the app, each thing once.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"state","in":"query","description":"Only those in this state.","schema":{"$ref":"#/components/schemas/IssueState"}},{"name":"kind","in":"query","description":"Only those of this kind.","schema":{"$ref":"#/components/schemas/CrashKind"}},{"name":"release","in":"query","description":"Only those that were met in this release.","schema":{"type":"string","maxLength":200}},{"name":"text","in":"query","description":"Only those with this in their title or culprit.","schema":{"type":"string","maxLength":200}},{"name":"sort","in":"query","description":"Which come first: the newest, the most frequent, or those that met most people.","schema":{"enum":["last_seen","count","users"],"default":"last_seen"}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"Where the page before ended.","schema":{"type":"string","maxLength":200}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Issue"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"get":{
"operationId":"showIssue",
"summary":"An issue, with its days, its devices, its variants and its history.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Issue"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"patch":{
"operationId":"changeIssue",
"summary":"Closes, mutes or opens an issue.",
"description":"A closed issue opens again, as *regressed*, when it is met in a release that is not older than the one it was closed in; older releases that still crash\nleave it closed. A muted one is counted and not told of, until a time or until so many further crashes come within a time.\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["state"],"additionalProperties":false,"properties":{"state":{"$ref":"#/components/schemas/IssueState"},"release":{"type":"string","minLength":1,"maxLength":200,"description":"The release that mends it, with `closed`; without it, whichever is newer than those it was met in."},"until":{"type":"string","description":"With `muted`: a time, or one relative to now such as `+7d`."},"until_count":{"type":"integer","minimum":1,"maximum":1000000000,"description":"With `muted`: so many further crashes."},"within":{"type":"integer","minimum":60,"maximum":31622400,"default":86400,"description":"Beside `until_count`: in so many seconds."}}},"example":{"state":"closed","release":"2.1.1"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Issue"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/events":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"get":{
"operationId":"listIssueEvents",
"summary":"The crashes of an issue, the newest first.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"variant","in":"query","description":"Only those of this variant.","schema":{"type":"string","maxLength":64}},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"Where the page before ended.","schema":{"type":"string","maxLength":200}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/Crash"}],"unevaluatedProperties":false}},"next":{"type":"string"}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/events/{event}":{
"parameters":[{"$ref":"#/components/parameters/issue-id"},{"name":"event","in":"path","required":true,"description":"The id of a crash, or `latest` for the newest whose report is kept.","schema":{"type":"string","minLength":1,"maxLength":64}}],
"get":{
"operationId":"showCrash",
"summary":"A crash with its report, and what its session did before.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The crash.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/CrashFields"}],"type":"object","unevaluatedProperties":false,"properties":{"report":{"$ref":"#/components/schemas/CrashReport"},"before":{"type":"array","maxItems":100,"description":"Events and screen views of its session, or of its person in the half hour before, oldest first. Missing where they could not be read in time.","items":{"$ref":"#/components/schemas/StoredEvent"}}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/issues/{id}/merge":{
"parameters":[{"$ref":"#/components/parameters/issue-id"}],
"post":{
"operationId":"mergeIssues",
"summary":"Makes other issues part of this one, with all their crashes.",
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
"summary":"Takes a variant out of an issue, into one of its own.",
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
"summary":"Writes something down about an issue.",
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
"summary":"The symbol files an app has, by debug id.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"Where the page before ended.","schema":{"type":"string","maxLength":48}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/SymbolFile"}},"next":{"type":"string"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/symbols/missing":{
"get":{
"operationId":"listMissingSymbols",
"summary":"Symbols that crashes wait for, those that most wait for first.",
"tags":["crashes"],
"x-role":"read",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"Where the page before ended.","schema":{"type":"string","maxLength":200,"pattern":"^[0-9]+[.].+$"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"Those of the app's own binaries; the system's cannot be had and are not waited for.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"next":{"type":"string"},"items":{"type":"array","maxItems":1000,"items":{"type":"object","required":["debug_id","crashes","first_seen","last_seen"],"additionalProperties":false,"properties":{"debug_id":{"$ref":"#/components/schemas/DebugID"},"name":{"type":"string"},"architecture":{"type":"string"},"crashes":{"type":"integer","minimum":1,"description":"How many wait for it."},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"}}}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/symbols/{debug_id}":{
"parameters":[{"name":"debug_id","in":"path","required":true,"description":"The id of the build, as `dwarfdump --uuid`, `readelf -n` or the `MODULE` line of a Breakpad file tell it.","schema":{"$ref":"#/components/schemas/DebugID"}}],
"put":{
"operationId":"putSymbols",
"summary":"Brings the symbols of a build; crashes that wait for them are read again.",
"description":"A Mach-O dSYM, thin or fat, an ELF file with DWARF, or Breakpad's text. The file must hold the id it is put under. Twice the same is as good as once.\nAt most `crashes.symbol_file` (1 GiB) as it is: with a content coding it is refused (415).\n",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"It was there already.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","minItems":1,"maxItems":16,"description":"One for each build in it: a fat file has several.","items":{"$ref":"#/components/schemas/SymbolFile"}}}}}}},"201":{"description":"It is kept.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","minItems":1,"maxItems":16,"description":"One for each build in it: a fat file has several.","items":{"$ref":"#/components/schemas/SymbolFile"}}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"deleteSymbols",
"summary":"Forgets the symbols of a build. What was made readable with them stays so.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/api/{app}/envelope/":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, where neither `X-Sentry-Auth` nor `Authorization` has it.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEnvelope",
"summary":"Takes an envelope of a Sentry SDK.",
"description":"Any Content-Type is taken for an envelope. `event` items become crash reports, `session` items the events `session_start` and, when they have\nended, `session_end` or `session_crash`; `sessions` and `client_report` are counted; all other items are skipped and counted by type in\n`signalbox_sentry_items_total`. An event may have 1 MiB. While the daemon shuts down the connection ends without an answer.\n",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/x-sentry-envelope":{"schema":{"type":"string","format":"binary"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/{app}/store/":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, where neither `X-Sentry-Auth` nor `Authorization` has it.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEvent",
"summary":"Takes a single event of a Sentry SDK.",
"description":"As older SDKs send it: JSON, or JSON packed by zlib and that in base 64.\n",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/0/organizations/{org}/chunk-upload/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"sentryUploadSettings",
"summary":"Tells `sentry-cli` how large the pieces of symbol files may be.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"How to send them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryUploadSettings"}}}}}
},
"post":{
"operationId":"sendSentryPieces",
"summary":"Takes pieces of symbol files, each under the SHA-1 of its uncompressed bytes.",
"description":"A piece is kept for an hour, and all of them together may have as many bytes as `crashes.symbol_file`.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","additionalProperties":true}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"They are there.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/api/0/projects/{org}/{app}/files/difs/assemble/":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}},{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"assembleSentryFiles",
"summary":"Puts symbol files together from their pieces and keeps them, as `PUT /v1/symbols/{debug_id}` does.",
"description":"A file without anything to read in it, such as a stripped binary beside its symbols, is answered as `ok` and not kept.",
"tags":["crashes"],
"x-role":"admin",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","maxProperties":1000,"description":"By the SHA-1 of the whole file.","additionalProperties":{"type":"object","required":["chunks"],"properties":{"name":{"type":"string"},"debug_id":{"type":"string"},"chunks":{"type":"array","minItems":1,"maxItems":16384,"items":{"type":"string","pattern":"^[0-9a-f]{40}$"}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"How far each file is.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/SentryFileState"}}}}}}
}
},
"/api/{app}/envelope":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, where neither `X-Sentry-Auth` nor `Authorization` has it.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEnvelopePlain",
"summary":"Takes an envelope of a Sentry SDK.",
"description":"Any Content-Type is taken for an envelope. `event` items become crash reports, `session` items the events `session_start` and, when they have\nended, `session_end` or `session_crash`; `sessions` and `client_report` are counted; all other items are skipped and counted by type in\n`signalbox_sentry_items_total`. An event may have 1 MiB. While the daemon shuts down the connection ends without an answer.\n",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/x-sentry-envelope":{"schema":{"type":"string","format":"binary"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/{app}/store":{
"parameters":[{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}},{"name":"sentry_key","in":"query","description":"The key, where neither `X-Sentry-Auth` nor `Authorization` has it.","schema":{"type":"string"}}],
"post":{
"operationId":"sendSentryEventPlain",
"summary":"Takes a single event of a Sentry SDK.",
"description":"As older SDKs send it: JSON, or JSON packed by zlib and that in base 64.\n",
"tags":["ingest"],
"x-role":"ingest",
"security":[{"sentry":[]},{"bearer":[]},{"basic":[]}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}},"*/*":{"schema":{"type":"string","format":"binary"}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"403":{"$ref":"#/components/responses/SentryRefusal"},"200":{"$ref":"#/components/responses/SentryTaken"}}
}
},
"/api/0/organizations/{org}/chunk-upload":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}}],
"get":{
"operationId":"sentryUploadSettingsPlain",
"summary":"Tells `sentry-cli` how large the pieces of symbol files may be.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"How to send them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryUploadSettings"}}}}}
},
"post":{
"operationId":"sendSentryPiecesPlain",
"summary":"Takes pieces of symbol files, each under the SHA-1 of its uncompressed bytes.",
"description":"A piece is kept for an hour, and all of them together may have as many bytes as `crashes.symbol_file`.",
"tags":["crashes"],
"x-role":"admin",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","additionalProperties":true}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"They are there.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":false}}}}}
}
},
"/api/0/projects/{org}/{app}/files/difs/assemble":{
"parameters":[{"name":"org","in":"path","required":true,"description":"Any text.","schema":{"type":"string","minLength":1}},{"name":"app","in":"path","required":true,"description":"The number or the name of the key's app.","schema":{"type":"string","minLength":1}}],
"post":{
"operationId":"assembleSentryFilesPlain",
"summary":"Puts symbol files together from their pieces and keeps them, as `PUT /v1/symbols/{debug_id}` does.",
"description":"A file without anything to read in it, such as a stripped binary beside its symbols, is answered as `ok` and not kept.",
"tags":["crashes"],
"x-role":"admin",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","maxProperties":1000,"description":"By the SHA-1 of the whole file.","additionalProperties":{"type":"object","required":["chunks"],"properties":{"name":{"type":"string"},"debug_id":{"type":"string"},"chunks":{"type":"array","minItems":1,"maxItems":16384,"items":{"type":"string","pattern":"^[0-9a-f]{40}$"}}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/SentryRefusal"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/SentryRefusal"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/SentryRefusal"},"429":{"$ref":"#/components/responses/SentryTooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/SentryRefusal"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/SentryRefusal"},"403":{"$ref":"#/components/responses/SentryRefusal"},"422":{"$ref":"#/components/responses/SentryRefusal"},"503":{"$ref":"#/components/responses/SentryUnavailable"},"200":{"description":"How far each file is.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/SentryFileState"}}}}}}
}
},
"/v1/devices":{
"post":{
"operationId":"registerDevice",
"summary":"Registers a device, or renews what is known of it.",
"description":"The same `token`, or the same installation and endpoint, renews: fields that are given replace those that were known, the token stays, and\nits age begins anew. Apps do so at every start; a device that nobody has heard of for 30 days counts as stale, and after 270 it is gone\n(settings of the daemon).\n\nWhoever has the token may do what the device may. Messages are kept for a `stream` until it is read; to a `webhook` they are posted, signed\nafter Standard Webhooks with `secret`. With an ingest key, webhooks are refused with 403 unless the app's setting `client_webhooks`\nallows them, and their endpoints have to prove that they want messages: `state` is `pending` until they did, and what is sent meanwhile waits.\n",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/bundle-id"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/NewDevice"},"examples":{"stream":{"value":{"installation_id":"my-phone","platform":"ios","app_version":"2.1.0","endpoint":{"type":"stream"}}},"webhook":{"value":{"platform":"server","endpoint":{"type":"webhook","url":"https://example.com/hook"}}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"It is known, and renewed.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Registered"},"example":{"token":"sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","state":"active"}}}},"201":{"description":"It is new.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Registered"},"example":{"token":"sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","secret":"whsec_Nj0VZ8yPq3WcX1sTf6uKbE5rLhMa7dQg2oCiYvJn4w4=","state":"active"}}},"links":{"subscribe":{"operationId":"changeTopicsOfDevice","parameters":{"token":"$response.body#/token"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"get":{
"operationId":"listDevices",
"summary":"An app's devices, in the order in which they were registered.",
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
"summary":"A device, with its topics.",
"tags":["messages"],
"x-role":"ingest, read, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The device.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Device"}],"type":"object","required":["topics"],"unevaluatedProperties":false,"properties":{"topics":{"type":"array","description":"By name.","items":{"type":"string"}}}}}}},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"put":{
"operationId":"changeDevice",
"summary":"Changes what is given of a device; what is not given stays. An empty object says that the device is still there.",
"description":"What waits for an endpoint goes to the new one where that changes. A `token` must be the path's: a new one is registered. `secret` is answered where a stream became a webhook.\n",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/DeviceChange"},"example":{"user_id":"alice","app_version":"2.2.0"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The device as it is now.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Device"}],"type":"object","unevaluatedProperties":false,"properties":{"secret":{"$ref":"#/components/schemas/WebhookSecret"}}}}}},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"removeDevice",
"summary":"Removes a device from everything; what waits for it is not sent.",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/devices/{token}/rotate-secret":{
"parameters":[{"$ref":"#/components/parameters/token"}],
"post":{
"operationId":"rotateSecret",
"summary":"Gives a webhook a new secret; for a day (a setting of the daemon) the old one signs beside it.",
"description":"One that is replaced again before its day is over lets those before it sign to the end of their own days, the last four of them: an answer may be\nlost and the secret asked for again.\n\nWith an ingest key it is refused with 403 unless the app's setting `client_webhooks` allows webhooks. A stream has no secret and answers 409.\n",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/WebhookSecret"},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/devices/{token}/topics":{
"parameters":[{"$ref":"#/components/parameters/token"}],
"post":{
"operationId":"changeTopicsOfDevice",
"summary":"Takes a device into topics and out of others, all or none of them.",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","minProperties":1,"additionalProperties":false,"properties":{"subscribe":{"type":"array","maxItems":2000,"items":{"$ref":"#/components/schemas/TopicName"}},"unsubscribe":{"type":"array","maxItems":2000,"items":{"$ref":"#/components/schemas/TopicName"}}}},"example":{"subscribe":["news","weather.berlin"],"unsubscribe":["sport"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"How many of them it was not in before, and how many it was in.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["subscribed","unsubscribed"],"additionalProperties":false,"properties":{"subscribed":{"type":"integer","minimum":0},"unsubscribed":{"type":"integer","minimum":0}}},"example":{"subscribed":2,"unsubscribed":1}}}},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/app/webhook-secret":{
"post":{
"operationId":"rotateAppSecret",
"summary":"Makes a secret that signs for all of an app's webhooks, or replaces it.",
"description":"It signs for the webhooks that are registered from now on without a secret or scheme of their own. One that is replaced signs for\na day (a setting of the daemon) beside the new one, as do the last three that were replaced before it, each to the end of its own day.\n",
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
"summary":"What was sent to a registration without a webhook, as server-sent events or all at once.",
"description":"Without `poll`, server-sent events: what waits comes first, then what is sent, when it is sent. `event: message` has the receiver's body\nas data and a cursor as `id`. With `poll=1`, a line of JSON for each message that waits, with `cursor` beside the fields of the body; such an\nanswer ends behind 4 MiB, and the next has what else waits.\n\n`since`, or `Last-Event-ID`, says that all up to that cursor is read; so does `POST /v1/stream/ack`. What is not acknowledged comes again\nwith the next reading, so a message may come twice. At most 100 wait (a setting); beyond it the oldest expire, and the next reading begins\nwith `event: gap` and `{\"missed\": N}`, or with the line `{\"cursor\": \"C\", \"type\": \"gap\", \"missed\": N}`, until that cursor or a later one is acknowledged. A comment comes every 45 s where nothing else does.\nA registration's stream can be open four times at once; a fifth ends the first.\n",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"token","in":"query","required":true,"description":"The registration's token.","schema":{"$ref":"#/components/schemas/Token"}},{"name":"poll","in":"query","description":"`1` answers with what waits and ends.","schema":{"enum":["0","1"]}},{"name":"since","in":"query","description":"The last cursor that was read.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}},{"name":"Last-Event-ID","in":"header","description":"The same, as browsers send it when they reconnect.","schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What waits, and what comes.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"text/event-stream":{"schema":{"type":"string"}},"application/x-ndjson":{"schema":{"type":"string"}}}},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/stream/ack":{
"post":{
"operationId":"acknowledgeStream",
"summary":"Says that all up to a cursor is read.",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["token","cursor"],"additionalProperties":false,"properties":{"token":{"$ref":"#/components/schemas/Token"},"cursor":{"type":"string","pattern":"^[0-9]{1,18}$"}}},"example":{"token":"sbd_3kPzYb0Qx1mS9Lw7Nf4Td2VhRc6JgA8e","cursor":"4711"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"They will not come again."},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics":{
"get":{
"operationId":"listTopics",
"summary":"Topics that somebody subscribes to, by name.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"name":"after","in":"query","description":"Where the page before ended.","schema":{"type":"string"}}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Topic"}},"next":{"type":"string","description":"There are more; send this back as `after`."}}},"example":{"items":[{"topic":"news","subscribers":1204,"created_at":"2026-11-21T08:33:29.071Z"}]}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}":{
"parameters":[{"$ref":"#/components/parameters/topic"}],
"get":{
"operationId":"showTopic",
"summary":"A topic, and how many subscribe to it.",
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
"summary":"The devices in a topic, in the order in which they were registered.",
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
"summary":"Takes a device into a topic; one that is in it stays.",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"unsubscribeDevice",
"summary":"Takes a device out of a topic; one that is not in it may be asked to leave as well.",
"tags":["messages"],
"x-role":"ingest, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"$ref":"#/components/responses/Done"},"404":{"$ref":"#/components/responses/Unregistered"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}/subscribe":{
"parameters":[{"$ref":"#/components/parameters/topic"}],
"post":{
"operationId":"subscribeMany",
"summary":"Takes up to 1,000 devices into a topic.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["tokens"],"additionalProperties":false,"properties":{"tokens":{"$ref":"#/components/schemas/Tokens"}}},"example":{"tokens":["sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","sbd_gone0000000000000000000000000000"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What became of each token, in their order; those that are not registered are refused, the others done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["succeeded","failed","results"],"additionalProperties":false,"properties":{"succeeded":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"results":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"enum":["subscribed","unsubscribed","refused"]},"code":{"type":"string","description":"Of what is refused: `unregistered` or `too_many_topics`."},"message":{"type":"string"}}}}}},"example":{"succeeded":1,"failed":1,"results":[{"result":"subscribed"},{"result":"refused","code":"unregistered","message":"There is no such registration."}]}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/topics/{topic}/unsubscribe":{
"parameters":[{"$ref":"#/components/parameters/topic"}],
"post":{
"operationId":"unsubscribeMany",
"summary":"Takes up to 1,000 devices out of a topic.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["tokens"],"additionalProperties":false,"properties":{"tokens":{"$ref":"#/components/schemas/Tokens"}}},"example":{"tokens":["sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q","sbd_gone0000000000000000000000000000"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What became of each token, in their order; those that are not registered are refused, the others done.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["succeeded","failed","results"],"additionalProperties":false,"properties":{"succeeded":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"results":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"enum":["subscribed","unsubscribed","refused"]},"code":{"type":"string","description":"Of what is refused: `unregistered` or `too_many_topics`."},"message":{"type":"string"}}}}}},"example":{"succeeded":1,"failed":1,"results":[{"result":"subscribed"},{"result":"refused","code":"unregistered","message":"There is no such registration."}]}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/messages":{
"post":{
"operationId":"publish",
"summary":"Sends a message to a topic, to tokens, or to all devices of which a condition is true.",
"description":"The answer comes when the message is on the disk, with the number of devices that it is for; deliveries are made behind it. Who subscribes\nlater is not reached; neither is who has left by the time the delivery is made. A topic without subscribers has an audience of 0.\n\nWith `Idempotency-Key` a request may be sent as often as it takes: for 24 hours the same key and body answer the same and send once; the key\nwith another body is 409. With `send_at`, whom it reaches is found at that time, and the audience that is answered is how many it would be now.\n",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"Idempotency-Key","in":"header","description":"Of the client's making; the same only for the same message.","schema":{"type":"string","minLength":1,"maxLength":255,"pattern":"^[ -~]+$"}}],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/NewMessage"},"examples":{"topic":{"value":{"topic":"news","notification":{"title":"Breaking","body":"It rains"},"data":{"article":"17"},"label":"autumn"}},"tokens":{"value":{"tokens":["sbd_4tVqPzJY0b6wC8mRkUe2nLx7SdGfHa1Q"],"data":{"sync":"now"},"ttl":0}},"condition":{"value":{"condition":"'news' in topics && !('sport' in topics)","notification":{"title":"Quiz"},"send_at":"2026-12-01T08:00:00Z"}}}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"It is taken, or with `validate_only` it would be.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["id","audience"],"additionalProperties":false,"properties":{"id":{"type":"string","pattern":"^(msg_[0-9A-Za-z]+|validated)$"},"audience":{"type":"integer","minimum":0,"description":"How many devices it is for."},"unregistered":{"type":"array","description":"The places in `tokens` of those that reach nobody (any more), from 0.","minItems":1,"items":{"type":"integer","minimum":0,"maximum":999}}}},"example":{"id":"msg_3fGq9VxJ2LkPzR7cTn5YdW","audience":1204}}},"links":{"show":{"operationId":"showMessage","parameters":{"id":"$response.body#/id"}}}},"404":{"$ref":"#/components/responses/Unregistered"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"get":{
"operationId":"listMessages",
"summary":"An app's messages, the newest first.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/Message"}],"unevaluatedProperties":false}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/messages/{id}":{
"parameters":[{"$ref":"#/components/parameters/message-id"}],
"get":{
"operationId":"showMessage",
"summary":"A message, with how many of its deliveries are in each state, and how many people received and opened it.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The message.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Message"}],"type":"object","unevaluatedProperties":false,"properties":{"received":{"type":"integer","minimum":0,"description":"People who sent an event `notification_receive` with its id as `message_id`. Missing where it could not be counted in time."},"opened":{"type":"integer","minimum":0,"description":"The same for `notification_open`."}}},"example":{"id":"msg_3fGq9VxJ2LkPzR7cTn5YdW","target":{"topic":"news"},"notification":{"title":"Breaking","body":"It rains"},"data":{"article":"17"},"label":"autumn","priority":"normal","stage":"spread","created_at":"2026-11-21T08:33:29.071Z","sent_at":"2026-11-21T08:33:29.071Z","expires_at":"2026-12-19T08:33:29.071Z","audience":1204,"counts":{"pending":3,"retrying":1,"delivered":1200},"received":870,"opened":112}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
},
"delete":{
"operationId":"cancelMessage",
"summary":"Calls a message back; what is not sent yet is not sent any more.",
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
"summary":"Tries all deliveries of a message that are dead again, from the start; one that has expired lives as long again.",
"description":"Where a device reads a stream now, they come there as new ones.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"How many will be tried.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["redriven"],"additionalProperties":false,"properties":{"redriven":{"type":"integer","minimum":0}}},"example":{"redriven":3}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/deliveries":{
"get":{
"operationId":"listDeliveries",
"summary":"Deliveries of messages to devices, the newest first.",
"tags":["messages"],
"x-role":"read, send",
"parameters":[{"$ref":"#/components/parameters/app"},{"name":"message","in":"query","description":"Only those of this message.","schema":{"type":"string"}},{"name":"state","in":"query","description":"Only those in this state.","schema":{"$ref":"#/components/schemas/DeliveryState"}},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of them.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Delivery"}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"404":{"$ref":"#/components/responses/NotFound"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/deliveries/{id}":{
"parameters":[{"$ref":"#/components/parameters/delivery-id"}],
"get":{
"operationId":"showDelivery",
"summary":"A delivery, with every attempt.",
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
"summary":"Tries a delivery again now; a dead one from the start, one that waits before its time.",
"description":"Any other, and one whose device cannot be reached any more, answers 409.",
"tags":["messages"],
"x-role":"send",
"parameters":[{"$ref":"#/components/parameters/app"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"401":{"$ref":"#/components/responses/Unauthorized"},"403":{"$ref":"#/components/responses/Forbidden"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"$ref":"#/components/responses/Delivery"},"404":{"$ref":"#/components/responses/NotFound"},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/apps":{
"get":{
"operationId":"listApps",
"summary":"All apps.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"A page of apps, by id.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/App"}],"unevaluatedProperties":false}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"createApp",
"summary":"Makes an app with a key for each role.",
"description":"The keys of `read`, `send` and `admin` are shown here and never again.",
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
"summary":"An app.",
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
"summary":"Deletes an app with its keys and persons at once, and its events with the next round of retention.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"It is gone.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/v1/apps/{app}/keys":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"}],
"get":{
"operationId":"listKeys",
"summary":"The keys of an app.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"parameters":[{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"}],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"The keys; the texts only of those with the role `ingest`, which are public by nature.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Key"}},"next":{"$ref":"#/components/schemas/Cursor"}}}}}},"422":{"$ref":"#/components/responses/Invalid"}}
},
"post":{
"operationId":"createKey",
"summary":"Makes a key.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/NewKey"},"example":{"role":"ingest","label":"the web page","origins":["https://example.com"]}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"201":{"description":"The key, with its text.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Key"}],"anyOf":[{"required":["key"]},{"required":["service_account"]}]}}},"links":{"revoke":{"operationId":"revokeKey","parameters":{"app":"$response.body#/app","key":"$response.body#/id"}}}},"422":{"$ref":"#/components/responses/Invalid"}}
}
},
"/v1/apps/{app}/keys/{key}":{
"parameters":[{"$ref":"#/components/parameters/app-in-path"},{"name":"key","in":"path","required":true,"description":"The `id` of a key.","schema":{"type":"integer","minimum":1,"maximum":9223372036854775807}}],
"delete":{
"operationId":"revokeKey",
"summary":"Revokes a key; from now on it opens nothing.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"204":{"description":"It is revoked.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}}
}
},
"/v1/backup":{
"post":{
"operationId":"makeBackup",
"summary":"Writes a consistent copy of everything to a new or empty folder of this machine.",
"tags":["operator"],
"x-role":"operator",
"security":[],
"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["directory"],"additionalProperties":false,"properties":{"directory":{"type":"string","pattern":"^/","description":"An absolute path."}}},"example":{"directory":"/var/backups/signalbox/2026-11-21"}}}},
"responses":{"400":{"$ref":"#/components/responses/BadRequest"},"408":{"$ref":"#/components/responses/SlowClient"},"413":{"$ref":"#/components/responses/TooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"429":{"$ref":"#/components/responses/TooMany"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/InternalError"},"501":{"$ref":"#/components/responses/NotImplemented"},"505":{"$ref":"#/components/responses/VersionNotSupported"},"404":{"$ref":"#/components/responses/NotFound"},"503":{"$ref":"#/components/responses/Unavailable"},"200":{"description":"What was written.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},"content":{"application/json":{"schema":{"type":"object","required":["files","bytes"],"additionalProperties":false,"properties":{"files":{"type":"integer","minimum":1},"bytes":{"type":"integer","minimum":1}}}}}},"409":{"$ref":"#/components/responses/Conflict"},"422":{"$ref":"#/components/responses/Invalid"}}
}
}
},
"components":{
"securitySchemes":{
"bearer":{
"type":"http",
"scheme":"bearer",
"description":"A key: 1 to 64 letters, digits and underscores."
},
"basic":{
"type":"http",
"scheme":"basic",
"description":"The key as user name; the password is not looked at."
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
"description":"By this, an answer and its line in the log find each other.",
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
"description":"By the control socket, the app by id or name, and needed. With a key it is not looked at; a key has its app.",
"schema":{"type":"string"}
},
"app-in-path":{
"name":"app",
"in":"path",
"required":true,
"description":"An app by its id or its name.",
"schema":{"type":"string","minLength":1}
},
"person":{
"name":"id",
"in":"path",
"required":true,
"description":"A user id, or with `by=installation` an installation id.",
"schema":{"type":"string","minLength":1}
},
"by":{
"name":"by",
"in":"query",
"description":"What the id in the path is.",
"schema":{"enum":["user","installation"],"default":"user"}
},
"dry-run":{
"name":"dry_run",
"in":"query",
"description":"Counts, and changes nothing.",
"schema":{"type":"boolean","default":false}
},
"bundle-id":{
"name":"X-Bundle-Id",
"in":"header",
"description":"The id of the app that sends, for keys that are restricted to some.",
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
"description":"The name of a topic; a percent sign in it is `%25`. Of those that begin with `$`, only send and admin keys may name one here.",
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
"delivery-id":{
"name":"id",
"in":"path",
"required":true,
"description":"The `id` of a delivery, which its receiver knows as `webhook-id`.",
"schema":{"type":"string","minLength":1}
},
"reason":{
"name":"reason",
"in":"query",
"description":"Only those with this reason.",
"schema":{"$ref":"#/components/schemas/Reason"}
},
"limit":{
"name":"limit",
"in":"query",
"description":"How many items a page has at most.",
"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}
},
"after":{
"name":"after",
"in":"query",
"description":"Where the page before ended.",
"schema":{"type":"integer","minimum":0,"maximum":9223372036854775807}
},
"from":{
"name":"from",
"in":"query",
"description":"Where the range begins.",
"schema":{"$ref":"#/components/schemas/Moment","default":"-7d"}
},
"to":{
"name":"to",
"in":"query",
"description":"Where it ends, exclusive.",
"schema":{"$ref":"#/components/schemas/Moment","default":"now"}
},
"tz":{
"name":"tz",
"in":"query",
"description":"The zone whose hours and days count; without it, the app's.",
"schema":{"$ref":"#/components/schemas/Zone"}
},
"interval":{
"name":"interval",
"in":"query",
"description":"How long a bucket is.",
"schema":{"$ref":"#/components/schemas/Interval"}
},
"period":{
"name":"interval",
"in":"query",
"description":"How long a bucket is.",
"schema":{"$ref":"#/components/schemas/Period"}
},
"metric":{
"name":"metric",
"in":"query",
"description":"What is counted.",
"schema":{"$ref":"#/components/schemas/Metric"}
},
"event":{
"name":"event",
"in":"query",
"description":"Only events of this name; of sessions, those that hold one.",
"schema":{"$ref":"#/components/schemas/AskedEvent"}
},
"filter":{
"name":"filter",
"in":"query",
"description":"What must hold of an event; given more than once, all must.",
"schema":{"$ref":"#/components/schemas/Filters"}
},
"sent-at":{
"name":"sent_at",
"in":"query",
"description":"Beside an array or lines, this and the following stand for the fields of the envelope; beside an object they are not looked at.\nWhen the request was sent, by the sender's clock; what cannot be read is ignored.\n",
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
"description":"As Segment documents it; only what is kept is described here.",
"properties":{"writeKey":{"type":"string","description":"The key, where it is not the user name of HTTP Basic."},"messageId":{"type":"string"},"timestamp":{"type":"string"},"userId":{"description":"Who.","type":["string","integer","null"]},"anonymousId":{"description":"The installation.","type":["string","integer","null"]},"previousId":{"description":"Of alias, the installation.","type":["string","integer","null"]},"event":{"type":"string","description":"Of track, its name; `Order Completed` and `Order Refunded` are a purchase and a refund."},"name":{"type":"string","description":"Of page and screen."},"properties":{"type":"object"},"traits":{"type":"object","description":"Of identify and group."},"context":{"type":"object","description":"`app`, `os`, `device`, `locale` and `location.country` are kept."}}
},
"SegmentBatch":{
"type":"object",
"required":["batch"],
"properties":{"writeKey":{"type":"string"},"sentAt":{"type":"string"},"batch":{"type":"array","maxItems":2000,"items":{"allOf":[{"$ref":"#/components/schemas/SegmentCall"}],"properties":{"type":{"enum":["track","identify","page","screen","group","alias"]}}}}}
},
"PostHogBatch":{
"type":"object",
"description":"An event, or an object with a list of them; as PostHog documents it, and also as a form or packed with gzip as pages send it.",
"properties":{"api_key":{"type":"string","description":"The key; `token` and `properties.token` are taken as well."},"batch":{"type":"array","maxItems":2000,"items":{"type":"object"}},"sent_at":{"type":"string"}}
},
"Measurement":{
"type":"object",
"description":"As Google documents it; only what is kept is described here, the rest is not looked at.",
"required":["events"],
"properties":{"app_instance_id":{"type":"string","description":"Whom it is about; the installation."},"client_id":{"type":"string","description":"The same of a web stream."},"user_id":{"type":"string","maxLength":256},"timestamp_micros":{"description":"Of all events without one of their own, as a number or as text.","type":["integer","string"]},"validation_behavior":{"enum":["RELAXED","ENFORCE_RECOMMENDATIONS"],"default":"RELAXED"},"validationBehavior":{"enum":["RELAXED","ENFORCE_RECOMMENDATIONS"]},"user_properties":{"type":"object","description":"By name, each `{\"value\": …}` with a `timestamp_micros` of its own if it has one."},"device":{"type":"object","description":"`operating_system`, `operating_system_version`, `model` and `language` are kept."},"user_location":{"type":"object","description":"`country_id` is kept."},"events":{"type":"array","maxItems":25,"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"params":{"type":"object","description":"`session_id` is the event's session, `timestamp_micros` its time."},"timestamp_micros":{"type":["integer","string"]}}}}}
},
"Person":{
"type":"string",
"description":"Who or what did it. Empty is nobody.",
"maxLength":256,
"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
},
"ContextText":{
"type":"string",
"maxLength":100,
"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
},
"Time":{
"description":"RFC 3339, in UTC where it names no offset, or a number since 1970: below 10¹¹ of seconds, below 10¹⁴ of milliseconds, below 10¹⁷ of\nmicroseconds. Null is none.\n",
"anyOf":[{"type":"string"},{"type":"number","exclusiveMinimum":-1e+17,"exclusiveMaximum":1e+17},{"type":"null"}],
"examples":["2026-11-21T08:00:00.250Z",1795248000,1795248000250]
},
"Context":{
"type":["object","null"],
"description":"Where it happened. A number counts as its text, other fields are ignored, and null leaves what the envelope says.",
"properties":{"platform":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"app_version":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"build":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"os_version":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"device_model":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"locale":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"country":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"environment":{"type":["string","number","null"],"maxLength":100,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"}}
},
"EventsBody":{
"oneOf":[{"type":"object","title":"Envelope","description":"Its fields are defaults for each event; others are ignored. One that cannot be read refuses the request.","required":["events"],"properties":{"sent_at":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"When the request was sent, by the sender's clock; what cannot be read is ignored."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"context":{"$ref":"#/components/schemas/Context"},"events":{"$ref":"#/components/schemas/Events"}}},{"$ref":"#/components/schemas/Events"}]
},
"Events":{
"type":"array",
"maxItems":2000,
"items":{"$ref":"#/components/schemas/Event"}
},
"Event":{
"type":"object",
"description":"What is not like this is quarantined, or corrected. Lengths are those a new app starts with; its settings change them. Fields not named\nhere are ignored.\n",
"required":["name"],
"properties":{"id":{"type":["string","null"],"maxLength":64,"description":"A UUID or any other text; counts once."},"name":{"type":"string","description":"These are understood: `screen_view` (`screen_name`, `screen_class`), `purchase` and `in_app_purchase` (`value`, `currency`,\n`transaction_id`, `items`; the latter also `price` and `quantity`), `refund`, `app_error` (`error_description`, `error_context`),\n`session_start`, `user_engagement`, `first_open`, `notification_receive`, `notification_open`, `notification_dismiss`. The name `error`\nand names that begin with `_`, `firebase_`, `ga_`, `google_` or `gtag.` are reserved.\n","pattern":"^[A-Za-z][A-Za-z0-9_]*$","maxLength":40},"timestamp":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"When it happened; without it, when it was received."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"context":{"$ref":"#/components/schemas/Context"},"params":{"$ref":"#/components/schemas/Params"}}
},
"Params":{
"type":["object","null"],
"description":"Null is a value, too. Texts have at most 100 characters; `page_title` 300, `page_referrer` 420, `page_location` 1,000, `reason`,\n`error_description` and `error_context` 8,192. Money is read from the digits as they were sent and kept in millionths; without `currency` an amount is stored\nand is no revenue.\n",
"maxProperties":25,
"propertyNames":{"pattern":"^[A-Za-z][A-Za-z0-9_]*$","maxLength":40},
"properties":{"items":{"type":["array","null"],"maxItems":200,"items":{"type":"object","maxProperties":27,"additionalProperties":{"type":["string","number","boolean","null"]}}}},
"additionalProperties":{"type":["string","number","boolean","null"]}
},
"UsersBody":{
"type":"object",
"required":["users"],
"properties":{"sent_at":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"As with events."},"users":{"type":"array","maxItems":1000,"items":{"type":"object","anyOf":[{"required":["user_id"]},{"required":["installation_id"]}],"properties":{"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"alias":{"type":["boolean","null"],"description":"Says that this installation is this user's; both must be named."},"once":{"type":["boolean","null"],"description":"Sets only what nobody has set; of several such words the oldest counts."},"timestamp":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Since when it is so; without it, since it was received."},"properties":{"type":["object","null"],"maxProperties":25,"propertyNames":{"pattern":"^[A-Za-z][A-Za-z0-9_]*$","maxLength":24},"additionalProperties":{"type":["string","number","boolean","null"],"maxLength":36}}}}}}
},
"Moment":{
"description":"`now`, a time before now in seconds, minutes, hours, days or weeks, or a time of RFC 3339, in UTC where it names no offset.",
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
"description":"A UUID in any of its spellings, with an age behind it where there is one.",
"pattern":"^[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}(-?[0-9A-Fa-f]{1,8})?$",
"examples":["c0bcc3f1-9827-fe65-3058-404b2831d9e6"]
},
"CrashesBody":{
"oneOf":[{"type":"object","title":"Envelope","description":"Its fields are defaults for each report; others are ignored.","required":["crashes"],"properties":{"sent_at":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"When the request was sent, by the sender's clock; what cannot be read is ignored."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"release":{"type":["string","null"],"maxLength":200,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},"context":{"$ref":"#/components/schemas/Context"},"crashes":{"$ref":"#/components/schemas/Crashes"}}},{"$ref":"#/components/schemas/Crashes"}]
},
"Crashes":{
"type":"array",
"maxItems":100,
"items":{"$ref":"#/components/schemas/CrashReport"}
},
"CrashReport":{
"type":"object",
"description":"What was reported. Names are Sentry's, and so are the spellings taken: lists may also stand in an object with `values`, addresses may be numbers or\ntexts such as `0x1000`. Fields not named here are ignored. What is answered has been cut to the limits, and is readable where symbols were there.\n",
"properties":{"id":{"type":["string","null"],"maxLength":64,"description":"A UUID or any other text; counts once."},"kind":{"anyOf":[{"$ref":"#/components/schemas/CrashKind"},{"type":"null"}]},"level":{"anyOf":[{"$ref":"#/components/schemas/CrashLevel"},{"type":"null"}]},"timestamp":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"When it happened; without it, when it was received."},"type":{"type":["string","null"],"description":"What went wrong: an exception's class, a signal. Needed where no exception says it."},"reason":{"type":["string","null"],"description":"Up to 8,192 characters are kept."},"handled":{"type":["boolean","null"]},"exceptions":{"type":["array","object","null"],"description":"The outermost last. Each has `type`, `value`, `module`, `mechanism` and `frames`."},"threads":{"type":["array","object","null"],"description":"Each has `id`, `name`, `crashed`, `current` and `frames`."},"frames":{"type":["array","null"],"description":"Oldest first: `function`, `module`, `filename`, `abs_path`, `lineno`, `colno`, `in_app`, `package`, `instruction_addr`, `symbol_addr`, `image_addr`."},"images":{"type":["array","object","null"],"description":"The binaries that were loaded: `type`, `debug_id`, `code_id`, `image_addr`, `image_size`, `image_vmaddr`, `code_file`, `debug_file`, `arch`."},"breadcrumbs":{"type":["array","object","null"],"description":"The newest 100 are kept."},"custom_keys":{"type":["object","null"],"description":"64 are kept, of 1,024 bytes each."},"logs":{"type":["string","array","null"],"description":"The newest 64 kB are kept."},"fingerprint":{"type":["array","null"],"description":"Says which reports belong together; `{{ default }}` stands for what would have been found."},"installation_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"user_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"session_id":{"anyOf":[{"$ref":"#/components/schemas/Person"},{"type":"null"}]},"release":{"type":["string","null"],"description":"Such as `shop@2.1.0+57`: what stands between `@` and `+` is the release."},"context":{"$ref":"#/components/schemas/Context"}}
},
"CrashOutcome":{
"type":"object",
"required":["accepted","duplicates","quarantined","results"],
"additionalProperties":false,
"properties":{"accepted":{"type":"integer","minimum":0,"description":"Stored, those that were corrected among them."},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"results":{"type":"array","items":{"type":"object","required":["index","result"],"additionalProperties":false,"properties":{"index":{"type":"integer","minimum":0,"maximum":99},"id":{"type":"string"},"result":{"enum":["accepted","corrected","duplicate","quarantined"]},"issue":{"type":"string","description":"The id of its issue; missing where it was quarantined."},"code":{"$ref":"#/components/schemas/Reason"},"number":{"type":"integer","description":"Firebase's number for the same thing."},"field":{"type":"string"},"message":{"type":"string"}}}}}
},
"Issue":{
"type":"object",
"required":["id","title","kind","state","signals","count","users","first_seen","last_seen","grouped_by","notes_count"],
"additionalProperties":false,
"properties":{"id":{"type":"string"},"title":{"type":"string"},"culprit":{"type":"string","description":"Where it happens."},"kind":{"$ref":"#/components/schemas/CrashKind"},"state":{"$ref":"#/components/schemas/IssueState"},"signals":{"type":"array","uniqueItems":true,"items":{"enum":["fresh","early","repetitive","regressed"]},"description":"`fresh`: first met within a week. `early`: mostly early in a session. `repetitive`: the same people meet it often. `regressed`: it came back after it was closed."},"count":{"type":"integer","minimum":0},"users":{"type":"integer","minimum":0,"description":"Different people of the reports that are still known."},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"first_release":{"type":"string"},"last_release":{"type":"string"},"grouped_by":{"type":"string","description":"Why these crashes are one issue."},"closed_in":{"type":"string","description":"The release that mends it."},"closed_after":{"type":"string","description":"Whatever comes after this release mends it."},"muted_until":{"type":"string","format":"date-time"},"muted_count":{"type":"integer","minimum":1,"description":"So many crashes within `muted_within` unmute it."},"muted_within":{"type":"integer","minimum":1,"description":"Seconds."},"notes_count":{"type":"integer","minimum":0}}
},
"WholeIssue":{
"type":"object",
"required":["id","title","kind","state","signals","count","users","first_seen","last_seen","grouped_by","notes_count","series","releases","os_versions","devices","variants","notes","history"],
"additionalProperties":false,
"properties":{"id":{"type":"string"},"title":{"type":"string"},"culprit":{"type":"string","description":"Where it happens."},"kind":{"$ref":"#/components/schemas/CrashKind"},"state":{"$ref":"#/components/schemas/IssueState"},"signals":{"type":"array","uniqueItems":true,"items":{"enum":["fresh","early","repetitive","regressed"]},"description":"`fresh`: first met within a week. `early`: mostly early in a session. `repetitive`: the same people meet it often. `regressed`: it came back after it was closed."},"count":{"type":"integer","minimum":0},"users":{"type":"integer","minimum":0,"description":"Different people of the reports that are still known."},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"first_release":{"type":"string"},"last_release":{"type":"string"},"grouped_by":{"type":"string","description":"Why these crashes are one issue."},"closed_in":{"type":"string","description":"The release that mends it."},"closed_after":{"type":"string","description":"Whatever comes after this release mends it."},"muted_until":{"type":"string","format":"date-time"},"muted_count":{"type":"integer","minimum":1,"description":"So many crashes within `muted_within` unmute it."},"muted_within":{"type":"integer","minimum":1,"description":"Seconds."},"notes_count":{"type":"integer","minimum":0},"series":{"type":"array","description":"Crashes by day, in UTC, of the last 30.","maxItems":31,"items":{"type":"object","required":["t","value"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time"},"value":{"type":"integer","minimum":0}}}},"releases":{"type":"array","maxItems":20,"items":{"type":"object","required":["count"],"additionalProperties":false,"properties":{"value":{"type":"string","description":"Missing of those that named none."},"count":{"type":"integer","minimum":1}}}},"os_versions":{"type":"array","maxItems":20,"items":{"type":"object","required":["count"],"additionalProperties":false,"properties":{"value":{"type":"string","description":"Missing of those that named none."},"count":{"type":"integer","minimum":1}}}},"devices":{"type":"array","maxItems":20,"items":{"type":"object","required":["count"],"additionalProperties":false,"properties":{"value":{"type":"string","description":"Missing of those that named none."},"count":{"type":"integer","minimum":1}}}},"variants":{"type":"array","maxItems":200,"description":"Crashes of one issue whose whole stacks differ.","items":{"type":"object","required":["id","title","grouped_by","count","first_seen","last_seen"],"additionalProperties":false,"properties":{"id":{"type":"string"},"title":{"type":"string"},"culprit":{"type":"string"},"grouped_by":{"type":"string"},"count":{"type":"integer","minimum":0},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"}}}},"notes":{"type":"array","maxItems":100,"items":{"type":"object","required":["at","text"],"additionalProperties":false,"properties":{"at":{"type":"string","format":"date-time"},"author":{"type":"string"},"text":{"type":"string"}}}},"history":{"type":"array","maxItems":100,"items":{"type":"object","required":["at","what"],"additionalProperties":false,"properties":{"at":{"type":"string","format":"date-time"},"what":{"enum":["appeared","regressed","unmuted","opened","closed","muted","merged","split","symbolicated"]},"detail":{"type":"string","description":"A release or another issue."}}}}}
},
"Crash":{
"allOf":[{"$ref":"#/components/schemas/CrashFields"}],
"type":"object",
"unevaluatedProperties":false
},
"CrashFields":{
"type":"object",
"required":["id","issue","kind","timestamp","received_at","variant","late","kept","symbols"],
"properties":{"id":{"type":"string"},"kind":{"$ref":"#/components/schemas/CrashKind"},"timestamp":{"type":"string","format":"date-time"},"received_at":{"type":"string","format":"date-time"},"release":{"type":"string"},"platform":{"type":"string"},"os_version":{"type":"string"},"device_model":{"type":"string"},"issue":{"type":"string"},"variant":{"type":"string"},"late":{"type":"boolean","description":"Whether it came later than the app's `lateness_hours`."},"kept":{"type":"boolean","description":"Whether its report is kept; of frequent issues only a sample is."},"symbols":{"enum":["complete","waiting","missing"],"description":"`waiting`: being made readable. `missing`: waits for symbols that were not brought."}}
},
"SymbolFile":{
"type":"object",
"required":["debug_id","format","bytes","created_at"],
"additionalProperties":false,
"properties":{"debug_id":{"$ref":"#/components/schemas/DebugID"},"format":{"enum":["macho","elf","breakpad"]},"architecture":{"type":"string"},"bytes":{"type":"integer","minimum":0},"created_at":{"type":"string","format":"date-time"}}
},
"Zone":{
"type":"string",
"description":"A name of the IANA's time zone database.",
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
"description":"`users` are different people, `sessions` begin in their bucket; `purchases` counts purchases, `revenue` is their money less refunds.\n`crashes` are the fatal ones; they are no events, so `event` is not taken with it, and fields are those of a crash: `context.platform`,\n`context.app_version` (its release), `context.os_version` and `context.device_model`.\n",
"enum":["events","users","sessions","screen_views","purchases","revenue","crashes"],
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
"description":"A field of an event. A person's property is what it is today.",
"pattern":"^(name|context\\.(platform|app_version|build|os_version|device_model|locale|country|environment)|(params|user)\\.[\\s\\S]{1,1000})$",
"examples":["name","context.app_version","params.screen_name","user.tier"]
},
"Filter":{
"type":"string",
"description":"A field, an operator and a value: `=`, `!=`, `~` (contains), or one of `>`, `>=`, `<` and `<=`, which compare numbers. Of values with `|` between\nthem, at most 100, any may hold (with `!=`, none). A missing field matches only `!=`.\n",
"maxLength":10000,
"pattern":"^(name|context\\.(platform|app_version|build|os_version|device_model|locale|country|environment)|(params|user)\\.[^=!<>~]{1,1000})(!=|[<>]=?|=|~)",
"examples":["context.platform=ios|android","params.n>=3","user.tier!=free"]
},
"Filters":{
"type":"array",
"maxItems":20,
"items":{"$ref":"#/components/schemas/Filter"}
},
"FilterOrFilters":{
"description":"One, or a list of which all must hold.",
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
"description":"The name of an event, with filters behind semicolons: `purchase;params.n>=3`. A semicolon that belongs to a part is written twice.",
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
"SeriesQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"metric":{"$ref":"#/components/schemas/Metric"},"event":{"$ref":"#/components/schemas/AskedEvent"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"},"breakdown":{"$ref":"#/components/schemas/FieldPath"},"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"TopQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"field":{"$ref":"#/components/schemas/FieldPath","default":"name"},"metric":{"$ref":"#/components/schemas/Metric"},"event":{"$ref":"#/components/schemas/AskedEvent"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"},"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"ActiveUsersQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"}}
},
"RetentionQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"start":{"$ref":"#/components/schemas/AskedEvent","default":"first_open"},"return":{"$ref":"#/components/schemas/AskedEvent","default":"any"},"cohort":{"$ref":"#/components/schemas/CohortRule"},"interval":{"$ref":"#/components/schemas/Period"},"periods":{"$ref":"#/components/schemas/PeriodCount"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"}}
},
"FunnelQuestion":{
"type":"object",
"required":["steps"],
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"steps":{"$ref":"#/components/schemas/Steps"},"window":{"$ref":"#/components/schemas/FunnelWindow"},"order":{"$ref":"#/components/schemas/FunnelOrder"}}
},
"RevenueQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"}}
},
"SessionsQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"}}
},
"LifecycleQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Period"}}
},
"RealtimeQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"CrashFreeQuestion":{
"type":"object",
"additionalProperties":false,
"properties":{"from":{"$ref":"#/components/schemas/Moment","default":"-7d"},"to":{"$ref":"#/components/schemas/Moment","default":"now"},"tz":{"$ref":"#/components/schemas/Zone"},"interval":{"$ref":"#/components/schemas/Interval"},"filter":{"$ref":"#/components/schemas/FilterOrFilters"},"limit":{"$ref":"#/components/schemas/TopLimit"}}
},
"Outcome":{
"type":"object",
"description":"What became of each event that was not simply accepted, in the order of the request.",
"required":["accepted","duplicates","quarantined","results"],
"additionalProperties":false,
"properties":{"accepted":{"type":"integer","minimum":0,"description":"Stored, those that were corrected among them."},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"results":{"type":"array","items":{"$ref":"#/components/schemas/Verdict"}}}
},
"Verdict":{
"allOf":[{"$ref":"#/components/schemas/ReasonWithNumber"}],
"type":"object",
"required":["index","result","code","field","message"],
"unevaluatedProperties":false,
"properties":{"index":{"type":"integer","minimum":0,"maximum":1999,"description":"The place of the event in its request, from 0."},"id":{"type":"string","description":"The event's id where it named one, a UUID in lower case."},"result":{"enum":["corrected","duplicate","quarantined"]},"code":{"$ref":"#/components/schemas/Reason"},"number":{"type":"integer"},"field":{"type":"string","description":"As in `params.items[3].price`."},"message":{"type":"string"}}
},
"Reason":{
"description":"Why an event was corrected, quarantined or found to be a duplicate.",
"enum":["invalid_json","not_an_object","duplicate_key","missing_name","bad_event_name","reserved_event_name","too_many_event_names","bad_id","bad_timestamp","too_old","bad_user_id","bad_installation_id","bad_session_id","bad_context","bad_params","missing_type","blocked","bad_param_name","reserved_param_name","value_too_long","bad_value","too_many_params","duplicate_param","number_out_of_range","bad_currency","bad_money","bad_items","too_many_items","too_many_entries","bad_user_property_name","user_property_too_long","too_many_user_properties","reserved_user_property_name","event_duplicate","crash_duplicate","transaction_duplicate"]
},
"ReasonWithNumber":{
"description":"Firebase has numbers for some of the reasons; these come with theirs, the others with none.",
"oneOf":[{"required":["number"],"properties":{"code":{"const":"bad_event_name"},"number":{"const":2}}},{"required":["number"],"properties":{"code":{"const":"bad_param_name"},"number":{"const":3}}},{"required":["number"],"properties":{"code":{"const":"value_too_long"},"number":{"const":4}}},{"required":["number"],"properties":{"code":{"const":"too_many_params"},"number":{"const":5}}},{"required":["number"],"properties":{"code":{"const":"bad_user_property_name"},"number":{"const":6}}},{"required":["number"],"properties":{"code":{"const":"user_property_too_long"},"number":{"const":7}}},{"required":["number"],"properties":{"code":{"const":"too_many_event_names"},"number":{"const":8}}},{"required":["number"],"properties":{"code":{"const":"too_many_user_properties"},"number":{"const":9}}},{"required":["number"],"properties":{"code":{"const":"reserved_event_name"},"number":{"const":13}}},{"required":["number"],"properties":{"code":{"const":"reserved_param_name"},"number":{"const":14}}},{"required":["number"],"properties":{"code":{"const":"reserved_user_property_name"},"number":{"const":15}}},{"not":{"required":["number"]}}]
},
"QuarantinedEvent":{
"allOf":[{"$ref":"#/components/schemas/ReasonWithNumber"}],
"type":"object",
"required":["seq","received_at","code","field","message","source","envelope","raw"],
"unevaluatedProperties":false,
"properties":{"seq":{"type":"integer","minimum":1},"received_at":{"type":"string","format":"date-time"},"timestamp":{"type":"string","format":"date-time","description":"The event's own time where it could be read."},"id":{"type":"string"},"code":{"$ref":"#/components/schemas/Reason"},"number":{"type":"integer"},"field":{"type":"string"},"message":{"type":"string"},"source":{"enum":["events","users","crashes","server","open"],"description":"Whether it came as an event, as an entry about a person or as a crash; or by a door, as an event of a server under Google's names (`server`) or of an SDK under free ones (`open`). Those about persons are not replayed."},"envelope":{"type":"object","description":"What its request said of all its events, named as the query beside an array names it.","additionalProperties":{"type":"string"}},"raw":{"type":"string","description":"The bytes of the event as they came; at the doors of other products the event as it was put into our words, but for a call of Segment's of no\nknown kind. Bytes that are not UTF-8 are shown as U+FFFD.\n"}}
},
"PersonPage":{
"type":"object",
"description":"One of `user_id` and `installation_id`, and with it the `installations` or the `users` that were seen with it.",
"required":["properties"],
"properties":{"user_id":{"type":"string"},"installation_id":{"type":"string"},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"properties":{"type":"object","additionalProperties":{"type":"object","required":["value","timestamp"],"additionalProperties":false,"properties":{"value":{"type":["string","number","boolean"]},"timestamp":{"type":"string","format":"date-time"}}}},"installations":{"type":"array","items":{"type":"object","required":["alias"],"additionalProperties":false,"properties":{"installation_id":{"type":"string"},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"alias":{"type":"boolean","description":"Whether `POST /v1/users` has paired the two."}}}},"users":{"type":"array","items":{"type":"object","required":["alias"],"additionalProperties":false,"properties":{"user_id":{"type":"string"},"first_seen":{"type":"string","format":"date-time"},"last_seen":{"type":"string","format":"date-time"},"alias":{"type":"boolean","description":"Whether `POST /v1/users` has paired the two."}}}}}
},
"PersonMessage":{
"allOf":[{"$ref":"#/components/schemas/PersonMessageFields"}],
"type":"object",
"unevaluatedProperties":false
},
"PersonMessageFields":{
"type":"object",
"description":"A message on its way to a device of a person.",
"required":["id","message","timestamp","state","changed_at"],
"properties":{"id":{"type":"string","pattern":"^msg_[0-9A-Za-z]+_[0-9]+$","description":"Of the delivery."},"message":{"type":"string","pattern":"^msg_[0-9A-Za-z]+$"},"timestamp":{"type":"string","format":"date-time","description":"When the message was sent."},"token":{"$ref":"#/components/schemas/MaskedToken","description":"The device it is for."},"topic":{"type":"string"},"condition":{"type":"string"},"label":{"type":"string"},"notification":{"type":"object"},"state":{"$ref":"#/components/schemas/DeliveryState"},"changed_at":{"type":"string","format":"date-time"}}
},
"Departure":{
"type":"object",
"required":["events","purchases","quarantined","properties","pairs","days","installations","registrations","deliveries","crashes","dry_run"],
"properties":{"events":{"type":"integer","minimum":0},"purchases":{"type":"integer","minimum":0,"description":"How many of the events are purchases or refunds."},"quarantined":{"type":"integer","minimum":0},"properties":{"type":"integer","minimum":0},"pairs":{"type":"integer","minimum":0,"description":"Aliases between users and installations."},"days":{"type":"integer","minimum":0,"description":"Days of receipt that had anything."},"installations":{"type":"integer","minimum":0,"description":"Installations that go with their user."},"registrations":{"type":"integer","minimum":0,"description":"Devices registered for messages."},"deliveries":{"type":"integer","minimum":0,"description":"Messages to those devices that are removed; 0 where they are made nameless, for they stay."},"crashes":{"type":"integer","minimum":0},"dry_run":{"type":"boolean"}}
},
"StoredEvent":{
"type":"object",
"description":"An event as it is kept. What was not given is missing.",
"required":["seq","id","name","timestamp","received_at"],
"additionalProperties":false,
"properties":{"seq":{"type":"integer","minimum":1,"description":"Rises in the order of commits."},"id":{"type":"string"},"name":{"type":"string"},"timestamp":{"type":"string","format":"date-time"},"received_at":{"type":"string","format":"date-time"},"user_id":{"type":"string"},"installation_id":{"type":"string"},"session_id":{"type":"string"},"context":{"type":"object","minProperties":1,"additionalProperties":false,"properties":{"platform":{"type":"string"},"app_version":{"type":"string"},"build":{"type":"string"},"os_version":{"type":"string"},"device_model":{"type":"string"},"locale":{"type":"string"},"country":{"type":"string"},"environment":{"type":"string"}}},"params":{"type":"object","description":"As they came, less what was corrected."},"flags":{"type":"array","minItems":1,"uniqueItems":true,"items":{"enum":["late","clock","corrected"]}}}
},
"AnswerSource":{
"description":"Whether it was counted as it came in (`rollup`), or from the events themselves (`raw`).",
"enum":["rollup","raw"]
},
"Share":{
"type":"number",
"minimum":0,
"maximum":1,
"description":"To four decimals."
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
"CountOrMoney":{
"description":"A count, or money of `currency`.",
"oneOf":[{"$ref":"#/components/schemas/Count"},{"$ref":"#/components/schemas/Decimal"}]
},
"Currency":{
"type":"string",
"pattern":"^[A-Z]{3}$"
},
"SeriesAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","series"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"series":{"type":"array","description":"One; of money one for each currency, and with a breakdown at most 100 and `(other)`.","items":{"type":"object","required":["points","total"],"additionalProperties":false,"properties":{"name":{"type":"string","description":"The value of the breakdown, or the event that was asked for."},"currency":{"$ref":"#/components/schemas/Currency"},"points":{"type":"array","minItems":1,"maxItems":11000,"items":{"$ref":"#/components/schemas/Point"}},"total":{"$ref":"#/components/schemas/CountOrMoney","description":"Of users the different ones of the whole range, never a sum."}}}}}
},
"Point":{
"type":"object",
"required":["t","value"],
"additionalProperties":false,
"properties":{"t":{"type":"string","format":"date-time","description":"Where the bucket begins."},"value":{"$ref":"#/components/schemas/CountOrMoney"}}
},
"TopAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","items"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"items":{"type":"array","items":{"type":"object","required":["name","value"],"additionalProperties":false,"properties":{"name":{"type":"string"},"currency":{"$ref":"#/components/schemas/Currency"},"value":{"$ref":"#/components/schemas/CountOrMoney"}}}}}
},
"ActiveUsersAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","points","total"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"type":"array","minItems":1,"maxItems":400,"items":{"type":"object","required":["t","dau","wau","mau","stickiness"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"Where the bucket begins."},"dau":{"$ref":"#/components/schemas/Count"},"wau":{"$ref":"#/components/schemas/Count"},"mau":{"$ref":"#/components/schemas/Count"},"stickiness":{"description":"`dau` as a share of `mau`, to four decimals. More than 1 where devices that were strangers on the day belong to one person of the month.","type":"number","minimum":0}}}},"total":{"$ref":"#/components/schemas/Count","description":"Different people of the whole range."}}
},
"RetentionAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","cohorts"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"cohorts":{"type":"array","minItems":1,"maxItems":400,"items":{"type":"object","required":["t","size","cells"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"Where the bucket begins."},"size":{"$ref":"#/components/schemas/Count"},"cells":{"type":"array","maxItems":60,"items":{"type":"object","required":["period","people","share","complete"],"additionalProperties":false,"properties":{"period":{"type":"integer","minimum":0,"maximum":59},"people":{"$ref":"#/components/schemas/Count"},"share":{"$ref":"#/components/schemas/Share"},"complete":{"type":"boolean","description":"Whether the period is over."}}}}}}}}
},
"FunnelAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","steps"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"steps":{"type":"array","minItems":2,"maxItems":20,"items":{"type":"object","required":["event","people","share","step_share"],"additionalProperties":false,"properties":{"event":{"type":"string"},"people":{"$ref":"#/components/schemas/Count"},"share":{"$ref":"#/components/schemas/Share","description":"Of those at the first step."},"step_share":{"$ref":"#/components/schemas/Share","description":"Of those at the step before."},"median_seconds":{"type":"number","minimum":0,"description":"From the step before; missing at the first, and where nobody came."}}}},"median_seconds":{"type":"number","minimum":0,"description":"Of whole ways; missing where there is none."}}
},
"RevenueAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","currencies"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"users":{"$ref":"#/components/schemas/Count","description":"Different people of the range, buyers or not. Like `buyers`, `arpu` and `arppu` it is left out where events of the range are gone by retention: money was counted as it came in, people of those days cannot be."},"currencies":{"type":"array","items":{"type":"object","required":["currency","gross","refunds","net","purchase_count","refund_count","points"],"additionalProperties":false,"properties":{"currency":{"$ref":"#/components/schemas/Currency"},"gross":{"$ref":"#/components/schemas/Decimal"},"refunds":{"$ref":"#/components/schemas/Decimal"},"net":{"$ref":"#/components/schemas/Decimal"},"purchase_count":{"$ref":"#/components/schemas/Count"},"refund_count":{"$ref":"#/components/schemas/Count"},"buyers":{"$ref":"#/components/schemas/Count"},"arpu":{"$ref":"#/components/schemas/Decimal","description":"Net for each of `users`."},"arppu":{"$ref":"#/components/schemas/Decimal","description":"Net for each of `buyers`."},"points":{"type":"array","minItems":1,"maxItems":11000,"items":{"type":"object","required":["t","gross","refunds","net"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"Where the bucket begins."},"gross":{"$ref":"#/components/schemas/Decimal"},"refunds":{"$ref":"#/components/schemas/Decimal"},"net":{"$ref":"#/components/schemas/Decimal"}}}}}}}}
},
"SessionsAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","points","total"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"type":"array","minItems":1,"maxItems":11000,"items":{"type":"object","required":["t","sessions","users","median_seconds","p90_seconds","engaged","engaged_share","per_user"],"additionalProperties":false,"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"users":{"$ref":"#/components/schemas/Count"},"median_seconds":{"type":"number","minimum":0},"p90_seconds":{"type":"number","minimum":0},"engaged":{"$ref":"#/components/schemas/Count","description":"Those of more than 10 s, at least two screens or a purchase."},"engaged_share":{"$ref":"#/components/schemas/Share"},"per_user":{"type":"number","minimum":0},"t":{"type":"string","format":"date-time","description":"Where the bucket begins."}}}},"total":{"type":"object","required":["sessions","users","median_seconds","p90_seconds","engaged","engaged_share","per_user"],"additionalProperties":false,"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"users":{"$ref":"#/components/schemas/Count"},"median_seconds":{"type":"number","minimum":0},"p90_seconds":{"type":"number","minimum":0},"engaged":{"$ref":"#/components/schemas/Count","description":"Those of more than 10 s, at least two screens or a purchase."},"engaged_share":{"$ref":"#/components/schemas/Share"},"per_user":{"type":"number","minimum":0}}}}
},
"CrashFreeFigures":{
"type":"object",
"required":["sessions","crashed_sessions","users","crashed_users"],
"unevaluatedProperties":false,
"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"crashed_sessions":{"$ref":"#/components/schemas/Count"},"crash_free_sessions":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing where there was no session."},"users":{"$ref":"#/components/schemas/Count"},"crashed_users":{"$ref":"#/components/schemas/Count"},"crash_free_users":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing where there was nobody."}}
},
"CrashFreePoints":{
"type":"array",
"minItems":1,
"maxItems":11000,
"items":{"type":"object","required":["t","sessions","crashed_sessions","users","crashed_users"],"additionalProperties":false,"properties":{"sessions":{"$ref":"#/components/schemas/Count"},"crashed_sessions":{"$ref":"#/components/schemas/Count"},"crash_free_sessions":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing where there was no session."},"users":{"$ref":"#/components/schemas/Count"},"crashed_users":{"$ref":"#/components/schemas/Count"},"crash_free_users":{"type":"number","minimum":0,"maximum":1,"description":"Rounded down to six decimals; missing where there was nobody."},"t":{"type":"string","format":"date-time","description":"Where the bucket begins."}}}
},
"CrashFreeAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","points","total","releases"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"$ref":"#/components/schemas/CrashFreePoints"},"total":{"$ref":"#/components/schemas/CrashFreeFigures"},"releases":{"type":"array","maxItems":100,"items":{"type":"object","required":["adoption","user_adoption","total","points"],"additionalProperties":false,"properties":{"release":{"type":"string","description":"Missing of the sessions that name none."},"adoption":{"$ref":"#/components/schemas/Share","description":"Its share of all sessions."},"user_adoption":{"$ref":"#/components/schemas/Share","description":"The share of people who had one with it."},"total":{"$ref":"#/components/schemas/CrashFreeFigures"},"points":{"$ref":"#/components/schemas/CrashFreePoints"}}}}}
},
"LifecycleAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","points"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"points":{"type":"array","minItems":1,"maxItems":400,"items":{"type":"object","required":["t","new","returning","resurrecting","dormant"],"additionalProperties":false,"properties":{"t":{"type":"string","format":"date-time","description":"Where the bucket begins."},"new":{"$ref":"#/components/schemas/Count","description":"There for the first time ever."},"returning":{"$ref":"#/components/schemas/Count","description":"There now and in the bucket before."},"resurrecting":{"$ref":"#/components/schemas/Count","description":"There now and earlier, but not in the bucket before."},"dormant":{"$ref":"#/components/schemas/Count","description":"Not there now, but in the bucket before."}}}}}
},
"RealtimeAnswer":{
"type":"object",
"required":["from","to","tz","complete","source","events","users","users_since","points","top_events","top_screens"],
"additionalProperties":false,
"properties":{"from":{"type":"string","format":"date-time","description":"Where the first bucket begins."},"to":{"type":"string","format":"date-time","description":"Where the last one ends."},"tz":{"type":"string"},"complete":{"type":"boolean","description":"Whether the last bucket is over."},"source":{"$ref":"#/components/schemas/AnswerSource"},"events":{"$ref":"#/components/schemas/Count"},"users":{"$ref":"#/components/schemas/Count","description":"Different people since `users_since`."},"users_since":{"type":"string","format":"date-time","description":"The beginning of the quarter-hour in which the thirty minutes begin."},"points":{"type":"array","minItems":30,"maxItems":30,"items":{"$ref":"#/components/schemas/Point"}},"top_events":{"type":"array","maxItems":100,"items":{"type":"object","required":["name","count"],"additionalProperties":false,"properties":{"name":{"type":"string"},"count":{"$ref":"#/components/schemas/Count"}}}},"top_screens":{"type":"array","maxItems":100,"items":{"type":"object","required":["name","count"],"additionalProperties":false,"properties":{"name":{"type":"string"},"count":{"$ref":"#/components/schemas/Count"}}}}}
},
"System":{
"type":"object",
"required":["version","uptime_seconds","ready","reasons","connections","events","commits","queue","wal_bytes","free_disk_bytes","main_bytes","messages_bytes","crashes_bytes","partitions","reads_dwarf"],
"additionalProperties":false,
"properties":{"version":{"type":"string"},"uptime_seconds":{"type":"integer","minimum":0},"ready":{"type":"boolean"},"reasons":{"type":"array","items":{"type":"string"},"description":"Why events would not be taken in."},"connections":{"type":"integer","minimum":0},"events":{"type":"object","required":["accepted","duplicates","quarantined","last_seq","per_second"],"additionalProperties":false,"properties":{"accepted":{"type":"integer","minimum":0},"duplicates":{"type":"integer","minimum":0},"quarantined":{"type":"integer","minimum":0},"last_seq":{"type":"integer","minimum":0,"description":"The newest number given, to an event or a quarantined one."},"per_second":{"type":"number","minimum":0,"description":"Events accepted a second, over the last minute."}}},"commits":{"type":"object","required":["count","failed","mean_milliseconds","p50_milliseconds","p99_milliseconds"],"additionalProperties":false,"properties":{"count":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"mean_milliseconds":{"type":"integer","minimum":0},"p50_milliseconds":{"type":"number","minimum":0,"description":"Half of the commits since the start took no longer; from a histogram."},"p99_milliseconds":{"type":"number","minimum":0}}},"queue":{"type":"object","required":["events","bytes","refused"],"additionalProperties":false,"properties":{"events":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0},"refused":{"type":"integer","minimum":0,"description":"Requests turned away because it was full."}}},"wal_bytes":{"type":"integer","minimum":0},"free_disk_bytes":{"type":"integer","minimum":0},"main_bytes":{"type":"integer","minimum":0},"messages_bytes":{"type":"integer","minimum":0,"description":"Registrations, topics, messages and deliveries."},"crashes_bytes":{"type":"integer","minimum":0,"description":"Issues, crashes and their reports, without symbol files."},"reads_dwarf":{"type":"boolean","description":"Whether `llvm-symbolizer` is there; without it stacks stay as they came where only Breakpad's symbols do not help."},"partitions":{"type":"array","description":"The days of receipt that have a file.","items":{"type":"object","required":["day","bytes"],"additionalProperties":false,"properties":{"day":{"type":"string","format":"date"},"bytes":{"type":"integer","minimum":0}}}}}
},
"Cursor":{
"type":"string",
"pattern":"^[0-9]+$",
"description":"There may be more; send this back as `after`."
},
"Token":{
"type":"string",
"minLength":8,
"maxLength":2048,
"pattern":"^[!-~]+$",
"description":"Names a device and opens it to whoever has it."
},
"Tokens":{
"type":"array",
"minItems":1,
"maxItems":1000,
"items":{"$ref":"#/components/schemas/Token"}
},
"MaskedToken":{
"type":"string",
"description":"To keys of the role `read` only its ends are told, with `…` between them."
},
"TopicName":{
"type":"string",
"description":"FCM's rule. The daemon's own begin with `$`: `$alerts.crashes`, `$alerts.delivery`, `$alerts.ingest` and `$alerts.system`; subscribing to them\ntakes a send or admin key, and nobody publishes to them.\n",
"pattern":"^([a-zA-Z0-9_.~%-]{1,900}|\\$alerts\\.(crashes|delivery|ingest|system))$",
"examples":["news","weather.berlin"]
},
"SigningScheme":{
"description":"`v1` signs with HMAC-SHA256 over a shared secret, `v1a` with Ed25519, whose public key is told.",
"enum":["v1","v1a"],
"default":"v1"
},
"WebhookSecret":{
"type":"string",
"description":"What signatures are checked with: `whsec_` and a shared secret, or of the scheme `v1a` `whpk_` and a public key; base 64 behind either. Told once.",
"pattern":"^wh(sec|pk)_[A-Za-z0-9+/]+=*$"
},
"NewEndpoint":{
"oneOf":[{"type":"object","required":["type"],"additionalProperties":false,"properties":{"type":{"const":"stream"}}},{"type":"object","required":["type","url"],"additionalProperties":false,"properties":{"type":{"const":"webhook"},"url":{"type":"string","format":"uri","maxLength":2048,"description":"Absolute, http or https, without user, password or fragment."},"secret":{"type":"string","description":"The receiver's own: `whsec_` and the base 64 of 24 to 64 random bytes, or `whsk_` and that of an Ed25519 key. Without it one is made, or the app's signs."},"scheme":{"$ref":"#/components/schemas/SigningScheme","description":"How a secret that is made signs; not beside `secret`."}}}]
},
"DeviceChange":{
"type":"object",
"additionalProperties":false,
"properties":{"token":{"$ref":"#/components/schemas/Token"},"kind":{"enum":["own","fid","token"],"description":"Whose the token is: the daemon's own, a Firebase installation id, or another service's."},"installation_id":{"type":"string","minLength":1,"maxLength":256},"user_id":{"type":["string","null"],"minLength":1,"maxLength":256,"description":"Whose it is; null makes it nobody's again."},"platform":{"enum":["ios","android","macos","web","linux","windows","server"]},"endpoint":{"$ref":"#/components/schemas/NewEndpoint"},"app_version":{"type":"string","minLength":1,"maxLength":100}}
},
"NewDevice":{
"type":"object",
"description":"A new one needs `platform` and `endpoint`. Without `token` one is made.",
"additionalProperties":false,
"properties":{"token":{"$ref":"#/components/schemas/Token"},"kind":{"enum":["own","fid","token"],"description":"Whose the token is: the daemon's own, a Firebase installation id, or another service's."},"installation_id":{"type":"string","minLength":1,"maxLength":256},"user_id":{"type":["string","null"],"minLength":1,"maxLength":256,"description":"Whose it is; null makes it nobody's again."},"platform":{"enum":["ios","android","macos","web","linux","windows","server"]},"endpoint":{"$ref":"#/components/schemas/NewEndpoint"},"app_version":{"type":"string","minLength":1,"maxLength":100}}
},
"Registered":{
"type":"object",
"required":["token","state"],
"additionalProperties":false,
"properties":{"token":{"$ref":"#/components/schemas/Token"},"secret":{"$ref":"#/components/schemas/WebhookSecret"},"state":{"$ref":"#/components/schemas/DeviceState"}}
},
"DeviceState":{
"description":"`pending`: its endpoint has yet to prove that it wants messages; they wait. `refused`: it did not. `disabled`: for days nothing could be\ndelivered. Of these two, messages reach a device again once it is registered anew.\n",
"enum":["active","pending","disabled","refused"]
},
"Device":{
"type":"object",
"required":["token","kind","platform","endpoint","state","stale","created_at","seen_at"],
"properties":{"token":{"$ref":"#/components/schemas/MaskedToken"},"kind":{"enum":["own","fid","token"]},"installation_id":{"type":"string"},"user_id":{"type":"string"},"platform":{"enum":["ios","android","macos","web","linux","windows","server"]},"endpoint":{"type":"object","required":["type"],"additionalProperties":false,"properties":{"type":{"enum":["webhook","stream"]},"url":{"type":"string","description":"Of a webhook; to keys of the role `read` scheme, host and port only."}}},"app_version":{"type":"string"},"state":{"$ref":"#/components/schemas/DeviceState"},"stale":{"type":"boolean","description":"Whether nobody has heard of it for long. It gets messages all the same."},"created_at":{"type":"string","format":"date-time"},"seen_at":{"type":"string","format":"date-time","description":"When it was last registered or changed, or read its stream."},"failing_since":{"type":"string","format":"date-time","description":"Since when nothing could be delivered."}}
},
"Topic":{
"type":"object",
"required":["topic","subscribers","created_at"],
"additionalProperties":false,
"properties":{"topic":{"$ref":"#/components/schemas/TopicName"},"subscribers":{"type":"integer","minimum":0},"created_at":{"type":"string","format":"date-time"}}
},
"NewMessage":{
"type":"object",
"description":"One of `topic`, `token`, `tokens` and `condition`; and `notification`, `data` or both, which as compact JSON may have 4,096 bytes together.\n",
"oneOf":[{"required":["topic"]},{"required":["token"]},{"required":["tokens"]},{"required":["condition"]}],
"anyOf":[{"required":["notification"]},{"required":["data"]}],
"additionalProperties":false,
"properties":{"topic":{"$ref":"#/components/schemas/TopicName"},"token":{"$ref":"#/components/schemas/Token"},"tokens":{"$ref":"#/components/schemas/Tokens"},"condition":{"type":"string","maxLength":5000,"description":"Topics as `'name' in topics` with `&&`, `||`, `!` and parentheses; at most five, and `&&` beside `||` only with parentheses. It is asked of\nevery device, also of those without any topic.\n","examples":["('news' in topics || 'weather' in topics) && !('sport' in topics)"]},"notification":{"type":"object","description":"What a person is shown.","minProperties":1,"additionalProperties":false,"properties":{"title":{"type":"string"},"body":{"type":"string"},"image":{"type":"string"}}},"data":{"type":"object","description":"What a program is told. FCM's reserved keys are refused: `from`, `message_type`, `gcm`, and all that begins with `google` or `gcm.notification.`.","additionalProperties":{"type":"string"}},"platform":{"type":"object","description":"What only some platforms understand, for receivers to interpret; handed on as it is. At most 12,288 bytes as compact JSON."},"ttl":{"description":"Seconds for which it is tried, also as text such as `3600s`; 0 is now or never.","default":2419200,"oneOf":[{"type":"integer","minimum":0,"maximum":2419200},{"type":"string","pattern":"^[0-9]+s$"}]},"collapse_key":{"type":"string","minLength":1,"maxLength":64,"description":"Of messages with the same one that still wait, a device gets the newest."},"priority":{"enum":["normal","high"],"default":"normal"},"send_at":{"description":"RFC 3339, in UTC where it names no offset, or a number since 1970 as in events. At most 30 days ahead; one that is past is now.","type":["string","number"],"examples":["2026-12-01T08:00:00Z"]},"label":{"type":"string","pattern":"^[a-zA-Z0-9_.~%-]{1,50}$","description":"A campaign's name."},"validate_only":{"type":"boolean","default":false,"description":"Checks, counts, and keeps nothing: the id is `validated`."}}
},
"Message":{
"type":"object",
"required":["id","target","priority","stage","created_at","expires_at","audience","counts"],
"properties":{"id":{"type":"string","pattern":"^msg_[0-9A-Za-z]+$"},"target":{"type":"object","minProperties":1,"maxProperties":1,"additionalProperties":false,"properties":{"topic":{"type":"string"},"condition":{"type":"string","description":"In one spelling: needless blanks and parentheses are gone."},"tokens":{"type":"integer","minimum":0,"description":"How many of the tokens it was sent to reached a device."}}},"notification":{"type":"object"},"data":{"type":"object","additionalProperties":{"type":"string"}},"platform":{"type":"object"},"text":{"type":"string","description":"Of the daemon's own messages, a sentence about them."},"label":{"type":"string"},"collapse_key":{"type":"string"},"priority":{"enum":["normal","high"]},"stage":{"description":"`scheduled`: waits for `send_at`. `spreading`: its deliveries are being made. `spread`: each of its devices has one. `cancelling`, `cancelled`:\nit was called back. `over`: it has expired.\n","enum":["scheduled","spreading","cancelling","spread","cancelled","over"]},"created_at":{"type":"string","format":"date-time"},"send_at":{"type":"string","format":"date-time"},"sent_at":{"type":"string","format":"date-time","description":"When its audience was fixed; missing while it is scheduled, and for good where it was called back before."},"expires_at":{"type":"string","format":"date-time"},"audience":{"type":"integer","minimum":0,"description":"How many devices it was for when it was sent."},"counts":{"type":"object","description":"How many of its deliveries are in each state; states without any are left out.","propertyNames":{"$ref":"#/components/schemas/DeliveryState"},"additionalProperties":{"type":"integer","minimum":1}}}
},
"DeliveryState":{
"description":"`pending`: waits for its turn or its reader. `sending`: being posted. `sent`: written to a stream and not acknowledged yet. `retrying`: waits for\nthe next attempt. `delivered`. `dead`: every attempt failed. `expired`: its time to live is over. `cancelled`: called back, or replaced by a\nnewer one of the same collapse key. `removed`: the device went first.\n",
"enum":["pending","sending","sent","retrying","delivered","dead","expired","cancelled","removed"]
},
"Delivery":{
"type":"object",
"required":["id","message","state","tries","changed_at","attempts"],
"additionalProperties":false,
"properties":{"id":{"type":"string","pattern":"^msg_[0-9A-Za-z]+_[0-9]+$","description":"The same over all attempts and redrives; receivers know it as `webhook-id`."},"message":{"type":"string"},"token":{"$ref":"#/components/schemas/MaskedToken","description":"Missing where the device is gone."},"url":{"type":"string","description":"Of a webhook; to keys of the role `read` scheme, host and port only."},"state":{"$ref":"#/components/schemas/DeliveryState"},"tries":{"type":"integer","minimum":0,"description":"Attempts since it was made or redriven."},"due_at":{"type":"string","format":"date-time","description":"When it is tried next."},"changed_at":{"type":"string","format":"date-time"},"attempts":{"$ref":"#/components/schemas/Attempts","description":"In a list the last ten with 200 bytes of each answer, of one delivery the last hundred."}}
},
"Attempts":{
"type":"array",
"description":"Attempts at a webhook, the newest last.",
"items":{"type":"object","required":["at","milliseconds"],"additionalProperties":false,"properties":{"at":{"type":"string","format":"date-time"},"milliseconds":{"type":"integer","minimum":0},"status":{"type":"integer","minimum":100,"maximum":999,"description":"Missing where no answer came."},"error":{"type":"string","description":"A stable word where none came or it was not taken, such as `timed_out`."},"response":{"type":"string","description":"The first 4 KiB of the answer as far as they are UTF-8."}}}
},
"App":{
"type":"object",
"required":["app","name","created_at","settings"],
"properties":{"app":{"type":"integer","minimum":1},"name":{"type":"string"},"created_at":{"type":"string","format":"date-time"},"settings":{"allOf":[{"$ref":"#/components/schemas/Settings"}],"required":["tz","retention_days","lateness_hours","session_timeout_seconds","client_webhooks","private_params","events_per_minute","name_length","params","param_name_length","value_length","items","user_properties","user_property_name_length","user_property_value_length","event_names"]}}
},
"AppName":{
"type":"object",
"required":["name"],
"additionalProperties":false,
"properties":{"name":{"type":"string","minLength":1,"maxLength":64,"description":"Printable, without blanks at its ends, not just a number, and not another app's in upper or lower case.\n"}}
},
"Settings":{
"type":"object",
"description":"The settings of an app, with what a new one starts with. At the doors of Segment and PostHog `event_names` counts of the limits; the others are fixed there.",
"additionalProperties":false,
"properties":{"tz":{"type":"string","default":"UTC","description":"The IANA time zone of the app's days."},"retention_days":{"type":"integer","minimum":1,"maximum":3650,"default":90,"description":"Days for which raw events are kept."},"lateness_hours":{"type":"integer","minimum":1,"maximum":72,"default":72,"description":"Hours after which an event counts as late."},"session_timeout_seconds":{"type":"integer","minimum":1,"maximum":86400,"default":1800,"description":"Seconds without an event that end a session."},"client_webhooks":{"type":"boolean","default":false,"description":"Whether ingest keys may register webhook endpoints."},"private_params":{"type":"array","description":"Parameters that anonymising removes; together at most 4,096 bytes.","default":[],"maxItems":100,"items":{"$ref":"#/components/schemas/ListedText"}},"events_per_minute":{"type":"integer","minimum":0,"maximum":100000000,"default":0,"description":"Events a minute that one ingest key may send; 0 is unlimited."},"name_length":{"type":"integer","minimum":1,"maximum":200,"default":40,"description":"Characters of an event name."},"params":{"type":"integer","minimum":1,"maximum":256,"default":25,"description":"Parameters of an event."},"param_name_length":{"type":"integer","minimum":1,"maximum":200,"default":40,"description":"Characters of a parameter name."},"value_length":{"type":"integer","minimum":1,"maximum":8192,"default":100,"description":"Characters of a parameter value."},"items":{"type":"integer","minimum":1,"maximum":1000,"default":200,"description":"Items of a purchase."},"user_properties":{"type":"integer","minimum":1,"maximum":256,"default":25,"description":"Properties of a user in one request."},"user_property_name_length":{"type":"integer","minimum":1,"maximum":200,"default":24,"description":"Characters of a user property's name."},"user_property_value_length":{"type":"integer","minimum":1,"maximum":8192,"default":36,"description":"Characters of a user property's value."},"event_names":{"type":"integer","minimum":1,"maximum":100000,"default":2000,"description":"Different event names in a day."}}
},
"SettingsChange":{
"description":"The settings to change; those not named stay. Numbers, booleans and lists may also be sent as text, lists with commas.",
"allOf":[{"$ref":"#/components/schemas/Settings"}],
"minProperties":1
},
"Key":{
"type":"object",
"required":["id","app","role","label","hint","created_at","bundle_ids","origins","events_per_minute"],
"additionalProperties":false,
"properties":{"id":{"type":"integer","minimum":1},"app":{"type":"integer","minimum":1},"role":{"enum":["ingest","read","send","admin"]},"label":{"type":"string"},"hint":{"type":"string","description":"How the key begins and ends."},"key":{"$ref":"#/components/schemas/Secret"},"dsn":{"type":"string","format":"uri","description":"Of an ingest key: what a Sentry SDK is given, with the address that this daemon listens on, or `localhost` where it listens on a socket file."},"created_at":{"type":"string","format":"date-time"},"bundle_ids":{"type":"array","items":{"type":"string"}},"origins":{"type":"array","items":{"type":"string"}},"events_per_minute":{"type":"integer","minimum":0},"service_account":{"type":"object","description":"What goes into a service account's file beside its private key.","required":["project_id","private_key_id","client_email","client_id","token_uri"],"additionalProperties":false,"properties":{"project_id":{"type":"string"},"private_key_id":{"type":"string"},"client_email":{"type":"string"},"client_id":{"type":"string"},"token_uri":{"type":"string"}}}}
},
"NewKey":{
"type":"object",
"required":["role"],
"additionalProperties":false,
"properties":{"role":{"enum":["ingest","read","send","admin"]},"label":{"type":"string","maxLength":100,"default":""},"bundle_ids":{"type":"array","description":"Only requests with one of these as `X-Bundle-Id` may use the key.","maxItems":100,"items":{"$ref":"#/components/schemas/ListedText"}},"origins":{"type":"array","description":"Of web pages, only those of these origins may use the key.","maxItems":100,"items":{"$ref":"#/components/schemas/ListedText"}},"events_per_minute":{"type":"integer","minimum":0,"maximum":100000000,"default":0,"description":"0 leaves it to the app's setting."},"service_account":{"type":"object","description":"Makes the key a service account, for the role `send`. It has no text; who holds the private key is given access tokens at `/token`.","required":["public_key"],"additionalProperties":false,"properties":{"public_key":{"type":"string","maxLength":2048,"description":"RSA of 2,048 to 4,096 bits: base 64 of DER (SubjectPublicKeyInfo)."},"token_uri":{"type":"string","format":"uri","pattern":"^http","maxLength":2048,"description":"`/token` as clients reach it; by default where the daemon listens, or at `localhost` where that is a socket file."}}}}
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
"ListedText":{
"type":"string",
"minLength":1,
"maxLength":256,
"pattern":"^[^,]*$",
"description":"At most 256 bytes."
},
"Secret":{
"type":"string",
"pattern":"^sb_(ingest|read|send|admin)_[0-9A-Za-z]+$",
"maxLength":64
},
"Problem":{
"type":"object",
"description":"Why something was not done (RFC 9457).",
"required":["type","title","status","code","detail"],
"additionalProperties":false,
"properties":{"type":{"const":"about:blank"},"title":{"type":"string","description":"The same for every problem of a code."},"status":{"type":"integer"},"code":{"description":"Stable; what programs should look at.","enum":["bad_request","invalid_json","unauthorized","forbidden","not_found","unregistered","method_not_allowed","slow_client","conflict","too_large","uri_too_long","unsupported_media_type","misdirected_request","invalid","headers_too_large","rate_limited","overloaded","internal_error","not_implemented","draining","storage_full","storage_failed","version_not_supported"]},"detail":{"type":"string","description":"What is wrong with this request."},"hint":{"type":"string","description":"What to do about it."},"errors":{"type":"array","minItems":1,"items":{"type":"object","required":["field","code","message"],"additionalProperties":false,"properties":{"field":{"type":"string"},"code":{"type":"string"},"message":{"type":"string"}}}}},
"example":{"type":"about:blank","title":"Something in the request is wrong","status":422,"code":"invalid","detail":"limit must be a whole number from 1 to 1000.","errors":[{"field":"limit","code":"out_of_range","message":"must be a whole number from 1 to 1000"}]}
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
"properties":{"url":{"type":"string"},"chunkSize":{"type":"integer","minimum":1,"description":"A power of two."},"chunksPerRequest":{"type":"integer","minimum":1},"maxFileSize":{"type":"integer","minimum":1},"maxRequestSize":{"type":"integer","minimum":1},"concurrency":{"type":"integer","minimum":1},"hashAlgorithm":{"const":"sha1"},"compression":{"type":"array","items":{"const":"gzip"}},"accept":{"type":"array","items":{"const":"debug_files"}}}
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
"description":"Everything is on the disk.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["success"],"additionalProperties":false,"properties":{"success":{"const":true}}}}}
},
"GoogleRefusal":{
"description":"A refusal as Google's APIs word it. What is 429 or 503 has `Retry-After`; for want of room it is always 429, since clients repeat a 503 by themselves.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/GoogleError"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"InstanceIDRefusal":{
"description":"A refusal in one word.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["error"],"additionalProperties":false,"properties":{"error":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"SegmentRefusal":{
"description":"A refusal, in the words that Segment's SDKs read; as a problem where it was refused before its route was found.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["success","code","message"],"additionalProperties":false,"properties":{"success":{"const":false},"code":{"type":"string"},"message":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"PostHogDone":{
"description":"Everything is on the disk.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"const":1}}}}}
},
"PostHogResults":{
"description":"What became of each event, by its `uuid`.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["results"],"additionalProperties":false,"properties":{"results":{"type":"object","additionalProperties":{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":{"enum":["ok","warning","drop"],"description":"Kept, kept but for a part, or quarantined."},"details":{"type":"string","description":"The code of the reason."}}}}}}}}
},
"PostHogFlags":{
"description":"No flag is on.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["flags","errorsWhileComputingFlags"],"properties":{"flags":{"type":"object","maxProperties":0},"errorsWhileComputingFlags":{"const":false}}}}}
},
"PostHogConfiguration":{
"description":"Nothing is switched on.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["supportedCompression"],"properties":{"supportedCompression":{"type":"array","items":{"type":"string"}}}}}}
},
"PostHogRefusal":{
"description":"A refusal, in the words that PostHog's SDKs read; as a problem where it was refused before its route was found.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["type","code","detail","error","error_description"],"additionalProperties":false,"properties":{"type":{"type":"string"},"code":{"type":"string"},"detail":{"type":"string"},"error":{"type":"string"},"error_description":{"type":"string"}}}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"MeasurementMessages":{
"description":"The findings; none where all is well.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["validationMessages"],"additionalProperties":false,"properties":{"validationMessages":{"type":"array","items":{"type":"object","required":["fieldPath","description","validationCode"],"additionalProperties":false,"properties":{"fieldPath":{"type":"string"},"description":{"type":"string"},"validationCode":{"enum":["VALUE_INVALID","VALUE_REQUIRED","NAME_INVALID","NAME_RESERVED","VALUE_OUT_OF_BOUNDS","EXCEEDED_MAX_ENTITIES","NAME_DUPLICATED"]}}}}}},"example":{"validationMessages":[{"fieldPath":"events[0].name","description":"events[0] has a name that is not taken: Is reserved.","validationCode":"NAME_RESERVED"}]}}}
},
"Outcome":{
"description":"Everything is on the disk, except from `/v1/debug/events`, which stores nothing.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Outcome"},"example":{"accepted":2,"duplicates":1,"quarantined":0,"results":[{"index":1,"result":"corrected","code":"value_too_long","number":4,"field":"params.text","message":"Has more than 100 characters."},{"index":2,"id":"7","result":"duplicate","code":"event_duplicate","field":"id","message":"An event with this id is stored already."}]}}}
},
"App":{
"description":"The app as it is now.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/App"}],"unevaluatedProperties":false}}}
},
"Done":{
"description":"It is done.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}
},
"Devices":{
"description":"A page of them.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["items"],"additionalProperties":false,"properties":{"items":{"type":"array","maxItems":1000,"items":{"allOf":[{"$ref":"#/components/schemas/Device"}],"unevaluatedProperties":false}},"next":{"$ref":"#/components/schemas/Cursor"}}},"example":{"items":[{"token":"sbd_…Ha1Q","kind":"own","installation_id":"my-phone","platform":"ios","endpoint":{"type":"stream"},"state":"active","stale":false,"created_at":"2026-11-21T08:33:29.071Z","seen_at":"2026-11-21T08:33:29.071Z"}]}}}
},
"WebhookSecret":{
"description":"What signatures are checked with from now on.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","required":["secret"],"additionalProperties":false,"properties":{"secret":{"$ref":"#/components/schemas/WebhookSecret"}}},"example":{"secret":"whsec_Nj0VZ8yPq3WcX1sTf6uKbE5rLhMa7dQg2oCiYvJn4w4="}}}
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
"BadRequest":{
"description":"The request, its query or its body cannot be read.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":400},"code":{"enum":["bad_request","invalid_json"]}}}}}
},
"Unauthorized":{
"description":"There is no key, or none that is known.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"WWW-Authenticate":{"required":true,"schema":{"const":"Bearer"}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":401},"code":{"const":"unauthorized"}}}}}
},
"Forbidden":{
"description":"The key has another role, is restricted to other apps or pages, or is not for this topic or endpoint.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":403},"code":{"const":"forbidden"}}}}}
},
"NotFound":{
"description":"There is no such thing, or it is none of this client's business.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":404},"code":{"const":"not_found"}}}}}
},
"Unregistered":{
"description":"No device has this token, or none of those named is reached any more.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":404},"code":{"const":"unregistered"}}}}}
},
"MethodNotAllowed":{
"description":"The answer to every method that a path does not list here.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Allow":{"required":true,"description":"The methods the path takes.","schema":{"type":"string"}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":405},"code":{"const":"method_not_allowed"}}}}}
},
"SlowClient":{
"description":"The request did not arrive in time; the connection is closed.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":408},"code":{"const":"slow_client"}}}}}
},
"Conflict":{
"description":"What is asked for does not go with what is there, such as a name that is taken.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":409},"code":{"const":"conflict"}}}}}
},
"TooLarge":{
"description":"The body is too large, as it comes or decoded, or holds too many events or users.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":413},"code":{"const":"too_large"}}}}}
},
"URITooLong":{
"description":"The request line is too long.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":414},"code":{"const":"uri_too_long"}}}}}
},
"UnsupportedMediaType":{
"description":"The content coding or the type is not taken here.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":415},"code":{"const":"unsupported_media_type"}}}}}
},
"Misdirected":{
"description":"The Host header does not name this machine, which the route requires of a client without the token.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":421},"code":{"const":"misdirected_request"}}}}}
},
"Invalid":{
"description":"A parameter or a field is missing, unknown or out of its range; `errors` names it.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":422},"code":{"const":"invalid"}}}}}
},
"SentryTaken":{
"description":"Everything of it that has a place is on the disk; with the event's id where it has one.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string"}}},"example":{"id":"7fd08401fdfb4f35babf279a338aec19"}}}
},
"SentryRefusal":{
"description":"Why it is not taken, as Sentry's clients read it; as a problem where it was refused before its route was found.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryProblem"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"SentryTooMany":{
"description":"This key sends too fast, or nothing can be stored now; `X-Sentry-Rate-Limits` says in whole seconds what is to rest.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}},"X-Sentry-Rate-Limits":{"schema":{"type":"string","pattern":"^[0-9]+:[a-z;]*:[a-z]+$"}}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryProblem"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"SentryUnavailable":{
"description":"The daemon is shutting down, the disk is full, or storage failed.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/json":{"schema":{"$ref":"#/components/schemas/SentryProblem"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}
},
"TooMany":{
"description":"This key sends too fast, more is coming in than can be stored, or there are too many questions or connections at once.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":429},"code":{"enum":["rate_limited","overloaded"]}}}}}
},
"HeadersTooLarge":{
"description":"The header is too large or has too many fields.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":431},"code":{"const":"headers_too_large"}}}}}
},
"InternalError":{
"description":"Something went wrong here; the log has it under the request's id.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":500},"code":{"const":"internal_error"}}}}}
},
"NotImplemented":{
"description":"A transfer coding or method of HTTP that is not implemented.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":501},"code":{"const":"not_implemented"}}}}}
},
"Unavailable":{
"description":"The daemon is shutting down, the disk is full, or storage failed; nothing of the request was kept.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Retry-After":{"required":true,"schema":{"type":"integer","minimum":1}}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":503},"code":{"enum":["draining","storage_full","storage_failed"]}}}}}
},
"VersionNotSupported":{
"description":"Only HTTP/1.1 and HTTP/1.0 are spoken here.",
"headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}},
"content":{"application/problem+json":{"schema":{"allOf":[{"$ref":"#/components/schemas/Problem"}],"properties":{"status":{"const":505},"code":{"const":"version_not_supported"}}}}}
}
}
}
}
"""#
}
