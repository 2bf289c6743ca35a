//! Texts of the page that confirms a lead, in the supported languages and otherwise in English.

/// The texts in one language. Each pair is a title and the text below it.
#[derive(Debug)]
pub(super) struct Words {
    /// Language of the texts (BCP 47).
    pub(super) language: &'static str,
    pub(super) ask: (&'static str, &'static str),
    pub(super) button: &'static str,
    pub(super) confirmed: (&'static str, &'static str),
    pub(super) expired: (&'static str, &'static str),
    pub(super) erased: (&'static str, &'static str),
    pub(super) unknown: (&'static str, &'static str),
    /// The lead cannot be read or confirmed at the moment.
    pub(super) later: (&'static str, &'static str),
}

const ENGLISH: Words = Words {
    language: "en",
    ask: (
        "Please confirm",
        "Did you leave your particulars in our form? Then confirm it here. If it was not you, close this page: nothing happens.",
    ),
    button: "Confirm",
    confirmed: ("Thank you", "It is confirmed. You can close this page."),
    expired: (
        "This link has expired",
        "It was valid for seven days. Please fill in the form again to get another one.",
    ),
    erased: ("There is nothing to confirm any more", "What you left with us has been erased."),
    unknown: ("This link does not work", "Please check that you have copied all of it, or fill in the form again."),
    later: ("Not now", "That did not work just now. Please wait a moment and open the link again."),
};

const GERMAN: Words = Words {
    language: "de",
    ask: (
        "Bitte bestätigen",
        "Haben Sie Ihre Angaben in unserem Formular hinterlassen? Dann bestätigen Sie es hier. Wenn Sie es nicht waren, schließen Sie diese Seite: Es geschieht nichts.",
    ),
    button: "Bestätigen",
    confirmed: ("Vielen Dank", "Es ist bestätigt. Sie können diese Seite schließen."),
    expired: (
        "Dieser Link ist abgelaufen",
        "Er galt sieben Tage lang. Bitte füllen Sie das Formular noch einmal aus, um einen neuen zu bekommen.",
    ),
    erased: ("Es gibt nichts mehr zu bestätigen", "Was Sie bei uns hinterlassen haben, ist gelöscht."),
    unknown: (
        "Dieser Link funktioniert nicht",
        "Bitte prüfen Sie, ob Sie ihn ganz kopiert haben, oder füllen Sie das Formular noch einmal aus.",
    ),
    later: (
        "Gerade nicht",
        "Das hat eben nicht geklappt. Bitte warten Sie einen Moment und öffnen Sie den Link noch einmal.",
    ),
};

const FRENCH: Words = Words {
    language: "fr",
    ask: (
        "Veuillez confirmer",
        "Avez-vous laissé vos coordonnées dans notre formulaire ? Alors confirmez-le ici. Si ce n’était pas vous, fermez cette page : rien ne se passera.",
    ),
    button: "Confirmer",
    confirmed: ("Merci", "C’est confirmé. Vous pouvez fermer cette page."),
    expired: (
        "Ce lien a expiré",
        "Il était valable sept jours. Veuillez remplir de nouveau le formulaire pour en recevoir un autre.",
    ),
    erased: ("Il n’y a plus rien à confirmer", "Ce que vous nous aviez laissé a été effacé."),
    unknown: (
        "Ce lien ne fonctionne pas",
        "Vérifiez que vous l’avez copié en entier, ou remplissez de nouveau le formulaire.",
    ),
    later: ("Pas maintenant", "Cela n’a pas fonctionné à l’instant. Patientez un moment et ouvrez de nouveau le lien."),
};

