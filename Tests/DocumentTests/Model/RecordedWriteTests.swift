// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import Testing

/// Random writes leave what Google's emulator left.
@Suite struct RecordedWriteTests {
    private typealias Recorded = RecordedAnswers

    @Test func `writes leave what the emulator left`() throws {
        var (compared, refused) = (0, 0)
        for program in try Recorded.lines("writes.ndjson") {
            var documents: [DocumentPath: DocumentFields] = [:]
            for step in Recorded.list(program["steps"]) {
                let write = try Self.write(Recorded.object(step["w"]))
                guard step["e"] == nil else {
                    #expect(throws: WriteFault.self, "\(step)") { try write.apply(to: documents[write.path], version: nil, at: Self.anyTime) }
                    refused += 1
                    continue
                }
                let results = try Recorded.list(step["r"]).map(Recorded.value)
                let outcome = try write.apply(to: documents[write.path], version: nil, at: Self.commit(results, write))
                #expect(Self.isSame(outcome.results, results), "\(step)")
                documents[write.path] = outcome.fields
                for (path, fields) in Recorded.object(step["docs"]) {
                    let stored = try Recorded.fields(fields)
                    #expect(DocumentValue.map(stored).order(.map(documents[try #require(DocumentPath(path))] ?? .init())) == .same, "\(step)")
                }
                #expect(documents.count == Recorded.object(step["docs"]).count)
                compared += 1
            }
        }
        #expect(compared > 300 && refused > 30)
    }

    private static let anyTime = DocumentTime.epoch

    /// The emulator's time of the request, which it stores for `REQUEST_TIME`.
    private static func commit(_ results: [DocumentValue], _ write: DocumentWrite) -> DocumentTime {
        for (transformed, result) in zip(write.transforms, results) where transformed.transform == .now {
            if case .time(let time) = result { return time }
        }
        return anyTime
    }

    private static func isSame(_ a: [DocumentValue], _ b: [DocumentValue]) -> Bool { DocumentValue.array(a).order(.array(b)) == .same }

    static func write(_ recorded: RecordedAnswers.Object) throws -> DocumentWrite {
        let condition = recorded["currentDocument"].map { DocumentWrite.Precondition.exists(Recorded.flag(Recorded.object($0)["exists"])) }
        if let name = recorded["delete"] { return DocumentWrite(try Recorded.path(name), .delete, if: condition) }
        if let name = recorded["verify"] { return DocumentWrite(try Recorded.path(name), .verify, if: condition) }
        let update = Recorded.object(recorded["update"])
        let mask = try recorded["updateMask"].map { mask in
            try (Recorded.object(mask)["fieldPaths"] as? [String] ?? []).map { try #require(FieldPath($0)) }
        }
        return DocumentWrite(
            try Recorded.path(update["name"]), .set(try Recorded.fields(update["fields"]), mask: mask),
            transforms: try Recorded.list(recorded["updateTransforms"]).map(transform), if: condition)
    }

    private static func transform(_ recorded: Recorded.Object) throws -> DocumentWrite.Transformed {
        let operand = try #require(recorded.first { $0.key != "fieldPath" })
        let transform: FieldTransform =
            switch operand.key {
            case "increment": .increment(try Recorded.value(operand.value))
            case "maximum": .maximum(try Recorded.value(operand.value))
            case "minimum": .minimum(try Recorded.value(operand.value))
            case "appendMissingElements": .union(try Recorded.values(operand.value))
            case "removeAllFromArray": .remove(try Recorded.values(operand.value))
            default: .now
            }
        return .init(try Recorded.field(recorded), transform)
    }
}
