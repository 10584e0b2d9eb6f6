// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// Decodes events from a tape to flat records.
///
/// This is the hot path: a valid event allocates nothing of its own. Error handling need not be fast.
struct EventReader {
    private let keys: IdentityKeys
    private let rules: RuleSet
    private let time: TimeRules
    private let envelope: Envelope
    private var ids: ServerIDs
    private var params: ParamReader
    /// The context of events without one of their own.
    private let sharedContext: UInt16
    /// The last context read and its index. Consecutive events usually have the same one.
    private var lastContext: (text: Range<Int>, place: UInt16, unknown: UnknownFields)?
    /// The kind of sender. Unknown fields are not reported to integrations, whose translated events have none of their own.
    private let kind: EventSubmission.Source
    /// The unknown fields of the shared context, until they are reported with the first event.
    private var unreported: UnknownFields

    var source: SourceText
    private(set) var contexts: ContextTable
    private(set) var records: [EventRecord] = []
    private(set) var log = VerdictLog()

    init(keys: IdentityKeys, rules: RuleSet, time: TimeRules, envelope: Envelope, firstID: UUID128?, kind: EventSubmission.Source, source: SourceText)
    {
        self.keys = keys
        self.rules = rules
        self.time = time
        self.envelope = envelope
        self.source = source
        self.kind = kind
        unreported = envelope.unknownContext
        ids = ServerIDs(received: time.received, first: firstID)
        params = ParamReader(rules: rules, keys: keys)
        contexts = ContextTable(app: keys.app, hash: keys.hash)
        sharedContext = contexts.place(of: envelope.context, in: source)
    }

    mutating func reserve(_ events: Int) {
        records.reserveCapacity(events)
    }

    /// Reads the event at `place`, which has number `index` in the request.
    mutating func read(_ place: Int, number index: Int) {
        log.begin(index)
        var fields = EventFields()
        do throws(EntryError) {
            guard source.tape[place].kind == .object else { throw EntryError(.notAnObject, "event", "Must be an object.") }
            guard source.tape[place].children <= FixedLimits.membersPerObject else {
                throw EntryError(.tooManyEntries, "event", VerdictMessages.tooManyMembers)
            }
            if let twice = fields.find(in: place, of: source.tape) { throw EntryError(.duplicateKey, twice.key, "Is a duplicate.") }
            let record = try record(fields, place, index)
            records.append(record)
            if unreported.count > 0 { unreported = UnknownFields() }
        } catch {
            let raw = source.tape.slice(place)
            let time = fields[.time].flatMap { Timestamp($0, in: source) }
            let isUnread = error.field == "event" || error.reason == .duplicateKey
            let named = isUnread ? NamedKeys() : named(fields)
            log.quarantine(error, raw: ByteRange(offset: raw.lowerBound, count: raw.count), time: time, named: named)
        }
    }

    private mutating func named(_ fields: EventFields) -> NamedKeys {
        let user = try? identity(.user, fields, else: envelope.user)
        let installation = try? identity(.installation, fields, else: envelope.installation)
        return NamedKeys(user: user?.key, installation: installation?.key)
    }

    /// Quarantines a line that is not JSON.
    mutating func quarantine(line: Range<Int>, number index: Int, because failure: JSONError) {
        log.begin(index)
        let isTooLarge = failure.reason == .tooManyMembers || failure.reason == .tooManyTokens
        let message = "The line \(failure.counted(from: line.lowerBound).explanation)."
        let fault = EntryError(isTooLarge ? .tooManyEntries : .invalidJSON, "event", message)
        log.quarantine(fault, raw: ByteRange(offset: line.lowerBound, count: line.count), time: nil)
    }

    private mutating func record(_ fields: EventFields, _ place: Int, _ index: Int) throws(EntryError) -> EventRecord {
        let id = try id(fields[.id])
        let name = try name(fields[.name])
        let (time, flags) = try placement(fields[.time])
        let slice = source.tape[place]
        var record = EventRecord(
            index: UInt32(truncatingIfNeeded: index), kind: source.with(name) { EventKind(name: $0) }, time: time, idKey: id.key, uuid: id.uuid,
            idText: id.text, nameKey: source.with(name) { keys.hash(.name, app: keys.app, $0) }, name: name, context: sharedContext,
            raw: ByteRange(offset: slice.offset, count: slice.count))
        record.flags = flags
        if kind.isTrusted { try trust(&record) }
        let user = try envelope.proof.user(try identity(.user, fields, else: envelope.user))
        (record.userKey, record.user) = (user.key, user.text)
        let installation = try identity(.installation, fields, else: envelope.installation)
        (record.installationKey, record.installation) = (installation.key, installation.text)
        let session = try identity(.session, fields, else: envelope.session)
        (record.sessionKey, record.session) = (session.key, session.text)
        let unknown = try readContext(fields[.context], into: &record)
        if kind.isNative, fields.unknown.count + unknown.count + unreported.count > 0 { report(fields.unknown, unknown) }
        try readParams(fields[.params], into: &record)
        if log.isCorrected { record.flags.insert(.corrected) }
        return record
    }

