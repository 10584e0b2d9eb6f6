// SPDX-License-Identifier: Apache-2.0

/// A value of a document's field.
///
/// Two values are equal here if they are stored alike. Whether a query takes them for equal is decided by `order`: `1` and `1.0` are.
package enum DocumentValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case time(DocumentTime)
    case text(ExactName)
    case bytes([UInt8])
    case reference(DocumentReference)
    case place(GeoPoint)
    case array([DocumentValue])
    case vector([Double])
    case map(DocumentFields)
}

/// A time in microseconds since 1970, between the years 1 and 9999. Finer parts are cut.
package struct DocumentTime: Hashable, Comparable, Sendable {
    package static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    package static let epoch = DocumentTime(validated: 0)

    package let microseconds: Int64

    private init(validated microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Returns nil outside of the years 1 to 9999.
    package init?(microseconds: Int64) {
        guard DocumentTime.range.contains(microseconds) else { return nil }
        self.microseconds = microseconds
    }

    package static func < (a: DocumentTime, b: DocumentTime) -> Bool { a.microseconds < b.microseconds }
}

/// A place on the earth, in degrees.
package struct GeoPoint: Hashable, Sendable {
    package let latitude: Double
    package let longitude: Double

    /// Returns nil if a coordinate is not a number or out of range.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

/// The name of another document: its path, and its database if that is not the app's own.
package struct DocumentReference: Hashable, Sendable {
    /// `projects/p/databases/d`, empty for documents of the same app.
    package let database: ExactName
    package let path: DocumentPath

    package init(_ path: DocumentPath, database: ExactName = "") {
        (self.path, self.database) = (path, database)
    }
}
