// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Rules
import SignalboxDocumentModel

extension RuleValue {
    /// Reads claims of a token, or those that an administrator tries.
    package init(claim place: Int, of tape: JSONTape) {
        switch tape[place].kind {
        case .object:
            var members: [ExactName: RuleValue] = [:]
            var key = place + 1
            for _ in 0..<tape[place].children {
                let value = tape[key].next
                members[ExactName(tape.text(tape[key]) ?? "")] = RuleValue(claim: value, of: tape)
                key = tape[value].next
            }
            self = .map(.made(members))
        case .array: self = .list(tape.elements(of: place).map { RuleValue(claim: $0, of: tape) })
        case .string, .key: self = .text(tape.text(tape[place]) ?? "")
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .null: self = .null
        case .integer, .unsigned, .double, .bigNumber:
            self = tape[place].integer.map(RuleValue.integer) ?? .float(tape[place].double ?? .nan)
        }
    }
}
