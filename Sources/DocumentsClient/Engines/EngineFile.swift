// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// The last state of a sync engine on the disk, so that an app shows something before the first read.
struct EngineFile<Value: Codable & Sendable>: Sendable {
    private let url: URL?

    /// - Parameter key: The engine's name; nil keeps nothing.
    init(key: String?, in folder: URL?) {
        guard let key else {
            url = nil
            return
        }
        let support = folder ?? FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        let name = key.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : "_" }
        url = support?.appendingPathComponent("Signalbox").appendingPathComponent("Engines").appendingPathComponent("\(String(name)).json")
    }

    func load() -> Value? {
        guard let url, let data = try? Data(contentsOf: url) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: data)
    }

    /// Saves the state. A file that cannot be written is a slower start, and no error.
    func save(_ value: Value?) {
        guard let url else { return }
        guard let value, let data = try? JSONEncoder().encode(value) else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        try? PrivateFolder.make(url.deletingLastPathComponent())
        try? data.write(to: url, options: .atomic)
    }
}
