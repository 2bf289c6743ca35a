//! Fields and headers that are added, omitted or written differently.

use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use crate::message::{Operation, Request, Response};

/// Fields whose content has names chosen by the caller or by another vocabulary.
pub(super) const NOT_OF_THE_SERVER: [&str; 4] = ["metadata", "fields", "utm", "json_ld"];

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.extra-members", "Every object has fields that the document does not name.", Profile::Full)
        .response(|response, request, _| {
            if is_answer(request, response) {
                response.edit(enrich);
            }
        }),
    variant("benign.nulls-left-out", "Responses omit fields that are null.", Profile::Full).response(
        |response, request, _| {
            if is_answer(request, response) {
                response.edit(strip);
            }
        },
    ),
    variant(
        "benign.other-pages",
        "The pages of the lead form and of confirmation links have other texts.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if is_page(request, response) {
            response.set_body("text/html; charset=utf-8", "<!doctype html><title>Hello</title><p>Hello");
        }
    }),
    variant("benign.wider-preflight", "The lead form allows browsers more methods and headers.", Profile::Full)
        .response(|response, _, _| {
            response.change("access-control-allow-methods", |methods| format!("OPTIONS, {methods}"));
            response.change("access-control-allow-headers", |_| "Accept, Content-Type, X-Requested-With".to_owned());
        }),
    variant("benign.extra-headers", "Responses carry headers of a proxy, a cookie and a policy.", Profile::Full)
        .response(|response, _, _| {
            response.set("server", "other/1.0");
            response.set("strict-transport-security", "max-age=63072000");
            response.append("via", "1.1 cache.example");
            response.append("set-cookie", "lb=7; Path=/; HttpOnly");
            response.append("vary", "Accept-Encoding, Authorization");
        }),
    variant("benign.absolute", "Location, Content-Location and Link are absolute URLs.", Profile::Full)
        .response(|response, request, _| absolute(response, request)),
    variant("benign.no-preference-applied", "The server never sends Preference-Applied.", Profile::Full)
        .response(|response, _, _| response.remove("preference-applied")),
    variant("benign.long-retry-after", "Retry-After asks for a longer pause.", Profile::Full).response(
        |response, _, _| {
            if response.status != 429 {
                response.change("retry-after", |_| "7".to_owned());
            }
        },
    ),
    variant("benign.lists-revalidated", "Lists without personal data are private, no-cache.", Profile::Full).response(
        |response, request, _| {
            let is_list = request.operation().is_some_and(|list| list.is_list() && list != Operation::ListLeads);
            if is_list && response.is_success() {
                response.set("cache-control", "private, no-cache");
            }
        },
    ),
    variant("benign.two-policies", "Responses show a second, longer quota.", Profile::Full).response(
        |response, _, _| {
            response.change("ratelimit-policy", |policy| format!("{policy}, \"day\";q=1000000;w=86400"));
            response.change("ratelimit", |left| format!("{left}, \"day\";r=999999;t=80000"));
        },
    ),
];

/// Returns true for a successful response of an operation.
fn is_answer(request: &Request, response: &Response) -> bool {
    response.is_success() && request.operation().is_some()
}

/// Returns true for a page of the lead form or of a link that confirms a lead.
fn is_page(request: &Request, response: &Response) -> bool {
    let media_type = response.header("content-type").unwrap_or_default();
    request.path.starts_with("/capture/") && media_type.starts_with("text/html")
}

/// Unknown fields.
fn enrich(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let own = members.iter_mut().filter(|(name, _)| !NOT_OF_THE_SERVER.contains(&name.as_str()));
            own.for_each(|(_, member)| enrich(member));
            members.insert("x_trace".to_owned(), json!({ "node": 7, "tags": [], "none": null }));
        }
        Value::Array(items) => items.iter_mut().for_each(enrich),
        _ => {}
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn absolute(response: &mut Response, request: &Request) {
    let Some(base) = request.header("host").map(|host| format!("http://{host}")) else { return };
    for name in ["location", "content-location"] {
        response.change(name, |value| if value.starts_with('/') { format!("{base}{value}") } else { value.to_owned() });
    }
    response.change("link", |link| link.replace("</", &format!("<{base}/")));
}
