//! Slips in refusals.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::answer::{Answer, Asked};
use crate::domain::fault::table::{http as edge, limits, problems};

pub(super) fn spoil(asked: &Asked, answer: &mut Answer) {
    let code = answer.json.as_ref().and_then(|body| body["code"].as_str()).unwrap_or_default().to_owned();
    members(asked, answer);
    match code.as_str() {
        "job_not_found" if problems::NOT_FOUND_EMPTY.is_on() => answer.set_body("text/plain", ""),
        "job_not_found" if edge::UNKNOWN_IS_410.is_on() => answer.set_status(StatusCode::GONE),
        "headers_too_large" if edge::HEADERS_ARE_400.is_on() => answer.set_status(StatusCode::BAD_REQUEST),
        "route_not_found" if edge::UNKNOWN_IS_HTML.is_on() => answer.set_body("text/html", "<h1>Not Found</h1>"),
        "route_not_found" | "method_not_allowed" if edge::KEY_BEFORE_ROUTE.is_on() => keyless(asked, answer),
        "method_not_allowed" => method(asked, answer),
        "rate_limited" => quota(answer),
        _ => {}
    }
    if problems::TEXT.is_on() {
        let detail = answer.json.as_ref().and_then(|body| body["detail"].as_str()).unwrap_or_default().to_owned();
        answer.set_body("text/plain", detail);
    }
    if problems::PLAIN_JSON.is_on() {
        answer.set_header("content-type", "application/json");
    }
    if problems::CACHEABLE.is_on() {
        answer.set_header("cache-control", "max-age=60");
    }
}

fn members(asked: &Asked, answer: &mut Answer) {
    answer.edit(|body| {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let (detail, code, instance) = (text("detail"), text("code"), text("instance"));
        if problems::NO_STATUS.is_on() {
            body.as_object_mut().map(|members| members.remove("status"));
        }
        if problems::STATUS_TEXT.is_on() {
            body["status"] = json!(body["status"].to_string());
        }
        if problems::STATUS_400.is_on() {
            body["status"] = json!(400);
        }
        if problems::ERRORS_TEXTS.is_on() {
            let texts = body["errors"].as_array().into_iter().flatten().map(|error| error["detail"].clone());
            body["errors"] = texts.collect::<Vec<Value>>().into();
        }
        if problems::TITLE_VARIES.is_on() {
            body["title"] = json!(detail);
        }
        if problems::CODE_UPPER.is_on() {
            body["code"] = json!(code.to_uppercase());
        }
        if problems::CODE_HYPHENS.is_on() {
            body["code"] = json!(code.replace('_', "-"));
        }
        if problems::REQUEST_ID_OTHER.is_on() {
            body["request_id"] = json!(format!("req_{}", detail.len()));
        }
        if problems::INSTANCE_QUERY.is_on() && !asked.query.is_empty() {
            body["instance"] = json!(format!("{instance}?{}", asked.query));
        }
        if problems::INTERNALS.is_on() {
            body["detail"] = json!(format!("{detail} (SELECT body FROM records WHERE id = ?1: no rows)"));
        }
        incomplete(&code, body);
        misplaced(body);
    });
}

fn incomplete(code: &str, body: &mut Value) {
    if problems::TYPE_BLANK.is_on() {
        body["type"] = json!("about:blank");
    }
    if problems::TYPE_OF_STATUS.is_on() {
        body["type"] = json!(format!("urn:problem-type:content-generation:{}", body["status"]));
    }
    let Some(members) = body.as_object_mut() else { return };
    if problems::NO_DETAIL.is_on() {
        members.remove("detail");
    }
    if problems::UNKNOWN_BARE.is_on() && code == "route_not_found" {
        members.retain(|name, _| matches!(name.as_str(), "code" | "status" | "title"));
    }
}

fn misplaced(body: &mut Value) {
    for error in body.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
        let place = |name: &str| error[name].as_str().map(ToOwned::to_owned);
        let (pointer, parameter, header) = (place("pointer"), place("parameter"), place("header"));
        if problems::PLACE_MISSING.is_on() && parameter.is_some() {
            error["parameter"] = Value::Null;
        }
        if let (true, Some(pointer)) = (problems::PLACE_TWICE.is_on(), pointer) {
            error["parameter"] = json!(pointer.trim_start_matches("#/"));
        }
        if problems::FIELD_CODE_OWN.is_on() {
            error["code"] = json!("value_error");
        }
        if let (true, Some(header)) = (problems::HEADER_AS_POINTER.is_on(), header) {
            (error["header"], error["pointer"]) = (Value::Null, json!(format!("#/{header}")));
        }
    }
}

fn keyless(asked: &Asked, answer: &mut Answer) {
    if asked.headers.contains_key("authorization") {
        return;
    }
    answer.set_status(StatusCode::UNAUTHORIZED);
    answer.edit(|body| {
        body["status"] = json!(401);
        body["code"] = json!("missing_credentials");
        body["title"] = json!("Missing credentials");
    });
}

fn method(asked: &Asked, answer: &mut Answer) {
    if edge::METHOD_IS_404.is_on() {
        answer.set_status(StatusCode::NOT_FOUND);
        answer.edit(|body| body["code"] = json!("route_not_found"));
    }
    if edge::NO_ALLOW.is_on() {
        answer.remove_header("allow");
    }
    if edge::ALLOW_WITHOUT_HEAD.is_on() {
        let allow = answer.header("allow").unwrap_or_default().replace(", HEAD", "");
        answer.set_header("allow", &allow);
    }
    if edge::OPTIONS_204.is_on() && asked.method == Method::OPTIONS {
        answer.set_status(StatusCode::NO_CONTENT);
        answer.set_body("text/plain", "");
    }
}

fn quota(answer: &mut Answer) {
    answer.edit(|body| {
        if limits::PLAIN_TYPE.is_on() {
            body["type"] = json!("about:blank");
        }
        if limits::NO_POLICIES.is_on() {
            body.as_object_mut().map(|members| members.remove("violated-policies"));
        }
    });
    if limits::NO_RETRY_AFTER.is_on() {
        answer.remove_header("retry-after");
    }
    if limits::RETRY_AFTER_DATE.is_on() {
        answer.set_header("retry-after", "Fri, 01 Jan 2100 00:00:00 GMT");
    }
    if limits::RETRY_AFTER_0.is_on() {
        answer.set_header("retry-after", "0");
    }
    if limits::IS_503.is_on() {
        answer.set_status(StatusCode::SERVICE_UNAVAILABLE);
    }
}
