// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A folder of the app's data that other users of the machine cannot read, and that is in no backup.
package enum PrivateFolder {
    package static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // The data is written while the screen is locked too, and an installation must not be restored to another device.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: folder.path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var folder = folder
            try? folder.setResourceValues(values)
        #endif
    }
}
