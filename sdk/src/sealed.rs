//! Seals traits, so that only this crate implements them and can add methods.

/// Supertrait that other crates cannot implement, so they cannot implement its subtraits either:
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
///     fn page_token(&self) -> Option<&str> {
///         None
///     }
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
