//! The reference page and the two forms of the document: complete, equal for all callers, cacheable, and compatible with a strict content
//! security policy.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::client::{ApiResponse, Caller};
use super::contract::{self, DOCUMENT};
use super::world::World;

fn stranger() -> Caller {
    World::shared().first().with_key(None)
}

async fn reference() -> ApiResponse {
    let answer = stranger().get("/docs").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"));
    answer
}

/// Returns the values of this attribute.
fn attributes(html: &str, name: &str) -> BTreeSet<String> {
    let start = format!(" {name}=\"");
    html.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// Returns the content of each element of this name.
fn inside<'html>(html: &'html str, element: &str) -> Vec<&'html str> {
    let (begin, end) = (format!("<{element}>"), format!("</{element}>"));
    html.split(&begin).skip(1).map(|rest| rest.split_once(&end).unwrap().0).collect()
}

#[tokio::test]
async fn the_reference_has_every_operation_hook_problem_schema_limit_and_example() {
    let html = reference().await.text();
    let anchors = attributes(&html, "id");
    let mut expected: BTreeSet<_> = contract::operations().into_iter().map(|(_, _, operation)| operation).collect();
    let hooks: Vec<_> = DOCUMENT["x-webhooks"].as_object().unwrap().values().collect();
    assert!(!hooks.is_empty());
    expected.extend(hooks.iter().filter_map(|item| item["post"]["operationId"].as_str()).map(str::to_owned));
    for (path, prefix) in [("/x-problem-codes", "problem-"), ("/components/schemas", "schema-")] {
        let names = DOCUMENT.pointer(path).unwrap().as_object().unwrap().keys();
        expected.extend(names.map(|name| format!("{prefix}{name}")));
    }
    let missing: Vec<_> = expected.difference(&anchors).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for scope in DOCUMENT["components"]["securitySchemes"]["platform_key"]["x-scopes"].as_object().unwrap().keys() {
        assert!(html.contains(&format!("<td><code>{scope}</code></td>")), "{scope}");
    }
    for limit in DOCUMENT["x-limits"].as_object().unwrap().keys() {
        assert!(html.contains(&format!("<code>{limit}</code>")), "{limit}");
    }
    let mut texts = Vec::new();
    collect_examples(&DOCUMENT["paths"], &mut texts);
    collect_examples(&DOCUMENT["components"]["responses"], &mut texts);
    let shown = html.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let missing: Vec<_> = texts.into_iter().filter(|text| !shown.contains(&Value::from(*text).to_string())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Collects the texts of all named examples below a part of the document.
fn collect_examples<'a>(part: &'a Value, texts: &mut Vec<&'a str>) {
    for (name, member) in part.as_object().into_iter().flatten() {
        if name == "examples" {
            for example in member.as_object().unwrap().values() {
                collect_texts(&example["value"], texts);
            }
        } else {
            collect_examples(member, texts);
        }
    }
}

fn collect_texts<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(members) => members.values().for_each(|member| collect_texts(member, texts)),
        _ => {}
    }
}

#[tokio::test]
async fn the_reference_runs_its_own_script_and_style_and_loads_nothing() {
    let answer = reference().await;
    let html = answer.text();
    let hash = |element: &str| {
        let [text] = inside(&html, element)[..] else { panic!("one {element} was expected") };
        format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
    };
    let expected = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        hash("style"),
        hash("script")
    );
    assert_eq!(answer.header("content-security-policy"), expected);
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    // Things that the policy would block, or that need a network.
    for mark in [
        " style=\"",
        " src=\"",
        "<link",
        "<script ",
        "<style ",
        "@import",
        "url(",
        "<iframe",
        " onclick=",
        "href=\"javascript:",
    ] {
        assert!(!html.contains(mark), "{mark}");
    }
}

#[tokio::test]
async fn every_link_of_the_reference_leads_somewhere_on_this_server() {
    let html = reference().await.text();
    let anchors = attributes(&html, "id");
    let mut pages = 0;
    for link in attributes(&html, "href") {
        if let Some(anchor) = link.strip_prefix('#') {
            assert!(anchors.contains(anchor), "{link}");
        } else if !link.starts_with("https://") {
            // Links are relative to `/docs`, so that a proxy may serve the server below a path.
            assert!(!link.starts_with('/') && !link.contains("//"), "{link}");
            let path = format!("/{}", link.trim_start_matches("./"));
            assert_eq!(stranger().get(&path).await.status, 200, "{link}");
            pages += 1;
        }
    }
    assert!(pages > 28, "{pages} pages");
}

