// SPDX-License-Identifier: Apache-2.0

import FuzzGrowers
import FuzzTargets
import Testing

/// Runs the growers of `./scripts/fuzz linear` at small sizes, without counting their work.
struct GrowerTests {
    @Test(arguments: FuzzTarget.all.map(\.name)) func `the invariants of a target hold for every grower, and valid shapes are accepted`(
        name: String
    ) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let growers = Grower.all.filter { $0.target == name }
        #expect(!growers.isEmpty)
        for grower in growers {
            let input = grower.input(4)
            #expect(target.accepts(input) || !grower.isAccepted, "\(grower.name) is rejected: \(String(decoding: input, as: UTF8.self))")
        }
    }

    @Test func `doubling n doubles the length of an input`() {
        for grower in Grower.others { Self.checkLength(of: grower, 16) }
        for grower in Grower.documents where grower.target == "json" { Self.checkLength(of: grower, 256) }
    }

    private static func checkLength(of grower: Grower, _ n: Int) {
        let (small, large) = (grower.input(n).count, grower.input(2 * n).count)
        #expect(large >= small, "\(grower.target): \(grower.name) shrinks")
        #expect(large <= 5 * small / 2, "\(grower.target): \(grower.name) grows from \(small) to \(large) bytes")
    }

    @Test func `parts of a corpus are repeated alone and in pairs`() {
        var mutations = Mutations(of: Array(#"{"a":[1]}"#.utf8), seed: 1)
        let inputs = mutations.growers(target: "json", name: "x", limit: 8).map { String(decoding: $0.input(2), as: UTF8.self) }
        #expect(inputs.contains(#"{"a":[1,1,1]}"#))
        #expect(inputs.contains(#"{"a":[1],"a":[1],"a":[1]}"#))
        #expect(inputs.contains(#"{"a":[1],"0a":[1],"1a":[1]}"#))
        var again = Mutations(of: Array(#"{"a":[1]}"#.utf8), seed: 1)
        #expect(again.growers(target: "json", name: "x", limit: 8).map { String(decoding: $0.input(2), as: UTF8.self) } == inputs)
    }
}
