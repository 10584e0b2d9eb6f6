// SPDX-License-Identifier: Apache-2.0

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about files and functions at `SampleResponses.now`, some with hostile texts.
enum SampleFiles {
    static func all() -> [String: String] {
        SampleResponses.all().merging(["file_usage": usage, "file_folders": folders, "file_denials": denials]) { $1 }
    }

    static var empty: [String: String] {
        all().merging([
            "file_usage": #"""
            {"bytes": 0, "files": 0, "open_uploads": 0, "reserved_bytes": 0, "most_bytes": 107374182400, "items": [], "traffic": \#(quiet)}
            """#,
            "file_folders": #"{"prefix": "", "bytes": 0, "files": 0, "items": [], "complete": true, "at": "2026-11-21T11:28:00Z"}"#,
            "file_denials": #"{"statements": [], "items": []}"#,
        ]) { $1 }
    }

    /// Files without rules, users and open uploads.
    static var bare: [String: String] {
        all().merging([
            "file_usage": #"""
            {"bytes": 12, "files": 1, "open_uploads": 0, "reserved_bytes": 0, "most_bytes": 107374182400, "items": [], "traffic": \#(quiet)}
            """#,
            "file_folders": #"{"prefix": "", "bytes": 12, "files": 1, "items": [], "complete": false, "at": "2026-11-21T11:28:00Z"}"#,
            "file_denials": #"{"statements": [], "items": []}"#,
        ]) { $1 }
    }

    private static func minutes(_ value: (Int) -> Int) -> String { "[\((0..<60).map { "\(value($0))" }.joined(separator: ","))]" }

    private static let quiet =
        #"{"uploads": \#(minutes { _ in 0 }), "uploaded_bytes": \#(minutes { _ in 0 }), "downloads": \#(minutes { _ in 0 }), "downloaded_bytes": \#(minutes { _ in 0 })}"#

    private static let usage = #"""
        {"bytes": 48318382080, "files": 120441, "open_uploads": 3, "reserved_bytes": 41943040, "most_bytes": 107374182400,
         "traffic": {"uploads": \#(minutes { $0 % 7 }), "uploaded_bytes": \#(minutes { $0 % 7 * 1_048_576 }), "downloads": \#(minutes { 20 + $0 * 3 % 40 }),
           "downloaded_bytes": \#(minutes { (20 + $0 * 3 % 40) * 262_144 })},
         "items": [{"uid": "kd93u5c1pz7w", "bytes": 4831838208, "files": 1204, "open_uploads": 2, "reserved_bytes": 20971520},
           {"uid": "evil\u202e\u001b[31m", "bytes": 99120331, "files": 12, "open_uploads": 0, "reserved_bytes": 0},
           {"uid": "a-user-whose-identifier-is-as-long-as-one-hundred-and-twenty-eight-bytes-may-be", "bytes": 120, "files": 1, "open_uploads": 0,
            "reserved_bytes": 0}]}
        """#

    private static let folders = #"""
        {"prefix": "", "bytes": 1048576, "files": 4, "complete": true, "at": "2026-11-21T11:28:00Z",
         "items": [{"path": "users/", "bytes": 40802189312, "files": 118002}, {"path": "products/", "bytes": 7515144192, "files": 2431},
           {"path": "evil\u202e\u001b[31m/", "bytes": 1024, "files": 1}, {"path": "日本語の非常に長いフォルダーの名前/", "bytes": 12, "files": 3}]}
        """#

    private static let denials = #"""
        {"revision": 2, "since": "2026-11-21T10:00:00Z",
         "statements": [{"line": 5, "column": 7, "allowed": 20411}, {"line": 8, "column": 7, "allowed": 0}],
         "items": [{"method": "create", "line": 5, "column": 7, "failed": false, "signed_in": true, "count": 12,
            "first": "2026-11-21T10:30:00Z", "last": "2026-11-21T11:27:58Z"},
           {"method": "get", "failed": false, "signed_in": false, "count": 3, "first": "2026-11-21T10:30:00Z", "last": "2026-11-21T11:20:00Z"}]}
        """#
}
