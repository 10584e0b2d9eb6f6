// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A server that accepts connections and never responds, like a hung daemon, or sends every client the same response.
final class SilentServer: Sendable {
    private struct Unavailable: Error {}

    private let listener: Int32
    let port: UInt16

    init(saying answer: String? = nil) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isThere = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isThere else { throw Unavailable() }
        port = UInt16(bigEndian: address.sin_port)
        guard let answer else { return }
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                var asked = [UInt8](repeating: 0, count: 1 << 16)
                _ = recv(client, &asked, asked.count, 0)
                _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var url: String { "http://127.0.0.1:\(port)" }
}
