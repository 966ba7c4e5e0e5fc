"""What the rows most likely answer, from noisy answers: post-processing."""
