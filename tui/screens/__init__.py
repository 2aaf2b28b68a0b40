"""The explorer's dialogs."""
