// SPDX-License-Identifier: Apache-2.0

import Crypto
import TestSupport
import Testing

struct SignatureKeyTests {
    private static let claims = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    /// Appendix A.2 of RFC 7515.
    @Test func `the published RS256 signature is valid`() throws {
        let modulus = try bytes(
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOW"
                + "vG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9k"
                + "G4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ")
        let signature = try bytes(
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4"
                + "BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqv"
                + "hJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
        let key = try #require(SignatureKey.rsa(modulus: modulus, exponent: [1, 0, 1]))
        let message = Array("eyJhbGciOiJSUzI1NiJ9.\(Self.claims)".utf8)
        #expect(key.kind == .rsa)
        #expect(key.isValid(signature, of: message))
        #expect(!key.isValid(signature, of: message + [0]))
        let numbers = try #require(key.rsaNumbers)
        #expect(numbers.modulus == modulus && numbers.exponent == [1, 0, 1])
    }

    @Test func `weak and odd numbers of RSA are no keys`() {
        let key = RSAPrivateKey.make().publicKey
        let modulus = key.rsaNumbers?.modulus ?? []
        #expect(SignatureKey.rsa(modulus: [0] + modulus, exponent: [1, 0, 1]) != nil)
        for exponent in [[], [0], [1], [2], [1, 0, 0], [1, 0, 0, 0, 1]] as [[UInt8]] {
            #expect(SignatureKey.rsa(modulus: modulus, exponent: exponent) == nil)
        }
        #expect(SignatureKey.rsa(modulus: Array(modulus.dropFirst()), exponent: [1, 0, 1]) == nil)
        #expect(SignatureKey.rsa(modulus: [UInt8](repeating: 0xff, count: 1_025), exponent: [1, 0, 1]) == nil)
        #expect(SignatureKey.rsa(modulus: [], exponent: [1, 0, 1]) == nil)
    }

    /// Appendix A.3 of RFC 7515.
    @Test func `the published ES256 signature is valid`() throws {
        let (x, y) = (try bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"), try bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let signature = try bytes("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        let key = try #require(SignatureKey.p256(x: x, y: y))
        let message = Array("eyJhbGciOiJFUzI1NiJ9.\(Self.claims)".utf8)
        #expect(key.isValid(signature, of: message))
        for bit in 0..<512 {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.isValid(changed, of: message))
        }
        var outside = y
        outside[31] ^= 1
        #expect(SignatureKey.p256(x: x, y: outside) == nil)
        #expect(SignatureKey.p256(x: [0] + x, y: y) == nil)
        #expect(SignatureKey.p256(x: [UInt8](repeating: 0, count: 32), y: [UInt8](repeating: 0, count: 32)) == nil)
    }

    @Test func `r and s of zero, of the order or in another form are invalid`() throws {
        let key = try #require(
            SignatureKey.p256(x: bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"), y: bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")))
        let order = try #require(Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        let (zero, one) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 31) + [1])
        for signature in [zero + zero, zero + one, one + zero, order + one, one + order, one + one, [], one, one + one + [0]] {
            #expect(!key.isValid(signature, of: [1]))
        }
        // A valid signature in DER, which other libraries return.
        let der = try bytes("MEUCIA7RIVN5Y2xIPC9_FVgH1AKjsigDOvl8fheBmsMWnqZlAiEAxQoH04w8cOXY8S2vCEpUgKZlkMXyk1Cajz9_ioOjVNU")
        #expect(!key.isValid(der, of: Array("eyJhbGciOiJFUzI1NiJ9.\(Self.claims)".utf8)))
    }

    /// Appendix A.4 of RFC 8037.
    @Test func `the published EdDSA signature is valid`() throws {
        let key = try #require(SignatureKey.ed25519(bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")))
        let signature = try bytes("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
        let message = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        #expect(key.kind == .ed25519)
        #expect(key.isValid(signature, of: message))
        #expect(!key.isValid(signature, of: message + [0]))
        #expect(!key.isValid(signature + [0], of: message))
        #expect(SignatureKey.ed25519([UInt8](repeating: 1, count: 31)) == nil)
    }

    @Test func `keys in DER are read whole, and only with a named curve`() throws {
        let rsa = RSAPrivateKey.make().publicKey.der
        #expect(SignatureKey(der: rsa)?.kind == .rsa)
        #expect(SignatureKey(der: rsa)?.der == rsa)
        #expect(SignatureKey(der: rsa + [0]) == nil)
        for length in stride(from: 0, to: rsa.count, by: 7) { #expect(SignatureKey(der: Array(rsa[..<length])) == nil) }
        // `openssl ecparam -name prime256v1 -param_enc explicit -genkey | openssl ec -pubout -outform DER`
        let explicit = try #require(
            Base64.decode(
                "MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSdNgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABE3j66R/AoD1w2tgTBM7WkhMr8OJ9WsmLqJcFuqnfaqi/Y3OMCAlnST6VRyPLeqm5KDyk+JufoRtb0O7lQkIjSM="
            ))
        #expect(SignatureKey(der: explicit) == nil)
        // P-384.
        let other = try #require(
            Base64.decode(
                "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEepKIyvSw8wCZbInS0h/lyEM1QxYm5lFcrFzuqbuTA5CvWWe9faC/jM6w95xJ58INWimJCzK3Fr8up+D+/IFuw2T4//4wEtTgIRZgXW2m/29asEyIb49stzQG6zHvGig4"
            ))
        #expect(SignatureKey(der: other) == nil)
    }

    @Test func `a private key keeps signing after it was stored`() throws {
        let key = RSAPrivateKey.make()
        let signature = key.sign([1, 2, 3])
        #expect(key.publicKey.isValid(signature, of: [1, 2, 3]))
        let stored = try #require(RSAPrivateKey(der: key.der))
        #expect(stored.sign([1, 2, 3]) == signature)
        #expect(stored.publicKey.der == key.publicKey.der)
        #expect(RS256Signer(pem: PEM.encode(key.der, "PRIVATE KEY")).sign([1, 2, 3]) == signature)
        #expect(RSAPrivateKey(der: key.der + [0]) == nil)
        #expect(RSAPrivateKey(der: Array(key.der.dropLast())) == nil)
        #expect(RSAPrivateKey(der: key.publicKey.der) == nil)
        #expect(RSAPrivateKey(der: []) == nil)
    }

    @Test func `a certificate has the key and its times`() {
        let key = RSAPrivateKey.make()
        let certificate = key.certificate(name: "accounts", from: 1_700_000_000, until: 1_800_000_000)
        let text = String(decoding: certificate, as: UTF8.self)
        #expect(text.contains("231114221320Z") && text.contains("270115080000Z") && text.contains("accounts"))
        #expect(certificate.count > key.publicKey.der.count)
        let pem = PEM.encode(certificate, "CERTIFICATE")
        #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----\nMII") && pem.hasSuffix("\n-----END CERTIFICATE-----\n"))
        #expect(pem.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
    }
}
