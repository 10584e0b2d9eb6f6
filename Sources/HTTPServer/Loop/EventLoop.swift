// SPDX-License-Identifier: Apache-2.0

import CLinux
import Compression
import Glibc
import Synchronization

/// A thread with its own listeners and connections. It waits for events and executes the decisions of parsers and connection states. A transfer
/// loop has no listeners, but connections that other loops lend to it.
///
/// `@unchecked Sendable`: its state is confined to its thread; other threads use the mailbox only.
final class EventLoop: @unchecked Sendable {
    let context: LoopContext
    let mailbox: Mailbox
    let hasIterated = Atomic<Bool>(true)
    var poller: Poller
    var listeners: [Listener]
    var isAccepting = true
    /// Connections by file descriptor. The kernel assigns the lowest free number, so the array stays short.
    var connections: [HTTPConnection?] = []
    var connectionCount = 0
    /// Sockets of other parts by file descriptor.
    var externalSockets: [WatchedSocket?] = []
    var externalSocketCount = 0
    /// Connections that have more to read after their turn, in order.
    var unfinished: [HTTPConnection] = []
    /// Connections that send a file and may go on, in order.
    var sending: [HTTPConnection] = []
    /// The number of connections lent to transfer loops.
    let lent = Atomic<Int>(0)
    let isTransferLoop: Bool
    /// Whether other loops may lend connections to this one.
    private(set) var isFed: Bool
    /// Whether the loop has ended and closes its connections.
    private(set) var hasStopped = false
    var ids = RequestIDSource()
    var encoder = ResponseEncoder()
    var now = monotonicMilliseconds()
    /// The decoding time on this thread since it last waited for events.
    var decodeNanoseconds: UInt64 = 0
    private(set) var drainsUntil: Int64?

    let input: UnsafeMutableRawBufferPointer
    private var messages: [LoopMessage] = []
    private var nextGeneration: UInt32 = 0
    private var nextSweep: Int64 = 0
    private var hasReportedNone = false

    static let wakeToken = UInt64.max
    static let listenerBit: UInt64 = 1 << 63
    static let inputSize = 64 * 1_024
    /// A turn is short, so a loop that wakes may go before threads that run for longer at a stretch, such as those of transfers.
    private static let slice: UInt64 = 500_000

    convenience init(_ context: LoopContext, listeners: [Listener]) throws(HTTPServerError) {
        try self.init(context, listeners, isTransferLoop: false, inputSize: EventLoop.inputSize)
    }

    convenience init(transfersIn context: LoopContext) throws(HTTPServerError) {
        try self.init(context, [], isTransferLoop: true, inputSize: BodyPiece.largest)
    }

