// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

extension ParamReader {
    /// Reads the parameters with a meaning: amounts, transaction IDs and screen names.
    mutating func readTyped(into record: inout EventRecord, _ source: inout SourceText, _ log: inout VerdictLog) {
        if record.kind == .screenView {
            if let (_, value) = given("screen_name", source), let text = source.text(value) { take(text, .screen, into: &record, source) }
        } else if record.kind.isMoney {
            readTransaction(into: &record, &source, &log)
            readMoney(into: &record, source, &log)
        }
    }

    private mutating func readTransaction(into record: inout EventRecord, _ source: inout SourceText, _ log: inout VerdictLog) {
        guard let (key, value) = given("transaction_id", source) else { return }
        let token = source.tape[value]
        let text = token.isNumber ? ByteRange(offset: token.offset, count: token.count) : source.text(value)
        guard let text else { return leaveOut(key, .badValue, source, &log) }
        take(text, .transaction, into: &record, source)
    }

    private func take(_ text: ByteRange, _ domain: KeyedHash.Domain, into record: inout EventRecord, _ source: SourceText) {
        let subject = keys.identity(text, domain, in: source)
        (record.subjectKey, record.subject) = (subject.key, subject.text)
    }

    /// Reads the amount. It counts only with a currency; in-app purchases may give a price per item instead.
    private mutating func readMoney(into record: inout EventRecord, _ source: SourceText, _ log: inout VerdictLog) {
        let usesPrice = record.kind == .inAppPurchase && given("value", source) == nil
        let amount = usesPrice ? priceTimesQuantity(source, &log) : money("value", source, &log, isRefund: record.kind == .refund)
        guard let (key, value) = given("currency", source) else { return }
        guard let currency = source.currency(value) else { return leaveOut(key, .badCurrency, source, &log) }
        guard let amount else { return }
        (record.amount, record.currency) = (amount, currency)
    }

    private mutating func priceTimesQuantity(_ source: SourceText, _ log: inout VerdictLog) -> Int64? {
        guard let price = money("price", source, &log) else { return nil }
        guard let (key, value) = given("quantity", source) else { return price }
        guard let quantity = source.tape[value].integer, quantity >= 0 else {
            leaveOut(key, source.tape[value].integer == nil ? .badValue : .negativeAmount, source, &log)
            return nil
        }
        guard case .amount(let total) = Money.product(price, quantity) else {
            leaveOut(key, .numberOutOfRange, source, &log)
            return nil
        }
        return total
    }

    /// Reads an amount. The name of an event says its direction, so amounts have no sign. A negative refund counts as the positive amount.
    /// The intent of a negative purchase is unclear, so it has no amount.
    private mutating func money(_ name: StaticString, _ source: SourceText, _ log: inout VerdictLog, isRefund: Bool = false) -> Int64? {
        guard let (key, value) = given(name, source) else { return nil }
        switch source.money(value) {
        case .amount(let amount) where amount >= 0: return amount
        case .amount(let amount) where isRefund:
            removeSign(of: key, source, &log)
            return -amount
        case .amount: leaveOut(key, .negativeAmount, source, &log)
        case .outOfRange: leaveOut(key, .numberOutOfRange, source, &log)
        case .malformed: leaveOut(key, .badMoney, source, &log)
        }
        return nil
    }

    /// Returns the member with this name, unless it is null.
    private func given(_ name: StaticString, _ source: SourceText) -> (key: Int, value: Int)? {
        for member in kept where source.tape.isText(source.tape[member.key], name) {
            let value = source.tape[member.key].next
            return source.tape[value].kind == .null ? nil : (member.key, value)
        }
        return nil
    }

    private mutating func leaveOut(_ key: Int, _ reason: Reason, _ source: SourceText, _ log: inout VerdictLog) {
        drop(key, reason, .params, source, 0, &log)
        kept.removeAll { $0.key == key }
    }
}
