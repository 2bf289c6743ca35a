//! `api`: sends any request to the server, with the key, retries and pagination.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use contentgen_sdk::{Client, CustomRequest, Error, ErrorKind};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode, Url};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::arguments::Api;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Privacy, Screen, Sink, print};
use crate::text::{on_one_line, visible};

/// Maximum size of a body in bytes; the server refuses a longer one.
const MOST_BODY_BYTES: u64 = 65_536;
/// Path that queues something. Its requests get an idempotency key, so that retries are safe.
const GENERATE: &str = "/api/v1/generate";

/// A request that the options describe.
struct Call {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    body: Option<Value>,
    idempotency_key: Option<String>,
}

/// Reads the body to send. Called before any asynchronous work, so that Ctrl-C ends a blocking read too.
pub(super) fn body(options: &Api) -> Result<Option<Value>, Failure> {
    let Some(path) = &options.input else { return Ok(fields(options)) };
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

/// Returns the body that the single fields make.
fn fields(options: &Api) -> Option<Value> {
    let texts = options.texts.iter().map(|(name, text)| (name.clone(), json!(text)));
    let fields: Map<String, Value> = texts.chain(options.fields.iter().cloned()).collect();
    (!fields.is_empty()).then_some(Value::Object(fields))
}

/// Sends the request and prints the response, or the items of all its pages.
pub(super) async fn api(
    options: Api,
    body: Option<Value>,
    connection: &Connection,
    screen: Screen,
) -> Result<(), Failure> {
    let Api { paginate, include, output, .. } = &options;
    let (paginates, includes) = (*paginate, *include);
    let mut sink = Sink::open(output.as_deref(), Privacy::Personal)?;
    let call = call(options, body, screen)?;
    if paginates {
        return print_pages(call.request(&connection.client), screen).await;
    }
    let answer = match call.request(&connection.client).send().await {
        Ok(answer) => answer,
        Err(error) => {
            // The body goes to standard output, for programs that read it; a file is only written after a success.
            print_refusal(&error, includes, screen)?;
            return Err(error.into());
        }
    };
    let status = answer.http_status();
    if includes {
        sink.write(&head(status, answer.headers()))?;
    }
    let bytes = answer.body();
    if bytes.is_empty() && !includes {
        let words = format!("the server answered {} without a body", status.as_u16());
        screen.note(&words, "answered", &json!({ "status": status.as_u16() }));
    }
    match (std::str::from_utf8(bytes), serde_json::from_slice::<Value>(bytes)) {
        // A file gets what the server sent, byte for byte.
        _ if sink.is_file() && !screen.has_chosen_fields() => sink.write_bytes(bytes)?,
        (_, Ok(value)) => sink.write(&screen.document(&value))?,
        (Ok(text), Err(_no_json)) => sink.write(&visible(text))?,
        (Err(_no_text), _) if sink.is_terminal() => {
            let failure = Failure::new(Exit::Failed, "the response is not text, and is not shown on a terminal");
            return Err(failure.advise("write it to a file with --output"));
        }
        (Err(_no_text), _) => sink.write_bytes(bytes)?,
    }
    sink.finish()
}

/// Prints the response of a failed request.
fn print_refusal(error: &Error, includes: bool, screen: Screen) -> Result<(), Failure> {
    let Some(status) = error.status() else { return Ok(()) };
    if includes {
        print(&head(status, error.headers()))?;
    }
    let Some(text) = error.body() else { return Ok(()) };
    match serde_json::from_str::<Value>(text) {
        Ok(value) => print(&screen.document(&value)),
        Err(_no_json) => print(&format!("{}\n", visible(text).trim_end())),
    }
}

/// Formats status and headers. Their values cannot contain line breaks.
fn head(status: StatusCode, headers: &HeaderMap) -> String {
    let lines = headers.iter().map(|(name, value)| {
        format!("{}\n", on_one_line(&format!("{name}: {}", String::from_utf8_lossy(value.as_bytes()))))
    });
    format!("HTTP {status}\n{}\n", lines.collect::<String>())
}

/// Builds the request from the options.
fn call(options: Api, body: Option<Value>, screen: Screen) -> Result<Call, Failure> {
    let Api { method, path, headers, query: parameters, paginate, idempotency_key, .. } = options;
    if Url::parse(&path).is_ok() {
        return Err(Failure::usage(
            "PATH must be a path such as /api/v1/websites, because the key goes only to the configured server",
        ));
    }
    let by_default = || if body.is_some() { "POST" } else { "GET" }.to_owned();
    let method = Method::from_bytes(method.unwrap_or_else(by_default).to_ascii_uppercase().as_bytes())
        .map_err(|_| Failure::usage("invalid HTTP method"))?;
    if body.is_some() && matches!(method, Method::GET | Method::HEAD) {
        return Err(Failure::usage(format!("a {method} has no body; add parameters with --query")));
    }
    let wrong = |name: &str| Failure::usage(format!("invalid header {name:?}"));
    let headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| {
            let parsed = HeaderName::try_from(name).ok().zip(HeaderValue::try_from(value).ok());
            parsed.ok_or_else(|| wrong(name))
        })
        .collect::<Result<_, _>>()?;
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
    Ok(Call { method, path: path.to_owned(), query, headers, body, idempotency_key })
}

impl Call {
    /// Returns the request of the SDK.
    fn request(&self, client: &Client) -> CustomRequest {
        let mut request = client.request(self.method.clone(), &self.path);
        for (name, value) in &self.query {
            request = request.query(name, value);
        }
        if let Some(body) = &self.body {
            request = request.body(body);
        }
        for (name, value) in &self.headers {
            request = request.header(name.clone(), value.clone());
        }
        if let Some(key) = &self.idempotency_key {
            request = request.idempotency_key(key);
        }
        request
    }
}

/// Prints the items of all pages, one per line.
async fn print_pages(request: CustomRequest, screen: Screen) -> Result<(), Failure> {
    let mut pages = request.pages();
    let mut has_printed = false;
    while let Some(page) = pages.next().await {
        let page = page.map_err(|error| {
            let is_no_list = error.kind() == ErrorKind::UnexpectedResponse && error.status().is_some();
            let failure = Failure::from(error);
            match pages.page_token() {
                Some(token) if has_printed => failure.resumed_by(&format!("--query page_token={token}")),
                _ if is_no_list => failure
                    .advise("--paginate needs a list, whose pages have `items`; leave it out for other responses"),
                _ => failure,
            }
        })?;
        print(&page.items.iter().map(|item| screen.line(item)).collect::<String>())?;
        has_printed = true;
    }
    Ok(())
}
