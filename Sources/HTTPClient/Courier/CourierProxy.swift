// SPDX-License-Identifier: Apache-2.0

import CCurl
package import Platform

/// The proxy through which a courier sends, and the rule for hosts that it may ask the proxy for.
///
/// The proxy resolves names, so the courier knows no address to check:
///
///     https://10.0.0.7/hook         the rule sees the host 10.0.0.7
///     https://hooks.example/hook    the rule sees the host hooks.example; the proxy decides about its addresses
package struct CourierProxy: Sendable {
    /// The proxy in force; nil for none. It is read for each request.
    package var url: @Sendable () -> ProxyURL?
    /// Returns why a host and port may not be asked for; nil if they may.
    package var block: @Sendable (String, Int) -> CourierFailure?

    package init(url: @escaping @Sendable () -> ProxyURL?, block: @escaping @Sendable (String, Int) -> CourierFailure?) {
        self.url = url
        self.block = block
    }

    func failure(of request: CourierRequest) -> CourierFailure? {
        guard let destination = request.destination else { return .badURL }
        return block(destination.host, destination.port)
    }
}

extension CourierRequest {
    /// Host, without brackets, and port as libcurl reads them, which writes the request to the proxy, too.
    fileprivate var destination: (host: String, port: Int)? {
        guard let parts = curl_url() else { return nil }
        defer { curl_url_cleanup(parts) }
        guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK, let host = CourierRequest.text(CURLUPART_HOST, of: parts),
            let port = CourierRequest.text(CURLUPART_PORT, of: parts).flatMap({ Int($0) })
        else { return nil }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return (isBracketed ? String(host.dropFirst().dropLast()) : host, port)
    }

    private static func text(_ part: CURLUPart, of parts: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parts, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
