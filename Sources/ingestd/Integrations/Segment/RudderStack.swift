// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// Routes that only RudderStack's SDKs use. The calls themselves are Segment's.
enum RudderStack {
    static let routes = ["/sourceConfig", "/sourceConfig/"].map { Route(.get, $0, .integration(Segment.key), .fixed(configuration)) }

    /// The path of beacons, which have the key in the query.
    static let beacons = "/beacon/v1/batch"

    /// Returns the configuration that SDKs for pages and apps request first from RudderStack's control plane: a source without destinations.
    @Sendable private static func configuration(_ call: Call) -> HTTPResponse {
        .json { json in
            json.beginObject()
            json.key("source")
            json.beginObject()
            if let app = call.caller.ownApp {
                json.field("id", String(app.id.rawValue))
                json.field("name", app.name)
            }
            json.field("enabled", true)
            json.key("config")
            json.raw(Array(#"{"statsCollection":{"errors":{"enabled":false},"metrics":{"enabled":false}}}"#.utf8)[...])
            json.key("destinations")
            json.beginArray()
            json.endArray()
            json.endObject()
            json.endObject()
        }
    }
}
