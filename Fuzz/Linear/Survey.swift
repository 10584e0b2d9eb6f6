// SPDX-License-Identifier: Apache-2.0

import FuzzGrowers
import FuzzTargets

/// All growers of one target: the hand-written ones and those derived from its corpus.
struct Survey {
    let target: FuzzTarget
    let isQuick: Bool

    func run(_ report: inout Report) {
        let shapes = Grower.documents.filter { $0.target == target.name }
        let others = Grower.others.filter { $0.target == target.name }
        let mutations = self.mutations
        var costliest = Costliest()
        for grower in shapes { examine(grower, bytes: isQuick ? 16 << 10 : 128 << 10, &costliest, &report) }
        for grower in others { examine(grower, bytes: isQuick ? 64 << 10 : 512 << 10, &costliest, &report) }
        for grower in mutations { examine(grower, bytes: isQuick ? 8 << 10 : 32 << 10, &costliest, &report) }
        let all = shapes + others + mutations
        // Rejecting inputs has to be linear as well.
        report.add(target.name, growers: all.count, accepted: all.count { target.accepts($0.input(4)) }, costliest)
    }

    private func examine(_ grower: Grower, bytes: Int, _ costliest: inout Costliest, _ report: inout Report) {
        var examination = Examination(target, Examination.Limits(bytes: bytes, edges: isQuick ? 4_000_000 : 60_000_000))
        examination.run(grower)
        costliest.add(grower, examination)
        if let finding = examination.worst { report.add(finding) }
    }

    private var mutations: [Grower] {
        let folder = "Fuzz/Corpus/\(target.name)"
        return Files.names(in: folder).enumerated().flatMap { number, name in
            var mutations = Mutations(of: Files.read("\(folder)/\(name)") ?? [], seed: UInt64(number))
            return mutations.growers(target: target.name, name: name, limit: isQuick ? 4 : 40)
        }
    }
}

/// The growers whose larger inputs cost the most edges per byte.
struct Costliest {
    private static let most = 3
    /// The size below which the constant part of a request dominates.
    private static let leastBytes = 4 << 10
    private(set) var growers: [(grower: Grower, n: Int, edgesPerByte: Int)] = []

    mutating func add(_ grower: Grower, _ examination: Examination) {
        guard let step = examination.steps.last(where: { $0.size <= 128 << 10 }), step.size >= Costliest.leastBytes else { return }
        growers.append((grower, step.n / 2, Int(step.work.edges) / step.size))
        growers.sort { $0.edgesPerByte > $1.edgesPerByte }
        if growers.count > Costliest.most { growers.removeLast() }
    }
}
