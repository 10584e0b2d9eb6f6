// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of a test's own, gone with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("signalbox-\(UUID().uuidString)").path
        // A test that cannot have its folder fails where it first opens a file in it.
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
