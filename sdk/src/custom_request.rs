//! Requests outside the API document: to a newer server, or to one with more operations than the document defines.

use std::fmt;

use bytes::Bytes;
use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};
use reqwest::{Method, Request, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bounds;
use crate::error::Error;
use crate::generated::Client;
use crate::generated::types::FieldErrorCode;
use crate::idempotency::IDEMPOTENCY_KEY;
use crate::invalid_request::{Faults, Place};
use crate::lenient::null_as_empty;
use crate::pagination::{Fetch, Paged, Pages};
use crate::request_template::CUSTOM_REQUEST;
use crate::response::Response;
use crate::sealed::Sealed;

/// Parameter that names a page of a list.
const PAGE_TOKEN: &str = "page_token";

impl Client {
    /// Base URL of the server, without a slash at its end.
    pub fn base_url(&self) -> &str {
        &self.baseurl
    }

    /// Starts a request outside the API document, with the key (if there is one), the retries and the limits of this client:
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// use contentgen_sdk::types::Job;
    ///
    /// let newer = client.request(http::Method::GET, "/api/v1/statistics").query("website_id", "web_1").send().await?;
    /// println!("{}", String::from_utf8_lossy(newer.body()));
    /// let job = client.request(http::Method::GET, "/api/v1/jobs/job_1").send_json::<Job>().await?;
    /// println!("{}", job.status);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The path begins with a slash and is appended unchanged to the base URL, so encode values from outside. A path that a URL parser
    /// would change is refused. A method that is idempotent (RFC 9110 section 9.2.2) is retried like a read. Any other is retried only if
    /// the failed attempt cannot have had an effect, or with an `Idempotency-Key` if the options say that the
    /// [server keeps keys](crate::RequestOptions::server_keeps_idempotency_keys).
    pub fn request(&self, method: Method, path: impl Into<String>) -> CustomRequest<'_> {
        CustomRequest {
            client: self,
            method,
            path: path.into(),
            query: Vec::new(),
            headers: HeaderMap::new(),
            body: None,
            faults: Faults::default(),
        }
    }
}

/// A request outside the API document; [`Client::request`] starts one.
#[derive(Clone)]
#[must_use = "a request does nothing until it is sent"]
pub struct CustomRequest<'a> {
    client: &'a Client,
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    body: Option<Bytes>,
    /// Problems found so far that keep the request from being sent.
    faults: Faults,
}

