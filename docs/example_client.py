"""Plays a game against two bots: python docs/example_client.py http://127.0.0.1:8000 (needs `websockets`)."""

import asyncio
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
    async with websockets.connect(URL.replace("http", "ws", 1) + "/ws") as socket:
        await socket.send(json.dumps({"t": "hello", "id": "hello", "d": {"table": table, "token": token}}))
        async for text in socket:
            data = json.loads(text).get("d") or {}
            state = data.get("state") or data  # in the answer to hello, or pushed
            if state.get("over"):
                print("winners:", state["result"]["winners"], "scores:", state["result"]["scores"])
                break
            if state.get("seat") == "A" and "moves" in state:  # our turn: steal, take, roll on, keep, stop
                move = max(reversed(state["moves"]), key=lambda move: "skrtx".find(move[0]))
                message = {"t": "move", "id": str(state["v"]), "v": state["v"]}
                data = {"move": move, "nonce": secrets.token_urlsafe(16)}
                await socket.send(json.dumps(message | {"d": data}))


asyncio.run(play())
