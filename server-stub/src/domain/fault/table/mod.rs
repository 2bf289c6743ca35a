//! Every switch, by the part of the contract that it is about. Where each stands in the code is found by its name.

/// The switches of one area: `CONSTANT: "name", "what the server does", [requirements that notice];`.
macro_rules! broken {
    ($area:literal: $($constant:ident: $name:literal, $description:literal, [$($requirement:literal),+];)+) => {
        $(
            #[doc = concat!("`", $area, ".", $name, "`")]
            pub const $constant: $crate::domain::fault::Fault = $crate::domain::fault::Fault {
                name: concat!($area, ".", $name),
                area: $area,
                description: $description,
                kind: $crate::domain::fault::Kind::Broken(&[$($requirement),+]),
            };
        )+
        pub(super) const ALL: &[$crate::domain::fault::Fault] = &[$($constant),+];
    };
}

mod all;
pub mod article;
pub mod auth;
pub mod benign;
pub mod contract;
pub mod hooks;
pub mod http;
pub mod idempotency;
pub mod input;
pub mod isolation;
pub mod json;
pub mod leads;
pub mod limits;
pub mod outside;
pub mod paging;
pub mod problems;
pub mod state;
pub mod unobservable;
pub mod validation;

pub use all::all;
