// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
import Platform

/// The state shared by all exchanges of a shard.
struct CourierRules {
    let options: HTTPCourierOptions
    /// Returns why an address and port may not be connected to; nil if they may.
    let block: @Sendable (IPAddress, Int) -> CourierFailure?
    let proxy: CourierProxy?
}

/// A reusable exchange: an easy handle with its settings.
///
/// It is confined to its shard's thread. libcurl holds it unretained as the owner of the callbacks, which are called only while the handle is
/// in the multi handle; the shard retains the exchange for that time.
final class CourierExchange {
    let names: NameCache
    /// The index in the shard's list.
    var place = 0
    /// The number of the request.
    var id: Int64 { result.id }
    private let rules: CourierRules
    private var handle: EasyHandle
    private var result = CourierResult(id: 0)
    private var receiver: CourierReceiver?
    private var contentType: String?
    private var headBytes = 0
    /// Why the last connection was not made: its address or port is not allowed.
    private var block: CourierFailure?
    /// Whether the body exceeded the limit, so that this side ended the exchange.
    private var isCut = false
    /// The bytes that were written before the request; nil until it begins.
    private var writtenBefore: Int?
    private var isRepeatable = true
    /// Whether libcurl was kept from writing the request once more.
    private var hasRefusedRepetition = false
    /// Whether the connection is one to a proxy.
    private var isProxied = false

    private static let mostHeadBytes = 64 << 10

    init(_ rules: CourierRules, names: NameCache) throws {
        self.rules = rules
        self.names = names
        handle = try EasyHandle()
        try setUp()
    }

    deinit {
        // Before the name cache is released, which the handle refers to.
        try? handle.set(CURLOPT_SHARE, nil as UnsafeMutableRawPointer?)
    }

    var easy: UnsafeMutableRawPointer { handle.handle }

    /// Returns the exchange of a handle.
    static func of(_ easy: UnsafeMutableRawPointer) -> CourierExchange? {
        var owner: UnsafeMutableRawPointer?
        signalbox_curl_get_pointer(easy, CURLINFO_PRIVATE, &owner)
        return owner.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Prepares the exchange for a request and resets its previous state.
    func begin(_ request: CourierRequest, through proxy: ProxyURL?) throws {
        result = CourierResult(id: request.id)
        (receiver, contentType) = (request.receiver, nil)
        headBytes = 0
        block = nil
        isCut = false
        (writtenBefore, hasRefusedRepetition, isRepeatable) = (nil, false, request.isRepeatable)
        isProxied = proxy != nil
        // Without a proxy the empty text keeps libcurl from those of the environment.
        try handle.set(CURLOPT_PROXY, proxy?.revealed.revealed ?? "")
        try handle.set(CURLOPT_URL, request.url)
        // Wait for a connection being established (HTTP/2) instead of opening another. Without TLS there is no multiplexing.
        try handle.set(CURLOPT_PIPEWAIT, request.isSecure ? 1 : 0)
        try handle.set(CURLOPT_TIMEOUT_MS, request.timeout)
        try handle.setFields([HTTPField.unasked, request.sharedFields, request.fields].joined())
        switch request.content {
        case .get: try handle.set(CURLOPT_HTTPGET, 1)
        case .post(let body): try handle.setBody(body)
        }
    }

    /// The result of the exchange.
    func finish(_ code: CURLcode) -> CourierResult {
        // An interim (1xx) response is not a response.
        result.status = handle.status >= 200 ? handle.status : 0
        result.milliseconds = handle.milliseconds
        result.failure = failure(code)
        // The status is that of the proxy.
        if result.failure == .proxyFailed { result.status = 0 }
        defer { forget() }
        return result
    }

    func cancelled() -> CourierResult {
        result.milliseconds = handle.milliseconds
        result.failure = .cancelled
        defer { forget() }
        return result
    }

    /// Releases what belongs to the request.
    private func forget() {
        result = CourierResult(id: 0)
        (receiver, contentType) = (nil, nil)
    }

    private func failure(_ code: CURLcode) -> CourierFailure? {
        if isCut, code == CURLE_WRITE_ERROR { return nil }
        if hasRefusedRepetition, code == CURLE_ABORTED_BY_CALLBACK { return .noResponse }
        // If some of a name's addresses are forbidden and others do not answer, report the forbidden address.
        if isProxied, hasProxyFailed(code) { return .proxyFailed }
        if let block, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK { return block }
        return CourierFailure(code)
    }

    /// Whether the proxy was out of reach or refused. A receiver never answers 407.
    private func hasProxyFailed(_ code: CURLcode) -> Bool {
        // This side resolves no other name and connects to nothing else.
        let ofProxy = [CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PROXY]
        if ofProxy.contains(code) || handle.status == 407 { return true }
        return code != CURLE_OK && handle.proxyStatus >= 300
    }
}

// MARK: - Settings

extension CourierExchange {
    private func setUp() throws {
        try handle.setDefaultOptions()
        try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, rules.options.connectTimeout)
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try setNames()
        try setAuthorities()
        // libcurl's default buffers are for large bodies; 16 KiB is its minimum for sending.
        try handle.set(CURLOPT_BUFFERSIZE, 4 << 10)
        try handle.set(CURLOPT_UPLOAD_BUFFERSIZE, 16 << 10)
        try setCallbacks()
    }

