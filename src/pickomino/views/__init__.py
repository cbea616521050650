"""What people and clients are shown of a game: behind `show`, `replay --json`, HTTP, WebSocket and the page alike."""

from pickomino.views.positions import (
    BustView,
    ClaimView,
    KeepView,
    View,
    bust_view,
    claim_views,
    keep_views,
    view,
)

__all__ = ["BustView", "ClaimView", "KeepView", "View", "bust_view", "claim_views", "keep_views", "view"]
