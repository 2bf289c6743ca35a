//! Encodings of a form, and the meaning of its names and values.

use futures::future::FutureExt;
use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals::{in_place_of, refuse};
use super::form::{self, edit_pairs};
use super::multipart::{edit_parts, is_multipart, parts};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Maximum number of parts of a form in the document.
const MAX_PARTS: usize = 100;

const CONSENT: &[&str] = &["capture.form.consent"];
const REPEATED: &[&str] = &["capture.form.repeated"];
const PARTS: &[&str] = &["capture.multipart.parts"];

pub(super) const FAULTS: &[Fault] = &[
    fault("leads.last-value-wins", "Only the last of several values of a name is kept.", REPEATED).request(
        |request, _| {
            edit_pairs(request, |pairs| {
                let all = pairs.clone();
                let is_last = |at: usize, name: &str| all.iter().skip(at + 1).all(|(other, _)| other != name);
                let last = all.iter().enumerate().filter(|(at, (name, _))| is_last(*at, name));
                *pairs = last.map(|(_, pair)| pair.clone()).collect();
            });
        },
    ),
    fault("leads.values-without-blank", "Several values of a name are joined with a comma without a space.", REPEATED)
        .request(|request, _| {
            edit_pairs(request, |pairs| {
                let mut joined: Vec<(String, String)> = Vec::new();
                for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
                    match joined.iter_mut().find(|(known, _)| known == name && name != "consent") {
                        Some((_, values)) => *values = format!("{values},{value}"),
                        None => joined.push((name.clone(), value.clone())),
                    }
                }
                *pairs = joined;
            });
        }),
    fault("leads.empty-refused", "An empty telephone number in a form is refused.", &["capture.form.empty-values"])
        .request(|request, _| {
            edit_pairs(request, |pairs| {
                for (_, value) in pairs.iter_mut().filter(|(name, value)| name == "phone" && value.is_empty()) {
                    "0".clone_into(value);
                }
            });
        }),
    fault("leads.empty-kept", "An empty field of a form is kept.", &["capture.form.empty-values"]).request(
        |request, _| {
            edit_pairs(request, |pairs| {
                for (_, value) in pairs.iter_mut().filter(|(name, value)| name == "size" && value.is_empty()) {
                    "-".clone_into(value);
                }
            });
        },
    ),
    fault("leads.consent-by-on-alone", "Only the value `on` gives consent in a form.", CONSENT).request(
        |request, _| {
            edit_pairs(request, |pairs| {
                for (_, value) in pairs.iter_mut().filter(|(name, value)| name == "consent" && value != "on") {
                    "no".clone_into(value);
                }
            });
        },
    ),
    fault("leads.consent-by-anything", "Any value of a form gives consent.", CONSENT).request(|request, _| {
        edit_pairs(request, |pairs| {
            for (_, value) in pairs.iter_mut().filter(|(name, value)| name == "consent" && !value.is_empty()) {
                "on".clone_into(value);
            }
        });
    }),
    fault("leads.consent-by-another-name", "`consent_given` in a form gives consent, too.", CONSENT).request(
        |request, _| {
            edit_pairs(request, |pairs| {
                for (name, _) in pairs.iter_mut().filter(|(name, _)| name == "consent_given") {
                    "consent".clone_into(name);
                }
            });
        },
    ),
    fault("leads.consent-of-all", "Several values of a form give consent only if all of them agree.", CONSENT).request(
        |request, _| {
            edit_pairs(request, |pairs| {
                if pairs.iter().any(|(name, value)| name == "consent" && value == "no") {
                    pairs.retain(|(name, _)| name != "consent");
                }
            });
        },
    ),
    fault("leads.multipart-refused", "A form as multipart/form-data gets 415.", &["capture.multipart.like-json"])
        .exchange(|exchange| multipart_refused(exchange).boxed()),
    fault(
        "leads.multipart-first-value",
        "In multipart/form-data only the first value of a name is kept.",
        &["capture.multipart.like-form"],
    )
    .request(|request, _| {
        edit_parts(request, |parts| {
            let all = parts.clone();
            let name = |at: usize| all[at].parameter("name");
            let is_first = |at: &usize| (0..*at).all(|before| name(before) != name(*at));
            // Leaves a form at the limit alone, because dropping parts would change how many the server counts.
            if all.len() < MAX_PARTS {
                *parts = (0..all.len()).filter(is_first).map(|at| all[at].clone()).collect();
            }
        });
    }),
    fault("leads.files-ignored", "A file in a form is ignored.", &["capture.multipart.file"]).request(|request, _| {
        edit_parts(request, |parts| {
            parts.retain(|part| part.parameter("filename").is_none() || part.content.is_empty());
        });
    }),
    fault("leads.file-unnamed", "The refusal of a file does not name its part.", &["capture.multipart.file"]).response(
        |response, request, _| {
            if is_multipart(request) && response.status == 422 {
                response.edit(|problem| {
                    for error in problem["errors"].as_array_mut().into_iter().flatten() {
                        error["pointer"] = json!("#");
                    }
                });
            }
        },
    ),
    fault("leads.empty-file-refused", "An empty field for a file is refused.", &["capture.multipart.empty-file"])
        .request(|request, _| {
            edit_parts(request, |parts| {
                for part in parts.iter_mut().filter(|part| part.parameter("filename").is_some()) {
                    part.content.push('0');
                }
            });
        }),
    fault("leads.parts-uncounted", "A form may have any number of parts.", PARTS)
        .request(|request, _| edit_parts(request, |parts| parts.truncate(MAX_PARTS))),
    fault("leads.parts-64", "A form with more than 64 parts is refused.", PARTS).request(|request, _| {
        edit_parts(request, |parts| {
            if let Some(last) = parts.last().cloned().filter(|_| parts.len() > 64) {
                parts.resize(MAX_PARTS + 1, last);
            }
        });
    }),
    fault(
        "leads.broken-multipart-invalid",
        "A multipart/form-data that cannot be read gets 422.",
        &["capture.multipart.malformed"],
    )
    .response(|response, request, _| {
        if is_multipart(request) && parts(request).is_none() && response.status == 400 {
            *response = in_place_of(response, 422, "validation_failed", "Validation failed");
        }
    }),
    fault("leads.broken-json-invalid", "A JSON form that cannot be read gets 422.", &["capture.json.malformed"])
        .response(|response, request, _| {
            if request.is(Operation::CaptureLead) && response.code().as_deref() == Some("invalid_json") {
                *response = in_place_of(response, 422, "validation_failed", "Validation failed");
            }
        }),
    fault("leads.any-media-type", "JSON is accepted with any media type.", &["capture.media-type.refused"]).request(
        |request, _| {
            let is_known = form::is_url_encoded(request) || is_multipart(request);
            if request.is(Operation::CaptureLead) && !is_known {
                request.set("content-type", "application/json");
            }
        },
    ),
];

async fn multipart_refused(exchange: Exchange) -> Response {
    if !is_multipart(&exchange.request) {
        return exchange.forward().await;
    }
    refuse(&exchange, 415, "unsupported_media_type", "Unsupported media type").await
}

/// Returns true if the media type of a form is not in the document.
pub(super) fn has_other_media_type(request: &Request) -> bool {
    let media_type = request.header("content-type").unwrap_or_default();
    !form::is_url_encoded(request) && !is_multipart(request) && !media_type.starts_with("application/json")
}