impl<'a> CustomRequest<'a> {
    /// Adds a query parameter. The value is encoded here.
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// Sets a header. The request fails with a header that belongs to the client or describes the body's framing: `Authorization`, `Host`,
    /// `Content-Length` and `Transfer-Encoding`. For an idempotency key use [`idempotency_key`](Self::idempotency_key).
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        if [AUTHORIZATION, HOST, CONTENT_LENGTH, TRANSFER_ENCODING].contains(&name) || name == IDEMPOTENCY_KEY {
            let detail = format!("`{name}` cannot be set here: the client or another method sets it");
            self.faults.add(Place::Header(name.as_str()).error(FieldErrorCode::UnknownField, detail));
        } else {
            self.headers.insert(name, value);
        }
        self
    }

    /// Sets the body, sent as JSON: a `serde_json::Value` or any other serializable value.
    pub fn body(mut self, body: impl Serialize) -> Self {
        self.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        match serde_json::to_vec(&body) {
            Ok(bytes) => self.body = Some(bytes.into()),
            Err(fault) => {
                let detail = format!("cannot serialize the body as JSON: {fault}");
                self.faults.add(Place::Body.error(FieldErrorCode::InvalidFormat, detail));
            }
        }
        self
    }

    /// Sets a body of any bytes. Set its media type with [`header`](Self::header).
    pub fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.body = Some(bytes.into().into());
        self
    }

    /// Sets the idempotency key, for a path that supports one.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        match bounds::header("Idempotency-Key", &key.into()) {
            Ok(key) => _ = self.headers.insert(&IDEMPOTENCY_KEY, key),
            Err(fault) => self.faults.add(*fault),
        }
        self
    }

    /// Sends the request. The bytes of the response are its [`body`](Response::body).
    ///
    /// # Errors
    ///
    /// [`Error`], as of any operation: a path or a body that cannot be sent, a failed connection, a response without success.
    pub async fn send(self) -> Result<Response<()>, Error> {
        Ok(Response::unread(self.sent().await?))
    }

    /// Sends the request and reads the response as JSON.
    ///
    /// # Errors
    ///
    /// [`Error`], as of any operation; also if a successful response cannot be read as a `T`.
    pub async fn send_json<T: DeserializeOwned>(self) -> Result<Response<T>, Error> {
        Response::decode(self.sent().await?)
    }

    /// Returns all pages from here on, fetched in order on demand, of a list in the form of the document's lists: its pages have `items`, and
    /// each but the last has a `next_page`, which is the `page_token` of the next one:
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let mut pages = client.request(http::Method::GET, "/api/v1/drafts").query("limit", "100").pages();
    /// while let Some(page) = pages.next().await {
    ///     for draft in &page?.items {
    ///         println!("{}", draft["id"]);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn pages(self) -> Pages<CustomRequest<'a>> {
        Pages::new(self)
    }

    async fn sent(self) -> Result<crate::whole_response::WholeResponse, Error> {
        let not_sent = |reason: String| Error::not_sent(reason).before_sending(CUSTOM_REQUEST);
        let url = self.url().map_err(not_sent)?;
        let Self { client, method, headers, body, faults, .. } = self;
        faults.or(Some(())).map_err(|refused| crate::call::refused(refused, CUSTOM_REQUEST))?;
        let build = || {
            let mut request = Request::new(method.clone(), url.clone());
            request.headers_mut().clone_from(&headers);
            *request.body_mut() = body.clone().map(Into::into);
            Ok(request)
        };
        crate::call::send(client, CUSTOM_REQUEST, &build).await
    }

    /// Returns the address. The path is appended unchanged to the base URL, so it cannot reach another server or leave the base URL's path.
    /// Errors do not show the path, since it may contain personal data.
    fn url(&self) -> Result<Url, String> {
        let path = self.path.as_str();
        if !path.starts_with('/') || path.starts_with("//") {
            return Err("the path must begin with exactly one slash".to_owned());
        }
        if path.contains(['?', '#']) {
            return Err("the path must not contain a query or a fragment; add parameters with `query`".to_owned());
        }
        let address = format!("{}{path}", self.client.base_url());
        let url = Url::parse(&address).ok().filter(|url| url.as_str() == address);
        // The parser trims, drops tabs and line breaks, and resolves `..` in every encoding.
        let mut url = url.ok_or_else(|| {
            "the path must not contain the segments `.` and `..`, or characters that must be percent-encoded".to_owned()
        })?;
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        Ok(url)
    }
}

/// A page of a list outside the API document.
#[derive(Clone, Deserialize)]
#[non_exhaustive]
pub struct CustomPage {
    /// The items as received.
    #[serde(deserialize_with = "null_as_empty")]
    pub items: Vec<Value>,
    /// Token of the next page; the last page has none.
    pub next_page: Option<String>,
}

/// Omits the items, which may contain personal data.
impl fmt::Debug for CustomPage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CustomPage").field("items", &self.items.len()).finish_non_exhaustive()
    }
}

impl Sealed for CustomRequest<'_> {}

impl<'a> Paged for CustomRequest<'a> {
    type Page = CustomPage;
    type Item = Value;
    type Fetch = Fetch<'a, CustomPage>;

    fn page_token(&self) -> Option<&str> {
        self.query.iter().find(|(name, _)| name == PAGE_TOKEN).map(|(_, token)| token.as_str())
    }

    fn fetch(&self, page_token: Option<String>) -> Self::Fetch {
        let mut request = self.clone();
        request.query.retain(|(name, _)| name != PAGE_TOKEN);
        request.query.extend(page_token.map(|token| (PAGE_TOKEN.to_owned(), token)));
        Box::pin(request.send_json())
    }

    fn next_page(page: &CustomPage) -> Option<&str> {
        page.next_page.as_deref()
    }

    fn is_empty(page: &CustomPage) -> bool {
        page.items.is_empty()
    }

    fn into_items(page: CustomPage) -> Vec<Value> {
        page.items
    }
}

/// Omits path, query, headers and body, which may contain personal data.
impl fmt::Debug for CustomRequest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CustomRequest").field("method", &self.method).finish_non_exhaustive()
    }
}
