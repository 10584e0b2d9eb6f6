// SPDX-License-Identifier: Apache-2.0

/// A writer of the Prometheus text format.
package struct Exposition: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func header(_ name: String, _ help: String, _ type: String) {
        append("# HELP \(name) \(Exposition.escape(help, quote: false))\n# TYPE \(name) \(type)\n")
    }

    mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let pairs = labels.map { "\($0.0)=\"\(Exposition.escape($0.1, quote: true))\"" }.joined(separator: ",")
        append("\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(Exposition.text(value))\n")
    }

    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escape(_ text: String, quote: Bool) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += ["\\", "\\"]
            case "\n": out += ["\\", "n"]
            case "\"" where quote: out += ["\\", "\""]
            default: out.append(scalar)
            }
        }
        return String(out)
    }

    private mutating func append(_ text: String) {
        bytes += text.utf8
    }
}
