// SPDX-License-Identifier: Apache-2.0

import Platform

/// Looks up places in source maps and mappings of R8 in a child process. A hostile file may use all memory that it gets.
package final class MappedPlaces: Sendable {
    private let program: LineProgram

    /// Creates lookups by a program that calls `MappedPlaceReader.answerLines`.
    package init(_ program: String, _ arguments: [String], in folder: String) {
        let limits = LineProgram.Limits(memoryBytes: 1 << 30, linesPerChild: 1_000_000)
        self.program = LineProgram(program, arguments, in: folder, probe: "{}", limits: limits)
    }

    func rest() {
        program.end()
    }

    func stop() {
        program.stop()
    }

    /// Returns the frames of each place, innermost first; empty if the file is unreadable or does not know the place.
    func frames(_ questions: Set<MappedQuestion>) throws(ProgramError) -> [MappedQuestion: [MappedPlace]] {
        // Questions about one file follow each other, so that it is read once.
        let sorted = questions.map { (question: $0, json: $0.json) }.sorted { $0.question.file < $1.question.file }
        guard !sorted.isEmpty else { return [:] }
        let results = try program.ask(sorted.map(\.json))
        var found: [MappedQuestion: [MappedPlace]] = [:]
        for (question, result) in zip(sorted, results) { found[question.question] = result.map(MappedPlace.read) ?? [] }
        return found
    }
}
