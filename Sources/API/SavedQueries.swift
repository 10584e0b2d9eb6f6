// SPDX-License-Identifier: Apache-2.0

package import Events

/// A query or a cohort that is stored under a name.
package struct SavedQueryResponse: Codable, Sendable {
    /// A parameter: a text, a number, or a list of texts or of funnel steps.
    package typealias Parameters = Embedded<AnyText>

    package var name: String
    /// The name of the query; nil for a cohort.
    package var query: String?
    package var parameters: Parameters
    package var createdAt: Moment
    package var changedAt: Moment

    package init(name: String, query: String?, parameters: Parameters, createdAt: Moment, changedAt: Moment) {
        self.name = name
        self.query = query
        self.parameters = parameters
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}
