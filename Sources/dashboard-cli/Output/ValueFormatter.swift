// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// Formats values for people: times in the zone of the result, durations, shares and numbers with units.
struct ValueFormatter: Sendable {
    private let zone: ZoneOffsets?

    init(in zone: ZoneOffsets?) {
        self.zone = zone
    }

    /// The name of a field as words, without its unit.
    static func heading(_ field: String) -> String {
        if field == "t" { return "" }
        let words = field.split { "._".contains($0) }
        return (words.count > 1 && words.last == "seconds" ? words.dropLast() : words).joined(separator: " ")
    }

    private static let money: Set<String> = ["gross", "refunds", "net", "arpu", "arppu"]

    static func isShare(_ field: String) -> Bool {
        field.hasPrefix("share") || field.hasSuffix("share") || field == "stickiness"
    }

    static func isMoment(_ field: String) -> Bool {
        field == "t" || field.hasSuffix("_at") || field.hasSuffix("_since")
    }

    func value(_ value: String, of field: String) -> String {
        column([value], of: field)[0]
    }

    /// Formats the values of one field.
    func column(_ values: [String], of field: String) -> [String] {
        if ValueFormatter.isMoment(field) { return moments(values) }
        // Two decimals if any value has some.
        let decimals = ValueFormatter.money.contains(field) || values.contains { $0.contains(".") } ? 2 : 0
        return values.map { number($0, of: field, decimals) }
    }

    private func number(_ value: String, of field: String, _ decimals: Int) -> String {
        if value == "null" { return "–" }
        let mark = value.hasSuffix("*") ? "*" : ""
        guard let number = Double(value.dropLast(mark.count)) else { return value }
        if ValueFormatter.isShare(field) { return Numbers.percent(number) + mark }
        if field.hasSuffix("seconds") { return Numbers.duration(seconds: Int(number)) }
        return decimals > 0 ? Numbers.decimals(number, decimals) : Numbers.grouped(number)
    }

    // MARK: Times

    /// Dates only if all times are midnights, clocks only if all are of one day. Other values stay.
    func moments(_ values: [String]) -> [String] {
        let texts = values.map { local($0) }
        let known = texts.compactMap(\.self)
        let areDays = known.allSatisfy { $0.clock == "00:00" }
        let isOneDay = known.count > 1 && known.allSatisfy { $0.day == known[0].day }
        return zip(values, texts).map { value, text in
            guard let text else { return value }
            return areDays ? text.day : isOneDay ? text.clock : "\(text.day) \(text.clock)"
        }
    }

    private func local(_ text: String) -> (day: String, clock: String)? {
        guard let time = Timestamp(rfc3339: Array(text.utf8).span) else { return nil }
        let local = (zone?.local(time) ?? time).rfc3339
        return (String(local.prefix(10)), String(local.dropFirst(11).prefix(5)))
    }

    /// A range with an exclusive end; whole days as the first and the last one.
    func range(from: String, to: String) -> String {
        guard let start = local(from), let end = local(to) else { return "\(from) – \(to)" }
        guard start.clock == "00:00", end.clock == "00:00", let time = Timestamp(rfc3339: Array(to.utf8).span) else {
            return "\(start.day) \(start.clock) – \(start.day == end.day ? "" : end.day + " ")\(end.clock)"
        }
        let last = (zone?.local(time - .hours(12)) ?? time - .hours(12)).rfc3339.prefix(10)
        return last == start.day ? start.day : "\(start.day) – \(last)"
    }
}
