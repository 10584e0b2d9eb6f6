// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// The decisions of rules by collection.
enum CollectionDecisions {
    static func draw(_ collections: [DocumentDenialsResponse.Collection], in area: Rect, on frame: inout Frame) {
        guard !collections.isEmpty else { return Block.say("No decisions yet.", in: area, on: &frame) }
        let columns = [
            Table.Column("collection", isFlexible: true), Table.Column("allowed", .right), Table.Column("denied", .right),
            Table.Column("share denied", .right),
        ]
        let cells = collections.prefix(max(0, area.height - 1)).map { one in
            [
                one.collection.isEmpty ? "(all)" : one.collection, Numbers.short(one.allowed), Numbers.short(one.denied),
                Numbers.percent(Double(one.denied) / Double(max(1, one.allowed + one.denied))),
            ]
        }
        Table(columns, cells).draw(in: area, on: &frame, heading: Theme.faint)
    }
}
