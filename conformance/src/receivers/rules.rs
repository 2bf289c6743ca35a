//! The requirements for receivers. Those of the profile `core` follow from Standard Webhooks.

use serde_json::{Value, json};

use super::checks::{
    FAR, FORGERIES, HEADERS, NEAR, cut_off, far, in_time, known_type, largest, malformed_time, megabyte, missing, near,
    no_effect_cut_off, no_effect_unverified, older, one_accepted, one_effect, one_effect_at_once, raw_bytes, repeated,
    rotated, slow, spelling, unknown_fields, unknown_type, unknown_version, unknown_word, wrong,
};
use super::contract::EFFECTS;
use super::sender::Sender;
use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Requirement, Source, Verdict};

const RAW: &[Capability] = &[Capability::RAW_CONNECTION, Capability::HTTP1];

const SIGNED: Source =
    Sentence("Each is `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`.");
const SCHEME: Source = Standard("Standard Webhooks 1.0.0", "Signature scheme");
const ONE_IS_ENOUGH: Source =
    Sentence("While a secret is rotated there are several signatures; one that matches is enough.");
const FIVE_MINUTES: Source = Sentence("Receivers refuse a time that is more than five minutes off.");
const METADATA: Source = Standard("Standard Webhooks 1.0.0", "Webhook metadata");
const MORE_THAN_ONCE: Source =
    Sentence("An event may arrive more than once, and events in any order: ignore an id that you have processed.");
const LATER: Source = Sentence(
    "Within v1 a later document may add operations, optional request fields, response fields, event types and values of open vocabularies \
     (`x-extensible-enum`).",
);
const TIME: Source = Part("/x-limits/hook_timeout");

fn rule<Run>(
    sender: &Sender,
    id: &'static str,
    clause: &'static str,
    sources: &'static [Source],
    check: fn(Sender, Context, Value) -> Run,
) -> Requirement
where
    Run: Future<Output = Verdict> + Send + 'static,
{
    let sender = sender.clone();
    Requirement::new(id, clause, sources, move |context, case| check(sender.clone(), context, case))
}

