// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON

extension HTTPAnswer {
    /// A page of a list that was asked for one item more than it may hold, which tells whether there is more behind it.
    static func page<Item>(
        _ found: [Item], limit: Int, cursor: (Item) -> String, _ write: (inout JSONWriter, Item) -> Void
    ) -> HTTPAnswer {
        .response(
            .json { json in
                json.beginObject()
                json.key("items")
                json.beginArray()
                for item in found.prefix(limit) { write(&json, item) }
                json.endArray()
                if found.count > limit { json.field("next", cursor(found[limit - 1])) }
                json.endObject()
            })
    }
}
