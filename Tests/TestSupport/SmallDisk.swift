// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A small disk in memory for one test; mounting needs root.
package final class SmallDisk: Sendable {
    package let folder = TemporaryFolder()
    private let isMounted: Bool

    package init?(bytes: Int) {
        isMounted = mount("tmpfs", folder.path, "tmpfs", 0, "size=\(bytes)") == 0
        if !isMounted { return nil }
    }

    deinit {
        if isMounted { umount2(folder.path, Int32(MNT_DETACH)) }
    }

    /// Takes all free space, until `giveBack`.
    package func fill() throws {
        let file = try File(ballast, .keep)
        while case let free = try Int(Folder.freeBytes(at: folder.path)), free > 0 {
            let bytes = [UInt8](repeating: 1, count: free)
            do { try file.write(bytes.span, at: Int64(file.size)) } catch  where error.isFull {}
        }
    }

    package func giveBack() throws { try Folder.remove(ballast) }

    private var ballast: String { folder.path + "/ballast" }

    /// Whether this process may mount a file system.
    package static let isPossible = SmallDisk(bytes: 1 << 20) != nil
}
