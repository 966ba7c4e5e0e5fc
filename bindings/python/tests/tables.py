"""A small table that tests share, and its schema."""

import standin

SEX = {"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"], "required": True}}
AGE = {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 9, "required": True}}
REGION = {"name": "region", "type": "string", "constraints": {"enum": ["N", "E", "S"], "required": True}}

DESCRIPTOR = {"fields": [SEX, AGE, REGION]}
SCHEMA = standin.parse_schema(DESCRIPTOR)
SETS = [["sex", "age"], ["sex", "region"], ["age", "region"], ["sex", "age", "region"]]
"""More sets than three rounds choose."""

ROWS = [("FM"[row % 2], (row * 7) % 10, "NES"[(row // 2) % 3]) for row in range(300)]
CSV = "sex,age,region\n" + "".join(f"{sex},{age},{region}\n" for sex, age, region in ROWS)

KEY = bytes(range(1, 33))
"""A known noise key."""


def table() -> standin.Table:
    return standin.parse_csv(CSV, SCHEMA)
