import JSON

/// The key that stands in the body of a PostHog SDK's request.
///
/// It is around the events or in the first of them that has one: `{"api_key": "KEY", "batch": […]}`, `{"event": …, "properties": {"token": "KEY"}}`,
/// or an array of such events.
package enum PostHogKey {
    package static func find(in body: [UInt8]) -> String? {
        var scan = JSONKeyScan(body)
        let root = scan.root
        if scan.isArray(root) { return scan.first(in: root) { key(of: $1, &$0) } }
        let batch = scan.places(of: ["batch"], in: root)[0]
        return key(of: root, &scan) ?? batch.flatMap { scan.first(in: $0) { key(of: $1, &$0) } }
    }

    private static func key(of object: Int, _ scan: inout JSONKeyScan) -> String? {
        let places = scan.places(of: ["api_key", "token", "$token", "properties"], in: object)
        for i in 0..<3 { if let key = scan.text(places[i]) { return key } }
        return places[3].flatMap { scan.text(scan.places(of: ["token"], in: $0)[0]) }
    }
}
