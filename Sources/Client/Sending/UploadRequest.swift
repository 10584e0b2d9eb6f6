// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The records of one request: one kind and one identity, in logging order.
struct UploadRequest {
    let kind: RecordKind
    let records: [Record]
    /// The signed-in user, if all records are of that user.
    let user: String?

    /// Splits a batch by kind, by identity, and by the daemon's limit of records for a request.
    ///
    /// - Parameter user: The signed-in user, whose records are sent with an ID token. With it the daemon would take a record that names
    ///   nobody for the user's, so all others go without.
    static func all(of batch: RecordBatch, signedIn user: String?) -> [UploadRequest] {
        [RecordKind.user, .event, .crash].flatMap { kind in
            let records = batch.records.filter { $0.kind == kind }
            guard let user else { return all(records, of: kind, user: nil) }
            let owned = records.map { $0.names(user: user) }
            let (own, others) = (zip(records, owned).filter(\.1).map(\.0), zip(records, owned).filter { !$0.1 }.map(\.0))
            return all(others, of: kind, user: nil) + all(own, of: kind, user: user)
        }
    }

    private static func all(_ records: [Record], of kind: RecordKind, user: String?) -> [UploadRequest] {
        stride(from: 0, to: records.count, by: most(kind)).map { start in
            UploadRequest(kind: kind, records: Array(records[start..<min(start + most(kind), records.count)]), user: user)
        }
    }

    private static func most(_ kind: RecordKind) -> Int {
        switch kind {
        case .user: 1_000
        case .crash: 100
        case .event, .envelope: 2_000
        }
    }

    /// The route; `nil` when validating records for which the daemon has no validation route.
    func path(validates: Bool) -> String? {
        switch kind {
        case .event, .envelope: validates ? "v1/debug/events" : "v1/events"
        case .user: validates ? nil : "v1/users"
        case .crash: validates ? nil : "v1/crashes"
        }
    }

    func body(envelope: ArraySlice<UInt8>, sentAt: Date) -> [UInt8] {
        let list = kind == .user ? "users" : kind == .crash ? "crashes" : "events"
        var body: [UInt8] = []
        body.reserveCapacity(records.reduce(1_024) { $0 + $1.json.count + 1 })
        body += "{\"sent_at\":\(sentAt.microseconds),".utf8
        if kind != .user, !envelope.isEmpty {
            body += envelope
            body.append(0x2c)
        }
        body += "\"\(list)\":[".utf8
        for (number, record) in records.enumerated() {
            if number > 0 { body.append(0x2c) }
            body += record.json
        }
        body += "]}".utf8
        return body
    }

    /// The event name at an index of the request, for a `Verdict`.
    func name(at index: Int) -> String? {
        struct Named: Decodable { var name: String? }
        guard kind == .event, records.indices.contains(index) else { return nil }
        return try? JSONDecoder().decode(Named.self, from: Data(records[index].json)).name
    }
}

extension Date {
    /// Microseconds since 1970, the unit of timestamps in events and requests.
    var microseconds: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }
}
