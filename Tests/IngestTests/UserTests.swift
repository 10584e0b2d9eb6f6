// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import Platform
import Testing

@Suite struct UserTests {
    private func decode(_ body: String, app: App = Given.app()) throws(Refusal) -> UserSubmission {
        try NativeUsers(parser: Given.parser).decode(Array(body.utf8), app: app, received: Given.received, hash: Given.hash)
    }

    private func decode(user: String) throws(Refusal) -> UserSubmission {
        try decode("{\"users\":[\(user)]}")
    }

    private func told(_ submission: UserSubmission) -> [String] {
        submission.outcome.verdicts.map { "\($0.index) \($0.reason.rawValue) \($0.field)" }
    }

    @Test func `properties keep their JSON, and null removes them`() throws {
        let submission = try decode(
            user: #"{"user_id":"u","installation_id":"i","properties":{"plan":"p\u0072o","n":1.50,"vip":true,"old":null},"timestamp":1759999000}"#)
        let update = try #require(submission.updates.first)
        #expect(update.user == "u" && update.installation == "i" && !update.alias)
        #expect(update.userKey == Given.hash(.user, app: AppID(rawValue: 7), Array("u".utf8).span))
        #expect(update.installationKey == Given.hash(.installation, app: AppID(rawValue: 7), Array("i".utf8).span))
        #expect(update.properties.map(\.name) == ["plan", "n", "vip", "old"])
        #expect(update.properties.map { $0.value.map { String(decoding: $0, as: UTF8.self) } } == [#""p\u0072o""#, "1.50", "true", nil])
        #expect(update.time == Timestamp(milliseconds: 1_759_999_000_000) && told(submission).isEmpty)
    }

    static let refused: [(String, Reason, String)] = [
        ("1", .notAnObject, "user"), ("{}", .badUser, "user_id"), (#"{"properties":{"a":1}}"#, .badUser, "user_id"),
        (#"{"user_id":""}"#, .badUser, "user_id"), (#"{"user_id":1}"#, .badUser, "user_id"),
        (#"{"user_id":"u","installation_id":true}"#, .badInstallation, "installation_id"), (#"{"user_id":"\u0000"}"#, .badUser, "user_id"),
        (#"{"user_id":"u","properties":[]}"#, .badParams, "properties"), (#"{"user_id":"u","timestamp":"x"}"#, .badTimestamp, "timestamp"),
        (#"{"user_id":"u","user_id":"v"}"#, .duplicateKey, "user_id"), (#"{"user_id":"u","alias":true}"#, .badUser, "alias"),
        (#"{"installation_id":"i","alias":true}"#, .badUser, "alias"), (#"{"user_id":"u","alias":"yes"}"#, .badUser, "alias"),
        ("{\"user_id\":\"\(String(repeating: "x", count: 257))\"}", .badUser, "user_id"),
    ]

    @Test(arguments: refused)
    func `an entry without usable content is quarantined`(user: String, reason: Reason, field: String) throws {
        let submission = try decode("{\"users\":[{\"user_id\":\"a\"},\(user),{\"user_id\":\"b\"}]}")
        #expect(submission.updates.map(\.index) == [0, 2])
        #expect(told(submission) == ["1 \(reason.rawValue) \(field)"])
        #expect(submission.outcome.accepted == 2 && submission.outcome.quarantined == 1)
        #expect(String(decoding: submission.body[submission.quarantined[0].raw.range], as: UTF8.self) == user)
    }

    static let properties: [(String, Reason, Int?)] = [
        (#""x y":1"#, .badUserProperty, 6), ("\"\(String(repeating: "p", count: 25))\":1", .badUserProperty, 6),
        (#""\ud800":1"#, .badUserProperty, 6), ("\"p\":\"\(String(repeating: "é", count: 37))\"", .userPropertyTooLong, 7),
        (#""first_open_time":1"#, .reservedUserProperty, 15), (#""google_x":1"#, .reservedUserProperty, 15), (#""p":{}"#, .badValue, nil),
        (#""p":1e999"#, .numberOutOfRange, nil), (#""p":"\u0000""#, .badValue, nil), (#""k":2"#, .duplicateParam, nil),
    ]

    @Test(arguments: properties)
    func `an invalid property is dropped with Firebase's number`(property: String, reason: Reason, number: Int?) throws {
        let submission = try decode(user: "{\"user_id\":\"u\",\"properties\":{\"k\":1,\(property)}}")
        #expect(submission.updates[0].properties.map(\.name) == ["k"])
        #expect(submission.outcome.verdicts.map(\.reason) == [reason] && submission.outcome.verdicts[0].reason.number == number)
        #expect(submission.outcome.verdicts[0].result == .corrected && submission.outcome.accepted == 1)
    }

    @Test func `25 properties and values of 36 characters are stored`() throws {
        let value = String(repeating: "é", count: 36)
        func user(_ count: Int) -> String {
            "{\"user_id\":\"u\",\"properties\":{" + (1...count).map { "\"p\($0)\":\"\(value)\"" }.joined(separator: ",") + "}}"
        }
        #expect(told(try decode(user: user(25))).isEmpty)
        let submission = try decode(user: user(26))
        #expect(told(submission) == ["0 too_many_user_properties properties.p26"] && submission.outcome.verdicts[0].reason.number == 9)
        #expect(submission.updates[0].properties.count == 25)
    }

    @Test func `an alias links installation and user`() throws {
        let submission = try decode(user: #"{"user_id":"u","installation_id":"i","alias":true}"#)
        #expect(submission.updates[0].alias && submission.updates[0].properties.isEmpty)
    }

    static let times: [(String, Int64)] = [("null", 0), ("0", -1_760_000_000_000), ("1760082800", 82_800_000), ("1760082801", 0)]

    @Test(arguments: times)
    func `user updates have no age limit`(timestamp: String, offset: Int64) throws {
        let submission = try decode(user: "{\"user_id\":\"u\",\"timestamp\":\(timestamp)}")
        #expect(submission.updates[0].time == Given.received + .init(milliseconds: offset))
    }

    @Test func `a fast clock is corrected`() throws {
        let submission = try decode(#"{"sent_at":1760001000,"users":[{"user_id":"u","timestamp":1760000990}]}"#)
        #expect(submission.updates[0].time == Timestamp(milliseconds: 1_760_000_140_000))
    }

    @Test(arguments: ["[]", "{}", "1", #"{"users":{}}"#, #"{"users":[],"users":[]}"#, #"{"user":[]}"#])
    func `any other document is rejected`(body: String) {
        #expect(throws: Refusal.self) { try decode(body) }
    }

    @Test func `1,000 entries are accepted, 1,001 are rejected`() throws {
        func body(_ count: Int) -> String {
            "{\"users\":[" + repeatElement("{\"user_id\":\"u\"}", count: count).joined(separator: ",") + "]}"
        }
        #expect(try decode(body(1_000)).updates.count == 1_000)
        #expect(throws: Refusal.self) { try decode(body(1_001)) }
    }
}
