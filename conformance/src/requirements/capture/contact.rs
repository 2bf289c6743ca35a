//! Contact data of a lead form: an email or a phone, and email addresses that match the pattern of the document.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Cases, Context, Requirement, Source, Verdict, demand, ensure, ensure_met};
use crate::steps::lead_form;
use crate::steps::lead_form::never;
use crate::strategies::Space;

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

/// Valid and invalid addresses; `{who}` makes each of them unique.
const ADDRESSES: [&str; 20] = [
    "{who}@example.com",
    "{who}@localhost",
    "{who}!x@example.com",
    "\"{who}\"@[127.0.0.1]",
    "{who}.\u{e9}@ex\u{e4}mple.example",
    "{who}",
    "@{who}.example",
    "{who}@",
    "{who}@@example.com",
    "a@{who}@example.com",
    "{who} x@example.com",
    " {who}@example.com",
    "{who}@example.com ",
    "{who}@exam ple.com",
    "{who}@example.com\n",
    "{who}\t@example.com",
    "{who}\u{a0}@example.com",
    "{who}@example\u{3000}.com",
    "{who}\u{7}@example.com",
    "{who}@example.com\u{85}",
];

/// Numbers as they are typed, and as leads show them.
const PHONES: [(&str, &str); 4] = [
    ("+44 (0)20 7946 0000", "+442079460000"),
    ("0044 20 7946 0000", "+442079460000"),
    (" +44 20 7946 0000 x12", "+442079460000"),
    ("020 7946 0000", "020 7946 0000"),
];

const NOTHING_STORED: Source = Sentence("A refused request makes and changes no job, article, scheduled post or lead.");

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.contact.required",
            "A lead form without email and without phone gets 422, and no lead is stored.",
            &[
                Sentence("At least one of `email` and `phone` is given."),
                Sentence("The lead is not valid."),
                Sentence("The request breaks the schema."),
                NOTHING_STORED,
            ],
            contact,
        )
        .needs(FORM),
        Requirement::new(
            "capture.contact.empty",
            "In JSON an empty email or phone gets 422, even if the other one is given, and no lead is stored.",
            &[
                Part("/components/schemas/LeadCapture/properties/email/minLength"),
                Part("/components/schemas/LeadCapture/properties/phone/minLength"),
                Sentence("The request breaks the schema."),
                NOTHING_STORED,
            ],
            empty_contact,
        )
        .needs(FORM),
        Requirement::new(
            "capture.phone.understood",
            "A telephone number with the code of its country is shown in E.164, any other unchanged, and phone_typed is always what the form sent.",
            &[
                Sentence("A number that begins with `+` or `00` and the code of its country is understood: `+44 (0)20 7946 0000`, `0044 20 7946 0000` and `+44 20 7946 0000 x12` become `+442079460000`."),
                Sentence("A prefix that is dialled only within the country is left out, and so is an extension."),
                Sentence("The service guesses no country: `020 7946 0000` stays unchanged."),
                Sentence("Telephone number in E.164 if the service understood it, otherwise `phone_typed`."),
                Sentence("Telephone number as the form sent it."),
                Sentence("Null or absent exactly if `phone` is."),
            ],
            phones,
        )
        .needs(FORM),
        Requirement::new(
            "capture.email.refused",
            "An email without exactly one @ between two texts, or with white space or a control character, gets 422 invalid_format at #/email, and no lead is stored.",
            &[
                Sentence("E-mail address: exactly one `@` with text before and after it, no white space and no control characters."),
                Sentence("`invalid_format`: any other broken rule, such as a wrong type, null, a malformed e-mail address or time, or a value outside a vocabulary."),
                Sentence("JSON Pointer of the field in the body, as a URI fragment."),
                NOTHING_STORED,
            ],
            invalid_emails,
        )
        .drawn("addresses that do not match the pattern", Cases::Exactly(1), |space, _| addresses(space, false))
        .needs(FORM),
        Requirement::new(
            "capture.email.accepted",
            "An email with one @ between two texts, without white space and control characters, is stored unchanged.",
            &[
                Sentence("E-mail address: exactly one `@` with text before and after it, no white space and no control characters."),
                Part("/components/schemas/LeadCapture/properties/email/pattern"),
                Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
            ],
            valid_emails,
        )
        .drawn("addresses that match the pattern", Cases::Exactly(1), |space, _| addresses(space, true))
        .needs(FORM),
    ]
}

