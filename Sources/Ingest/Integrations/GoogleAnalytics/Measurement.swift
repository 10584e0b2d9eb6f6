// SPDX-License-Identifier: Apache-2.0

package import Events
import JSON
import Platform

/// A request of the Measurement Protocol, translated.
package struct Measurement: Sendable {
    /// The stream: `firebase_app_id` or `measurement_id`.
    let stream: String?
    let instance: String?
    /// Whether recommendations are enforced.
    package let enforces: Bool
    package internal(set) var batch = IntegrationBatch()
    /// The violated recommendations of each event; empty unless they are enforced.
    var faults: [[MeasurementFault]] = []

    /// The maximum age. Google stores older events at this age and, with enforcement, rejects them.
    private static let mostLate = Timestamp.Span.hours(72)

    /// Returns the platform in a Firebase app ID such as `1:1234:ios:abcd`.
    static func platform(of stream: String?) -> String? {
        let parts = (stream ?? "").split(separator: ":")
        guard parts.count == 4, ["ios", "android", "web"].contains(parts[2]) else { return nil }
        return String(parts[2])
    }

    /// Returns the events to reject under enforced recommendations. `validated` is the result of the native validation.
    package func rejected(_ validated: EventSubmission) -> [Int: Verdict] {
        guard enforces else { return [:] }
        var rejected: [Int: Verdict] = [:]
        func reject(_ index: Int, _ reason: Reason, _ field: String, _ message: String) {
            if rejected[index] == nil {
                rejected[index] = Verdict(index: index, id: nil, result: .quarantined, reason: reason, field: field, message: message)
            }
        }
        for verdict in validated.corrections { reject(verdict.index, verdict.reason, verdict.field, verdict.message) }
        for record in validated.records where validated.received - record.time > Measurement.mostLate {
            reject(Int(record.index), .tooOld, "timestamp_micros", "Is more than 72 hours ago.")
        }
        for (index, found) in faults.enumerated() { for fault in found { reject(index, fault.reason, fault.field, fault.message) } }
        return rejected
    }

    // MARK: Validation messages

    /// Returns the messages of Google's validation server for the request.
    package func messages(_ validated: EventSubmission, _ users: UserSubmission) -> [MeasurementMessage] {
        var messages: [MeasurementMessage] = []
        if stream == nil { messages.append(.required("firebase_app_id", "The query names no stream: firebase_app_id is missing.")) }
        messages += instanceMessages
        if batch.events.isEmpty { messages.append(.required("events", "The request has no events.")) }
        for verdict in (validated.quarantined.map(\.verdict) + validated.corrections).sorted(by: { $0.index < $1.index }) {
            if let message = MeasurementMessage(verdict, in: "events[\(verdict.index)]", enforces: enforces) { messages.append(message) }
        }
        for verdict in users.quarantined.map(\.verdict) + users.corrections {
            if let message = MeasurementMessage(verdict, in: "user_properties", enforces: enforces) { messages.append(message) }
        }
        let said = Set(messages.map(\.path))
        for (index, verdict) in rejected(validated).sorted(by: { $0.key < $1.key }) where !said.contains("events[\(index)].\(verdict.field)") {
            if let message = MeasurementMessage(verdict, in: "events[\(index)]", enforces: true) { messages.append(message) }
        }
        return messages
    }

    private var instanceMessages: [MeasurementMessage] {
        guard let instance else { return [.required("app_instance_id", "app_instance_id is missing: the events have no user.")] }
        let isHex = instance.utf8.count == 32 && instance.allSatisfy(\.isHexDigit)
        guard stream?.contains(":") == true, !isHex else { return [] }
        return [
            MeasurementMessage(
                path: "app_instance_id", description: "[\(instance.prefix(64))] is not 32 hexadecimal digits, as Firebase generates them.",
                code: .valueInvalid)
        ]
    }
}

/// A message of Google's validation server.
package struct MeasurementMessage: Sendable, Equatable {
    package enum Code: String, Sendable {
        case valueInvalid = "VALUE_INVALID"
        case valueRequired = "VALUE_REQUIRED"
        case nameInvalid = "NAME_INVALID"
        case nameReserved = "NAME_RESERVED"
        case valueOutOfBounds = "VALUE_OUT_OF_BOUNDS"
        case exceededMaxEntities = "EXCEEDED_MAX_ENTITIES"
        case nameDuplicated = "NAME_DUPLICATED"
    }

    package let path: String
    package let description: String
    package let code: Code

    package init(path: String, description: String, code: Code) {
        (self.path, self.description, self.code) = (path, description, code)
    }

    static func required(_ path: String, _ description: String) -> MeasurementMessage {
        MeasurementMessage(path: path, description: description, code: .valueRequired)
    }

    /// Returns nil for a recommendation that is not enforced.
    init?(_ verdict: Verdict, in place: String, enforces: Bool) {
        code = Code(verdict.reason)
        guard enforces || verdict.result == .quarantined || Code.always.contains(code) else { return nil }
        path = "\(place).\(verdict.field)"
        description = "\(place) has an invalid \(verdict.field): \(verdict.message)"
    }
}

extension MeasurementMessage.Code {
    /// The codes that are always errors.
    static let always: Set<MeasurementMessage.Code> = [.nameInvalid, .nameReserved, .exceededMaxEntities, .nameDuplicated]

    init(_ reason: Reason) {
        self =
            switch reason {
            case .badName, .badParamName, .badUserProperty: .nameInvalid
            case .reservedName, .reservedParamName, .reservedUserProperty: .nameReserved
            case .valueTooLong, .userPropertyTooLong, .numberOutOfRange, .tooOld: .valueOutOfBounds
            case .tooManyParams, .tooManyItems, .tooManyEntries, .tooManyUserProperties, .tooManyNames: .exceededMaxEntities
            case .duplicateKey, .duplicateParam: .nameDuplicated
            case .missingName, .missingType: .valueRequired
            default: .valueInvalid
            }
    }
}
