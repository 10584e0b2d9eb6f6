// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events
import JSON

/// Returns the JSON response with the result of each crash, and the issue of each stored one.
///
/// - Parameter stored: The store's verdicts on the crashes of `batch`, including duplicates.
/// - Parameter blocked: Verdicts on crashes that the store quarantined, because they name a blocked user.
package func responseBody(_ batch: CrashBatch, stored: [CrashVerdict], blocked: [Verdict] = []) -> [UInt8] {
    let setApart = batch.quarantined.map(\.verdict) + blocked
    var json = JSONWriter(reserving: 96 + (stored.count + setApart.count) * 160)
    json.beginObject()
    json.field("accepted", stored.count { !$0.isDuplicate })
    json.field("duplicates", stored.count { $0.isDuplicate })
    json.field("quarantined", setApart.count)
    json.key("results")
    json.beginArray()
    for row in rows(batch, stored, setApart) { row.write(to: &json) }
    json.endArray()
    json.endObject()
    return json.bytes
}

/// Returns the rows in the order of the request. A crash with several corrections has a row for each, as events do.
private func rows(_ batch: CrashBatch, _ stored: [CrashVerdict], _ setApart: [Verdict]) -> [Row] {
    let corrections = Dictionary(grouping: batch.corrections, by: \.index)
    let kept = stored.flatMap { verdict -> [Row] in
        if verdict.isDuplicate { return [Row(duplicate: verdict)] }
        guard let found = corrections[verdict.index] else { return [Row(accepted: verdict)] }
        return found.map { Row(accepted: verdict, corrected: $0) }
    }
    return (kept + setApart.map { Row(setApart: $0) }).enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
        .map(\.element)
}

private struct Row {
    var index: Int
    private var id: String?
    private var result: String
    private var issue: String?
    private var why: Verdict?

    init(accepted verdict: CrashVerdict, corrected why: Verdict? = nil) {
        (index, id, issue) = (verdict.index, verdict.id, verdict.issue)
        result = why == nil ? "accepted" : "corrected"
        self.why = why
    }

    init(duplicate verdict: CrashVerdict) {
        (index, id, issue) = (verdict.index, verdict.id, verdict.issue)
        result = "duplicate"
        why = Verdict(
            index: index, id: id, result: .duplicate, reason: .crashDuplicate, field: "id", message: "A crash with the same ID is already stored.")
    }

    init(setApart verdict: Verdict) {
        (index, id, result, why) = (verdict.index, verdict.id, verdict.result.rawValue, verdict)
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("index", index)
        if let id { json.field("id", id) }
        json.field("result", result)
        if let issue { json.field("issue", issue) }
        if let why {
            json.field("code", why.reason.rawValue)
            if let number = why.reason.number { json.field("number", number) }
            json.field("field", why.field)
            json.field("message", why.message)
        }
        json.endObject()
    }
}
