//! Maps of texts in requests. They convert from an array of pairs or any map, and collect from pairs.

/// Implements the conversions of such a map.
macro_rules! map_of_texts {
    ($name:ident) => {
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
