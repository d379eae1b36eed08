"""girih's tests."""
