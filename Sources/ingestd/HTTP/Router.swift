import HTTPServer
import Platform

/// Finds the row for a request, checks who asks, and says what is to happen: all before a byte of the body is read.
struct Router: Sendable {
    enum Match {
        case found(Route, [String: String])
        case wrongMethod(allowed: [HTTPMethod])
        case none
    }

    private let routes: [Route]
    /// Most requests are for a path without parameters; those are found at once.
    private let literal: [String: [Route]]

    init(_ routes: [Route] = Routes.all) {
        self.routes = routes
        literal = Dictionary(grouping: routes.filter { !$0.pattern.contains("{") }, by: \.pattern)
    }

    func match(_ method: HTTPMethod, _ path: String) -> Match {
        let candidates: [(Route, [String: String])]
        if let known = literal[path] {
            candidates = known.map { ($0, [:]) }
        } else {
            guard let parts = PercentDecoding.segments(of: path) else { return .none }
            candidates = routes.compactMap { route in route.match(parts).map { (route, $0) } }
        }
        if let hit = candidates.first(where: { $0.0.method == method || $0.0.method == .get && method == .head }) {
            return .found(hit.0, hit.1)
        }
        return candidates.isEmpty ? .none : .wrongMethod(allowed: candidates.map(\.0.method))
    }
}

/// Percent-encoding undone exactly once.
enum PercentDecoding {
    /// The decoded segments of a path; nil where an escape is broken or a segment is not UTF-8.
    static func segments(of path: String) -> [String]? {
        var out: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let text = decode(part.utf8, plusIsSpace: false) else { return nil }
            out.append(text)
        }
        return out
    }

    static func decode(_ text: Substring.UTF8View, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
