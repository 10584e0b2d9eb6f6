import HTTPClient
import HTTPServer
import Platform
import SQLite
import Store

/// What a person reads when a command failed: what, why, what to do.
enum Failure {
    static func text(_ error: any Error) -> String {
        if let error = error as? ConfigurationError { return error.description }
        let (message, hint) = explain(error)
        return "ingestd: \(message)" + (hint.map { " \($0)" } ?? "")
    }

    private static func explain(_ error: any Error) -> (String, String?) {
        switch error {
        case let failure as CommandFailure: (failure.message, failure.hint)
        case let refusal as Refusal: (refusal.detail, refusal.hint)
        case let error as StoreError: (error.description + ".", error.hint)
        case let error as FileError: (error.description + ".", "Check that the folder exists and that this user may write to it.")
        case let error as HTTPServerError: (error.description + ".", "Is another daemon listening there? Choose an address with --listen.")
        case let error as HTTPClientError: ("The running daemon did not answer: \(error.message).", "Is it the right data folder?")
        case let error as SQLiteError: ("The data cannot be read: \(error.message).", "Check the disk, or restore a backup.")
        default: ("\(error)", nil)
        }
    }
}
