"""What people and clients are shown of a game: behind `show`, `replay --json`, HTTP, WebSocket and the page alike."""

from pickomino.views.plies import Frame, frames
from pickomino.views.positions import (
    BustView,
    ClaimView,
    KeepView,
    View,
    bust_prob,
    bust_view,
    claim_views,
    keep_views,
    roll_bust_prob,
    view,
)

__all__ = [
    "BustView",
    "ClaimView",
    "Frame",
    "KeepView",
    "View",
    "bust_prob",
    "bust_view",
    "claim_views",
    "frames",
    "keep_views",
    "roll_bust_prob",
    "view",
]
