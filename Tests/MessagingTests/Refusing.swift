// SPDX-License-Identifier: Apache-2.0

import Platform

/// What `work` is refused with; nil where it is not.
func refusal<T>(_ work: @autoclosure () throws -> T) -> Refusal? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? Refusal
    }
}

/// The field that is wrong, and how, as in `topic bad_topic`.
func fault<T>(_ work: @autoclosure () throws -> T) -> String? {
    refusal(try work())?.fields.first.map { "\($0.field) \($0.code)" }
}
