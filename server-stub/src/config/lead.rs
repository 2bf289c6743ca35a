//! The options of the commands about leads.

use clap::{Args, Subcommand};

use super::Database;

#[derive(Debug, Subcommand)]
pub(crate) enum Lead {
    /// Print all that is kept about a person, a JSON object for each lead, a line each, with the receivers that were told of it.
    Export {
        #[command(flatten)]
        database: Database,
        /// Name or id of the account.
        #[arg(long)]
        account: String,
        /// The person's e-mail address.
        #[arg(long)]
        email: String,
    },
    /// Erase a lead, or all leads of a person, with the events that told of them, their deliveries and what receivers answered.
    Erase {
        #[command(flatten)]
        database: Database,
        /// Name or id of the account.
        #[arg(long)]
        account: String,
        #[command(flatten)]
        which: WhichLeads,
    },
}

/// One lead, or those of a person.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WhichLeads {
    /// Id of the lead: lead_… [default: none]
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The person's e-mail address [default: none]
    #[arg(long)]
    pub(crate) email: Option<String>,
}
