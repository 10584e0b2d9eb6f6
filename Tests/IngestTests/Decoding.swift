// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform

/// The inputs of most tests: one app, one time, one parser.
enum Given {
    static let received = Timestamp(milliseconds: 1_760_000_000_000)
    static let hash = KeyedHash(seed: 0x5eed)
    static let parser = JSONParser()
    static let decoder = NativeEvents(parser: parser)

    static func app(_ change: (inout AppSettings) -> Void = { _ in }) -> App {
        var settings = AppSettings()
        change(&settings)
        return App(id: AppID(rawValue: 7), name: "test", created: received, settings: settings)
    }
}

func decode(
    _ body: String, format: NativeEvents.Format = .json, query: [(name: String, value: String)] = [], rules: RuleSet.Names = .firebase,
    app: App = Given.app()
) throws(Refusal) -> EventSubmission {
    try decode(Array(body.utf8), format: format, query: query, rules: rules, app: app)
}

func decode(
    _ body: [UInt8], format: NativeEvents.Format = .json, query: [(name: String, value: String)] = [], rules: RuleSet.Names = .firebase,
    app: App = Given.app()
) throws(Refusal) -> EventSubmission {
    try Given.decoder.decode(
        body, format: format, query: query, app: app, source: rules == .open ? .open : .events, received: Given.received, hash: Given.hash)
}

/// Decodes a request of one event.
func decode(event: String, rules: RuleSet.Names = .firebase, app: App = Given.app()) throws(Refusal) -> EventSubmission {
    try decode("[\(event)]", rules: rules, app: app)
}

/// Decodes one event named `name` with these parameters.
func decode(_ name: String = "e", params: String, rules: RuleSet.Names = .firebase, app: App = Given.app()) throws(Refusal) -> EventSubmission {
    try decode(event: #"{"id":"1","name":"\#(name)","params":\#(params)}"#, rules: rules, app: app)
}

func refusal(_ body: String, format: NativeEvents.Format = .json, query: [(name: String, value: String)] = []) -> Refusal? {
    do throws(Refusal) {
        _ = try decode(body, format: format, query: query)
        return nil
    } catch {
        return error
    }
}

extension EventSubmission {
    /// The stored parameters of the first event.
    var params: String? { records.first.map { text($0.params) } }

    /// The verdicts on the events as "index reason field".
    var told: [String] { outcomeWithoutStoring().verdicts.map { "\($0.index) \($0.reason.rawValue) \($0.field)" } }

    /// The reason of the first quarantined event.
    var quarantineReason: Reason? { quarantined.first?.verdict.reason }
}
