//! `api`: sends any request to the server, with the key, retries and pagination.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use contentgen_sdk::{Client, Response};
use reqwest::{Method, Url};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::arguments::Api;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Screen, print};
use crate::text::{document, line, visible};

/// Maximum size of a body in bytes; the server refuses a longer one.
const MOST_BODY_BYTES: u64 = 65_536;
/// Maximum number of pages that are read of a list.
const MOST_PAGES: usize = 10_000;
/// Path that queues something. Its requests get an idempotency key, so that retries are safe.
const GENERATE: &str = "/api/v1/generate";

/// A request that is complete except for its page.
struct Call {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    body: Option<Value>,
    idempotency_key: Option<String>,
}

/// Reads the body to send. Called before any asynchronous work, so that Ctrl-C ends a blocking read too.
pub(super) fn body(options: &Api) -> Result<Option<Value>, Failure> {
    let Some(path) = &options.input else { return Ok(None) };
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| Failure::usage(format!("{name} cannot be read: {error}"));
    let mut text = Vec::new();
    let read = |from: &mut dyn Read, text: &mut Vec<u8>| from.take(MOST_BODY_BYTES + 1).read_to_end(text);
    if path == Path::new("-") {
        read(&mut std::io::stdin().lock(), &mut text).map_err(unreadable)?;
    } else {
        read(&mut File::open(path).map_err(unreadable)?, &mut text).map_err(unreadable)?;
    }
    if text.len() as u64 > MOST_BODY_BYTES {
        return Err(Failure::usage(format!("{name} is larger than {MOST_BODY_BYTES} bytes, the limit of the API")));
    }
    serde_json::from_slice(&text).map(Some).map_err(|error| {
        Failure::usage(format!("{name} is not valid JSON at line {} column {}", error.line(), error.column()))
    })
}

/// Sends the request and prints the response, or the items of all its pages.
pub(super) async fn api(
    options: Api,
    body: Option<Value>,
    connection: &Connection,
    screen: Screen,
) -> Result<(), Failure> {
    let paginates = options.paginate;
    let call = call(options, body, screen)?;
    if paginates {
        return pages(&connection.client, call).await;
    }
    let answer = call.send(&connection.client).await?;
    if answer.body().is_empty() {
        let status = answer.http_status().as_u16();
        screen.note(&format!("the server answered {status} without a body"), "answered", &json!({ "status": status }));
        return Ok(());
    }
    match serde_json::from_slice::<Value>(answer.body()) {
        Ok(value) => print(&document(&value)),
        Err(_other) => print(&visible(&String::from_utf8_lossy(answer.body()))),
    }
}

/// Builds the request from the options.
fn call(options: Api, body: Option<Value>, screen: Screen) -> Result<Call, Failure> {
    let Api { method, path, query: parameters, paginate, idempotency_key, .. } = options;
    if Url::parse(&path).is_ok() {
        return Err(Failure::usage(
            "PATH must be a path such as /api/v1/websites, because the key goes only to the configured server",
        ));
    }
    let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes())
        .map_err(|_| Failure::usage("invalid HTTP method"))?;
    if paginate && method != Method::GET {
        return Err(Failure::usage("--paginate needs the method GET"));
    }
    let path = if path.starts_with('/') { path } else { format!("/{path}") };
    let (path, typed) = path.split_once('?').map_or((path.as_str(), ""), |(path, query)| (path, query));
    let mut query: Vec<(String, String)> = Vec::new();
    // Use the URL parser to split the query.
    if let Ok(url) = Url::parse(&format!("http://localhost/?{typed}")) {
        query.extend(
            url.query_pairs().filter(|(name, _)| !name.is_empty()).map(|(name, value)| (name.into(), value.into())),
        );
    }
    query.extend(parameters);
    let idempotency_key = idempotency_key.or_else(|| {
        (method == Method::POST && path == GENERATE).then(|| {
            let key = Uuid::new_v4().to_string();
            screen.note(&format!("idempotency key: {key}"), "sending", &json!({ "idempotency_key": key }));
            key
        })
    });
    Ok(Call { method, path: path.to_owned(), query, body, idempotency_key })
}

impl Call {
    async fn send(&self, client: &Client) -> Result<Response<()>, Failure> {
        let mut request = client.request(self.method.clone(), &self.path);
        for (name, value) in &self.query {
            request = request.query(name, value);
        }
        if let Some(body) = &self.body {
            request = request.body(body.clone());
        }
        if let Some(key) = &self.idempotency_key {
            request = request.idempotency_key(key);
        }
        Ok(request.send().await?)
    }
}

/// Prints the items of all pages, one per line.
async fn pages(client: &Client, mut call: Call) -> Result<(), Failure> {
    let no_list = || {
        Failure::new(
            Exit::Failed,
            "the response is not a page of a list, because it has no `items`; leave out --paginate",
        )
    };
    let first = call.query.clone();
    let mut token = None;
    for _page in 0..MOST_PAGES {
        let answer = call.send(client).await?;
        let page: Value = serde_json::from_slice(answer.body()).map_err(|_| no_list())?;
        let items = page.get("items").and_then(Value::as_array).ok_or_else(no_list)?;
        print(&items.iter().map(line).collect::<String>())?;
        let next = page.get("next_page").and_then(Value::as_str).filter(|next| !next.is_empty()).map(str::to_owned);
        if next.is_none() {
            return Ok(());
        }
        if next == token {
            return Err(Failure::new(Exit::Failed, "the `next_page` of the response is the page that was just read"));
        }
        call.query.clone_from(&first);
        call.query.retain(|(name, _)| name != "page_token");
        call.query.extend(next.clone().map(|next| ("page_token".to_owned(), next)));
        token = next;
    }
    Err(Failure::new(Exit::Failed, format!("the list has more than {MOST_PAGES} pages; narrow it with --query")))
}
