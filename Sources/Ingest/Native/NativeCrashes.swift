// SPDX-License-Identifier: Apache-2.0

package import Events
package import JSON
package import Platform
import Crashes

/// Decodes crashes of the native API: an object with an envelope, or a bare array.
package struct NativeCrashes: Sendable {
    private static let limits = JSONLimits(bytes: CrashLimits.requestBytes, stepsPerToken: JSONLimits.allowedStepsPerToken)
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Decodes a body to reports. It throws only for errors of the request as a whole.
    ///
    /// - Parameter query: Percent-decoded defaults for the crashes of an array. An object's envelope replaces them.
    /// - Parameter firstID: The ID of the first crash without one, so that decoding it again gives the same. Random by default.
    package func decode(
        _ body: [UInt8], query: [(name: String, value: String)] = [], app: App, proof: UserProof = .open, received: Timestamp, hash: KeyedHash,
        firstID: UUID128? = nil
    ) throws(Refusal) -> CrashBatch {
        try parser.withReader { json throws(Refusal) in
            var source = SourceText(tape: try parse(body, json))
            let keys = IdentityKeys(app: app.id, hash: hash)
            var envelope = try NativeCrashes.envelope(&source, query, keys)
            if proof != .open { envelope.proof = EntryProof(proof, keys, &source) }
            guard let list = envelope.entries else { throw .unexpectedShape("an object with an array \"crashes\"") }
            guard source.tape[list].children <= CrashLimits.reportsPerRequest else {
                throw .tooMany("crashes", limit: CrashLimits.reportsPerRequest)
            }
            let time = TimeRules(received: received, sentAt: envelope.sentAt, settings: app.settings)
            var reader = CrashEntryReader(
                keys: keys, time: time, envelope: envelope, firstID: firstID, source: source, parts: FrameParts(app.settings))
            for (number, place) in source.tape.elements(of: list).enumerated() {
                reader.read(place, number: number)
                try source.tape.checkSteps()
            }
            try source.tape.checkSteps()
            defer { json.reuse(source.tape) }
            return CrashBatch(
                app: app.id, received: received, body: body, crashes: reader.entries, quarantined: reader.log.quarantined(in: reader.source),
                corrections: reader.log.corrections(in: reader.source), envelope: envelope.kept(in: source))
        }
    }

    private func parse(_ body: [UInt8], _ json: JSONReader) throws(Refusal) -> JSONTape {
        do throws(JSONError) {
            return try json.parse(body, limits: NativeCrashes.limits)
        } catch {
            throw Refusal(error)
        }
    }

    private static func envelope(
        _ source: inout SourceText, _ query: [(name: String, value: String)], _ keys: IdentityKeys
    ) throws(Refusal) -> Envelope {
        var reader = EnvelopeReader(keys: keys, list: .crashes)
        switch source.tape[0].kind {
        case .object:
            try reader.read(objectIn: &source)
            return reader.envelope
        case .array:
            try reader.read(query: query, into: &source)
            var envelope = reader.envelope
            envelope.entries = 0
            return envelope
        default: throw .unexpectedShape("an object or an array of crashes")
        }
    }
}
