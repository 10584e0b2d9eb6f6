// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Signalbox

/// Types that need no clock, disk or network.
@Suite struct ValueTests {
    private let noon = Date(timeIntervalSince1970: 1_763_726_400)

    @Test func `backoff grows to its limit, has jitter and honours Retry-After`() {
        var backoff = Backoff(first: 1, longest: 60)
        for (pause, chance) in [(1.0, 1.0), (1, 0), (4, 1), (8, 1), (16, 1), (32, 1), (60, 1), (60, 1)] {
            backoff.failed(at: noon, retryAfter: nil, chance: chance)
            #expect(backoff.next == noon.addingTimeInterval(pause))
        }
        backoff.failed(at: noon, retryAfter: 600, chance: 0.5)
        #expect(backoff.next == noon.addingTimeInterval(615))
        backoff.retryNow()
        #expect(backoff.next == noon.addingTimeInterval(600))
        backoff.succeeded()
        #expect(backoff == Backoff(first: 1, longest: 60))
    }

    @Test func `a session ends after its timeout, and not when the clock is set back`() {
        var session = Session(at: noon)
        let answers = [1_799.0, 3_598, -9_000, -7_200].map { session.extend(to: noon.addingTimeInterval($0), timeout: 1_800) }
        #expect(answers == [true, true, true, false])
    }

    @Test func `engagement is reported once, and not below a second`() {
        var engagement = Engagement()
        var told = [engagement.end(at: noon)]
        engagement.begin(at: noon)
        engagement.begin(at: noon.addingTimeInterval(5))
        told += [engagement.end(at: noon.addingTimeInterval(7.5)), engagement.end(at: noon.addingTimeInterval(9))]
        engagement.begin(at: noon)
        told.append(engagement.end(at: noon.addingTimeInterval(0.9)))
        #expect(told == [nil, 7_500, nil, nil])
    }

    @Test func `IDs are UUIDv7 and increase with time`() throws {
        let ids = (0..<1_000).map { TimeOrderedID.text(milliseconds: Int64($0) + 1_763_726_400_000) }
        #expect(ids == ids.sorted() && Set(ids).count == 1_000)
        let id = try #require(UUID(uuidString: ids[0])).uuidString.lowercased()
        #expect(id == ids[0] && Array(id)[14] == "7" && "89ab".contains(Array(id)[19]))
        #expect(id.hasPrefix(String(1_763_726_400_000, radix: 16).paddedID))
    }

    @Test func `any value is encoded as valid JSON`() throws {
        let tricky = "\"\\\n\u{1}\u{1f}é漢🙂/"
        var json = JSONText()
        json.object { json in
            json.field("text", tricky)
            json.object("values") { json in
                ParameterValue.text(tricky).write(to: &json, as: tricky)
                ParameterValue.number(.nan).write(to: &json, as: "nan")
                ParameterValue.number(-.infinity).write(to: &json, as: "endless")
                ParameterValue.number(1e-7).write(to: &json, as: "small")
                ParameterValue.decimal(.nan).write(to: &json, as: "none")
                ParameterValue.flag(true).write(to: &json, as: "flag")
                ParameterValue.items([Item(id: "a", price: 1, quantity: 2), Item(id: "b")]).write(to: &json, as: "items")
            }
            json.field("last", 1)
        }
        let read = try #require(JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
        #expect(read["text"] as? String == tricky && read["last"] as? Int == 1)
        let values = try #require(read["values"] as? [String: Any])
        #expect(values.keys.sorted() == [tricky, "flag", "items", "small"].sorted())
        #expect(values[tricky] as? String == tricky && values["small"] as? Double == 1e-7)
        #expect((values["items"] as? [[String: Any]])?.map(\.count) == [3, 1])
    }

    @Test func `amounts keep every digit`() throws {
        for text in ["0.1", "19.99", "1234567890123456.78", "0.000001", "-3.5", "100"] {
            var json = JSONText()
            json.object { json in ParameterValue.decimal(Decimal(string: text) ?? 0).write(to: &json, as: "value") }
            #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"value":\#(text)}"#)
        }
    }

    @Test func `in-memory analytics record what was logged`() {
        let analytics = InMemoryAnalytics()
        analytics.logScreenView(screenName: "home")
        analytics.logPurchase(amount: Decimal(string: "9.99") ?? 0, currency: "EUR", items: [Item(id: "x")], transactionID: "t")
        analytics.setUserProperties(userId: "ann", email: "ann@example.org")
        #expect(analytics.events.map(\.name) == ["screen_view", "purchase"])
        #expect(analytics.events[0].parameters == ["screen_name": "home"])
        #expect(analytics.events[1].parameters["items"] == .items([Item(id: "x")]))
        #expect(analytics.userID == "ann" && analytics.properties == ["email": "ann@example.org"])
        analytics.setDefaultEventParameters(["shop": "vienna", "screen_name": "none"])
        analytics.logScreenView(screenName: "basket")
        #expect(analytics.events[2].parameters == ["shop": "vienna", "screen_name": "basket"])
        let installation = analytics.installationID
        analytics.resetData()
        analytics.logEvent("again")
        #expect(analytics.events == [.init(name: "again", parameters: [:])] && analytics.userID == nil && analytics.installationID != installation)
        analytics.setCollectionEnabled(false)
        analytics.logEvent("hidden")
        #expect(analytics.events.isEmpty && analytics.installationID == nil && !analytics.isCollectionEnabled)
    }
}

extension String {
    /// The first twelve digits of an ID.
    fileprivate var paddedID: String {
        let digits = String(repeating: "0", count: 12 - count) + self
        return digits.prefix(8) + "-" + digits.suffix(4)
    }
}
