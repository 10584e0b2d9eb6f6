import Events
import JSON
import Platform

/// Checks the parameters of an event and leaves out what is wrong with them.
struct ParamReader {
    let rules: RuleSet
    let keys: IdentityKeys
    /// The members kept so far of the object being read and, below them, of the objects around it.
    private var kept: [KeptMember] = []
    /// Keys and elements to leave out of the text that is stored.
    private var dropped: Set<Int> = []
    private var mustRewrite = false

    private struct KeptMember {
        var signature: UInt64
        var key: Int
    }

    /// The object whose members are read.
    private enum Place {
        case params
        case item(Int)
    }

    init(rules: RuleSet, keys: IdentityKeys) {
        self.rules = rules
        self.keys = keys
    }

    mutating func read(_ index: Int, into record: inout EventRecord, _ source: inout SourceText, _ log: inout VerdictLog) {
        kept.removeAll(keepingCapacity: true)
        mustRewrite = false
        readMembers(of: index, .params, &source, &log)
        if record.kind != .custom { readTyped(into: &record, &source, &log) }
        if mustRewrite {
            record.params = source.rewrite(index, without: dropped)
            dropped.removeAll(keepingCapacity: true)
        } else if !kept.isEmpty {
            let token = source.tape[index]
            record.params = ByteRange(offset: token.offset, count: token.count)
        }
    }

    private mutating func readMembers(of object: Int, _ place: Place, _ source: inout SourceText, _ log: inout VerdictLog) {
        let first = kept.count
        let limit = limit(place)
        let end = source.tape[object].next
        var at = object + 1
        while at < end {
            let value = source.tape[at].next
            readMember(at, value, place, first, limit, &source, &log)
            at = source.tape[value].next
        }
    }

    private mutating func readMember(
        _ key: Int, _ value: Int, _ place: Place, _ first: Int, _ limit: Int, _ source: inout SourceText, _ log: inout VerdictLog
    ) {
        guard let name = source.plain(source.tape[key]) else {
            drop(key, .badParamName, path(place, "?"), limit, &log)
            return
        }
        if source.tape[key].escaped { mustRewrite = true }
        let (fault, valueLimit, signature) = source.with(name) { name in
            (rules.fault(paramName: name), rules.valueLimit(param: name), ParamReader.signature(name))
        }
        if let fault {
            drop(key, fault, path(place, source.string(name)), limit, &log)
        } else if isItems(name, place, source) {
            guard readItems(value, &source, &log) else { return drop(key, .badItems, "params.items", limit, &log) }
            keep(key, signature, place, first, limit, source, &log)
        } else if let fault = source.fault(value, limit: valueLimit, nesting: rules.allowsNesting) {
            drop(key, fault, path(place, source.string(name)), valueLimit, &log)
        } else {
            keep(key, signature, place, first, limit, source, &log)
        }
    }

    /// The last of two members with one name wins, and takes the other's place.
    private mutating func keep(
        _ key: Int, _ signature: UInt64, _ place: Place, _ first: Int, _ limit: Int, _ source: SourceText, _ log: inout VerdictLog
    ) {
        for i in first..<kept.count where kept[i].signature == signature && source.hasSameText(kept[i].key, key) {
            drop(kept[i].key, .duplicateParam, path(place, name(key, source)), limit, &log)
            kept[i].key = key
            return
        }
        guard kept.count - first < limit else { return drop(key, .tooManyParams, path(place, name(key, source)), limit, &log) }
        kept.append(KeptMember(signature: signature, key: key))
    }

    private mutating func readItems(_ index: Int, _ source: inout SourceText, _ log: inout VerdictLog) -> Bool {
        let items = source.tape[index]
        guard items.kind == .array else { return items.kind == .null }
        let outer = kept.count
        var (at, number) = (index + 1, 0)
        while at < items.next {
            if number >= rules.limits.items {
                if number == rules.limits.items { log.correct(.tooManyItems, "params.items", Sentences.param(.tooManyItems, rules, limit: number)) }
                mark(at)
            } else if source.tape[at].kind == .object {
                readMembers(of: at, .item(number), &source, &log)
                kept.removeSubrange(outer...)
            } else {
                drop(at, .badItems, "params.items[\(number)]", 0, &log)
            }
            (at, number) = (source.tape[at].next, number + 1)
        }
        return true
    }

    private func limit(_ place: Place) -> Int {
        switch place {
        case .params: rules.limits.params
        case .item: FixedLimits.paramsPerItem
        }
    }

    private func isItems(_ name: ByteRange, _ place: Place, _ source: SourceText) -> Bool {
        guard case .params = place, !rules.allowsNesting, name.count == 5 else { return false }
        return source.with(name) { $0.equals("items") }
    }

