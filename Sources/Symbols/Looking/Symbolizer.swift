// SPDX-License-Identifier: Apache-2.0

import Crashes
import Glibc
import Synchronization

/// Finds functions and lines in symbol files, whatever their format. Calls wait for a program: they are made from a thread that may.
package final class Symbolizer: Sendable {
    /// LLVM's symbolizer, where this machine has it: in one of the folders of `path`, or where Debian puts it.
    package static func program(_ name: String = "llvm-symbolizer", in path: String) -> String? {
        let folders = path.split(separator: ":").map(String.init) + ["/usr/local/bin", "/usr/bin"]
        let versions = (14...22).reversed().map { "/usr/lib/llvm-\($0)/bin" }
        return (folders + versions).filter { $0.hasPrefix("/") }.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// How long a call looks into texts; what was not found by then is not known.
    private static let patience = Duration.seconds(60)

    private let folder: String
    private let llvm: LLVMSymbolizer?
    private let demangler: Demangler?
    private let known = Mutex(KnownFiles())

    /// Files are named as in `folder`. Without an LLVM symbolizer only Breakpad's text can be looked up, without a demangler names stay mangled.
    package init(folder: String, program: String?, demangler: Demangler?) {
        self.folder = folder
        self.demangler = demangler
        llvm = program.map { LLVMSymbolizer($0, in: folder, limits: .init()) }
    }

    /// Whether there is a program that reads DWARF, which all files but Breakpad's hold.
    package var readsDWARF: Bool { llvm != nil }

    /// Ends the programs it has started, until the next question.
    package func rest() {
        llvm?.end()
        demangler?.rest()
        known.withLock { $0 = KnownFiles() }
    }

    /// Ends what is under way, from any thread; nothing of what a call that this has cut off answers may be kept.
    package func stop() {
        llvm?.stop()
        demangler?.stop()
    }

    /// The program that reads DWARF, for tests that end it.
    var process: Int32? { llvm?.process }

    /// The places of each question, the innermost first; none where its file does not know the address or cannot be read.
    ///
    /// Throws where no question about DWARF can be answered at all, so that reports wait until that is mended.
    package func places(_ questions: [SymbolQuestion]) throws(SymbolizerFailure) -> [[SymbolPlace]] {
        var out = [[SymbolPlace]](repeating: [], count: questions.count)
        var asked: [(index: Int, object: SymbolObject)] = []
        let deadline = ContinuousClock.now + Symbolizer.patience
        for (index, question) in questions.enumerated() {
            switch file(of: question) {
            case .breakpad(let text):
                if ContinuousClock.now < deadline { out[index] = (try? text.places(question.offset)) ?? [] }
            case .dwarf(let objects):
                if let object = objects.first(where: { $0.debugID == question.debugID }) { asked.append((index, object)) }
            case .useless: break
            }
        }
        let answers = try dwarf(asked.map { (questions[$0.index], $0.object) })
        for (place, answer) in zip(asked, answers) { out[place.index] = answer }
        return out
    }

    /// Names to show for those that the linker knows; one that is not mangled, or cannot be undone, has none.
    func names(of mangled: [String]) -> [String: String] {
        demangler?.names(of: mangled) ?? [:]
    }

    private func dwarf(_ asked: [(SymbolQuestion, SymbolObject)]) throws(SymbolizerFailure) -> [[SymbolPlace]] {
        guard !asked.isEmpty else { return [] }
        guard let llvm else { throw .noProgram }
        do throws(ProgramFailure) {
            return try llvm.places(asked.map { ($0.file, $1, $0.offset &+ $1.preferredAddress) })
        } catch {
            throw .program(error)
        }
    }

    private func file(of question: SymbolQuestion) -> KnownFiles.Contents {
        known.withLock { $0.contents(question.file, at: folder + "/" + question.file) }
    }
}

package enum SymbolizerFailure: Error, Equatable, CustomStringConvertible {
    case noProgram
    case program(ProgramFailure)

    package var description: String {
        switch self {
        case .noProgram: "there is no llvm-symbolizer, which reads DWARF; install Debian's llvm"
        case .program(let failure): failure.description
        }
    }
}
