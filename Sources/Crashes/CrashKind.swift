import Platform

/// What a crash was to the person who used the app. Kinds never share an issue.
package enum CrashKind: Int, StoredWord {
    /// The app ended.
    case fatal = 1
    /// Something went wrong, and the app went on.
    case nonfatal = 2
    /// The app did not answer.
    case anr = 3
}

package enum CrashLevel: Int, StoredWord {
    case fatal = 1
    case error, warning, info, debug
}
