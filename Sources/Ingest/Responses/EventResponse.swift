// SPDX-License-Identifier: Apache-2.0

package import Events
import JSON

/// Returns the JSON response with a verdict for each event that was not simply accepted.
package func responseBody(_ outcome: EventOutcome) -> [UInt8] {
    var json = JSONWriter(reserving: 96 + outcome.verdicts.count * 160)
    json.beginObject()
    json.key("accepted")
    json.integer(outcome.accepted)
    json.key("duplicates")
    json.integer(outcome.duplicates)
    json.key("quarantined")
    json.integer(outcome.quarantined)
    json.key("results")
    json.beginArray()
    for verdict in outcome.verdicts { write(verdict, to: &json) }
    json.endArray()
    json.endObject()
    return json.bytes
}

private func write(_ verdict: Verdict, to json: inout JSONWriter) {
    json.beginObject()
    json.key("index")
    json.integer(verdict.index)
    if let id = verdict.id {
        json.key("id")
        json.string(id)
    }
    json.key("result")
    json.string(verdict.result.rawValue)
    json.key("code")
    json.string(verdict.reason.rawValue)
    if let number = verdict.reason.number {
        json.key("number")
        json.integer(number)
    }
    json.key("field")
    json.string(verdict.field)
    json.key("message")
    json.string(verdict.message)
    json.endObject()
}
