// SPDX-License-Identifier: Apache-2.0

/// The reason for a correction, a quarantined event or a duplicate: a stable code, with Firebase's error number if there is one.
package enum Reason: String, CaseIterable, Sendable {
    case invalidJSON = "invalid_json"
    case notAnObject = "not_an_object"
    case duplicateKey = "duplicate_key"
    case missingName = "missing_name"
    case badName = "bad_event_name"
    case reservedName = "reserved_event_name"
    case tooManyNames = "too_many_event_names"
    case badID = "bad_id"
    case badTimestamp = "bad_timestamp"
    case tooOld = "too_old"
    case badUser = "bad_user_id"
    case badInstallation = "bad_installation_id"
    case badSession = "bad_session_id"
    case badContext = "bad_context"
    case unknownField = "unknown_field"
    case badParams = "bad_params"
    case missingType = "missing_type"
    case blocked = "blocked"
    case forbiddenEvent = "forbidden_event"
    /// Another user than that of the ID token.
    case userMismatch = "user_mismatch"
    /// A user named with an ingest key alone, in an app that asks for proof.
    case userUnproved = "user_unproved"

    case badParamName = "bad_param_name"
    case reservedParamName = "reserved_param_name"
    case valueTooLong = "value_too_long"
    case badValue = "bad_value"
    case tooManyParams = "too_many_params"
    case duplicateParam = "duplicate_param"
    case numberOutOfRange = "number_out_of_range"
    case badCurrency = "bad_currency"
    case badMoney = "bad_money"
    case negativeAmount = "negative_amount"
    case badItems = "bad_items"
    case tooManyItems = "too_many_items"
    case tooManyEntries = "too_many_entries"

    case badUserProperty = "bad_user_property_name"
    case userPropertyTooLong = "user_property_too_long"
    case tooManyUserProperties = "too_many_user_properties"
    case reservedUserProperty = "reserved_user_property_name"

    case eventDuplicate = "event_duplicate"
    case crashDuplicate = "crash_duplicate"
    case transactionDuplicate = "transaction_duplicate"

    /// Firebase's error number for this reason.
    package var number: Int? {
        switch self {
        case .badName: 2
        case .badParamName: 3
        case .valueTooLong: 4
        case .tooManyParams: 5
        case .badUserProperty: 6
        case .userPropertyTooLong: 7
        case .tooManyNames: 8
        case .tooManyUserProperties: 9
        case .reservedName: 13
        case .reservedParamName: 14
        case .reservedUserProperty: 15
        default: nil
        }
    }
}
