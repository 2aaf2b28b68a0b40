"""Number formats: what they represent, how they round, how they add up."""
