"""Exports as files on disk."""

from __future__ import annotations

import hashlib
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from .client import Spotline, explain
from .errors import ApiError, ConnectionFailed, ExportFailed, read_api_error
from .retry import RetryPolicy, compute_delay

_FIRST_POLL = 1.0
_MAX_POLL = 10.0
_CHUNK = 256 * 1024
# A connection that brings nothing for so long is lost.
_TIMEOUT = 30.0


def download_export(
    client: Spotline,
    folder: str | Path,
    *,
    export: str | None = None,
    on_progress: Callable[[Any], None] | None = None,
    **request: Any,
) -> list[Path]:
    """Begins an export with the parameters of `create_export`, waits until it is done, and downloads its files.

    With `export`, the id of one that was begun before, it goes on with that one: files that are there already are only
    checked, and one that is there in part is continued. `on_progress` is called with the export while it is written.
    Returns the paths of the files, whose size and SHA-256 are those that the server lists. Raises ExportFailed if the
    export fails or a file is not as listed, and otherwise as calls do.
    """
    if (export is None) == (not request):
        raise TypeError("download_export needs either the id of an export or the parameters of a new one")
    job = client.create_export(**request).data if export is None else client.read_export(export).data
    job = _wait(client, job, on_progress)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # The links need no key, and get none.
    with httpx.Client(timeout=_TIMEOUT) as http:
        return [_download(client, http, job["id"], file, folder) for file in job["files"]]


def _wait(client: Spotline, job: Any, on_progress: Callable[[Any], None] | None) -> Any:
    delay = _FIRST_POLL
    while True:
        if on_progress is not None:
            on_progress(job)
        if job["state"] == "done":
            return job
        if job["state"] == "failed":
            raise ExportFailed(job["error"] or "The export failed.", job["id"])
        time.sleep(delay)
        delay = min(_MAX_POLL, delay * 1.5)
        job = client.read_export(job["id"]).data


def _download(client: Spotline, http: httpx.Client, export: str, file: Any, folder: Path) -> Path:
    """Downloads one file, and tries again from where it was while that brings something."""
    name = file["name"]
    # A name must not lead out of the folder.
    if re.fullmatch(r"[^./\\][^/\\]*", name) is None:
        raise ExportFailed(f"“{name}” is no name of a file.", export)
    path = folder / name
    if _is_whole(path, file):
        return path
    # A part of another content has another name, so that two are never joined.
    part = folder / f"{name}.{file['sha256'][:12]}.part"
    policy = RetryPolicy()
    failures, before = 0, _find_size(part)
    while True:
        try:
            _continue(http, part, file, export)
            break
        except (ApiError, ConnectionFailed) as failure:
            size = _find_size(part)
            failures = 1 if size > before else failures + 1
            before = size
            # A link is valid for a day. The export has a new one.
            is_link_old = isinstance(failure, ApiError) and failure.status == 403
            delay = 0.0 if is_link_old else compute_delay(failure, failures - 1, policy, random.random())
            if delay is None or failures > policy.retries:
                raise
            time.sleep(delay)
            if is_link_old:
                file = _find_file(client, export, name)
    if not _is_whole(part, file):
        part.unlink(missing_ok=True)
        raise ExportFailed(f"{name} did not arrive as the export lists it.", export)
    part.replace(path)
    return path


def _find_file(client: Spotline, export: str, name: str) -> Any:
    for file in client.read_export(export).data["files"]:
        if file["name"] == name:
            return file
    raise ExportFailed(f"The export does not have {name} any more.", export)


def _continue(http: httpx.Client, part: Path, file: Any, export: str) -> None:
    """Reads what a part lacks."""
    size = _find_size(part)
    if size > file["bytes"]:
        part.unlink()
        size = 0
    if 0 < size == file["bytes"]:
        return
    etag = f'"{file["sha256"]}"'
    headers = {"Accept-Encoding": "identity"}
    if size > 0:
        headers |= {"Range": f"bytes={size}-", "If-Range": etag}
    try:
        with http.stream("GET", file["url"], headers=headers) as response:
            if not response.is_success:
                raise read_api_error(response.status_code, response.headers, response.read().decode(errors="replace"))
            if response.headers.get("etag", etag) != etag:
                raise ExportFailed(f"{file['name']} is another file than the export lists.", export)
            # The server may answer a range with the whole file.
            is_continued = response.status_code == 206
            size = size if is_continued else 0
            with part.open("ab" if is_continued else "wb") as target:
                for chunk in response.iter_raw(_CHUNK):
                    size += len(chunk)
                    if size > file["bytes"]:
                        raise ExportFailed(f"{file['name']} is longer than the export lists.", export)
                    target.write(chunk)
    except httpx.HTTPError as error:
        raise explain(error) from error
    if size < file["bytes"]:
        raise ConnectionFailed("The connection ended before the file did.")


def _find_size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _is_whole(path: Path, file: Any) -> bool:
    """Whether a file is there with the listed size and SHA-256, which is also the ETag."""
    if not path.is_file() or path.stat().st_size != file["bytes"]:
        return False
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest() == file["sha256"]
