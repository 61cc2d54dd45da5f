"""The commands of the command line, one module each; see bitboard.cli."""