async fn contact(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("nobody");
    let response = lead_form::send(&context, &json!({ "name": marker, "message": "call me" })).await?;
    demand::problem(&response, 422, &["validation_failed"])?;
    never(&context, &marker).await
}

async fn empty_contact(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("empty");
    let bodies = [
        json!({ "email": "", "name": marker }),
        json!({ "phone": "", "name": marker }),
        json!({ "email": "", "phone": "+442079460000", "name": marker }),
        json!({ "email": format!("{marker}@example.com"), "phone": "" }),
    ];
    for body in bodies {
        let response = lead_form::send(&context, &body).await?;
        demand::problem(&response, 422, &["validation_failed"])?;
    }
    never(&context, &marker).await
}

async fn phones(context: Context, _: Value) -> Verdict {
    for (typed, shown) in PHONES {
        let marker = context.fresh("phone");
        let lead = lead_form::captured(&context, &marker, &json!({ "name": marker, "phone": typed })).await?;
        demand::same("phone", &json!(shown), &lead["phone"])?;
        demand::same("phone_typed", &json!(typed), &lead["phone_typed"])?;
    }
    let marker = context.fresh("phone");
    let body = json!({ "email": format!("{marker}@example.com") });
    let lead = lead_form::captured(&context, &marker, &body).await?;
    demand::same("phone_typed", &Value::Null, &lead["phone_typed"])
}

/// Returns the addresses that match the document's pattern, or, if `are_valid` is false, those that do not.
fn addresses(space: &Space, are_valid: bool) -> Value {
    let email = &space.document().schema("LeadCapture")["properties"]["email"];
    let is_valid = |address: &&&str| space.document().fits(email, &json!(address.replace("{who}", "who")));
    ADDRESSES.iter().filter(|address| is_valid(address) == are_valid).copied().collect()
}

async fn invalid_emails(context: Context, addresses: Value) -> Verdict {
    ensure_met(
        addresses.as_array().is_some_and(|all| !all.is_empty()),
        "none of the sample addresses is of this kind",
    )?;
    let marker = context.fresh("address");
    for (number, address) in addresses.as_array().into_iter().flatten().filter_map(Value::as_str).enumerate() {
        let email = address.replace("{who}", &format!("{number}-{marker}"));
        let answer = lead_form::send(&context, &json!({ "email": email, "name": marker })).await?;
        demand::problem(&answer, 422, &["validation_failed"])?;
        let errors = answer.json().map(|problem| problem["errors"].clone()).unwrap_or_default();
        let is_named = |error: &Value| error["pointer"] == "#/email" && error["code"] == "invalid_format";
        let is_listed = errors.as_array().into_iter().flatten().any(is_named);
        ensure(is_listed, "invalid_format at #/email", || demand::brief(&errors)).about(&answer)?;
    }
    never(&context, &marker).await
}

async fn valid_emails(context: Context, addresses: Value) -> Verdict {
    ensure_met(
        addresses.as_array().is_some_and(|all| !all.is_empty()),
        "none of the sample addresses is of this kind",
    )?;
    let marker = context.fresh("address");
    for (number, address) in addresses.as_array().into_iter().flatten().filter_map(Value::as_str).enumerate() {
        let who = format!("{number}-{marker}");
        let email = address.replace("{who}", &who);
        let lead = lead_form::captured(&context, &who, &json!({ "email": email })).await?;
        demand::same("email", &json!(email), &lead["email"])?;
    }
    Ok(())
}
