// SPDX-License-Identifier: Apache-2.0

// The standard library normalizes strings to compare them, and offers that to other libraries only under this name.
@_spi(_Unicode) import Swift

extension String {
    /// The text in Unicode's normalization form C: the accents of `e\u{301}` are composed to `é`, so equal texts have the same bytes.
    package var composed: String { String(String.UnicodeScalarView(_nfc)) }
}
