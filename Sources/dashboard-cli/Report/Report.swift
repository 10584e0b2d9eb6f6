// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Platform

/// What a report is made from: the app, the time it is about, and what the daemon answered.
struct Report: Sendable {
    let app: String
    let host: String
    let period: ReportPeriod
    let questions: ReportQuestions
    let answers: Answers

    init(app: String, host: String, period: ReportPeriod, answers: Answers) {
        (self.app, self.host, self.period, self.answers) = (app, host, period, answers)
        questions = ReportQuestions(period)
    }

    func value<Answer>(_ ask: Ask<Answer>) -> Answer? { answers.value(ask) }

    /// A part of the page that is made from one answer, or says why there is none.
    func section<Answer>(
        _ id: String, _ title: String, _ lead: HTML, from ask: Ask<Answer>, isWide: Bool = false, _ body: (Answer) -> [HTML]
    ) -> HTML {
        let content: [HTML]
        if let answer = answers.value(ask) {
            content = body(answer)
        } else {
            content = [.element("p", ["class": "trouble"], .text(answers.trouble(ask)?.sentences ?? "The daemon did not answer this."))]
        }
        let heading = HTML.element("h2", ["id": id], .text(title))
        return .element(
            "section", ["aria-labelledby": id, "class": isWide ? "wide" : "half"], [heading, .element("p", ["class": "lead"], lead)] + content)
    }

    static func nothing(_ sentence: HTML) -> [HTML] { [.element("p", ["class": "nothing"], sentence)] }
}

extension Report {
    /// Asks one question after the other, so that the daemon has room for others meanwhile.
    ///
    /// What the key may not see, or the daemon does not know, is told by the report itself.
    static func ask(_ connection: Connection, _ span: ReportSpan, now: Timestamp) async throws -> Report {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let app = try decoder.decode(AppAnswer.self, from: Data(try await connection.ask(Question("/v1/app"))))
        let period = ReportPeriod(span, until: now, in: ZoneOffsets(app.settings.tz) ?? .utc)
        var answers = Answers()
        var troubles: [Trouble] = []
        let questions = ReportQuestions(period).all
        let progress = Progress()
        defer { progress.end() }
        for (number, ask) in questions.enumerated() {
            progress.show("Asking", number, of: questions.count)
            do {
                answers[ask.question].answer = try ask.decode(try await patiently { try await connection.ask(ask.question) })
            } catch let trouble as Trouble where trouble.kind != .unknownKey {
                // One question may take too long; a daemon that is gone answers none.
                if trouble.kind == .unreachable { _ = try await connection.ask(Question("/v1/app")) }
                answers[ask.question].trouble = trouble
                troubles.append(trouble)
            }
        }
        if troubles.count == questions.count, let first = troubles.first { throw first }
        return Report(app: app.name, host: connection.profile.host, period: period, answers: answers)
    }

    /// A daemon that has much to do is asked again.
    private static func patiently(_ ask: () async throws -> [UInt8]) async throws -> [UInt8] {
        var backoff = Backoff()
        while true {
            do {
                return try await ask()
            } catch let trouble as Trouble where trouble.kind == .busy && backoff.failures < 6 {
                try await Task.sleep(for: .seconds(backoff.next()))
            }
        }
    }
}
