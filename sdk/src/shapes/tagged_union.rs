//! Tagged unions: one variant for each known tag, and `Unknown` with the whole value for every other.

use serde_json::Value;

/// An object of a kind that this version of the crate does not know, as received. It has no public constructor, so a known kind
/// is always its own variant.
#[derive(Clone, PartialEq)]
pub struct UnknownKind(Value);

impl UnknownKind {
    /// Wraps an object of an unknown kind.
    pub(crate) fn new(object: Value) -> Self {
        Self(object)
    }

    /// Returns the whole object.
    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// Returns the whole object as an owned value.
    pub fn into_json(self) -> Value {
        self.0
    }
}

/// Omits the object, which may contain personal data.
impl std::fmt::Debug for UnknownKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("UnknownKind").finish_non_exhaustive()
    }
}

/// Defines an enumeration whose variant is chosen by its tag alone.
macro_rules! tagged_union {
    ($(#[$said:meta])* $name:ident by $tag:literal { $( $variant:ident($of:ident) = $value:literal; )* }) => {
        $(#[$said])*
        #[derive(Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $( #[doc = concat!("`", $value, "`")] $variant(Box<$of>), )*
            /// A kind that this version of the crate does not know, as received.
            Unknown(crate::shapes::UnknownKind),
        }
        impl $name {
            #[doc = concat!("The `", $tag, "` that tells the variants apart, as it stands on the wire; empty where there is none.")]
            pub(crate) fn tag(&self) -> &str {
                match self {
                    $( Self::$variant(_) => $value, )*
                    Self::Unknown(kind) => kind.as_json().get($tag).and_then(::serde_json::Value::as_str).unwrap_or_default(),
                }
            }
        }
        /// Shows only the tag of an unknown kind, since the object may contain personal data.
        impl ::std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $( Self::$variant(value) => ::std::fmt::Debug::fmt(value, formatter), )*
                    Self::Unknown(_) => formatter.debug_tuple("Unknown").field(&self.tag()).finish(),
                }
            }
        }
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                match self {
                    $( Self::$variant(value) => value.serialize(serializer), )*
                    Self::Unknown(kind) => kind.as_json().serialize(serializer),
                }
            }
        }
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let value = <::serde_json::Value as ::serde::Deserialize>::deserialize(deserializer)?;
                let read = match value.get($tag).and_then(::serde_json::Value::as_str) {
                    $( Some($value) => ::serde_json::from_value(value).map(Self::$variant), )*
                    _ => Ok(Self::Unknown(crate::shapes::UnknownKind::new(value))),
                };
                read.map_err(<D::Error as ::serde::de::Error>::custom)
            }
        }
    };
}
pub(crate) use tagged_union;
