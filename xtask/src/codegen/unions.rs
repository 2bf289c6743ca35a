//! Unions that are told apart by a member: the generator would try one variant after the other, so that an event
//! could be read as another one. They become tagged types of our own, written by `emit_unions`.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::document::{reference, schemas, schemas_mut};

/// A union with its variants.
#[derive(Debug)]
pub(super) struct Union {
    /// The name of the schema.
    pub(super) name: String,
    /// What the document says about it.
    pub(super) description: Option<String>,
    /// The member that tells the variants apart.
    pub(super) tag: String,
    /// The value of the tag and the schema of each variant.
    pub(super) variants: Vec<(String, String)>,
}

/// Takes the unions out of the document; the tag of their variants becomes plain text.
pub(super) fn extract(document: &mut Value) -> Result<Vec<Union>> {
    let mut unions = Vec::new();
    for (name, schema) in schemas(document).into_iter().flatten() {
        if schema.get("anyOf").is_some() {
            bail!("the schema `{name}` uses `anyOf`; use `oneOf` with a `discriminator`");
        }
        if let Some(union) = union(name, schema, document)? {
            unions.push(union);
        }
    }
    let Some(schemas) = schemas_mut(document) else {
        return Ok(unions);
    };
    for union in &unions {
        schemas.insert(union.name.clone(), json!({ "type": "object" }));
        for (_, variant) in &union.variants {
            let tag =
                schemas.get_mut(variant).and_then(|schema| schema.pointer_mut("/properties")?.get_mut(&union.tag));
            if let Some(tag) = tag.and_then(Value::as_object_mut) {
                tag.remove("enum");
                tag.remove("x-extensible-enum");
            }
        }
    }
    Ok(unions)
}

/// Reads one union.
fn union(name: &str, schema: &Value, document: &Value) -> Result<Option<Union>> {
    let Some(variants) = schema.get("oneOf").and_then(Value::as_array) else {
        return Ok(None);
    };
    let Some(tag) = schema.pointer("/discriminator/propertyName").and_then(Value::as_str) else {
        bail!("the schema `{name}` is a `oneOf` without a `discriminator`, so its variants cannot be told apart");
    };
    let mut named = Vec::new();
    for variant in variants {
        let Some(target) = reference(variant) else {
            bail!("the schema `{name}` has a variant without a name; move it to `components/schemas`");
        };
        let values = mapped(schema, target).or_else(|| only_value(document, target, tag));
        match values {
            Some(value) => named.push((value, target.to_owned())),
            None => {
                bail!("the schema `{name}` does not say which `{tag}` stands for `{target}`; add it to its `mapping`")
            }
        }
    }
    let description = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    Ok(Some(Union { name: name.to_owned(), description, tag: tag.to_owned(), variants: named }))
}

/// The value that the discriminator's mapping gives to a variant.
fn mapped(schema: &Value, target: &str) -> Option<String> {
    let mapping = schema.pointer("/discriminator/mapping")?.as_object()?;
    let stands_for = |to: &Value| to.as_str().is_some_and(|to| to.rsplit('/').next() == Some(target));
    mapping.iter().find(|(_, to)| stands_for(to)).map(|(value, _)| value.clone())
}

/// The value of a tag that can have only one.
fn only_value(document: &Value, target: &str, tag: &str) -> Option<String> {
    let member = schemas(document)?.get(target)?.pointer("/properties")?.get(tag)?;
    match member.get("enum")?.as_array()?.as_slice() {
        [only] => only.as_str().map(str::to_owned),
        _ => None,
    }
}
