// SPDX-License-Identifier: Apache-2.0

import Crypto
import Delivery
import FunctionStore
import Functions
import HTTPClient
import HTTPServer
import JSON
import Platform

/// A call that was accepted, as the function's target will see it.
struct CallDraft: Sendable {
    /// The user of an ID token.
    struct User: Sendable {
        var uid: String
        /// All claims of the token, as JSON.
        var claims: [UInt8]
        /// The `Authorization` field, for functions that check tokens themselves.
        var authorization: String
    }

    /// The ID of the request to the target.
    let id = "call_" + randomToken(prefix: "", bits: 128)
    let function: StoredFunction
    let appName: String
    let user: User?
    /// The field `Firebase-Instance-ID-Token`.
    let instanceToken: String?
    /// The number of functions in the chain, this one included.
    let depth: Int
    let wantsEvents: Bool
    let data: ArraySlice<UInt8>
    /// The request's part of the request memory; the response takes from it too.
    let memory: MemoryHold?

    /// The field that says how deep in a chain a request is. Functions pass it on with calls of their own.
    static let depthField = "Signalbox-Depth"
    static let tokenField = "Signalbox-Token"
}

/// Writes the request for the HTTP address or the worker of a function.
///
///     signalbox   {"type":"call","id":"call_…","data":…,"context":{"app":"shop","function":"f","auth":{"uid":"u","claims":{…}},"attempt":1,"depth":1}}
///     firebase    {"data":…}, with the caller's own ID token
///
/// Both are signed as Standard Webhooks. A worker gets the first form with its deadline, and no signature.
enum CallWriter {
    static func request(_ number: Int64, _ draft: CallDraft, token: String?, at now: Timestamp, timeout: Duration) throws -> CourierRequest {
        switch draft.function.definition.target {
        case .address(let url, let format):
            return try request(number, draft, to: url, format, token: token, at: now, timeout: timeout)
        case .worker:
            let call = WorkerCall(
                function: draft.function.id, id: draft.id, token: token, wantsEvents: draft.wantsEvents, user: draft.user?.uid)
            return CourierRequest(id: number, call, nativeBody(draft), timeout: timeout)
        case .topic: throw CallError(.unimplemented, "The function cannot be called.")
        }
    }

    private static func request(
        _ number: Int64, _ draft: CallDraft, to url: String, _ format: FunctionDefinition.AddressFormat, token: String?, at now: Timestamp,
        timeout: Duration
    ) throws -> CourierRequest {
        let body = format == .firebase ? firebaseBody(draft) : nativeBody(draft)
        var fields = StandardWebhooks.fields(id: draft.id, at: now, body: body, keys: [draft.function.key])
        fields += [("Content-Type", "application/json"), ("User-Agent", "Signalbox/\(Version.current)")]
        fields += [("Accept", draft.wantsEvents ? "text/event-stream" : "application/json"), (CallDraft.depthField, String(draft.depth))]
        if let token { fields.append((CallDraft.tokenField, token)) }
        if format == .firebase {
            if let user = draft.user { fields.append(("Authorization", user.authorization)) }
            if let instance = draft.instanceToken { fields.append(("Firebase-Instance-ID-Token", instance)) }
        }
        return CourierRequest(id: number, url: url, .post(body), fields: try fields.map { try HTTPField($0.name, $0.value) }, timeout: timeout)
    }

    private static func firebaseBody(_ draft: CallDraft) -> [UInt8] {
        var json = JSONWriter(reserving: draft.data.count + 16)
        json.beginObject()
        json.key("data")
        json.raw(draft.data)
        json.endObject()
        return json.bytes
    }

    private static func nativeBody(_ draft: CallDraft) -> [UInt8] {
        var json = JSONWriter(reserving: draft.data.count + 1_024)
        json.beginObject()
        json.field("type", "call")
        json.field("id", draft.id)
        json.key("data")
        json.raw(draft.data)
        json.key("context")
        context(draft, in: &json)
        json.endObject()
        return json.bytes
    }

    private static func context(_ draft: CallDraft, in json: inout JSONWriter) {
        json.beginObject()
        json.field("app", draft.appName)
        json.field("function", draft.function.name)
        if let user = draft.user {
            json.key("auth")
            json.beginObject()
            json.field("uid", user.uid)
            json.key("claims")
            json.raw(user.claims[...])
            json.endObject()
        }
        json.field("attempt", 1)
        json.field("depth", draft.depth)
        json.endObject()
    }
}
