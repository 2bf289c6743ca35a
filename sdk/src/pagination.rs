//! Lists as streams: of pages, and of the items on them. How an operation asks for a page is generated.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::error::Error;
use crate::page_loop::{PageLoop, PageLoopGuard, PageRead};
use crate::response::Response;

/// A page that is on its way.
pub type Fetch<'a, P> = Pin<Box<dyn Future<Output = Result<Response<P>, Error>> + Send + 'a>>;

/// An operation that answers in pages. Implemented by the generated builders only.
pub trait Paged: crate::sealed::Sealed + Unpin {
    /// A page, as it is answered.
    type Page: Unpin;
    /// An item on a page.
    type Item: Unpin;
    /// A page that is on its way. A type of its own, since a trait with a lifetime would keep walks out of tasks that are spawned.
    type Fetch: Future<Output = Result<Response<Self::Page>, Error>> + Send + Unpin;

    /// Asks for the page of a token, or for the first one.
    fn fetch(&self, page_token: Option<String>) -> Self::Fetch;
    /// The token of the page that follows.
    fn next_page(page: &Self::Page) -> Option<&str>;
    /// Whether there are no items on a page.
    fn is_empty(page: &Self::Page) -> bool;
    /// The items on a page.
    fn into_items(page: Self::Page) -> Vec<Self::Item>;
}

/// The pages of a list, one after the other, until the last one or an error. A walk that would not end is an error of the kind
/// [`UnexpectedResponse`](crate::ErrorKind::UnexpectedResponse): pages that come again, or 1000 without items in a row. A stream, and usable
/// without one:
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
    /// Of the page that is read next; the first one has none.
    token: Option<String>,
    guard: PageLoopGuard,
}

/// Where a walk over pages stands.
enum State<F> {
    /// The next page is to be fetched.
    Before,
    /// It is on its way.
    Fetching(F),
    /// Asking again would go on for ever.
    Endless(PageLoop),
    /// There are no more pages, or one could not be had.
    Done,
}

impl<R: Paged> Pages<R> {
    /// The pages from the first one that a request asks for.
    pub(crate) fn new(request: R) -> Self {
        Self { request, state: State::Before, token: None, guard: PageLoopGuard::default() }
    }

    /// The next page; nothing after the last one, and nothing after an error.
    pub async fn next(&mut self) -> Option<Result<Response<R::Page>, Error>> {
        poll_fn(|context| self.poll_page(context)).await
    }

    /// The token of the page that is read next, or was to be read when the walk failed: by the request's `page_token` a later walk
    /// goes on there. `None` before the first page, and after the last one.
    pub fn page_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Drives the walk to the next page.
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

/// The items of a list over all its pages. A stream, and usable without one:
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
    /// The items from the first page that a request asks for.
    pub(crate) fn new(request: R) -> Self {
        Self { pages: Pages::new(request), ready: VecDeque::new() }
    }

    /// The next item; nothing after the last one, and nothing after an error.
    pub async fn next(&mut self) -> Option<Result<R::Item, Error>> {
        poll_fn(|context| self.poll_item(context)).await
    }

    /// The token of the page that was to be read when the walk failed: the items of the pages before were all given, and by the
    /// request's `page_token` a later walk goes on there. `None` on the first page. Before a failure, it is that of the page behind the
    /// items that are still to be given.
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

    /// Drives the walk to the next item, past pages that are empty.
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
