// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Data folders as a daemon leaves them that was started and stopped. Making the schemas of their files takes longer than a start.
package enum StartedFolder {
    private static let made = Task { try await make() }

    /// Returns a folder like that. All have the same secrets.
    package static func copy() async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, bytes) in try await made.value {
            let path = "\(folder.path)/\(name)"
            if let bytes {
                let isCreated = FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
                guard isCreated else { throw CocoaError(.fileWriteUnknown) }
            } else {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        }
        return folder
    }

    /// The names within a folder, each folder before what is in it, and the bytes of files. SQLite makes its shared memory again.
    private static func make() async throws -> [(name: String, bytes: Data?)] {
        let folder = TemporaryFolder()
        _ = try await DaemonProcess.start(in: folder.path).stop()
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { !$0.hasSuffix("-shm") }.map { name in
            let type = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.type] as? FileAttributeType
            return (name, type == .typeDirectory ? nil : try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
        }
    }
}
