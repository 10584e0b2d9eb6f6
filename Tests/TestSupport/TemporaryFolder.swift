// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A temporary folder, removed with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("signalbox-\(UUID().uuidString)").path
        // An error surfaces when the test opens the first file.
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
