// SPDX-License-Identifier: Apache-2.0

import Platform

extension FunctionTrigger {
    /// A line for people: `event purchase`, `file users/{uid}/{rest=**} finalized`.
    package var text: String {
        let parts: [String] =
            switch self {
            case .event(let name, let filters): [name] + filters
            case .issue(let moment): [moment.rawValue]
            case .user(let moment): [moment.rawValue]
            case .document(let path, let moment): [path.text, moment.rawValue]
            case .file(let path, let moment): [path.text, moment.rawValue]
            case .schedule(let trigger): [trigger.schedule.text, trigger.schedule.zone.name]
            }
        return ([kind.rawValue] + parts).joined(separator: " ")
    }
}
