// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
import Platform
import Synchronization

/// One request and its response.
///
/// `@unchecked Sendable`: only the thread of `run` uses the state, except the flag; others read the result after it is handed over.
final class Transfer: @unchecked Sendable {
    private static let mostHeaderBytes = 256 << 10

    private let request: HTTPClientRequest
    private let onBytes: (@Sendable ([UInt8]) throws -> Void)?
    private let isCancelled = Atomic(false)

    private var response = HTTPClientResponse()
    private var headerBytes = 0
    /// Reset after `onBytes` has consumed it, and when libcurl takes bytes of the source.
    private var lastHeard = ContinuousClock.now
    /// The reason why a callback aborted; libcurl only reports that one did.
    private var reason: (any Error)?
    /// Whether an address was not allowed. Another one of the host may be.
    private var wasBlocked = false

    init(_ request: HTTPClientRequest, onBytes: (@Sendable ([UInt8]) throws -> Void)?) {
        self.request = request
        self.onBytes = onBytes
    }

    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    func run() -> Result<HTTPClientResponse, any Error> {
        do {
            try request.checkFraming()
            lastHeard = .now
            var handle = try EasyHandle()
            try prepare(&handle)
            try handle.perform()
            return .success(response)
        } catch {
            if let reason { return .failure(reason) }
            return .failure(wasBlocked ? HTTPClientError(.blockedAddress, "the host has an address that is not allowed") as any Error : error)
        }
    }
}

// MARK: - Options

extension Transfer {
    private func prepare(_ handle: inout EasyHandle) throws {
        try handle.set(CURLOPT_URL, request.url)
        try handle.setDefaultOptions()
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        if let path = request.unixSocketPath { try handle.set(CURLOPT_UNIX_SOCKET_PATH, path) }
        try setTimeouts(&handle)
        try setMessage(&handle)
        try setCallbacks(&handle)
    }

    private func setTimeouts(_ handle: inout EasyHandle) throws {
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout)
        // A streamed body has no total time limit; see `shouldStop`.
        if !isStreamed { try handle.set(CURLOPT_TIMEOUT_MS, request.timeout) }
    }

    private func setMessage(_ handle: inout EasyHandle) throws {
        if request.method == "HEAD" {
            try handle.set(CURLOPT_NOBODY, 1)
        } else if let source = request.source {
            try handle.setUpload(length: source.length)
            try handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        } else {
            let needsLength = request.method == "POST" || request.method == "PUT"
            if let body = request.body ?? (needsLength ? [] : nil) { try handle.setBody(body) }
            try handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        try handle.setFields(HTTPField.unasked + request.headers.map { try HTTPField($0.name, $0.value) })
    }

    private func setCallbacks(_ handle: inout EasyHandle) throws {
        // Unretained: `run` is a method of this object, which lives until the exchange ends.
        let owner = Unmanaged.passUnretained(self).toOpaque()
        try handle.setReceivers(
            owner,
            header: { bytes, size, count, context in
                Transfer.callback(context, bytes, size &* count) { try $0.receiveHeader($1) }
            },
            write: { bytes, size, count, context in
                Transfer.callback(context, bytes, size &* count) { try $0.receiveBody($1) }
            })
        if request.source != nil {
            try handle.setSource(owner) { buffer, size, count, context in
                guard let buffer, let context else { return Int(CURL_READFUNC_ABORT) }
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().supply(
                    UnsafeMutableRawBufferPointer(start: buffer, count: size &* count))
            }
        }
        try handle.setProgress(owner) { context, _, _, _, _ in
            guard let context else { return 1 }
            return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().shouldStop ? 1 : 0
        }
        guard request.permits != nil else { return }
        try handle.setAddressChecks(
            owner,
            openSocket: { context, _, address in
                guard let context, let address else { return CURL_SOCKET_BAD }
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().openSocket(address)
            },
            beforeRequest: { context, address, _, _, _ in
                guard let context, let address else { return CURL_PREREQFUNC_ABORT }
                let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.mayConnect(IPAddress(String(cString: address))) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
    }
}

// MARK: - Callbacks

extension Transfer {
    /// Returns the number of bytes consumed to libcurl; any other number aborts the exchange.
    private static func callback(
        _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ receive: (Transfer, [UInt8]) throws -> Void
    ) -> Int {
        guard let context, let bytes else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // Copied, because libcurl reuses its buffer after the call.
        let copy = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        do {
            try receive(transfer, copy)
            transfer.lastHeard = .now
            return count
        } catch {
            transfer.reason = error
            return count == 0 ? 1 : 0
        }
    }

    /// Copies the next bytes of the source.
    private func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            let bytes = try request.source?.read(buffer.count) ?? []
            buffer.copyBytes(from: bytes.prefix(buffer.count))
            lastHeard = .now
            return min(bytes.count, buffer.count)
        } catch {
            reason = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private var isStreamed: Bool { onBytes != nil || request.source != nil }

    /// Called by libcurl about once a second.
    private var shouldStop: Bool {
        if isCancelled.load(ordering: .relaxed) {
            reason = CancellationError()
        } else if isStreamed, ContinuousClock.now - lastHeard > request.timeout {
            // libcurl's low speed limit does not detect silence: it treats a few bytes as none.
            reason = HTTPClientError(.timedOut, "the server sent nothing within the time limit")
        }
        return reason != nil
    }

    private func openSocket(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        guard mayConnect(IPAddress(address)) else { return CURL_SOCKET_BAD }
        let place = address.pointee
        return socket(place.family, place.socktype | Int32(SOCK_CLOEXEC.rawValue), place.protocol)
    }

    private func mayConnect(_ address: IPAddress?) -> Bool {
        let isPermitted = address.flatMap { request.permits?($0) } ?? false
        if !isPermitted { wasBlocked = true }
        return isPermitted
    }

    private func receiveHeader(_ line: [UInt8]) throws {
        headerBytes += line.count
        guard headerBytes <= Transfer.mostHeaderBytes else { throw HTTPClientError(.responseTooLarge, "the response head is too large") }
        let field = line.filter { $0 != 0x0d && $0 != 0x0a }
        if field.starts(with: "HTTP/".utf8) {
            // An interim response may precede; only the last head counts.
            response = HTTPClientResponse()
            let status = field.split(separator: UInt8(ascii: " ")).dropFirst().first
            response.status = status.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        } else if let colon = field.firstIndex(of: UInt8(ascii: ":")) {
            let value = field[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            response.headers.append((String(decoding: field[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
    }

    private func receiveBody(_ bytes: [UInt8]) throws {
        if let onBytes, (200..<300).contains(response.status) { return try onBytes(bytes) }
        guard response.body.count + bytes.count <= request.maxResponseBytes else {
            throw HTTPClientError(.responseTooLarge, "the response is larger than \(request.maxResponseBytes) bytes")
        }
        response.body += bytes
    }
}

extension HTTPClientRequest {
    /// Rejects zero bytes and line ends: libcurl sends these texts as they are. See `HTTPField` for fields.
    fileprivate func checkFraming() throws {
        let isMethod = !method.isEmpty && method.utf8.allSatisfy { (0x41...0x5a).contains($0) }
        guard isMethod, !url.utf8.contains(0), !(unixSocketPath?.utf8.contains(0) ?? false) else {
            throw HTTPClientError(.invalidRequest, "the method or the URL contains an invalid character")
        }
    }
}
