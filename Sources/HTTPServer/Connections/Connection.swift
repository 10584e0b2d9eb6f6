// SPDX-License-Identifier: Apache-2.0

import Compression

/// One accepted socket and everything the loop knows about it; touched by that loop's thread alone.
final class Connection {
    let descriptor: Int32
    let generation: UInt32
    let peer: ClientAddress
    let peerIsTrusted: Bool
    var state: ConnectionState
    var reader: RequestReader

    /// Rises with every request, so that a reply which comes twice or too late meets nobody.
    var serial: UInt32 = 0
    var request: RequestInProgress?
    /// Bytes behind the request being handled; at most one read, because reading stops meanwhile.
    var backlog: [UInt8] = []
    var backlogStart = 0
    /// What could not be sent yet.
    private(set) var output: [UInt8] = []
    private(set) var outputStart = 0
    /// A large body behind it, which the connection shares with whoever made it.
    private var body: [UInt8] = []
    var stream: ResponseChannel?
    var closesAfterAnswer = false
    /// Edge-triggered polling reports arrival once; this remembers it until the bytes are wanted.
    var hasUnreadInput = false
    /// Whether it stands among the loop's unfinished connections.
    var isPostponed = false
    /// The client will send nothing more.
    var hasEnded = false
    /// Of a request that was refused as much is read past as a client may think it can send: a proxy that is still sending loses the answer.
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

    /// Whom the caps per address are for: the peer, or whom a trusted proxy names.
    var countedAddress: ClientAddress? { peerIsTrusted || peer.isControlSocket ? request?.countedClient : peer }

    /// Whether the next bytes belong to a request that may be read now.
    var readsRequests: Bool {
        switch state.phase {
        case .idle, .head, .body: true
        case .waiting, .writing, .streaming, .lingering: false
        }
    }

    /// Whether bytes from the client are to be taken off the socket, if only to be thrown away.
    var wantsInput: Bool { readsRequests || state.phase == .lingering }

    /// Whether what comes next is the rest of something that did not fit into one buffer.
    var isInLargeBody: Bool { reader.isInBody && reader.bodyReceived >= EventLoop.inputSize / 2 || state.phase == .lingering }

    var hasBacklog: Bool { backlogStart < backlog.count }
    var hasOutput: Bool { outputStart < output.count }

    /// Has these wait until the socket takes them; so much of the first was sent already.
    func queue(_ bytes: [UInt8], sent: Int = 0, body: [UInt8] = []) {
        (output, outputStart, self.body) = (bytes, sent, body)
        wasSent(0)
    }

    func wasSent(_ count: Int) {
        outputStart += count
        if !hasOutput { (output, outputStart, body) = (body, 0, []) }
    }
}

/// A request whose answer is still to come.
struct RequestInProgress {
    let head: HTTPRequestHead
    var plan: HTTPPlan?
    var coding = ContentCoding.identity
    var upload: UploadFile?
    /// The address this request is counted under, if it came through a proxy.
    var countedClient: ClientAddress?
    /// Bytes of body that were charged to the common memory, and the hold they are charged to.
    var charged = 0
    var memory: MemoryHold?
}

/// Names one request of one connection of a loop.
package struct Ticket: Sendable, Equatable {
    let descriptor: Int32
    let generation: UInt32
    let serial: UInt32
}
