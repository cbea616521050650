"""What people and clients are shown of a game: the one description behind `show`, `replay --json`, HTTP, WebSocket and page."""

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
