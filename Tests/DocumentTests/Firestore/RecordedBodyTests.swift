// SPDX-License-Identifier: Apache-2.0

import Firestore
import Foundation
import SignalboxDocumentModel
import Testing

/// Random spellings of values are accepted or refused as Google's emulator did, and mean what it stored.
@Suite struct RecordedBodyTests {
    private typealias Recorded = RecordedAnswers

    @Test func `bodies are read as the emulator read them`() throws {
        var (accepted, refused) = (0, 0)
        for line in try Recorded.lines("bodies.ndjson") {
            for body in Recorded.list(line["bodies"]) {
                let reader = try FirestoreBody.reader(Recorded.object(body["sent"]))
                let value = try? reader.value(0)
                guard let stored = body["stored"] as? Recorded.Object else {
                    #expect(value == nil, "\(body)")
                    refused += 1
                    continue
                }
                let expected = try Recorded.value(stored)
                #expect(value.map { "\($0)" } == "\(expected)", "\(body)")
                if let value {
                    let again = try FirestoreBody.value(FirestoreBody.text(value))
                    #expect("\(again)" == "\(expected)")
                }
                accepted += 1
            }
        }
        #expect(accepted > 200 && refused > 200)
    }
}
