// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Source maps and mappings of R8 as symbol files, of which only the beginning or the outline is read.
    static let mappedFiles: [Grower] = [
        text("symbols", "members of a map", "{\"version\":3,#\"mappings\":\"\"}", #""k§":0,"#),
        text("symbols", "debug IDs of a map", "{\"version\":3,#\"mappings\":\"\"}", #""debugId":"8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34","#),
        text("symbols", "one long text of a map", "{\"version\":3,\"mappings\":\"#\"}", "AAAA,"),
        text("symbols", "escapes of a map", "{\"version\":3,\"file\":\"#\",\"mappings\":\"\"}", #"\\\u0022"#),
        text("symbols", "one long key of a map", "{\"version\":3,\"#\":0,\"mappings\":\"\"}", "k"),
        text("symbols", "one long number of a map", "{\"version\":3,\"x\":#,\"mappings\":\"\"}", "1"),
        text("symbols", "lists of a map", "{\"version\":3,\"x\":[#0],\"mappings\":\"\"}", "[{}],"),
        text("symbols", "deep lists of a map", "{\"version\":3,\"x\":##,\"mappings\":\"\"}", "[", "]"),
        text("symbols", "spaces of a map", "#{\"version\":3,\"mappings\":\"\"}#", " ", "\n"),
        text("symbols", "a long guard", ")]}'#\n{\"version\":3,\"mappings\":\"\"}", "x"),
        text("symbols", "comments of a mapping", "#a.B -> b:\n", "# c\n"),
        text("symbols", "empty lines of a mapping", "#a.B -> b:\n", "# c\n\n"),
        text("symbols", "a long class of a mapping", "a.#B -> b:\n", "a."),
        text("symbols", "classes of a mapping", "#", "a.B§ -> b§:\n"),
    ]
}
