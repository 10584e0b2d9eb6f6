// SPDX-License-Identifier: Apache-2.0

/// The same events in the format of each integration.
enum EventShape: String, Sendable {
    case native, google, segment, posthog

    /// The text before the events.
    func head(key: String, client: Int) -> String {
        switch self {
        case .native: #"{"context":{"platform":"ios","app_version":"2.1.0","locale":"en_GB"},"events":["#
        case .google:
            #"{"app_instance_id":"installation-\#(client)","user_id":"user-\#(client)","device":{"operating_system":"iOS","language":"en_GB"},"events":["#
        case .segment: #"{"writeKey":"\#(key)","batch":["#
        case .posthog: #"{"api_key":"\#(key)","historical_migration":false,"batch":["#
        }
    }

    /// Returns an event's text before and after its ID; the whole text and `nil` for a format without IDs.
    func event(number: Int, person: Int) -> (start: String, end: String?) {
        let (name, params) = ("event_\(number % 50)", EventShape.params(number))
        switch self {
        case .native:
            let people = #""user_id":"user-\#(person)","installation_id":"installation-\#(person)","session_id":"s-\#(person)""#
            return (#"{"id":""#, #"","name":"\#(name)",\#(people),"params":{\#(params)}}"#)
        case .google: return (#"{"name":"\#(name)","params":{"session_id":"s-\#(person)",\#(params)}}"#, nil)
        case .segment:
            let context =
                #"{"os":{"name":"iOS"},"app":{"version":"2.1.0"},"locale":"en_GB","sessionId":"s-\#(person)","library":{"name":"analytics-swift","version":"1.9.1"}}"#
            let people = #""userId":"user-\#(person)","anonymousId":"installation-\#(person)""#
            return (
                #"{"type":"track","messageId":""#,
                #"","event":"\#(name)",\#(people),"integrations":{},"context":\#(context),"properties":{\#(params)}}"#
            )
        case .posthog:
            let own =
                #""$lib":"posthog-ios","$lib_version":"3.38.0","$os_name":"iOS","$app_version":"2.1.0","$locale":"en_GB","$session_id":"s-\#(person)","$device_id":"installation-\#(person)""#
            return (#"{"event":"\#(name)","distinct_id":"user-\#(person)","uuid":""#, #"","properties":{\#(params),\#(own)}}"#)
        }
    }

    /// Returns a native purchase's text before its ID, between that and its order number, and after it.
    static func purchase(person: Int) -> (start: String, middle: String, end: String) {
        let people = #""user_id":"user-\#(person)","installation_id":"installation-\#(person)","session_id":"s-\#(person)""#
        return (#"{"id":""#, #"","name":"purchase",\#(people),"params":{"value":9.99,"currency":"EUR","transaction_id":""#, #""}}"#)
    }

    private static func params(_ number: Int) -> String {
        #""screen":"Home2","plan":"pro","n":\#(number),"ratio":0.1,"text":"abcdefghijklmnopqrstuvwxyz012345678901234""#
    }
}
