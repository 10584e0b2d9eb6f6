// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

@Suite struct CrashResponseTests {
    @Test func `every crash has a result in the order of the request, with its issue`() throws {
        let batch = try decode(
            crashes: #"[{"type":"A","id":"a"},{"type":"B","id":"b","kind":"x","level":"y"},{"id":"c"},{"type":"D","id":"d"},{"type":"E","id":"e"}]"#)
        let stored = [
            CrashVerdict(index: 3, id: "d", isDuplicate: true, issue: "i1"), CrashVerdict(index: 0, id: "a", isDuplicate: false, issue: "i1"),
            CrashVerdict(index: 1, id: "b", isDuplicate: false, issue: "i2"),
        ]
        let blocked = Verdict(index: 4, id: "e", result: .quarantined, reason: .blocked, field: "user_id", message: "Kept out.")
        let expected = #"""
            {"accepted":2,"duplicates":1,"quarantined":2,"results":[
            {"index":0,"id":"a","result":"accepted","issue":"i1"},
            {"index":1,"id":"b","result":"corrected","issue":"i2","code":"bad_value","field":"level","message":"Must be one of fatal, error, warning, info, debug."},
            {"index":1,"id":"b","result":"corrected","issue":"i2","code":"bad_value","field":"kind","message":"Must be one of fatal, nonfatal, anr."},
            {"index":2,"id":"c","result":"quarantined","code":"missing_type","field":"type","message":"A crash needs a type, an exception with a type, or a reason and a level."},
            {"index":3,"id":"d","result":"duplicate","issue":"i1","code":"crash_duplicate","field":"id","message":"A crash with the same ID is already stored."},
            {"index":4,"id":"e","result":"quarantined","code":"blocked","field":"user_id","message":"Kept out."}]}
            """#
        #expect(String(decoding: responseBody(batch, stored: stored, blocked: [blocked]), as: UTF8.self) == expected.replacing("\n", with: ""))
    }
}
