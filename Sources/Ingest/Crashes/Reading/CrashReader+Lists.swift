// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

extension CrashReader {
    /// Returns the entries of a list: of an array, of the array `values` of an object, or a single object.
    mutating func entries(_ place: Int?, _ field: String) -> [Int] {
        guard var place else { return [] }
        while let values = tape.value("values", of: place) { place = values }
        switch tape[place].kind {
        case .array: return Array(tape.elements(of: place))
        case .object: return hasOnlyValues(place) ? [] : [place]
        default:
            cut(.badValue, field, "Must be an array of objects.")
            return []
        }
    }

    /// Returns both ends of a list that is too long. A deep stack shows how it began and where it failed.
    func ends<Entry>(of entries: [Entry], limit: Int) -> [Entry] {
        entries.count <= limit ? entries : Array(entries.prefix(limit / 2)) + entries.suffix(limit - limit / 2)
    }

    private func hasOnlyValues(_ object: Int) -> Bool {
        tape.keys(of: object).allSatisfy { tape.isText(tape[$0], "values") }
    }
}

extension CrashReader {
    mutating func breadcrumbs(_ place: Int?) -> [Breadcrumb] {
        let all = entries(place, "breadcrumbs")
        if all.count > CrashLimits.breadcrumbs { cut("breadcrumbs", toLast: CrashLimits.breadcrumbs) }
        return all.suffix(CrashLimits.breadcrumbs).compactMap { breadcrumb($0) }
    }

    private mutating func breadcrumb(_ place: Int) -> Breadcrumb? {
        guard tape[place].kind == .object else { return nil }
        var crumb = Breadcrumb()
        crumb.time = tape.value("timestamp", of: place).flatMap { Timestamp($0, in: SourceText(tape: tape)) }.flatMap {
            $0.milliseconds < 0 ? nil : $0
        }
        crumb.type = text("type", of: place, limit: CrashLimits.typeCharacters)
        crumb.category = text("category", of: place, limit: CrashLimits.typeCharacters)
        crumb.message = text("message", of: place)
        crumb.level = text("level", of: place, limit: CrashLimits.typeCharacters)
        if let data = tape.value("data", of: place), tape[data].kind == .object, tape[data].children > 0 {
            crumb.data = self.data(data)
        }
        return crumb == Breadcrumb() ? nil : crumb
    }

    private mutating func data(_ place: Int) -> [UInt8] {
        if tape[place].count > CrashLimits.breadcrumbBytes {
            cut(.valueTooLong, "breadcrumbs.data", "Has more than \(CrashLimits.breadcrumbBytes) bytes and was omitted.")
        } else if tape.isNested(place, deeperThan: FixedLimits.valueLevels) {
            cut(.badValue, "breadcrumbs.data", "Has more than \(FixedLimits.valueLevels) levels and was omitted.")
        } else {
            return Array(tape.bytes[tape.slice(place)])
        }
        return []
    }

    /// Reads an object of names and values, or an array of pairs.
    mutating func customKeys(_ place: Int?) -> [CustomKey] {
        guard let place else { return [] }
        if tape[place].kind != .array && tape[place].kind != .object { cut(.badValue, "custom_keys", "Must be an object.") }
        var pairs: [(name: Int, value: Int)] = []
        for key in tape.keys(of: place) where pairs.count <= CrashLimits.customKeys { pairs.append((key, tape[key].next)) }
        for entry in tape.elements(of: place) where pairs.count <= CrashLimits.customKeys {
            if let pair = pair(entry) { pairs.append(pair) }
        }
        if pairs.count > CrashLimits.customKeys {
            cut(.tooManyEntries, "custom_keys", "Has more than \(CrashLimits.customKeys) entries; the first ones were kept.")
        }
        return pairs.prefix(CrashLimits.customKeys).map { CustomKey(short($0.name), tape[$0.value].kind == .null ? "" : short($0.value)) }
    }

    private func pair(_ place: Int) -> (name: Int, value: Int)? {
        guard tape[place].children == 2, tape[place].kind == .array else { return nil }
        return (place + 1, tape[place + 1].next)
    }

    private mutating func short(_ place: Int) -> String {
        let text = text(place, "custom_keys", limit: .max)
        guard text.utf8.count > CrashLimits.customKeyBytes else { return text }
        cut(.valueTooLong, "custom_keys", "Has more than \(CrashLimits.customKeyBytes) bytes; the rest was cut off.")
        return text.prefix(bytes: CrashLimits.customKeyBytes)
    }

    /// Reads a text, or lines: strings, or objects with a `message`.
    mutating func logs(_ place: Int?) -> String? {
        guard let place else { return nil }
        let whole =
            switch tape[place].kind {
            case .string: tape.lossyText(tape[place])
            case .array: lastLines(Array(tape.elements(of: place)))
            default: ""
            }
        guard whole.utf8.count > CrashLimits.logBytes else { return whole.isEmpty ? nil : whole }
        cut(.valueTooLong, "logs", "Has more than \(CrashLimits.logBytes) bytes; the end was kept.")
        return whole.suffix(bytes: CrashLimits.logBytes)
    }

    /// Returns the last lines of a log, slightly more than are kept.
    private func lastLines(_ places: [Int]) -> String {
        var lines: [String] = []
        var bytes = 0
        for place in places.reversed() where bytes <= CrashLimits.logBytes {
            let line = tape.lossyText(tape[tape.value("message", of: place) ?? place])
            lines.append(line)
            bytes += line.utf8.count + 1
        }
        return lines.reversed().joined(separator: "\n")
    }

    mutating func fingerprint(_ place: Int?) -> [String] {
        guard let place else { return [] }
        guard tape[place].kind == .array else {
            cut(.badValue, "fingerprint", "Must be an array of strings.")
            return []
        }
        if tape[place].children > CrashLimits.fingerprintParts {
            cut(.tooManyEntries, "fingerprint", "Has more than \(CrashLimits.fingerprintParts) entries; the first ones were kept.")
        }
        return tape.elements(of: place).prefix(CrashLimits.fingerprintParts).map { text($0, "fingerprint", limit: CrashLimits.nameCharacters) }
    }
}
