// SPDX-License-Identifier: Apache-2.0

import Crashes
import Testing

struct DebugIDTests {
    @Test(arguments: [
        ("C0BCC3F19827FE653058404B2831D9E6", "c0bcc3f1-9827-fe65-3058-404b2831d9e6"),
        ("c0bcc3f1-9827-fe65-3058-404b2831d9e6", "c0bcc3f1-9827-fe65-3058-404b2831d9e6"),
        ("C0BCC3F19827FE653058404B2831D9E61", "c0bcc3f1-9827-fe65-3058-404b2831d9e6-1"),
        ("c0bcc3f1-9827-fe65-3058-404b2831d9e6-a", "c0bcc3f1-9827-fe65-3058-404b2831d9e6-a"),
    ])
    func isReadInEveryForm(text: String, canonical: String) {
        #expect(DebugID(text)?.text == canonical)
    }

    @Test(arguments: [
        "", "c0bc", "G0BCC3F19827FE653058404B2831D9E6", "c0bcc3f1-9827-fe65-3058-404b2831d9e6-123456789", "é0BCC3F19827FE653058404B2831D9E6",
    ])
    func isRefused(text: String) {
        #expect(DebugID(text) == nil)
    }
}