    private func setNames() throws {
        try handle.set(CURLOPT_SHARE, names.share)
        try handle.set(CURLOPT_DNS_CACHE_TIMEOUT, -1)
        let seconds = rules.options.nameLifetime.components.seconds
        try handle.set(CURLOPT_MAXLIFETIME_CONN, max(1, Int(seconds) * 10))
        // Otherwise an exchange that ends during its name lookup blocks all others until the lookup ends.
        try handle.set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setAuthorities() throws {
        if let file = rules.options.certificateFile { try handle.set(CURLOPT_CAINFO, file) }
        // With a certificate folder besides the file, libcurl reads all authorities again for each connection.
        try handle.set(CURLOPT_CAPATH, nil as UnsafeMutableRawPointer?)
        if let file = rules.options.certificateFile { try handle.set(CURLOPT_PROXY_CAINFO, file) }
        try handle.set(CURLOPT_PROXY_CAPATH, nil as UnsafeMutableRawPointer?)
        // Proxies serve all hosts, whatever the environment says.
        try handle.set(CURLOPT_NOPROXY, "")
        // A handle serves many receivers, so remembered state of one is useless.
        try handle.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }

    private func setCallbacks() throws {
        let owner = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_PRIVATE, owner)
        try handle.setReceivers(
            owner,
            header: { bytes, size, count, owner in
                CourierExchange.receive(owner, bytes, size &* count) { $0.receiveHead($1) }
            },
            write: { bytes, size, count, owner in
                CourierExchange.receive(owner, bytes, size &* count) { $0.receiveBody($1) }
            })
        try handle.setAddressChecks(
            owner,
            openSocket: { owner, _, address in
                guard let owner, let address else { return CURL_SOCKET_BAD }
                return Unmanaged<CourierExchange>.fromOpaque(owner).takeUnretainedValue().openSocket(address)
            },
            beforeRequest: { owner, address, _, port, _ in
                guard let owner, let address else { return CURL_PREREQFUNC_ABORT }
                let exchange = Unmanaged<CourierExchange>.fromOpaque(owner).takeUnretainedValue()
                let mayBegin = exchange.mayConnect(IPAddress(String(cString: address)), Int(port)) && exchange.mayWrite()
                return mayBegin ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
    }
}

// MARK: - Callbacks

extension CourierExchange {
    /// Returns the number of bytes consumed to libcurl; any other number aborts the exchange.
    private static func receive(
        _ owner: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
        _ take: (CourierExchange, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let owner, let bytes, count > 0 else { return 0 }
        let exchange = Unmanaged<CourierExchange>.fromOpaque(owner).takeUnretainedValue()
        return take(exchange, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= CourierExchange.mostHeadBytes else { return false }
        // Of several heads the last one counts.
        if line.starts(with: "HTTP/".utf8) { (result.retryAfter, contentType) = (nil, nil) }
        // Compare bytes before creating a string: most lines have other names.
        if line[0] | 0x20 == UInt8(ascii: "r"), let value = CourierExchange.value(of: "retry-after", line) { result.retryAfter = value }
        if receiver != nil, line[0] | 0x20 == UInt8(ascii: "c"), let value = CourierExchange.value(of: "content-type", line) { contentType = value }
        return true
    }

    /// Returns the value of a line, if it is the named field.
    private static func value(of name: String, _ line: UnsafeRawBufferPointer) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), String(decoding: line[..<colon], as: UTF8.self).lowercased() == name else {
            return nil
        }
        let value = line[(colon + 1)...].prefix(128)
        return String(decoding: value, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let receiver {
            isCut = !receiver(CourierHead(status: handle.status, contentType: contentType), Array(bytes))
            return !isCut
        }
        let capacity = rules.options.responseBytes - result.response.count
        result.response += bytes.prefix(capacity)
        isCut = bytes.count > capacity
        return !isCut
    }

    private func openSocket(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        names.connections += 1
        guard mayConnect(IPAddress(address), IPAddress.port(of: address)) else { return CURL_SOCKET_BAD }
        let place = address.pointee
        return socket(place.family, place.socktype | Int32(SOCK_CLOEXEC.rawValue), place.protocol)
    }

    /// libcurl writes a request again if a kept connection ended before a response. The receiver may have carried it out.
    private func mayWrite() -> Bool {
        let written = handle.writtenBytes
        guard let writtenBefore else {
            writtenBefore = written
            return true
        }
        hasRefusedRepetition = !isRepeatable && written > writtenBefore
        return !hasRefusedRepetition
    }

    private func mayConnect(_ address: IPAddress?, _ port: Int) -> Bool {
        // The address is that of the operator's proxy.
        if isProxied { return true }
        block = address.map { rules.block($0, port) } ?? .blockedAddress
        return block == nil
    }
}
