// SPDX-License-Identifier: Apache-2.0

import Compression

/// An accepted socket and its state. Only the thread of its loop uses it.
final class HTTPConnection {
    let descriptor: Int32
    let generation: UInt32
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
    var hasOutput: Bool { outputStart < output.count }

    /// Keeps response bytes until the socket accepts them; `sent` bytes of the first part are sent already.
    func queue(_ bytes: [UInt8], sent: Int = 0, body: [UInt8] = []) {
        (output, outputStart, self.body) = (bytes, sent, body)
        wasSent(0)
    }

    func wasSent(_ count: Int) {
        outputStart += count
        if !hasOutput { (output, outputStart, body) = (body, 0, []) }
    }
}

/// A request without a response yet.
struct RequestInProgress {
    let head: HTTPRequestHead
    var plan: HTTPPlan?
    var coding = ContentCoding.identity
    var upload: UploadFile?
    /// The client's address, if the request came through a proxy.
    var countedClient: ClientAddress?
    /// The body bytes charged to the request memory, and the hold that owns them.
    var charged = 0
    var memory: MemoryHold?
}

/// Identifies a request of a connection of a loop.
struct Ticket: Sendable, Equatable {
    let descriptor: Int32
    let generation: UInt32
    let serial: UInt32
}
