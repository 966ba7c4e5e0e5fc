"""Made rows.csv and expected.json: python make.py, with scikit-learn 1.9.1, then npm run format.

The weights of a feature are listed by class (of two classes, the second alone): the intercepts first, then the columns
in order, each with its categories in order. Numbers have a feature for their position and one for missing.
"""

import csv
import json
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

HERE = Path(__file__).parent
SHOPS, COLOURS = ["a", "b", "c", ""], ["red", "green", "blue"]
FEATURES = ["shop", "member", "age", "price"]


def drawn(rows: int) -> list[dict[str, str]]:
    """Rows whose targets depend on the features, with missing cells among both."""
    random = np.random.default_rng(17)
    made = []
    for _ in range(rows):
        shop, member = random.integers(4), random.integers(2)
        age, price = random.integers(18, 91), random.integers(0, 100001) / 100
        noise = random.normal(size=2)
        kind = np.digitize(age / 40 + shop / 3 + noise[0] / 2, [1.2, 2.2])
        bought = price / 500 - member + noise[1] > 0.4
        made.append(
            {
                "shop": SHOPS[shop],
                "member": "true" if member else "false",
                "age": str(age) if random.random() < 0.9 else "",
                "price": f"{price:.2f}",
                "colour": COLOURS[kind] if random.random() < 0.95 else "",
                "bought": "yes" if bought else "no",
            }
        )
    return made


def features(row: dict[str, str]) -> list[float]:
    position = lambda text, low, high: [0, 1] if text == "" else [(float(text) - low) / (high - low), 0]
    one_hot = lambda text, categories: [float(text == category) for category in categories]
    return [
        *one_hot(row["shop"], SHOPS),
        *one_hot(row["member"], ["false", "true"]),
        *position(row["age"], 18, 90),
        *position(row["price"], 0, 1000),
    ]


def expected(rows: list[dict[str, str]], target: str, classes: list[str]) -> dict[str, object]:
    known = [row for row in rows if row[target]]
    x, y = np.array([features(row) for row in known]), np.array([classes.index(row[target]) for row in known])
    model = LogisticRegression(solver="newton-cholesky", tol=1e-12).fit(x, y)
    weights = np.column_stack([model.intercept_, model.coef_]).T
    return {"target": target, "weights": weights.tolist(), "f1": f1_score(y, model.predict(x), average="macro")}


rows = drawn(150)
with (HERE / "rows.csv").open("w", newline="") as file:
    writer = csv.DictWriter(file, [*FEATURES, "colour", "bought"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
made = [expected(rows, "colour", COLOURS), expected(rows, "bought", ["no", "yes"])]
(HERE / "expected.json").write_text(json.dumps(made, indent=2) + "\n")
