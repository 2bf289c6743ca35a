//! Checks the files with which others run this workspace without building it: images and a GitHub Action. Our machines do not run them, so
//! these rules find mistakes in their text.

pub(super) mod action;
pub(super) mod dockerfile;
