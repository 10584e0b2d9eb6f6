// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The HTTP form of requests for files, each sent as the signed-in user or with the key.
struct FileRequests: Sendable {
    let client: APIClient
    let apps: AppRequests
    let address: URL
    /// The user as whom the requests of a transfer are sent.
    var owner = AppRequests.Owner.anybody

    /// Returns requests of the user who is signed in now, for a transfer that needs several.
    func ofCurrentUser() async throws(FilesError) -> FileRequests {
        var requests = self
        requests.owner = .one(try await target().user)
        return requests
    }

    /// Sends a request. A rejected ID token is refreshed once.
    func send(_ make: (AppRequests.Target) throws(FilesError) -> URLRequest) async throws(FilesError) -> APIClient.Response {
        let target = try await target()
        let response = try await perform(try make(target))
        guard target.token != nil, response.rejectsToken else { return response }
        return try await perform(try make(try await self.target(insteadOf: target.token)))
    }

    func target(insteadOf rejected: String? = nil) async throws(FilesError) -> AppRequests.Target {
        do {
            return try await apps.target(of: owner, insteadOf: rejected)
        } catch {
            throw FilesError(error)
        }
    }

    func perform(_ request: URLRequest) async throws(FilesError) -> APIClient.Response {
        do {
            return try await client.perform(request)
        } catch {
            throw Task.isCancelled ? .cancelled : .signalbox(error)
        }
    }

    // MARK: Files

    /// Returns a request for a file.
    func request(_ method: String, _ path: String, _ target: AppRequests.Target, query: [URLQueryItem] = []) throws(FilesError) -> URLRequest {
        guard FileRequests.isValid(path) else { throw .badPath }
        return client.request(method, "v1/files/\(target.app)/\(path)", query: query, token: target.token)
    }

    func metadata(_ path: String) async throws(FilesError) -> FileMetadata {
        let response = try await send { (target) throws(FilesError) in
            try request("GET", path, target, query: [URLQueryItem(name: "info", value: "1")])
        }
        guard response.status == 200, let file = response.decoded(FileMetadata.self) else { throw FilesError(response) }
        return file
    }

    func delete(_ path: String) async throws(FilesError) {
        let response = try await send { (target) throws(FilesError) in try request("DELETE", path, target) }
        guard response.status == 204 else { throw FilesError(response) }
    }

    func link(_ path: String, expiresIn seconds: TimeInterval) async throws(FilesError) -> URL {
        struct Link: Decodable { var url: String }
        var json = JSONText()
        json.object { $0.field("expires_in", Int64(max(1, min(LiveFiles.longestLinkSeconds, seconds)))) }
        let response = try await send { (target) throws(FilesError) in
            var request = try request("POST", path, target, query: [URLQueryItem(name: "link", value: "")])
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(json.bytes)
            return request
        }
        guard (200...201).contains(response.status), let link = response.decoded(Link.self), let url = url(link.url) else {
            throw FilesError(response)
        }
        return url
    }

    func list(_ folder: String, limit: Int, after page: String?) async throws(FilesError) -> FileList {
        var query = [URLQueryItem(name: "delimiter", value: "/"), URLQueryItem(name: "limit", value: String(limit))]
        if !folder.isEmpty { query.append(URLQueryItem(name: "prefix", value: folder)) }
        if let page { query.append(URLQueryItem(name: "after", value: page)) }
        let response = try await send { client.request("GET", "v1/files/\($0.app)", query: query, token: $0.token) }
        guard response.status == 200, let list = response.decoded(FileList.self) else { throw FilesError(response) }
        return list
    }

    /// Returns the absolute form of a URL of a response, which may be below the daemon's address.
    func url(_ text: String) -> URL? {
        guard text.hasPrefix("/") else { return URL(string: text) }
        let base = address.absoluteString
        return URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + text)
    }

    /// Returns the URL of a response if it is at the daemon's address. Requests to it carry the token, which no other host may get.
    func ownURL(_ text: String) -> URL? { url(text).flatMap { isOwn($0) ? $0 : nil } }

    func isOwn(_ url: URL) -> Bool {
        url.scheme?.lowercased() == address.scheme?.lowercased() && url.host?.lowercased() == address.host?.lowercased() && url.port == address.port
    }

    /// Checked here too, because a URL with an empty segment or `..` may reach the daemon as another path.
    static func isValid(_ path: String) -> Bool {
        (1...1_024).contains(path.utf8.count) && !path.utf8.contains { $0 < 0x20 || $0 == 0x7f }
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
    }
}

extension APIClient.Response {
    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? JSONDecoder.accounts.decode(type, from: body)
    }
}
