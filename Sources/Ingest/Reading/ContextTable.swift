// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// The values of a context in the order of `EventContext.fields`.
typealias ContextValues = InlineArray<8, ByteRange>

/// The distinct contexts of a request.
struct ContextTable {
    private(set) var all: [EventContext] = [.empty]
    private var places: [UInt64: UInt16] = [0: 0]
    private var scratch: [UInt8] = []
    private let app: AppID
    private let hash: KeyedHash

    init(app: AppID, hash: KeyedHash) {
        self.app = app
        self.hash = hash
    }

    mutating func place(of values: ContextValues, in source: SourceText) -> UInt16 {
        let key = key(of: values, in: source)
        if let place = places[key] { return place }
        let place = UInt16(clamping: all.count)
        all.append(EventContext(key: key, values: values.indices.map { values[$0] }))
        places[key] = place
        return place
    }

    /// Returns the key of the values. It hashes lengths too, so that moving a byte between fields changes the key.
    private mutating func key(of values: ContextValues, in source: SourceText) -> UInt64 {
        scratch.removeAll(keepingCapacity: true)
        var isEmpty = true
        for i in values.indices {
            let value = values[i]
            if !value.isEmpty { isEmpty = false }
            scratch.append(UInt8(truncatingIfNeeded: value.count >> 8))
            scratch.append(UInt8(truncatingIfNeeded: value.count))
            scratch.append(contentsOf: value.source == .body ? source.tape.bytes[value.range] : source.arena[value.range])
        }
        return isEmpty ? 0 : hash(.context, app: app, scratch.span)
    }
}

/// The findings about a context object.
struct ContextFindings {
    var faults: [ContextFault] = []
    var unknown = UnknownFields()

    fileprivate mutating func note(_ field: String, _ reason: Reason, _ message: String) {
        // Further faults are not listed.
        if faults.count < FixedLimits.verdictsPerEvent { faults.append(ContextFault(field: field, reason: reason, message: message)) }
    }
}

/// An invalid context value.
struct ContextFault {
    var field: String
    var reason: Reason
    var message: String
}

extension SourceText {
    /// Merges a context object into the values. Null keeps a value, and numbers count as their text.
    mutating func readContext(_ index: Int, into values: inout ContextValues) -> ContextFindings {
        var findings = ContextFindings()
        var seen = 0
        var at = index + 1
        while at < tape[index].next {
            let value = tape[at].next
            if let field = contextField(tape[at]) {
                let name = "context." + EventContext.fields[field]
                if seen & 1 << field != 0 {
                    findings.note(name, .duplicateKey, "Is a duplicate; the last value is used.")
                }
                seen |= 1 << field
                if let fault = readContextValue(value, into: &values[field]) {
                    findings.note(name, .badContext, fault)
                }
            } else {
                findings.unknown.add(tape[at])
            }
            at = tape[value].next
        }
        return findings
    }

    /// Reads a value and returns the error message if it is invalid.
    private mutating func readContextValue(_ index: Int, into range: inout ByteRange) -> String? {
        let token = tape[index]
        if token.isNumber {
            guard token.count <= FixedLimits.contextLength else { return "Must have at most \(FixedLimits.contextLength) characters." }
            range = ByteRange(offset: token.offset, count: token.count)
            return nil
        }
        switch text(index, limit: FixedLimits.contextLength) {
        case .absent: return nil
        case .text(let text): range = text
        case .wrongType: return "Must be a string or a number."
        case .tooLong: return "Must have at most \(FixedLimits.contextLength) characters."
        case .unprintable: return "Must not contain control characters or unpaired surrogates."
        }
        return nil
    }

    /// `EventContext.fields` as static strings, which are compared in place.
    private static let contextNames: [StaticString] = [
        "platform", "app_version", "build", "os_version", "device_model", "locale", "country", "environment",
    ]

    private func contextField(_ key: JSONToken) -> Int? {
        if key.escaped { return SourceText.contextNames.indices.first { tape.isText(key, SourceText.contextNames[$0]) } }
        return switch key.count {
        case 5: tape.isText(key, "build") ? 2 : nil
        case 6: tape.isText(key, "locale") ? 5 : nil
        case 7: tape.isText(key, "country") ? 6 : nil
        case 8: tape.isText(key, "platform") ? 0 : nil
        case 10: tape.isText(key, "os_version") ? 3 : nil
        case 11: tape.isText(key, "app_version") ? 1 : tape.isText(key, "environment") ? 7 : nil
        case 12: tape.isText(key, "device_model") ? 4 : nil
        default: nil
        }
    }
}
