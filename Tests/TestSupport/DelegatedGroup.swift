// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Platform
package import Workers

/// A control group below that of this process, in the place of one that a service manager delegates.
package struct DelegatedGroup: Sendable {
    package let group: ControlGroup

    /// Whether tests may make groups below that of this process.
    package static var isPossible: Bool { ControlGroup.own().map { access($0.path, W_OK) == 0 } ?? false }

    package init() throws {
        guard let own = ControlGroup.own() else { throw SystemError(number: ENOENT) }
        group = ControlGroup(path: "\(own.path)/signalbox-test-\(UInt32.random(in: .min ... .max))")
        guard mkdir(group.path, 0o755) == 0 else { throw SystemError(number: errno) }
    }

    /// The groups of instances, which are removed when they have ended.
    package var instances: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: group.path)) ?? []).filter { $0.hasPrefix("worker-") }
    }

    /// Removes the group. Returns false while groups of instances are in it.
    package func remove() -> Bool { rmdir(group.path) == 0 }
}
