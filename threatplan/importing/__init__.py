"""`plan import`: a platform's own configuration file as a commented scenario.

`loading` reads the file within bounds, one module a platform finds in it what a scenario needs (`board`), `names` knows the
metrics by the names that organisers give them, and `writing` puts it down. What a file does not say becomes a comment to fill
in; nothing is made up.
"""
