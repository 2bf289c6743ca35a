//! What keeps traits to the types of this crate, so that they may get new methods.

/// Nothing that other crates can implement, and so neither can they implement what asks for it:
///
/// ```compile_fail,E0277
/// use contentgen_sdk::pagination::{Fetch, Paged};
///
/// struct Mine;
///
/// impl Paged for Mine {
///     type Page = String;
///     type Item = String;
///     type Fetch = Fetch<'static, String>;
///     fn fetch(&self, _page_token: Option<String>) -> Fetch<'static, String> {
///         Box::pin(std::future::pending())
///     }
///     fn next_page(_page: &String) -> Option<&str> {
///         None
///     }
///     fn into_items(_page: String) -> Vec<String> {
///         Vec::new()
///     }
/// }
/// ```
pub trait Sealed {}
