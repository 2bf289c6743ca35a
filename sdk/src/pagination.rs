//! Lists as streams of pages and of their items. The request for each page is generated.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::error::Error;
use crate::page_loop::{PageLoop, PageLoopGuard, PageRead};
use crate::response::Response;

/// A page that is being fetched.
pub type Fetch<'a, P> = Pin<Box<dyn Future<Output = Result<Response<P>, Error>> + Send + 'a>>;

/// An operation that returns pages. Only the generated builders implement it.
pub trait Paged: crate::sealed::Sealed + Unpin {
    /// Page of the operation, as received.
    type Page: Unpin;
    /// An item on a page.
    type Item: Unpin;
    /// Future of a page. A separate type: with a lifetime in the trait, paginations could not move into spawned tasks.
    type Fetch: Future<Output = Result<Response<Self::Page>, Error>> + Send + Unpin;

    /// Requests the page of a token, or the first one.
    fn fetch(&self, page_token: Option<String>) -> Self::Fetch;
    /// Returns the token of the next page.
    fn next_page(page: &Self::Page) -> Option<&str>;
    /// Returns true if the page has no items.
    fn is_empty(page: &Self::Page) -> bool;
    /// Returns the items of a page.
    fn into_items(page: Self::Page) -> Vec<Self::Item>;
}

/// The pages of a list in order, until the last one or an error. An endless pagination is an error of the kind
/// [`UnexpectedResponse`](crate::ErrorKind::UnexpectedResponse): pages that repeat, or 1000 empty ones in a row. This is a stream, and
/// also usable without stream traits:
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
/// let mut pages = client.list_leads().limit(100_u32).pages();
/// while let Some(page) = pages.next().await {
///     println!("{} leads", page?.items.len());
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "pages are fetched as they are asked for"]
pub struct Pages<R: Paged> {
    request: R,
    state: State<R::Fetch>,
    /// Token of the page that is read next; the first page has none.
    token: Option<String>,
    guard: PageLoopGuard,
}

/// State of a pagination.
enum State<F> {
    /// The next page has not been requested yet.
    Before,
    /// The next page is being fetched.
    Fetching(F),
    /// Another request would continue a loop.
    Endless(PageLoop),
    /// The last page was read, or a page failed.
    Done,
}

impl<R: Paged> Pages<R> {
    /// Makes the pages from the first one that a request asks for.
    pub(crate) fn new(request: R) -> Self {
        Self { request, state: State::Before, token: None, guard: PageLoopGuard::default() }
    }

    /// Returns the next page; `None` after the last one and after an error.
    pub async fn next(&mut self) -> Option<Result<Response<R::Page>, Error>> {
        poll_fn(|context| self.poll_page(context)).await
    }

    /// Token of the page that is read next, or that failed. Pass it as the request's `page_token` to continue there later. `None` before
    /// the first page, and after the last one.
    pub fn page_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Polls for the next page.
    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Response<R::Page>, Error>>> {
        loop {
            match &mut self.state {
                State::Done => return Poll::Ready(None),
                State::Endless(reason) => {
                    let error = reason.error();
                    self.state = State::Done;
                    return Poll::Ready(Some(Err(error)));
                }
                State::Before => self.state = State::Fetching(self.request.fetch(self.token.clone())),
                State::Fetching(fetch) => {
                    let outcome = ready!(Pin::new(fetch).poll(context));
                    self.state = State::Done;
                    let page = match outcome {
                        Ok(page) => page,
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    };
                    let next = R::next_page(&page).filter(|token| !token.is_empty()).map(str::to_owned);
                    if let Some(next) = next {
                        let token = self.token.as_deref();
                        let (body, is_empty) = (page.bytes(), R::is_empty(&page));
                        let endless = self.guard.observe(PageRead { token, body, is_empty, next: &next });
                        self.state = endless.map_or(State::Before, State::Endless);
                        self.token = Some(next);
                    } else {
                        self.token = None;
                    }
                    return Poll::Ready(Some(Ok(page)));
                }
            }
        }
    }
}

impl<R: Paged> Stream for Pages<R> {
    type Item = Result<Response<R::Page>, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_page(context)
    }
}

impl<R: Paged> std::fmt::Debug for Pages<R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pages").finish_non_exhaustive()
    }
}

/// The items of a list over all its pages. This is a stream, and also usable without stream traits:
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
pub struct Items<R: Paged> {
    pages: Pages<R>,
    ready: VecDeque<R::Item>,
}

impl<R: Paged> Items<R> {
    /// Makes the items from the first page that a request asks for.
    pub(crate) fn new(request: R) -> Self {
        Self { pages: Pages::new(request), ready: VecDeque::new() }
    }

    /// Returns the next item; `None` after the last one and after an error.
    pub async fn next(&mut self) -> Option<Result<R::Item, Error>> {
        poll_fn(|context| self.poll_item(context)).await
    }

    /// Token of the page that failed: all items of the pages before it were returned. Pass it as the request's `page_token` to continue
    /// there later. `None` on the first page. Before a failure, it is the token of the page after the items that are still to be returned.
    ///
    /// ```no_run
    /// # async fn example(client: contentgen_sdk::Client, saved: Option<String>) -> Result<(), contentgen_sdk::Error> {
    /// let mut request = client.list_leads().limit(100_u32);
    /// if let Some(token) = saved {
    ///     request = request.page_token(token);
    /// }
    /// let mut leads = request.items();
    /// while let Some(lead) = leads.next().await {
    ///     match lead {
    ///         Ok(lead) => println!("{}", lead.id),
    ///         Err(error) => eprintln!("{error}; to go on from page {:?}", leads.page_token()),
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn page_token(&self) -> Option<&str> {
        self.pages.page_token()
    }

    /// Polls for the next item and skips empty pages.
    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<R::Item, Error>>> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(item)));
            }
            match ready!(self.pages.poll_page(context)) {
                Some(Ok(page)) => self.ready = R::into_items(page.into_inner()).into(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<R: Paged> Stream for Items<R> {
    type Item = Result<R::Item, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<R: Paged> std::fmt::Debug for Items<R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Items").field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}
