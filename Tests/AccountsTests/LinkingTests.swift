// SPDX-License-Identifier: Apache-2.0

@testable import Accounts
@testable import JOSE
import Platform
import Testing

struct LinkingTests {
    private typealias Rule = Linking<Int>

    /// An account that was linked, signed in and owns the address may each be missing, one, or another.
    @Test func `each combination of facts has the decision of its row`() {
        let (mine, other) = (1, 2)
        for signedIn in [nil, mine, other] as [Int?] {
            for owner in [nil, mine, other] as [Int?] {
                for (isVerified, isTrusted) in [(false, false), (false, true), (true, false), (true, true)] {
                    func decide(_ linked: Int?) -> Rule.Decision {
                        let address = owner.map { Rule.AddressOwner($0, isVerified: isVerified) }
                        return Rule.decide(.init(linked: linked, signedIn: signedIn, addressOwner: address, isAddressTrusted: isTrusted))
                    }
                    #expect(decide(mine) == (signedIn == nil || signedIn == mine ? .signIn(mine) : .identityLinked))
                    if let signedIn {
                        #expect(decide(nil) == .link(signedIn))
                    } else if let owner {
                        #expect(decide(nil) == (!isTrusted ? .accountExists : isVerified ? .link(owner) : .takeOver(owner)))
                    } else {
                        #expect(decide(nil) == .create)
                    }
                }
            }
        }
    }

    /// An attacker signs up with the victim's address before, or after, the victim comes with a provider that proves it.
    @Test func `nobody keeps a way into an account of somebody else's address`() {
        // The attacker was first and never verified the address: all of it is dropped.
        let first = Rule.decide(.init(linked: nil, signedIn: nil, addressOwner: .init(1, isVerified: false), isAddressTrusted: true))
        #expect(first == .takeOver(1))
        // The victim was first: a provider that proves nothing opens nothing.
        let second = Rule.decide(.init(linked: nil, signedIn: nil, addressOwner: .init(1, isVerified: true), isAddressTrusted: false))
        #expect(second == .accountExists)
    }

    @Test(arguments: [
        (EmailTrust.google, #""email":"ana@gmail.com","email_verified":true"#, true),
        (.google, #""email":"Ana@Gmail.com","email_verified":true"#, true),
        (.google, #""email":"ana@example.org","email_verified":true"#, false),
        (.google, #""email":"ana@example.org","email_verified":true,"hd":"example.org""#, true),
        (.google, #""email":"ana@gmail.com","email_verified":false,"hd":"gmail.com""#, false),
        (.google, #""email":"ana@notgmail.com","email_verified":true"#, false),
        (.google, #""email":"ana@example.org","email_verified":true,"hd":"""#, false),
        (.verified, #""email":"ana@example.org","email_verified":"true""#, true),
        (.verified, #""email":"ana@example.org""#, false), (.none, #""email":"ana@example.org","email_verified":true"#, false),
    ])
    func `an address is proved only by a provider that can`(trust: EmailTrust, claims: String, isTrusted: Bool) throws {
        let claims = try TokenClaims(Array(#"{"iss":"i","sub":"s","aud":"a","iat":1,"exp":2,\#(claims)}"#.utf8))
        let email = try #require(trust.email(of: claims))
        #expect(email.isTrusted == isTrusted)
    }

    @Test func `a claim that is no address is none`() throws {
        for value in ["1", #""ana""#, #""a\r\nb@x.org""#, "null"] {
            let claims = try TokenClaims(Array(#"{"iss":"i","sub":"s","aud":"a","iat":1,"exp":2,"email_verified":true,"email":\#(value)}"#.utf8))
            #expect(EmailTrust.verified.email(of: claims) == nil)
        }
    }
}
