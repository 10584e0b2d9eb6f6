// SPDX-License-Identifier: Apache-2.0

package import CrashStore
import Crashes
import JSON
import Platform
import AcrossStores

extension JSONWriter {
    /// The fields of an issue as lists show it, inside an object.
    package mutating func write(_ issue: IssueSummary) {
        field("id", issue.id)
        field("title", issue.title)
        if let culprit = issue.culprit { field("culprit", culprit) }
        field("kind", issue.kind.name)
        field("state", issue.state.name)
        field("signals", issue.signals.map(\.name))
        field("count", issue.count)
        field("users", issue.users)
        field("first_seen", issue.firstSeen.rfc3339)
        field("last_seen", issue.lastSeen.rfc3339)
        if let release = issue.firstRelease { field("first_release", release) }
        if let release = issue.lastRelease { field("last_release", release) }
        field("grouped_by", issue.reason)
        write(issue.standing, now: issue.state)
        field("notes_count", issue.notes)
    }

    /// What ends the state it is in.
    private mutating func write(_ standing: IssueStanding, now state: IssueState) {
        switch standing.closing {
        case .inRelease(let release): field("closed_in", release.name)
        case .afterRelease(let release): field("closed_after", release.name)
        case .everywhere, nil: break
        }
        guard state == .muted else { return }
        switch standing.muting {
        case .until(let time): field("muted_until", time.rfc3339)
        case .volume(let count, let span):
            field("muted_count", count)
            field("muted_within", Int(span.milliseconds / 1_000))
        case .forever, nil: break
        }
    }

    /// Everything of an issue.
    mutating func write(_ issue: IssueDetail) {
        beginObject()
        write(issue.summary)
        list("series", issue.days) { json, day in
            json.field("t", day.day.start.rfc3339)
            json.field("value", day.count)
        }
        write("releases", issue.releases)
        write("os_versions", issue.systems)
        write("devices", issue.devices)
        list("variants", issue.groupings.filter { $0.count > 0 }) { json, grouping in
            json.field("id", String(grouping.id))
            json.field("title", grouping.title)
            if let culprit = grouping.culprit { json.field("culprit", culprit) }
            json.field("grouped_by", grouping.reason)
            json.field("count", grouping.count)
            json.field("first_seen", grouping.firstSeen.rfc3339)
            json.field("last_seen", grouping.lastSeen.rfc3339)
        }
        list("notes", issue.notes) { json, note in
            json.field("at", note.time.rfc3339)
            if let author = note.author { json.field("author", author) }
            json.field("text", note.text)
        }
        list("history", issue.history) { json, turn in
            json.field("at", turn.time.rfc3339)
            json.field("what", turn.kind.name)
            if let detail = turn.detail { json.field("detail", detail) }
        }
        endObject()
    }

    private mutating func write(_ name: String, _ shares: [IssueDetail.Share]) {
        list(name, shares) { json, share in
            if let value = share.name { json.field("value", value) }
            json.field("count", share.count)
        }
    }

    private mutating func list<Item>(_ name: String, _ items: [Item], _ fields: (inout JSONWriter, Item) -> Void) {
        key(name)
        beginArray()
        for item in items {
            beginObject()
            fields(&self, item)
            endObject()
        }
        endArray()
    }

    /// The fields of a crash without its report, inside an object.
    mutating func write(_ crash: StoredCrash) {
        field("id", crash.id)
        field("issue", crash.issue)
        field("kind", crash.kind.name)
        field("timestamp", crash.time.rfc3339)
        field("received_at", crash.received.rfc3339)
        if let release = crash.release { field("release", release) }
        if let platform = crash.platform { field("platform", platform) }
        if let system = crash.system { field("os_version", system) }
        if let device = crash.device { field("device_model", device) }
        field("variant", String(crash.grouping))
        field("late", crash.flags.contains(.late))
        field("kept", crash.isWhole)
        field("symbols", crash.symbols.name)
    }
}
