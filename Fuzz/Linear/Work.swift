// SPDX-License-Identifier: Apache-2.0

import CWork
import FuzzTargets

/// The cost of one run of a target.
struct Work {
    /// Edges of the control flow in our own code.
    var edges: UInt64
    /// Bytes handed to code without instrumentation.
    var bytes: UInt64

    enum Kind: String, CaseIterable {
        case edges, bytes

        /// The threshold of a finding. Cheaper inputs take about a millisecond, however they grow.
        var least: UInt64 { self == .edges ? 200_000 : 4 << 20 }
    }

    subscript(kind: Kind) -> UInt64 { kind == .edges ? edges : bytes }

    /// Runs the target on this thread, because the counters are per thread.
    static func measure(_ target: FuzzTarget, _ input: [UInt8]) -> Work {
        // A C callback cannot capture, so the target and its input are passed through a static variable.
        Work.current = (target.run, input)
        work_measure { Work.current.run(Work.current.input) }
        return Work(edges: work_edges(), bytes: work_bytes())
    }

    nonisolated(unsafe) private static var current: (run: ([UInt8]) -> Void, input: [UInt8]) = ({ _ in }, [])

    /// The functions with the most edges in the last measurement.
    static func hottest() -> [String] {
        var places = [work_place](repeating: work_place(), count: 3)
        let count = work_hottest(&places, places.count)
        let total = max(1, work_edges())
        return places.prefix(count).map { place in
            "\(place.edges * 100 / total) % \(place.function.map { String(cString: $0) } ?? "a function without a name")"
        }
    }
}
