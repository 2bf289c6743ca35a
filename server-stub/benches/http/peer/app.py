"""The peer of the bench `http`: POST /api/v1/generate with FastAPI. It checks key and body, and stores nothing."""

import os
import secrets
import sys
import threading
from typing import Annotated, Literal
from uuid import uuid4

import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

API_KEY = os.environ["CONTENTGEN_API_KEY"].encode()

Keyword = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Value = Annotated[str, StringConstraints(max_length=500)]


class GenerateRequest(BaseModel):
    """The schema of that name in openapi.yaml. Where a bound is simpler here, that is quicker."""

    topic: str = Field(min_length=1, max_length=1000)
    website_id: str = Field(min_length=1, max_length=128)
    language: str | None = Field(default=None, pattern=r"^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$")
    keywords: list[Keyword] = Field(default=[], max_length=10)
    target_word_count: int = Field(default=1200, ge=200, le=5000)
    auto_publish: bool | None = None
    publish_at: AwareDatetime | None = None
    metadata: dict[Label, Value] = Field(default={}, max_length=16)


class QueuedJob(BaseModel):
    """The two members of the answer that a client needs."""

    job_id: str
    status: Literal["queued"]


async def check_key(credentials: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]) -> None:
    if not secrets.compare_digest(credentials.credentials.encode(), API_KEY):
        raise HTTPException(status_code=401)


app = FastAPI()


@app.post("/api/v1/generate", status_code=202, dependencies=[Depends(check_key)])
async def generate(request: GenerateRequest) -> QueuedJob:
    return QueuedJob(job_id=f"job_{uuid4().hex}", status="queued")


def end_with_the_bench() -> None:
    """The bench holds the other end of the input, so the peer does not stay behind even when the bench is killed."""
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_the_bench, daemon=True).start()
    # Neither side writes a log of requests, which would slow down this one by much.
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), access_log=False, log_level="warning")
