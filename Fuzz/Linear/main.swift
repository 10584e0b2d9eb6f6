// SPDX-License-Identifier: Apache-2.0

import FuzzGrowers
import FuzzTargets
import Glibc

// `signalbox-linear FOLDER [--quick] [TARGET…]` looks for inputs whose work grows faster than they do, and writes them to FOLDER.
// `signalbox-linear --run TARGET FILE` runs one input and prints its work, also for valgrind.

let arguments = Array(CommandLine.arguments.dropFirst())

func target(named name: String) -> FuzzTarget {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        print("signalbox-linear: there is no target \(name); the targets are \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
        exit(2)
    }
    return target
}

if arguments.count == 3, arguments[0] == "--run" {
    guard let input = Files.read(arguments[2]) else {
        print("signalbox-linear: could not read \(arguments[2])")
        exit(2)
    }
    let work = Work.measure(target(named: arguments[1]), input)
    print("\(arguments[1]): \(input.count) bytes of input, \(work.edges) edges, \(work.bytes) bytes in libraries")
    for place in Work.hottest() { print("  \(place)") }
    exit(0)
}
guard let folder = arguments.first, !folder.hasPrefix("-") else {
    print("usage: signalbox-linear FOLDER [--quick] [TARGET…]\n       signalbox-linear --run TARGET FILE")
    exit(2)
}
let isQuick = arguments.contains("--quick")
let names = arguments.dropFirst().filter { !$0.hasPrefix("-") }
var report = Report(folder: folder)
for target in names.isEmpty ? FuzzTarget.all : names.map(target(named:)) {
    Survey(target: target, isQuick: isQuick).run(&report)
}
report.finish()
exit(report.findings.isEmpty ? 0 : 1)
