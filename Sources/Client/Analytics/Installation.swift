// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state that persists across launches: installation ID, user ID, session, and consent.
struct Installation: Codable, Equatable {
    var id = UUID().uuidString.lowercased()
    var isCollectionEnabled: Bool
    var userID: String?
    var session: Session?
    var hasOpened = false
    /// The default event parameters; `nil` and empty mean the same.
    var defaults: [String: ParameterValue]?

    private static let name = "installation.json"

    init(isCollectionEnabled: Bool) {
        self.isCollectionEnabled = isCollectionEnabled
    }

    /// Returns `nil` if there is none. Throws if it cannot be read now: a new one would forget that the user has refused collection.
    static func read(in folder: URL) throws(SignalboxError) -> Installation? {
        let data: Data
        do {
            data = try Data(contentsOf: folder.appendingPathComponent(name))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return nil
        } catch {
            throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
        }
        return try? JSONDecoder().decode(Installation.self, from: data)
    }

    /// Writes the file atomically.
    func write(in folder: URL) throws(SignalboxError) {
        do {
            try JSONEncoder().encode(self).write(to: folder.appendingPathComponent(Installation.name), options: .atomic)
        } catch {
            throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
        }
    }
}
