// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentRequests
import DocumentStore
import EventStore
import HTTPServer
import JSON
import Platform
import Rules

/// Candidate rules that decide beside those of an app for a while, without effect.
extension RuleTrials {
    private static let (defaultHours, mostHours): (Int64, Int64) = (24, 168)

    /// Makes rules the candidate of an app; they replace an earlier one.
    func beginShadow(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: documents.store)
        let body = try documents.reading(call)
        try body.allow("source", "hours")
        let source = try body.ruleSource()
        let hours = try body.number("hours", 1...Self.mostHours) ?? Self.defaultHours
        let begun: RuleShadowFigures?
        do throws(RuleFault) {
            begun = try documents.store.documents.beginShadow(source, app: app.id, for: .hours(hours))
        } catch { throw Refusal.ofRules(error) }
        guard let begun else {
            throw Refusal(.limitReached, "Too many apps have candidate rules.", hint: "Wait until one of them ends.", retryAfterSeconds: 600)
        }
        call.audit?.note("until \(begun.until.rfc3339)")
        return Self.response(begun)
    }

    /// Returns the requests on which the app's rules and their candidate decided differently.
    func shadow(_ call: Call) async throws -> HandlerResponse {
        Self.response(documents.store.documents.shadow(of: try call.onlyApp(in: documents.store).id))
    }

    /// Ends the candidate and forgets its figures.
    func endShadow(_ call: Call) async throws -> HandlerResponse {
        let ended = documents.store.documents.endShadow(of: try call.onlyApp(in: documents.store).id)
        call.audit?.note(ended == nil ? "none was there" : "ended")
        return .noContent
    }

    private static func response(_ figures: RuleShadowFigures?) -> HandlerResponse {
        .response(
            .json { json in
                json.beginObject()
                json.field("active", figures?.isActive ?? false)
                if let figures {
                    json.field("since", figures.since.rfc3339)
                    json.field("until", figures.until.rfc3339)
                    if let revision = figures.revision { json.field("revision", revision) }
                }
                json.field("compared", figures?.compared ?? 0)
                json.field("skipped", figures?.skipped ?? 0)
                json.field("newly_allowed", figures?.allowedByCandidate ?? 0)
                json.field("newly_denied", figures?.deniedByCandidate ?? 0)
                json.key("items")
                json.beginArray()
                for difference in figures?.differences.reversed() ?? [] { json.difference(difference) }
                json.endArray()
                json.endObject()
            })
    }
}

extension JSONWriter {
    fileprivate mutating func difference(_ difference: RuleDifference) {
        let kind = difference.kind
        beginObject()
        field("method", kind.method)
        field("collection", kind.collection)
        field("signed_in", kind.isSignedIn)
        field("candidate", kind.isAllowedByCandidate ? "ALLOW" : "DENY")
        if let place = kind.place { field("by", place.description) }
        if let place = kind.candidatePlace { field("candidate_by", place.description) }
        field("failed", kind.hasFailed)
        field("count", difference.count)
        field("first", difference.first.rfc3339)
        field("last", difference.last.rfc3339)
        endObject()
    }
}
