from .search.row_tables import RowTable, _from_bytes  # noqa: F401
