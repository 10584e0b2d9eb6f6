// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Symbols

/// Names by the grammar of RFC 2603. Those with long hashes are a compiler's.
struct RustNameTests {
    @Test(arguments: [
        ("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"),
        ("_RNvC7mycrate3foo", "mycrate::foo"),
        ("__RNvC7mycrate3foo", "mycrate::foo"),
        ("_RC7mycrate", "mycrate"),
        ("_RNvC7mycrate3__1a", "mycrate::_1a"),
        ("_RNvC7mycrate2_1a", "mycrate::1a"),
        ("_RNCNvC7mycrate4main0", "mycrate::main::{closure#0}"),
        ("_RNCNvC7mycrate4mains_0", "mycrate::main::{closure#1}"),
        ("_RNCNCNvC7mycrate4mains0_0s1_0", "mycrate::main::{closure#2}::{closure#3}"),
        ("_RNCNvC7mycrate4main3fnc", "mycrate::main::{closure:fnc#0}"),
        ("_RNSNvC7mycrate4main6vtable", "mycrate::main::{shim:vtable#0}"),
        ("_RNXNvC7mycrate4mains_1b", "mycrate::main::{X:b#1}"),
        // A constructor has a namespace and no name of its own.
        ("_RNcNtNtC4core6option4Some0", "core::option::Some"),
        ("_RNvMC7mycrateNtB2_4Cart3pay", "<mycrate::Cart>::pay"),
        ("_RNvMs0_C7mycrateNtB5_4Cart3pay", "<mycrate::Cart>::pay"),
        ("_RNvXCs1_7mycrateNtB2_4CartNtB2_3Pay3pay", "<mycrate::Cart as mycrate::Pay>::pay"),
        ("_RNvYhNtC7mycrate3Pay3pay", "<u8 as mycrate::Pay>::pay"),
        ("_RINvC7mycrate3maxhE", "mycrate::max::<u8>"),
        ("_RINvC7mycrate3maxE", "mycrate::max::<>"),
        ("_RNvMC7mycrateINtB2_4ListmE3pop", "<mycrate::List<u32>>::pop"),
        ("_RINvC7mycrate3maxjEC5other", "mycrate::max::<usize>"),
        ("_RINvC7mycrate3maxL_E", "mycrate::max::<'_>"),
        ("_RINvCsjrVPa4l567z_7mycrate3arrKj3_Kc78_Kb1_Kln7_EB2_", "mycrate::arr::<3, 'x', true, -7>"),
    ]) func `a path is written with its members`(name: String, readable: String) {
        #expect(RustName.readable(name) == readable)
    }

    @Test(arguments: [
        ("abcdefhijlmnopstuvxyz", "i8, bool, char, f64, str, f32, u8, isize, usize, i32, u32, i128, u128, _, i16, u16, (), ..., i64, u64, !"),
        ("RhQhPhOh", "&u8, &mut u8, *const u8, *mut u8"), ("RL_hQL_h", "&u8, &mut u8"),
        ("ShAhj10_", "[u8], [u8; 16]"), ("TEThEThuE", "(), (u8,), (u8, ())"),
        ("FEu", "fn()"), ("FhEj", "fn(u8) -> usize"), ("FUKChEz", "unsafe extern \"C\" fn(u8) -> !"), ("FK8C_unwindEu", "extern \"C-unwind\" fn()"),
        ("FG_RL0_hEu", "for<'a> fn(&'a u8)"), ("FG0_RL1_hRL0_hEu", "for<'a, 'b> fn(&'a u8, &'b u8)"),
        ("FG_FG_RL0_hRL1_hEuEu", "for<'a> fn(for<'b> fn(&'b u8, &'a u8))"),
        ("DNtC4core4SendEL_", "dyn core::Send"), ("DNtC1a1bNtC1a1cEL_", "dyn a::b + a::c"), ("DEL_", "dyn "),
        ("DNtC4core4Iterp4ItemhEL_", "dyn core::Iter<Item = u8>"), ("DINtC1a1bhEp1xhp1yjEL_", "dyn a::b<u8, x = u8, y = usize>"),
        ("FG_DNtC1a1bEL0_Eu", "for<'a> fn(dyn a::b + 'a)"), ("DG_INtC1a1bRL0_hEEL_", "dyn for<'a> a::b<&'a u8>"),
        ("INtC1a1bINtC1a1chEE", "a::b<a::c<u8>>"), ("NtC1a1bKp", "a::b, _"),
    ]) func `a type is written as in Rust's source`(types: String, readable: String) {
        #expect(RustName.readable("_RINvC1x1f\(types)E") == "x::f::<\(readable)>")
    }

