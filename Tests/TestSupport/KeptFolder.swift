// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of a data folder that nobody has open, for tests that each begin with a copy.
package struct KeptFolder: Sendable {
    /// The names within the folder, each folder before what is in it, and the bytes of files.
    private let entries: [(name: String, bytes: Data?)]

    /// Reads a folder. SQLite makes its shared memory again.
    package init(_ folder: TemporaryFolder) throws {
        entries = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { !$0.hasSuffix("-shm") }.map { name in
            let type = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.type] as? FileAttributeType
            return (name, type == .typeDirectory ? nil : try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
        }
    }

    package func copy() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, bytes) in entries {
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
}