#[expect(clippy::too_many_lines, reason = "a list of requirements")]
pub(super) fn requirements(sender: &Sender) -> Vec<Requirement> {
    let limit = sender.answer_within();
    let types = sender.types();
    let count = u32::try_from(types.len()).unwrap_or(u32::MAX);
    let each_type = |requirement: Requirement| {
        let types = types.clone();
        requirement.drawn("types of events", Cases::Exactly(count), move |_, draw| json!(types[draw.index()]))
    };
    vec![
        rule(
            sender,
            "receiver.answers.in-time",
            "The receiver answers an event within the time that the sender waits.",
            &[Sentence("Time for a receiver to answer."), TIME],
            one_accepted,
        )
        .observing(move |_, _, exchange| Some(in_time(exchange, limit))),
        rule(
            sender,
            "receiver.bodies.cut-off",
            "A body that ends early is not answered 2xx, and the next event is.",
            &[SIGNED, Standard("RFC 9112", "8")],
            cut_off,
        )
        .needs(RAW),
        rule(
            sender,
            "receiver.bodies.largest",
            "An event with a body of the largest size is answered 2xx.",
            &[Part("/x-limits/hook_body")],
            largest,
        ),
        rule(
            sender,
            "receiver.bodies.megabyte",
            "After a body of one megabyte, however it was answered, the next event is answered 2xx.",
            &[Part("/x-limits/hook_body"), TIME],
            megabyte,
        ),
        rule(
            sender,
            "receiver.bodies.raw",
            "The signature covers the bytes of the body: an event with other white space, escapes or letters is answered 2xx.",
            &[SIGNED, SCHEME],
            raw_bytes,
        )
        .drawn("other forms of JSON", Cases::Exactly(4), |_, draw| json!(draw.index()))
        .core(),
        rule(
            sender,
            "receiver.bodies.slow",
            "While one body is incomplete, another event is answered 2xx.",
            &[TIME],
            slow,
        )
        .needs(RAW)
        .should(),
        rule(
            sender,
            "receiver.effects.once",
            "An event that arrives twice, one after the other, has one effect.",
            &[MORE_THAN_ONCE],
            one_effect,
        )
        .needs(&[EFFECTS])
        .core(),
        rule(
            sender,
            "receiver.effects.once-at-a-time",
            "An event that arrives several times at once has one effect.",
            &[MORE_THAN_ONCE],
            one_effect_at_once,
        )
        .needs(&[EFFECTS])
        .core(),
        rule(
            sender,
            "receiver.effects.verified",
            "An event with a wrong signature has no effect. The same event with a right one has its effect afterwards.",
            &[SIGNED, SCHEME],
            no_effect_unverified,
        )
        .needs(&[EFFECTS])
        .core(),
        rule(
            sender,
            "receiver.effects.whole",
            "An event whose body ends early has no effect.",
            &[SIGNED, Standard("RFC 9112", "8")],
            no_effect_cut_off,
        )
        .needs(&[EFFECTS, Capability::RAW_CONNECTION, Capability::HTTP1]),
        each_type(rule(
            sender,
            "receiver.events.known",
            "An event of each type of the document is answered 2xx.",
            &[Part("/x-webhooks"), SIGNED],
            known_type,
        )),
        rule(
            sender,
            "receiver.events.order",
            "An event that is older than the one before is answered 2xx.",
            &[MORE_THAN_ONCE],
            older,
        )
        .core(),
        rule(
            sender,
            "receiver.events.repeated",
            "An event that arrives again is answered 2xx again.",
            &[MORE_THAN_ONCE],
            repeated,
        )
        .core(),
        each_type(rule(
            sender,
            "receiver.events.unknown-fields",
            "An event with fields that the document does not name is answered 2xx.",
            &[LATER],
            unknown_fields,
        )),
        rule(
            sender,
            "receiver.events.unknown-type",
            "An event of an unknown type is answered 2xx.",
            &[
                Sentence("A receiver answers 2xx to types that it does not know and ignores them."),
                Sentence("An event of any type, also of types that a receiver does not know yet."),
            ],
            unknown_type,
        ),
        rule(
            sender,
            "receiver.events.unknown-words",
            "An event with a word that an open vocabulary does not list is answered 2xx.",
            &[LATER, Sentence("A client keeps values that it does not know.")],
            unknown_word,
        )
        .drawn("open vocabularies", Cases::Exactly(3), |_, draw| json!(draw.index())),
        rule(
            sender,
            "receiver.headers.spelling",
            "The names of headers may have capital letters.",
            &[Standard("RFC 9110", "5.1")],
            spelling,
        )
        .needs(RAW)
        .core(),
        rule(
            sender,
            "receiver.signatures.missing",
            "A request without one of the three headers is refused.",
            &[SIGNED, SCHEME],
            missing,
        )
        .drawn("headers", Cases::Exactly(3), |_, draw| json!(HEADERS[draw.index()]))
        .core(),
        rule(
            sender,
            "receiver.signatures.rotated",
            "One signature that matches is enough, at any place in the list.",
            &[ONE_IS_ENOUGH, SCHEME],
            rotated,
        )
        .drawn("places of the right signature", Cases::Exactly(3), |_, draw| json!(draw.index()))
        .core(),
        rule(
            sender,
            "receiver.signatures.unknown-version",
            "A signature of an unknown version beside a right one is ignored.",
            &[ONE_IS_ENOUGH, SCHEME],
            unknown_version,
        )
        .drawn("versions", Cases::Exactly(2), |_, draw| json!(["v2", "v1a"][draw.index()]))
        .core(),
        rule(
            sender,
            "receiver.signatures.wrong",
            "A request without a signature of its id, time and body by the secret is refused.",
            &[SIGNED, SCHEME],
            wrong,
        )
        .drawn("wrong signatures", Cases::Exactly(12), |_, draw| json!(FORGERIES[draw.index()]))
        .core(),
        rule(
            sender,
            "receiver.times.far",
            "A time that is more than five minutes in the past or in the future is refused.",
            &[FIVE_MINUTES, METADATA],
            far,
        )
        .drawn("distances in seconds", Cases::Exactly(2), |_, draw| json!([-FAR, FAR][draw.index()]))
        .core(),
        rule(
            sender,
            "receiver.times.malformed",
            "A time that is not a number of seconds is refused.",
            &[FIVE_MINUTES, METADATA],
            malformed_time,
        )
        .drawn("other times", Cases::Exactly(3), |_, draw| json!(draw.index()))
        .core(),
        rule(
            sender,
            "receiver.times.near",
            "A time that is less than five minutes in the past or in the future is accepted.",
            &[FIVE_MINUTES, METADATA],
            near,
        )
        .should()
        .drawn("distances in seconds", Cases::Exactly(2), |_, draw| json!([-NEAR, NEAR][draw.index()]))
        .core(),
    ]
}
