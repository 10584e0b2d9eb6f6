// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

// Prompts of global keys.

extension Prompt {
    static func jump(_ words: [String]) -> Prompt {
        Prompt("Go to", "A pane, an item by ID such as issue iss_7Qk2, or a range such as 7d.", words: words) { .jump($0) }
    }

    static func export(of title: String, _ now: Timestamp) -> Prompt {
        let moment = now.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }
        let name = "signalbox-\(title.lowercased())-\(moment).csv"
        return Prompt("Export", "A new file: \(Export.kinds).", text: name, limit: 1_000) { .export($0) }
    }
}
