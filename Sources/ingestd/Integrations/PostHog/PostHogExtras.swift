// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import Platform

/// Responses for PostHog features that Signalbox does not have. The SDKs then work without them.
enum PostHogExtras {
    static let routes =
        ["/flags", "/flags/", "/decide", "/decide/"].map { path in
            Route(.post, path, .integration(PostHog.key), .fixed(flags), most: mostForFlags, unwrap: PostHogBody.plain)
        }
        + [
            none(of: "surveys", at: "/api/surveys"), none(of: "earlyAccessFeatures", at: "/api/early_access_features"),
            none(of: "experiments", at: "/api/web_experiments"), none(of: "product_tours", at: "/api/product_tours"),
        ].flatMap(\.self)
        + ["/s", "/s/"].map { path in
            Route(.post, path, .integration(PostHog.key), .fixed(recording), largest: PostHog.largest, unwrap: PostHogBody.plain)
        }
        + [
            Route(.get, "/array/{token}/config", .integration(keyInPath), .fixed(configuration)),
            Route(.get, "/array/{token}/config.js", .integration(keyInPath), .fixed(configurationScript)),
        ]

    private static let keyInPath = IntegrationKey(roles: [.ingest], place: .path)

    /// Covers a user with some properties.
    private static let mostForFlags = 256 << 10

    /// Returns no feature flags; the SDK treats each as disabled.
    @Sendable private static func flags(_ call: Call) -> HTTPResponse {
        .json { json in
            json.beginObject()
            json.key("flags")
            json.raw(Array("{}".utf8)[...])
            json.key("featureFlags")
            json.raw(Array("{}".utf8)[...])
            json.key("featureFlagPayloads")
            json.raw(Array("{}".utf8)[...])
            json.field("errorsWhileComputingFlags", false)
            json.field("requestId", call.head.requestID)
            writeConfiguration(to: &json)
            json.endObject()
        }
    }

    /// Routes for lists of things that Signalbox does not have.
    private static func none(of name: String, at path: String) -> [Route] {
        [path, path + "/"].map { Route(.get, $0, .integration(PostHog.key), .fixed { _ in .json(Array("{\"\(name)\":[]}".utf8)) }) }
    }

    /// Rejects a session recording in the way that makes the SDK pause recording instead of sending again.
    @Sendable private static func recording(_ call: Call) -> HTTPResponse {
        .json(Array(#"{"status":1,"quota_limited":["recordings"]}"#.utf8))
    }

    /// Returns the remote configuration. The key is in the path.
    @Sendable private static func configuration(_ call: Call) -> HTTPResponse {
        .json { json in
            json.beginObject()
            writeConfiguration(to: &json)
            json.endObject()
        }
    }

    /// Returns the configuration as a script. Browsers load it first and fall back to the JSON above.
    @Sendable private static func configurationScript(_ call: Call) -> HTTPResponse {
        let key = call.parameter("token")
        var json = JSONWriter()
        json.beginObject()
        json.key(key)
        json.beginObject()
        json.key("config")
        json.beginObject()
        writeConfiguration(to: &json)
        json.endObject()
        json.key("siteApps")
        json.beginArray()
        json.endArray()
        json.endObject()
        json.endObject()
        let script =
            Array("window._POSTHOG_REMOTE_CONFIG = Object.assign(window._POSTHOG_REMOTE_CONFIG || {}, ".utf8) + json.bytes + Array(");\n".utf8)
        return HTTPResponse(status: 200, headers: [("Content-Type", "text/javascript; charset=utf-8")], body: script)
    }

    private static func writeConfiguration(to json: inout JSONWriter) {
        json.key("supportedCompression")
        json.raw(Array(#"["gzip","gzip-js"]"#.utf8)[...])
        for name in ["hasFeatureFlags", "sessionRecording", "surveys", "heatmaps", "autocaptureExceptions", "capturePerformance"] {
            json.field(name, false)
        }
    }
}
