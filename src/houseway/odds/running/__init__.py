"""Long computations: the cache, jobs in parts, and who runs them."""
