// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import CSignalbox
    import Foundation
    import FoundationNetworking

    /// A request of a ``CurlLoop``.
    final class CurlTransfer: Sendable {
        /// The end of a request. There is no response if the daemon was not reached, and no failure of a response that is complete.
        struct End: Sendable {
            var response: HTTPURLResponse?
            var failure: String?
        }

        /// Firewalls reject requests without a name, and the list of a user's sessions shows it.
        private static let userAgent: String = {
            let name = ProcessInfo.processInfo.processName.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
            return name.isEmpty ? "Signalbox" : "Signalbox (\(name.prefix(64)))"
        }()

        nonisolated(unsafe) let pointer: OpaquePointer

        /// Returns `nil` if the request cannot be made, as with a line break in a header field.
        init?(_ request: URLRequest, acceptsEncodings: Bool, mayRepeat: Bool) {
            guard let pointer = csignalbox_transfer_new() else { return nil }
            self.pointer = pointer
            guard set(request), !acceptsEncodings || csignalbox_transfer_accept_encodings(pointer) else { return nil }
            if !mayRepeat { csignalbox_transfer_send_once(pointer) }
        }

        deinit {
            csignalbox_transfer_free(pointer)
        }

        /// Marks the transfer as cancelled. Its loop looks at it when it is woken.
        func cancel() { csignalbox_transfer_cancel(pointer) }

        /// The reason of a failure.
        var error: String { String(cString: csignalbox_transfer_error(pointer)) }

        private func set(_ request: URLRequest) -> Bool {
            guard let url = request.url else { return false }
            let (method, body) = (request.httpMethod ?? "GET", request.httpBody ?? Data())
            let isSet = body.withUnsafeBytes { csignalbox_transfer_set_request(pointer, url.absoluteString, method, $0.baseAddress, $0.count) }
            guard isSet else { return false }
            // With `Expect` libcurl would wait for the daemon's consent to a large body.
            var lines = (request.allHTTPHeaderFields ?? [:]).map { "\($0.key): \($0.value)" } + ["User-Agent: \(CurlTransfer.userAgent)", "Expect:"]
            if body.isEmpty, ["POST", "PUT", "PATCH"].contains(method) { lines.append("Content-Length: 0") }
            return lines.allSatisfy { CurlTransfer.isOneLine($0) && csignalbox_transfer_add_field(pointer, $0) }
        }

        /// libcurl sends a line break in a value as it is, and another field would begin there.
        private static func isOneLine(_ line: String) -> Bool {
            !line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
        }
    }
#endif
