// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The HTTP form of a registration request, and the check of its response.
extension DeviceRegistration.Request {
    var method: String {
        switch self {
        case .remove: "DELETE"
        case .checkIn: "PUT"
        case .register, .change, .acknowledge: "POST"
        }
    }

    var path: String {
        switch self {
        case .register: "v1/devices"
        case .remove(let token), .checkIn(let token, _): "v1/devices/\(token)"
        case .change(let token, _): "v1/devices/\(token)/topics"
        case .acknowledge: "v1/stream/ack"
        }
    }

    var body: [UInt8]? {
        var json = JSONText()
        switch self {
        case .remove: return nil
        case .register(let attributes, let token):
            json.object { json in
                json.field("token", token)
                if token != nil { json.field("kind", "own") }
                DeviceRegistration.Request.write(attributes, to: &json)
            }
        case .checkIn(_, let attributes): json.object { DeviceRegistration.Request.write(attributes, to: &$0) }
        case .change(_, let changes):
            json.object { json in
                json.key("subscribe")
                json.list(changes.filter(\.value).keys.sorted()) { $0.string($1) }
                json.key("unsubscribe")
                json.list(changes.filter { !$0.value }.keys.sorted()) { $0.string($1) }
            }
        case .acknowledge(let token, let cursor):
            json.object { json in
                json.field("token", token)
                json.field("cursor", cursor)
            }
        }
        return json.bytes
    }

    /// Whether the response confirms the request. The body is checked too, because a proxy may answer 200 to anything.
    func isDone(by response: APIClient.Response) -> Bool {
        switch self {
        case .remove, .acknowledge: response.status == 204
        case .register, .checkIn: (200...201).contains(response.status) && Registered(response.body) != nil
        case .change: response.status == 200 && (try? JSONDecoder().decode(Changed.self, from: response.body)) != nil
        }
    }

    private static func write(_ attributes: DeviceRegistration.Attributes, to json: inout JSONText) {
        json.field("installation_id", attributes.installation)
        // An explicit null signs the device out; a missing field would keep the previous user.
        if let user = attributes.user { json.field("user_id", user) } else { json.null("user_id") }
        json.field("platform", attributes.platform)
        json.field("app_version", attributes.appVersion)
        json.object("endpoint") { $0.field("type", "stream") }
    }

    private struct Changed: Decodable {
        var subscribed: Int
        var unsubscribed: Int
    }
}

/// The response to a registration.
struct Registered: Decodable {
    var token: String

    init?(_ body: Data) {
        guard let registered = try? JSONDecoder().decode(Registered.self, from: body), !registered.token.isEmpty else { return nil }
        self = registered
    }
}

extension APIClient.Response {
    /// The error of an unsuccessful response. Only a problem document of the daemon counts as a rejection of the request.
    var error: SignalboxError {
        let problem = Problem(body)
        if status == 429 || status == 503 { return .busy(retryAfter: retryAfter ?? 0) }
        guard let code = problem.code, let detail = problem.detail else {
            return .unexpectedResponse(status: status, detail: SignalboxError.foreignResponse)
        }
        let field = problem.errors?.first?.code
        switch status {
        case 401: return .unauthorized(status: status, detail: detail)
        // Without a field error the key is forbidden; with one, the request is.
        case 403 where field == nil: return .unauthorized(status: status, detail: detail)
        case 400, 403, 404, 409, 413, 422: return .rejected(code: field ?? code, detail: detail)
        default: return .unexpectedResponse(status: status, detail: detail)
        }
    }
}
