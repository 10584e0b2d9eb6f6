// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

/// Decodes crashes from a tape, with the defaults of their request.
struct CrashEntryReader {
    private let keys: IdentityKeys
    private let time: TimeRules
    private let envelope: Envelope
    private var ids: ServerIDs
    private var parts: CrashReader
    private(set) var source: SourceText
    private(set) var entries: [CrashBatch.Entry] = []
    private(set) var log = VerdictLog()

    init(keys: IdentityKeys, time: TimeRules, envelope: Envelope, firstID: UUID128?, source: SourceText, parts: FrameParts) {
        self.keys = keys
        self.time = time
        self.envelope = envelope
        self.source = source
        ids = ServerIDs(received: time.received, first: firstID)
        self.parts = CrashReader(source.tape, keeping: parts)
    }

    mutating func read(_ place: Int, number index: Int) {
        log.begin(index)
        do throws(EntryError) {
            try checkShape(place)
            let entry = try entry(place, index)
            entries.append(entry)
        } catch {
            _ = parts.takeCuts()
            let raw = source.tape.slice(place)
            let time = source.tape.value("timestamp", of: place).flatMap { Timestamp($0, in: source) }
            let isUnread = error.field == "crash" && error.reason != .valueTooLong || error.reason == .duplicateKey
            let named = isUnread ? NamedKeys() : named(place)
            log.quarantine(error, raw: ByteRange(offset: raw.lowerBound, count: raw.count), time: time, named: named)
        }
    }

    private static let fields: [StaticString] = [
        "id", "kind", "level", "timestamp", "type", "reason", "handled", "exceptions", "exception", "threads", "frames", "stacktrace", "images",
        "debug_meta", "breadcrumbs", "custom_keys", "logs", "fingerprint", "installation_id", "user_id", "session_id", "release", "build", "context",
        "platform", "message_template",
    ]

    private func checkShape(_ place: Int) throws(EntryError) {
        guard source.tape[place].kind == .object else { throw EntryError(.notAnObject, "crash", "Must be an object.") }
        guard source.tape[place].children <= FixedLimits.membersPerObject else {
            throw EntryError(.tooManyEntries, "crash", VerdictMessages.tooManyMembers)
        }
        var seen = 0
        for key in source.tape.keys(of: place) {
            guard let field = CrashEntryReader.fields.firstIndex(where: { source.tape.isText(source.tape[key], $0) }) else { continue }
            guard seen & 1 << field == 0 else { throw EntryError(.duplicateKey, CrashEntryReader.fields[field].description, "Is a duplicate.") }
            seen |= 1 << field
        }
    }

    private mutating func named(_ place: Int) -> NamedKeys {
        let user = try? identity("user_id", .user, .badUser, place, else: envelope.user)
        let installation = try? identity("installation_id", .installation, .badInstallation, place, else: envelope.installation)
        return NamedKeys(user: user?.key, installation: installation?.key)
    }
}

// MARK: - One crash

extension CrashEntryReader {
    private mutating func entry(_ place: Int, _ index: Int) throws(EntryError) -> CrashBatch.Entry {
        let id = try id(place)
        let (moment, flags) = try placement(place)
        var report = CrashReport(id: id, kind: .nonfatal, level: .error, time: moment, type: "")
        parts.read(place, into: &report)
        try readKindAndType(place, into: &report)
        try readSender(place, into: &report)
        try readContext(place, into: &report)
        if source.tape[place].count > CrashLimits.reportBytes { parts.cut(try report.fit()) }
        for cut in parts.takeCuts() {
            log.correct(cut.reason, cut.field, cut.message)
            report.cuts.append("\(cut.field): \(cut.message)")
        }
        return CrashBatch.Entry(index: index, report: report, flags: log.isCorrected ? flags.union(.corrected) : flags)
    }

    /// Reads the kind and type. Exceptions supply them if the fields are missing.
    private mutating func readKindAndType(_ place: Int, into report: inout CrashReport) throws(EntryError) {
        let level: CrashLevel? = parts.word("level", of: place)
        report.kind = parts.word("kind", of: place) ?? CrashKind(level: level, handled: report.handled, exceptions: report.exceptions)
        report.level = level ?? (report.kind == .fatal ? .fatal : .error)
        let last = report.exceptions.last
        let type =
            parts.text("type", of: place, limit: CrashLimits.typeCharacters) ?? last?.type ?? last?.mechanism.signal ?? last?.mechanism.machException
        // A text with a level is a logged message.
        let message = level == nil || report.reason == nil ? nil : "message"
        guard let type = type ?? message else {
            throw EntryError(.missingType, "type", "A crash needs a type, an exception with a type, or a reason and a level.")
        }
        report.type = type
        report.reason = report.reason ?? last?.value
    }

