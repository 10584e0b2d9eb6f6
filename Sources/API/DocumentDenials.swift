// SPDX-License-Identifier: Apache-2.0

package import Events

/// The requests that an `allow` statement allowed.
package struct RuleStatementDecisions: Codable, Sendable {
    package var line: Int
    package var column: Int
    package var allowed: Int

    package init(line: Int, column: Int, allowed: Int) {
        (self.line, self.column, self.allowed) = (line, column, allowed)
    }
}

/// The decisions of an app's newest rules since the daemon started.
package struct DocumentDenialsResponse: Codable, Sendable {
    /// All collections with an ID.
    package struct Collection: Codable, Sendable {
        package var collection: String
        package var allowed: Int
        package var denied: Int

        package init(collection: String, allowed: Int, denied: Int) {
            (self.collection, self.allowed, self.denied) = (collection, allowed, denied)
        }
    }

    /// Denied requests of one kind, without IDs and values.
    package struct Denial: Codable, Sendable {
        package var method: String
        package var collection: String
        /// The place of the statement that was looked at last; none if no statement is about the path.
        package var line: Int?
        package var column: Int?
        /// Whether a statement could not be evaluated.
        package var failed: Bool
        /// The limit of rules that the requests exceeded; none for other denials.
        package var limit: String?
        package var signedIn: Bool
        package var count: Int
        package var first: Moment
        package var last: Moment

        package init(
            method: String, collection: String, line: Int?, column: Int?, failed: Bool, limit: String?, signedIn: Bool, count: Int, first: Moment,
            last: Moment
        ) {
            (self.method, self.collection, self.line, self.column) = (method, collection, line, column)
            (self.failed, self.limit) = (failed, limit)
            (self.signedIn, self.count, self.first, self.last) = (signedIn, count, first, last)
        }
    }

    /// Nil without rules.
    package var revision: Int?
    package var since: Moment?
    /// In the order of the file.
    package var statements: [RuleStatementDecisions]
    /// Those with most decisions first.
    package var collections: [Collection]
    /// The newest first.
    package var items: [Denial]

    package init(revision: Int?, since: Moment?, statements: [RuleStatementDecisions], collections: [Collection], items: [Denial]) {
        (self.revision, self.since, self.statements) = (revision, since, statements)
        (self.collections, self.items) = (collections, items)
    }
}
