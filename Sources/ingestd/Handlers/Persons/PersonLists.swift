// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import EventStore
import Events
import HTTPServer
import Platform

/// The list of the persons that an app knows.
struct PersonLists: Sendable {
    let store: Stores

    static let routes = [Route(.get, "/v1/users", .role(.read), .task(\.personLists, PersonLists.list))]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "by", "search", "installation", "filter", "limit", "after")
        let app = try call.app(in: store)
        if let installation = try PersonLists.text("installation", query) {
            return try .json(Page(items: try await users(of: installation, query, app.id)))
        }
        let page = try await store.events.persons(try PersonLists.selection(query), of: app.id)
        return try .json(Page(items: page.items.map { ProfileResponse($0.profile, listing: $0.id) }, next: page.next?.text))
    }

    private static func selection(_ query: QueryString) throws(Refusal) -> PersonSelection {
        var selection = PersonSelection(
            try query.choice("by", default: PersonID.Kind.user), limit: try query.number("limit", 1...1_000, default: 100))
        selection.prefix = try text("search", query)
        selection.filters = try Filter.all(query.all("filter", atMost: Filter.limit), parameter: "filter")
        for filter in selection.filters {
            guard case .user = filter.path else {
                throw .field("filter", "bad_field", "must be a condition on a user property, such as user.tier=free")
            }
        }
        selection.after = try place(query, isByID: selection.prefix != nil)
        return selection
    }

    private static func place(_ query: QueryString, isByID: Bool) throws(Refusal) -> PersonSelection.Place? {
        guard let text = try query.one("after") else { return nil }
        switch PersonSelection.Place(text) {
        case .id(let id)? where isByID: return .id(id)
        case .seen(let seen, let key)? where !isByID: return .seen(seen, key: key)
        default: throw .field("after", "bad_cursor", "must be the next cursor of an earlier page of the same list")
        }
    }

    private static func text(_ name: String, _ query: QueryString) throws(Refusal) -> String? {
        guard let text = try query.one(name) else { return nil }
        guard (1...1_000).contains(text.utf8.count) else { throw .field(name, "bad_text", "must have 1 to 1000 bytes") }
        return text
    }

    /// Returns the users that an installation was seen with; the installation itself if there are none.
    private func users(of installation: String, _ query: QueryString, _ app: AppID) async throws -> [ProfileResponse] {
        let limit = try query.number("limit", 1...1_000, default: 100)
        for name in ["by", "search", "filter", "after"] where query.values.contains(where: { $0.name == name }) {
            throw Refusal.field(name, "not_with_installation", "cannot be combined with installation")
        }
        let id = PersonID(.installation, installation)
        guard let (profile, _) = try await store.person(id, of: app) else { return [] }
        let users = profile.partners.compactMap(\.id)
        if users.isEmpty { return [ProfileResponse(profile, listing: id)] }
        return try await store.events.users(users, of: app).prefix(limit).map { ProfileResponse($0.profile, listing: $0.id) }
    }
}

extension ProfileResponse {
    /// A person of a list, without partners.
    fileprivate init(_ profile: PersonProfile, listing id: PersonID) {
        self.init(profile, of: id)
        (installations, users) = (nil, nil)
    }
}
