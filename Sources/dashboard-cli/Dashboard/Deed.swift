import JSON

/// Something that changes what a daemon does; it is done once somebody has said yes to it.
struct Deed: Sendable {
    /// What that somebody is asked.
    let question: String
    /// What is posted to.
    let path: String
    /// What has become of it, in a sentence, as the answer tells.
    let outcome: @Sendable (JSONValue) -> String
}
