//! Conversions from states in responses to states in list filters, so that a list can be narrowed to a state that was read.

/// Implements the conversions from an open vocabulary into a closed one.
macro_rules! filter {
    ($open:ident as $closed:ident) => {
        /// Converts a known value. A value that this version of the crate does not know is an error that names it.
        impl ::std::convert::TryFrom<&$open> for $closed {
            type Error = self::error::ConversionError;
            fn try_from(value: &$open) -> ::std::result::Result<Self, self::error::ConversionError> {
                value.as_str().parse().map_err(|_| {
                    let value = crate::error_words::excerpt(value.as_str());
                    format!("this version of the crate does not know the value {value:?}").into()
                })
            }
        }
        /// Converts a known value. A value that this version of the crate does not know is an error that names it.
        impl ::std::convert::TryFrom<$open> for $closed {
            type Error = self::error::ConversionError;
            fn try_from(value: $open) -> ::std::result::Result<Self, self::error::ConversionError> {
                Self::try_from(&value)
            }
        }
    };
}
pub(crate) use filter;
