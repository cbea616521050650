"""Plays a game against two bots: python docs/example_client.py http://127.0.0.1:8000 (needs `websockets`)."""

import asyncio
import contextlib
import json
import secrets
import sys
import urllib.request

import websockets

URL = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000").rstrip("/")


def post(path, body=None, token=""):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(URL + path, json.dumps(body or {}).encode(), headers)
    return json.load(urllib.request.urlopen(request))


async def play():
    token = post("/api/guests", {"name": "Example"})["token"]
    settings = {"seats": 3, "sit": ["Example"], "bots": ["cautious", "random"], "pace_ms": 0}
    table = post("/api/tables", settings, token)["table"]["id"]
    post(f"/api/tables/{table}/start", None, token)
    async for ws in websockets.connect(URL.replace("http", "ws", 1) + "/ws"):  # again after a loss
        with contextlib.suppress(websockets.ConnectionClosed):
            await ws.send(json.dumps({"t": "hello", "id": "hello", "d": {"table": table, "token": token}}))
            async for text in ws:
                game = (data := json.loads(text).get("d") or {}).get("state") or data  # of hello, or pushed
                if game.get("over"):
                    print("winners:", game["result"]["winners"], "scores:", game["result"]["scores"])
                    return
                if game.get("seat") == "A" and "moves" in game:  # our turn: steal, take, roll on, keep, stop
                    move = max(reversed(game["moves"]), key=lambda move: "skrtx".find(move[0]))
                    data = {"move": move, "nonce": secrets.token_urlsafe(16)}
                    await ws.send(json.dumps({"t": "move", "id": str(game["v"]), "v": game["v"], "d": data}))


asyncio.run(play())