    /// Equal names have equal signatures; unequal ones seldom.
    private static func signature(_ name: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for i in 0..<name.count { hash = (hash ^ UInt64(name[i])) &* 0x100_0000_01b3 }
        return hash
    }
}

// MARK: - Leaving out

extension ParamReader {
    private mutating func drop(_ token: Int, _ reason: Reason, _ field: String, _ limit: Int, _ log: inout VerdictLog) {
        mark(token)
        log.correct(reason, field, Sentences.param(reason, rules, limit: limit))
    }

    private mutating func mark(_ token: Int) {
        dropped.insert(token)
        mustRewrite = true
    }

    /// A parameter's name may be as long as a body; its place in an answer may not.
    private func path(_ place: Place, _ name: String) -> String {
        let name = name.unicodeScalars.count > 100 ? String(String.UnicodeScalarView(name.unicodeScalars.prefix(100))) + "…" : name
        return switch place {
        case .params: "params.\(name)"
        case .item(let number): "params.items[\(number)].\(name)"
        }
    }

    private func name(_ key: Int, _ source: SourceText) -> String {
        source.tape.text(source.tape[key]) ?? "?"
    }
}

// MARK: - Typed parameters

extension ParamReader {
    private mutating func readTyped(into record: inout EventRecord, _ source: inout SourceText, _ log: inout VerdictLog) {
        if record.kind == .screenView {
            if let (_, value) = member("screen_name", source), let text = source.text(value) { take(text, .screen, into: &record, source) }
        } else if record.kind.isMoney {
            readTransaction(into: &record, &source, &log)
            readMoney(into: &record, source, &log)
        }
    }

    private mutating func readTransaction(into record: inout EventRecord, _ source: inout SourceText, _ log: inout VerdictLog) {
        guard let (key, value) = member("transaction_id", source), source.tape[value].kind != .null else { return }
        let token = source.tape[value]
        let text = token.isNumber ? ByteRange(offset: token.offset, count: token.count) : source.text(value)
        guard let text else { return leaveOut(key, .badValue, "transaction_id", &log) }
        take(text, .transaction, into: &record, source)
    }

    private func take(_ text: ByteRange, _ domain: KeyedHash.Domain, into record: inout EventRecord, _ source: SourceText) {
        let subject = keys.identity(text, domain, in: source)
        (record.subjectKey, record.subject) = (subject.key, subject.text)
    }

    /// An amount counts only with a currency; in-app purchases may name a price for each instead.
    private mutating func readMoney(into record: inout EventRecord, _ source: SourceText, _ log: inout VerdictLog) {
        var amount = money("value", source, &log)
        if amount == nil, record.kind == .inAppPurchase, member("value", source) == nil { amount = priceTimesQuantity(source, &log) }
        guard let (key, value) = member("currency", source), source.tape[value].kind != .null else { return }
        guard let currency = source.currency(value) else { return leaveOut(key, .badCurrency, "currency", &log) }
        guard let amount else { return }
        (record.amount, record.currency) = (amount, currency)
    }

    private mutating func priceTimesQuantity(_ source: SourceText, _ log: inout VerdictLog) -> Int64? {
        guard let price = money("price", source, &log) else { return nil }
        guard let (key, value) = member("quantity", source), source.tape[value].kind != .null else { return price }
        guard let quantity = source.tape[value].integer else {
            leaveOut(key, .badValue, "quantity", &log)
            return nil
        }
        guard case .amount(let total) = Money.product(price, quantity) else {
            leaveOut(key, .numberOutOfRange, "quantity", &log)
            return nil
        }
        return total
    }

    private mutating func money(_ name: StaticString, _ source: SourceText, _ log: inout VerdictLog) -> Int64? {
        guard let (key, value) = member(name, source), source.tape[value].kind != .null else { return nil }
        switch source.money(value) {
        case .amount(let amount): return amount
        case .outOfRange: leaveOut(key, .numberOutOfRange, name, &log)
        case .malformed: leaveOut(key, .badMoney, name, &log)
        }
        return nil
    }

    private func member(_ name: StaticString, _ source: SourceText) -> (key: Int, value: Int)? {
        for member in kept where source.isText(member.key, name) { return (member.key, source.tape[member.key].next) }
        return nil
    }

    private mutating func leaveOut(_ key: Int, _ reason: Reason, _ name: StaticString, _ log: inout VerdictLog) {
        drop(key, reason, path(.params, "\(name)"), 0, &log)
        kept.removeAll { $0.key == key }
    }
}
