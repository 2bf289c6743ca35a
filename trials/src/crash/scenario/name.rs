//! The names of the scenarios. Each scenario has a file.

/// A treatment of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::crash) enum Scenario {
    /// Kills the server repeatedly.
    KillLoop,
    /// Kills the server while it publishes.
    Publishing,
    /// Ends the server at each critical place in the code.
    Failpoints,
    /// Lets work take longer than its lease.
    Fencing,
    /// Pauses the server for longer than a lease.
    Pause,
    /// Makes the database unavailable.
    DatabaseAway,
    /// Leaves no space on the disk.
    DiskFull,
    /// Copies the files as a power cut would leave them.
    PowerLoss,
    /// Loses the files and continues from a backup.
    Restore,
    /// Removes a webhook endpoint during the run.
    EndpointChanges,
    /// Asks the server to stop during the run.
    GracefulStop,
    /// Makes the wall clock jump.
    Clock,
}

impl Scenario {
    /// All scenarios, in the order in which they run.
    pub(in crate::crash) const ALL: [Self; 12] = [
        Self::KillLoop,
        Self::Publishing,
        Self::Failpoints,
        Self::Fencing,
        Self::Pause,
        Self::DatabaseAway,
        Self::DiskFull,
        Self::PowerLoss,
        Self::Restore,
        Self::EndpointChanges,
        Self::GracefulStop,
        Self::Clock,
    ];

    /// Returns the name on the command line.
    pub(in crate::crash) const fn as_str(self) -> &'static str {
        match self {
            Self::KillLoop => "kill-loop",
            Self::Publishing => "publishing",
            Self::Failpoints => "failpoints",
            Self::Fencing => "fencing",
            Self::Pause => "pause",
            Self::DatabaseAway => "database-away",
            Self::DiskFull => "disk-full",
            Self::PowerLoss => "power-loss",
            Self::Restore => "restore",
            Self::EndpointChanges => "endpoint-changes",
            Self::GracefulStop => "graceful-stop",
            Self::Clock => "clock",
        }
    }
}
