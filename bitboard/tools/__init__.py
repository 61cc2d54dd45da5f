"""What knows nothing of 2048: checks of arguments, arrays from outside, threads, files, progress, colours."""
