// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Mappings of R8.
    static let classMappings: [Grower] = [
        text("classmappings", "classes", "#", "a.B§ -> b§:\n"),
        text("classmappings", "classes of one name", "#", "a.B§ -> b:\n"),
        text("classmappings", "classes with a source file", "#", "a.B§ -> b§:\n# {\"id\":\"sourceFile\",\"fileName\":\"B.kt\"}\n"),
        text("classmappings", "one class many times, with a source file", "#", "a.B -> b:\n# {\"id\":\"sourceFile\",\"fileName\":\"B.kt\"}\n"),
        text("classmappings", "source files", "a.B -> b:\n#", "# {\"id\":\"sourceFile\",\"fileName\":\"B.kt\"}\n"),
        text("classmappings", "comments", "a.B -> b:\n#", "# {\"id\":\"com.android.tools.r8.synthesized\"}\n"),
        text("classmappings", "one long comment", "a.B -> b:\n# {#}\n", "sourceFil"),
        text("classmappings", "methods", "a.B -> b:\n#", "    §:§:void m§():1:1 -> a§\n"),
        text("classmappings", "methods of one name", "a.B -> b:\n#    1:1:void n():1:1 -> a\n", "    1§:1§:void m§():1:1 -> a\n"),
        text("classmappings", "methods of one name between others", "a.B -> b:\n#", "    1:1:void m():1:1 -> a\n    1:1:void m():1:1 -> c§\n"),
        text("classmappings", "inlined methods", "a.B -> b:\n#", "    1:1:void a.C§.m():1:1 -> a\n"),
        text("classmappings", "methods without lines", "a.B -> b:\n#", "    void m() -> a\n"),
        text("classmappings", "fields", "a.B -> b:\n#", "    int f§ -> a\n"),
        text("classmappings", "methods × classes", "a.B -> b:\n##", "    1:1:void m():1:1 -> a\n", "a.B§ -> b§:\n"),
        text("classmappings", "arguments", "a.B -> b:\n    1:1:void m(#):1:1 -> a\n", "int,"),
        text("classmappings", "long original name", "a.B# -> b:\n", "a."),
        text("classmappings", "long name", "a.B -> b#:\n", "a."),
        text("classmappings", "long number", "a.B -> b:\n    #:1:void m():1:1 -> a\n", "1"),
        text("classmappings", "colons", "a.B -> b:\n    1:1:void m()#1 -> a\n", ":"),
        text("classmappings", "parentheses", "a.B -> b:\n    1:1:void m#()# -> a\n", "(", ")"),
        text("classmappings", "arrows", "a.B -> b:\n    #", " -> a"),
        text("classmappings", "spaces", "a.B -> b:\n#", " "),
        text("classmappings", "empty lines", "a.B -> b:\n#", "\n"),
        text("classmappings", "IDs", "#a.B -> b:\n", "# pg_map_id: §\n"),
    ]
}
