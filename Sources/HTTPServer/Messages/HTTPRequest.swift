// SPDX-License-Identifier: Apache-2.0

package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    /// The body with its content coding undone, with room for 64 more bytes behind it; empty for an upload.
    package let body: [UInt8]
    /// Where an upload's body is. The file goes away when the handler returns, unless it was moved.
    package let bodyFile: String?
    /// What the request holds of the common memory; a handler adds what it makes of the body.
    package var memory: MemoryHold?
    /// Where a handler goes on that reads a large body; nil for a small one.
    package var lane: WorkLane?

    /// What the JSON reader wants to be allowed to look at behind the end.
    static let spare = 64
}
