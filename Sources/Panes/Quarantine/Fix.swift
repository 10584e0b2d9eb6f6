// SPDX-License-Identifier: Apache-2.0

import API
import Events

extension QuarantinedResponse {
    /// Instructions to fix the event; nil if the message contains them.
    var fix: String? {
        switch Reason(rawValue: code) {
        case .invalidJSON: "Encode the JSON with a library: UTF-8, no trailing commas."
        case .notAnObject: "Send one object per event, such as {\"name\": \"screen_view\"}."
        case .duplicateKey: "Send the field once; duplicates are ambiguous."
        case .missingName: "Add a name, such as \"name\": \"screen_view\"."
        case .badName, .reservedName: "Rename the event in the app."
        case .tooManyNames: "Event names seem to contain IDs or free text. Use one name and put the variable part into params."
        case .badID, .badUser, .badInstallation, .badSession: "Send a short string, or omit the field."
        case .badTimestamp: "Send a time such as 2026-11-21T10:00:00Z, or omit the field to use the time of receipt."
        case .tooOld: "Check the device's clock. If it is right, raise retention_days of the app and replay the event."
        case .badContext: "Send an object of short strings, such as {\"platform\": \"ios\", \"app_version\": \"2.1.0\"}."
        case .badParams: "Send an object of strings, numbers and booleans."
        case .missingType: "Add the crash's type, or its reason and level."
        default: nil
        }
    }
}
