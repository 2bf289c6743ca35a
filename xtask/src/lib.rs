//! What other programs of the workspace take from its tasks: the judge of changes of the API document. The tasks themselves are the program.

pub mod compatibility;
