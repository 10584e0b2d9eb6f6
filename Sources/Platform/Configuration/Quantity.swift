// SPDX-License-Identifier: Apache-2.0

/// Parses and prints durations and sizes.
package enum Quantity {
    /// Parses `250ms`, `10s`, `5m`, `2h` or `30d`.
    package static func duration(_ text: String) -> Duration? {
        measure(text, durationUnits).map { .milliseconds($0) }
    }

    /// Parses `512B`, `64KiB`, `5MiB`, `1GiB`, or decimal `kB`, `MB`, `GB` into bytes.
    package static func size(_ text: String) -> Int? {
        measure(text, sizeUnits).map { Int($0) }
    }

    /// Returns the shortest text that parses to the same duration.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return write(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, durationUnits)
    }

    /// Returns the shortest text that parses to the same size.
    package static func text(size: Int) -> String {
        write(Int64(size), sizeUnits.filter { $0.worth.nonzeroBitCount == 1 })
    }

    private typealias Unit = (name: String, worth: Int64)
    /// Ascending, so that printing uses the last unit that divides.
    private static let durationUnits: [Unit] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    private static let sizeUnits: [Unit] = [
        ("B", 1), ("kB", 1_000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("GiB", 1 << 30),
    ]

    private static func measure(_ text: String, _ units: [Unit]) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text[digits.endIndex...].drop { $0 == " " }
        guard let number = Int64(digits), let unit = units.first(where: { $0.name == name }) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit.worth)
        return overflow ? nil : product
    }

    private static func write(_ amount: Int64, _ units: [Unit]) -> String {
        let unit = units.last { amount % $0.worth == 0 && amount >= $0.worth } ?? units[0]
        return "\(amount / unit.worth)\(unit.name)"
    }
}
