// SPDX-License-Identifier: Apache-2.0

import API
import Events

extension QuarantinedResponse {
    /// How to fix the event; nil if the message says it.
    var remedy: String? {
        switch Reason(rawValue: code) {
        case .invalidJSON: "Let a library write the JSON, in UTF-8 and without a comma behind the last of anything."
        case .notAnObject: "Send an object for each, such as {\"name\": \"screen_view\"}."
        case .duplicateKey: "Name the field once: nobody could tell which of the two is meant."
        case .missingName: "Say what happened: \"name\": \"screen_view\"."
        case .badName, .reservedName: "Give the event another name in the app."
        case .tooManyNames: "Names seem to be made of ids or texts. Put those into params, and give all such events one name."
        case .badID, .badUser, .badInstallation, .badSession: "Send a short text there, or leave the field out."
        case .badTimestamp: "Send it like 2026-11-21T10:00:00Z, or leave it out for the time when it is received."
        case .tooOld: "Is the clock of the device right? Otherwise let the app keep data for more days (retention_days), and put this through."
        case .badContext: "Send an object of short texts, such as {\"platform\": \"ios\", \"app_version\": \"2.1.0\"}."
        case .badParams: "Send an object of texts, numbers and booleans."
        case .missingType: "Say what kind of crash it is: its type, or why it happened and how bad that is."
        default: nil
        }
    }
}
