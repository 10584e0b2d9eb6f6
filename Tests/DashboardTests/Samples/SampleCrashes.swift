// SPDX-License-Identifier: Apache-2.0

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about crashes at `SampleResponses.now`, some with hostile texts.
enum SampleCrashes {
    static let id = "iss_7Qk2VxJ2LkPz"
    static let shop = "c0bcc3f1-9827-fe65-3058-404b2831d9e6"

    static func all(role: String = "admin") -> [String: String] {
        SampleResponses.all().merging([
            "app": #"{"app": 1, "name": "shop", "created_at": "2026-10-30T06:00:00Z", "role": "\#(role)", "settings": {"tz": "Europe/Berlin"}}"#,
            "issues": issues, "issue": issue, "issue_events": crashes, "crash": crash, "missing_symbols": missing,
        ]) { $1 }
    }

    static var empty: [String: String] {
        let nothing = #"{"items": []}"#
        return all().merging(["issues": nothing, "issue_events": nothing, "missing_symbols": nothing, "issue": bareIssue, "crash": bareCrash]) { $1 }
    }

    // MARK: Issues

    private static func fields(
        _ id: String, _ title: String, culprit: String?, kind: String = "fatal", state: String = "open", signals: String = "", count: Int,
        users: Int, last: String, more: String = ""
    ) -> String {
        """
        "id": "\(id)", "title": "\(title)", \(culprit.map { #""culprit": "\#($0)", "# } ?? "")"kind": "\(kind)", "state": "\(state)",
        "signals": [\(signals)], "count": \(count), "users": \(users), "first_seen": "2026-11-02T09:00:00Z", "last_seen": "\(last)",
        "first_release": "2.0.0", "last_release": "2.1.0", "grouped_by": "top frame in the app: Cart.checkout", "notes_count": 2\(more)
        """
    }

