//! The lists on the wire, with the `Link` to the next page (RFC 8288), and the single lead.

use axum::response::Response;
use bytes::Bytes;
use http::header::LINK;
use http::{StatusCode, Uri};
use serde::Serialize;
use url::form_urlencoded::Serializer;

use super::problem::{Code, Problem};
use super::query;
use super::response::{NO_STORE, encode, json, value};
use super::route::Api;
use crate::app::{Caller, Page};
use crate::domain::fault::table::{leads, outside, paging};

pub(super) async fn list_articles(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(uri, &query, &api.app.list_articles(caller, &query).await?))
}

pub(super) async fn list_leads(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(uri, &query, &api.app.list_leads(caller, &query).await?))
}

pub(super) async fn list_scheduled_posts(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(uri, &query, &api.app.list_scheduled_posts(caller, &query).await?))
}

pub(super) async fn list_websites(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(uri, &query, &api.app.list_websites(caller, &query).await?))
}

pub(super) async fn get_lead(api: &Api, caller: &Caller, id: &str) -> Result<Response, Problem> {
    if leads::UNKNOWN_IS_400.is_on() && !id.starts_with("lead_") {
        return Err(Problem::new(Code::InvalidHeader, "That is no id of a lead."));
    }
    let lead = match api.app.get_lead(caller, id).await {
        Err(_) if leads::UNKNOWN_IS_EMPTY.is_on() => {
            return Ok(json(StatusCode::OK, Bytes::from_static(b"{}"), NO_STORE));
        }
        lead => lead?,
    };
    Ok(json(StatusCode::OK, encode(&lead), NO_STORE))
}

fn page<T: Serialize>(uri: &Uri, query: &[(String, String)], page: &Page<T>) -> Response {
    let mut response = json(StatusCode::OK, encode(page), NO_STORE);
    if paging::LINK_ALWAYS.is_on() && page.next_page.is_none() {
        response.headers_mut().insert(LINK, value(&format!("<{uri}>; rel=\"next\"")));
    }
    if let Some(token) = page.next_page.as_ref().filter(|_| !paging::NO_LINK.is_on()) {
        let mut next = Serializer::new(String::new());
        if !paging::LINK_DROPS_QUERY.is_on() {
            next.extend_pairs(query.iter().filter(|(name, _)| name != "page_token"));
        }
        let sent = query.iter().find(|(name, _)| name == "page_token").filter(|_| outside::LINK_STANDS_STILL.is_on());
        next.append_pair("page_token", sent.map_or(token, |(_, sent)| sent));
        let link = format!("<{}?{}>; rel=\"next\"", uri.path(), next.finish());
        response.headers_mut().insert(LINK, value(&link));
    }
    response
}
