// SPDX-License-Identifier: Apache-2.0

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about documents at `SampleResponses.now`, some with hostile texts.
enum SampleDocuments {
    static func all() -> [String: String] {
        SampleResponses.all().merging(["document_statistics": statistics, "document_listeners": listeners, "document_denials": denials]) { $1 }
    }

    static var empty: [String: String] {
        all().merging([
            "document_statistics": noStatistics,
            "document_listeners": #"{"streams": 0, "targets": 0, "listeners": 0, "shapes": []}"#,
            "document_denials": #"{"statements": [], "collections": [], "items": []}"#,
        ]) { $1 }
    }

    private static let statistics = #"""
        {"documents": 1312044, "bytes": 967120331, "index_bytes": 81204220, "person_patterns": 2,
         "growth": [{"days": 1, "documents": 8412, "bytes": 6291456}, {"days": 7, "documents": 61044, "bytes": 47120331},
                    {"days": 30, "documents": 240331, "bytes": 181204220}],
         "days": [{"day": "2026-11-08", "documents": 1190000, "bytes": 880000000}, {"day": "2026-11-09", "documents": 1200000, "bytes": 890000000},
                  {"day": "2026-11-15", "documents": 1251000, "bytes": 920000000}, {"day": "2026-11-18", "documents": 1290000, "bytes": 950000000},
                  {"day": "2026-11-20", "documents": 1303632, "bytes": 960828875}],
         "collections": [
          {"collection": "orders", "collections": 18204, "documents": 1209331, "bytes": 904120331, "growth": [
            {"days": 1, "documents": 8401, "bytes": 6291000}, {"days": 7, "documents": 60012, "bytes": 46120331},
            {"days": 30, "documents": 238000, "bytes": 180104220}]},
          {"collection": "users", "collections": 1, "documents": 60312, "bytes": 48120001, "growth": [
            {"days": 1, "documents": 11, "bytes": 456}, {"days": 7, "documents": 1032, "bytes": 1000000},
            {"days": 30, "documents": 2331, "bytes": 1100000}]},
          {"collection": "reviews", "collections": 5102, "documents": 40233, "bytes": 14879000, "growth": [
            {"days": 1, "documents": 0, "bytes": 0}, {"days": 7, "documents": -204, "bytes": -91204}]},
          {"collection": "a-collection-with-a-very-long-name-that-somebody-made", "collections": 1, "documents": 2167, "bytes": 999, "growth": []},
          {"collection": "evil\u202e\u001b[31m", "collections": 1, "documents": 1, "bytes": 12, "growth": [{"days": 1, "documents": 1, "bytes": 12}]}],
         "indexes": [
          {"collection": "orders", "group": true, "fields": ["state", "at desc"], "origin": "declared", "progress": 1, "entries": 1209331,
           "bytes": 61204220, "last_used_at": "2026-11-21T11:00:00Z"},
          {"collection": "orders", "group": false, "fields": ["tags contains"], "origin": "learned", "progress": 0.42, "entries": 20991, "bytes": 1200331,
           "reason": "18204 documents examined for 3: users/*/orders where tags contains limit", "last_used_at": "2026-11-21T11:00:00Z"},
          {"collection": "sessions", "group": true, "fields": ["expires"], "origin": "ttl", "progress": 1, "entries": 120, "bytes": 9120}],
         "queries": [
          {"shape": "users/*/orders where tags contains limit", "queries": 912, "examined": 16602048, "results": 2736, "slowest_milliseconds": 412,
           "uses_index": false},
          {"shape": "orders where state == and at > order at desc limit", "queries": 12, "examined": 61200, "results": 60021, "slowest_milliseconds": 95,
           "uses_index": true}]}
        """#

    /// Rules that decided nothing yet.
    static var quiet: [String: String] { all().merging(["document_denials": noDecisions]) { $1 } }

    private static let noStatistics =
        #"{"documents": 0, "bytes": 0, "index_bytes": 0, "person_patterns": 0, "growth": [], "days": [], "collections": [], "indexes": [], "queries": []}"#
    private static let noDecisions =
        #"{"revision": 1, "since": "2026-11-21T10:00:00Z", "statements": [{"line": 4, "column": 7, "allowed": 0}], "collections": [], "items": []}"#

    private static let denials = #"""
        {"revision": 3, "since": "2026-11-21T10:00:00Z",
         "statements": [{"line": 5, "column": 7, "allowed": 120411}, {"line": 8, "column": 7, "allowed": 902}, {"line": 9, "column": 7, "allowed": 0},
                        {"line": 14, "column": 7, "allowed": 77}, {"line": 128, "column": 11, "allowed": 0}],
         "collections": [{"collection": "orders", "allowed": 120411, "denied": 17}, {"collection": "reviews", "allowed": 979, "denied": 0},
                         {"collection": "evil\u202e\u001b[31m", "allowed": 0, "denied": 3}, {"collection": "", "allowed": 0, "denied": 1}],
         "items": [
          {"method": "list", "collection": "users/*/orders", "line": 5, "column": 7, "failed": false, "signed_in": true, "count": 12,
           "first": "2026-11-21T10:30:00Z", "last": "2026-11-21T11:27:58Z"},
          {"method": "update", "collection": "users/*/orders", "line": 9, "column": 7, "failed": true, "signed_in": true, "count": 5,
           "first": "2026-11-21T10:30:00Z", "last": "2026-11-21T11:20:00Z"},
          {"method": "get", "collection": "evil\u202e\u001b[31m", "failed": false, "signed_in": false, "count": 3,
           "first": "2026-11-21T10:30:00Z", "last": "2026-11-21T11:10:00Z"},
          {"method": "list", "collection": "**", "failed": false, "signed_in": false, "count": 1,
           "first": "2026-11-21T11:00:00Z", "last": "2026-11-21T11:00:00Z"}]}
        """#

    private static let listeners = #"""
        {"streams": 1204, "targets": 812, "listeners": 3610, "shapes": [
          {"shape": "users/*", "targets": 800, "listeners": 1204}, {"shape": "messages where room == order sent desc limit", "targets": 12, "listeners": 2406}]}
        """#
}
