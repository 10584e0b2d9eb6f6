// SPDX-License-Identifier: Apache-2.0

import FileStore
import HTTPServer
import Platform

/// The origin that serves the bytes of files and nothing else (`files.origin`), so that no file is ever a page of the API's origin.
///
///     origin https://files.example.com
///     Host: files.example.com   GET /v1/files/1/a          the bytes
///     Host: files.example.com   GET /v1/files/1/a?info=1   421
///     Host: api.example.com     GET /v1/files/1/a          421; without a key, by a link, 307 to https://files.example.com/v1/files/1/a
struct FileOrigin: Sendable {
    /// Nil if any host serves everything.
    let origin: String?

    /// Throws unless the host of a request serves what it asks for. The operator at the control socket asks no host.
    func require(_ head: HTTPRequestHead, isContent: Bool) throws(Refusal) {
        guard let origin, !head.client.isControlSocket, isAt(origin, head) != isContent else { return }
        let hint = isContent ? "Ask \(origin)." : "This host serves the bytes of files only."
        throw Refusal(.misdirected, "The host of the request does not serve this.", hint: hint)
    }

    /// Returns the response that leads a request for bytes to the origin; nil for a request that is there. A request with a key is refused
    /// instead, because clients do not send it on to another host.
    func redirect(_ head: HTTPRequestHead) throws(Refusal) -> HTTPResponse? {
        guard let origin, !head.client.isControlSocket, !isAt(origin, head) else { return nil }
        if Credentials.isNamed(in: head) { try require(head, isContent: true) }
        let target = head.path + (head.query.map { "?\($0)" } ?? "")
        return HTTPResponse(status: 307, headers: [("Location", origin + target), ("Referrer-Policy", "no-referrer")])
    }

    private func isAt(_ origin: String, _ head: HTTPRequestHead) -> Bool { head.header("Host").map { WebOrigin.isServed(origin, at: $0) } ?? false }
}

extension FileBounds {
    var fileOrigin: FileOrigin { FileOrigin(origin: origin) }
}
