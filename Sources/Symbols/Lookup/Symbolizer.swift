// SPDX-License-Identifier: Apache-2.0

import Crashes
import Glibc
import Synchronization

/// Looks up functions and lines in symbol files of any format. Calls block on a child process, so they must run on a thread that may wait.
package final class Symbolizer: Sendable {
    /// Returns LLVM's symbolizer if it is installed in a folder of `path` or in Debian's location.
    package static func program(_ name: String = "llvm-symbolizer", in path: String) -> String? {
        let folders = path.split(separator: ":").map(String.init) + ["/usr/local/bin", "/usr/bin"]
        let versions = (14...22).reversed().map { "/usr/lib/llvm-\($0)/bin" }
        return (folders + versions).filter { $0.hasPrefix("/") }.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// The time limit of lookups in Breakpad texts per call. Remaining addresses stay unknown.
    private static let patience = Duration.seconds(60)

    private let folder: String
    private let llvm: LLVMSymbolizer?
    private let demangler: Demangler?
    private let mapped: MappedPlaces?
    private let known = Mutex(SymbolFileCache())

    /// Files are named as in `folder`. Without LLVM's symbolizer only Breakpad texts are searched; without a demangler names stay mangled,
    /// and without `mapped` frames of JavaScript and Java stay as reported. The launcher is the ingestd executable that confines LLVM's.
    package init(folder: String, program: String?, demangler: Demangler?, mapped: MappedPlaces? = nil, launcher: String? = nil) {
        self.folder = folder
        self.demangler = demangler
        self.mapped = mapped
        llvm = program.map { LLVMSymbolizer($0, in: folder, limits: .init(), launcher: launcher) }
    }

    /// Whether DWARF can be read, which all formats but Breakpad need.
    package var readsDWARF: Bool { llvm != nil }

    /// Ends the child processes until the next lookup.
    package func rest() {
        llvm?.end()
        demangler?.rest()
        mapped?.rest()
        known.withLock { $0 = SymbolFileCache() }
    }

    /// Cancels the current call, from any thread. The results of a cancelled call must not be stored.
    package func stop() {
        llvm?.stop()
        demangler?.stop()
        mapped?.stop()
    }

    /// The process ID of LLVM's symbolizer, for tests that kill it.
    var process: Int32? { llvm?.process }

    /// Returns the places of each address, innermost first; empty if the file is unreadable or does not know the address.
    ///
    /// Throws if no DWARF lookup is possible, so that reports wait until the symbolizer works again.
    package func places(_ questions: [SymbolLookup]) throws(SymbolizerError) -> [[SymbolLocation]] {
        var out = [[SymbolLocation]](repeating: [], count: questions.count)
        var dwarfLookups: [(index: Int, object: SymbolObject)] = []
        let deadline = ContinuousClock.now + Symbolizer.patience
        for (index, question) in questions.enumerated() {
            switch file(of: question) {
            case .breakpad(let text):
                if ContinuousClock.now < deadline { out[index] = (try? text.places(question.offset)) ?? [] }
            case .dwarf(let objects):
                if let object = objects.first(where: { $0.debugID == question.debugID }) { dwarfLookups.append((index, object)) }
            case .useless: break
            }
        }
        let results = try dwarf(dwarfLookups.map { (questions[$0.index], $0.object) })
        for (place, result) in zip(dwarfLookups, results) { out[place.index] = result }
        return out
    }

    /// Returns readable names for mangled ones; those that cannot be demangled are missing.
    func names(of mangled: [String]) throws(SymbolizerError) -> [String: String] {
        guard let demangler else { return [:] }
        do throws(ProgramError) { return try demangler.names(of: mangled).texts } catch { throw .program(error) }
    }

    /// Returns the places in transformed code; see `MappedPlaces`.
    func mappedPlaces(_ questions: Set<MappedQuestion>) throws(SymbolizerError) -> [MappedQuestion: MappedAnswer] {
        guard let mapped, !questions.isEmpty else { return [:] }
        do throws(ProgramError) { return try mapped.answers(questions) } catch { throw .program(error) }
    }

    private func dwarf(_ dwarfLookups: [(SymbolLookup, SymbolObject)]) throws(SymbolizerError) -> [[SymbolLocation]] {
        guard !dwarfLookups.isEmpty else { return [] }
        guard let llvm else { throw .noProgram }
        do throws(ProgramError) {
            return try llvm.places(dwarfLookups.map { ($0.file, $1, $0.offset &+ $1.preferredAddress) })
        } catch {
            throw .program(error)
        }
    }

    private func file(of question: SymbolLookup) -> SymbolFileCache.Contents {
        known.withLock { $0.contents(question.file, at: folder + "/" + question.file) }
    }
}

package enum SymbolizerError: Error, Equatable, CustomStringConvertible {
    case noProgram
    case program(ProgramError)

    package var description: String {
        switch self {
        case .noProgram: "llvm-symbolizer, which reads DWARF, was not found; install Debian's llvm package"
        case .program(let failure): failure.description
        }
    }
}
