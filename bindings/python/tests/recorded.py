"""What the TypeScript package makes of schemas, tables and budgets of every kind (``record.mjs``)."""

import json
from pathlib import Path
from typing import Any

RECORDED: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("recorded.json").read_text("utf8"))
