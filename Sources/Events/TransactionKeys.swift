// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The dedupe keys of a purchase's transaction ID.
///
/// A client's purchase counts once per person, a trusted one once per app. T sent by ann, then by bob, then by a server:
///
///     ann      `ofPerson` of T and ann is new                    accepted
///     ann      `ofPerson` is known                               duplicate
///     bob      `ofPerson` of T and bob is new                    accepted
///     server   `trusted` of T is new; T was sent today (`ofDay`) accepted, the purchases of ann and bob are withdrawn
///     ann      `trusted` is known                                duplicate
///
/// All are mixed from the keyed hash of the ID, so nobody can craft two IDs with a common key.
package struct TransactionKeys: Sendable {
    /// The key of the transaction ID. Version 0.1 stored it, and counted the transaction once per app.
    package let ofApp: UInt64
    private let person: UInt64

    package init(transaction: UInt64, person: UInt64) {
        ofApp = transaction
        self.person = person
    }

    package var ofPerson: UInt64 { TransactionKeys.mixed(ofApp, person) }
    package var trusted: UInt64 { TransactionKeys.mixed(ofApp, 0x7472_7573_7465_6421) }

    /// The key that says that a client's purchase was received on a day.
    package func ofDay(_ day: Day) -> UInt64 {
        TransactionKeys.mixed(ofApp, 0x6461_7921_0000_0000 | UInt64(UInt32(bitPattern: day.number)))
    }

    /// Returns a key that depends on all bits of both numbers; never 0, which means "none".
    private static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
        var x = a &+ (b ^ b >> 32) &* 0x9e37_79b9_7f4a_7c15
        x = (x ^ x >> 30) &* 0xbf58_476d_1ce4_e5b9
        x = (x ^ x >> 27) &* 0x94d0_49bb_1331_11eb
        x ^= x >> 31
        return x == 0 ? 1 : x
    }
}

extension EventRecord {
    /// The keys of a purchase's transaction; nil for other events, and without a transaction ID.
    package var transactionKeys: TransactionKeys? {
        guard kind.countsTransactionOnce, subjectKey != 0 else { return nil }
        return TransactionKeys(transaction: subjectKey, person: userKey != 0 ? userKey : installationKey)
    }

    package var isTrusted: Bool { flags.contains(.trusted) }
}