    @Test(arguments: [
        ("j0_", "0"), ("j_", "0"), ("yffffffffffffffff_", "18446744073709551615"), ("o10000000000000000_", "0x10000000000000000"),
        ("an80_", "-128"), ("b0_", "false"), ("c27_", "'\\''"), ("c22_", "'\"'"), ("ca_", "'\\n'"), ("ce9_", "'é'"), ("c202e_", "'\\u{202e}'"),
        ("Re6869_", "\"hi\""), ("Re_", "\"\""), ("e6869_", "{*\"hi\"}"), ("Re225c0a00_", "\"\\\"\\\\\\n\\u{0}\""), ("Rh1_", "{&1}"),
        ("Qh1_", "{&mut 1}"), ("RRh1_", "{&&1}"), ("Ah1_h2_E", "{[1, 2]}"), ("Th1_E", "{(1,)}"), ("TE", "{()}"), ("VNtC1a1bU", "{a::b}"),
        ("VNtC1a1bTh1_ARe61_EE", "{a::b(1, [\"a\"])}"), ("VINtC1a1bhES1xh1_1yb1_E", "{a::b::<u8> { x: 1, y: true }}"),
    ]) func `a constant is written as in Rust's source`(constant: String, readable: String) {
        #expect(RustName.readable("_RINvC1x1fK\(constant)E") == "x::f::<\(readable)>")
    }

