//! Lists as streams of pages and of their items.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::error_words::excerpt;
use crate::lenient::null_as_empty;
use crate::page_loop::{PageLoop, PageLoopGuard, PageRead};
use crate::response::Response;

/// A page that is being fetched.
type Fetch<P> = Pin<Box<dyn Future<Output = Result<Response<P>, Error>> + Send>>;

/// A page of a list, as received. Other crates cannot implement this trait, so a later version can add methods:
///
/// ```compile_fail,E0277
/// use contentgen_sdk::pagination::Paged;
///
/// #[derive(serde::Deserialize)]
/// struct Mine;
///
/// impl Paged for Mine {
///     type Item = String;
///     fn next_page(&self) -> Option<&str> {
///         None
///     }
///     fn is_empty(&self) -> bool {
///         true
///     }
///     fn into_items(self) -> Vec<String> {
///         Vec::new()
///     }
/// }
/// ```
pub trait Paged: sealed::Sealed + DeserializeOwned + Unpin + Send + 'static {
    /// An item on a page.
    type Item: Unpin + DeserializeOwned;

    /// Returns the token of the next page.
    fn next_page(&self) -> Option<&str>;
    /// Returns true if the page has no items.
    fn is_empty(&self) -> bool;
    /// Returns the items of the page.
    fn into_items(self) -> Vec<Self::Item>;
}

pub(crate) mod sealed {
    /// Supertrait that other crates cannot implement, so they cannot implement its subtraits either.
    pub trait Sealed {}
}

/// The pages of a list, in order. If an item cannot be read, [`next`](Self::next) fails for its page and then continues;
/// [`next_items`](Self::next_items) and [`Items`] return the other items of that page. Any other error is the last one. If pages repeat, or
/// 1000 in a row are empty, the list ends with an error of the kind [`UnexpectedResponse`](crate::ErrorKind::UnexpectedResponse). This is
/// a stream, and also usable without stream traits:
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
/// let mut pages = client.list_leads().limit(100).pages();
/// while let Some(page) = pages.next().await {
///     println!("{} leads", page?.items.len());
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "pages are fetched as they are asked for"]
pub struct Pages<P: Paged> {
    client: Client,
    call: Call,
    state: State<Fetch<P>>,
    /// Token of the page that was read last, or that failed; the first page has none.
    token: Option<String>,
    /// True if `next` returned an error for that page.
    is_withheld: bool,
    guard: PageLoopGuard,
}

/// State of a pagination.
enum State<F> {
    /// The page of this token has not been requested yet.
    Before(Option<String>),
    /// The next page is being fetched.
    Fetching(F),
    /// The server repeats pages or sends endless empty ones.
    Endless(PageLoop),
    /// The last page was returned.
    Last,
    /// The caller has asked for more than the last page, or a page failed.
    Done,
}

/// A page that was read.
enum Read<P, I> {
    /// A page as the document defines it.
    Page(Response<P>),
    /// A page with unreadable items: its error, and each item or its error.
    Damaged(Error, Vec<Result<I, Error>>),
}

/// The next page that was read, if there is one.
type NextRead<P> = Option<Result<Read<P, <P as Paged>::Item>, Error>>;

/// A page whose items are read one by one.
#[derive(Deserialize)]
struct LoosePage {
    #[serde(deserialize_with = "null_as_empty")]
    items: Vec<Value>,
    next_page: Option<String>,
}

/// An item of a list that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnreadableItem {
    /// Id of the item, if that can be read.
    pub id: Option<String>,
    /// Place of the item on its page: a JSON Pointer as a URI fragment (RFC 6901), such as `#/items/3`.
    pub pointer: String,
}

/// The items of a page.
#[non_exhaustive]
pub struct PageItems<T> {
    /// Each item in order, or its error, which has an [`unreadable_item`](Error::unreadable_item).
    pub items: Vec<Result<T, Error>>,
    body: Bytes,
}

impl<T> PageItems<T> {
    /// Bytes of the page.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// Omits the bytes. The `Debug` form of an item hides its own personal data.
impl<T: std::fmt::Debug> std::fmt::Debug for PageItems<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PageItems").field("items", &self.items).finish_non_exhaustive()
    }
}

