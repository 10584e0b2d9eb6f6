// SPDX-License-Identifier: Apache-2.0

import Files
import Testing

struct FileConditionTests {
    @Test(
        arguments: [
            (.any, true, true), (.absent, true, false), (.present, false, true), (.generation(7), false, true), (.generation(8), false, false),
            (.version(generation: 7, metageneration: 2), false, true), (.version(generation: 7, metageneration: 1), false, false),
            (.metageneration(2), false, true), (.metageneration(1), false, false), (.not(.generation(8)), false, true),
            (.not(.generation(7)), false, false), (.not(.metageneration(1)), false, true),
            (.all([.generation(7), .metageneration(1)]), false, false),
            (.all([.generation(7), .metageneration(2)]), false, true), (.all([]), true, true),
            (.anyOf([.generation(8), .metageneration(2)]), false, true), (.anyOf([.generation(8)]), false, false), (.anyOf([]), false, false),
        ] as [(FileCondition, Bool, Bool)])
    func `a condition holds without a file, or for generation 7 after a change of its details`(
        condition: FileCondition, absent: Bool, present: Bool
    ) {
        #expect(condition.holds(for: nil) == absent)
        #expect(condition.holds(for: 7, metageneration: 2) == present)
    }
}
