// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Stored parts of sessions on the days 1 to 5, with a timeout of 1,800 s.
    static let sessionChunks: [Grower] = subjects + crashes

    private static let subjects: [Grower] = [
        chunk("subjects") { number, _ in [Part(UInt64(number + 1) << 40, at: number)] },
        chunk("sessions of a subject") { number, _ in [Part(7, session: number + 1, at: number)] },
        chunk("parts of a session") { number, _ in [Part(7, session: 9, at: number)] },
        chunk("the same part") { _, _ in [Part(7, at: 0)] },
        chunk("parts without a session in reverse") { number, count in [Part(7, at: count - number)] },
        chunk("parts far apart") { number, _ in [Part(7, at: number * 2_000_000)] },
        chunk("long sessions") { number, _ in [Part(7, session: number + 1, at: 0), Part(7, session: number + 1, at: 90_000_000)] },
        chunk("users") { number, _ in [Part(UInt64(number % 3 + 1), session: number + 1, at: number, user: UInt64(number + 50))] },
        chunk("damaged parts", isAccepted: false) { number, _ in [Part(7, at: number, length: -1)] },
    ]

    private static let crashes: [Grower] = [
        chunk("crashes without a session") { number, _ in [Part(7, at: number, flags: 2)] },
        chunk("crashes far apart") { number, _ in [Part(7, at: number * 2_000_000, flags: 2)] },
        chunk("crashes among sessions of one time") { number, _ in [Part(7, session: number + 1, at: 0), Part(7, at: number + 1, flags: 2)] },
        chunk("crashes among sessions that end") { number, _ in
            [Part(7, session: number + 1, at: number * 2_000_000), Part(7, at: number * 2_000_000 + 1, flags: 2)]
        },
    ]

    private struct Part {
        var subject: UInt64
        var session: UInt64
        /// Milliseconds after the start of day 1.
        var at: Int64
        var length: Int64
        var user: UInt64
        var flags: UInt64

        init(_ subject: UInt64, session: Int64 = 0, at: Int64, length: Int64 = 0, user: UInt64 = 0, flags: UInt64 = 4) {
            (self.subject, self.session, self.at, self.length) = (subject, UInt64(session), at, length)
            (self.user, self.flags) = (user, flags)
        }

        var words: [UInt64] {
            let time = UInt64(bitPattern: at + 86_400_000)
            let last = UInt64(bitPattern: at + length + 86_400_000)
            let userTime: UInt64 = user == 0 ? 0 : time
            return [subject, session, time, last, user, userTime, UInt64(UInt32.max) << 32, flags << 32]
        }
    }

    /// - Parameter parts: Returns the parts of a number below a count.
    private static func chunk(
        _ name: String, isAccepted: Bool = true, _ parts: @escaping @Sendable (_ number: Int64, _ count: Int64) -> [Part]
    ) -> Grower {
        Grower("sessionchunks", name, isAccepted: isAccepted) { n in
            var words: [UInt64] = [1_799 | 1 << 16 | 4 << 32]
            for number in 0..<Int64(n) {
                for part in parts(number, Int64(n)) { words += part.words }
            }
            return words.flatMap(bytes)
        }
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
}
