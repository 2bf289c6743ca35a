//! A browser without JavaScript. It keeps cookies, follows redirects, and sends forms with the fields of their page.

use std::sync::{Mutex, PoisonError};

use contentgen_server_stub::server::Running;
use regex::Regex;
use reqwest::header::{COOKIE, HeaderMap, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::{Client, Method, Url};

use crate::plain_http;
use crate::waiting::until_ok;

/// A received page.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) status: u16,
    /// Path and query.
    pub(crate) address: String,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Page {
    /// Returns the value of a field on the page, or an empty text without such a field.
    pub(crate) fn field(&self, name: &str) -> String {
        let pattern = format!(r#"<input[^>]*\bname="{name}"[^>]*\bvalue="([^"]*)""#);
        let found = Regex::new(&pattern).unwrap().captures(&self.text);
        found.map(|found| unescaped(&found[1])).unwrap_or_default()
    }

    /// Returns the text of the pattern's first group at its first match.
    pub(crate) fn find(&self, pattern: &str) -> Option<String> {
        Regex::new(pattern).unwrap().captures(&self.text).map(|found| unescaped(&found[1]))
    }

    /// Panics with the page if it does not contain this text.
    pub(crate) fn expect(&self, text: &str) -> &Self {
        assert!(self.text.contains(text), "`{text}` is not on {} ({}):\n{}", self.address, self.status, self.text);
        self
    }

    /// Panics with the page if it contains this text.
    pub(crate) fn expect_not(&self, text: &str) -> &Self {
        assert!(!self.text.contains(text), "`{text}` is on {} ({}):\n{}", self.address, self.status, self.text);
        self
    }
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&#60;", "<").replace("&#62;", ">").replace("&#34;", "\"").replace("&#39;", "'");
    text.replace("&#38;", "&").replace("&amp;", "&")
}

/// A user's browser.
#[derive(Debug)]
pub(crate) struct Browser {
    http: Client,
    base_url: String,
    cookies: Mutex<Vec<(String, String)>>,
}

impl Browser {
    /// Returns a browser without cookies.
    pub(crate) fn new(base_url: &str) -> Self {
        let http = plain_http::client();
        Self { http, base_url: base_url.to_owned(), cookies: Mutex::default() }
    }

    /// Returns a browser with a session of the user of a demonstration's account.
    pub(crate) async fn signed_in(running: &Running, account: usize) -> Self {
        let browser = Self::new(running.base_url().unwrap());
        let account = &running.accounts()[account];
        let url = Url::parse(&running.sign_in_url(account).unwrap()).unwrap();
        let link = browser.get(url.path()).await;
        link.expect(&account.email);
        let page = browser.submit(&link, url.path(), &[]).await;
        assert_eq!((page.status, page.address.split('?').next().unwrap()), (200, "/dashboard"), "{}", page.text);
        browser
    }

    /// Requests the page repeatedly, like its script, until it contains this text.
    pub(crate) async fn wait_for(&self, path: &str, text: &str) -> Page {
        until_ok(&format!("`{text}` comes to {path}"), async || {
            let page = self.get(path).await;
            if page.text.contains(text) { Ok(page) } else { Err(page.text) }
        })
        .await
    }

    /// Requests a page and follows redirects.
    pub(crate) async fn get(&self, path: &str) -> Page {
        self.follow(self.once(Method::GET, path, None, &[]).await).await
    }

    /// Sends a form with the hidden fields of its page, and follows redirects.
    pub(crate) async fn submit(&self, page: &Page, path: &str, fields: &[(&str, &str)]) -> Page {
        let (csrf, opened) = (page.field("csrf"), page.field("opened"));
        let hidden = [("csrf", csrf.as_str()), ("opened", opened.as_str())];
        let hidden = hidden.into_iter().filter(|(_, value)| !value.is_empty());
        let fields: Vec<_> = hidden.chain(fields.iter().copied()).collect();
        self.follow(self.once(Method::POST, path, Some(&fields), &[]).await).await
    }

    /// Opens the form at the path, and sends it with these fields.
    pub(crate) async fn save(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.submit(&self.get(path).await, path, fields).await
    }

    async fn follow(&self, mut page: Page) -> Page {
        for _ in 0..5 {
            let Some(location) = page.headers.get(LOCATION) else { break };
            let location = location.to_str().unwrap().to_owned();
            page = self.once(Method::GET, &location, None, &[]).await;
        }
        page
    }

    /// Sends one request without following redirects.
    pub(crate) async fn once(
        &self,
        method: Method,
        path: &str,
        fields: Option<&[(&str, &str)]>,
        headers: &[(&str, &str)],
    ) -> Page {
        let mut request = self.http.request(method, format!("{}{path}", self.base_url));
        let cookies = self.cookie_line();
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies);
        }
        if let Some(fields) = fields {
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            request = request.body(body);
            let form = ("content-type", "application/x-www-form-urlencoded");
            for (name, value) in [form, (ORIGIN.as_str(), self.base_url.as_str())] {
                if !headers.iter().any(|(given, _)| *given == name) {
                    request = request.header(name, value);
                }
            }
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap();
        self.keep_cookies(response.headers());
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Page { status, address: path.to_owned(), headers, text: response.text().await.unwrap() }
    }

    /// Returns the cookies as a header value.
    pub(crate) fn cookie_line(&self) -> String {
        let cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    /// Copies the cookies of another browser, as a thief would.
    pub(crate) fn steal_cookies(&self, other: &Self) {
        let stolen = other.cookies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        *self.cookies.lock().unwrap_or_else(PoisonError::into_inner) = stolen;
    }

    fn keep_cookies(&self, headers: &HeaderMap) {
        let mut cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        for line in headers.get_all(SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            cookies.retain(|(known, _)| known != name);
            if !line.contains("Max-Age=0") {
                cookies.push((name.to_owned(), value.to_owned()));
            }
        }
    }
}
