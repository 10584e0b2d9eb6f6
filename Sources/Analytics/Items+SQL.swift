// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// An item of a purchase or refund.
///
///     {"item_id": "tea", "price": 3.50, "quantity": 2}     2 units for 7.00
struct SoldItem {
    private let json: [UInt8]

    init(_ json: [UInt8]) {
        self.json = json
    }

    /// One if the item names no quantity; nil if it is not a whole number from 0 on.
    var quantity: Int64? {
        guard let text = ParamText.value(of: "quantity", in: json) else { return 1 }
        guard case .amount(let millionths) = Money.millionths(text.span), millionths >= 0, millionths % 1_000_000 == 0 else { return nil }
        return millionths / 1_000_000
    }

    /// The price of all units, in millionths; nil if the price or the quantity is unknown.
    var amount: Int64? {
        guard let quantity, let text = ParamText.value(of: "price", in: json), case .amount(let price) = Money.millionths(text.span),
            case .amount(let amount) = Money.product(price, quantity)
        else { return nil }
        return amount
    }

    /// A field as text; nil for none, and for the reserved name of "no value".
    func value(_ name: String) -> [UInt8]? {
        ParamText.value(of: name, in: json).flatMap { $0.elementsEqual(BreakdownName.none.utf8) ? nil : $0 }
    }
}

/// The units or the money of items by currency, breakdown value and bucket.
private struct ItemSums: Sendable {
    private struct Cell: Hashable {
        var currency: Int64
        /// The value's code; 0 for no value.
        var value: UInt32
        var bucket: UInt32
    }

    private var values = ValueTable()
    private var sums: [Cell: Int64] = [:]
    private static let limit = 2_000_000

    mutating func add(_ sum: Int64, currency: Int64, _ value: [UInt8]?, at bucket: Int) throws(Refusal) {
        try add(sum, to: Cell(currency: currency, value: try values.code(of: value), bucket: UInt32(bucket)))
    }

    mutating func add(_ other: ItemSums) throws(Refusal) {
        for (cell, sum) in other.sums {
            var cell = cell
            cell.value = try values.code(of: other.values[cell.value])
            try add(sum, to: cell)
        }
    }

    private mutating func add(_ sum: Int64, to cell: Cell) throws(Refusal) {
        let known = sums[cell]
        guard known != nil || sums.count < ItemSums.limit else { throw .tooManyCells }
        sums[cell] = (known ?? 0).addingClamped(sum)
    }

    /// The key's currency is "" for units.
    func lines(_ breakdown: FieldPath?) -> [MoneyLine: SparseLine] {
        var lines: [MoneyLine: SparseLine] = [:]
        for (cell, sum) in sums {
            let value = breakdown == nil ? ExactText("") : values[cell.value].map { ExactText($0) } ?? .noValue
            let currency = cell.currency == 0 ? "" : Currency.text(cell.currency)
            lines[MoneyLine(currency: currency, value: value), default: SparseLine()].add(sum, at: Int(cell.bucket))
        }
        return lines
    }
}

extension QueryContext {
    /// Counts the units of items, or their money by currency, net of refunds. The list of items is read from each sale's parameters.
    func countedItems(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> [CountedLine] {
        let ofItems: String? = if case .item(let name)? = query.breakdown { name } else { nil }
        let isMoney = query.metric == .revenue
        var scan = EventScan(buckets, names: query.eventNames, filters: query.filters, field: ofItems == nil ? query.breakdown : nil)
        scan.columns = [.time, .params, .purchase]
        let sums = try self.scan(scan, into: ItemSums()) { sums, batch in
            for row in batch.rows {
                guard let sale = batch.purchases[row], let bucket = buckets.index(of: Timestamp(milliseconds: batch.times[row])),
                    !isMoney || sale.currency != 0
                else { continue }
                let value = batch.codes.isEmpty ? nil : batch.values[batch.codes[row]]
                for item in ParamText.objects(of: "items", in: batch.params[row]).map(SoldItem.init) {
                    guard let sum = isMoney ? item.amount : item.quantity else { continue }
                    let value = ofItems.map { item.value($0) } ?? value
                    try sums.add(sale.isRefund ? -sum : sum, currency: isMoney ? sale.currency : 0, value, at: bucket)
                }
            }
        } joining: {
            try $0.add($1)
        }.lines(query.breakdown)
        if isMoney { return CountedLine.ranked(sums, like: query, buckets) }
        return CountedLine.ranked(Dictionary(uniqueKeysWithValues: sums.map { ($0.key.value, $0.value) }), like: query, buckets)
    }
}
