//! Lead forms as multipart/form-data: they mean the same as other forms, and may not contain files.

use serde_json::{Value, json};

use super::media_type::ensure_joined;
use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Cases, Context, Requirement, Source, Verdict, demand};
use crate::steps::draws::index_of;
use crate::steps::forms::{ensure_kept, flattened, repeated, sent, unfilled};
use crate::steps::lead_form;
use crate::steps::lead_form::{Part, captured_by, multipart, never};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.multipart.like-json",
            "A lead form is accepted as multipart/form-data, with the same names as a form-encoded form.",
            &[
                Sentence("The same content makes the same lead in each of the three media types."),
                Sentence("A name `utm_NAME` becomes `source.utm.NAME`."),
                Sentence("Any other name that this schema does not list becomes one of `fields`, with the bounds of `LeadFields`."),
                Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
            ],
            like_json,
        )
        .needs(FORM),
        Requirement::new(
            "capture.multipart.like-form",
            "Empty and repeated values in multipart/form-data mean the same as in a form-encoded form.",
            &[
                Sentence("The same content makes the same lead in each of the three media types."),
                Sentence("An empty value means that the field was not filled in."),
                Sentence("The values of a repeated name are joined with `, ` in their order."),
            ],
            like_form,
        )
        .needs(FORM),
        Requirement::new(
            "capture.multipart.file",
            "A part with a file that is not empty gets 422 invalid_format with a pointer to the part, and no lead is stored.",
            &[
                Sentence("A part of `multipart/form-data` with a file that is not empty is refused with 422: `pointer` is `#/` followed by the name of the part, and `code` is `invalid_format`."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
            ],
            file,
        )
        .needs(FORM),
        Requirement::new(
            "capture.multipart.empty-file",
            "An empty field for a file counts as not filled in.",
            &[Sentence("An empty file counts as not filled in.")],
            empty_file,
        )
        .needs(FORM),
        Requirement::new(
            "capture.multipart.parts",
            "A lead form with the maximum number of parts is accepted; with one more it gets 422, and no lead is stored.",
            &[
                Sentence("Parts of a lead form as `multipart/form-data`."),
                Sentence("More are refused with 422."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Source::Part("/x-limits/capture_parts/maximum"),
            ],
            parts,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("capture_parts", "maximum"))
        })
        .needs(FORM),
        Requirement::new(
            "capture.multipart.malformed",
            "A lead form as multipart/form-data without a boundary, or with a truncated body, gets 400 invalid_header, and no lead is stored.",
            &[
                Sentence("The HTTP message, a header such as `Idempotency-Key`, or a body of `multipart/form-data` is malformed."),
                Sentence("A JSON body is not exactly one object, a form is malformed, or a header is malformed."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
                Standard("RFC 2046", "5.1.1"),
            ],
            malformed,
        )
        .needs(FORM),
    ]
}

fn texts(pairs: &[(String, String)]) -> Vec<Part> {
    pairs.iter().map(|(name, value)| Part::text(name, value)).collect()
}

async fn like_json(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("parted");
    let body = sent(&marker);
    let lead = captured_by(&context, &marker, multipart(&context, &texts(&flattened(&body)))?).await?;
    ensure_kept(&lead, &body)
}

async fn like_form(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("parted");
    let lead = captured_by(&context, &marker, multipart(&context, &texts(&repeated(&marker)))?).await?;
    ensure_joined(&lead)?;
    let marker = context.fresh("parted");
    let lead = captured_by(&context, &marker, multipart(&context, &texts(&unfilled(&marker)))?).await?;
    for name in ["name", "company", "phone", "message"] {
        demand::same(name, &Value::Null, &lead[name])?;
    }
    demand::same("fields", &json!({}), &lead["fields"])
}

fn person(marker: &str) -> Part {
    Part::text("email", &format!("{marker}@example.com"))
}

async fn file(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("filed");
    let answer =
        context.send(multipart(&context, &[person(&marker), Part::file("photo", "me.png", "not really one")])?).await?;
    demand::only_field_error(&answer, "#/photo", "invalid_format")?;
    never(&context, &marker).await
}

async fn empty_file(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("filed");
    let lead =
        captured_by(&context, &marker, multipart(&context, &[Part::file("photo", "", ""), person(&marker)])?).await?;
    demand::same("fields", &json!({}), &lead["fields"])
}

async fn parts(context: Context, limit: Value) -> Verdict {
    let limit = index_of(&limit);
    let of_count = |marker: &str, count: usize| -> Vec<Part> {
        let others = (1..count).map(|_| Part::text("size", "6"));
        std::iter::once(person(marker)).chain(others).collect()
    };
    let marker = context.fresh("crowded");
    let answer = context.send(multipart(&context, &of_count(&marker, limit + 1))?).await?;
    demand::problem(&answer, 422, &["validation_failed"])?;
    never(&context, &marker).await?;
    let marker = context.fresh("full");
    captured_by(&context, &marker, multipart(&context, &of_count(&marker, limit))?).await.map(drop)
}

async fn malformed(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("broken");
    let whole = multipart(&context, &[person(&marker)])?;
    let body = whole.body.clone().unwrap_or_default();
    let form = || lead_form::request(&context, "POST", &context.facts().website_id);
    let without_boundary = form()?.bytes("multipart/form-data", body.to_vec());
    let mut broken_off = whole;
    broken_off.body = Some(body.slice(..body.len() / 2));
    for request in [without_boundary, broken_off] {
        let answer = context.send(request).await?;
        demand::problem(&answer, 400, &["invalid_header"])?;
    }
    never(&context, &marker).await
}
