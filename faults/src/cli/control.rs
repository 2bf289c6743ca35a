//! The control address: faults as JSON, each enabled with `PUT` and disabled with `DELETE`, and one plain page. Its path begins with a
//! random token, so that pages of other sites in the user's browser cannot enable faults.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use http::StatusCode;
use http::header::HOST;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::{Host, Url};

use super::arguments::fault;
use super::list::Row;
use crate::catalogue::all;
use crate::server::FaultyServer;

type Server = State<Arc<FaultyServer>>;

/// A fault with its state.
#[derive(Debug, Serialize)]
struct Listed {
    #[serde(flatten)]
    row: Row,
    enabled: bool,
    /// Number of exchanges and deliveries that it changed since it was enabled.
    spoiled: u64,
}

/// Returns the pages below `/{token}`.
pub(super) fn router(server: Arc<FaultyServer>, token: &str) -> Router {
    let pages = Router::new()
        .route("/", get(page))
        .route("/faults", get(list).delete(disable_all))
        .route("/faults/{name}", put(enable).delete(disable))
        .route("/endpoints", post(open_endpoint))
        .route("/endpoints/{number}/secrets", post(learn_secret))
        .with_state(server);
    Router::new().nest(&format!("/{token}"), pages).layer(from_fn(by_address))
}

/// Refuses requests by another host name than `localhost`. A page of another site may let its name resolve to this machine (DNS
/// rebinding).
async fn by_address(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let url = host.and_then(|host| Url::parse(&format!("http://{host}")).ok());
    match url.as_ref().and_then(Url::host) {
        Some(Host::Ipv4(_) | Host::Ipv6(_) | Host::Domain("localhost")) => next.run(request).await,
        _ => (StatusCode::MISDIRECTED_REQUEST, "use `localhost` or the IP address of this machine, not another name\n")
            .into_response(),
    }
}

fn listed(server: &FaultyServer) -> Vec<Listed> {
    let enabled = server.enabled();
    let state = |name: &str| enabled.iter().find(|(other, _)| *other == name).map(|(_, spoiled)| *spoiled);
    all()
        .map(|fault| {
            let spoiled = state(fault.name);
            Listed { row: Row::from(fault), enabled: spoiled.is_some(), spoiled: spoiled.unwrap_or(0) }
        })
        .collect()
}

async fn list(State(server): Server) -> Json<Value> {
    Json(json!({ "base_url": server.base_url(), "faults": listed(&server) }))
}

async fn enable(State(server): Server, Path(name): Path<String>) -> Result<StatusCode, (StatusCode, String)> {
    let fault = fault(&name).map_err(|mistake| (StatusCode::NOT_FOUND, format!("{mistake}\n")))?;
    server.enable(fault);
    Ok(StatusCode::NO_CONTENT)
}

async fn disable(State(server): Server, Path(name): Path<String>) -> StatusCode {
    if server.disable(&name) { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND }
}

async fn disable_all(State(server): Server) -> StatusCode {
    for (name, _) in server.enabled() {
        server.disable(name);
    }
    StatusCode::NO_CONTENT
}

/// A receiver to which webhooks are forwarded.
#[derive(Debug, Deserialize)]
struct NewEndpoint {
    url: String,
}

async fn open_endpoint(State(server): Server, Json(new): Json<NewEndpoint>) -> (StatusCode, Json<Value>) {
    let endpoint = server.relay().open(&new.url);
    (StatusCode::CREATED, Json(json!({ "number": endpoint.number, "url": server.relay().url(&endpoint) })))
}

/// Secret that the server returned for an endpoint.
#[derive(Deserialize)]
struct NewSecret {
    secret: String,
}

async fn learn_secret(State(server): Server, Path(number): Path<usize>, Json(new): Json<NewSecret>) -> StatusCode {
    server.relay().learn_secret(number, &new.secret);
    StatusCode::NO_CONTENT
}

async fn page(State(server): Server) -> Html<String> {
    let mut rows = String::new();
    for Listed { row, enabled, spoiled } in listed(&server) {
        let checked = if enabled { " checked" } else { "" };
        let row = serde_json::to_value(row).unwrap_or_default();
        let text = |name: &str| escaped(row[name].as_str().unwrap_or_default());
        let (name, description) = (text("name"), text("description"));
        let _ = writeln!(
            rows,
            "<tr><td><input type=checkbox id=\"{name}\"{checked}><td><label for=\"{name}\">{name}</label>\
             <td>{description}<td>{spoiled}"
        );
    }
    Html(format!(include_str!("control.html"), base_url = escaped(server.base_url()), rows = rows))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