    /// Marks purchases and refunds as trusted. A send key may report nothing else.
    private func trust(_ record: inout EventRecord) throws(EntryError) {
        if record.kind.isMoney {
            record.flags.insert(.trusted)
        } else if kind == .orders {
            throw EntryError(.forbiddenEvent, "name", VerdictMessages.onlySales)
        }
    }

    /// Corrects an event with unknown fields, once for all of them. Those of the shared context count as the first event's.
    @inline(never)
    private mutating func report(_ event: UnknownFields, _ context: UnknownFields) {
        let found = [(event, ""), (context, "context."), (unreported, "context.")]
        let others = found.reduce(-1) { $0 + $1.0.count }
        guard let (unknown, prefix) = found.first(where: { $0.0.count > 0 }), let key = unknown.first else { return }
        let name = VerdictMessages.short(source.tape.text(key) ?? "?")
        log.correct(.unknownField, prefix + name, VerdictMessages.unknown(andOthers: others))
    }

    /// Reads the context of an event and returns its unknown fields.
    private mutating func readContext(_ index: Int?, into record: inout EventRecord) throws(EntryError) -> UnknownFields {
        guard let index, source.tape[index].kind != .null else { return UnknownFields() }
        guard source.tape[index].kind == .object else { throw EntryError(.badContext, "context", "Must be an object.") }
        guard source.tape[index].children <= FixedLimits.membersPerObject else {
            throw EntryError(.tooManyEntries, "context", VerdictMessages.tooManyMembers)
        }
        let text = source.tape.slice(index)
        if let last = lastContext, source.tape.isSame(last.text, text) {
            record.context = last.place
            return last.unknown
        }
        var values = envelope.context
        let findings = source.readContext(index, into: &values)
        for fault in findings.faults { log.correct(fault.reason, fault.field, fault.message) }
        record.context = contexts.place(of: values, in: source)
        lastContext = findings.faults.isEmpty ? (text, record.context, findings.unknown) : nil
        return findings.unknown
    }

    private mutating func readParams(_ index: Int?, into record: inout EventRecord) throws(EntryError) {
        guard let index, source.tape[index].kind != .null else { return }
        guard source.tape[index].kind == .object else { throw EntryError(.badParams, "params", "Must be an object.") }
        guard source.tape[index].children <= FixedLimits.membersPerObject else {
            throw EntryError(.tooManyParams, "params", VerdictMessages.tooManyMembers)
        }
        params.read(index, into: &record, &source, &log)
    }
}

// MARK: - Fields

extension EventReader {
    private mutating func id(_ index: Int?) throws(EntryError) -> (key: UInt64, uuid: UUID128, text: ByteRange) {
        guard let index, let text = try text(index, "id", .badID, limit: FixedLimits.idLength), !text.isEmpty else {
            let made = ids.take()
            return (keys.hash(.eventID, app: keys.app, made), made, .none)
        }
        log.id = text
        if let uuid = source.with(text, { UUID128($0) }) {
            return (keys.hash(.eventID, app: keys.app, uuid), uuid, .none)
        }
        return (source.with(text) { keys.hash(.eventID, app: keys.app, $0) }, UUID128(high: 0, low: 0), text)
    }

    private mutating func name(_ index: Int?) throws(EntryError) -> ByteRange {
        guard let index, source.tape[index].kind != .null else { throw EntryError(.missingName, "name", "An event needs a name.") }
        let token = source.tape[index]
        guard token.kind == .string else { throw EntryError(.badName, "name", "Must be a string.") }
        guard token.count > 0 else { throw EntryError(.missingName, "name", "An event needs a name.") }
        guard let name = source.plain(token) else { throw EntryError(.badName, "name", "Contains an unpaired surrogate.") }
        if let reason = source.with(name, { rules.fault(eventName: $0) }) { throw EntryError(reason, "name", VerdictMessages.name(reason, rules)) }
        return name
    }

    private func placement(_ index: Int?) throws(EntryError) -> (Timestamp, EventFlags) {
        var claimed: Timestamp?
        if let index, source.tape[index].kind != .null {
            claimed = Timestamp(index, in: source)
            if claimed == nil { throw EntryError(.badTimestamp, "timestamp", VerdictMessages.timestamp) }
        }
        guard case .at(let moment, let flags) = time.place(claimed) else { throw EntryError(.tooOld, "timestamp", VerdictMessages.tooOld) }
        return (moment, flags)
    }

    /// Reads an ID. Null keeps the envelope's default, and an empty text clears it.
    private mutating func identity(_ field: EventField, _ fields: EventFields, else fallback: Identity) throws(EntryError) -> Identity {
        guard let index = fields[field], let (domain, reason) = field.identity else { return fallback }
        guard let text = try text(index, field.key, reason, limit: FixedLimits.personLength) else { return fallback }
        return keys.identity(text, domain, in: source)
    }

    private mutating func text(_ index: Int, _ field: String, _ reason: Reason, limit: Int) throws(EntryError) -> ByteRange? {
        do throws(TextError) {
            return try source.text(index, limit: limit).value(limit: limit)
        } catch {
            throw EntryError(reason, field, error.message)
        }
    }
}
