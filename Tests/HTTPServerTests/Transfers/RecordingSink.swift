// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPServer
import Synchronization

/// A sink that keeps what it gets, and answers with the size and the SHA-256 of it.
final class RecordingSink: BodySink {
    struct Record: Sendable {
        var bytes: [UInt8] = []
        var largestPiece = 0
        /// The calls after `write`, in order.
        var ends: [String] = []
    }

    private let record = Mutex(Record())
    /// Runs before a piece is kept, with the number of bytes before it.
    private let beforePiece: @Sendable (Int) throws(BodyRefusal) -> Void

    init(beforePiece: @escaping @Sendable (Int) throws(BodyRefusal) -> Void = { (_) throws(BodyRefusal) in }) {
        self.beforePiece = beforePiece
    }

    var current: Record { record.withLock { $0 } }
    var text: String { String(decoding: current.bytes, as: UTF8.self) }
    var ends: [String] { record.withLock(\.ends) }
    var count: Int { record.withLock(\.bytes.count) }

    func write(_ piece: Span<UInt8>) throws(BodyRefusal) {
        try beforePiece(count)
        record.withLock { record in
            piece.withUnsafeBufferPointer { record.bytes += $0 }
            record.largestPiece = max(record.largestPiece, piece.count)
        }
    }

    func finish() async -> HandlerResponse {
        let bytes = record.withLock { record in
            record.ends.append("finish")
            return record.bytes
        }
        return .response(HTTPResponse(status: 201, body: Array(RecordingSink.summary(of: bytes).utf8)))
    }

    func abandon(_ reason: BodyAbandonment) {
        record.withLock { $0.ends.append("\(reason)") }
    }

    static func summary(of bytes: [UInt8]) -> String { "\(bytes.count) \(hexadecimal(SHA256.hash(bytes)))" }

    private static func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String($0, radix: 16) }.joined(separator: ":") }
}

/// Plans that receive PUT bodies into sinks of one kind and echo other requests.
final class Receiving: Sendable {
    private let made = Shared<[RecordingSink]>([])
    private let limit: Int
    private let beforePiece: @Sendable (Int) throws(BodyRefusal) -> Void

    init(limit: Int = 1 << 30, beforePiece: @escaping @Sendable (Int) throws(BodyRefusal) -> Void = { (_) throws(BodyRefusal) in }) {
        (self.limit, self.beforePiece) = (limit, beforePiece)
    }

    /// The sinks in the order of their requests.
    var sinks: [RecordingSink] { made.current }

    func plan(_ head: HTTPRequestHead) -> HTTPPlan {
        guard head.method == .put else { return echo(head) }
        return .receive { [self] (_) throws(BodyRefusal) in
            let sink = RecordingSink(beforePiece: beforePiece)
            made.change { $0.append(sink) }
            return BodyAcceptance(sink, limit: limit)
        }
    }
}

/// Bytes in which no block is like another.
func distinctBytes(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    var words: [UInt64] = []
    words.reserveCapacity(count / 8 + 1)
    while words.count * 8 < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words.append(state)
    }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
}
