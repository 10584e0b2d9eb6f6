// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// The receiver of a body in pieces, as a handler makes it. Its calls come one at a time.
protocol PieceReceiver: AnyObject, Sendable {
    /// Takes the next bytes; it may block while a disk does.
    func write(_ piece: Span<UInt8>) throws
    /// Responds after the last piece.
    func finish() async throws -> HandlerResponse
    /// Gives up: the body will not be complete.
    func abandon()
}

/// A receiver as the server sees it: its errors become responses, and each response is counted and logged.
final class ReceivingSink: BodySink {
    private let receiver: any PieceReceiver
    private let watch: Watch
    /// Makes the response to an error.
    private let answer: @Sendable (any Error) -> HTTPResponse

    init(_ receiver: any PieceReceiver, _ watch: Watch, answer: @escaping @Sendable (any Error) -> HTTPResponse) {
        (self.receiver, self.watch, self.answer) = (receiver, watch, answer)
    }

    func write(_ piece: Span<UInt8>) throws(BodyRefusal) {
        do { try receiver.write(piece) } catch { throw .response(answer(error)) }
    }

    func finish() async -> HandlerResponse {
        do {
            let response = try await receiver.finish()
            guard case .response(var plain) = response else { return response }
            watch.finish(&plain)
            return .response(plain)
        } catch {
            return .response(answer(error))
        }
    }

    func abandon(_ reason: BodyAbandonment) { receiver.abandon() }
}
