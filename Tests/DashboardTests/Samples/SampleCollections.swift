// SPDX-License-Identifier: Apache-2.0

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses to a key that may read documents, some with hostile texts.
enum SampleCollections {
    static func all() -> [String: String] {
        SampleDocuments.all().merging([
            "app": SampleResponses.app.replacing(#""role": "read""#, with: #""role": "admin""#), "documents": users,
            "documents_2": #"{"items": [\#(user("zoe"))]}"#, "group_documents": orders, "document": ann,
            "collections": #"{"items": ["carts", "orders"]}"#,
        ]) { $1 }
    }

    private static func user(_ id: String, _ fields: String = "") -> String {
        #"{"path": "users/\#(id)", "fields": {\#(fields)}, "version": 1795260480000001, "created": 1795200000000000}"#
    }

    private static let users = #"""
        {"items": [\#(user("ann", #""address": {"city": "Bonn"}, "name": "Ann", "tags": ["a", "b"], "visits": 3"#)),
                   \#(user(#"evil\u202e\u001b[31m"#, #""name": "a\nb\u0007\u202e""#)), \#(user("empty"))],
         "next": "empty"}
        """#

    private static let orders = #"""
        {"stamp": 1795260480000001, "documents": [
          {"path": "users/ann/orders/7", "fields": {"state": "paid"}, "version": 1795260480000001, "created": 1795200000000000}]}
        """#

    /// A value of each type.
    static let ann = #"""
        {"path": "users/ann", "version": 1795260480000001, "created": 1795200000000000, "fields": {
          "$$price": 9.5, "a.b": "dotted", "active": true, "address": {"city": "Bonn", "geo": {"$geo": [50.7, 7.1]}},
          "note": "line 1\nline 2\u0007\u202e\u001b[31m", "nothing": null, "photo": {"$bytes": "AAE="}, "rate": {"$double": "NaN"},
          "since": {"$time": "2026-11-23T10:00:00.000001Z"}, "tags": ["a", {"n": 1}], "team": {"$ref": "teams/t1"},
          "vector": {"$vector": [0.5, 1, 2, 3, 4]}, "visits": 3, "whole": 2.0}}
        """#
}
