// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The app that a query comes from, and the client in it.
package struct QueryCaller: Hashable, Sendable {
    let app: AppID
    /// A hash of the user or the address. Clients with the same one have their turns together.
    let client: Int

    package init(_ app: AppID, client: Int) {
        (self.app, self.client) = (app, client)
    }
}

/// A bounded line of queries that wait for a place.
///
/// Apps have turns, and clients within an app. An app may have as many waiting as are free beside, and a client as many as its app has left, so
/// that none fills the line alone:
///
///     app 1, client a    3 wait    first, fourth and fifth
///     app 1, client b    1 waits   third
///     app 2, client c    1 waits   second
///
/// Queries without a caller have turns as an app with one client, which may fill the line.
struct QueryLine<Query: Sendable>: Sendable {
    private struct OfApp {
        var turns = Turns<Int>()
        var waiting: [Int: [Query]] = [:]
        var count = 0
    }

    let limit: Int
    private(set) var count = 0
    private var turns = Turns<AppID?>()
    private var apps: [AppID?: OfApp] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    func hasRoom(for caller: QueryCaller?) -> Bool {
        let free = limit - count
        guard let caller else { return free > 0 }
        let ofApp = apps[caller.app]
        return ofApp?.waiting[caller.client]?.count ?? 0 < free - (ofApp?.count ?? 0)
    }

    mutating func add(_ query: Query, of caller: QueryCaller?) {
        let client = caller?.client ?? 0
        var ofApp = apps[caller?.app] ?? OfApp()
        if ofApp.count == 0 { turns.add(caller?.app) }
        if ofApp.waiting[client] == nil { ofApp.turns.add(client) }
        ofApp.waiting[client, default: []].append(query)
        ofApp.count += 1
        apps[caller?.app] = ofApp
        count += 1
    }

    mutating func next() -> Query? {
        guard let app = turns.next(where: { apps[$0] != nil }), var ofApp = apps.removeValue(forKey: app) else { return nil }
        guard let client = ofApp.turns.next(where: { ofApp.waiting[$0] != nil }), var ofClient = ofApp.waiting.removeValue(forKey: client) else {
            preconditionFailure("an app in the line must have a client in it")
        }
        let query = ofClient.removeFirst()
        ofApp.waiting[client] = ofClient.isEmpty ? nil : ofClient
        ofApp.count -= 1
        apps[app] = ofApp.count == 0 ? nil : ofApp
        count -= 1
        return query
    }

    /// Takes the first query of a caller that matches, out of its turn.
    mutating func remove(of caller: QueryCaller?, where matches: (Query) -> Bool) -> Query? {
        let (app, client) = (caller?.app, caller?.client ?? 0)
        guard var ofApp = apps[app], var ofClient = ofApp.waiting[client], let index = ofClient.firstIndex(where: matches) else { return nil }
        let query = ofClient.remove(at: index)
        ofApp.waiting[client] = ofClient.isEmpty ? nil : ofClient
        if ofClient.isEmpty { ofApp.turns.remove(client) }
        ofApp.count -= 1
        if ofApp.count == 0 { turns.remove(app) }
        apps[app] = ofApp.count == 0 ? nil : ofApp
        count -= 1
        return query
    }

    /// Takes all queries, in their order.
    mutating func takeAll() -> [Query] {
        var all: [Query] = []
        while let query = next() { all.append(query) }
        return all
    }
}

/// The keys of those who wait, in the order of their turns. The one whose turn was last comes after those who have begun to wait since.
private struct Turns<Key: Equatable & Sendable> {
    private var keys: [Key] = []
    private var last: Key?

    /// Adds a key that has not been waiting.
    mutating func add(_ key: Key) { if key != last { keys.append(key) } }

    /// Removes a key that does not wait any more.
    mutating func remove(_ key: Key) { keys.removeAll { $0 == key } }

    /// Returns the key whose turn it is.
    ///
    /// - Parameter isWaiting: Whether the key whose turn was last waits again, or still.
    mutating func next(where isWaiting: (Key) -> Bool) -> Key? {
        if let last, isWaiting(last) { keys.append(last) }
        guard !keys.isEmpty else { return nil }
        last = keys.removeFirst()
        return last
    }
}
