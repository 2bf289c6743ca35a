//! Enums whose values have names: in the API, in the database, in filters and in metrics.

/// Defines an enum from its values and their names.
macro_rules! names {
    ($(#[$meta:meta])* pub enum $kind:ident { $($(#[$about:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $kind { $($(#[$about])* $value,)* }

        impl $kind {
            /// All values.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// Returns the name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $name,)* }
            }

            /// Returns the value with that name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }
    };
}

pub(crate) use names;
