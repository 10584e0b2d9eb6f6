// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The error domain of functions, Firebase's.
public let FunctionsErrorDomain = "com.firebase.functions"
/// The key of ``FunctionsError/details`` in `userInfo`, Firebase's.
public let FunctionsErrorDetailsKey = "details"

/// The kind of an error, with Firebase's raw values.
public enum FunctionsErrorCode: Int, Sendable, CaseIterable {
    /// No error.
    case OK = 0
    /// The call was cancelled by the caller.
    case cancelled = 1
    /// An error of another kind.
    case unknown = 2
    /// The data of the call are not valid.
    case invalidArgument = 3
    /// The time limit passed. The function may have run.
    case deadlineExceeded = 4
    /// There is no such function, or what it looked for is not there.
    case notFound = 5
    /// The thing that the function should make is there already.
    case alreadyExists = 6
    /// The caller may not do it.
    case permissionDenied = 7
    /// The function is busy, or the caller's rate is exceeded.
    case resourceExhausted = 8
    /// The state does not allow it; another attempt fails too.
    case failedPrecondition = 9
    /// Something else came between; the whole may be tried again.
    case aborted = 10
    /// A value is beyond its range.
    case outOfRange = 11
    /// The function does not do this.
    case unimplemented = 12
    /// The function failed.
    case `internal` = 13
    /// The daemon or the function could not be reached.
    case unavailable = 14
    /// A stream ended before its result.
    case dataLoss = 15
    /// The function needs a signed-in user.
    case unauthenticated = 16

    /// Returns the code of a word in a response, such as `INVALID_ARGUMENT`.
    init?(status: String) {
        guard let code = FunctionsErrorCode.allCases.first(where: { $0.status == status }) else { return nil }
        self = code
    }

    /// Returns the code of a response without a word of its own.
    init(httpStatus: Int) {
        switch httpStatus {
        case 200: self = .OK
        case 400: self = .invalidArgument
        case 401: self = .unauthenticated
        case 403: self = .permissionDenied
        case 404: self = .notFound
        case 409: self = .alreadyExists
        case 429: self = .resourceExhausted
        case 499: self = .cancelled
        case 501: self = .unimplemented
        case 503: self = .unavailable
        case 504: self = .deadlineExceeded
        default: self = .internal
        }
    }

    /// The word in responses.
    var status: String {
        switch self {
        case .OK: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internal: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }
}

/// An error of a function or of the way to it. As an `NSError` it has Firebase's domain, codes and details.
public struct FunctionsError: Error, Equatable, Sendable {
    /// The kind.
    public var code: FunctionsErrorCode
    /// The function's message.
    public var message: String
    /// The function's details; `nil` if it sent none.
    public var details: JSONValue?

    /// Creates an error.
    public init(_ code: FunctionsErrorCode, _ message: String, details: JSONValue? = nil) {
        (self.code, self.message, self.details) = (code, message, details)
    }
}

extension FunctionsError: CustomNSError, LocalizedError {
    /// `com.firebase.functions`, as in Firebase.
    public static var errorDomain: String { FunctionsErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The message.
    public var errorDescription: String? { message }

    /// The message and the details, under Firebase's keys.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let details { info[FunctionsErrorDetailsKey] = details.foundationValue }
        return info
    }
}

extension JSONValue {
    /// The value as `JSONSerialization` returns it.
    public var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let flag): flag
        case .integer(let number): number
        case .unsigned(let number): number
        case .number(let number): number
        case .string(let text): text
        case .array(let list): list.map(\.foundationValue)
        case .object(let members): members.mapValues(\.foundationValue)
        }
    }
}