const SPANISH: Words = Words {
    language: "es",
    ask: (
        "Confirme, por favor",
        "¿Ha dejado sus datos en nuestro formulario? Entonces confírmelo aquí. Si no fue usted, cierre esta página: no ocurrirá nada.",
    ),
    button: "Confirmar",
    confirmed: ("Gracias", "Está confirmado. Puede cerrar esta página."),
    expired: (
        "Este enlace ha caducado",
        "Era válido durante siete días. Rellene de nuevo el formulario para recibir otro.",
    ),
    erased: ("Ya no hay nada que confirmar", "Lo que nos dejó se ha borrado."),
    unknown: ("Este enlace no funciona", "Compruebe que lo ha copiado entero, o rellene de nuevo el formulario."),
    later: ("Ahora no", "Ahora mismo no ha sido posible. Espere un momento y abra el enlace otra vez."),
};

const ITALIAN: Words = Words {
    language: "it",
    ask: (
        "Confermi, per favore",
        "Ha lasciato i suoi dati nel nostro modulo? Allora lo confermi qui. Se non è stato lei, chiuda questa pagina: non succede nulla.",
    ),
    button: "Confermare",
    confirmed: ("Grazie", "È confermato. Può chiudere questa pagina."),
    expired: (
        "Questo link è scaduto",
        "Era valido per sette giorni. Compili di nuovo il modulo per riceverne un altro.",
    ),
    erased: ("Non c’è più nulla da confermare", "Ciò che ci aveva lasciato è stato cancellato."),
    unknown: ("Questo link non funziona", "Controlli di averlo copiato per intero, oppure compili di nuovo il modulo."),
    later: ("Non ora", "In questo momento non è riuscito. Attenda un momento e apra di nuovo il link."),
};

const DUTCH: Words = Words {
    language: "nl",
    ask: (
        "Bevestig alstublieft",
        "Hebt u uw gegevens in ons formulier achtergelaten? Bevestig het dan hier. Was u het niet, sluit dan deze pagina: er gebeurt niets.",
    ),
    button: "Bevestigen",
    confirmed: ("Bedankt", "Het is bevestigd. U kunt deze pagina sluiten."),
    expired: (
        "Deze link is verlopen",
        "Hij was zeven dagen geldig. Vul het formulier opnieuw in om een nieuwe te krijgen.",
    ),
    erased: ("Er is niets meer te bevestigen", "Wat u bij ons hebt achtergelaten, is gewist."),
    unknown: ("Deze link werkt niet", "Controleer of u hem helemaal hebt gekopieerd, of vul het formulier opnieuw in."),
    later: ("Nu niet", "Dat lukte zojuist niet. Wacht even en open de link opnieuw."),
};

const PORTUGUESE: Words = Words {
    language: "pt",
    ask: (
        "Confirme, por favor",
        "Deixou os seus dados no nosso formulário? Então confirme aqui. Se não foi você, feche esta página: nada acontece.",
    ),
    button: "Confirmar",
    confirmed: ("Obrigado", "Está confirmado. Pode fechar esta página."),
    expired: ("Esta ligação expirou", "Era válida por sete dias. Preencha de novo o formulário para receber outra."),
    erased: ("Já não há nada para confirmar", "O que nos deixou foi apagado."),
    unknown: ("Esta ligação não funciona", "Verifique se a copiou por inteiro, ou preencha de novo o formulário."),
    later: ("Agora não", "Neste momento não foi possível. Espere um pouco e abra a ligação outra vez."),
};

const KNOWN: [&Words; 7] = [&ENGLISH, &GERMAN, &FRENCH, &SPANISH, &ITALIAN, &DUTCH, &PORTUGUESE];

/// Returns the texts for a website in this language (BCP 47).
pub(super) fn words_of(language: &str) -> &'static Words {
    let primary = language.split('-').next().unwrap_or_default();
    KNOWN.into_iter().find(|words| words.language.eq_ignore_ascii_case(primary)).unwrap_or(&ENGLISH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_decides_without_its_region_and_english_stands_for_the_others() {
        for (language, expected) in
            [("de-AT", "de"), ("PT-br", "pt"), ("en", "en"), ("ja", "en"), ("deu", "en"), ("", "en")]
        {
            assert_eq!(words_of(language).language, expected, "{language}");
        }
    }
}
