// SPDX-License-Identifier: Apache-2.0

import JSON

/// The API key in the body of a PostHog request.
///
/// It is beside the events or in the first event that has one:
///
///     {"api_key": "KEY", "batch": […]}
///     {"event": …, "properties": {"token": "KEY"}}
///     [{"event": …, "api_key": "KEY"}]
package enum PostHogKey {
    package static func find(in body: [UInt8]) -> String? {
        var scan = JSONKeyScan(body)
        let root = scan.root
        if scan.isArray(root) { return scan.first(in: root) { key(of: $1, &$0) } }
        var batch: Int?
        return key(of: root, &scan, &batch) ?? batch.flatMap { scan.first(in: $0) { key(of: $1, &$0) } }
    }

    private static func key(of event: Int, _ scan: inout JSONKeyScan) -> String? {
        var none: Int?
        return key(of: event, &scan, &none)
    }

    /// Returns the key of an object, and stores the position of its events.
    private static func key(of object: Int, _ scan: inout JSONKeyScan, _ batch: inout Int?) -> String? {
        var inside: Int?
        let places = scan.places(of: ["api_key", "token", "$token", "properties", "batch"], in: object) { scan, name, place in
            if name == 3 { inside = scan.places(of: ["token"], in: place)[0] }
        }
        batch = places[4]
        for i in 0..<3 { if let key = scan.text(places[i]) { return key } }
        return scan.text(inside)
    }
}
