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
        let limits = system.usage.map(reached) ?? []
        let sentences: [String?] = [
            limits.isEmpty ? nil : "Data is rejected, because limits of the operator are reached: \(limits.joined(separator: ", ")).",
            system.symbolFailure.map { "Functions of crash reports are incomplete: \($0)." },
            system.confinementFailure.map { "Readers of symbol files are not fully confined: \($0)." },
            !system.readsDwarf ? "DWARF symbol files cannot be read: install llvm-symbolizer on the daemon's machine." : nil,
        ]
        return sentences.compactMap(\.self)
    }

    /// The names of the fields whose limit is reached.
    static func reached(_ usage: SystemResponse.Usage) -> [String] {
        let uses = [
            ("events", Int64(usage.events), usage.maxEventsPerDay), ("requests", Int64(usage.bytes), usage.maxBytesPerDay),
            ("devices", Int64(usage.devices), usage.maxDevices), ("storage", usage.storageBytes, usage.maxStorageBytes),
        ]
        return uses.filter { use in use.2.map { use.1 >= Int64($0) } ?? false }.map(\.0)
    }

    func height(in width: Int) -> Int { sentences.reduce(0) { $0 + $1.text.lines(of: width).count } }

    func draw(in area: Rect, on frame: inout Frame) {
        var rest = area
        for sentence in sentences { rest = rest.split(rows: frame.paragraph(sentence.text, in: rest, sentence.style)).rest }
    }
}
