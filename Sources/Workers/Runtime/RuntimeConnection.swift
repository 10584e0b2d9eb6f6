// SPDX-License-Identifier: Apache-2.0

import Functions
import Glibc
import HTTPServer

/// A kept connection of a worker that speaks the Runtime API, HTTP/1.1.
final class RuntimeConnection {
    let descriptor: Int32
    private var reader = RequestReader(limits: HeadLimits())
    private var head: HTTPRequestHead?
    private var unsent: [UInt8] = []
    /// Whether it closes once everything was sent.
    private var isEnding = false
    private(set) var isOver = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// No request is read while more bytes of responses than these wait for a program that does not read them.
    private static let mostUnsent = 64 << 10

    var interest: WorkerInterest {
        let reads = unsent.count <= RuntimeConnection.mostUnsent
        return WorkerInterest(descriptor: descriptor, events: (reads ? Int16(POLLIN) : 0) | (unsent.isEmpty ? 0 : Int16(POLLOUT)))
    }

    /// The bytes of a body that has begun.
    var bytesHeld: Int { reader.bodyKept }

    /// Returns the requests that are complete.
    func receive() -> [RuntimeRequest] {
        flush()
        var requests: [RuntimeRequest] = []
        if unsent.count > RuntimeConnection.mostUnsent { return requests }
        var room = [UInt8](repeating: 0, count: 64 << 10)
        let count = room.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 {
            do throws(HTTPRequestError) { try take(room[..<count], &requests) } catch {
                send(status: error.status, "{}")
                isOver = true
            }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            isOver = true
        }
        return requests
    }

    private func take(_ bytes: ArraySlice<UInt8>, _ requests: inout [RuntimeRequest]) throws(HTTPRequestError) {
        let input = bytes.span
        var offset = 0
        while true {
            switch try reader.next(input, at: &offset) {
            case .needsMore, .piece: return
            case .head(let head):
                self.head = head
                if head.expectsContinue { send("HTTP/1.1 100 Continue\r\n\r\n") }
                try reader.expect(head.body, limit: CallBody.maximumBytes)
            case .body(let body):
                guard let head else { return }
                isEnding = !head.keepsAlive
                requests.append(RuntimeRequest(head, body))
            }
        }
    }

    // MARK: Responses

    func send(status: Int, _ json: String) {
        let reason = [202: "Accepted", 400: "Bad Request", 404: "Not Found"][status] ?? "Error"
        send(
            "HTTP/1.1 \(status) \(reason)\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n"
                + "\(isEnding ? "Connection: close\r\n" : "")\r\n\(json)")
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        unsent += bytes
        flush()
    }

    private func flush() {
        guard !unsent.isEmpty else { return }
        var sent = 0
        while sent < unsent.count {
            let count = unsent[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                if errno != EAGAIN { isOver = true }
                break
            }
        }
        unsent.removeFirst(sent)
        if unsent.isEmpty, isEnding { isOver = true }
    }
}

/// A request of the Runtime API.
///
///     GET  /2018-06-01/runtime/invocation/next             →  next
///     POST /2018-06-01/runtime/invocation/call_1/response  →  response of call_1
///     POST /2018-06-01/runtime/invocation/call_1/error     →  error of call_1
///     POST /2018-06-01/runtime/init/error                  →  start failed
enum RuntimeRequest {
    case next
    case response(id: String, [UInt8])
    case error(id: String, [UInt8])
    case startFailed([UInt8])
    case unknown

    init(_ head: HTTPRequestHead, _ body: [UInt8]) {
        let parts = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard parts.count >= 4, parts[0] == "2018-06-01", parts[1] == "runtime" else {
            self = .unknown
            return
        }
        self =
            switch (head.method, parts[2], parts.count, parts[parts.count - 1]) {
            case (.get, "invocation", 4, "next"): .next
            case (.post, "invocation", 5, "response"): .response(id: parts[3], body)
            case (.post, "invocation", 5, "error"): .error(id: parts[3], body)
            case (.post, "init", 4, "error"): .startFailed(body)
            default: .unknown
            }
    }
}
