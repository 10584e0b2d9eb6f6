// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

/// Decodes an envelope. An error in it rejects the request, because it would apply to every entry.
struct EnvelopeReader {
    private let keys: IdentityKeys
    private let list: List
    private(set) var envelope = Envelope()
    private var seen: Set<String> = []

    /// The kind of list in the envelope.
    enum List: String {
        case events, crashes

        fileprivate var name: StaticString {
            switch self {
            case .events: "events"
            case .crashes: "crashes"
            }
        }
    }

    init(keys: IdentityKeys, list: List = .events) {
        self.keys = keys
        self.list = list
    }

    /// Reads the object around the entries.
    mutating func read(objectIn source: inout SourceText) throws(Refusal) {
        var at = 1
        while at < source.tape[0].next {
            let value = source.tape[at].next
            try read(source.tape[at], value, &source)
            at = source.tape[value].next
        }
    }

    /// Reads the query beside a bare array or NDJSON. Context fields are named like `context.platform`.
    mutating func read(query: [(name: String, value: String)], into source: inout SourceText) throws(Refusal) {
        for (name, value) in query {
            if name == "sent_at" {
                try once(name)
                envelope.sentAt = Timestamp(text: Array(value.utf8).span)
            } else if let field = EventField.allCases.first(where: { $0.key == name }), field.identity != nil {
                try once(name)
                try take(source.text(appending: value, limit: FixedLimits.personLength), for: field, in: source)
            } else if name.hasPrefix("context."), let field = EventContext.fields.firstIndex(of: String(name.dropFirst(8))) {
                try once(name)
                let reading = source.text(appending: value, limit: FixedLimits.contextLength)
                if let text = try text(reading, name, .badContext, FixedLimits.contextLength) { envelope.context[field] = text }
            } else if name == "release", list == .crashes {
                try once(name)
                try readRelease(source.text(appending: value, limit: CrashLimits.releaseCharacters))
            }
        }
    }

    private mutating func read(_ key: JSONToken, _ value: Int, _ source: inout SourceText) throws(Refusal) {
        if let field = EventField(key, in: source.tape) {
            try read(field, value, &source)
            return
        }
        if source.tape.isText(key, list.name) {
            try once(list.rawValue)
            guard source.tape[value].kind == .array else {
                throw refusal(list.rawValue, "bad_\(list.rawValue)", "Must be an array of \(list.rawValue).")
            }
            envelope.entries = value
        } else if list == .crashes, source.tape.isText(key, "release") {
            try once("release")
            try readRelease(source.text(value, limit: CrashLimits.releaseCharacters))
        } else if source.tape.isText(key, "sent_at") {
            try once("sent_at")
            envelope.sentAt = Timestamp(value, in: source)
        }
    }

    private mutating func read(_ field: EventField, _ value: Int, _ source: inout SourceText) throws(Refusal) {
        if field == .context {
            try once(field.key)
            try readContext(value, &source)
        } else if field.identity != nil {
            try once(field.key)
            try take(source.text(value, limit: FixedLimits.personLength), for: field, in: source)
        }
    }

    private mutating func readContext(_ value: Int, _ source: inout SourceText) throws(Refusal) {
        let kind = source.tape[value].kind
        guard kind != .null else { return }
        guard kind == .object else { throw refusal("context", Reason.badContext.rawValue, "Must be an object.") }
        guard source.tape[value].children <= FixedLimits.membersPerObject else {
            throw refusal("context", Reason.tooManyEntries.rawValue, VerdictMessages.tooManyMembers)
        }
        let findings = source.readContext(value, into: &envelope.context)
        envelope.unknownContext = findings.unknown
        if let fault = findings.faults.first {
            throw refusal(fault.field, fault.reason.rawValue, fault.message)
        }
    }

    private mutating func readRelease(_ reading: SourceText.Reading) throws(Refusal) {
        guard let text = try text(reading, "release", .badContext, CrashLimits.releaseCharacters) else { return }
        envelope.release = text
    }

    private mutating func take(_ reading: SourceText.Reading, for field: EventField, in source: SourceText) throws(Refusal) {
        guard let (domain, reason) = field.identity, let text = try text(reading, field.key, reason, FixedLimits.personLength) else { return }
        let identity = keys.identity(text, domain, in: source)
        switch field {
        case .installation: envelope.installation = identity
        case .user: envelope.user = identity
        default: envelope.session = identity
        }
    }

    private func text(_ reading: SourceText.Reading, _ field: String, _ reason: Reason, _ limit: Int) throws(Refusal) -> ByteRange? {
        do throws(TextError) {
            return try reading.value(limit: limit)
        } catch {
            throw refusal(field, reason.rawValue, error.message)
        }
    }

    private mutating func once(_ field: String) throws(Refusal) {
        guard seen.insert(field).inserted else { throw refusal(field, Reason.duplicateKey.rawValue, "Is a duplicate.") }
    }

    private func refusal(_ field: String, _ code: String, _ message: String) -> Refusal {
        Refusal(
            .badRequest, "The field \(field) around the \(list.rawValue) is invalid: \(message)",
            hint: "Correct the field and resend the whole request. Nothing was stored.",
            fields: [Refusal.Field(field, code, message)])
    }
}

extension Timestamp {
    /// Reads a JSON time: RFC 3339, or an epoch number in seconds, milliseconds or microseconds.
    init?(_ index: Int, in source: SourceText) {
        let token = source.tape[index]
        if let integer = token.integer {
            self.init(epoch: integer)
        } else if let double = token.double {
            self.init(epoch: double)
        } else {
            guard token.kind == .string, let time = source.tape.withText(token, { Timestamp(text: $0) }) else { return nil }
            self = time
        }
    }
}
