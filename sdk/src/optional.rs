//! Values of optional setters.

use std::borrow::Cow;
use std::time::SystemTime;

use chrono::{DateTime, TimeZone, Utc};

/// Value of an optional setter: the value itself, or an `Option` of it. `None` removes a value that was set before.
///
/// ```no_run
/// # async fn example(client: contentgen_sdk::Client, saved: Option<String>) -> Result<(), contentgen_sdk::Error> {
/// let page = client.list_leads().limit(100).website_id("web_1").page_token(saved).send().await?;
/// # Ok(())
/// # }
/// ```
///
/// A text is a `&str`, a `String` or a `Cow<str>`. A value of an enum such as [`ArticleStatus`](crate::types::ArticleStatus) can also be a
/// text. A time is a `chrono::DateTime` of any zone or a `SystemTime`. Numbers have the type of the field. Convert other number types with
/// `try_from`, which refuses a value that does not fit:
///
/// ```compile_fail,E0277
/// # fn example(client: contentgen_sdk::Client, limit: i64) {
/// let leads = client.list_leads().limit(limit);
/// # }
/// ```
///
/// Implement this trait for a type of your own to pass it to setters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a `{T}` nor an `Option<{T}>`",
    label = "the setter takes a `{T}` or an `Option<{T}>`",
    note = "convert a number of another type with `try_from`, and a value of another type with `into`"
)]
pub trait IntoOption<T> {
    /// Returns the value, if there is one.
    fn into_option(self) -> Option<T>;
}

/// Implements the trait: for values of exactly these types and options of them, or for each type with those that convert to it.
macro_rules! into_option {
    (exactly $($of:ty),+;) => { $(
        impl crate::IntoOption<$of> for $of {
            fn into_option(self) -> ::std::option::Option<$of> {
                ::std::option::Option::Some(self)
            }
        }
        impl crate::IntoOption<$of> for ::std::option::Option<$of> {
            fn into_option(self) -> Self {
                self
            }
        }
    )+ };
    ($($of:ty: $($from:ty),+;)*) => { $(
        $(impl crate::IntoOption<$of> for $from {
            fn into_option(self) -> ::std::option::Option<$of> {
                ::std::option::Option::Some(self.into())
            }
        })+
        impl<V: ::std::convert::Into<$of>> crate::IntoOption<$of> for ::std::option::Option<V> {
            fn into_option(self) -> ::std::option::Option<$of> {
                self.map(::std::convert::Into::into)
            }
        }
    )* };
}
pub(crate) use into_option;

into_option! { String: String, &str, &String, Cow<'_, str>; }

into_option! { exactly u32, bool; }

impl<Z: TimeZone> IntoOption<DateTime<Utc>> for DateTime<Z> {
    fn into_option(self) -> Option<DateTime<Utc>> {
        Some(self.with_timezone(&Utc))
    }
}

impl<Z: TimeZone> IntoOption<DateTime<Utc>> for Option<DateTime<Z>> {
    fn into_option(self) -> Option<DateTime<Utc>> {
        self.map(|time| time.with_timezone(&Utc))
    }
}

impl IntoOption<DateTime<Utc>> for SystemTime {
    fn into_option(self) -> Option<DateTime<Utc>> {
        Some(self.into())
    }
}

impl IntoOption<DateTime<Utc>> for Option<SystemTime> {
    fn into_option(self) -> Option<DateTime<Utc>> {
        self.map(Into::into)
    }
}
