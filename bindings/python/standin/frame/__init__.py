"""What all mechanisms share: plan, the one loop of rounds, measuring and making rows."""
