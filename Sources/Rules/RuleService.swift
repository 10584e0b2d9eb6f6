// SPDX-License-Identifier: Apache-2.0

/// The product that a `service` block of rules protects.
package enum RuleService: String, Sendable, CaseIterable {
    case documents = "cloud.firestore"
    case files = "firebase.storage"

    /// Functions that only rules of this service can call.
    var ownFunctions: Set<RuleFunction> {
        switch self {
        case .documents: [.get, .exists, .getAfter, .existsAfter]
        case .files: [.documentGet, .documentExists]
        }
    }
}