    private mutating func readSender(_ place: Int, into report: inout CrashReport) throws(EntryError) {
        // Reading a value may extend the arena, so texts are looked up afterwards.
        let user = try envelope.proof.user(try identity("user_id", .user, .badUser, place, else: envelope.user))
        let installation = try identity("installation_id", .installation, .badInstallation, place, else: envelope.installation)
        let session = try identity("session_id", .session, .badSession, place, else: envelope.session)
        (report.user, report.installation, report.session) = (named(user), named(installation), named(session))
    }

    private func named(_ identity: Identity) -> String? {
        identity.text.isEmpty ? nil : source.string(identity.text)
    }

    /// Reads the version and the context.
    private mutating func readContext(_ place: Int, into report: inout CrashReport) throws(EntryError) {
        var values = envelope.context
        if let context = source.tape.value("context", of: place) {
            guard source.tape[context].kind == .object else { throw EntryError(.badContext, "context", "Must be an object.") }
            guard source.tape[context].children <= FixedLimits.membersPerObject else {
                throw EntryError(.tooManyEntries, "context", VerdictMessages.tooManyMembers)
            }
            for fault in source.readContext(context, into: &values).faults { parts.cut(fault.reason, fault.field, fault.message) }
        }
        report.context = CrashContext.fields.indices.compactMap { field in
            values[field].isEmpty ? nil : CustomKey(CrashContext.fields[field], source.string(values[field]))
        }
        let release = short("release", place, limit: CrashLimits.releaseCharacters) ?? envelope.release
        report.release = release.isEmpty ? nil : source.string(release)
        let build = short("build", place, limit: FixedLimits.contextLength).map { source.string($0) } ?? report.contextValue("build")
        report.build = build ?? report.release.flatMap { ReleaseKey.build(of: $0) }
        report.platform = short("platform", place, limit: FixedLimits.contextLength).map { source.string($0) }
    }

    /// Returns a short text; nil if it is missing or invalid.
    private mutating func short(_ name: StaticString, _ place: Int, limit: Int) -> ByteRange? {
        guard let value = source.tape.value(name, of: place) else { return nil }
        do throws(TextError) {
            return try source.text(value, limit: limit).value(limit: limit)
        } catch {
            parts.cut(.badContext, name.description, error.message)
            return nil
        }
    }
}

// MARK: - Fields

extension CrashEntryReader {
    private mutating func id(_ place: Int) throws(EntryError) -> String {
        let text = try text("id", .badID, place, limit: FixedLimits.idLength) ?? .none
        log.id = text
        if text.isEmpty { return String(decoding: ids.take().text, as: UTF8.self) }
        let uuid = source.with(text) { UUID128($0) }
        return uuid.map { String(decoding: $0.text, as: UTF8.self) } ?? source.string(text)
    }

    private func placement(_ place: Int) throws(EntryError) -> (Timestamp, EventFlags) {
        var claimed: Timestamp?
        if let value = source.tape.value("timestamp", of: place) {
            claimed = Timestamp(value, in: source)
            if claimed == nil { throw EntryError(.badTimestamp, "timestamp", VerdictMessages.timestamp) }
        }
        guard case .at(let moment, let flags) = time.place(claimed) else { throw EntryError(.tooOld, "timestamp", VerdictMessages.tooOld) }
        return (moment, flags)
    }

    private mutating func identity(
        _ field: StaticString, _ domain: KeyedHash.Domain, _ reason: Reason, _ place: Int, else fallback: Identity
    ) throws(EntryError) -> Identity {
        guard let text = try text(field, reason, place, limit: FixedLimits.personLength) else { return fallback }
        return keys.identity(text, domain, in: source)
    }

    private mutating func text(_ field: StaticString, _ reason: Reason, _ place: Int, limit: Int) throws(EntryError) -> ByteRange? {
        guard let value = source.tape.value(field, of: place) else { return nil }
        do throws(TextError) {
            return try source.text(value, limit: limit).value(limit: limit)
        } catch {
            throw EntryError(reason, field.description, error.message)
        }
    }
}
