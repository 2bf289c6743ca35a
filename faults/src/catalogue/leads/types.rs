//! Fields of a form with another type than the document's, converted to the right one.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::form::edit_json;

const TYPES: &[&str] = &["capture.types.refused"];

pub(super) const FAULTS: &[Fault] =
    &[
        fault("leads.consent-as-text", "The server accepts true and false in quotation marks as consent.", TYPES)
            .request(|request, _| {
                edit_json(request, |form| {
                    if let Some(given) = form.pointer_mut("/consent/given") {
                        match given.as_str() {
                            Some("true" | "yes" | "on") => *given = json!(true),
                            Some("false" | "no" | "off") => *given = json!(false),
                            _ => {}
                        }
                    }
                });
            }),
        fault("leads.consent-as-bit", "The server accepts 1 and 0 as consent.", TYPES).request(|request, _| {
            edit_json(request, |form| {
                if let Some(given) = form.pointer_mut("/consent/given")
                    && let Some(bit @ (0 | 1)) = given.as_u64()
                {
                    *given = json!(bit == 1);
                }
            });
        }),
        fault("leads.consent-defaulted", "The server treats a consent without given as not given.", TYPES).request(
            |request, _| {
                edit_json(request, |form| {
                    if let Some(consent) = form.get_mut("consent").and_then(Value::as_object_mut) {
                        consent.entry("given").or_insert(json!(false));
                    }
                });
            },
        ),
        fault("leads.fields-as-numbers", "The server converts numbers and booleans in fields to texts.", TYPES)
            .request(|request, _| {
                edit_json(request, |form| {
                    for (_, value) in form.get_mut("fields").and_then(Value::as_object_mut).into_iter().flatten() {
                        as_text(value);
                    }
                });
            }),
        fault("leads.name-as-number", "The server accepts a number as a name.", TYPES).request(|request, _| {
            edit_json(request, |form| {
                if let Some(name) = form.get_mut("name") {
                    as_text(name);
                }
            });
        }),
        fault("leads.null-as-absent", "The server treats null as absent in a form.", TYPES).request(|request, _| {
            edit_json(request, |form| {
                if let Some(members) = form.as_object_mut() {
                    members.retain(|_, value| !value.is_null());
                }
            });
        }),
    ];

fn as_text(value: &mut Value) {
    if value.is_number() || value.is_boolean() {
        *value = json!(value.to_string());
    }
}
