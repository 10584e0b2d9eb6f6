// SPDX-License-Identifier: Apache-2.0

/// A crash in a request: fatal, with one frame in the app, unless changed.
struct SentCrash: Sendable {
    private var fields: [String: String]

    init(_ id: String? = nil, in function: String = "Cart.pay()") {
        fields = [
            "type": #""PayError""#, "handled": "false",
            "frames": #"[{"function": "main", "in_app": true}, {"function": "\#(function)", "in_app": true}]"#,
        ]
        if let id { fields["id"] = #""\#(id)""# }
    }

    func with(_ name: String, _ text: String) -> SentCrash { with(name, json: #""\#(text)""#) }

    /// Sets a field; `nil` removes it.
    func with(_ name: String, json: String?) -> SentCrash {
        var changed = self
        changed.fields[name] = json
        return changed
    }

    func from(_ user: String, session: String? = nil) -> SentCrash {
        with("user_id", user).with("session_id", json: session.map { #""\#($0)""# })
    }

    var json: String {
        "{" + fields.sorted { $0.key < $1.key }.map { #""\#($0.key)": \#($0.value)"# }.joined(separator: ", ") + "}"
    }
}
