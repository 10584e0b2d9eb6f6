// SPDX-License-Identifier: Apache-2.0

import HTTPServer

/// Conditions and ranges of a request for a file: the method on the first line, then fields as in a head. The result does not depend on how a
/// list is split into fields, and a part lies inside the file.
enum FileRequests {
    private static let names = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"]
    private static let now = 1_790_000_000

    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var fields: [String: [String]] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = names.first(where: { $0 == parts[0] }) else { continue }
            fields[name, default: []].append(String(parts[1]))
        }
        let method: HTTPMethod = lines[0] == "PUT" ? .put : lines[0] == "HEAD" ? .head : .get
        conditions(FileConditions(method: method, now: now) { fields[$0] ?? [] }, method)
        for values in fields.values { tags(values) }
        for value in fields["Range"] ?? [] { ranges(value) }
        for value in fields.values.joined() { date(value) }
    }

    private static func conditions(_ conditions: FileConditions, _ method: HTTPMethod) {
        let current = FileValidators(tag: EntityTag("a"), modified: 784_111_777)
        let outcome = conditions.outcome(for: current)
        require(outcome != .notModified || method != .put, "304 to a change")
        require(conditions.outcome(for: nil) != .notModified, "304 without a file")
        for size in [0, 1, 10, .max] {
            switch conditions.delivery(of: size, for: current) {
            case .failed: require(outcome == .failed, "412 although the conditions are met")
            case .notModified: require(outcome == .notModified, "304 although the conditions are met")
            case .whole: require(outcome == .met, "the whole file in spite of \(outcome)")
            case .part(let part):
                require(outcome == .met && method == .get, "a part in spite of \(outcome)")
                require(part.length <= size && part.offset <= size - part.length, "\(part) of \(size) bytes")
            case .unsatisfiable: require(outcome == .met && method == .get, "416 in spite of \(outcome)")
            }
        }
    }

    private static func ranges(_ value: String) {
        for size in [0, 1, 2, 100, .max] {
            guard case .part(let part) = RangeSelection(value, size: size) else { continue }
            accepted()
            let printed = "bytes=\(part.offset)-\(part.offset + part.length - 1)"
            require(RangeSelection(printed, size: size) == .part(part), "\(value) is \(printed) of \(size) bytes")
        }
    }

    private static func tags(_ values: [String]) {
        guard case .tags(let tags) = EntityTagList(values) else { return }
        accepted()
        require(EntityTagList([values.joined(separator: ",")]) == .tags(tags), "a list that depends on its fields: \(values)")
        require(EntityTagList(tags.map(\.text)) == .tags(tags), "tags that changed: \(values)")
    }

    private static func date(_ value: String) {
        guard let seconds = HTTPDate.seconds(of: value, now: now) else { return }
        accepted()
        require(HTTPDate.seconds(of: HTTPDate.text(seconds), now: now) == seconds, "a date that changed: \(value)")
    }
}
