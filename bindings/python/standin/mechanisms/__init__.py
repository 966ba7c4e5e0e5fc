"""What to measure for a workload, and how rows are found that answer alike: rules on public values alone."""