impl<P: Paged> Pages<P> {
    /// Makes the pages from the first one that a request asks for.
    pub(crate) fn new(client: Client, call: Call) -> Self {
        let state = State::Before(call.query("page_token").map(str::to_owned));
        Self { client, call, state, token: None, is_withheld: false, guard: PageLoopGuard::default() }
    }

    /// Returns the next page; `None` after the last one and after an error that ends the pagination.
    pub async fn next(&mut self) -> Option<Result<Response<P>, Error>> {
        poll_fn(|context| self.poll_page(context)).await
    }

    /// Returns the items of the next page, each one or its error; `None` after the last page and after an error that ends the pagination.
    /// Use it instead of [`next`](Self::next) for items together with the bytes that they were read from:
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let mut pages = client.list_leads().limit(100).pages();
    /// while let Some(page) = pages.next_items().await {
    ///     for lead in page?.items {
    ///         match lead {
    ///             Ok(lead) => println!("{}", lead.id),
    ///             Err(error) => eprintln!("{error}"),
    ///         }
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn next_items(&mut self) -> Option<Result<PageItems<P::Item>, Error>> {
        poll_fn(|context| self.poll_items(context)).await
    }

    /// Token of the page that is read next, or that failed. Store it after handling a page, and pass it as the request's `page_token` to
    /// continue there later. `None` before the first page, after the last one, and if the first page failed.
    pub fn page_token(&self) -> Option<&str> {
        match &self.state {
            State::Before(next) if !self.is_withheld => next.as_deref(),
            State::Last if !self.is_withheld => None,
            _ => self.token.as_deref(),
        }
    }

    /// Polls for the next page.
    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Response<P>, Error>>> {
        let read = ready!(self.poll_read(context));
        self.is_withheld = matches!(read, Some(Ok(Read::Damaged(..))));
        Poll::Ready(read.map(|read| match read? {
            Read::Page(page) => Ok(page),
            Read::Damaged(error, _items) => Err(error),
        }))
    }

    /// Polls for the items of the next page.
    fn poll_items(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<PageItems<P::Item>, Error>>> {
        let read = ready!(self.poll_read(context));
        self.is_withheld = false;
        Poll::Ready(read.map(|read| match read? {
            Read::Page(page) => {
                let body = page.bytes();
                Ok(PageItems { items: page.into_inner().into_items().into_iter().map(Ok).collect(), body })
            }
            Read::Damaged(error, items) => {
                Ok(PageItems { items, body: error.inner.unreadable_body.clone().unwrap_or_default() })
            }
        }))
    }

    /// Polls for the next page, also if only some of its items can be read.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<NextRead<P>> {
        loop {
            match &mut self.state {
                State::Last => {
                    self.token = None;
                    self.state = State::Done;
                }
                State::Done => return Poll::Ready(None),
                State::Endless(reason) => {
                    let error = reason.error();
                    self.state = State::Done;
                    return Poll::Ready(Some(Err(error)));
                }
                State::Before(token) => {
                    self.token = token.take();
                    let mut call = self.call.clone();
                    call.set_query("page_token", self.token.as_ref());
                    self.state = State::Fetching(Box::pin(call.send(self.client.clone())));
                }
                State::Fetching(fetch) => {
                    let outcome = ready!(Pin::new(fetch).poll(context));
                    self.state = State::Done;
                    let (read, body, is_empty, next) = match outcome {
                        Ok(page) => {
                            let (body, is_empty) = (page.bytes(), page.is_empty());
                            let next = page.next_page().map(str::to_owned);
                            (Read::Page(page), body, is_empty, next)
                        }
                        Err(error) => match loose_page(&error) {
                            Some((body, page)) => {
                                let is_empty = page.items.is_empty();
                                let items = page.items.into_iter().enumerate().map(|item| item_of(&error, item));
                                let items = items.collect();
                                (Read::Damaged(error, items), body, is_empty, page.next_page)
                            }
                            None => return Poll::Ready(Some(Err(error))),
                        },
                    };
                    self.state = match next.filter(|token| !token.is_empty()) {
                        Some(next) => {
                            let token = self.token.as_deref();
                            let endless = self.guard.observe(PageRead { token, body, is_empty, next: &next });
                            endless.map_or(State::Before(Some(next)), State::Endless)
                        }
                        None => State::Last,
                    };
                    return Poll::Ready(Some(Ok(read)));
                }
            }
        }
    }
}

