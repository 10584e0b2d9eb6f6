// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

extension Refusal {
    package static func invalidQuery(_ fault: QueryFault) -> Refusal {
        let text =
            switch fault {
            case .tooManyDisjunctions: "has more than \(Filter.maximumDisjunctions) alternatives in its normal form"
            case .tooManyConditions: "has more than 100 conditions and orders"
            case .emptyList(let comparison): "has an empty list for \(comparison.rawValue)"
            case .notAList(let comparison): "has no list for \(comparison.rawValue)"
            case .tooManyExcluded: "has more than 10 values for not-in"
            case .severalExclusions: "has more than one of != and not-in"
            case .exclusionWithDisjunction: "has not-in beside in, contains-any or or"
            case .containsTwice: "has contains twice in one alternative"
            case .tooManyInequalityFields: "has inequalities of more than 10 fields"
            case .cursorTooLong: "has a cursor with more values than orders"
            case .orderTwice(let field): "is ordered by \(field) twice"
            case .invalidOperand(let field): "compares \(field) with something other than a reference"
            case .elementsOfName(let comparison): "applies \(comparison.rawValue) to __name__, which is not a list"
            case .negative(let name): "has a negative \(name)"
            }
        return Refusal(.queryInvalid, "The query \(text).")
    }
}
