// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// Inputs other than JSON bodies: HTTP, configuration, queries, names and reports.
    static let texts =
        requests + fileRequests + configurations + queries + shortTexts + symbolTexts + appleTexts + rustNames + sourceMaps + classMappings
        + mappedFiles

    /// `n` copies of `unit`, with `§` as the number of each, in place of the template's `#`.
    static func text(_ target: String, _ name: String, _ template: String, _ unit: String, _ rest: String = "") -> Grower {
        Grower(target, name, isAccepted: false) { n in
            filled(template, repeated(n, unit, separator: ""), repeated(rest.isEmpty ? 0 : n, rest, separator: ""))
        }
    }

    private static let requests: [Grower] = [
        text("requests", "header fields", "GET / HTTP/1.1\r\nHost: a\r\n#\r\n", "x-§: 1\r\n"),
        text("requests", "the same header field", "GET / HTTP/1.1\r\nHost: a\r\n#\r\n", "Content-Encoding: gzip\r\n"),
        text("requests", "long header name", "GET / HTTP/1.1\r\nHost: a\r\n#: 1\r\n\r\n", "a"),
        text("requests", "long header value", "GET / HTTP/1.1\r\nHost: a\r\nx: #\r\n\r\n", "a"),
        text("requests", "header value of spaces", "GET / HTTP/1.1\r\nHost: a\r\nx:#1\r\n\r\n", " "),
        text("requests", "header value of commas", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: #chunked\r\n\r\n", ","),
        text("requests", "folded lines", "GET / HTTP/1.1\r\nHost: a\r\nx: 1\r\n#\r\n", " 1\r\n"),
        text("requests", "head without an end", "GET / HTTP/1.1\r\nHost: a\r\n#", "x: 1\r"),
        text("requests", "empty lines before a request", "#GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n"),
        text("requests", "long path", "GET /# HTTP/1.1\r\nHost: a\r\n\r\n", "a/"),
        text("requests", "path of percent escapes", "GET /# HTTP/1.1\r\nHost: a\r\n\r\n", "%2f"),
        text("requests", "path of dots", "GET /# HTTP/1.1\r\nHost: a\r\n\r\n", "../"),
        text("requests", "long query", "GET /?# HTTP/1.1\r\nHost: a\r\n\r\n", "a=§&"),
        text("requests", "long method", "# / HTTP/1.1\r\nHost: a\r\n\r\n", "A"),
        text("requests", "long host", "GET / HTTP/1.1\r\nHost: #\r\n\r\n", "a."),
        text("requests", "spaces in the request line", "GET # / HTTP/1.1\r\nHost: a\r\n\r\n", " "),
        text("requests", "pipelined requests", "#", "GET /§ HTTP/1.1\r\nHost: a\r\n\r\n"),
        text("requests", "pipelined bodies", "#", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]"),
        text("requests", "pipelined chunked bodies", "#", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n"),
        text("requests", "chunks of one byte", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n#0\r\n\r\n", "1\r\na\r\n"),
        text("requests", "chunks with an extension", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n#0\r\n\r\n", "1;a=b\r\na\r\n"),
        text("requests", "long chunk extension", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;#\r\na\r\n0\r\n\r\n", "a"),
        text("requests", "long chunk size", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n#1\r\na\r\n0\r\n\r\n", "0"),
        text("requests", "trailers", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n#\r\n", "x-§: 1\r\n"),
        text("requests", "long body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4096\r\n\r\n#", "a"),
    ]

    private static let fileRequests: [Grower] = [
        text("filerequests", "tags", "GET\nIf-None-Match:#", "\"§\","),
        text("filerequests", "weak tags", "PUT\nIf-Match:#", "W/\"§\" , "),
        text("filerequests", "fields with tags", "GET\n#", "If-None-Match:\"§\"\n"),
        text("filerequests", "empty elements", "GET\nIf-Match:#\"a\"", ","),
        text("filerequests", "blanks in a list", "GET\nIf-Match:#\"a\"", " \t"),
        text("filerequests", "one long tag", "GET\nIf-None-Match:\"#\"", "a"),
        text("filerequests", "a tag without an end", "GET\nIf-Range:\"#", "a"),
        text("filerequests", "digits of a range", "GET\nRange:bytes=0-#", "9"),
        text("filerequests", "blanks around a range", "GET\nRange:bytes=#0-9#", " ", " "),
        text("filerequests", "ranges", "GET\nRange:bytes=#", "§-§,"),
        text("filerequests", "hyphens", "GET\nRange:bytes=#", "-"),
        text("filerequests", "dates", "GET\n#", "If-Modified-Since:Sun, 06 Nov 1994 08:49:37 GMT\n"),
        text("filerequests", "blanks in a date", "GET\nIf-Modified-Since:Sun,#06 Nov 1994 08:49:37 GMT", " "),
        text("uploadmetadata", "pairs", "#", "§ YQ==,"),
        text("uploadmetadata", "names alone", "#", "§,"),
        text("uploadmetadata", "one long text", "a #", "YWFh"),
        text("uploadmetadata", "blanks", "a#YQ==", " "),
        text("uploadmetadata", "commas", "#", ","),
        text("uploadchecksums", "blanks", "sha1#5en6G6MezRroT3XKqkdPOmY/BfQ=", " "),
        text("uploadchecksums", "one long sum", "sha256 #", "YWFh"),
        text("uploadranges", "digits", "bytes 0-#/*", "9"),
        text("uploadranges", "slashes", "bytes #", "0-0/"),
        text("uploadranges", "hyphens", "bytes #/1", "0-"),
        text("fileglobs", "names that may match in many ways", "**a**a**a**b\n#", "a"),
        text("fileglobs", "names of one folder", "*a*b?\n#", "a/"),
        text("fileglobs", "names with alternatives", "{a*,**{b,c}}\n#", "ab"),
        text("workerlines", "lines", "#", "{\"id\":\"call_1\",\"message\":§}\n"),
        text("workerlines", "members", "{#\"id\":\"call_1\",\"result\":1}\n", "\"k§\":1,"),
        text("workerlines", "a result", "{\"id\":\"call_1\",\"result\":[#1]}\n", "§,"),
        text("workerlines", "nesting", "{\"id\":\"call_1\",\"result\":#1#}\n", "[", "]"),
        text("workerlines", "a long line of a log", "{\"log\":\"#\"}\n", "a"),
        text("workerlines", "escapes", "{\"log\":\"#\"}\n", "\\n"),
        text("workerlines", "empty lines", "#", "\n"),
        text("workerlines", "output that is no object", "#", "loading §\n"),
        text("responses", "a body", "HTTP/1.1 200 OK\r\n\r\n#", "a"),
        text("responses", "chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n#0\r\n\r\n", "1\r\na\r\n"),
        text("responses", "extensions", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;#\r\na\r\n0\r\n\r\n", "a"),
        text("responses", "trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n#\r\n", "a: §\r\n"),
        text("responses", "fields", "HTTP/1.1 200 OK\r\n#\r\n", "a: §\r\n"),
        text("responses", "interim responses", "#HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"),
        text("relatedbodies", "contents", "--b\r\n\r\n{}\r\n--b\r\n\r\n#\r\n--b--", "a"),
        text("relatedbodies", "line ends", "--b\r\n\r\n{}\r\n--b\r\n\r\n#\r\n--b--", "\r\n"),
        text("relatedbodies", "near boundaries", "--b\r\n\r\n{}\r\n--b\r\n\r\n#\r\n--b--", "\r\n--"),
        text("relatedbodies", "metadata", "--b\r\n\r\n#\r\n--b\r\n\r\n\r\n--b--", "§ "),
        text("relatedbodies", "header fields", "--b\r\n#\r\n{}\r\n--b\r\n#\r\n\r\n--b--", "A: §\r\n", "A: §\r\n"),
        text("relatedbodies", "blanks behind a boundary", "--b\r\n\r\n{}\r\n--b#\r\n\r\n\r\n--b--", " "),
        text("relatedbodies", "epilogue", "--b\r\n\r\n{}\r\n--b\r\n\r\n\r\n--b--#", "\r\n--b"),
    ]

    private static let configurations: [Grower] =
        [
            text("configuration", "unknown members", "{#}", "k§: 1,"),
            text("configuration", "the same member", "{#}", "mode: 'development',"),
            text("configuration", "the same section", "{#}", "server: {listen: '[::1]:1'},"),
            text("configuration", "members of a section", "{server: {#}}", "k§: 1,"),
            text("configuration", "escaped names", "{#}", #""\u006b§": 1,"#),
            text("configuration", "wrong values", "{#}", "mode: §,"),
            text("configuration", "line comments", "{#}", "// a\n"),
            text("configuration", "block comments", "{#}", "/* a */"),
            text("configuration", "one long block comment", "{/* # */}", "*"),
            text("configuration", "an open block comment", "{/* #", "/*"),
            text("configuration", "list", "{server: {trusted_proxies: [#]}}", "'10.0.§.0/8',"),
            text("configuration", "addresses", "{server: {trusted_proxies: [#]}}", "'::1/128',"),
            text("configuration", "objects in objects", "#", "{a:"),
            text("configuration", "arrays in arrays", "#", "["),
            text("configuration", "long text", "{mode: '#'}", "a"),
            text("configuration", "text of escapes", "{mode: '#'}", #"\x41"#),
            text("configuration", "text of line continuations", "{mode: '#'}", "\\\n"),
            text("configuration", "lines before a fault", "#}", "\n"),
            text("configuration", "characters before a fault", "{'#': }", "\u{e9}"),
            text("configuration", "long number", "{server: {loops: #}}", "1"),
            text("configuration", "long hexadecimal number", "{server: {loops: 0x#}}", "f"),
            text("configuration", "long name", "{#: 1}", "a"),
            text("configuration", "long duration", "\n#", "1h"),
            text("configuration", "value of a variable", "\u{1}#", "10.0.0.0/8, "),
        ]
        + (0..<48).map { setting in
            Grower("configuration", "value of variable \(setting)", isAccepted: false) {
                [UInt8(setting)] + repeated($0, "10.0.0.0/8", separator: ",")
            }
        }

    private static let queries: [Grower] =
        (0..<10).flatMap { number -> [Grower] in
            [
                query("parameters", number, "k§=1&"), query("the same parameter", number, "limit=1&"),
                query("filters", number, "filter=params.a%3D§&"),
                query("steps", number, "steps=e§&"), query("ampersands", number, "&"), query("equals signs", number, "="),
                query("percent escapes", number, "%61"), query("plus signs", number, "+"), query("slashes", number, "/"),
                query("values of a filter", number, "a|", before: "filter=a%3D"),
                query("breakdowns", number, "breakdown=params.§&"), query("long metric", number, "%28", before: "metric=sum(params."),
                query("conditions of a step", number, ";a=1", before: "steps=a&steps=b"),
                query("long time zone", number, "a/", before: "tz="), query("long number", number, "1", before: "limit="),
                query("long time", number, "1", before: "from=2026-01-01T00:00:00."),
            ]
        } + [
            text("questions", "path with many dots", "z#", "a."),
            text("questions", "filter with many values", "zparams.n>=#1", "1|"),
            text("questions", "filter with a long value", "zparams.n=#", "\u{e9}"),
            text("questions", "filter with many escapes", "zparams.n=#", "\\|"),
            text("questions", "filter with many backslashes", "zparams.n=#", "\\"),
            text("questions", "filter with a long number", "zparams.n>=#", "1"),
            text("questions", "filter with a long exponent", "zparams.n>=1e#", "1"),
            text("questions", "filter with a long fraction", "zparams.n<=-0.#", "0"),
            text("questions", "filter with many operators", "z#", "a!=~>"),
            text("questions", "metric with a long name", "zsum(params.#)", "(a)"),
            text("questions", "open parentheses", "z#", "("),
            text("questions", "joined values", "z#", "a&"),
            text("questions", "joined zero bytes", "za&#", "\u{0}\u{1}"),
        ]

    private static func query(_ name: String, _ number: Int, _ unit: String, before: String = "") -> Grower {
        Grower("questions", "query \(number): \(name)", isAccepted: false) {
            [UInt8(number)] + filled(before + "#", repeated($0, unit, separator: ""))
        }
    }

    private static let shortTexts: [Grower] = [
        text("conditions", "topics", "#'z' in topics", "'a' in topics && "),
        text("conditions", "not", "#('a' in topics)", "!"),
        text("conditions", "parentheses", "#'a' in topics#", "(", ")"),
        text("conditions", "open parentheses", "#", "("),
        text("conditions", "spaces", "'a'#in topics", " "),
        text("conditions", "long topic", "'#' in topics", "a"),
        text("webhookurls", "long host", "https://#example.com/", "a."),
        text("webhookurls", "long label", "https://#.com/", "a"),
        text("webhookurls", "long path", "https://example.com/#", "a/"),
        text("webhookurls", "path of dots", "https://example.com/#", "../"),
        text("webhookurls", "percent escapes", "https://example.com/#", "%2e"),
        text("webhookurls", "user", "https://#@example.com/", "a:"),
        text("webhookurls", "port", "https://example.com:#1/", "0"),
        text("webhookurls", "colons", "https://[#]/", "1:"),
        text("webhookurls", "query", "https://example.com/?#", "a=b&"),
        text("origins", "subdomains", "https://*.b\nhttps://#b", "a."),
        text("origins", "rule", "https://*.#b\nhttps://a.b", "a."),
        text("origins", "rule and origin", "https://*.#b\nhttps://a.#b", "a.", "a."),
        text("origins", "stars", "https://#\nhttps://a.b", "*."),
        text("origins", "port", "http://a:#1\nhttp://a:#1\na:1", "0", "0"),
        text("origins", "host", "*\nhttps://a\n#", "A"),
        text("origins", "lines", "*\nhttps://a\n#", "\n"),
        text("texts", "digits", "#", "1"),
        text("texts", "fraction of a second", "2026-01-01T00:00:00.#Z", "0"),
        text("texts", "colons", "#", "1:"),
        text("texts", "dots", "#", "1."),
        text("texts", "words", "#", "a§,"),
        text("texts", "spaces", "#", " "),
        text("texts", "networks", "#", "10.0.0.0/8,"),
        text("texts", "letters", "#", "a"),
        text("texts", "characters of two bytes", "#", "\u{e9}"),
        text("texts", "brackets", "#", "["),
        text("swiftnames", "generics", "#", "A<"),
        text("swiftnames", "closed generics", "#A#", "A<", ">"),
        text("swiftnames", "parentheses", "#", "("),
        text("swiftnames", "closed parentheses", "a#b#", "(", ")"),
        text("swiftnames", "closures", "#in f()", "closure #1 in "),
        text("swiftnames", "extensions", "#f()", "(extension in A):"),
        text("swiftnames", "members", "#f()", "A."),
        text("swiftnames", "arguments", "f(#)", "a: A.B, "),
        text("swiftnames", "arrows", "#A", "A -> "),
        text("swiftnames", "where clauses", "f<A>#", " where A: B.C"),
        text("swiftnames", "of", "#f", "getter of "),
        text("swiftnames", "angle brackets that never open", "f#", ">"),
        text("swiftnames", "closing parentheses", "f#", ")"),
        text("swiftnames", "private discriminators", "#f()", "(A in _DF1)."),
        text("swiftnames", "spaces", "f#", " "),
        text("swiftnames", "witnesses", "#f()", "protocol witness for "),
        text("swiftnames", "conformances", "protocol witness for f()#", " in conformance A : B in C"),
    ]

    private static let module = "MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 Probe\n"

    private static let symbolTexts: [Grower] = [
        text("symboltexts", "functions", module + "#", "FUNC § 1 0 f§\n"),
        text("symboltexts", "functions at one address", module + "#", "FUNC 1180 e 0 f§\n"),
        text("symboltexts", "functions of any size", module + "#", "FUNC § ffffffff 0 f§\n"),
        text("symboltexts", "lines", module + "FILE 0 a\nFUNC 0 ffffffff 0 f\n#", "§ 1 1 0\n"),
        text("symboltexts", "lines at one address", module + "FILE 0 a\nFUNC 0 ffffffff 0 f\n#", "0 ffff § 0\n"),
        text("symboltexts", "public symbols", module + "#", "PUBLIC § 0 p§\n"),
        text("symboltexts", "files", module + "#", "FILE § /src/a§\n"),
        text("symboltexts", "the same file", module + "#", "FILE 0 /src/a§\n"),
        text("symboltexts", "origins", module + "#", "INLINE_ORIGIN § o§\n"),
        text("symboltexts", "inlined calls", module + "INLINE_ORIGIN 0 o\nFUNC 0 ffffffff 0 f\n#", "INLINE 0 1 0 0 § 1\n"),
        text("symboltexts", "inlined calls in each other", module + "INLINE_ORIGIN 0 o\nFUNC 0 ffffffff 0 f\n#", "INLINE § 1 0 0 0 ffff\n"),
        text("symboltexts", "ranges of an inlined call", module + "INLINE_ORIGIN 0 o\nFUNC 0 ffffffff 0 f\nINLINE 0 1 0 0#\n", " § 1"),
        text("symboltexts", "lines × inlined calls", module + "INLINE_ORIGIN 0 o\nFUNC 0 ffffffff 0 f\n##", "INLINE 0 1 0 0 § 1\n", "§ 1 1 0\n"),
        text("symboltexts", "records of the stack", module + "#", "STACK CFI § .cfa: $rsp 8 +\n"),
        text("symboltexts", "empty lines", module + "#", "\n"),
        text("symboltexts", "long name", module + "FUNC 0 1 0 #\n", "a"),
        text("symboltexts", "long module", "MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 #\n", "a"),
        text("symboltexts", "spaces", module + "FUNC#0 1 0 a\n", " "),
        text("symbols", "Breakpad's header", "#", "MODULE Linux "),
        text("symbols", "Breakpad's lines", module + "#", "INFO CODE_ID §\n"),
    ]

    private static let crash =
        "Incident Identifier: 0F6D3E39-6F4C-4B40-9C55-2A3F2B1C5E11\nProcess: Shop [731]\nIdentifier: a.b\nVersion: 1 (2)\nCode Type: ARM-64 (Native)\n"
        + "Date/Time: 2025-10-09 10:49:59.2500 +0200\nOS Version: iPhone OS 14.8.1 (18H107)\nReport Version: 104\n\nException Type: EXC_BAD_ACCESS (SIGSEGV)\nTriggered by Thread: 0\n\n"

    private static let appleTexts: [Grower] = [
        text("applereports", "text: frames", crash + "Thread 0 Crashed:\n#\nEOF\n", "§   Shop  0x0000000102f04a1c 0x102f00000 + §\n"),
        text("applereports", "text: threads", crash + "#\nEOF\n", "Thread §:\n0   Shop  0x0000000102f04a1c 0x102f00000 + 1\n\n"),
        text(
            "applereports", "text: images", crash + "Binary Images:\n#\nEOF\n",
            "0x1§ - 0x1§ Shop§ arm64  <2d903291397d3d14bfca52c7fb8c5e00> /a/Shop§\n"),
        text(
            "applereports", "text: frames × images", crash + "Thread 0 Crashed:\n#\nBinary Images:\n#\nEOF\n", "§   Shop§  0x1§ 0x1§ + §\n",
            "0x1§ - 0x1§ Shop§ arm64  <2d903291397d3d14bfca52c7fb8c5e00> /a/Shop§\n"),
        text("applereports", "text: fields", crash + "#\n", "Key §: value\n"),
        text("applereports", "text: the same field", crash + "#\n", "Exception Note: value\n"),
        text("applereports", "text: notes", crash + "Application Specific Information:\n#\n", "line §\n"),
        text("applereports", "text: empty lines", crash + "#", "\n"),
        text("applereports", "text: one long line", crash + "#", "a "),
        text("applereports", "text: spaces in a frame", crash + "Thread 0 Crashed:\n0 #x 0x1 f + 1\n", " "),
        text("applereports", "text: registers", crash + "Thread 0 crashed with ARM Thread State (64-bit):\n#\n", "    x§: 0x0000000000000018\n"),
        text("applereports", "text: carriage returns", crash + "#", "\r\n"),
    ]
}
