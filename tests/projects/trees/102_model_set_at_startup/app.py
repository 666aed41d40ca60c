from contextlib import asynccontextmanager

import torch
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

import settings

state = {}


@asynccontextmanager
async def lifespan(app):
    state["run"] = torch._inductor.aoti_load_package(settings.PACKAGE)
    yield
    state.clear()


app = FastAPI(lifespan=lifespan)


class Query(BaseModel):
    users: list[list[int]]
    items: list[list[int]]


@app.post("/rank")
async def rank(q: Query):
    if not q.users or len(q.users) > settings.MAX_BATCH:
        raise HTTPException(422)
    users = torch.tensor(q.users).to(settings.DEVICE)
    items = torch.tensor(q.items, device=settings.DEVICE)
    return state["run"](users, items).tolist()


@app.get("/warm")
async def warm():
    users = torch.zeros(2, 6, dtype=torch.long, device=settings.DEVICE)
    items = torch.zeros((2, 50), dtype=torch.long).to(users.device)
    state["run"](users, items)
    return {"ok": True}


@app.get("/warm_wide")
async def warm_wide():
    users = torch.zeros(2, 6, dtype=torch.long, device=settings.DEVICE)
    items = torch.zeros((2, 100), dtype=torch.long).to(users.device)
    state["run"](users, items)
    return {"ok": True}
