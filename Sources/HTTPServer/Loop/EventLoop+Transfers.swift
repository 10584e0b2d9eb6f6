// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Connections that move between loops. A connection moves only while the loop handles a message or has sent the end of a response, so that no
/// caller up the stack uses it afterwards.
extension EventLoop {
    /// Sends a response with a file on a transfer loop.
    func sendFile(_ connection: HTTPConnection, _ response: HTTPResponse) {
        do throws(HTTPRequestError) {
            if connection.request?.transfer == nil {
                let transfer = try context.transfers.enter(connection.countedAddress, in: context)
                connection.request?.transfer = transfer
            }
            lend(connection, .respond(response))
        } catch {
            respond(connection, context.problem(error, connection.request?.head))
            resume(connection)
        }
    }

    /// Moves a connection to the transfer loop where its request has a place.
    func lend(_ connection: HTTPConnection, _ step: TransferStep) {
        guard let loop = connection.request?.transfer?.loop else { return }
        connection.home = self
        lent.wrappingAdd(1, ordering: .relaxed)
        loop.mailbox.post(.arrival(depart(connection), step))
    }

    /// Returns a connection after its response. The bytes after the request go along, so the next one is answered in order.
    func returnHome(_ connection: HTTPConnection) {
        guard let home = connection.home, isFed else { return close(connection) }
        let moved = depart(connection)
        connection.home = nil
        home.mailbox.post(.arrival(moved, .complete))
    }

    private func depart(_ connection: HTTPConnection) -> MovedConnection {
        poller.remove(connection.descriptor)
        connections[Int(connection.descriptor)] = nil
        connectionCount -= 1
        if connection.isPostponed { unfinished.removeAll { $0 === connection } }
        if connection.isSending { sending.removeAll { $0 === connection } }
        (connection.isPostponed, connection.isSending) = (false, false)
        return MovedConnection(connection)
    }

    func arrive(_ moved: MovedConnection, _ step: TransferStep) {
        guard let connection = moved.take() else { return }
        if connection.home == nil { lent.wrappingSubtract(1, ordering: .relaxed) }
        connection.generation = newGeneration()
        insert(connection)
        guard poller.add(connection.descriptor, token: connection.token, .changes) else { return close(connection) }
        // The poller reports what has arrived, but not whether some of it was read before.
        connection.hasUnreadInput = true
        switch step {
        case .receive: beginBody(connection)
        case .respond(let response): respond(connection, response)
        case .complete: break
        }
        resume(connection)
        if drainsUntil != nil, isOpen(connection), connection.state.phase == .idle { endIdle(connection) }
    }

    // MARK: Files

    /// The limit of file bytes that a connection sends before others have their turn.
    private static let partSize = 1 << 20
    /// The limit of connections that send a part in one turn of the loop.
    private static let partsPerTurn = 16

    /// Sends the next part of a file; returns whether it was the last one.
    func sendPart(_ connection: HTTPConnection) -> Bool {
        guard let count = connection.file?.send(to: connection.descriptor, most: EventLoop.partSize) else { return true }
        if count > 0 {
            context.counters.sentFileBytes.wrappingAdd(count, ordering: .relaxed)
            connection.state.wrote(count, at: now)
            if connection.file?.left == 0 {
                connection.file = nil
                return true
            }
            queuePart(connection)
        } else if count == -Int(EINTR) {
            queuePart(connection)
        } else if count != -Int(EAGAIN) {
            // The client is gone, the disk failed, or the file was truncated.
            close(connection)
        }
        return false
    }

    private func queuePart(_ connection: HTTPConnection) {
        guard !connection.isSending else { return }
        connection.isSending = true
        sending.append(connection)
    }

    /// Continues files in order.
    func continueSending() {
        guard !sending.isEmpty else { return }
        let waiting = sending
        sending.removeAll(keepingCapacity: true)
        let turn = waiting.prefix(EventLoop.partsPerTurn)
        sending += waiting[turn.endIndex...]
        for connection in turn where isOpen(connection) {
            connection.isSending = false
            if connection.hasOutput { continueResponse(connection) }
        }
    }

    /// Blocks SIGPIPE for the thread, because sendfile(2) has no flag against it.
    func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
