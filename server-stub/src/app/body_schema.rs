//! Validates a body against its schema. The messages are in `schema_violation`.

use jsonschema::Validator;
use serde_json::Value;

use super::json_schema::{to_draft4, validator};
use super::schema_violation;
use super::{FieldCode, FieldError, Place, Violations};

/// The schema of a body.
pub(crate) struct BodySchema {
    validator: Validator,
    schema: Value,
}

impl BodySchema {
    /// Compiles the schema at `pointer` in the document.
    pub(super) fn compile(root: &Value, pointer: &str) -> Self {
        let schema = root.pointer(pointer).expect("every request schema is in the document");
        let schema = to_draft4(root, schema, 0);
        Self { validator: validator(&schema), schema }
    }

    /// Returns the violations of the schema in `body`. If `is_strict`, unknown fields are violations too.
    pub(crate) fn check(&self, body: &Value, is_strict: bool) -> Violations {
        let mut violations = Violations::default();
        // `is_valid` is several times cheaper than listing the violations, and most bodies are valid.
        if !self.validator.is_valid(body) {
            for error in self.validator.iter_errors(body) {
                schema_violation::add(&error, &self.schema, |pointer| Place::Pointer(pointer.into()), &mut violations);
                if violations.has_more() {
                    break;
                }
            }
        }
        if is_strict {
            let is_unknown = |name: &str| self.schema["properties"].get(name).is_none();
            let unknown = body.as_object().into_iter().flatten().filter(|(name, _)| is_unknown(name));
            violations.extend(unknown.map(|(name, _)| FieldError {
                code: FieldCode::UnknownField,
                place: Place::Pointer(
                    schema_violation::fragment(&format!("/{}", schema_violation::escaped(name))).into(),
                ),
                detail: "is not a field of this request".to_owned(),
            }));
        }
        violations
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use jsonschema::{Keyword, ValidationError};
    use proptest::prelude::*;
    use serde_json::Map;

    use super::super::document::TEXT;
    use super::super::json_schema::options;
    use super::*;

    /// Maximum number of schemas that check one value of a body: the field's own schema and the component that it references.
    const SCHEMAS_OF_A_VALUE: usize = 2;
    /// Number of validation passes over a body: `is_valid`, then listing the violations.
    const PASSES: usize = 2;

    /// Number of times that a schema has checked a value.
    static LOOKS: AtomicUsize = AtomicUsize::new(0);

    struct Counter;

    impl<'i> Keyword<'i> for Counter {
        fn validate(&self, _: &'i Value) -> Result<(), ValidationError<'i>> {
            LOOKS.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }

        fn is_valid(&self, instance: &'i Value) -> bool {
            Keyword::validate(self, instance).is_ok()
        }
    }

    /// Returns the same schema with the keyword `x-count` in each nested schema.
    fn counted(schema: &Value) -> Value {
        let Value::Object(members) = schema else { return schema.clone() };
        let mut counting = Map::from_iter([("x-count".to_owned(), Value::Bool(true))]);
        for (name, member) in members {
            let counted = match (name.as_str(), member) {
                ("properties", Value::Object(inner)) => {
                    inner.iter().map(|(name, inner)| (name.clone(), counted(inner))).collect::<Map<_, _>>().into()
                }
                ("allOf", Value::Array(inner)) => inner.iter().map(counted).collect(),
                ("items" | "additionalProperties", inner) => counted(inner),
                _ => member.clone(),
            };
            counting.insert(name.clone(), counted);
        }
        Value::Object(counting)
    }

    /// Schemas of the bodies, with [`Counter`] in each nested schema.
    static SCHEMAS: LazyLock<[BodySchema; 2]> = LazyLock::new(|| {
        let root: Value = serde_saphyr::from_str(TEXT).unwrap();
        ["/components/schemas/GenerateRequest", "/components/schemas/LeadCapture"].map(|pointer| {
            let schema = counted(&to_draft4(&root, root.pointer(pointer).unwrap(), 0));
            let options = options().with_keyword("x-count", |_, _, _| Ok(Box::new(Counter)));
            BodySchema { validator: options.build(&schema).unwrap(), schema }
        })
    });

    /// Returns the number of values in a value, itself included.
    fn size(value: &Value) -> usize {
        1 + match value {
            Value::Array(items) => items.iter().map(size).sum(),
            Value::Object(members) => members.values().map(size).sum::<usize>(),
            _ => 0,
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (".{0,3}", 0..60_usize).prop_map(|(text, count)| Value::from(text.repeat(count))),
        ];
        leaf.prop_recursive(3, 600, 300, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..300).prop_map(Value::from),
                prop::collection::btree_map(".{0,50}", inner, 0..300)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// Generates bodies with any values, in documented and in unknown fields.
    fn any_body() -> impl Strategy<Value = Value> {
        let names = prop::sample::select(vec![
            "topic",
            "website_id",
            "language",
            "keywords",
            "target_word_count",
            "publish_at",
            "metadata",
            "email",
            "fields",
            "source",
            "consent",
            "unknown",
        ]);
        prop::collection::btree_map(names.prop_map(str::to_owned), any_value(), 0..8)
            .prop_map(|members| Value::Object(members.into_iter().collect()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_work_grows_no_faster_than_the_body(body in any_body(), is_strict in any::<bool>()) {
            for schema in &*SCHEMAS {
                LOOKS.store(0, Ordering::Relaxed);
                let violations = schema.check(&body, is_strict);
                let looks = LOOKS.load(Ordering::Relaxed);
                prop_assert!(looks > 0);
                prop_assert!(looks <= PASSES * SCHEMAS_OF_A_VALUE * size(&body), "{looks} looks at {}", size(&body));
                prop_assert!(violations.listed().len() <= 100);
            }
        }
    }
}
