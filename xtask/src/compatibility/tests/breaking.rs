//! Breaking changes: the judge names each kind at its place, and nothing else.

use std::collections::BTreeSet;

use super::super::Kind;
use super::{Edit, judged};

const GET: &str = "/paths/~1items~1{id}/get";
const PUT: &str = "/paths/~1items~1{id}/put";
const OK: &str = "/paths/~1items~1{id}/get/responses/200";
const REQUEST: &str = "/components/schemas/ItemRequest";
const ITEM: &str = "/components/schemas/Item";
const HOOK: &str = "/x-webhooks/item.made/post";

/// A kind, the changes that make it, and the place where it must be found.
type Case = (Kind, &'static [Edit], &'static str);

const CASES: &[Case] = &[
    (Kind::OperationRemoved, &[("/paths", "/items/{id}", None)], "#/paths/~1items~1{id}"),
    (Kind::OperationRemoved, &[("/paths/~1items~1{id}", "get", None)], "#/paths/~1items~1{id}/get"),
    (Kind::OperationRenamed, &[(GET, "operationId", Some("\"read\""))], "#/paths/~1items~1{id}/get/operationId"),
    (Kind::ParameterRemoved, &[("/paths/~1items~1{id}/get/parameters", "0", None)], "#/components/parameters/Limit"),
    (
        Kind::ParameterRequired,
        &[("/components/parameters/Limit", "required", Some("true"))],
        "#/components/parameters/Limit/required",
    ),
    (
        Kind::ParameterRequired,
        &[(
            "/paths/~1items~1{id}/get/parameters",
            "",
            Some(r#"{"name": "new", "in": "query", "required": true, "schema": {"type": "string"}}"#),
        )],
        "#/paths/~1items~1{id}/get/parameters",
    ),
    (
        Kind::ParameterStyle,
        &[("/components/parameters/Limit", "explode", Some("false"))],
        "#/components/parameters/Limit/explode",
    ),
    (
        Kind::BodyRequired,
        &[("/paths/~1items~1{id}/post/requestBody", "required", Some("true"))],
        "#/paths/~1items~1{id}/post/requestBody/required",
    ),
    (
        Kind::BodyRequired,
        &[(GET, "requestBody", Some(r#"{"required": true}"#))],
        "#/paths/~1items~1{id}/get/requestBody",
    ),
    (Kind::BodyRemoved, &[(PUT, "requestBody", None)], "#/paths/~1items~1{id}/put/requestBody"),
    (Kind::BodyRemoved, &[(HOOK, "requestBody", None)], "#/x-webhooks/item.made/post/requestBody"),
    (
        Kind::MediaTypeRemoved,
        &[("/paths/~1items~1{id}/put/requestBody/content", "application/json", None)],
        "#/paths/~1items~1{id}/put/requestBody/content/application~1json",
    ),
    (
        Kind::MediaTypeAdded,
        &[("/paths/~1items~1{id}/get/responses/200/content", "text/csv", Some("{}"))],
        "#/paths/~1items~1{id}/get/responses/200/content/text~1csv",
    ),
    (
        Kind::StatusRemoved,
        &[("/paths/~1items~1{id}/put/responses", "409", None)],
        "#/paths/~1items~1{id}/put/responses/409",
    ),
    (
        Kind::StatusRemoved,
        &[("/x-webhooks/item.made/post/responses", "410", None)],
        "#/x-webhooks/item.made/post/responses/410",
    ),
    (
        Kind::StatusAdded,
        &[("/paths/~1items~1{id}/get/responses", "201", Some("{}"))],
        "#/paths/~1items~1{id}/get/responses/201",
    ),
    // Nothing describes the errors that this operation does not list.
    (
        Kind::StatusAdded,
        &[("/paths/~1items~1{id}/put/responses", "410", Some("{\"$ref\": \"#/components/responses/Problem\"}"))],
        "#/paths/~1items~1{id}/put/responses/410",
    ),
    // A new error has to have the form of `default`.
    (
        Kind::MediaTypeRemoved,
        &[("/paths/~1items~1{id}/get/responses", "410", Some(r#"{"description": "No body."}"#))],
        "#/components/responses/Problem/content/application~1problem+json",
    ),
    (Kind::HeaderRemoved, &[(OK, "headers", None)], "#/paths/~1items~1{id}/get/responses/200/headers/ETag"),
    (Kind::HeaderRemoved, &[(HOOK, "parameters", None)], "#/x-webhooks/item.made/post/parameters/0"),
    (
        Kind::HeaderOptional,
        &[("/paths/~1items~1{id}/get/responses/200/headers/ETag", "required", None)],
        "#/paths/~1items~1{id}/get/responses/200/headers/ETag/required",
    ),
    (
        Kind::RequestMemberRemoved,
        &[("/components/schemas/ItemRequest/properties", "at", None)],
        "#/components/schemas/ItemRequest/properties/at",
    ),
    (
        Kind::RequestMemberRequired,
        &[("/components/schemas/ItemRequest/required", "", Some("\"at\""))],
        "#/components/schemas/ItemRequest/properties/at",
    ),
    (
        Kind::RequestMemberRequired,
        &[
            ("/components/schemas/ItemRequest/properties", "fresh", Some(r#"{"type": "string"}"#)),
            ("/components/schemas/ItemRequest/required", "", Some("\"fresh\"")),
        ],
        "#/components/schemas/ItemRequest/properties/fresh",
    ),
    (
        Kind::AnswerMemberRemoved,
        &[("/components/schemas/Item/properties", "count", None)],
        "#/components/schemas/Item/properties/count",
    ),
    (
        Kind::AnswerMemberOptional,
        &[("/components/schemas/Item/required", "1", None)],
        "#/components/schemas/Item/properties/state",
    ),
    (
        Kind::TypeChanged,
        &[("/components/schemas/Item/properties/count", "type", Some("\"number\""))],
        "#/components/schemas/Item/properties/count/type",
    ),
    (
        Kind::TypeChanged,
        &[("/components/parameters/Limit/schema", "type", Some("\"string\""))],
        "#/components/parameters/Limit/schema/type",
    ),
    (
        Kind::FormatChanged,
        &[("/components/schemas/Item/properties/count", "format", Some("\"int64\""))],
        "#/components/schemas/Item/properties/count/format",
    ),
    (
        Kind::FormatChanged,
        &[("/components/schemas/ItemRequest/properties/note", "format", Some("\"uri\""))],
        "#/components/schemas/ItemRequest/properties/note/format",
    ),
    (
        Kind::NullRefused,
        &[("/components/schemas/ItemRequest/properties/note", "nullable", None)],
        "#/components/schemas/ItemRequest/properties/note/nullable",
    ),
    (
        Kind::NullAnswered,
        &[("/components/schemas/Item/properties/count", "nullable", Some("true"))],
        "#/components/schemas/Item/properties/count/nullable",
    ),
    // The target of the property may be `null`, so the property may be `null`.
    (
        Kind::NullAnswered,
        &[("/components/schemas/State", "nullable", Some("true"))],
        "#/components/schemas/Item/properties/state/nullable",
    ),
    (
        Kind::BoundNarrowed,
        &[("/components/schemas/ItemRequest/properties/name", "maxLength", Some("79"))],
        "#/components/schemas/ItemRequest/properties/name/maxLength",
    ),
    (
        Kind::BoundNarrowed,
        &[("/components/schemas/ItemRequest/properties/name/x-trimmed-length", "min", Some("2"))],
        "#/components/schemas/ItemRequest/properties/name/x-trimmed-length/min",
    ),
    (
        Kind::BoundNarrowed,
        &[("/components/schemas/ItemRequest/properties/at", "x-max-ahead", Some("\"P6M\""))],
        "#/components/schemas/ItemRequest/properties/at/x-max-ahead",
    ),
    (
        Kind::BoundWidened,
        &[("/components/schemas/Item/properties/name", "maxLength", None)],
        "#/components/schemas/Item/properties/name/maxLength",
    ),
    (
        Kind::BoundWidened,
        &[("/components/schemas/Item/properties/count", "minimum", Some("-1"))],
        "#/components/schemas/Item/properties/count/minimum",
    ),
    (
        Kind::PatternChanged,
        &[("/components/schemas/ItemRequest/properties/note", "pattern", Some("\"^a$\""))],
        "#/components/schemas/ItemRequest/properties/note/pattern",
    ),
    (
        Kind::PatternChanged,
        &[("/components/schemas/Item/properties/name", "pattern", None)],
        "#/components/schemas/Item/properties/name/pattern",
    ),
    (
        Kind::ValueRemoved,
        &[("/components/schemas/State/x-extensible-enum", "1", None)],
        "#/components/schemas/State/x-extensible-enum",
    ),
    (
        Kind::ValueRemoved,
        &[("/paths/~1items~1{id}/get/parameters/1/schema/enum", "0", None)],
        "#/paths/~1items~1{id}/get/parameters/1/schema/enum",
    ),
    (
        Kind::ValueAdded,
        &[("/components/schemas/Item/properties/kind/enum", "", Some("\"three\""))],
        "#/components/schemas/Item/properties/kind/enum",
    ),
    (
        Kind::ValuesRestricted,
        &[("/components/schemas/ItemRequest/properties/note", "enum", Some("[\"a\"]"))],
        "#/components/schemas/ItemRequest/properties/note/enum",
    ),
    (
        Kind::ValuesOpened,
        &[("/components/schemas/Item/properties/kind", "enum", None)],
        "#/components/schemas/Item/properties/kind/enum",
    ),
    (
        Kind::DefaultChanged,
        &[("/components/parameters/Limit/schema", "default", Some("10"))],
        "#/components/parameters/Limit/schema/default",
    ),
    (
        Kind::MapClosed,
        &[(REQUEST, "additionalProperties", Some("false"))],
        "#/components/schemas/ItemRequest/additionalProperties",
    ),
    (
        Kind::MapOpened,
        &[("/components/schemas/Item/properties/counts", "additionalProperties", Some("true"))],
        "#/components/schemas/Item/properties/counts/additionalProperties",
    ),
    (
        Kind::VariantRemoved,
        &[
            ("/components/schemas/Event/oneOf", "1", None),
            ("/components/schemas/Event/discriminator/mapping", "item.gone", None),
        ],
        "#/components/schemas/Event/oneOf/1",
    ),
    (
        Kind::VariantAdded,
        &[("/components/schemas/Item/properties/rank/oneOf", "", Some(r#"{"type": "boolean"}"#))],
        "#/components/schemas/Item/properties/rank/oneOf/2",
    ),
    (
        Kind::DiscriminatorChanged,
        &[("/components/schemas/Event/discriminator", "propertyName", Some("\"kind\""))],
        "#/components/schemas/Event/discriminator",
    ),
    (Kind::HookRemoved, &[("/x-webhooks", "item.made", None)], "#/x-webhooks/item.made"),
    (
        Kind::SecurityTightened,
        &[(GET, "security", Some(r#"[{"key": ["admin"]}]"#))],
        "#/paths/~1items~1{id}/get/security",
    ),
    (
        Kind::SchemeChanged,
        &[("/components/securitySchemes/key", "scheme", Some("\"basic\""))],
        "#/components/securitySchemes/key/scheme",
    ),
    (
        Kind::ScopeChanged,
        &[(GET, "x-required-scope", Some("\"items:all\""))],
        "#/paths/~1items~1{id}/get/x-required-scope",
    ),
    (
        Kind::QuotaChanged,
        &[(GET, "x-rate-limit-policy", Some("\"slow\""))],
        "#/paths/~1items~1{id}/get/x-rate-limit-policy",
    ),
    (Kind::RepeatableRemoved, &[(PUT, "x-repeatable", None)], "#/paths/~1items~1{id}/put/x-repeatable"),
    (Kind::ProblemCodeRemoved, &[("/x-problem-codes", "not_found", None)], "#/x-problem-codes/not_found"),
    (
        Kind::ProblemCodeRemoved,
        &[("/components/responses/Problem/x-codes", "0", None)],
        "#/components/responses/Problem/x-codes",
    ),
    (
        Kind::ProblemCodeChanged,
        &[("/x-problem-codes/not_found", "retryable", Some("true"))],
        "#/x-problem-codes/not_found/retryable",
    ),
    (Kind::LimitRemoved, &[("/x-limits", "rate", None)], "#/x-limits/rate"),
    (Kind::LimitTightened, &[("/x-limits/name_length", "maximum", Some("79"))], "#/x-limits/name_length/maximum"),
    (Kind::LimitTightened, &[("/x-limits/name_length", "minimum", Some("2"))], "#/x-limits/name_length/minimum"),
    (Kind::LimitTightened, &[("/x-limits/token_lifetime", "minimum", Some("12"))], "#/x-limits/token_lifetime/minimum"),
    (Kind::LimitTightened, &[("/x-limits/hook_body", "maximum", Some("70000"))], "#/x-limits/hook_body/maximum"),
    (Kind::LimitTightened, &[("/x-limits/rate", "window_seconds", Some("61"))], "#/x-limits/rate/window_seconds"),
    (Kind::LimitTightened, &[("/x-limits/rate", "unit", Some("\"bytes\""))], "#/x-limits/rate/unit"),
    (
        Kind::CorePromiseWeakened,
        &[("/components/schemas/Item/x-core-required", "0", None)],
        "#/components/schemas/Item/x-core-required",
    ),
    (
        Kind::CorePromiseWeakened,
        &[(OK, "x-core-status", Some("\"2XX\""))],
        "#/paths/~1items~1{id}/get/responses/200/x-core-status",
    ),
    (
        Kind::InvariantRemoved,
        &[("/components/schemas/Item/x-conformance", "0", None)],
        "#/components/schemas/Item/x-conformance/0",
    ),
    (Kind::InvariantRemoved, &[(PUT, "x-conformance", None)], "#/paths/~1items~1{id}/put/x-conformance/0"),
    (Kind::PersonalDataUnmarked, &[(ITEM, "x-personal-data", None)], "#/components/schemas/Item/x-personal-data"),
    (Kind::ServerRemoved, &[("/servers", "0", None)], "#/servers/0"),
];

#[test]
fn every_kind_is_named_at_its_place_and_nothing_else_is() {
    for (kind, edits, place) in CASES {
        let report = judged(edits);
        let found: Vec<_> = report.breaking.iter().map(|change| (change.kind, change.place.as_str())).collect();
        assert_eq!(found, [(*kind, *place)], "{edits:?}\n{report}");
    }
}

#[test]
fn every_kind_has_a_case() {
    let cases: BTreeSet<Kind> = CASES.iter().map(|(kind, ..)| *kind).collect();
    let missing: Vec<&Kind> = Kind::ALL.iter().filter(|kind| !cases.contains(kind)).collect();
    assert!(missing.is_empty(), "no case makes {missing:?}");
}

/// A schema in requests and responses breaks in one direction only, whichever way it changes.
#[test]
fn a_schema_that_goes_both_ways_may_change_in_neither() {
    let values = "/components/schemas/Labels/additionalProperties";
    let narrower = judged(&[(values, "maxLength", Some("10"))]);
    let kinds = |report: &super::Report| report.breaking.iter().map(|change| change.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&narrower), [Kind::BoundNarrowed]);
    let wider = judged(&[(values, "nullable", Some("true"))]);
    assert_eq!(kinds(&wider), [Kind::NullAnswered]);
}

#[test]
fn a_report_says_where_what_why_and_what_to_do() {
    let report = judged(&[("/components/schemas/Item/properties", "count", None)]);
    let expected = "\
breaking answer-member-removed: #/components/schemas/Item/properties/count
    the field count is gone
    The policy says: \"It removes nothing\".
    Keep the field; add a new field.
1 breaking, 0 allowed
";
    assert_eq!(report.to_string(), expected);
    assert_eq!(report.to_json()["breaking"][0]["kind"], "answer-member-removed");
}
