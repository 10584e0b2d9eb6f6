// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The delivered part of the oldest segment, stored across launches. If it is dropped, records are sent again and deduplicated by ID.
struct QueueHead: Codable, Equatable {
    var segment: UInt64
    var records: Int
    var bytes: Int

    private static let name = "head.json"

    static func read(in folder: URL) -> QueueHead? {
        (try? Data(contentsOf: folder.appendingPathComponent(name))).flatMap { try? JSONDecoder().decode(QueueHead.self, from: $0) }
    }

    func write(in folder: URL) {
        guard let data = try? JSONEncoder().encode(self) else { return }
        try? data.write(to: folder.appendingPathComponent(QueueHead.name), options: .atomic)
    }
}
