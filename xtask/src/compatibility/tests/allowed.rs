//! Allowed changes: the judge reports each as an addition and none as breaking.

use super::{Edit, judged};

const CASES: &[(&[Edit], &str)] = &[
    (&[("/paths", "/more", Some(r#"{"get": {}}"#))], "the path /more"),
    (&[("/paths/~1items~1{id}", "delete", Some("{}"))], "DELETE /items/{id}"),
    (
        &[("/paths/~1items~1{id}/get/parameters", "", Some(r#"{"name": "new", "in": "query"}"#))],
        "the optional query parameter new",
    ),
    (&[("/components/schemas/ItemRequest/properties", "new", Some("{}"))], "the field new"),
    (&[("/components/schemas/ItemRequest/required", "0", None)], "name became optional"),
    (&[("/components/schemas/Item/properties", "new", Some("{}"))], "the field new"),
    (&[("/components/schemas/Item/required", "", Some("\"kind\""))], "kind is always present"),
    (&[("/components/schemas/State/x-extensible-enum", "", Some("\"lost\""))], "the value \"lost\""),
    (&[("/paths/~1items~1{id}/get/parameters/1/schema/enum", "", Some("\"none\""))], "the value \"none\""),
    (&[("/x-webhooks", "item.lost", Some(r#"{"post": {}}"#))], "the event type item.lost"),
    (
        &[
            ("/components/schemas/Event/oneOf", "", Some(r##"{"$ref": "#/components/schemas/Item"}"##)),
            ("/components/schemas/Event/discriminator/mapping", "item.lost", Some("\"#/components/schemas/Item\"")),
        ],
        "the variant item.lost",
    ),
    (&[("/x-problem-codes", "gone", Some("{}"))], "the problem code gone"),
    (&[("/components/responses/Problem/x-codes", "", Some("\"gone\""))], "the problem code gone"),
    (
        &[(
            "/paths/~1items~1{id}/get/responses",
            "410",
            Some(r#"{"x-codes": ["gone"], "content": {"application/problem+json": {"schema": {"type": "object"}}}}"#),
        )],
        "the error status 410",
    ),
    (&[("/paths/~1items~1{id}/get/responses/200/headers", "X-New", Some("{}"))], "the header x-new"),
    (
        &[("/paths/~1items~1{id}/put/requestBody/content", "application/cbor", Some("{}"))],
        "the media type application/cbor",
    ),
    (&[("/components/schemas/ItemRequest/properties/name", "maxLength", Some("81"))], "`maxLength` 80 became 81"),
    (&[("/components/schemas/Item/properties/name", "maxLength", Some("79"))], "`maxLength` 80 became 79"),
    (&[("/components/schemas/ItemRequest/properties/name", "pattern", None)], "the pattern \"^[a-z]+$\" became none"),
    (&[("/components/schemas/ItemRequest/properties/name", "nullable", Some("true"))], "`null` may be sent"),
    (&[("/components/schemas/Item/properties/parent", "nullable", None)], "the value is never `null`"),
    (&[("/components/parameters/Limit/schema", "type", Some("\"number\""))], "the type is number now"),
    (&[("/x-limits/name_length", "maximum", Some("81"))], "`maximum` of name_length: 80 became 81"),
    (&[("/x-limits", "new", Some("{}"))], "the limit new"),
];

#[test]
fn additions_are_reported_and_break_nothing() {
    for (edits, text) in CASES {
        let report = judged(edits);
        assert!(!report.is_breaking(), "{edits:?}\n{report}");
        let is_reported = report.additions.iter().any(|addition| addition.what.contains(text));
        assert!(is_reported, "{text:?} is reported for {edits:?}\n{report}");
    }
}

/// Words for people, and examples, may be changed.
#[test]
fn what_only_people_read_is_no_change() {
    let report = judged(&[
        ("/components/schemas/Item", "description", Some("\"Anew.\"")),
        ("/components/schemas/Item/properties/name", "example", Some("\"anew\"")),
        ("/paths/~1items~1{id}/get", "summary", Some("\"Anew.\"")),
        ("/x-problem-codes/not_found", "description", Some("\"Anew.\"")),
    ]);
    assert_eq!(report, super::Report::default(), "{report}");
}

/// A component that is renamed or written out is the same to clients.
#[test]
fn what_is_only_written_in_another_way_is_no_change() {
    let limit = r#"{"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}}"#;
    let report = judged(&[
        ("/paths/~1items~1{id}/get/parameters", "0", None),
        ("/paths/~1items~1{id}/get/parameters", "", Some(limit)),
        (
            "/components/schemas/Item/properties",
            "state",
            Some(r#"{"type": "string", "x-extensible-enum": ["old", "new"]}"#),
        ),
    ]);
    assert_eq!(report, super::Report::default(), "{report}");
}
