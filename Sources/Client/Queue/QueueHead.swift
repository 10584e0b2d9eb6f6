// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How far the oldest segment has been sent, across starts. Where it is lost, some records are sent again, and their ids make that harmless.
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
