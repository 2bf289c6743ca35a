//! Lists over HTTP, with the `Link` to the next page (RFC 8288). Also the single lead and the single scheduled post.

use axum::response::Response;
use http::header::LINK;
use http::{StatusCode, Uri};
use serde::Serialize;
use url::form_urlencoded::Serializer;

use super::problem::Problem;
use super::query;
use super::response::{NO_STORE, encode, json, value};
use super::route::Api;
use crate::app::{Caller, Page};

pub(super) async fn list_articles(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(api, uri, &query, &api.app.list_articles(caller, &query).await?))
}

pub(super) async fn list_leads(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(api, uri, &query, &api.app.list_leads(caller, &query).await?))
}

pub(super) async fn list_scheduled_posts(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(api, uri, &query, &api.app.list_scheduled_posts(caller, &query).await?))
}

pub(super) async fn list_websites(api: &Api, caller: &Caller, uri: &Uri) -> Result<Response, Problem> {
    let query = query::pairs(uri);
    Ok(page(api, uri, &query, &api.app.list_websites(caller, &query).await?))
}

pub(super) async fn get_lead(api: &Api, caller: &Caller, id: &str) -> Result<Response, Problem> {
    let lead = api.app.get_lead(caller, id).await?;
    Ok(json(StatusCode::OK, encode(&lead), NO_STORE))
}

pub(super) async fn get_scheduled_post(api: &Api, caller: &Caller, id: &str) -> Result<Response, Problem> {
    let post = api.app.get_scheduled_post(caller, id).await?;
    Ok(json(StatusCode::OK, encode(&post), NO_STORE))
}

fn page<T: Serialize>(api: &Api, uri: &Uri, query: &[(String, String)], page: &Page<T>) -> Response {
    let mut response = json(StatusCode::OK, encode(page), NO_STORE);
    if let Some(token) = &page.next_page {
        let mut next = Serializer::new(String::new());
        next.extend_pairs(query.iter().filter(|(name, _)| name != "page_token"));
        next.append_pair("page_token", token);
        let link = format!("<{}?{}>; rel=\"next\"", api.public_url.reference(uri.path()), next.finish());
        response.headers_mut().insert(LINK, value(&link));
    }
    response
}
