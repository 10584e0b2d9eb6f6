// SPDX-License-Identifier: Apache-2.0

/// The state shared by all loops of a server.
struct LoopContext: Sendable {
    let plan: @Sendable (HTTPRequestHead) -> HTTPPlan
    /// The head is passed if it was parsed.
    let problem: @Sendable (HTTPRequestError, HTTPRequestHead?) -> HTTPResponse
    let ledger: ConnectionLedger
    let proxies: TrustedProxies
    let deadlines: DeadlineLimits
    let caps: HTTPServerConfiguration.Caps
    let tasks: TaskQueue
    /// Scans bodies for keys.
    let scans: WorkPool
    /// Decodes large bodies.
    let decoders: WorkPool
    let memory: RequestMemory
    let responses: ResponseMemory
    let counters: Counters
    let transfers: TransferLoops
    /// Whether new connections during a drain are served by the next process on the same sockets.
    let othersTakeOver: Bool
}