    @Test func `a back reference repeats a path, a type or a constant`() {
        #expect(RustName.readable("_RINvC1x1fNtB2_1tRB7_E") == "x::f::<x::t, &x::t>")
        #expect(RustName.readable("_RINvC1x1fINtB2_1thEDB7_p1nhEL_E") == "x::f::<x::t<u8>, dyn x::t<u8, n = u8>>")
        #expect(RustName.readable("_RINvC1x1fKVNtB2_1tUKB8_E") == "x::f::<{x::t}, {x::t}>")
        #expect(
            RustName.readable("_RINvCsjrVPa4l567z_7mycrate3genDG_INtNtNtCsgEmfK2I1SDS_4core3ops8function2FnTRL0_hRL0_hEEp6OutputRL0_hEL_EB2_")
                == "mycrate::gen::<dyn for<'a> core::ops::function::Fn<(&'a u8, &'a u8), Output = &'a u8>>")
    }

    @Test func `a suffix of a vendor is left out`() {
        #expect(RustName.readable("_RNvC7mycrate3foo.llvm.1234") == "mycrate::foo")
        #expect(RustName.readable("_RNvC7mycrate3foo$tlv$init") == "mycrate::foo")
    }

    @Test func `an identifier in punycode is decoded`() {
        #expect(RustName.readable("_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y") == "utf8_idents::საჭმელად_გემრიელი_სადილი")
        #expect(RustName.readable("_RNvC7mycrateu8gdel_5qa") == "mycrate::gödel")
        #expect(RustName.readable("_RNvC7mycrateu7wgv71a1") == "mycrate::punycode{wgv71a1}")
        #expect(RustName.readable("_RNvC7mycrateu3A_1") == "mycrate::punycode{A_1}")
        #expect(RustName.readable("_RNvC7mycrateu4_999b") == "mycrate::punycode{999b}")
        let long = "a" + String(repeating: "9", count: 300)
        #expect(RustName.readable("_RNvC7mycrateu\(long.count)\(long)") == "mycrate::punycode{\(long)}")
    }

    // MARK: Invalid names

    @Test(arguments: [
        "", "_", "_R", "_R0NvC1a1b", "_Rfoo", "_RNvC1a", "_RNvC1a1", "_RNvC1a2b", "_RNvC1a1bx", "_RN1C1a1b", "_RN_C1a1b", "_RNvC1a1b-",
        "_RNvC1a1b\u{e9}",
        "_RZ", "_RINvC1a1bh", "_RINvC1a1bLE", "_RINvC1a1bL0_E", "_RINvC1a1bRL0_hE", "_RINvC1a1bKh1E", "_RINvC1a1bKb2_E", "_RINvC1a1bKcd800_E",
        "_RINvC1a1bKc110000_E", "_RINvC1a1bKRe6_E", "_RINvC1a1bKReff_E", "_RINvC1a1bKh1A_E", "_RINvC1a1bKVC1aXE", "_RINvC1a1bDC1aEE", "_RINvC1a1bgE",
        "_RB_", "_RB0_", "_RNvB_1a", "_RNvB0_1a", "_RNvCsZZZZZZZZZZZZ_1a1b", "_RNvC99999999999999999999a1b", "_RINvC1a1bFGzz_EuE", "_RC0", "R",
        "_RNvC1a1b\0",
    ]) func `an invalid name has no readable form`(name: String) {
        #expect(RustName.readable(name) == nil)
    }

    @Test func `a truncated name is read or rejected`() {
        let name = "_RINvXs0_NtC7mycrate3fooINtB3_4CartReEDG_NtB5_3Payp1xhEL_3payKVNtB5_1tS1aKRe6869_EFUKCRShOaEzTB2_EE"
        for end in name.indices { _ = RustName.readable(String(name[..<end])) }
        for index in name.utf8.indices.dropFirst(2) {
            for byte in "0_9AEKLRTaz".utf8 {
                var bytes = Array(name.utf8)
                bytes[name.utf8.distance(from: name.utf8.startIndex, to: index)] = byte
                _ = RustName.readable(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    @Test func `names that describe more than the limits are rejected`() {
        let nested = { (count: Int) in "_RINvC1a1b" + String(repeating: "R", count: count) + "hE" }
        #expect(RustName.readable(nested(250)) == "a::b::<" + String(repeating: "&", count: 250) + "u8>")
        #expect(RustName.readable(nested(400)) == nil)
        #expect(RustName.readable("_R" + String(repeating: "Nv", count: 100_000)) == nil)
        // A tuple of two back references to the one before, forty times.
        let start = "_RINvC1a1bThhE"
        var name = start
        var last = start.utf8.count - 2 - 4
        for _ in 0..<40 {
            let place = name.utf8.count - 2
            name += "TB\(base62(last))B\(base62(last))E"
            last = place
        }
        #expect(RustName.readable(name + "E") == nil)
        let long = String(repeating: "x", count: 40_000)
        #expect(RustName.readable("_RNvC1a40000\(long)") == "a::" + long)
        #expect(RustName.readable("_RINvC1a40000\(long)NtC1a40000\(long)E") == nil)
    }

    private func base62(_ value: Int) -> String {
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        guard value > 0 else { return "_" }
        let rest = value - 1
        return (rest >= 62 ? String(digits[rest / 62]) : "") + String(digits[rest % 62]) + "_"
    }

    // MARK: The older scheme

    @Test(arguments: [
        ("core::fmt::Write::h0123456789abcdef", "core::fmt::Write"),
        ("core::ptr::drop_in_place$LT$alloc..string..String$GT$::h0123456789abcdef", "core::ptr::drop_in_place<alloc::string::String>"),
        ("_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$::fmt::hffffffffffffffff", "<&T as core::fmt::Debug>::fmt"),
        ("shop::main::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "shop::main::{{closure}}"),
        ("a::$LP$$SP$$BP$$C$$RP$::h0123456789abcdef", "a::(@*,)"),
        ("a::b.c::h0123456789abcdef", "a::b.c"),
        ("a::$u0a$$XX$$$u110000$$LT::h0123456789abcdef", "a::$u0a$$XX$$$u110000$$LT"),
    ]) func `a name of the older scheme loses its hash and escapes`(name: String, readable: String) {
        #expect(LegacyRustName.readable(name) == readable)
    }

    @Test(arguments: ["", "main", "foo(int, ...)", "::h0123456789abcde", "a::h0123456789abcdeg", "a::h0123456789ABCDEF", "a::h0123456789abcdef()"])
    func `a name without a hash is not of Rust`(name: String) {
        #expect(LegacyRustName.readable(name) == nil)
    }

    @Test func `a suffix of LLVM is cut from a name of the older scheme`() {
        let name = "_ZN4core3ptr40drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE"
        #expect(LegacyRustName.withoutSuffix(name + ".llvm.1234567890") == name)
        #expect(LegacyRustName.withoutSuffix(name) == name)
        #expect(LegacyRustName.withoutSuffix("_ZN4shop5totalE.llvm.12") == nil)
        #expect(LegacyRustName.withoutSuffix("17h0123456789abcdefE") == nil)
    }
}
