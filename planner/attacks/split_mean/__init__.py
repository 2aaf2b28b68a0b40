"""Labels of a secret part of the rows, and which part it is, by averages of random noise."""
