// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import HTTPClient
@testable import Panes
@testable import dashboard_cli

/// The messages that the dashboard makes of responses to its actions.
struct ActionOutcomeTests {
    private static let issue = SampleCrashes.all()["issue"] ?? ""
    private static let delivery = SampleMessages.all()["delivery"] ?? ""

    /// Returns the message for a response to the action that the keys lead to.
    private static func outcome(_ place: String, _ keys: [Key], _ answers: [String: String], _ response: String) throws -> String? {
        var dashboard = try Dashboard.sample(at: place, keys, answers: answers)
        guard case .perform(let action)? = dashboard.handle(.screen(.key(.character("y")))).first else { return nil }
        return try action.outcome(Array(response.utf8))
    }

    @Test(arguments: [
        ([Key.character("C"), .enter], "closed", "The issue is resolved."), ([.character("M"), .enter], "muted", "The issue is muted."),
        // A state of a newer daemon.
        ([.character("M"), .enter], "parked", "The issue is parked."), ([.character("N"), .character("a"), .enter], "open", "Note added."),
        ([.character("J")] + Key.typing("iss_2") + [.enter], "open", "Merged: 120481 crashes."),
        ([.character("v"), .down, .character("S")], "open", "Split off as \(SampleCrashes.id)."),
    ])
    func `a change of an issue is reported from the response`(keys: [Key], state: String, message: String) throws {
        let response = Self.issue.replacing("\"open\"", with: "\"\(state)\"")
        #expect(try Self.outcome("issue \(SampleCrashes.id)", keys, SampleCrashes.all(), response) == message)
    }

    @Test(arguments: ["retrying", "pending", "parked"]) func `a retry reports the state of the delivery`(state: String) throws {
        let response = Self.delivery.replacing("\"retrying\"", with: "\"\(state)\"")
        let message = try Self.outcome("deliveries", [.enter, .character("R")], SampleMessages.all(), response)
        #expect(message == "Retrying: the delivery is \(state).")
    }

    @Test func `a redrive reports the number of deliveries`() throws {
        let message = try Self.outcome("messages", [.down, .character("R")], SampleMessages.all(), #"{"redriven": 8}"#)
        #expect(message == "Redriven: 8 of 9 dead deliveries.")
    }

    @Test(arguments: ["{}", "[]", "<html>", #"{"redriven": "8"}"#]) func `a response of another type is an error`(response: String) {
        #expect(throws: RequestError.unexpectedResponse) {
            try Self.outcome("messages", [.down, .character("R")], SampleMessages.all(), response)
        }
    }

    // MARK: Rejections

    private static func error(_ status: Int, _ body: String) -> RequestError {
        RequestError(HTTPClientResponse(status: status, body: Array(body.utf8)), from: "a.example.com")
    }

    @Test(arguments: ["conflict", "a_code_of_a_newer_daemon"]) func `a rejection shows its detail and hint`(code: String) throws {
        let problem = #"{"type": "about:blank", "title": "Conflict", "status": 409, "code": "\#(code)", "detail": "It is muted."#
        #expect(Self.error(409, problem + #""}"#) == RequestError(kind: .rejected, what: "It is muted."))
        #expect(
            Self.error(409, problem + #"", "hint": "Open it.", "errors": []}"#)
                == RequestError(kind: .rejected, what: "It is muted.", hint: "Open it."))
        #expect(Self.error(401, problem + #"", "hint": "Open it."}"#).hint?.contains("dashboard-cli login") == true)
    }

    @Test(arguments: ["", "<html>", "{}", #"{"title": "Bad gateway", "detail": "upstream"}"#])
    func `a rejection by another program shows the status`(body: String) throws {
        let error = Self.error(502, body)
        #expect(error.kind == .busy && error.what == "a.example.com responded with status 502")
        #expect(error.hint == "Is the address that of a Signalbox daemon?")
    }
}
