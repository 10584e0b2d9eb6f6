// SPDX-License-Identifier: Apache-2.0

import Crashes
package import Events
package import JSON
package import Platform

/// Decodes Apple's crash reports: `.ips`, and the text format `.crash`.
package struct AppleReports: Sendable {
    private static let limits = JSONLimits(bytes: CrashLimits.requestBytes, stepsPerToken: JSONLimits.allowedStepsPerToken)
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Decodes one report. Its ID is that of the incident, so that it counts once.
    ///
    /// - Parameter query: The user, session and context, if the sender knows them. They take precedence over the report.
    package func decode(
        _ body: [UInt8], query: [(name: String, value: String)] = [], app: App, proof: UserProof = .open, received: Timestamp, hash: KeyedHash
    ) throws(Refusal) -> CrashBatch {
        guard body.count <= CrashLimits.requestBytes else { throw Refusal(JSONError(reason: .tooLarge, offset: nil)) }
        guard var crash = try crash(body) else { throw .notAppleReport }
        var source = SourceText(tape: JSONTape(over: body))
        let keys = IdentityKeys(app: app.id, hash: hash)
        var reader = EnvelopeReader(keys: keys, list: .crashes)
        try reader.read(query: query, into: &source)
        var envelope = reader.envelope
        if proof != .open { envelope.proof = EntryProof(proof, keys, &source) }
        let time = TimeRules(received: received, sentAt: envelope.sentAt, settings: app.settings)
        var log = VerdictLog()
        log.begin(0)
        var crashes: [CrashBatch.Entry] = []
        do throws(EntryError) {
            crashes = [try entry(&crash, envelope, time, source)]
            for cut in crash.cuts { log.correct(cut.reason, cut.field, cut.message) }
        } catch {
            let named = NamedKeys(user: envelope.user.key, installation: envelope.installation.key)
            log.quarantine(error, raw: ByteRange(offset: 0, count: body.count), time: crash.time, named: named)
        }
        return CrashBatch(
            app: app.id, received: received, body: body, crashes: crashes, quarantined: log.quarantined(in: source),
            corrections: log.corrections(in: source), envelope: envelope.kept(in: source))
    }

    private func crash(_ body: [UInt8]) throws(Refusal) -> AppleCrash? {
        let line = body.firstIndex(of: UInt8(ascii: "\n")) ?? body.count
        guard body.first == UInt8(ascii: "{") else { return try text(body[...]) }
        return try parser.withReader { json throws(Refusal) in
            // The line needs few lookups; the step budget is the document's.
            guard let header = try? json.parse(body, in: 0..<line, limits: JSONLimits(bytes: CrashLimits.requestBytes)) else { return nil }
            if let document = try? json.parse(body, in: line..<body.count, limits: AppleReports.limits) {
                defer { json.reuse(document) }
                var reader = IPSReader(header: header, document: document)
                let crash = reader.crash()
                try document.checkSteps()
                return crash
            }
            // Until iOS 14 text followed the line.
            guard var crash = try text(body[line...]) else { return nil }
            var head = CrashReader(header)
            crash.version = head.text("app_version", of: 0) ?? crash.version
            crash.build = head.text("build_version", of: 0) ?? crash.build
            return crash
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> AppleCrash? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(.badRequest, "The report is not valid UTF-8.", hint: "Send it as it was written, or converted to UTF-8.")
        }
        return try CrashTextReader.crash(text[...])
    }

    private func entry(
        _ crash: inout AppleCrash, _ envelope: Envelope, _ time: TimeRules, _ source: SourceText
    ) throws(EntryError) -> CrashBatch.Entry {
        guard case .at(let moment, let flags) = time.place(crash.time) else { throw EntryError(.tooOld, "timestamp", VerdictMessages.tooOld) }
        var report = CrashReport(id: id(crash, time.received), kind: .fatal, level: .fatal, time: moment, type: "")
        crash.fill(&report)
        // Each frame gets the path of its image, which the report contains once.
        crash.cuts += try report.fit()
        report.cuts = crash.cuts.map { "\($0.field): \($0.message)" }
        func given(_ range: ByteRange) -> String? { range.isEmpty ? nil : source.string(range) }
        report.user = given(envelope.user.text)
        report.installation = given(envelope.installation.text) ?? crash.reporter?.prefix(scalars: FixedLimits.personLength)
        report.session = given(envelope.session.text)
        report.release = given(envelope.release) ?? report.release?.prefix(scalars: CrashLimits.releaseCharacters)
        report.context = CrashContext.fields.enumerated().compactMap { [crash] number, field in
            let value = given(envelope.context[number]) ?? crash.contextValue(field)?.prefix(scalars: FixedLimits.contextLength)
            return value.map { CustomKey(field, $0) }
        }
        return CrashBatch.Entry(index: 0, report: report, flags: crash.cuts.isEmpty ? flags : flags.union(.corrected))
    }

    private func id(_ crash: AppleCrash, _ received: Timestamp) -> String {
        guard let incident = crash.incident?.prefix(scalars: FixedLimits.idLength), Array(incident.utf8).span.isPrintable else {
            var ids = ServerIDs(received: received, first: nil)
            return String(decoding: ids.take().text, as: UTF8.self)
        }
        return UUID128(Array(incident.utf8).span).map { String(decoding: $0.text, as: UTF8.self) } ?? incident
    }
}

extension Refusal {
    fileprivate static let notAppleReport = Refusal(
        .badRequest, "The body is not an Apple crash report: neither .ips with threads nor .crash text.",
        hint: "Send the file as the system wrote it. Hang, memory and power reports are not supported.")
}
