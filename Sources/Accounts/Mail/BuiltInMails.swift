// SPDX-License-Identifier: Apache-2.0

import Platform

/// The built-in mails. Each has a subject, what happened, perhaps a link and a code, and what to do if it was somebody else.
enum BuiltInMails {
    struct Words: Sendable {
        var subject: String
        var intro: String
        /// The label of the link.
        var action = ""
        var outro: String
    }

    static func content(_ kind: MailKind, _ locale: MailLocale?, _ values: MailValues) -> MailContent {
        let isGerman = locale?.language == "de"
        let words = isGerman ? german(kind) : english(kind)
        func filled(_ text: String, _ form: MailTemplate.Form) -> String {
            // The texts below are correct templates; a test fills each.
            (try? MailTemplate(text).filled(values, form)) ?? text
        }
        let codeLabel = "Code"
        let hasCode = kind.hasDigits && !values.code.isEmpty
        var text = [filled(words.intro, .text)]
        var html = ["<p>\(filled(words.intro, .html))</p>"]
        if !values.link.isEmpty, !words.action.isEmpty {
            text.append("\(words.action):\n\(values.link)")
            html.append("<p><a href=\"\(HTMLText(values.link).source)\">\(HTMLText(words.action).source)</a></p>")
        }
        if hasCode {
            text.append("\(codeLabel): \(values.spacedCode)")
            html.append("<p>\(codeLabel): <strong>\(HTMLText(values.spacedCode).source)</strong></p>")
        }
        text.append(filled(words.outro, .text))
        html.append("<p>\(filled(words.outro, .html))</p>")
        let page = "<!DOCTYPE html>\n<html lang=\"\(isGerman ? "de" : "en")\"><head><meta charset=\"utf-8\"></head><body>\n"
        return MailContent(
            subject: filled(words.subject, .text), text: text.joined(separator: "\n\n") + "\n",
            html: page + html.joined(separator: "\n") + "\n</body></html>\n")
    }

    static func english(_ kind: MailKind) -> Words {
        let ignore = "If you did not ask for this, ignore this mail. Nobody can do anything without it."
        return switch kind {
        case .verifyEmail:
            Words(
                subject: "Confirm your address for {{app}}", intro: "Please confirm that {{email}} is your address for {{app}}.",
                action: "Confirm the address", outro: ignore)
        case .resetPassword:
            Words(
                subject: "Reset your password for {{app}}", intro: "Somebody asked for a new password for {{email}} in {{app}}.",
                action: "Choose a new password", outro: ignore + " Your password stays as it is.")
        case .signIn:
            Words(
                subject: "Sign in to {{app}}", intro: "Here is your way into {{app}}. It is valid for 10 minutes and once.", action: "Sign in",
                outro: ignore + " Never give the code to anybody.")
        case .changeEmail:
            Words(
                subject: "Confirm your new address for {{app}}", intro: "{{email}} is to be the new address of your account in {{app}}.",
                action: "Confirm the new address", outro: ignore)
        case .signUp:
            Words(
                subject: "Welcome to {{app}}", intro: "Please confirm that {{email}} is your address. Then your account in {{app}} is ready.",
                action: "Confirm and create the account", outro: ignore)
        case .invite:
            Words(
                subject: "Your account in {{app}}", intro: "An account in {{app}} was made for {{email}}.", action: "Choose a password",
                outro: "The link is valid for 7 days. If you do not want the account, ignore this mail.")
        case .emailChanged, .passwordChanged, .newDevice, .secondFactorChanged, .accountExists: englishNotice(kind)
        }
    }

    private static func englishNotice(_ kind: MailKind) -> Words {
        switch kind {
        case .emailChanged:
            Words(
                subject: "Your address in {{app}} was changed",
                intro: "The address of your account in {{app}} is now {{about}} instead of {{email}}.",
                action: "Undo this and sign out everywhere", outro: "If that was you, there is nothing to do. The link is valid for 7 days.")
        case .passwordChanged:
            Words(
                subject: "Your password for {{app}} was changed", intro: "The password for {{email}} in {{app}} was just changed.",
                outro: "If that was not you, reset your password in the app at once.")
        case .newDevice:
            Words(
                subject: "New sign-in to {{app}}", intro: "Somebody signed in as {{email}} to {{app}} on a new device: {{about}}",
                outro: "If that was not you, change your password in the app, which signs out all other devices.")
        case .secondFactorChanged:
            Words(
                subject: "Your second factor in {{app}} was changed", intro: "A second factor of {{email}} in {{app}} was just added or removed.",
                outro: "If that was not you, reset your password in the app at once and look at your second factors.")
        default:
            Words(
                subject: "You have an account in {{app}}", intro: "Somebody tried to use {{email}} for a new account in {{app}}, but it has one.",
                outro: "If that was you, sign in, or reset your password in the app. If not, there is nothing to do.")
        }
    }