#[tokio::test]
async fn the_document_is_the_same_in_both_forms_and_keeps_its_order() {
    let (yaml, json) = (stranger().get("/openapi.yaml").await, stranger().get("/openapi.json").await);
    assert_eq!((yaml.header("content-type"), json.header("content-type")), ("application/yaml", "application/json"));
    assert_eq!(yaml.text(), include_str!("../../../../openapi.yaml"));
    assert_eq!(json.json(), *DOCUMENT);
    let text = json.text();
    let places =
        ["\"openapi\":", "\"info\":", "\"/api/v1/generate\":", "\"/api/v1/websites\":"].map(|key| text.find(key));
    assert!(places.is_sorted() && places[0] == Some(1), "{places:?}");
}

#[tokio::test]
async fn the_edition_for_other_tools_is_openapi_3_1_with_the_same_operations() {
    let answer = stranger().get("/openapi-3.1.json").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    let edition = answer.json();
    assert_eq!((&edition["openapi"], &edition["info"]["version"]), (&"3.1.0".into(), &DOCUMENT["info"]["version"]));
    let paths = |document: &Value| document["paths"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(paths(&edition), paths(&DOCUMENT));
    assert!(edition["webhooks"]["article.published"]["post"].is_object());
}

#[tokio::test]
async fn a_browser_that_has_the_current_one_is_not_sent_it_again() {
    let mut tags = BTreeSet::new();
    for path in ["/docs", "/openapi.yaml", "/openapi.json", "/openapi-3.1.json"] {
        let first = stranger().get(path).await;
        assert_eq!(first.header("cache-control"), "public, no-cache", "{path}");
        let tag = first.header("etag");
        for method in ["GET", "HEAD"] {
            let again = stranger().send(stranger().request(method, path).header("if-none-match", tag)).await;
            assert_eq!((again.status, again.header("etag"), again.bytes.len()), (304, tag, 0), "{method} {path}");
            assert_eq!(again.header("cache-control"), "public, no-cache", "{path}");
        }
        let other = stranger().send(stranger().request("GET", path).header("if-none-match", "\"other\"")).await;
        assert_eq!((other.status, &other.bytes), (200, &first.bytes), "{path}");
        tags.insert(tag.to_owned());
    }
    assert_eq!(tags.len(), 4);
}

#[tokio::test]
async fn the_documentation_is_only_read() {
    for path in ["/docs", "/openapi.yaml", "/openapi.json", "/openapi-3.1.json"] {
        let get = stranger().get(path).await;
        let head = stranger().send(stranger().request("HEAD", path)).await;
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
        for name in ["content-type", "content-security-policy", "etag", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = stranger().send(stranger().request(method, path)).await;
            assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn the_first_page_leads_to_reference_and_dashboard_and_pages_of_problems_to_the_reference() {
    let anchors = attributes(&reference().await.text(), "id");
    let home = attributes(&stranger().get("/").await.text(), "href");
    for link in ["/docs", "/dashboard", "/openapi.yaml", "/openapi-3.1.json"] {
        assert!(home.contains(link), "{link} in {home:?}");
    }
    for code in DOCUMENT["x-problem-codes"].as_object().unwrap().keys() {
        let links = attributes(&stranger().get(&format!("/problems/{code}")).await.text(), "href");
        let anchor = format!("problem-{code}");
        assert!(links.contains(&format!("/docs#{anchor}")) && anchors.contains(&anchor), "{code}: {links:?}");
    }
}

#[tokio::test]
async fn a_problem_links_to_the_page_that_explains_it() {
    for (path, code) in [("/api/v1/articles", "missing_credentials"), ("/api/v1/nothing", "route_not_found")] {
        let answer = stranger().get(path).await;
        assert_eq!(answer.json()["code"], code);
        assert_eq!(answer.header("link"), format!("</problems/{code}>; rel=\"help\""), "{path}");
        assert_eq!(stranger().get(&format!("/problems/{code}")).await.status, 200);
    }
}
