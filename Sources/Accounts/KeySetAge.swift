// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import Platform

/// A provider's key set and when it is fetched.
///
///     no keys                      fetch, and wait for them
///     fresh                        use them; a token with an unknown key fetches at most once a minute
///     expired                      fetch, and wait for them
///     expired, the last try failed use them for a day, and try once a minute beside the requests
///
/// The lifetime is what the provider's `Cache-Control` says, from five minutes to a day.
package struct KeySetAge: Sendable {
    package enum Step: Sendable, Equatable {
        case use
        /// Use the keys at once, and fetch new ones meanwhile.
        case useAndFetch
        case fetch
        /// There are no keys, and the provider was asked a moment ago.
        case unavailable
    }

    package static let lifetimes = Timestamp.Span.minutes(5)...Timestamp.Span.hours(24)
    package static let staleFor = Timestamp.Span.hours(24)
    private static let pause = Timestamp.Span.minutes(1)

    package private(set) var keys: KeySet?
    /// The time of the last success.
    package private(set) var fetched: Timestamp?
    private var freshUntil = Timestamp(milliseconds: 0)
    private var lastTry: Timestamp?
    private var hasFailed = false

    package init() {}

    /// - Parameter unknownKey: Whether a token named a key that the set lacks.
    package mutating func step(unknownKey: Bool, at now: Timestamp) -> Step {
        // A clock that was set back must neither keep keys for longer nor stop the tries.
        if let last = lastTry, last > now { lastTry = nil }
        if freshUntil - now > KeySetAge.lifetimes.upperBound { freshUntil = now }
        let mayTry = lastTry.map { now - $0 >= KeySetAge.pause } ?? true
        guard keys != nil, now < freshUntil + KeySetAge.staleFor else { return mayTry ? .fetch : .unavailable }
        if now < freshUntil { return unknownKey && mayTry ? .fetch : .use }
        guard mayTry else { return .use }
        return hasFailed && !unknownKey ? .useAndFetch : .fetch
    }

    /// Notes that a fetch begins.
    package mutating func began(at now: Timestamp) { lastTry = now }

    package mutating func succeeded(_ keys: KeySet, lifetime: Timestamp.Span, at now: Timestamp) {
        (self.keys, fetched, hasFailed) = (keys, now, false)
        freshUntil = now + min(max(lifetime, KeySetAge.lifetimes.lowerBound), KeySetAge.lifetimes.upperBound)
    }

    package mutating func failed() { hasFailed = true }

    /// Returns the lifetime that a `Cache-Control` field gives: `public, max-age=3600` is an hour.
    package static func lifetime(cacheControl: String?) -> Timestamp.Span {
        let shortest = lifetimes.lowerBound
        guard let cacheControl, cacheControl.utf8.count <= 1_024 else { return shortest }
        let words = cacheControl.utf8.split(separator: UInt8(ascii: ",")).map { word in
            String(decoding: word.filter { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: "\"") }, as: UTF8.self).lowercased()
        }
        if words.contains("no-store") || words.contains("no-cache") { return shortest }
        guard let age = words.first(where: { $0.hasPrefix("max-age=") })?.dropFirst(8), !age.isEmpty,
            age.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return shortest }
        // A number with more digits than an Int has is beyond the longest lifetime anyway.
        return .seconds(Int64(age).map { min($0, 86_400) } ?? 86_400)
    }
}
