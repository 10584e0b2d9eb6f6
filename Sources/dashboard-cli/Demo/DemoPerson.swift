// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// A person of the demo, with a device and habits.
struct DemoPerson: Sendable {
    let number: Int
    let platform: Platform
    let country: Country
    let version: String
    let isSignedIn: Bool
    /// The probability of a visit in an hour.
    let eagerness: Double

    struct Platform: Sendable {
        let name: String
        let os: String
        let device: String

        static let all = [
            Platform(name: "ios", os: "26.1", device: "iPhone18,1"), Platform(name: "ios", os: "18.7", device: "iPhone15,2"),
            Platform(name: "android", os: "16", device: "Pixel 10"), Platform(name: "android", os: "15", device: "SM-S921B"),
            Platform(name: "web", os: "", device: "Firefox"),
        ]
    }

    struct Country: Sendable {
        let code: String
        let locale: String
        let currency: String

        static let all = [
            Country(code: "DE", locale: "de_DE", currency: "EUR"), Country(code: "FR", locale: "fr_FR", currency: "EUR"),
            Country(code: "US", locale: "en_US", currency: "USD"), Country(code: "JP", locale: "ja_JP", currency: "USD"),
        ]
    }

    init(_ number: Int, _ chance: inout SeededGenerator) {
        self.number = number
        platform = chance.pick(Platform.all)
        country = chance.pick(Country.all)
        version = chance.pick(["2.3.0", "2.3.0", "2.3.0", "2.2.1", "2.1.4"])
        isSignedIn = chance.happens(0.7)
        // A few are frequent visitors, most are not.
        let x = chance.share()
        eagerness = 0.02 + 0.3 * x * x * x
    }

    var installation: String { "demo-device-\(number)" }
    var user: String { "demo-user-\(number)" }

    func writeIdentity(to json: inout JSONWriter) {
        json.field("installation_id", installation)
        if isSignedIn { json.field("user_id", user) }
    }

    func writeContext(to json: inout JSONWriter) {
        json.key("context")
        json.beginObject()
        json.field("platform", platform.name)
        json.field("app_version", version)
        if !platform.os.isEmpty { json.field("os_version", platform.os) }
        json.field("device_model", platform.device)
        json.field("locale", country.locale)
        json.field("country", country.code)
        json.endObject()
    }
}

/// The chances of the demo.
extension SeededGenerator {
    mutating func share() -> Double { .random(in: 0..<1, using: &self) }
    mutating func happens(_ share: Double) -> Bool { self.share() < share }
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &self) }
    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &self)] }
}
