"""What editors ask of the language, answered from its own tables: hover, completion, colours, a server."""
