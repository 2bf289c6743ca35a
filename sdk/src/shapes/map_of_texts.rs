//! Maps of texts that are sent: they can be given as an array of pairs or as any map, and collected from pairs.

/// The conversions of such a map.
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
