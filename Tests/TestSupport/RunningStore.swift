package import Events
package import Platform
package import Store

/// A real store in a folder of its own, running for as long as a closure.
package func withStore<T: Sendable>(
    in folder: TemporaryFolder = TemporaryFolder(), options: StoreOptions = StoreOptions(), clock: WallClock = .system,
    _ body: @Sendable (Store) async throws -> T
) async throws -> T {
    let store = try Store(folder.path, options: options, clock: clock) { fatalError($0) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await store.run() }
        let result: Result<T, any Error>
        do { result = .success(try await body(store)) } catch { result = .failure(error) }
        store.close()
        try await group.waitForAll()
        return try result.get()
    }
}

/// Builds submissions the way a door does, for tests that begin behind the doors.
package struct SubmissionBuilder {
    private let app: AppID
    private let hash: KeyedHash
    private let received: Timestamp
    private var body: [UInt8] = []
    private var records: [EventRecord] = []
    private var contexts = [EventContext.empty]

    package init(app: AppID = AppID(rawValue: 1), store: Store, received: Timestamp) {
        self.app = app
        hash = store.hash
        self.received = received
    }

    package mutating func add(
        _ name: String, id: String, time: Timestamp? = nil, user: String? = nil, installation: String? = nil, session: String? = nil,
        params: String = "{}", configure: (inout EventRecord) -> Void = { _ in }
    ) {
        let nameRange = append(name)
        let idRange = append(id)
        let uuid = UUID128(Array(id.utf8).span)
        var record = EventRecord(
            index: UInt32(records.count), kind: .custom, time: time ?? received,
            idKey: uuid.map { hash(.eventID, app: app, $0) } ?? key(.eventID, id), uuid: uuid ?? UUID128(high: 0, low: 0),
            idText: uuid == nil ? idRange : .none, nameKey: key(.name, name), name: nameRange, context: 0, raw: nameRange)
        if let user { (record.userKey, record.user) = (key(.user, user), append(user)) }
        if let installation { (record.installationKey, record.installation) = (key(.installation, installation), append(installation)) }
        if let session { (record.sessionKey, record.session) = (key(.session, session), append(session)) }
        record.params = append(params)
        configure(&record)
        records.append(record)
    }

    /// Puts the last event on a screen.
    package mutating func nameScreen(_ screen: String) {
        let range = append(screen)
        records[records.count - 1].subject = range
        records[records.count - 1].subjectKey = key(.screen, screen)
    }

    /// A context to give events by its number.
    package mutating func addContext(platform: String) -> UInt16 {
        var values = [ByteRange](repeating: .none, count: EventContext.fields.count)
        values[0] = append(platform)
        contexts.append(EventContext(key: key(.context, platform), values: values))
        return UInt16(contexts.count - 1)
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