/// Reads a page whose items do not all match the document, from the error of that page. Returns its bytes, too.
fn loose_page(error: &Error) -> Option<(Bytes, LoosePage)> {
    let body = error.inner.unreadable_body.as_ref()?;
    Some((body.clone(), serde_json::from_slice(body).ok()?))
}

/// Reads an item of a page that has this error.
fn item_of<T: DeserializeOwned>(page: &Error, (position, item): (usize, Value)) -> Result<T, Error> {
    let id = item.get("id").or_else(|| item.get("website_id")).and_then(Value::as_str).map(excerpt);
    serde_json::from_value(item).map_err(|fault| {
        let pointer = format!("#/items/{position}");
        page.clone().of_item(UnreadableItem { id, pointer }, &fault)
    })
}

impl<P: Paged> Stream for Pages<P> {
    type Item = Result<Response<P>, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_page(context)
    }
}

impl<P: Paged> std::fmt::Debug for Pages<P> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pages").finish_non_exhaustive()
    }
}

/// The items of a list over all its pages. An item that cannot be read is an error with an
/// [`unreadable_item`](Error::unreadable_item), and the items behind it follow. Any other error is the last one. This is a stream, and
/// also usable without stream traits:
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
/// let mut websites = client.list_websites().items();
/// while let Some(website) = websites.next().await {
///     println!("{}", website?.website_id);
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "items are fetched as they are asked for"]
pub struct Items<P: Paged> {
    pages: Pages<P>,
    ready: VecDeque<Result<P::Item, Error>>,
}

impl<P: Paged> Items<P> {
    /// Makes the items from the first page that a request asks for.
    pub(crate) fn new(client: Client, call: Call) -> Self {
        Self { pages: Pages::new(client, call), ready: VecDeque::new() }
    }

    /// Returns the next item; `None` after the last one and after the error of a page.
    pub async fn next(&mut self) -> Option<Result<P::Item, Error>> {
        poll_fn(|context| self.poll_item(context)).await
    }

    /// Token of the page with the item that was returned last, or of the page that failed. Pass it as the request's `page_token` to continue
    /// there later: the items of that page are repeated, and none is skipped. `None` on the first page, and after the end.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client, saved: Option<String>) -> Result<(), contentgen_sdk::Error> {
    /// let mut leads = client.list_leads().limit(100).page_token(saved).items();
    /// while let Some(lead) = leads.next().await {
    ///     match lead {
    ///         Ok(lead) => println!("{}; to continue from page {:?}", lead.id, leads.page_token()),
    ///         Err(error) => match error.unreadable_item() {
    ///             Some(item) => eprintln!("skipped {:?} at {}: {error}", item.id, item.pointer),
    ///             None => return Err(error),
    ///         },
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn page_token(&self) -> Option<&str> {
        self.pages.token.as_deref()
    }

    /// Returns all items, or the first error:
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
    /// let leads = client.list_leads().website_id("web_1").limit(100).items().try_collect().await?;
    /// println!("{} leads", leads.len());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of a page or of an item. The items before it are lost: use [`next`](Self::next) to keep them.
    pub async fn try_collect(mut self) -> Result<Vec<P::Item>, Error> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
        }
        Ok(items)
    }

    /// Polls for the next item and skips empty pages.
    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<P::Item, Error>>> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Poll::Ready(Some(item));
            }
            match ready!(self.pages.poll_items(context)) {
                Some(Ok(page)) => self.ready.extend(page.items),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<P: Paged> Stream for Items<P> {
    type Item = Result<P::Item, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<P: Paged> std::fmt::Debug for Items<P> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Items").field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}
