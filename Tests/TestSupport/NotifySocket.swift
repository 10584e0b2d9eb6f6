// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Receives the notifications of a daemon to its service manager.
package final class NotifySocket: Sendable {
    package struct Message: Sendable {
        package var text: String
        package var time: ContinuousClock.Instant

        package var lines: [Substring] { text.split(separator: "\n") }
    }

    private let heard = Mutex<[Message]>([])

    /// Binds to a path, or with a leading `@` to an abstract name.
    package init(_ name: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let bytes = Array(name.utf8)
        var address = PassedSocket.address(of: name.hasPrefix("@") ? [0] + bytes.dropFirst() : bytes)
        try PassedSocket.bind(descriptor, &address, size: MemoryLayout<sa_family_t>.size + bytes.count)
        DispatchQueue(label: "signalbox.test-notifications").async { [weak self] in
            var room = [UInt8](repeating: 0, count: 4_096)
            while case let count = read(descriptor, &room, room.count), count > 0, let self {
                let message = Message(text: String(decoding: room[..<count], as: UTF8.self), time: .now)
                self.heard.withLock { $0.append(message) }
            }
            close(descriptor)
        }
    }

    /// Returns the datagrams so far that contain the line.
    package func messages(_ line: String) -> [Message] {
        heard.withLock { $0 }.filter { $0.lines.contains { $0 == line } }
    }
}