    private init(_ context: LoopContext, _ listeners: [Listener], isTransferLoop: Bool, inputSize: Int) throws(HTTPServerError) {
        self.context = context
        self.listeners = listeners
        (self.isTransferLoop, isFed) = (isTransferLoop, isTransferLoop)
        mailbox = try Mailbox()
        poller = try Poller()
        // One read buffer for the loop, so that an idle connection needs none; freed with the loop.
        input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)
        guard poller.add(mailbox.wakeUp, token: EventLoop.wakeToken, .readable) else { throw .outOfDescriptors(systemReason()) }
        for listener in listeners {
            guard poller.add(listener.descriptor, token: EventLoop.listenerBit | UInt64(listener.descriptor), .readable) else {
                throw .outOfDescriptors(systemReason())
            }
        }
    }

    deinit {
        for case let connection? in connections { Glibc.close(connection.descriptor) }
        input.deallocate()
    }

    /// Runs until the server has drained.
    func run() {
        if isTransferLoop { blockBrokenPipes() } else { clinux_set_slice(EventLoop.slice) }
        while !hasDrained {
            mailbox.takeOrSleep(into: &messages)
            for message in messages { receive(message) }
            if !isTransferLoop { context.responses.serve(at: now) }
            let count = poller.wait(milliseconds: patience(hadMessages: !messages.isEmpty))
            mailbox.stayAwake()
            now = monotonicMilliseconds()
            decodeNanoseconds = 0
            for index in 0..<count { handle(poller.event(index)) }
            continueUnfinished()
            continueSending()
            if now >= nextSweep { sweep() }
        }
        hasStopped = true
        for case let connection? in connections { close(connection) }
        closeExternalSockets()
    }

    /// A loop waits for connections that it lent, and a transfer loop for the loops that lend them.
    private var hasDrained: Bool {
        guard let drainsUntil, !isFed else { return false }
        return connectionCount == 0 && lent.load(ordering: .relaxed) == 0 || now >= drainsUntil
    }

    private func patience(hadMessages: Bool) -> Int32 {
        if hadMessages || !unfinished.isEmpty || !sending.isEmpty { return 0 }
        if hasReportedNone, connectionCount == 0, externalSocketCount == 0, isAccepting, drainsUntil == nil { return -1 }
        return Int32(clamping: max(0, nextSweep - now))
    }

    private func handle(_ event: Poller.Event) {
        if event.token == EventLoop.wakeToken {
            mailbox.clearWakeUp()
        } else if event.token & EventLoop.listenerBit != 0 {
            let descriptor = Int32(truncatingIfNeeded: event.token & 0xffff_ffff)
            if let listener = listeners.first(where: { $0.descriptor == descriptor }) { accept(from: listener) }
        } else if event.token & EventLoop.externalSocketBit != 0 {
            handleExternalSocket(event)
        } else if let connection = connection(descriptor: Int32(truncatingIfNeeded: event.token), generation: UInt32(event.token >> 32)) {
            changed(connection, event)
        }
    }

    private func changed(_ connection: HTTPConnection, _ event: Poller.Event) {
        connection.hasEnded = connection.hasEnded || event.hasEnded
        let isObserved = connection.stream != nil || connection.request?.observer != nil
        if event.isBroken || (connection.hasEnded && isObserved) { return close(connection) }
        if event.isWritable, connection.hasOutput { continueResponse(connection) }
        guard isOpen(connection) else { return }
        if event.isReadable || event.hasEnded {
            connection.hasUnreadInput = true
            read(connection)
        }
    }

    private func receive(_ message: LoopMessage) {
        switch message {
        case .response(let ticket, let response):
            guard let connection = waiting(ticket) else { return }
            connection.request?.observer = nil
            respond(connection, response)
            resume(connection)
        case .closeUnsent(let ticket): if let connection = connection(ticket), connection.hold != nil { close(connection) }
        case .observed(let ticket, let observer): observe(ticket, observer)
        case .fault(let ticket, let fault):
            guard let connection = waiting(ticket) else { return }
            fail(connection, fault)
            resume(connection)
        case .identified(let ticket, let plan, let request):
            guard let connection = waiting(ticket) else { return }
            do throws(HTTPRequestError) {
                try dispatch(connection, plan, request)
            } catch {
                fail(connection, error)
            }
            resume(connection)
        case .file(let ticket, let response): if let connection = waiting(ticket) { sendFile(connection, response) }
        case .accepted(let ticket, let acceptance): receiveBody(waiting(ticket), acceptance)
        case .refused(let ticket, let response): if let connection = waiting(ticket) { refuseBody(connection, response) }
        case .arrival(let moved, let step): arrive(moved, step)
        case .feedersEnded: isFed = false
        case .stream(let ticket, let status, let headers, let channel):
            guard let connection = waiting(ticket) else { return channel.close() }
            beginStream(connection, status, headers, channel)
        case .streamMoved(let ticket): if let connection = connection(ticket) { pump(connection) }
        case .run(let body): body(self)
        case .turn: hasIterated.store(true, ordering: .relaxed)
        case .drain(let until): drain(until: until)
        }
    }

    /// Attaches an observer, or tells it at once that the client is gone. A client that closed its sending side counts as gone.
    private func observe(_ ticket: Ticket, _ observer: any ConnectionObserver) {
        guard let connection = waiting(ticket) else { return observer.connectionClosed() }
        connection.request?.observer = observer
        if connection.hasEnded { close(connection) }
    }

    // MARK: Connections

    func connection(_ ticket: Ticket) -> HTTPConnection? {
        let connection = connection(descriptor: ticket.descriptor, generation: ticket.generation)
        return connection?.serial == ticket.serial ? connection : nil
    }

    private func waiting(_ ticket: Ticket) -> HTTPConnection? {
        let connection = connection(ticket)
        return connection?.state.phase == .waiting ? connection : nil
    }

    private func connection(descriptor: Int32, generation: UInt32) -> HTTPConnection? {
        let index = Int(descriptor)
        guard connections.indices.contains(index), let connection = connections[index], connection.generation == generation else { return nil }
        return connection
    }

    func isOpen(_ connection: HTTPConnection) -> Bool {
        connections[Int(connection.descriptor)] === connection
    }

    /// Returns an unused connection number below the bit that marks listeners.
    func newGeneration() -> UInt32 {
        nextGeneration = (nextGeneration &+ 1) & 0x3fff_ffff
        return nextGeneration
    }

    func insert(_ connection: HTTPConnection) {
        let index = Int(connection.descriptor)
        while connections.count <= index { connections.append(nil) }
        connections[index] = connection
        connectionCount += 1
    }

    func close(_ connection: HTTPConnection) {
        guard isOpen(connection) else { return }
        settle(connection)
        connections[Int(connection.descriptor)] = nil
        connectionCount -= 1
        Glibc.close(connection.descriptor)
        connection.home?.lent.wrappingSubtract(1, ordering: .relaxed)
        context.ledger.connectionClosed()
        if !connection.peer.isControlSocket, !connection.peerIsTrusted { context.ledger.leave(connection.peer) }
    }

    // MARK: Time

    /// Checks all deadlines. A sweep a few times a second replaces a timer for each connection.
    private func sweep() {
        nextSweep = now + context.deadlines.sweepInterval
        var counts = PhaseCounts()
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            counts[connection.state.phase] += 1
            // A connection that waits for its turn is not late, but the loop is.
            if connection.isPostponed && connection.state.phase == .body || connection.isSending { continue }
            switch connection.state.expiry(at: now) {
            case .close: connection.state.phase == .idle ? closeIdle(connection) : close(connection)
            case .respondSlowClient: fail(connection, .slowClient)
            case nil: break
            }
        }
        checkTimesOfExternalSockets()
        context.counters.report(counts, by: ObjectIdentifier(self))
        hasReportedNone = connectionCount == 0
        resumeAccepting()
    }

    /// Stops accepting. Connections in the backlog are still served: by this process, or by the next one if it inherits the socket.
    private func drain(until: Int64) {
        drainsUntil = min(until, drainsUntil ?? .max)
        for listener in listeners where !listener.isPassed { accept(from: listener) }
        // Closing does not remove a socket from epoll while another process has it open.
        setListeners(.nothing)
        listeners = []
        for case let connection? in connections where connection.state.phase == .idle { endIdle(connection) }
    }

    /// Ends an idle connection of a draining loop.
    func endIdle(_ connection: HTTPConnection) {
        if context.othersTakeOver { connection.state.lastCall(at: now) } else { closeIdle(connection) }
    }

    /// Closes an idle connection, unless a request has just arrived.
    private func closeIdle(_ connection: HTTPConnection) {
        let serial = connection.serial
        connection.hasUnreadInput = true
        read(connection)
        if isOpen(connection), connection.state.phase == .idle, connection.serial == serial { close(connection) }
    }
}
