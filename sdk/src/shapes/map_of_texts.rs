//! Maps of texts in requests. They convert from an array of pairs or any map, and collect from pairs.

/// Implements the conversions of such a map.
macro_rules! map_of_texts {
    ($name:ident) => {
        impl crate::IntoOption<$name> for $name {
            fn into_option(self) -> ::std::option::Option<Self> {
                ::std::option::Option::Some(self)
            }
        }
        impl<V: ::std::convert::Into<$name>> crate::IntoOption<$name> for ::std::option::Option<V> {
            fn into_option(self) -> ::std::option::Option<$name> {
                self.map(::std::convert::Into::into)
            }
        }
        impl<K: Into<String>, V: Into<String>, const N: usize> crate::IntoOption<$name> for [(K, V); N] {
            fn into_option(self) -> ::std::option::Option<$name> {
                ::std::option::Option::Some(self.into())
            }
        }
        impl crate::IntoOption<$name> for ::std::collections::BTreeMap<String, String> {
            fn into_option(self) -> ::std::option::Option<$name> {
                ::std::option::Option::Some(self.into())
            }
        }
        impl<K: Into<String>, V: Into<String>, S> crate::IntoOption<$name> for ::std::collections::HashMap<K, V, S> {
            fn into_option(self) -> ::std::option::Option<$name> {
                ::std::option::Option::Some(self.into())
            }
        }
        impl<K: Into<String>, V: Into<String>, const N: usize> ::std::convert::From<[(K, V); N]> for $name {
            fn from(pairs: [(K, V); N]) -> Self {
                pairs.into_iter().collect()
            }
        }
        impl<K: Into<String>, V: Into<String>, S> ::std::convert::From<::std::collections::HashMap<K, V, S>> for $name {
            fn from(pairs: ::std::collections::HashMap<K, V, S>) -> Self {
                pairs.into_iter().collect()
            }
        }
        impl<K: Into<String>, V: Into<String>> ::std::iter::FromIterator<(K, V)> for $name {
            fn from_iter<I: ::std::iter::IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
                Self(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
            }
        }
    };
}
pub(crate) use map_of_texts;
