//! Enums whose values have a fixed name in records.

/// Declares an enum with `ALL`, `as_str` and `from_str`; each variant is given with its name.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$doc:meta])* $variant:ident = $text:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $( $(#[$doc])* $variant, )+ }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// The name in records.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $text, )+ }
            }

            /// The value of that name.
            #[must_use]
            #[allow(
                clippy::should_implement_trait,
                reason = "an unknown name is no error, only nothing"
            )]
            pub fn from_str(name: &str) -> Option<Self> {
                match name { $( $text => Some(Self::$variant), )+ _ => None }
            }
        }
    };
}

pub(crate) use named_enum;
