// SPDX-License-Identifier: Apache-2.0

/// One of the five fields of a cron expression: the values it allows.
///
///     */15   →   0 15 30 45        9-17   →   9 … 17        1,15   →   1 15        mon-fri   →   1 … 5
struct CronField: Equatable, Sendable {
    enum Kind: Int, CaseIterable {
        case minute, hour, day, month, weekday

        var range: ClosedRange<Int> {
            switch self {
            case .minute: 0...59
            case .hour: 0...23
            case .day: 1...31
            case .month: 1...12
            // Both 0 and 7 are Sunday.
            case .weekday: 0...7
            }
        }

        var names: [String] {
            switch self {
            case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
            case .weekday: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
            default: []
            }
        }
    }

    /// A bit for each value.
    private(set) var values: UInt64 = 0
    /// Whether the field begins with `*`, so that it restricts nothing beside another field for days.
    let isOpen: Bool

    init?(_ text: Substring, _ kind: Kind) {
        isOpen = text.hasPrefix("*")
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let (range, step) = CronField.part(part, kind) else { return nil }
            for value in stride(from: range.lowerBound, through: range.upperBound, by: step) { values |= 1 << UInt64(value) }
        }
        if kind == .weekday, contains(7) { values = (values | 1) & ~(1 << 7) }
    }

    func contains(_ value: Int) -> Bool { values & (1 << UInt64(value)) != 0 }

    /// Reads `*`, `5`, `1-5`, each with or without `/2`.
    private static func part(_ text: Substring, _ kind: Kind) -> (ClosedRange<Int>, step: Int)? {
        let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let step = halves.count == 1 ? 1 : number(halves[1]) ?? 0
        guard (1...59).contains(step), let first = halves.first else { return nil }
        if first == "*" { return (kind == .weekday ? 0...6 : kind.range, step) }
        let ends = first.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let from = value(ends[0], kind) else { return nil }
        if ends.count == 1 { return (from...(halves.count == 1 ? from : kind.range.upperBound), step) }
        guard let to = value(ends[1], kind), from <= to else { return nil }
        return (from...to, step)
    }

    private static func value(_ text: Substring, _ kind: Kind) -> Int? {
        if let index = kind.names.firstIndex(of: text.lowercased()) { return index + (kind == .month ? 1 : 0) }
        guard let number = number(text), kind.range.contains(number) else { return nil }
        return number
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text)
    }
}
