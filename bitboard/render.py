"""Pictures of boards and games: SVG, animated SVG, and with Pillow (the extra [images]) PNG and GIF.

The names of bitboard.games.picture, where they are defined; its docstring describes the pictures.
"""

from __future__ import annotations

from .games.picture import animated_svg, gif, merged_cells, png, svg

__all__ = ["animated_svg", "gif", "merged_cells", "png", "svg"]
