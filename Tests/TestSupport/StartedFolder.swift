// SPDX-License-Identifier: Apache-2.0

/// Data folders as a daemon leaves them that was started and stopped. Making the schemas of their files takes longer than a start.
package enum StartedFolder {
    private static let made = Task {
        let folder = TemporaryFolder()
        _ = try await DaemonProcess.start(in: folder.path).stop()
        return try KeptFolder(folder)
    }

    /// Returns a folder like that. All have the same secrets.
    package static func copy() async throws -> TemporaryFolder { try await made.value.copy() }
}
