//! What others run of this workspace without building it themselves: images and a GitHub Action. No machine of ours runs them, so
//! what can be seen of mistakes in their text is looked for.

pub(super) mod action;
pub(super) mod dockerfile;
