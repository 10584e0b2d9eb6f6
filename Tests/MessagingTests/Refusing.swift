// SPDX-License-Identifier: Apache-2.0

import Platform

/// Returns the refusal that `work` throws, if any.
func refusal<T>(_ work: @autoclosure () throws -> T) -> Refusal? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? Refusal
    }
}

/// Returns the field and code of the error, such as `topic bad_topic`.
func fault<T>(_ work: @autoclosure () throws -> T) -> String? {
    refusal(try work())?.fields.first.map { "\($0.field) \($0.code)" }
}
