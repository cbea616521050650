"""What goes over the wire (`shapes`, for msgspec), and the server from a client's side: docs/protocol.md."""

from pickomino.protocol.address import TableAddress, read_address
from pickomino.protocol.client import TableClient
from pickomino.protocol.http import ServerRefusal, TableHost

__all__ = ["ServerRefusal", "TableAddress", "TableClient", "TableHost", "read_address"]
