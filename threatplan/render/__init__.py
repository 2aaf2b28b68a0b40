"""From a Report to text, Markdown, JSON, JUnit and annotations. Nothing here computes a verdict."""
