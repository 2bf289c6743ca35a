//! The options of the commands about leads.

use clap::Subcommand;

use super::Database;

#[derive(Debug, Subcommand)]
pub(crate) enum Lead {
    /// Erase a lead with the events that told of it, their deliveries and what receivers answered.
    Erase {
        #[command(flatten)]
        database: Database,
        /// Name or id of the account.
        #[arg(long)]
        account: String,
        /// Id of the lead.
        #[arg(long)]
        id: String,
    },
}
