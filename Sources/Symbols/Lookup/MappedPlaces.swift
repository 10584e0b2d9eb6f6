// SPDX-License-Identifier: Apache-2.0

import Platform

/// Looks up places in source maps and mappings of R8 in a child process. A hostile file may use all memory that it gets.
package final class MappedPlaces: Sendable {
    private let programs: LineProgramPool
    private let folder: String

    /// Creates lookups by a program that calls `MappedPlaceReader.answerLines`.
    package init(_ command: ReaderCommand, in folder: String) {
        let limits = LineProgram.Limits(memoryBytes: 1 << 30, linesPerChild: 1_000_000)
        self.folder = folder
        programs = LineProgramPool { LineProgram(command.reading($0), in: folder, probe: "{}", limits: limits) }
    }

    /// Ends the child process until the next question.
    package func rest() {
        programs.end()
    }

    func stop() {
        programs.stop()
    }

    /// Throws if a stored source map or mapping cannot be read. Other formats are read by other programs.
    ///
    /// - Parameter file: The name of the file in the folder.
    package func check(_ file: String, _ format: SymbolFormat) throws(SymbolFileError) {
        guard format == .sourceMap || format == .classMapping else { return }
        let answers: [[UInt8]?]
        do throws(ProgramError) {
            answers = try programs.ask([MappedQuestion.check(file: file, format).json], reading: [SymbolFolder.folder(of: file, in: folder)])
        } catch {
            // A file that turns out to be unreadable later leaves its reports incomplete.
            return
        }
        guard let answer = answers.first.flatMap(\.self) else { throw .damaged("reading it takes too much time or memory") }
        if let damage = MappedAnswer(answer).damage { throw .damaged(damage) }
    }

    /// Returns the answer to each question, with the frames of its place innermost first. They are empty if the file does not know the place.
    func answers(_ questions: Set<MappedQuestion>) throws(ProgramError) -> [MappedQuestion: MappedAnswer] {
        // Questions about one file follow each other, so that it is read once.
        let sorted = questions.map { (question: $0, json: $0.json) }.sorted { $0.question.file < $1.question.file }
        var found: [MappedQuestion: MappedAnswer] = [:]
        for (folder, questions) in Dictionary(grouping: sorted, by: { SymbolFolder.folder(of: $0.question.file, in: folder) }) {
            for (question, result) in zip(questions, try programs.ask(questions.map(\.json), reading: [folder])) {
                found[question.question] = result.map(MappedAnswer.init) ?? MappedAnswer(damage: "reading it takes too much time or memory")
            }
        }
        return found
    }
}
