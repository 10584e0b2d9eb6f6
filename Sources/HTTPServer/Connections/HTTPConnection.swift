// SPDX-License-Identifier: Apache-2.0

import Compression

/// An accepted socket and its state. Only the thread of its loop uses it, also while it is lent to a transfer loop.
final class HTTPConnection {
    let descriptor: Int32
    /// The number of the connection in its loop; a new one in each loop, so that events and replies for the previous one are ignored.
    var generation: UInt32
    /// The loop that lent the connection to a transfer loop; `nil` at home.
    var home: EventLoop?
    let peer: ClientAddress
    let peerIsTrusted: Bool
    var state: ConnectionState
    var reader: RequestReader

    /// Increases with every request, so that a duplicate or late reply is ignored.
    var serial: UInt32 = 0
    var request: RequestInProgress?
    /// Bytes after the current request; at most one read, because reading stops until it is answered.
    var backlog: [UInt8] = []
    var backlogStart = 0
    /// Response bytes that the socket did not accept yet.
    private(set) var output: [UInt8] = []
    private(set) var outputStart = 0
    /// A large response body after `output`, shared with its creator instead of copied.
    private var body: [UInt8] = []
    /// The part of the response memory that the response takes until it is sent.
    var hold: ResponseHold?
    /// The file after `output`, and whether the connection is in the loop's list of those that send one.
    var file: FileToSend?
    var isSending = false
    var stream: ResponseChannel?
    var closesAfterResponse = false
    /// Whether the socket may have bytes. Edge-triggered polling reports arrival only once.
    var hasUnreadInput = false
    /// Whether the connection is in the loop's list of unfinished connections.
    var isPostponed = false
    /// Whether the client has closed its sending side.
    var hasEnded = false
    /// Bytes of a rejected request that are still read and discarded: a proxy that is still sending would lose the response.
    var lingerBudget = 8 << 20

    init(descriptor: Int32, generation: UInt32, peer: ClientAddress, isTrusted: Bool, state: ConnectionState, reader: RequestReader) {
        self.descriptor = descriptor
        self.generation = generation
        self.peer = peer
        peerIsTrusted = isTrusted
        self.state = state
        self.reader = reader
    }

    /// The number that the poller reports with events.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }
    var ticket: Ticket { Ticket(descriptor: descriptor, generation: generation, serial: serial) }

    /// The address that limits apply to: the peer, or the client named by a trusted proxy.
    var countedAddress: ClientAddress? { peerIsTrusted || peer.isControlSocket ? request?.countedClient : peer }

    /// Whether a request may be read now.
    var readsRequests: Bool {
        switch state.phase {
        case .idle, .head, .body: true
        case .waiting, .writing, .streaming, .lingering: false
        }
    }

    /// Whether bytes are read from the socket, including bytes to discard.
    var wantsInput: Bool { readsRequests || state.phase == .lingering }

    /// Whether the next bytes continue a body that did not fit into one buffer.
    var isInLargeBody: Bool { reader.isInBody && reader.bodyReceived >= EventLoop.inputSize / 2 || state.phase == .lingering }

    var hasBacklog: Bool { backlogStart < backlog.count }
    var hasOutput: Bool { hasBytes || file != nil }
    /// Whether a part of `output` is not sent.
    var hasBytes: Bool { outputStart < output.count }

    /// Keeps response bytes until the socket accepts them; `sent` bytes of the first part are sent already.
    func queue(_ bytes: [UInt8], sent: Int = 0, body: [UInt8] = []) {
        (output, outputStart, self.body) = (bytes, sent, body)
        wasSent(0)
    }

    func wasSent(_ count: Int) {
        outputStart += count
        if !hasBytes { (output, outputStart, body) = (body, 0, []) }
    }
}

/// A request without a response yet.
struct RequestInProgress {
    let head: HTTPRequestHead
    var plan: HTTPPlan?
    var coding = ContentCoding.identity
    /// The destination of the body, until the body is complete or abandoned, and the body's size limit.
    var sink: (any BodySink)?
    var sinkLimit = 0
    /// The place among the transfers, for a request that uses a transfer loop.
    var transfer: TransferHold?
    /// The client's address, if the request came through a proxy.
    var countedClient: ClientAddress?
    /// The body bytes charged to the request memory, and the hold that owns them.
    var charged = 0
    var memory: MemoryHold?
    /// Told when the client leaves before its response.
    var observer: (any ConnectionObserver)?
}

/// Identifies a request of a connection of a loop.
struct Ticket: Sendable, Equatable {
    let descriptor: Int32
    let generation: UInt32
    let serial: UInt32
}
