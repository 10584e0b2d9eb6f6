// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
package import Platform
package import AcrossStores

/// Builds submissions as intake does, for tests below intake.
package struct SubmissionBuilder {
    private let app: AppID
    private let hash: KeyedHash
    private let received: Timestamp
    private var body: [UInt8] = []
    private var records: [EventRecord] = []
    private var contexts = [EventContext.empty]
    private var contextNumbers: [UInt64: UInt16] = [:]

    package init(app: AppID = AppID(rawValue: 1), store: Stores, received: Timestamp) {
        self.app = app
        hash = store.events.hash
        self.received = received
    }

    package mutating func add(
        _ name: String, id: String, time: Timestamp? = nil, user: String? = nil, installation: String? = nil, session: String? = nil,
        context: [String?] = [], params: String = "{}", typed: Typed = .nothing, configure: (inout EventRecord) -> Void = { _ in }
    ) {
        let nameRange = append(name)
        let idRange = append(id)
        let uuid = UUID128(Array(id.utf8).span)
        var record = EventRecord(
            index: UInt32(records.count), kind: EventKind(name: Array(name.utf8).span), time: time ?? received,
            idKey: uuid.map { hash(.eventID, app: app, $0) } ?? key(.eventID, id), uuid: uuid ?? UUID128(high: 0, low: 0),
            idText: uuid == nil ? idRange : .none, nameKey: key(.name, name), name: nameRange, context: number(of: context), raw: nameRange)
        if let user { (record.userKey, record.user) = (key(.user, user), append(user)) }
        if let installation { (record.installationKey, record.installation) = (key(.installation, installation), append(installation)) }
        if let session { (record.sessionKey, record.session) = (key(.session, session), append(session)) }
        record.params = append(params)
        fill(typed, into: &record)
        configure(&record)
        records.append(record)
    }

    /// The values that intake extracts from the parameters.
    package enum Typed {
        case nothing
        case screen(String)
        case sale(transaction: String?, amount: Int64, currency: String?)
    }

    private mutating func fill(_ typed: Typed, into record: inout EventRecord) {
        switch typed {
        case .nothing: break
        case .screen(let name): (record.subjectKey, record.subject) = (key(.screen, name), append(name))
        case .sale(let transaction, let amount, let currency):
            if let transaction { (record.subjectKey, record.subject) = (key(.transaction, transaction), append(transaction)) }
            guard let packed = currency.flatMap({ Money.currency(Array($0.utf8).span) }) else { return }
            (record.amount, record.currency) = (amount, packed)
        }
    }

    private mutating func number(of context: [String?]) -> UInt16 {
        guard context.contains(where: { $0 != nil }) else { return 0 }
        let texts = EventContext.fields.indices.map { place in place < context.count ? context[place] ?? "" : "" }
        let key = key(.context, texts.joined(separator: "\u{1f}"))
        if let known = contextNumbers[key] { return known }
        let number = UInt16(contexts.count)
        contexts.append(EventContext(key: key, values: texts.map { append($0) }))
        contextNumbers[key] = number
        return number
    }

    package func key(_ domain: KeyedHash.Domain, _ text: String) -> UInt64 {
        hash(domain, app: app, Array(text.utf8).span)
    }

    package mutating func append(_ text: String) -> ByteRange {
        defer { body.append(contentsOf: text.utf8) }
        return ByteRange(offset: body.count, count: text.utf8.count)
    }

    package func submission() -> EventSubmission {
        EventSubmission(
            app: app, received: received, body: body, arena: [], contexts: contexts, records: records, quarantined: [], corrections: [])
    }
}
