// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// Validates the parameters of an event and drops invalid ones.
///
///     {"level": 3, "level": 4, "bad name": 1}
///       → {"level": 4}, corrections `duplicate_param`, `bad_param_name`
struct ParamReader {
    let rules: RuleSet
    let keys: IdentityKeys
    /// The members kept so far: those of the current object after those of the enclosing ones.
    var kept: [KeptMember] = []
    /// The index in `kept` by signature, for objects with many members; only the first of equal signatures.
    private var numbers: [UInt64: Int] = [:]
    private static let fewMembers = 32
    /// The keys and elements to omit from the stored text.
    private var dropped = PlaceSet()
    private var mustRewrite = false
    /// The place of a negative amount that is stored without its sign.
    private var unsigned: Int?
    /// The position of the parameters.
    private var object = 0

    struct KeptMember {
        var signature: UInt64
        var key: Int
    }

    /// The object whose members are read.
    enum Place {
        case params
        case item(Int)
    }

    /// The object, its maximum number of members, and the start of its members in `kept`.
    private struct Scope {
        var place: Place
        var limit: Int
        var first: Int
    }

    init(rules: RuleSet, keys: IdentityKeys) {
        self.rules = rules
        self.keys = keys
    }

    mutating func read(_ index: Int, into record: inout EventRecord, _ source: inout SourceText, _ log: inout VerdictLog) {
        kept.removeAll(keepingCapacity: true)
        if !numbers.isEmpty { numbers.removeAll(keepingCapacity: true) }
        mustRewrite = false
        unsigned = nil
        object = index
        readMembers(of: index, .params, &source, &log)
        if record.kind != .custom { readTyped(into: &record, &source, &log) }
        if mustRewrite {
            record.params = source.rewrite(index, without: dropped, unsigned: unsigned)
            dropped.removeAll()
        } else if !kept.isEmpty {
            let token = source.tape[index]
            record.params = ByteRange(offset: token.offset, count: token.count)
        }
    }

    private mutating func readMembers(of object: Int, _ place: Place, _ source: inout SourceText, _ log: inout VerdictLog) {
        let scope = Scope(place: place, limit: limit(place), first: kept.count)
        let end = source.tape[object].next
        var at = object + 1
        while at < end {
            let value = source.tape[at].next
            readMember(at, value, scope, &source, &log)
            at = source.tape[value].next
        }
    }

    private mutating func readMember(_ key: Int, _ value: Int, _ scope: Scope, _ source: inout SourceText, _ log: inout VerdictLog) {
        guard let name = source.plain(source.tape[key]) else { return drop(key, .badParamName, scope.place, source, 0, &log) }
        if source.tape[key].escaped { mustRewrite = true }
        let (fault, valueLimit, signature) = source.with(name) { name in
            (rules.fault(paramName: name), rules.valueLimit(param: name), ParamReader.signature(name))
        }
        if let fault { return drop(key, fault, scope.place, source, 0, &log) }
        if !rules.allowsNesting, ParamReader.isItems(name, scope.place, source) {
            guard readItems(value, &source, &log) else { return drop(key, .badItems, scope.place, source, 0, &log) }
        } else if let fault = source.fault(value, limit: valueLimit, nesting: rules.allowsNesting) {
            return drop(key, fault, scope.place, source, valueLimit, &log)
        }
        keep(KeptMember(signature: signature, key: key), scope, source, &log)
    }

    /// Keeps a member. The last of duplicate names wins and takes the position of the first. Small objects are searched linearly, large
    /// ones by signature.
    private mutating func keep(_ member: KeptMember, _ scope: Scope, _ source: SourceText, _ log: inout VerdictLog) {
        let isLarge = scope.limit > ParamReader.fewMembers
        if !isLarge || numbers[member.signature] != nil {
            for i in scope.first..<kept.count
            where kept[i].signature == member.signature && source.tape.isSameText(source.tape[kept[i].key], source.tape[member.key]) {
                drop(kept[i].key, .duplicateParam, scope.place, source, 0, &log)
                kept[i] = member
                return
            }
        }
        guard kept.count - scope.first < scope.limit else {
            return drop(member.key, .tooManyParams, scope.place, source, scope.limit, &log)
        }
        if isLarge, numbers[member.signature] == nil { numbers[member.signature] = kept.count }
        kept.append(member)
    }

    private mutating func readItems(_ index: Int, _ source: inout SourceText, _ log: inout VerdictLog) -> Bool {
        let items = source.tape[index]
        guard items.kind == .array else { return items.kind == .null }
        let (outer, limit) = (kept.count, max(0, rules.limits.items))
        var (at, number) = (index + 1, 0)
        while at < items.next {
            if number >= limit {
                if number == limit { log.correct(.tooManyItems, "params.items", VerdictMessages.param(.tooManyItems, rules, limit: limit)) }
                mark(at)
            } else if source.tape[at].kind == .object {
                readMembers(of: at, .item(number), &source, &log)
                kept.removeSubrange(outer...)
            } else {
                mark(at)
                log.correct(.badItems, "params.items[\(number)]", VerdictMessages.param(.badItems, rules, limit: 0))
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

    private static func isItems(_ name: ByteRange, _ place: Place, _ source: SourceText) -> Bool {
        guard case .params = place, name.count == 5 else { return false }
        return source.with(name) { $0.equals("items") }
    }

    /// Returns a signature. Equal names have equal ones; different names rarely do.
    private static func signature(_ name: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for i in 0..<name.count { hash = (hash ^ UInt64(name[i])) &* 0x100_0000_01b3 }
        return hash
    }
}

// MARK: - Dropping

extension ParamReader {
    /// Drops the member at `key`. It is not inlined, to keep the fast path small.
    @inline(never)
    mutating func drop(_ key: Int, _ reason: Reason, _ place: Place, _ source: SourceText, _ limit: Int, _ log: inout VerdictLog) {
        mark(key)
        log.correct(reason, path(place, source.tape.text(source.tape[key]) ?? "?"), VerdictMessages.param(reason, rules, limit: limit))
    }

    /// Stores a negative number without its sign.
    mutating func removeSign(of key: Int, _ source: SourceText, _ log: inout VerdictLog) {
        unsigned = source.tape[key].next
        mustRewrite = true
        log.correct(.negativeAmount, path(.params, source.tape.text(source.tape[key]) ?? "?"), VerdictMessages.negativeRefund)
    }

    private mutating func mark(_ token: Int) {
        dropped.insert(token, from: object)
        mustRewrite = true
    }

    private func path(_ place: Place, _ name: String) -> String {
        switch place {
        case .params: "params.\(VerdictMessages.short(name))"
        case .item(let number): "params.items[\(number)].\(VerdictMessages.short(name))"
        }
    }
}
