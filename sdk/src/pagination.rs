//! Lists as streams: of pages, and of the items on them. How an operation asks for a page is generated.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::repeats::Repeats;
use crate::response::Response;

/// A page that is on its way.
pub type Fetch<'a, P> = Pin<Box<dyn Future<Output = Result<Response<P>, Error>> + Send + 'a>>;

/// An operation that answers in pages. Implemented by the generated builders only.
pub trait Paged<'a>: crate::sealed::Sealed + Unpin {
    /// A page, as it is answered.
    type Page: Unpin;
    /// An item on a page.
    type Item: Unpin;

    /// Asks for the page of a token, or for the first one.
    fn fetch(&self, page_token: Option<String>) -> Fetch<'a, Self::Page>;
    /// The token of the page that follows.
    fn next_page(page: &Self::Page) -> Option<&str>;
    /// The items on a page.
    fn into_items(page: Self::Page) -> Vec<Self::Item>;
}

/// The pages of a list, one after the other. A stream, and usable without one:
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
pub struct Pages<'a, R: Paged<'a>> {
    request: R,
    state: State<'a, R::Page>,
    /// Of the page that is read next; the first one has none.
    token: Option<String>,
    /// The page that the walk is compared with: one that comes again leads in a circle, and a circle of any length comes
    /// upon it (Brent's algorithm).
    mark: Option<String>,
    count: u64,
    /// Pages that come again although no token does.
    repeats: Repeats,
}

/// Where a walk over pages stands.
enum State<'a, P> {
    /// The next page is to be fetched.
    Before,
    /// It is on its way.
    Fetching(Fetch<'a, P>),
    /// The page that follows was read before.
    Circle,
    /// There are no more pages, or one could not be had.
    Done,
}

impl<'a, R: Paged<'a>> Pages<'a, R> {
    /// The pages from the first one that a request asks for.
    pub(crate) fn new(request: R) -> Self {
        Self { request, state: State::Before, token: None, mark: None, count: 0, repeats: Repeats::default() }
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
                State::Circle => {
                    // Asking again would go on for ever.
                    self.state = State::Done;
                    let message = "the last page names one as the next that was read before";
                    return Poll::Ready(Some(Err(Error::new(ErrorKind::UnexpectedAnswer, message))));
                }
                State::Before => self.state = State::Fetching(self.request.fetch(self.token.clone())),
                State::Fetching(fetch) => {
                    let outcome = ready!(fetch.as_mut().poll(context));
                    self.state = State::Done;
                    let page = match outcome {
                        Ok(page) => page,
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    };
                    let next = R::next_page(&page).filter(|token| !token.is_empty()).map(str::to_owned);
                    let comes_again = next.as_ref().is_some_and(|next| self.repeats.has_too_many(page.body(), next));
                    let read = std::mem::replace(&mut self.token, next);
                    if self.count.is_power_of_two() {
                        self.mark = read;
                        self.repeats.mark(page.bytes(), self.token.as_deref());
                    }
                    self.count += 1;
                    self.state = match &self.token {
                        None => State::Done,
                        next if comes_again || *next == self.mark => State::Circle,
                        _ => State::Before,
                    };
                    return Poll::Ready(Some(Ok(page)));
                }
            }
        }
    }
}

impl<'a, R: Paged<'a>> Stream for Pages<'a, R> {
    type Item = Result<Response<R::Page>, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_page(context)
    }
}

impl<'a, R: Paged<'a>> std::fmt::Debug for Pages<'a, R> {
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
pub struct Items<'a, R: Paged<'a>> {
    pages: Pages<'a, R>,
    ready: VecDeque<R::Item>,
}

impl<'a, R: Paged<'a>> Items<'a, R> {
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

impl<'a, R: Paged<'a>> Stream for Items<'a, R> {
    type Item = Result<R::Item, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<'a, R: Paged<'a>> std::fmt::Debug for Items<'a, R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Items").field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}
