//! Requests outside the API document: to a newer server, or to one with more operations than the document defines.

use std::fmt;

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_LENGTH, HOST, HeaderName, HeaderValue, TRANSFER_ENCODING};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::generated::types::FieldErrorCode;
use crate::idempotency::IDEMPOTENCY_KEY;
use crate::invalid_request::Place;
use crate::lenient::null_as_empty;
use crate::pagination::{Paged, Pages, sealed};
use crate::response::Response;

impl Client {
    /// Starts a request outside the API document, with the key (if there is one), the retries and the limits of this client:
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// use contentgen_sdk::http::Method;
    /// use contentgen_sdk::types::Job;
    ///
    /// let newer = client.request(Method::GET, "/api/v1/statistics").query("website_id", "web_1").send().await?;
    /// println!("{}", String::from_utf8_lossy(newer.body()));
    /// let job = client.request(Method::GET, "/api/v1/jobs/job_1").send_json::<Job>().await?;
    /// println!("{}", job.status);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The path begins with a slash and is appended unchanged to the base URL, so encode values from outside. A path that a URL parser
    /// would change is refused. A method that is idempotent (RFC 9110 section 9.2.2) is retried like a read. Any other is retried only if
    /// the failed attempt cannot have had an effect, or with an `Idempotency-Key` if the options say that the
    /// [server keeps keys](crate::RequestOptions::server_keeps_idempotency_keys).
    pub fn request(&self, method: Method, path: impl Into<String>) -> CustomRequest {
        CustomRequest { client: self.clone(), call: Call::custom(method, path.into()) }
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Starts a request outside the API document: see [`Client::request`](crate::Client::request).
    pub fn request(&self, method: Method, path: impl Into<String>) -> CustomRequest<Self> {
        CustomRequest { client: self.clone(), call: Call::custom(method, path.into()) }
    }
}

/// A request outside the API document; [`Client::request`] starts one.
#[derive(Clone, Debug)]
#[must_use = "a request does nothing until it is sent"]
pub struct CustomRequest<C = Client> {
    client: C,
    call: Call,
}

impl<C> CustomRequest<C> {
    /// Adds a query parameter. The value is encoded here.
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.call.add_query(name.into(), value.into());
        self
    }

    /// Sets a header. The request fails with a header that belongs to the client or describes the body's framing: `Authorization`, `Host`,
    /// `Content-Length` and `Transfer-Encoding`. For an idempotency key use [`idempotency_key`](Self::idempotency_key).
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        if [AUTHORIZATION, HOST, CONTENT_LENGTH, TRANSFER_ENCODING].contains(&name) || name == IDEMPOTENCY_KEY {
            let detail = format!("`{name}` cannot be set here: the client or another method sets it");
            self.call.add_fault(Place::Header(name.as_str()).error(FieldErrorCode::UnknownField, detail));
        } else {
            self.call.insert_header(name, value);
        }
        self
    }

    /// Sets the body, sent as JSON: a `serde_json::Value` or any other serializable value.
    pub fn body(mut self, body: impl Serialize) -> Self {
        self.call.set_json(&body);
        self
    }

    /// Sets a body of any bytes. Set its media type with [`header`](Self::header).
    pub fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.call.set_body(bytes.into());
        self
    }

    /// Sets the idempotency key, for a path that supports one.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.call.set_header("Idempotency-Key", Some(key.into()));
        self
    }
}

impl CustomRequest {
    /// Sends the request. The bytes of the response are its [`body`](Response::body).
    ///
    /// # Errors
    ///
    /// [`Error`], as of any operation: a path or a body that cannot be sent, a failed connection, a response without success.
    pub async fn send(self) -> Result<Response<()>, Error> {
        self.call.send_unread(self.client).await
    }

    /// Sends the request and reads the response as JSON.
    ///
    /// # Errors
    ///
    /// [`Error`], as of any operation; also if a successful response cannot be read as a `T`.
    pub async fn send_json<T: DeserializeOwned>(self) -> Result<Response<T>, Error> {
        self.call.send(self.client).await
    }

    /// Returns all pages from here on, fetched in order on demand, of a list in the form of the document's lists: its pages have `items`, and
    /// each but the last has a `next_page`, which is the `page_token` of the next one:
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let mut pages = client.request(contentgen_sdk::http::Method::GET, "/api/v1/drafts").query("limit", "100").pages();
    /// while let Some(page) = pages.next().await {
    ///     for draft in &page?.items {
    ///         println!("{}", draft["id"]);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn pages(self) -> Pages<CustomPage> {
        Pages::new(self.client, self.call)
    }
}

#[cfg(feature = "blocking")]
impl CustomRequest<crate::blocking::Client> {
    /// Sends the request. The bytes of the response are its [`body`](Response::body).
    ///
    /// # Errors
    ///
    /// [`Error`], as of any operation: a path or a body that cannot be sent, a failed connection, a response without success.
    pub fn send(self) -> Result<Response<()>, Error> {
        self.client.wait(self.call.send_unread(self.client.api()))
    }

    /// Sends the request and reads the response as JSON.
    ///
    /// # Errors
    ///
    /// [`Error`], as of any operation; also if a successful response cannot be read as a `T`.
    pub fn send_json<T: DeserializeOwned>(self) -> Result<Response<T>, Error> {
        self.client.wait(self.call.send(self.client.api()))
    }

    /// Returns all pages from here on: see [`CustomRequest::pages`].
    pub fn pages(self) -> crate::blocking::Pages<CustomPage> {
        crate::blocking::Pages::new(self.client, self.call)
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

impl sealed::Sealed for CustomPage {}

impl Paged for CustomPage {
    type Item = Value;

    fn next_page(&self) -> Option<&str> {
        self.next_page.as_deref()
    }

    fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn into_items(self) -> Vec<Value> {
        self.items
    }
}