    private static func first(_ state: String = "open", more: String = "") -> String {
        fields(
            id, "EXC_BAD_ACCESS: Attempted to dereference a null pointer at address 0x10", culprit: "Cart.checkout(with:coupons:)", state: state,
            signals: #""fresh", "regressed""#, count: 120_481, users: 3_311, last: "2026-11-21T11:27:58Z", more: more)
    }

    private static let others = [
        fields(
            "iss_2", "NSInvalidArgumentException: \\u001b[2J-[NSNull length]: unrecognized selector",
            culprit: "std::__1::basic_string<char, std::__1::char_traits<char>>::append_everything(char const*, unsigned long)", signals: #""early""#,
            count: 951, users: 900, last: "2026-11-21T08:33:29Z"),
        fields(
            "iss_3", "App hang: main thread did not answer for 2,000 ms", culprit: nil, kind: "anr", signals: #""repetitive", "early""#, count: 88,
            users: 4, last: "2026-11-20T19:02:11Z"),
        fields(
            "iss_4", "日本語 ConnectionError", culprit: "fetch", kind: "nonfatal", state: "muted", count: 40_110, users: 1,
            last: "2026-11-19T16:30:00Z", more: #", "muted_until": "2026-12-01T00:00:00Z", "muted_count": 100, "muted_within": 3600"#),
        fields(
            "iss_5", "ZeroDivisionError: division by zero", culprit: "Report.mean", kind: "nonfatal", state: "closed", count: 3, users: 2,
            last: "2026-11-01T16:30:00Z", more: #", "closed_in": "2.1.1""#),
    ]

    private static let issues = #"{"items": [\#(([first()] + others).map { "{\($0)}" }.joined(separator: ","))], "next": "5"}"#

    static var mutedIssues: String { #"{"items": [{\#(others[2])}]}"# }

    private static let series = (0..<30).map { day in
        #"{"t": "\#(day < 9 ? "2026-10-\(23 + day)" : "2026-11-\(day < 18 ? "0" : "")\(day - 8)")T00:00:00Z", "value": \#(day < 10 ? 0 : day * day * 11 % 97)}"#
    }.joined(separator: ",")

    private static func shares(_ values: KeyValuePairs<String, Int>) -> String {
        values.map { #"{"value": "\#($0.key)", "count": \#($0.value)}"# }.joined(separator: ",")
    }

    private static let issue: String = {
        let whole = """
            , "series": [\(series)], "releases": [\(shares(["2.1.0": 100_000, "2.0.9": 20_400, "2.0.0-beta.1+5711 of a very long name": 81]))],
            "os_versions": [\(shares(["18.1": 90_000, "17.5.1": 30_400])), {"count": 81}],
            "devices": [\(shares(["iPhone17,1": 60_000, "iPhone16,2": 40_000, "iPad14,1": 20_000, "\\u0007bell": 481]))],
            "variants": [{"id": "17", "title": "EXC_BAD_ACCESS", "culprit": "Cart.checkout(with:coupons:)", "grouped_by": "top frame in the app: Cart.checkout",
              "count": 120000, "first_seen": "2026-11-02T09:00:00Z", "last_seen": "2026-11-21T11:27:58Z"},
             {"id": "208", "title": "SIG\\u001b[2JSEGV", "grouped_by": "fingerprint", "count": 481, "first_seen": "2026-11-02T09:00:00Z",
              "last_seen": "2026-11-18T11:27:58Z"}],
            "notes": [{"at": "2026-11-20T10:00:00Z", "text": "Who looks at it?"},
             {"at": "2026-11-21T10:00:00Z", "author": "ann", "text": "Seen on the beta as well.\\u001b[31m It begins with the coupon of the autumn, \
            and only where the cart is empty; the fix is under way and comes with 2.1.1."}],
            "history": [{"at": "2026-11-21T11:00:00Z", "what": "regressed", "detail": "2.1.0"},
             {"at": "2026-11-10T11:00:00Z", "what": "closed", "detail": "2.0.9"},
             {"at": "2026-11-02T09:00:00Z", "what": "appeared", "detail": "2.0.0"}],
            "former_ids": ["iss_old", "iss_6", "iss_7", "iss_8"], "assignee": "Ann \\u001b[2JExample"
            """
        return "{\(first(more: whole))}"
    }()

    /// An issue with the required fields only.
    private static let bareIssue = """
        {"id": "\(id)", "title": "Oops", "kind": "nonfatal", "state": "closed", "signals": [], "count": 1, "users": 0, "first_seen": "2026-11-02T09:00:00Z",
         "last_seen": "2026-11-02T09:00:00Z", "grouped_by": "message", "notes_count": 0, "series": [], "releases": [], "os_versions": [], "devices": [],
         "variants": [], "notes": [], "history": []}
        """

    // MARK: Crashes

    private static func crash(_ crash: String, _ time: String, symbols: String = "complete", kept: Bool = true, more: String = "") -> String {
        """
        {"id": "\(crash)", "kind": "fatal", "timestamp": "\(time)", "received_at": "2026-11-21T11:28:01Z", "release": "2.1.0", "platform": "ios",
         "os_version": "18.1", "device_model": "iPhone17,1", "issue": "\(id)",
         "variant": "17", "late": \(!kept), "kept": \(kept), "symbols": "\(symbols)"\(more)}
        """
    }

    private static let crashes = """
        {"items": [\(crash("0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d", "2026-11-21T11:27:58Z", symbols: "missing", more: files)),
          \(crash("0190a5d4-0000-7c3e-9d2b-000000000002", "2026-11-21T11:20:00Z", kept: false)),
          \(crash("0190a5d4-0000-7c3e-9d2b-000000000003", "2026-11-20T11:20:00Z", symbols: "waiting"))]}
        """

    private static let files = """
        , "attachments": [{"id": "17", "name": "shop.log", "type": "event.attachment", "content_type": "text/plain", "size": 4711, "kept": true},
          {"id": "18", "name": "\\u001b[2Jview.json", "type": "event.view_hierarchy", "size": 90000000, "kept": false, "reason": "too_large"}]
        """

    private static let bareCrash = """
        {"id": "x", "issue": "\(id)", "kind": "nonfatal", "timestamp": "2026-11-21T11:27:58Z", "received_at": "2026-11-21T11:28:01Z", "variant": "1", "late": false, "kept": true,
         "symbols": "complete", "report": {"id": "x", "timestamp": "2026-11-21T11:27:58Z", "type": "Oops"}}
        """

    private static let variables = (10..<40).map { #""v\#($0)": "\#($0)""# }.joined(separator: ", ")

    /// Oldest first, as reports list them; an inlined function follows the one that contains it.
    private static let frames = """
        [{"function": "start", "package": "/usr/lib/dyld", "instruction_addr": "0x1a0001000", "image_addr": "0x1a0000000"},
         {"function": "main", "filename": "main.swift", "lineno": 3, "in_app": true, "package": "/var/containers/Bundle/shop.app/shop",
          "instruction_addr": "0x100001234", "image_addr": "0x100000000", "symbolication": "found"},
         {"in_app": true, "package": "/var/containers/Bundle/shop.app/Frameworks/Pay.framework/Pay", "instruction_addr": "0x200004d2a",
          "image_addr": "0x200000000", "symbolication": "missing"},
         {"instruction_addr": "0x10000ff00", "in_app": true, "symbolication": "missing"},
         {"function": "Cart.checkout(with:coupons:)", "filename": "Cart.swift", "abs_path": "/build/shop/Sources/Cart.swift", "lineno": 41, "colno": 9,
          "in_app": true, "package": "/var/containers/Bundle/shop.app/shop", "instruction_addr": "0x100001300", "image_addr": "0x100000000",
          "symbolication": "found", "pre_context": ["far above", "a", "b", "c", "d", "for item in items {"],
          "context_line": "    total += coupons.first!.amount", "post_context": ["}"], "vars": {"code": "\\u001b[2Jx", "total": "3.5", \(variables)}},
         {"function": "Array.first.getter", "filename": "Collection.swift", "lineno": 512, "inline": true, "in_app": true,
          "package": "/var/containers/Bundle/shop.app/shop", "instruction_addr": "0x100001300", "image_addr": "0x100000000", "symbolication": "found"},
         {"function": "std::__1::basic_string<char, std::__1::char_traits<char>>::\\u001b]0;x\\u0007append_everything(char const*, unsigned long)",
          "package": "/usr/lib/libc++.1.dylib", "instruction_addr": "0x1b0001000", "image_addr": "0x1b0000000"},
         {"package": "/usr/lib/libsystem_kernel.dylib", "in_app": false, "instruction_addr": "0x1c0000042", "image_addr": "0x1c0000000"}]
        """

    private static let crash = crash(
        "0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d", "2026-11-21T11:27:58Z", symbols: "missing",
        more: files + """
            , "report": {"id": "0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d", "kind": "fatal", "level": "fatal", "timestamp": "2026-11-21T11:27:58Z",
             "type": "EXC_BAD_ACCESS", "reason": "Attempted to dereference a null \\u001b[31mpointer", "release": "shop@2.1.0+57",
             "user_id": "ann", "installation_id": "my-phone", "session_id": "1795260",
             "exceptions": [{"type": "CouponError", "value": "expired", "frames": []},
              {"type": "EXC_BAD_ACCESS", "value": "null", "mechanism": {"type": "mach", "handled": false, "meta": {"signal": {"name": "SIGSEGV"}}}, "frames": \(frames)}],
             "threads": [{"id": 0, "crashed": true, "frames": []}, {"id": 7, "name": "com.apple.\\u001bnetwork", "frames": [
               {"function": "__psynch_cvwait", "package": "/usr/lib/libsystem_kernel.dylib", "instruction_addr": "0x1c0000999"}]}],
             "images": [{"type": "macho", "debug_id": "\(shop)", "image_addr": "0x100000000", "image_size": 65536, "code_file": "/var/containers/Bundle/shop.app/shop", "arch": "arm64"},
              {"type": "macho", "debug_id": "11111111-2222-3333-4444-555555555555", "image_addr": "0x200000000", "image_size": 65536,
               "code_file": "/var/containers/Bundle/shop.app/Frameworks/Pay.framework/Pay", "arch": "arm64"}],
             "breadcrumbs": [{"timestamp": "2026-11-21T11:27:57.6Z", "category": "ui.tap", "message": "checkout", "data": {"button_name": "pay", "count": 2}},
              {"category": "http", "message": "GET /cart \\u001b[2J", "level": "error"}],
             "custom_keys": {"cart_size": "0", "coupon": "autumn"}, "context": {"platform": "ios", "app_version": "2.1.0"},
             "logs": "first line\\nlast \\u001b[2Jline", "cuts": ["reason", "breadcrumbs"]},
            "before": [{"seq": 9, "id": "e1", "name": "screen_view", "timestamp": "2026-11-21T11:27:40Z", "received_at": "2026-11-21T11:27:41Z",
              "params": {"screen_name": "Cart", "items": [1, 2]}},
             {"seq": 10, "id": "e2", "name": "session_start", "timestamp": "2026-11-21T11:20:00Z", "received_at": "2026-11-21T11:27:41Z"}]
            """)

    private static let missing = """
        {"items": [
          {"debug_id": "\(shop)", "name": "/var/containers/Bundle/shop.app/shop", "architecture": "arm64", "crashes": 4211,
           "first_seen": "2026-11-02T09:00:00Z", "last_seen": "2026-11-21T11:27:58Z"},
          {"debug_id": "11111111-2222-3333-4444-555555555555-1f", "name": "libpay\\u001b[2J.so", "crashes": 1, "first_seen": "2026-11-19T09:00:00Z",
           "last_seen": "2026-11-19T09:00:00Z"}]}
        """
}
