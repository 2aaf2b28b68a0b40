"""A report as one page of HTML that needs nothing else: no script, no network, light and dark, printable."""
