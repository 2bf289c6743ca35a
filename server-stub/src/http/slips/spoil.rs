//! The way of an answer through all slips, and of a request through those that change its address.

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::Uri;

use super::answer::{Answer, Asked};
use super::{bodies, headers, problems, records, rendering, times, variants};
use crate::domain::fault::of_thread;
use crate::domain::fault::table::http as edge;

/// The answer as the server with a fault sends it.
pub(in crate::http) async fn spoil(asked: &Asked, response: Response) -> Response {
    if !of_thread().is_armed() {
        return response;
    }
    let mut answer = Answer::read(response).await;
    if (200..300).contains(&answer.status()) {
        records::spoil(asked, &mut answer);
        bodies::spoil(asked, &mut answer);
        times::spoil(asked, &mut answer);
    } else {
        problems::spoil(asked, &mut answer);
        records::stub(&mut answer);
    }
    headers::spoil(asked, &mut answer);
    variants::vary(asked, &mut answer);
    variants::delay().await;
    rendering::render(asked, answer)
}

/// The request as a server sees it that takes other addresses for the same.
pub(in crate::http) fn readdress(mut request: Request<Body>) -> Request<Body> {
    if edge::ANY_METHOD.is_on() && matches!(request.method().as_str(), "TRACE" | "FOO" | "get") {
        *request.method_mut() = http::Method::GET;
    }
    let path = request.uri().path();
    let other = match () {
        () if edge::TRAILING_SLASH.is_on() => path.trim_end_matches('/').to_owned(),
        () if edge::PATH_WITHOUT_CASE.is_on() && path.starts_with("/A") => path.to_lowercase(),
        () if edge::DOUBLE_SLASH.is_on() => path.replace("//", "/"),
        () if edge::ANY_VERSION.is_on() => path.replace("/v2/", "/v1/"),
        () => return request,
    };
    let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
    if let Ok(uri) = format!("{}{query}", if other.is_empty() { "/" } else { &other }).parse::<Uri>() {
        *request.uri_mut() = uri;
    }
    request
}
