// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform
import Testing

@Suite struct FunctionDefinitionTests {
    @Test func `a definition with a url alone has the defaults`() throws {
        let definition = try FunctionDefinition(Array(#"{"url":"https://api.example/f"}"#.utf8), by: .admin)
        #expect(definition == FunctionDefinition(.address(url: "https://api.example/f", .signalbox)))
        #expect(
            String(decoding: definition.json, as: UTF8.self)
                == #"{"url":"https://api.example/f","format":"signalbox","auth":"user","timeout":60,"concurrency":80,"waiting":100,"#
                + #""may":[],"triggers":[]}"#)
    }

    @Test(arguments: [
        #"{"url":"http://127.0.0.1:8080/","format":"firebase","auth":"any","timeout":1800,"concurrency":1,"waiting":0,"retries":0,"#
            + #""order":"{params.account}","may":["send","data"],"triggers":[]}"#,
        #"{"topic":"news","auth":"none","timeout":1,"concurrency":1000,"waiting":10000,"may":[],"triggers":["#
            + #"{"on":"event","name":"purchase","filter":["params.total>=100","context.platform=ios"]},{"on":"event","name":"café"},"#
            + #"{"on":"issue","what":"spreading"},{"on":"user","what":"deleted"},{"on":"document","path":"orders/{id}","what":"written"},"#
            + #"{"on":"document","path":"a/{rest=**}","what":"created"},{"on":"file","path":"users/{uid}/{rest=**}","what":"finalized"},"#
            + #"{"on":"schedule","cron":"0 9 * * 1-5","tz":"Europe/Berlin","missed":"skip","overlap":true}]}"#,
        #"{"worker":{"protocol":"lines","command":["/usr/bin/python3","-u","f.py"],"folder":"/srv"},"auth":"none","timeout":60,"concurrency":4,"#
            + #""waiting":100,"may":[],"triggers":[]}"#,
        #"{"worker":{"protocol":"lines","command":["/usr/bin/python3","-u","/srv/f.py"]},"auth":"user","timeout":60,"concurrency":80,"#
            + #""waiting":100,"may":["accounts"],"triggers":[]}"#,
    ])
    func `a written definition is read as the same value`(text: String) throws {
        let definition = try FunctionDefinition(Array(text.utf8), by: .operator)
        #expect(String(decoding: definition.json, as: UTF8.self) == text)
        #expect(try FunctionDefinition(definition.json, by: .operator) == definition)
    }

    @Test(arguments: [
        (#"{}"#, "url missing"),
        (#"{"url":"https://a/","topic":"t"}"#, "topic two_targets"),
        (#"{"topic":"t","format":"firebase"}"#, "format needs_url"),
        (#"{"url":7}"#, "url wrong_type"),
        (#"{"url":"https://a/","url":"https://b/"}"#, "url repeated"),
        (#"{"url":"https://a/","color":1}"#, "color unknown"),
        (#"{"url":"https://a/","format":"grpc"}"#, "format unknown"),
        (#"{"url":"https://a/","auth":"admin"}"#, "auth unknown"),
        (#"{"url":"https://a/","timeout":0}"#, "timeout out_of_range"),
        (#"{"url":"https://a/","timeout":1801}"#, "timeout out_of_range"),
        (#"{"url":"https://a/","timeout":"60s"}"#, "timeout out_of_range"),
        (#"{"url":"https://a/","concurrency":1001}"#, "concurrency out_of_range"),
        (#"{"url":"https://a/","waiting":-1}"#, "waiting out_of_range"),
        (#"{"url":"https://a/","retries":21}"#, "retries out_of_range"),
        (#"{"url":"https://a/","order":"account"}"#, "order bad_order"),
        (#"{"url":"https://a/","may":"send"}"#, "may wrong_type"),
        (#"{"url":"https://a/","may":["send","send"]}"#, "may[1] repeated"),
        (#"{"url":"https://a/","may":["send","admin"]}"#, "may[1] unknown"),
        (#"{"url":"https://a/","triggers":{}}"#, "triggers wrong_type"),
        (#"{"url":"https://a/","triggers":[7]}"#, "triggers[0] wrong_type"),
        (#"{"url":"https://a/","triggers":[{}]}"#, "triggers[0].on missing"),
        (#"{"url":"https://a/","triggers":[{"on":"event"}]}"#, "triggers[0].name missing"),
        (#"{"url":"https://a/","triggers":[{"on":"event","name":""}]}"#, "triggers[0].name bad_name"),
        (#"{"url":"https://a/","triggers":[{"on":"event","name":"a","filter":[1]}]}"#, "triggers[0].filter[0] wrong_type"),
        (#"{"url":"https://a/","triggers":[{"on":"issue","what":"new"},{"on":"user","what":"new"}]}"#, "triggers[1].what unknown"),
        (#"{"url":"https://a/","triggers":[{"on":"document","path":"orders","what":"created"}]}"#, "triggers[0].path not_a_document"),
        (#"{"url":"https://a/","triggers":[{"on":"file","path":"a//b","what":"deleted"}]}"#, "triggers[0].path bad_path"),
        (#"{"url":"https://a/","triggers":[{"on":"schedule","cron":"61 * * * *"}]}"#, "triggers[0].cron bad_cron"),
        (#"{"url":"https://a/","triggers":[{"on":"schedule","cron":"* * * * *","tz":"Mars/Base"}]}"#, "triggers[0].tz unknown_zone"),
        (#"{"worker":{"protocol":"lines","command":["/bin/sh"]}}"#, "worker operator_only"),
        (#"{"url":"https://a/","may":["accounts"]}"#, "may operator_only"),
    ])
    func `a wrong field is named`(text: String, expected: String) {
        let refusal = #expect(throws: Refusal.self) { try FunctionDefinition(Array(text.utf8), by: .admin) }
        #expect(refusal?.fields.map { "\($0.field) \($0.code)" } == [expected])
    }

    @Test(arguments: ["[]", "{", #"{"triggers":[[[[[[[]]]]]]]}"#])
    func `a body that is no object is refused`(text: String) {
        #expect(throws: Refusal.self) { try FunctionDefinition(Array(text.utf8), by: .admin) }
    }

    @Test func `lists and texts are bounded`() {
        let trigger = #"{"on":"issue","what":"new"}"#
        for (count, accepted) in [(20, true), (21, false)] {
            let text = #"{"url":"https://a/","triggers":["# + Array(repeating: trigger, count: count).joined(separator: ",") + "]}"
            #expect(((try? FunctionDefinition(Array(text.utf8), by: .admin)) != nil) == accepted)
        }
        for (bytes, accepted) in [(2_048, true), (2_049, false)] {
            let text = #"{"url":""# + String(repeating: "a", count: bytes) + #""}"#
            #expect(((try? FunctionDefinition(Array(text.utf8), by: .admin)) != nil) == accepted)
        }
    }

    @Test(arguments: [
        (["bin/sh"], "worker.command bad_command"), ([], "worker.command bad_command"),
        (["/bin/" + String(repeating: "a", count: 4_096)], "worker.command bad_command"),
    ])
    func `the command of a worker begins with an absolute path`(command: [String], expected: String) {
        let list = command.map { "\"\($0)\"" }.joined(separator: ",")
        let text = #"{"worker":{"protocol":"lambda","command":["# + list + "]}}"
        let refusal = #expect(throws: Refusal.self) { try FunctionDefinition(Array(text.utf8), by: .operator) }
        #expect(refusal?.fields.map { "\($0.field) \($0.code)" } == [expected])
    }

    @Test(arguments: [
        ("sendReceipt", true), ("a", true), ("billing-close_month2", true), (String(repeating: "a", count: 63), true),
        (String(repeating: "a", count: 64), false), ("", false), ("1st", false), ("-a", false), ("a.b", false), ("a/b", false), ("café", false),
        ("a\r\n", false),
    ])
    func `names have letters, digits, hyphens and underscores`(text: String, accepted: Bool) {
        #expect((FunctionName(text) != nil) == accepted)
    }
}
