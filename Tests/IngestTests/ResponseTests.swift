// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform
import Testing

@Suite struct ResponseTests {
    private func text(_ outcome: EventOutcome) -> String { String(decoding: responseBody(outcome), as: UTF8.self) }

    @Test func `a response has counts, and no verdicts for accepted events`() throws {
        let submission = try decode(#"[{"name":"a"},{"name":"b"}]"#)
        #expect(text(submission.outcome(except: [])) == #"{"accepted":2,"duplicates":0,"quarantined":0,"results":[]}"#)
    }

    @Test func `verdicts are in request order, with number and ID if there are any`() throws {
        let submission = try decode(
            #"[{"name":"a b"},{"id":"q\"1","name":"a","params":{"x y":1}},{"id":"1","name":"a"},{"id":"1","name":"a","params":{"x y":1}},5]"#)
        let expected = #"""
            {"accepted":2,"duplicates":1,"quarantined":2,"results":[
            {"index":0,"result":"quarantined","code":"bad_event_name","number":2,"field":"name","message":"A name has at most 40 characters and must begin with a letter and contain only letters, digits and underscores."},
            {"index":1,"id":"q\"1","result":"corrected","code":"bad_param_name","number":3,"field":"params.x y","message":"A name has at most 40 characters and must begin with a letter and contain only letters, digits and underscores."},
            {"index":3,"id":"1","result":"duplicate","code":"event_duplicate","field":"id","message":"An earlier event in this request has the same ID."},
            {"index":4,"result":"quarantined","code":"not_an_object","field":"event","message":"Must be an object."}]}
            """#
        #expect(text(submission.outcomeWithoutStoring()) == expected.replacing("\n", with: ""))
    }

    @Test func `corrections of duplicates are not reported, several of one event keep their order`() throws {
        let submission = try decode(#"[{"id":"1","name":"a","params":{"z y":1,"a b":2}},{"id":"2","name":"a","params":{"x y":1}}]"#)
        let duplicate = Verdict(index: 1, id: "2", result: .duplicate, reason: .eventDuplicate, field: "id", message: "Seen.")
        let outcome = submission.outcome(except: [duplicate])
        #expect(outcome.verdicts.map(\.field) == ["params.z y", "params.a b", "id"])
        #expect(outcome.accepted == 1 && outcome.duplicates == 1)
    }

    @Test func `a response is valid JSON for any request`() throws {
        let submission = try decode(#"[{"id":"\"\\","name":"a","params":{"\"\\\u0001\n":1,"é":2}}]"#)
        let document = responseBody(submission.outcomeWithoutStoring())
        let count = try JSONParser().withReader { reader throws(JSONError) in try reader.parse(document).count }
        #expect(count > 20)
    }

    @Test func `a decoder does not keep decoded values alive`() throws {
        let first = try decode(#"[{"name":"first"}]"#)
        let second = try decode(#"[{"name":"second"}]"#)
        #expect(first.text(first.records[0].name) == "first" && second.text(second.records[0].name) == "second")
    }
}
