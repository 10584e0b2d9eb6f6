// SPDX-License-Identifier: Apache-2.0

/// The figures of a bucket and the bucket's start, in one JSON object.
package struct DatedFigures<Figures: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    package var t: Moment
    package var figures: Figures

    package init(t: Moment, figures: Figures) {
        (self.t, self.figures) = (t, figures)
    }

    private enum CodingKeys: CodingKey { case t }

    package init(from decoder: any Decoder) throws {
        t = try decoder.container(keyedBy: CodingKeys.self).decode(Moment.self, forKey: .t)
        figures = try Figures(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(t, forKey: .t)
        try figures.encode(to: encoder)
    }
}
