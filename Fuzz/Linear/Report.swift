// SPDX-License-Identifier: Apache-2.0

import FuzzGrowers
import Glibc

/// Prints findings as they are made and writes their inputs to a folder.
struct Report {
    let folder: String
    private(set) var findings: [Finding] = []

    init(folder: String) {
        self.folder = folder
    }

    mutating func add(_ finding: Finding) {
        findings.append(finding)
        let grower = finding.grower
        let path = "\(folder)/\(grower.target)-\(findings.count)"
        write(grower, finding.n, path)
        say(
            "\(grower.target): \(grower.name): \(Report.rounded(finding.ratio)) times the \(finding.kind) for twice the input, "
                + "n \(finding.n): \(finding.smaller.size) bytes cost \(finding.smaller.work), \(finding.larger.size) cost \(finding.larger.work); "
                + "\(finding.places.joined(separator: ", ")); \(path)-2n")
    }

    func add(_ target: String, growers: Int, accepted: Int, _ costliest: Costliest) {
        let count = findings.count { $0.grower.target == target }
        say("\(target): \(growers) growers, \(accepted) of them accepted, \(count) superlinear")
        for (number, entry) in costliest.growers.enumerated() {
            let path = "\(folder)/\(target)-costliest-\(number + 1)"
            write(entry.grower, entry.n, path)
            say("  \(entry.edgesPerByte) edges a byte: \(entry.grower.name)")
        }
    }

    private func write(_ grower: Grower, _ n: Int, _ path: String) {
        Files.write(grower.input(n), to: "\(path)-n")
        Files.write(grower.input(2 * n), to: "\(path)-2n")
    }

    func finish() {
        print(
            findings.isEmpty
                ? "No work grows faster than its input." : "\(findings.count) shapes cost more than three times the work for twice the input.")
    }

    /// Prints and flushes a line, so a run of many minutes can be followed.
    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func rounded(_ ratio: Double) -> String { "\((ratio * 10).rounded() / 10)" }
}
