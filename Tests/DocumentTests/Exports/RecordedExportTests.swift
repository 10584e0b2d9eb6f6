// SPDX-License-Identifier: Apache-2.0

import FirestoreExport
import Foundation
import SignalboxDocumentModel
import Testing

/// Exports of Google's emulator have the documents that its REST interface answers with.
@Suite struct RecordedExportTests {
    private typealias Recorded = RecordedAnswers

    @Test func `exports of the emulator have its documents`() throws {
        var (compared, blocks) = (0, 0)
        for line in try Recorded.lines("exports.ndjson") {
            var documents = try Dictionary(
                uniqueKeysWithValues: Recorded.object(line["docs"]).map { (try #require(DocumentPath($0)), try Recorded.fields($1)) })
            for content in line["files"] as? [String] ?? [] {
                let data = try #require(Data(base64Encoded: content))
                let file = [UInt8](data)
                blocks += file.count / RecordLog.blockBytes
                for entity in try Self.entities(file) {
                    let found = documents.removeValue(forKey: entity.path)
                    let expected = try #require(found, "\(entity.path) is there twice")
                    #expect(DocumentValue.map(entity.fields).order(.map(expected)) == .same, "\(entity.path): \(entity.fields) \(expected)")
                    compared += 1
                }
            }
            #expect(documents.isEmpty, "\(documents.keys)")
        }
        #expect(compared >= 100 && blocks >= 2, "\(compared) \(blocks)")
    }

    static func entities(_ file: [UInt8]) throws -> [ExportedEntity] {
        try WrittenExport.items(file).map { item in
            guard case .record(let bytes, _) = item else { throw EntityFault.malformed }
            return try ExportedEntity(bytes)
        }
    }
}