    static func german(_ kind: MailKind) -> Words {
        let ignore = "Wenn du das nicht warst, ignoriere diese Mail. Ohne sie kann niemand etwas tun."
        return switch kind {
        case .verifyEmail:
            Words(
                subject: "Bestätige deine Adresse für {{app}}", intro: "Bitte bestätige, dass {{email}} deine Adresse für {{app}} ist.",
                action: "Adresse bestätigen", outro: ignore)
        case .resetPassword:
            Words(
                subject: "Neues Passwort für {{app}}", intro: "Für {{email}} wurde in {{app}} ein neues Passwort angefordert.",
                action: "Neues Passwort wählen", outro: ignore + " Dein Passwort bleibt, wie es ist.")
        case .signIn:
            Words(
                subject: "Anmelden bei {{app}}", intro: "Hier geht es zu {{app}}. Das gilt 10 Minuten lang und einmal.", action: "Anmelden",
                outro: ignore + " Gib den Code niemandem.")
        case .changeEmail:
            Words(
                subject: "Bestätige deine neue Adresse für {{app}}", intro: "{{email}} soll die neue Adresse deines Kontos in {{app}} sein.",
                action: "Neue Adresse bestätigen", outro: ignore)
        case .signUp:
            Words(
                subject: "Willkommen bei {{app}}",
                intro: "Bitte bestätige, dass {{email}} deine Adresse ist. Dann ist dein Konto in {{app}} bereit.",
                action: "Bestätigen und Konto anlegen", outro: ignore)
        case .invite:
            Words(
                subject: "Dein Konto in {{app}}", intro: "In {{app}} wurde ein Konto für {{email}} angelegt.", action: "Passwort wählen",
                outro: "Der Link gilt 7 Tage. Wenn du das Konto nicht willst, ignoriere diese Mail.")
        case .emailChanged, .passwordChanged, .newDevice, .secondFactorChanged, .accountExists: germanNotice(kind)
        }
    }

    private static func germanNotice(_ kind: MailKind) -> Words {
        switch kind {
        case .emailChanged:
            Words(
                subject: "Deine Adresse in {{app}} wurde geändert",
                intro: "Die Adresse deines Kontos in {{app}} ist jetzt {{about}} statt {{email}}.",
                action: "Rückgängig machen und überall abmelden", outro: "Wenn du das warst, ist nichts zu tun. Der Link gilt 7 Tage.")
        case .passwordChanged:
            Words(
                subject: "Dein Passwort für {{app}} wurde geändert", intro: "Das Passwort für {{email}} in {{app}} wurde gerade geändert.",
                outro: "Wenn du das nicht warst, setze dein Passwort sofort in der App zurück.")
        case .newDevice:
            Words(
                subject: "Neue Anmeldung bei {{app}}", intro: "Jemand hat sich als {{email}} auf einem neuen Gerät bei {{app}} angemeldet: {{about}}",
                outro: "Wenn du das nicht warst, ändere dein Passwort in der App. Das meldet alle anderen Geräte ab.")
        case .secondFactorChanged:
            Words(
                subject: "Dein zweiter Faktor in {{app}} wurde geändert",
                intro: "Ein zweiter Faktor von {{email}} in {{app}} wurde gerade hinzugefügt oder entfernt.",
                outro: "Wenn du das nicht warst, setze dein Passwort sofort in der App zurück und sieh dir deine zweiten Faktoren an.")
        default:
            Words(
                subject: "Du hast ein Konto in {{app}}",
                intro: "Jemand wollte mit {{email}} ein neues Konto in {{app}} anlegen, aber es gibt schon eins.",
                outro: "Wenn du das warst, melde dich an oder setze dein Passwort in der App zurück. Wenn nicht, ist nichts zu tun.")
        }
    }
}
