"""Reference arithmetic of the benchmark: one JSON request a line on stdin, one JSON answer a line on stdout."""
import json
import sys
import time

import numpy as np


def completion(x: np.ndarray, picks: int) -> list[int]:
    """Largest-residual completion from nothing in the rows' own precision: two Gram-Schmidt passes, residuals updated."""
    n, d = x.shape
    basis = np.zeros((picks, d), x.dtype)
    residual = np.einsum("ij,ij->i", x, x)
    taken = np.zeros(n, bool)
    chosen: list[int] = []
    scatter = x.T @ x
    scores = np.einsum("ij,ij->i", x @ scatter, x)
    while len(chosen) < picks:
        j = int(np.argmax(np.where(taken | (residual <= 1e-6), -np.inf, scores)))
        q = x[j].copy()
        used = basis[: len(chosen)]
        for _ in range(2):
            q -= used.T @ (used @ q)
        q /= np.sqrt(q @ q)
        basis[len(chosen)] = q
        p = x @ q
        residual = np.maximum(residual - p * p, 0)
        residual[j] = 0
        taken[j] = True
        chosen.append(j)
        float(np.mean(1 - residual))
        scores = residual
    return chosen


def spectrum(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The smaller of the centred Gram and scatter matrices, float64, and its eigenvalues."""
    n, d = x.shape
    c = x.astype(np.float64)
    c -= c.mean(axis=0)
    matrix = c @ c.T if n <= d else c.T @ c
    return matrix, np.linalg.eigvalsh(matrix)


def answer(request: dict) -> dict:
    x = np.fromfile(request["path"], np.float32).reshape(request["n"], request["d"])
    if request["op"] == "picks":
        exact = x.astype(np.float64)
        exact /= np.linalg.norm(exact, axis=1, keepdims=True)
        return {"ms": 0, "picks": completion(exact, request["k"])}
    if request["op"] == "completion":
        began = time.perf_counter()
        chosen = completion(x, request["k"])
        return {"ms": (time.perf_counter() - began) * 1e3, "picks": chosen}
    matrix, values = spectrum(x)
    began = time.perf_counter()
    np.linalg.eigvalsh(matrix)
    eigen = (time.perf_counter() - began) * 1e3
    began = time.perf_counter()
    spectrum(x)
    return {"ms": eigen, "wholeMs": (time.perf_counter() - began) * 1e3, "values": values[::-1].tolist()}


print(json.dumps({"numpy": np.__version__}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
