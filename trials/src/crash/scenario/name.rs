//! The names of the scenarios. What each does is in a file of its own.

/// What is done to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::crash) enum Scenario {
    /// Kills it again and again.
    KillLoop,
    /// Kills it in the middle of publishing.
    Publishing,
    /// Ends it at each place where that would hurt most.
    Failpoints,
    /// Lets work take longer than its lease.
    Fencing,
    /// Stops it for longer than a lease and lets it go on.
    Pause,
    /// Takes the database away.
    DatabaseAway,
    /// Leaves no space to write.
    DiskFull,
    /// Copies the files as a power cut would leave them.
    PowerLoss,
    /// Loses the files and goes on from a backup.
    Restore,
    /// Removes a hook endpoint in the middle.
    EndpointChanges,
    /// Asks it to stop in the middle.
    GracefulStop,
    /// Lets the wall clock jump.
    Clock,
}

impl Scenario {
    /// All of them, in the order in which they run.
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

    /// Its name on the command line.
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
