// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform

/// The texts of action pages, in English and German.
struct ActionWords: Sendable {
    let language: StaticString
    private let isGerman: Bool

    /// - Parameter locale: The parameter `lang` of a link; anything else than German is English.
    init(_ locale: String?) {
        isGerman = locale.flatMap { MailLocale($0) }?.language == "de"
        language = isGerman ? "de" : "en"
    }

    var newPassword: String { isGerman ? "Neues Passwort" : "New password" }
    var weakPassword: String {
        isGerman ? "Das Passwort ist zu kurz oder zu leicht zu erraten." : "The password is too short or too easy to guess."
    }
    var goOn: String { isGerman ? "Weiter" : "Continue" }
    var failed: String { isGerman ? "Das hat nicht geklappt" : "That did not work" }

    func question(_ kind: CodeKind, _ email: String) -> (title: String, text: String, button: String) {
        switch kind {
        case .verifyEmail, .signUp, .changeEmail:
            isGerman
                ? ("Adresse bestätigen", "Ist \(email) deine Adresse?", "Ja, bestätigen")
                : ("Confirm your address", "Is \(email) your address?", "Yes, confirm")
        case .resetPassword, .invite:
            isGerman
                ? ("Neues Passwort", "Wähle ein neues Passwort für \(email).", "Passwort speichern")
                : ("New password", "Choose a new password for \(email).", "Save the password")
        case .undoEmail:
            isGerman
                ? ("Adresse zurückholen", "\(email) wird wieder die Adresse deines Kontos, und alle Geräte werden abgemeldet.", "Rückgängig machen")
                : ("Undo the change", "\(email) becomes the address of your account again, and all devices are signed out.", "Undo the change")
        case .signIn: ("", "", "")
        }
    }

    func done(_ kind: CodeKind, _ email: String) -> (title: String, text: String) {
        switch kind {
        case .verifyEmail, .changeEmail, .signIn:
            isGerman ? ("Adresse bestätigt", "\(email) ist bestätigt.") : ("Address confirmed", "\(email) is confirmed.")
        case .signUp:
            isGerman
                ? ("Konto angelegt", "Du kannst dich jetzt in der App anmelden.") : ("Account created", "You can sign in in the app now.")
        case .resetPassword, .invite:
            isGerman
                ? ("Passwort gespeichert", "Du kannst dich jetzt mit dem neuen Passwort anmelden.")
                : ("Password saved", "You can sign in with the new password now.")
        case .undoEmail:
            isGerman
                ? ("Rückgängig gemacht", "Alle Geräte sind abgemeldet. Du bekommst eine Mail, mit der du ein neues Passwort wählst.")
                : ("Change undone", "All devices are signed out. You will get a mail to choose a new password.")
        }
    }

    func reason(_ code: Refusal.Code) -> String {
        switch code {
        case .codeExpired: isGerman ? "Der Link ist abgelaufen. Fordere eine neue Mail an." : "The link has expired. Ask for another mail."
        case .invalidCode:
            isGerman
                ? "Der Link ist falsch oder wurde schon benutzt. Fordere eine neue Mail an."
                : "The link is wrong, or it was used already. Ask for another mail."
        case .emailExists: isGerman ? "Diese Adresse hat schon ein Konto." : "This address has an account already."
        case .tooManyAttempts: isGerman ? "Zu viele Versuche. Versuche es später noch einmal." : "Too many attempts. Try again later."
        default: isGerman ? "Versuche es später noch einmal." : "Try again later."
        }
    }
}
