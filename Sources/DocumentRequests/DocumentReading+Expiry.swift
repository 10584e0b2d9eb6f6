// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import JSON
package import Platform
import SignalboxDocumentModel

extension DocumentReading {
    package func expiryFields() throws(Refusal) -> [ExpiryField] {
        try allow("fields")
        guard let places = try elements("fields", atMost: ExpiryField.most) else { throw missing("fields") }
        var fields: [ExpiryField] = []
        for (index, place) in places.enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("fields[\(index)]"))
            try reading.allow("collection", "field")
            guard let text = try reading.text("collection"), let group = PathSegment(text) else {
                throw reading.refuse("collection", "must be the ID of a collection")
            }
            guard let text = try reading.text("field"), let path = FieldPath(text), let field = ExpiryField(group, path) else {
                throw reading.refuse("field", "must be the path of a field, such as expires")
            }
            if fields.contains(where: { $0.collection == group }) { throw reading.refuse("collection", "has a field already") }
            fields.append(field)
        }
        return fields
    }
}
