// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import DocumentStore
import HTTPServer
import Platform
import Synchronization

/// A stream of documents on its connection. It makes an event when there is news and the connection has taken the one before, so a slow client
/// has one event in memory, and a client without news has none.
final class ConnectedDocumentStream: HTTPEventSource, DocumentListenerOwner {
    /// The targets with which a stream begins.
    struct Beginning {
        let targets: [RequestedTarget]
        let resumes: Bool
        let token: ListenToken?
    }

    private struct State {
        /// Nil after the first turn.
        var beginning: Beginning?
        /// The event that is being sent, which is in memory until the connection has been given all of it.
        var event: [UInt8] = []
        var given = 0

        /// Takes the next piece; nil after the last.
        mutating func takePiece() -> [UInt8]? {
            if given == event.count {
                (event, given) = ([], 0)
                return nil
            }
            let piece = Array(event[given...].prefix(ConnectedDocumentStream.pieceBytes))
            given += piece.count
            return piece
        }
    }

    /// The bytes of events that need not be received before the next event is made.
    private static let bytesAhead = 16 << 10
    /// The bytes that are sent at once. A client that receives so many in time is not too slow.
    private static let pieceBytes = 64 << 10
    private static let comment = Array(":\n\n".utf8)

    private let stream: DocumentEventStream
    private let listens: DocumentListens
    private let sink: HTTPEventSink
    private let id: String
    private let state: Mutex<State>

    init(
        _ stream: DocumentEventStream, _ beginning: Beginning, _ listens: DocumentListens, _ place: OpenDocumentStreams.Place?, _ sink: HTTPEventSink
    ) {
        (self.stream, self.listens, self.sink) = (stream, listens, sink)
        state = Mutex(State(beginning: beginning))
        id = listens.open.insert(stream, stream.holder.caller, place)
        _ = sink.send(DocumentEventStream.opening(id), butFor: Self.bytesAhead)
        stream.listener.whenCut { sink.cut() }
        stream.listener.begin(self)
    }

    func connectionIsReady() { stream.listener.wake() }
    func connectionClosed() { stream.listener.wake() }

    func turn() async {
        do {
            if let beginning = state.withLock({ $0.beginning.take() }) {
                try await stream.add(beginning.targets, resumes: beginning.resumes, beginning.token)
            }
            if sink.isClosed { return close() }
            if stream.listener.mustEnd || !isAllowed { return finish() }
            if try await send() { listens.beat(stream) }
        } catch {
            sink.cut()
            close()
        }
    }

    /// Whether the key is not revoked, the session has not ended and the token is not over.
    private var isAllowed: Bool {
        let holder = stream.holder
        return listens.store.knows(holder.caller) && listens.clock.now() < holder.expires
    }

    private func finish() {
        if let failure = stream.listener.failure { _ = sink.send(DocumentEventStream.text(of: failure), butFor: .max) }
        sink.finish()
        close()
    }

    private func close() {
        stream.listener.close()
        listens.open.remove(id)
    }

    /// Sends what the connection takes. Returns false if it has not taken everything.
    private func send() async throws -> Bool {
        guard sink.isReady, sendPieces() else { return false }
        let text = try await stream.next(at: listens.clock.now())
        let isBeatDue = stream.listener.takeBeat()
        state.withLock { $0.event = text.isEmpty && isBeatDue ? Self.comment : text }
        return sendPieces()
    }

    /// Sends the event in pieces, as long as the connection takes them.
    private func sendPieces() -> Bool {
        while true {
            let (piece, bytes) = state.withLock { state in (state.takePiece(), state.event.count) }
            stream.listener.unsent(bytes > Self.bytesAhead ? bytes : 0)
            guard let piece else { return true }
            if !sink.send(piece, butFor: Self.bytesAhead) { return false }
        }
    }
}
