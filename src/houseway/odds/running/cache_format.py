"""One file of the cache: several arrays behind a header that says what they are and how every part of them hashes.

A file begins with a mark, the length and the hash of its header, and the header as JSON: the entry's name and key, and
for every array its type, shape and place; the data follow, each array at the start of a page. The data are hashed in
chunks, so that threads share the work of checking a file that has just been opened. SHA-256 is used because
processors have instructions for it: half a gigabyte is checked in a few tenths of a second. Listing and checking files
needs no numpy, which is imported where arrays are made.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias

from houseway import __version__

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]

FORMAT: Final = 1
"""The version of this format; a file of another version is never read."""
_MARK: Final = b"houseway tables\n"
_LENGTH_BYTES: Final = 8
_FRONT: Final = len(_MARK) + _LENGTH_BYTES + hashlib.sha256().digest_size
_PAGE: Final = 4096
_CHUNK: Final = 1 << 22
_LONGEST_HEADER: Final = 1 << 24


class DamagedError(Exception):
    """A file does not hold what its header promises; the message says what is wrong."""


class OtherFormatError(DamagedError):
    """A file is whole as far as can be told, but of a format that this version does not read."""


@dataclass(frozen=True, slots=True)
class CacheHeader:
    """What a file says about itself."""

    name: str
    key: Mapping[str, str]
    arrays: Mapping[str, Mapping[str, Any]]
    chunks: tuple[str, ...]
    start: int
    """Where the data begin."""
    length: int
    """How many bytes of data there are."""
    version: str
    """The version of houseway that wrote it."""


def _up_to_page(place: int) -> int:
    return -(-place // _PAGE) * _PAGE


def _placed(arrays: Mapping[str, Array]) -> tuple[dict[str, dict[str, Any]], int]:
    """Every array's description, with its place behind the start of the data, and the length of the data."""
    described: dict[str, dict[str, Any]] = {}
    place = 0
    for name, array in arrays.items():
        assert not array.dtype.hasobject, f"{name} holds Python objects, which a file cannot"
        described[name] = {"type": array.dtype.str, "shape": list(array.shape), "place": place}
        place = _up_to_page(place + array.nbytes)
    return described, place


def _pieces(arrays: Mapping[str, Array]) -> Iterator[memoryview | bytes]:
    """The data in file order: every array's bytes and the zeros up to the next page."""
    import numpy as np

    for array in arrays.values():
        if array.nbytes:
            yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        yield bytes(_up_to_page(array.nbytes) - array.nbytes)


def needed_bytes(arrays: Mapping[str, Array]) -> int:
    """How many bytes of data a file of these arrays takes."""
    return _placed(arrays)[1]


def write_file(file: BinaryIO, name: str, key: Mapping[str, str], arrays: Mapping[str, Array]) -> None:
    """Write an entry: the data first, which are hashed on their way back from the file, then the front of the file.

    The header's length is known beforehand, because every chunk's hash is equally long.
    """
    described, length = _placed(arrays)
    chunks = -(-length // _CHUNK)
    fields = {
        "format": FORMAT,
        "version": __version__,
        "name": name,
        "key": dict(key),
        "arrays": described,
        "length": length,
    }
    size = len(_header_text(fields, ["0" * 64] * chunks))
    start = _up_to_page(_FRONT + size)
    file.seek(start)
    file.writelines(_pieces(arrays))
    file.truncate(start + length)
    file.flush()
    text = _header_text(fields, _chunk_hashes(file.fileno(), start, length))
    assert len(text) == size
    file.seek(0)
    file.write(_MARK + size.to_bytes(_LENGTH_BYTES, "little") + hashlib.sha256(text).digest() + text)


def _header_text(fields: Mapping[str, Any], chunks: list[str]) -> bytes:
    return json.dumps({**fields, "chunks": chunks}, sort_keys=True).encode()


def _chunk_hashes(descriptor: int, start: int, length: int) -> list[str]:
    """The hash of every chunk of the data, computed in threads: hashing releases the interpreter lock."""
    if not length:
        return []
    with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as view:

        def hashed(place: int) -> str:
            with view[place : min(place + _CHUNK, start + length)] as chunk:
                return hashlib.sha256(chunk).hexdigest()

        with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
            return list(pool.map(hashed, range(start, start + length, _CHUNK)))


def read_header(path: Path) -> CacheHeader:
    """What the file says about itself, checked against the header's hash and the file's size."""
    with path.open("rb") as file:
        front = file.read(_FRONT)
        if len(front) < _FRONT or not front.startswith(_MARK):
            raise DamagedError("it does not begin like a file of the cache")
        size = int.from_bytes(front[len(_MARK) : len(_MARK) + _LENGTH_BYTES], "little")
        text = file.read(min(size, _LONGEST_HEADER))
        held = os.fstat(file.fileno()).st_size
    if hashlib.sha256(text).digest() != front[len(_MARK) + _LENGTH_BYTES :]:
        raise DamagedError("its header is damaged")
    fields = json.loads(text)
    if fields["format"] != FORMAT:
        raise OtherFormatError(f"it is of format {fields['format']}, this version of houseway reads format {FORMAT}")
    start = _up_to_page(_FRONT + size)
    if held != start + fields["length"]:
        raise DamagedError(f"it has {held:,} bytes instead of {start + fields['length']:,}")
    return CacheHeader(
        fields["name"],
        fields["key"],
        fields["arrays"],
        tuple(fields["chunks"]),
        start,
        fields["length"],
        fields["version"],
    )


def check_data(path: Path, header: CacheHeader) -> None:
    """Compare every chunk of the data with its hash."""
    with path.open("rb") as file:
        hashes = _chunk_hashes(file.fileno(), header.start, header.length)
    for number, (found, expected) in enumerate(zip(hashes, header.chunks, strict=True)):
        if found != expected:
            raise DamagedError(f"the data between byte {header.start + number * _CHUNK:,} and the next chunk changed")


def map_arrays(path: Path, header: CacheHeader) -> dict[str, Array]:
    """The arrays as read-only views of the file's memory map."""
    import numpy as np

    if not header.length:
        return {name: _empty(described) for name, described in header.arrays.items()}
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays: dict[str, Array] = {}
    for name, described in header.arrays.items():
        shape = tuple(described["shape"])
        count = int(np.prod(shape, dtype=np.int64))
        if not count:
            arrays[name] = _empty(described)
            continue
        place = header.start + described["place"]
        arrays[name] = np.frombuffer(mapped, np.dtype(described["type"]), count, place).reshape(shape)
    return arrays


def _empty(described: Mapping[str, Any]) -> Array:
    import numpy as np

    return np.zeros(tuple(described["shape"]), np.dtype(described["type"]))
