// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Foundation
import Ingest
import Platform

extension Given {
    static let crashes = NativeCrashes(parser: parser)
    static let stored = StoredCrashes(parser: parser)
}

/// The crash reports in `Tests/Fixtures/crashes`.
enum CrashFixture {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/crashes")

    static func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
    }
}

func decode(crashes body: [UInt8], query: [(name: String, value: String)] = [], app: App = Given.app()) throws(Refusal) -> CrashBatch {
    try Given.crashes.decode(body, query: query, app: app, received: Given.received, hash: Given.hash)
}

func decode(crashes body: String, query: [(name: String, value: String)] = [], app: App = Given.app()) throws(Refusal) -> CrashBatch {
    try decode(crashes: Array(body.utf8), query: query, app: app)
}

/// Decodes a request of one crash with a type and further fields.
func decode(crash fields: String) throws(Refusal) -> CrashBatch {
    try decode(crashes: #"[{"type":"T",\#(fields)}]"#)
}

extension CrashBatch {
    /// The verdicts on the crashes as "index reason field".
    var told: [String] { (corrections + quarantined.map(\.verdict)).map { "\($0.index) \($0.reason.rawValue) \($0.field)" } }
}
