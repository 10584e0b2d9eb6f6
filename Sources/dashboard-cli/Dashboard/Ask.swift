// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform

/// A question a pane keeps asking, and what its answer is.
struct Ask<Answer: Decodable & Sendable>: Sendable {
    /// Under which name a snapshot has it.
    let name: String
    let question: Question
    /// Seconds between two answers.
    let every: Int64

    init(_ name: String, _ path: String, _ parameters: [(String, String)] = [], every: Int64 = 2) {
        self.name = name
        question = Question(path, parameters)
        self.every = every
    }

    var standing: StandingAsk {
        StandingAsk(name: name, question: question, every: .seconds(every)) { body in
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return Answered(value: try decoder.decode(Answer.self, from: Data(body)), body: body)
        }
    }
}

/// An `Ask` of whatever answer.
struct StandingAsk: Sendable {
    let name: String
    let question: Question
    let every: Timestamp.Span
    let decode: @Sendable ([UInt8]) throws -> Answered
}

/// An answer as it is understood, and as it came.
struct Answered: Sendable {
    let value: any Sendable
    let body: [UInt8]
}

/// The newest answers there are.
struct Answers: Sendable {
    struct Held: Sendable {
        var answer: Answered?
        var answered: Timestamp?
        /// Why the last attempt brought nothing.
        var trouble: Trouble?
        /// When it was asked; nil once that is answered.
        var asked: Timestamp?
        /// When it is to be asked again.
        var due = Timestamp(milliseconds: .min)

        var body: [UInt8]? { answer?.body }

        /// Longer than any connection waits: what is not there by then was lost while the terminal stood still.
        private static let patience = Timestamp.Span.seconds(90)

        func isUnderWay(_ now: Timestamp) -> Bool { asked.map { now < $0 + Held.patience } ?? false }
    }

    private var held: [Question: Held] = [:]

    subscript(question: Question) -> Held {
        get { held[question] ?? Held() }
        set { held[question] = newValue }
    }

    func value<Answer>(_ ask: Ask<Answer>) -> Answer? { self[ask.question].answer?.value as? Answer }
    func trouble<Answer>(_ ask: Ask<Answer>) -> Trouble? { self[ask.question].trouble }

    mutating func makeAllDue() {
        for question in held.keys { held[question]?.due = Timestamp(milliseconds: .min) }
    }

    /// Forgets what is not asked any more, so that a long look through ranges fills no memory.
    mutating func keep(_ questions: some Sequence<Question>) {
        let wanted = Set(questions)
        held = held.filter { wanted.contains($0.key) || $0.value.asked != nil }
    }
}
