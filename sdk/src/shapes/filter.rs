//! From the states that answers have to those that can be asked for, so that a list can be narrowed to the state of what was read.

/// The conversions from a vocabulary that may grow into one that may not.
macro_rules! filter {
    ($open:ident as $closed:ident) => {
        /// What this version of the crate does not know cannot be asked for; the error names it.
        impl ::std::convert::TryFrom<&$open> for $closed {
            type Error = self::error::ConversionError;
            fn try_from(value: &$open) -> ::std::result::Result<Self, self::error::ConversionError> {
                value.as_str().parse().map_err(|_| {
                    let value = crate::error_words::excerpt(value.as_str());
                    format!("this version of the crate does not know the value {value:?}").into()
                })
            }
        }
        /// What this version of the crate does not know cannot be asked for; the error names it.
        impl ::std::convert::TryFrom<$open> for $closed {
            type Error = self::error::ConversionError;
            fn try_from(value: $open) -> ::std::result::Result<Self, self::error::ConversionError> {
                Self::try_from(&value)
            }
        }
    };
}
pub(crate) use filter;
