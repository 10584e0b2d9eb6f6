// SPDX-License-Identifier: Apache-2.0

/// Formats numbers for quick reading.
package enum Numbers {
    /// Returns all digits in groups of three up to a hundred thousand, above that three digits and a unit.
    package static func short(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let size = abs(value)
        if size < 100_000 { return size == size.rounded() || size >= 100 ? grouped(value) : decimals(value, 1) }
        let units: [(Double, String)] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
        // A value that rounds to a thousand of a unit becomes one of the next unit.
        let (unit, name) = units.first { size >= $0.0 * 0.9995 } ?? (1, "")
        return size / unit < 100 ? decimals(value / unit, 1) + name : grouped(value / unit) + name
    }

    package static func short(_ value: Int) -> String { short(Double(value)) }

    /// Returns a dash for an unknown value.
    package static func short(_ value: Double?) -> String { value.map { short($0) } ?? "–" }

    /// Returns as many digits as fit: `12,345`, `12.3k`, `12k`.
    package static func short(_ value: Double, within width: Int) -> String {
        let full = short(value)
        guard full.width > width, abs(value) >= 1_000, abs(value) < 1e6 else { return full }
        let brief = decimals(value / 1_000, 1) + "k"
        return brief.width <= width ? brief : grouped(value / 1_000) + "k"
    }

    /// `1.5 GiB`.
    package static func bytes(_ count: Double) -> String {
        var (value, unit) = (count, 0)
        let names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
        while value >= 1_024, unit < names.count - 1 {
            value /= 1_024
            unit += 1
        }
        return (value < 10 && unit > 0 ? decimals(value, 1) : grouped(value)) + " " + names[unit]
    }

    /// Returns the two largest units that are not zero: `3 d 4 h`, `12 min`, `7 s`.
    package static func duration(seconds: Int) -> String {
        let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")]
        var rest = max(0, seconds)
        var parts: [String] = []
        for (size, name) in units where rest >= size && parts.count < 2 {
            parts.append("\(rest / size) \(name)")
            rest %= size
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }

    package static func percent(_ share: Double) -> String {
        "\(decimals(share * 100, share < 0.0995 && share > 0 ? 1 : 0)) %"
    }

    /// Returns a time such as `4.2 ms` or `38 ms`.
    package static func milliseconds(_ value: Double) -> String { "\(decimals(value, value < 10 ? 1 : 0)) ms" }

    /// Returns a number with a fixed number of decimals.
    package static func decimals(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 1e18 else { return "\(value)" }
        let (whole, part) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(scale))
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard digits > 0 else { return sign + grouped(Double(whole)) }
        let text = String(part)
        return sign + grouped(Double(whole)) + "." + String(repeating: "0", count: digits - text.count) + text
    }

    /// Returns all digits of a whole number in groups of three.
    package static func grouped(_ value: Double) -> String {
        let digits = String(Int64(max(-9e18, min(9e18, value.rounded()))).magnitude)
        var out = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { out += "," }
            out.append(digit)
        }
        return (value.rounded() < 0 ? "−" : "") + out
    }

    /// Returns the end of an axis for a value: a round number slightly above it.
    package static func roundUp(_ value: Double) -> Double {
        guard value.isFinite, value > 1 else { return 1 }
        var unit = 1.0
        while unit * 10 < value { unit *= 10 }
        return ([1, 2, 3, 4, 5, 6, 8, 10].first { unit * $0 >= value } ?? 10) * unit
    }
}
