//! Open vocabularies: the known values as variants, and `Unknown` for every other text. A value that a server adds later therefore does
//! not make a response unreadable.

/// A value of a vocabulary that this version of the crate does not know, as received. It has no public constructor, so a known
/// value is always its own variant.
///
/// ```
/// use contentgen_sdk::types::JobStatus;
///
/// assert_eq!(JobStatus::from("queued"), JobStatus::Queued);
/// match JobStatus::from("archived") {
///     JobStatus::Unknown(value) => assert_eq!(value.as_str(), "archived"),
///     known => panic!("{known} is known"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownValue(String);

impl UnknownValue {
    /// Wraps an unknown value.
    pub(crate) fn new(value: &str) -> Self {
        Self(value.to_owned())
    }

    /// Returns the value as on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for UnknownValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Defines an enumeration with all conversions from and to text.
macro_rules! vocabulary {
    ($(#[$said:meta])* $name:ident { $( $variant:ident = $value:literal; )* }) => {
        $(#[$said])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( #[doc = concat!("`", $value, "`")] $variant, )*
            /// A value that this version of the crate does not know, as received.
            Unknown(crate::shapes::UnknownValue),
        }
        impl $name {
            /// Returns the value as on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $value, )*
                    Self::Unknown(value) => value.as_str(),
                }
            }
        }
        impl ::std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
        impl ::std::convert::From<&str> for $name {
            fn from(value: &str) -> Self {
                match value {
                    $( $value => Self::$variant, )*
                    other => Self::Unknown(crate::shapes::UnknownValue::new(other)),
                }
            }
        }
        impl ::std::convert::From<String> for $name {
            fn from(value: String) -> Self {
                Self::from(value.as_str())
            }
        }
        crate::optional::into_option! { $name: $name, &str, String; }
        impl ::std::str::FromStr for $name {
            type Err = ::std::convert::Infallible;
            fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
                Ok(Self::from(value))
            }
        }
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)
                    .map(|value| Self::from(value.as_ref()))
            }
        }
    };
}
pub(crate) use vocabulary;
