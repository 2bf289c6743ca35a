//! Output of a run and its later use, as people and other programs see it.

mod annotations;
mod archive;
mod certificate;
mod coverage;
mod curl;
mod diff;
mod evidence;
mod hooks;
mod html;
mod init;
#[cfg(unix)]
mod interrupt;
mod junit;
mod known;
#[cfg(unix)]
mod left_over;
mod listen;
mod replay;
mod schema;
mod text;
