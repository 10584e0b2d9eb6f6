// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// The health of the daemon: problems, causes and next steps.
struct SystemHealth {
    struct Sentence: Equatable {
        let text: String
        let style: Style
    }

    let sentences: [Sentence]
    private static let littleDisk = 1024 * 1024 * 1024
    private static let longLog = 256 * 1024 * 1024
    private static let slowCommit = 1_000.0

    init(_ system: SystemResponse) {
        let errors = SystemHealth.errors(system)
        sentences = [SystemHealth.readiness(system, isWell: errors.isEmpty)] + errors.map { Sentence(text: $0, style: Theme.warning) }
    }

    private static func readiness(_ system: SystemResponse, isWell: Bool) -> Sentence {
        guard system.ready else {
            return Sentence(text: "Not accepting data: \(system.reasons.joined(separator: ", ")).", style: Theme.bad)
        }
        return isWell ? Sentence(text: "Healthy.", style: Theme.good) : Sentence(text: "Accepting data.", style: Theme.good)
    }

    private static func errors(_ system: SystemResponse) -> [String] {
        let disk = Numbers.bytes(Double(system.freeDiskBytes))
        let (failed, rejected) = (system.commits.failed, system.queue.refused)
        let slow = Numbers.decimals(system.commits.p99Milliseconds / 1_000, 1)
        let sentences: [String?] = [
            failed > 0
                ? "\(failed.of("commit has", "commits have")) failed since the start: the disk may be full or failing. The log says why." : nil,
            rejected > 0
                ? "\(rejected.of("request was", "requests were")) rejected with 429 since the start: the queue was full."
                : nil,
            system.freeDiskBytes < littleDisk ? "Only \(disk) of disk space free. Free space, or shorten data retention." : nil,
            system.walBytes > longLog
                ? "The write-ahead log has grown to \(Numbers.bytes(Double(system.walBytes))). It shrinks with the next checkpoint; the log says if that failed."
                : nil,
            system.commits.p99Milliseconds > slowCommit ? "Commit p99 is above \(slow) s: the disk is slow or busy." : nil,
            system.symbolFailure.map { "Functions of crash reports are incomplete: \($0)." },
            system.confinementFailure.map { "Readers of symbol files are not fully confined: \($0)." },
            !system.readsDwarf ? "DWARF symbol files cannot be read: install llvm-symbolizer on the daemon's machine." : nil,
        ]
        return sentences.compactMap(\.self)
    }

    func height(in width: Int) -> Int { sentences.reduce(0) { $0 + $1.text.lines(of: width).count } }

    func draw(in area: Rect, on frame: inout Frame) {
        var rest = area
        for sentence in sentences { rest = rest.split(rows: frame.paragraph(sentence.text, in: rest, sentence.style)).rest }
    }
}
