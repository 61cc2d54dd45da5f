"""A game of 2048: its rules and law, its text (records and replay strings) and its picture.

bitboard.Game is in `classic`, bitboard.grid.Game in `sized`; bitboard.record and bitboard.render hand on
what is in `records` and `picture`.
"""
